package otlp

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"artifice/internal/testdata"
)

// TestRoundTrip checks that random pprof profiles are unchanged after a conversion to OTLP and
// back, in protobuf and JSON: all values, labels, stacks, tables and properties of the whole
// profile. Ids may differ, and equal table entries may become one.
func TestRoundTrip(t *testing.T) {
	n := 500
	if testdata.Exhaustive() {
		n = 100_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		p := randomProfile(t, r)
		want := describe(p)
		d := fromProfile(p)
		file := d.encode()
		if i%2 == 1 {
			var text bytes.Buffer
			if err := d.writeJSON(&text); err != nil {
				t.Fatal(err)
			}
			file = text.Bytes()
		}
		all, err := parse(file, "x")
		if err != nil {
			t.Fatalf("profile %d: %v", i, err)
		}
		back, _, err := toProfile(all, "x")
		if err != nil {
			t.Fatalf("profile %d: %v", i, err)
		}
		if err := back.CheckValid(); err != nil {
			t.Fatalf("profile %d: %v", i, err)
		}
		if diff := cmp.Diff(want, describe(back)); diff != "" {
			t.Fatalf("profile %d: -before +after OTLP\n%s", i, diff)
		}
		if again := fromProfile(back); !bytes.Equal(again.encode(), d.encode()) {
			t.Fatalf("profile %d: OTLP to pprof to OTLP differs:\n%v\n%v", i, d, again)
		}
	}
}

