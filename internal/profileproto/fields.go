// Package profileproto writes the wire format of pprof profiles, as profile.proto defines it
// (github.com/google/pprof, directory proto): the string table, the messages and their field
// numbers. Fields of a Profile have the names of profile.proto without a prefix; others are
// prefixed with their message's name.
//
// It does not decide what a profile contains; package format/pprof does.
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
