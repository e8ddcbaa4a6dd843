package otlp

// The messages of opentelemetry/proto/profiles/v1development/profiles.proto, of common.proto and of
// resource.proto (release 1.10 and pdata 0.165). The tag otlp has a field's number in the wire
// format, and "fixed" for integers of fixed size; the tag json has its name in OTLP/JSON. Indexes
// point into the tables of the [Dictionary]; 0 means none.

// Data is ProfilesData, or the ExportProfilesServiceRequest of a collector, which has the same
// fields.
type Data struct {
	Resources  []ResourceProfiles `otlp:"1" json:"resourceProfiles,omitempty"`
	Dictionary *Dictionary        `otlp:"2" json:"dictionary,omitempty"`
}

// ResourceProfiles are the profiles of a process, container or host.
type ResourceProfiles struct {
	Resource  *Resource       `otlp:"1" json:"resource,omitempty"`
	Scopes    []ScopeProfiles `otlp:"2" json:"scopeProfiles,omitempty"`
	SchemaURL string          `otlp:"3" json:"schemaUrl,omitempty"`
}

// Resource is the profiled entity.
type Resource struct {
	Attributes []KeyValue `otlp:"1" json:"attributes,omitempty"`
	Dropped    number     `otlp:"2" json:"droppedAttributesCount,omitempty"`
}

// ScopeProfiles are the profiles that an instrumentation library made.
type ScopeProfiles struct {
	Scope     *Scope    `otlp:"1" json:"scope,omitempty"`
	Profiles  []Profile `otlp:"2" json:"profiles,omitempty"`
	SchemaURL string    `otlp:"3" json:"schemaUrl,omitempty"`
}

// Scope is an instrumentation library.
type Scope struct {
	Name       string     `otlp:"1" json:"name,omitempty"`
	Version    string     `otlp:"2" json:"version,omitempty"`
	Attributes []KeyValue `otlp:"3" json:"attributes,omitempty"`
	Dropped    number     `otlp:"4" json:"droppedAttributesCount,omitempty"`
}

// Dictionary has the tables that all profiles of a file share.
type Dictionary struct {
	Mappings   list[Mapping]   `otlp:"1" json:"mappingTable,omitempty"`
	Locations  list[Location]  `otlp:"2" json:"locationTable,omitempty"`
	Functions  list[Function]  `otlp:"3" json:"functionTable,omitempty"`
	Links      list[Link]      `otlp:"4" json:"linkTable,omitempty"`
	Strings    []string        `otlp:"5" json:"stringTable,omitempty"`
	Attributes list[Attribute] `otlp:"6" json:"attributeTable,omitempty"`
	Stacks     list[Stack]     `otlp:"7" json:"stackTable,omitempty"`
}

// Profile has samples of one type.
type Profile struct {
	SampleType    *ValueType   `otlp:"1" json:"sampleType,omitempty"`
	Samples       list[Sample] `otlp:"2" json:"samples,omitempty"`
	Time          unsigned     `otlp:"3,fixed" json:"timeUnixNano,omitempty"`
	Duration      unsigned     `otlp:"4" json:"durationNano,omitempty"`
	PeriodType    *ValueType   `otlp:"5" json:"periodType,omitempty"`
	Period        number       `otlp:"6" json:"period,omitempty"`
	ID            hexBytes     `otlp:"7" json:"profileId,omitempty"`
	Dropped       number       `otlp:"8" json:"droppedAttributesCount,omitempty"`
	PayloadFormat string       `otlp:"9" json:"originalPayloadFormat,omitempty"`
	Payload       []byte       `otlp:"10" json:"originalPayload,omitempty"`
	Attributes    []index      `otlp:"11" json:"attributeIndices,omitempty"`
}

// ValueType is the meaning and unit of a value.
type ValueType struct {
	Type index `otlp:"1" json:"typeStrindex,omitempty"`
	Unit index `otlp:"2" json:"unitStrindex,omitempty"`
}

