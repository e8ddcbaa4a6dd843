package opentelemetry_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/google/pprof/profile"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"
)

// random makes profiles.
type random struct{ *rand.Rand }

func (r random) flip() bool { return r.IntN(2) == 0 }

func (r random) word() string {
	return []string{"", "a", "b", "main", "é", "x/y", "runtime.main", "-1", "a;b\n", `"`}[r.IntN(10)]
}

func (r random) number() int64 { return []int64{0, 1, -1, 7, 1 << 40, -1 << 63, 1<<63 - 1}[r.IntN(7)] }

// small returns a random value of a sample. It is small, because a recording must represent the
// sum.
func (r random) small() int64 { return []int64{0, 1, 7, 1000, 1 << 30}[r.IntN(5)] }

// kinds are types and units of samples. The last of a profile is what is shown of it.
var kinds = [][2]string{{"samples", "count"}, {"alloc_space", "bytes"}, {"", ""}, {"é", "x"}, {"contentions", "count"}, {"cpu", "nanoseconds"}}

// pprof returns a profile of pprof with at least one sample.
func (r random) pprof() *profile.Profile {
	p := &profile.Profile{TimeNanos: r.number(), DurationNanos: r.number(), Period: r.Int64N(1000), DocURL: r.word()}
	for _, i := range r.Perm(len(kinds))[:1+r.IntN(3)] {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: kinds[i][0], Unit: kinds[i][1]})
	}
	if r.flip() {
		p.PeriodType = &profile.ValueType{Type: r.word(), Unit: r.word()}
	}
	if r.flip() {
		p.DefaultSampleType = p.SampleType[r.IntN(len(p.SampleType))].Type
	}
	for range r.IntN(3) {
		p.Comments = append(p.Comments, r.word())
	}
	for i := range r.IntN(4) {
		p.Mapping = append(p.Mapping, &profile.Mapping{ID: uint64(i + 1), Start: uint64(r.number()), Limit: uint64(r.number()), Offset: uint64(r.number()), File: r.word(), BuildID: r.word(),
			HasFunctions: r.flip(), HasFilenames: r.flip(), HasLineNumbers: r.flip(), HasInlineFrames: r.flip()})
	}
	for i := range 1 + r.IntN(5) {
		p.Function = append(p.Function, &profile.Function{ID: uint64(i + 1), Name: r.word(), SystemName: r.word(), Filename: r.word(), StartLine: r.number()})
	}
	for i := range 1 + r.IntN(6) {
		l := &profile.Location{ID: uint64(i + 1), Address: uint64(r.number()), IsFolded: r.flip()}
		if len(p.Mapping) > 0 && r.flip() {
			l.Mapping = p.Mapping[r.IntN(len(p.Mapping))]
		}
		for range r.IntN(3) {
			l.Line = append(l.Line, profile.Line{Function: p.Function[r.IntN(len(p.Function))], Line: r.number(), Column: r.number()})
		}
		p.Location = append(p.Location, l)
	}
	for range 1 + r.IntN(6) {
		p.Sample = append(p.Sample, r.sample(p))
	}
	for i := range p.SampleType { // without a value there is nothing to show, and the file is not opened
		p.Sample[0].Value[i] = 1 + r.small()
	}
	return p
}

func (r random) sample(p *profile.Profile) *profile.Sample {
	s := &profile.Sample{Label: map[string][]string{}, NumLabel: map[string][]int64{}, NumUnit: map[string][]string{}}
	for range p.SampleType {
		s.Value = append(s.Value, r.small())
	}
	for range r.IntN(5) {
		s.Location = append(s.Location, p.Location[r.IntN(len(p.Location))])
	}
	for range r.IntN(3) {
		key := "k" + r.word()
		s.Label[key] = append(s.Label[key], r.word())
	}
	for range r.IntN(3) {
		key := "k" + r.word()
		for range 1 + r.IntN(3) {
			s.NumLabel[key] = append(s.NumLabel[key], r.number())
			s.NumUnit[key] = append(s.NumUnit[key], r.word())
		}
	}
	if r.IntN(4) == 0 {
		s.Label["trace_id"], s.Label["span_id"] = []string{"0102030405060708090a0b0c0d0e0f10"}, []string{"00000000000000ff"}
	}
	return s
}