// randomProfile returns a random profile that pprof's library has written and read, so that it
// contains only data that a file can have.
func randomProfile(t *testing.T, r *rand.Rand) *profile.Profile {
	word := func() string {
		return []string{"", "a", "b", "main", "é", "x/y", "runtime.main", "-1", "a;b\n"}[r.IntN(9)]
	}
	number := func() int64 { return []int64{0, 1, -1, 7, 1 << 40, -1 << 63, 1<<63 - 1}[r.IntN(7)] }
	flip := func() bool { return r.IntN(2) == 0 }
	p := &profile.Profile{TimeNanos: number(), DurationNanos: number(), Period: number(), DropFrames: word(), KeepFrames: word(), DocURL: word()}
	for range 1 + r.IntN(4) {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: word(), Unit: word()})
	}
	if flip() {
		p.PeriodType = &profile.ValueType{Type: word(), Unit: word()}
	}
	if flip() {
		p.DefaultSampleType = p.SampleType[r.IntN(len(p.SampleType))].Type
	}
	for range r.IntN(3) {
		p.Comments = append(p.Comments, word())
	}
	for i := range r.IntN(4) {
		p.Mapping = append(p.Mapping, &profile.Mapping{ID: uint64(i + 1), Start: uint64(number()), Limit: uint64(number()), Offset: uint64(number()), File: word(), BuildID: word(),
			HasFunctions: flip(), HasFilenames: flip(), HasLineNumbers: flip(), HasInlineFrames: flip()})
	}
	for i := range 1 + r.IntN(5) {
		p.Function = append(p.Function, &profile.Function{ID: uint64(i + 1), Name: word(), SystemName: word(), Filename: word(), StartLine: number()})
	}
	for i := range 1 + r.IntN(6) {
		l := &profile.Location{ID: uint64(i + 1), Address: uint64(number()), IsFolded: flip()}
		if len(p.Mapping) > 0 && flip() {
			l.Mapping = p.Mapping[r.IntN(len(p.Mapping))]
		}
		for range r.IntN(3) {
			l.Line = append(l.Line, profile.Line{Function: p.Function[r.IntN(len(p.Function))], Line: number(), Column: number()})
		}
		p.Location = append(p.Location, l)
	}
	for range r.IntN(6) {
		p.Sample = append(p.Sample, randomSample(r, p, word, number))
	}
	var file bytes.Buffer
	if err := p.WriteUncompressed(&file); err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseUncompressed(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func randomSample(r *rand.Rand, p *profile.Profile, word func() string, number func() int64) *profile.Sample {
	s := &profile.Sample{Label: map[string][]string{}, NumLabel: map[string][]int64{}, NumUnit: map[string][]string{}}
	for range p.SampleType {
		s.Value = append(s.Value, number())
	}
	for range r.IntN(5) {
		s.Location = append(s.Location, p.Location[r.IntN(len(p.Location))])
	}
	for range r.IntN(3) {
		key := "k" + word()
		for range 1 + r.IntN(2) {
			s.Label[key] = append(s.Label[key], word())
		}
	}
	for range r.IntN(3) {
		key := "k" + word()
		for range 1 + r.IntN(3) {
			s.NumLabel[key] = append(s.NumLabel[key], number())
			s.NumUnit[key] = append(s.NumUnit[key], word())
		}
	}
	switch r.IntN(4) {
	case 0:
		s.Label["trace_id"], s.Label["span_id"] = []string{"0102030405060708090a0b0c0d0e0f10"}, []string{"00000000000000ff"}
	case 1:
		s.Label["trace_id"], s.Label["span_id"] = []string{"0102030405060708090A0B0C0D0E0F10"}, []string{"12"}
	}
	return s
}

// described is the content of a profile without ids.
type described struct {
	Head, Types                   string
	Comments                      []string
	Samples                       []string
	Mappings, Functions, Location []string
}

// describe returns the content of a profile. It lists equal table entries once, and omits empty
// ones.
func describe(p *profile.Profile) described {
	d := described{Head: fmt.Sprintf("%d %d %v %d %q %q %q %q", p.TimeNanos, p.DurationNanos, p.PeriodType, p.Period, p.DefaultSampleType, p.DropFrames, p.KeepFrames, p.DocURL), Comments: p.Comments}
	for _, t := range p.SampleType {
		d.Types += fmt.Sprintf("%q %q, ", t.Type, t.Unit)
	}
	for _, m := range p.Mapping {
		d.Mappings = once(d.Mappings, mappingText(m))
	}
	for _, f := range p.Function {
		d.Functions = once(d.Functions, functionText(f))
	}
	slices.Sort(d.Functions) // the position of an empty function depends on its first use
	for _, l := range p.Location {
		d.Location = once(d.Location, locationText(l))
	}
	slices.Sort(d.Location)
	for _, s := range p.Sample {
		text := fmt.Sprint(s.Value)
		for _, l := range s.Location {
			text += "\n" + locationText(l)
		}
		for _, k := range slices.Sorted(maps.Keys(s.Label)) {
			text += fmt.Sprintf("\n%q=%q", k, s.Label[k])
		}
		for _, k := range slices.Sorted(maps.Keys(s.NumLabel)) {
			text += fmt.Sprintf("\n%q=%d %q", k, s.NumLabel[k], s.NumUnit[k])
		}
		d.Samples = append(d.Samples, text)
	}
	return d
}

func once(list []string, s string) []string {
	if strings.HasPrefix(s, "empty") || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func mappingText(m *profile.Mapping) string {
	if m == nil {
		return "empty"
	}
	text := fmt.Sprintf("%x %x %x %q %q %v %v %v %v", m.Start, m.Limit, m.Offset, m.File, m.BuildID, m.HasFunctions, m.HasFilenames, m.HasLineNumbers, m.HasInlineFrames)
	if text == `0 0 0 "" "" false false false false` {
		return "empty"
	}
	return text
}

func functionText(f *profile.Function) string {
	if f.Name+f.SystemName+f.Filename == "" && f.StartLine == 0 {
		return "empty"
	}
	return fmt.Sprintf("%q %q %q %d", f.Name, f.SystemName, f.Filename, f.StartLine)
}

func locationText(l *profile.Location) string {
	text := ""
	for _, line := range l.Line {
		text += fmt.Sprintf(" [%s:%d:%d]", functionText(line.Function), line.Line, line.Column)
	}
	m := mappingText(l.Mapping)
	if m == "empty" && l.Address == 0 && !l.IsFolded && text == "" {
		return "empty"
	}
	return fmt.Sprintf("%x %v in %s:%s", l.Address, l.IsFolded, m, text)
}
