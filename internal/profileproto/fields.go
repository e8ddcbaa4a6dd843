// Package profileproto has the format of pprof as profile.proto defines it
// (github.com/google/pprof, folder proto): the numbers of its messages' fields, by
// their names there. The fields of a Profile have no prefix, those of other messages
// have the message's name. Profiles are written field by field with package encode:
// put together with pprof's own library one of many stacks would take ten times the memory.
package profileproto

// Fields of a Profile.
const (
	SampleType        = 1
	Sample            = 2
	Mapping           = 3
	Location          = 4
	Function          = 5
	StringTable       = 6
	TimeNanos         = 9
	DurationNanos     = 10
	PeriodType        = 11
	Period            = 12
	Comment           = 13
	DefaultSampleType = 14
)

// Fields of the other messages.
const (
	ValueTypeType, ValueTypeUnit = 1, 2

	SampleLocationID, SampleValue, SampleLabel = 1, 2, 3
	LabelKey, LabelStr, LabelNum               = 1, 2, 3

	MappingID, MappingFilename                                      = 1, 5
	MappingHasFunctions, MappingHasFilenames, MappingHasLineNumbers = 7, 8, 9
	LocationID, LocationMappingID, LocationLine                     = 1, 2, 4
	LineFunctionID, LineLine                                        = 1, 2
	FunctionID, FunctionName, FunctionSystemName, FunctionFilename  = 1, 2, 3, 4
	FunctionStartLine                                               = 5
)