// pdata returns profiles with features that only OTLP has: several resources and scopes, attributes
// of all kinds, times.
func (r random) pdata() pprofile.Profiles {
	d := pprofile.NewProfiles()
	sizes := r.dictionary(d.Dictionary())
	begin, length, period, kind := r.Int64N(1<<40), r.Int64N(1<<20), r.Int64N(1<<20), r.IntN(sizes.strings)
	for range 1 + r.IntN(2) {
		resource := d.ResourceProfiles().AppendEmpty()
		r.attributes(resource.Resource().Attributes())
		for range 1 + r.IntN(2) {
			scope := resource.ScopeProfiles().AppendEmpty()
			scope.Scope().SetName(r.word())
			scope.Scope().SetVersion(r.word())
			r.attributes(scope.Scope().Attributes())
			for range 1 + r.IntN(2) {
				p := scope.Profiles().AppendEmpty()
				p.SetTime(pcommon.Timestamp(begin))
				p.SetDurationNano(uint64(length))
				p.SetPeriod(period)
				p.PeriodType().SetTypeStrindex(int32(kind))
				i := r.IntN(len(kinds))
				p.SampleType().SetTypeStrindex(int32(1 + 2*i))
				p.SampleType().SetUnitStrindex(int32(2 + 2*i))
				r.indexes(p.AttributeIndices(), sizes)
				for range 1 + r.IntN(4) {
					r.otlpSample(p.Samples().AppendEmpty(), sizes)
				}
				p.Samples().AppendEmpty().Values().Append(1) // without a value there is nothing to show
			}
		}
	}
	return d
}

func (r random) otlpSample(s pprofile.Sample, n sizes) {
	s.SetStackIndex(int32(r.IntN(n.stacks)))
	if r.IntN(4) == 0 {
		s.SetLinkIndex(int32(r.IntN(n.links)))
	}
	r.indexes(s.AttributeIndices(), n)
	switch r.IntN(3) {
	case 0:
		s.Values().Append(r.small())
	case 1:
		for range 1 + r.IntN(3) {
			s.Values().Append(r.Int64N(1000))
			s.TimestampsUnixNano().Append(r.Uint64N(1 << 40))
		}
	case 2:
		for range 1 + r.IntN(3) {
			s.TimestampsUnixNano().Append(r.Uint64N(1 << 40))
		}
	}
}

// sizes are the numbers of entries of tables.
type sizes struct{ strings, attributes, stacks, links int }

// indexes refers to attributes with different keys, which entries with different remainders by 3
// have.
func (r random) indexes(list pcommon.Int32Slice, n sizes) {
	used := map[int]bool{}
	for range r.IntN(3) {
		if i := 1 + r.IntN(n.attributes-1); !used[i%3] {
			used[i%3] = true
			list.Append(int32(i))
		}
	}
}

// attributes adds attributes with values of all kinds.
func (r random) attributes(to pcommon.Map) {
	for range r.IntN(3) {
		r.value(to.PutEmpty("k" + r.word()))
	}
}

func (r random) value(v pcommon.Value) {
	switch r.IntN(7) {
	case 0:
		v.SetInt(r.number())
	case 1:
		v.SetBool(r.flip())
	case 2:
		v.SetDouble([]float64{0, 1.5, -2, 1e300, 1e-9}[r.IntN(5)])
	case 3:
		v.SetEmptyBytes().Append([]byte(r.word())...)
	case 4:
		list := v.SetEmptySlice()
		for range r.IntN(4) {
			if e := list.AppendEmpty(); r.flip() {
				e.SetInt(r.number())
			} else {
				e.SetStr(r.word())
			}
		}
	case 5:
		m := v.SetEmptyMap()
		m.PutStr("a", r.word())
		m.PutInt("b", r.number())
	default:
		v.SetStr(r.word())
	}
}

