package otlp

import (
	"encoding/hex"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"artifice/format/pprof"
	"artifice/internal/protobuf"
)

// fromProfile translates a profile of pprof. Each of its sample types becomes a profile of one
// scope. The default type is the first of them, because OTLP's tools show the first profile, while
// pprof shows the last one or the named one. Content without a field in OTLP becomes attributes
// (attributes.go). Equal entries of pprof's tables are merged, an entry without content becomes
// index 0 (none), and bytes that are not UTF-8 become U+FFFD.
func fromProfile(p *profile.Profile) *Data {
	b := newBuilder()
	b.tables(p)
	common := b.profileAttributes(p)
	stacks := b.stacks(p)
	samples := make([]Sample, len(p.Sample))
	for i, s := range p.Sample {
		samples[i] = b.sample(s)
		samples[i].Stack = stacks[i]
	}
	scope := ScopeProfiles{Scope: scopeOf(p)}
	for _, column := range typeOrder(p) {
		of := Profile{Time: unsigned(p.TimeNanos), Duration: unsigned(p.DurationNanos), Period: number(p.Period),
			PeriodType: b.valueType(p.PeriodType), SampleType: b.valueType(p.SampleType[column]), Attributes: common}
		of.Samples = slices.Clone(samples)
		for i, s := range p.Sample {
			of.Samples[i].Values = []number{number(s.Value[column])}
		}
		scope.Profiles = append(scope.Profiles, of)
	}
	if len(p.SampleType) == 0 {
		scope.Profiles = []Profile{{Time: unsigned(p.TimeNanos), Duration: unsigned(p.DurationNanos), Period: number(p.Period), PeriodType: b.valueType(p.PeriodType), Attributes: common}}
	}
	return &Data{Resources: []ResourceProfiles{{Scopes: []ScopeProfiles{scope}}}, Dictionary: &b.d}
}

// typeOrder returns the indexes of the sample types in the order of OTLP's profiles.
func typeOrder(p *profile.Profile) []int {
	first := len(p.SampleType) - 1
	if i := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == p.DefaultSampleType }); i >= 0 && p.DefaultSampleType != "" {
		first = i
	}
	var order []int
	for i := range p.SampleType {
		if i != first {
			order = append(order, i)
		}
	}
	if first >= 0 {
		order = slices.Insert(order, 0, first)
	}
	return order
}

// scopeOf returns the scope, with attributes that describe pprof's sample types. It returns nil if
// there are no such attributes.
func scopeOf(p *profile.Profile) *Scope {
	var s Scope
	if p.DefaultSampleType != "" {
		v := textValue(p.DefaultSampleType)
		s.Attributes = append(s.Attributes, KeyValue{Key: attrDefaultType, Value: &v})
	}
	if len(p.SampleType) > 1 {
		list := &Array{}
		for _, i := range typeOrder(p) {
			n := number(i)
			list.Values = append(list.Values, Value{Int: &n})
		}
		s.Attributes = append(s.Attributes, KeyValue{Key: attrTypeOrder, Value: &Value{Array: list}})
	}
	if s.Attributes == nil {
		return nil
	}
	return &s
}

// builder fills the dictionary.
type builder struct {
	d       Dictionary
	strings map[string]index
	// index of each entry of the other tables, by the table's letter and the encoded entry
	entries   map[string]index
	functions map[*profile.Function]index
	mappings  map[*profile.Mapping]index
	locations map[*profile.Location]index
}

func newBuilder() *builder {
	return &builder{
		d: Dictionary{Mappings: make([]Mapping, 1), Locations: make([]Location, 1), Functions: make([]Function, 1), Links: make([]Link, 1),
			Strings: make([]string, 1), Attributes: make([]Attribute, 1), Stacks: make([]Stack, 1)},
		strings: map[string]index{"": 0}, entries: map[string]index{}, functions: map[*profile.Function]index{},
		mappings: map[*profile.Mapping]index{}, locations: map[*profile.Location]index{},
	}
}

// valid returns s as valid UTF-8, which protocol buffers require of strings.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// text returns the index of a string.
func (b *builder) text(s string) index {
	s = valid(s)
	i, ok := b.strings[s]
	if !ok {
		i = index(len(b.d.Strings))
		b.strings[s] = i
		b.d.Strings = append(b.d.Strings, s)
	}
	return i
}

// entry returns the index of an entry of a table, and appends the entry if it is new. The index of
// an empty entry is 0.
func entry[T any](b *builder, letter byte, table *list[T], v T) index {
	m := protobuf.Message{letter}
	appendMessage(&m, reflect.ValueOf(&v).Elem())
	if len(m) == 1 {
		return 0
	}
	i, ok := b.entries[string(m)]
	if !ok {
		i = index(len(*table))
		b.entries[string(m)] = i
		*table = append(*table, v)
	}
	return i
}