// Sample contains the observations of a stack: values, times, or a value for each time.
type Sample struct {
	Stack      index      `otlp:"1" json:"stackIndex,omitempty"`
	Link       index      `otlp:"3" json:"linkIndex,omitempty"`
	Attributes []index    `otlp:"2" json:"attributeIndices,omitempty"`
	Values     []number   `otlp:"4" json:"values,omitempty"`
	Times      []unsigned `otlp:"5,fixed" json:"timestampsUnixNano,omitempty"`
}

// Mapping is a file mapped into memory.
type Mapping struct {
	Start      unsigned `otlp:"1" json:"memoryStart,omitempty"`
	Limit      unsigned `otlp:"2" json:"memoryLimit,omitempty"`
	Offset     unsigned `otlp:"3" json:"fileOffset,omitempty"`
	File       index    `otlp:"4" json:"filenameStrindex,omitempty"`
	Attributes []index  `otlp:"5" json:"attributeIndices,omitempty"`
}

// Stack is a list of locations, the leaf first.
type Stack struct {
	Locations []index `otlp:"1" json:"locationIndices,omitempty"`
}

// Location is an instruction. It has a line for each function inlined there, the innermost first.
type Location struct {
	Mapping    index    `otlp:"1" json:"mappingIndex,omitempty"`
	Address    unsigned `otlp:"2" json:"address,omitempty"`
	Lines      []Line   `otlp:"3" json:"lines,omitempty"`
	Attributes []index  `otlp:"4" json:"attributeIndices,omitempty"`
}

// Line is a line of a source file.
type Line struct {
	Function index  `otlp:"1" json:"functionIndex,omitempty"`
	Line     number `otlp:"2" json:"line,omitempty"`
	Column   number `otlp:"3" json:"column,omitempty"`
}

// Function is a function of the program.
type Function struct {
	Name       index  `otlp:"1" json:"nameStrindex,omitempty"`
	SystemName index  `otlp:"2" json:"systemNameStrindex,omitempty"`
	File       index  `otlp:"3" json:"filenameStrindex,omitempty"`
	StartLine  number `otlp:"4" json:"startLine,omitempty"`
}

// Link is the span of a distributed trace.
type Link struct {
	Trace hexBytes `otlp:"1" json:"traceId,omitempty"`
	Span  hexBytes `otlp:"2" json:"spanId,omitempty"`
}

// Attribute is KeyValueAndUnit, an entry of the dictionary.
type Attribute struct {
	Key   index  `otlp:"1" json:"keyStrindex,omitempty"`
	Value *Value `otlp:"2" json:"value,omitempty"`
	Unit  index  `otlp:"3" json:"unitStrindex,omitempty"`
}

// KeyValue is an attribute of a resource or scope, or an entry of a value that is a list of them.
type KeyValue struct {
	Key    string `otlp:"1" json:"key,omitempty"`
	Value  *Value `otlp:"2" json:"value,omitempty"`
	KeyRef index  `otlp:"3" json:"keyStrindex,omitempty"` // used in place of Key
}

// Value is AnyValue: at most one field is set.
type Value struct {
	String    *string    `otlp:"1" json:"stringValue,omitempty"`
	Bool      *bool      `otlp:"2" json:"boolValue,omitempty"`
	Int       *number    `otlp:"3" json:"intValue,omitempty"`
	Double    *double    `otlp:"4,fixed" json:"doubleValue,omitempty"`
	Array     *Array     `otlp:"5" json:"arrayValue,omitempty"`
	List      *KeyValues `otlp:"6" json:"kvlistValue,omitempty"`
	Bytes     *[]byte    `otlp:"7" json:"bytesValue,omitempty"`
	StringRef *index     `otlp:"8" json:"stringValueStrindex,omitempty"`
}

// Array is ArrayValue.
type Array struct {
	Values []Value `otlp:"1" json:"values,omitempty"`
}

// KeyValues is KeyValueList.
type KeyValues struct {
	Values []KeyValue `otlp:"1" json:"values,omitempty"`
}