// dictionary fills the tables.
func (r random) dictionary(d pprofile.ProfilesDictionary) (n sizes) {
	d.StringTable().Append("")
	for _, k := range kinds {
		d.StringTable().Append(k[:]...)
	}
	d.StringTable().Append("k0", "k1", "k2", "pprof.location.is_folded", "process.executable.build_id.gnu", "pprof.mapping.has_filenames")
	keys := d.StringTable().Len() - 6
	for range 5 {
		d.StringTable().Append(r.word())
	}
	n.strings = d.StringTable().Len()
	text := func() int32 { return int32(r.IntN(n.strings)) }

	n.attributes = 1 + 3 + r.IntN(6)
	d.AttributeTable().AppendEmpty()
	for i := 1; i < n.attributes; i++ {
		a := d.AttributeTable().AppendEmpty()
		a.SetKeyStrindex(int32(keys + i%3))
		a.SetUnitStrindex(text())
		r.value(a.Value())
	}
	for i := range 3 { // of tables
		a := d.AttributeTable().AppendEmpty()
		a.SetKeyStrindex(int32(keys + 3 + i))
		if i == 1 {
			a.Value().SetStr("b" + r.word())
		} else {
			a.Value().SetBool(r.flip())
		}
	}
	n.links = 1 + r.IntN(3)
	for i := range n.links {
		l := d.LinkTable().AppendEmpty()
		if i > 0 {
			l.SetTraceID([16]byte{1: byte(i), 15: 0xff})
			l.SetSpanID([8]byte{byte(i)})
		}
	}
	r.places(d, n, text)
	n.stacks = d.StackTable().Len()
	return n
}

// places fills the tables of mappings, functions, locations and stacks.
func (r random) places(d pprofile.ProfilesDictionary, n sizes, text func() int32) {
	count := 1 + r.IntN(4)
	for i := range count {
		m, f, l, s := d.MappingTable().AppendEmpty(), d.FunctionTable().AppendEmpty(), d.LocationTable().AppendEmpty(), d.StackTable().AppendEmpty()
		if i == 0 {
			continue
		}
		m.SetMemoryStart(uint64(r.number()))
		m.SetMemoryLimit(uint64(r.number()))
		m.SetFileOffset(uint64(r.number()))
		m.SetFilenameStrindex(text())
		if r.flip() {
			m.AttributeIndices().Append(int32(n.attributes+1), int32(n.attributes+2))
		}
		f.SetNameStrindex(text())
		f.SetSystemNameStrindex(text())
		f.SetFilenameStrindex(text())
		f.SetStartLine(r.number())
		l.SetMappingIndex(int32(r.IntN(count)))
		l.SetAddress(uint64(r.number()))
		if r.flip() {
			l.AttributeIndices().Append(int32(n.attributes))
		}
		for range r.IntN(3) {
			line := l.Lines().AppendEmpty()
			line.SetFunctionIndex(int32(r.IntN(count)))
			line.SetLine(r.number())
			line.SetColumn(r.number())
		}
		for range r.IntN(4) {
			s.LocationIndices().Append(int32(r.IntN(count)))
		}
	}
}

// encoded is an encoding of a profile.
type encoded struct {
	format string
	write  func(pprofile.Profiles) ([]byte, error)
	read   func([]byte) (pprofile.Profiles, error)
}

// encodings are those of pdata.
var encodings = []encoded{
	{"otlp", (&pprofile.ProtoMarshaler{}).MarshalProfiles, (&pprofile.ProtoUnmarshaler{}).UnmarshalProfiles},
	{"otlp-json", (&pprofile.JSONMarshaler{}).MarshalProfiles, (&pprofile.JSONUnmarshaler{}).UnmarshalProfiles},
}

func (e encoded) String() string { return fmt.Sprintf("pdata's %s", e.format) }