// attribute returns the index of an attribute.
func (b *builder) attribute(key string, v *Value, unit string) index {
	return entry(b, 'a', &b.d.Attributes, Attribute{Key: b.text(key), Value: v, Unit: b.text(unit)})
}

// flag appends an attribute for a flag if it is set.
func (b *builder) flag(list []index, key string, set bool) []index {
	if !set {
		return list
	}
	v := boolValue(true)
	return append(list, b.attribute(key, &v, ""))
}

// words appends an attribute for a text if it is not empty.
func (b *builder) words(list []index, key, text string) []index {
	if text == "" {
		return list
	}
	v := textValue(text)
	return append(list, b.attribute(key, &v, ""))
}

func (b *builder) valueType(t *profile.ValueType) *ValueType {
	if t == nil {
		return nil
	}
	return &ValueType{b.text(t.Type), b.text(t.Unit)}
}

// tables adds pprof's tables in their order. Entries that no sample uses are kept, because pprof
// takes the first mapping for the program.
func (b *builder) tables(p *profile.Profile) {
	for _, m := range p.Mapping {
		var attributes []index
		attributes = b.flag(attributes, attrFunctions, m.HasFunctions)
		attributes = b.flag(attributes, attrFilenames, m.HasFilenames)
		attributes = b.flag(attributes, attrLines, m.HasLineNumbers)
		attributes = b.flag(attributes, attrInline, m.HasInlineFrames)
		key := attrBuildGNU
		if strings.Contains(m.BuildID, "/") {
			key = attrBuildGo
		}
		attributes = b.words(attributes, key, m.BuildID)
		b.mappings[m] = entry(b, 'm', &b.d.Mappings, Mapping{unsigned(m.Start), unsigned(m.Limit), unsigned(m.Offset), b.text(m.File), attributes})
	}
	for _, f := range p.Function {
		b.functions[f] = entry(b, 'f', &b.d.Functions, Function{b.text(f.Name), b.text(f.SystemName), b.text(f.Filename), number(f.StartLine)})
	}
	for _, l := range p.Location {
		of := Location{Mapping: b.mappings[l.Mapping], Address: unsigned(l.Address), Attributes: b.flag(nil, attrFolded, l.IsFolded)}
		for _, line := range l.Line {
			of.Lines = append(of.Lines, Line{b.functions[line.Function], number(line.Line), number(line.Column)})
		}
		b.locations[l] = entry(b, 'l', &b.d.Locations, of)
	}
}

// profileAttributes returns the attributes of all profiles.
func (b *builder) profileAttributes(p *profile.Profile) (list []index) {
	if len(p.Comments) > 0 {
		comments := &Array{}
		for _, c := range p.Comments {
			comments.Values = append(comments.Values, textValue(c))
		}
		list = append(list, b.attribute(attrComment, &Value{Array: comments}, ""))
	}
	list = b.words(list, attrDocURL, p.DocURL)
	list = b.words(list, attrDrop, p.DropFrames)
	return b.words(list, attrKeep, p.KeepFrames)
}

// stacks returns the index of each sample's stack.
func (b *builder) stacks(p *profile.Profile) []index {
	all := pprof.StacksOf(p)
	indexes := make([]index, len(all.List))
	for n, locations := range all.List {
		stack := Stack{make([]index, len(locations))}
		for i, l := range locations {
			stack.Locations[i] = b.locations[l]
		}
		indexes[n] = entry(b, 's', &b.d.Stacks, stack)
	}
	of := make([]index, len(p.Sample))
	for i := range of {
		of[i] = indexes[all.Of[i]]
	}
	return of
}

// sample returns a sample without values and stack.
func (b *builder) sample(s *profile.Sample) (of Sample) {
	link, linked := linkOf(s)
	if linked {
		of.Link = entry(b, 'k', &b.d.Links, link)
	}
	keys := slices.AppendSeq(slices.Collect(maps.Keys(s.Label)), maps.Keys(s.NumLabel))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		if linked && (key == labelTrace || key == labelSpan) {
			continue
		}
		if v, unit := labelValue(s, key); v != nil {
			of.Attributes = append(of.Attributes, b.attribute(key, v, unit))
		}
	}
	return of
}

// linkOf returns the span identified by the labels of a sample, in the form in which [labels]
// represent a link.
func linkOf(s *profile.Sample) (l Link, ok bool) {
	ids := func(key string, size int) (id []byte) {
		if texts := s.Label[key]; len(texts) == 1 && len(s.NumLabel[key]) == 0 && len(texts[0]) == 2*size && texts[0] == strings.ToLower(texts[0]) {
			id, _ = hex.DecodeString(texts[0])
		}
		return id
	}
	l = Link{ids(labelTrace, 16), ids(labelSpan, 8)}
	return l, len(l.Trace) == 16 && len(l.Span) == 8
}
