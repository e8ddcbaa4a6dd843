package input_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"artifice/input"
	"artifice/internal/testdata"
	"artifice/trace"
)

// snapshots gathers samples.
type snapshots struct{ all []trace.Snapshot }

// WriteSnapshot implements [trace.SnapshotWriter].
func (s *snapshots) WriteSnapshot(one *trace.Snapshot) error {
	one.Stack = append([]trace.MethodID(nil), one.Stack...)
	s.all = append(s.all, *one)
	return nil
}

// WriteEvents implements [trace.Writer].
func (*snapshots) WriteEvents([]trace.Event) error { return nil }

// samplesOf opens an input and returns its samples as "COUNT outer;inner".
func samplesOf(t *testing.T, in *input.Input) map[string]int64 {
	t.Helper()
	var s snapshots
	if _, err := trace.Copy(&s, in.Events); err != nil {
		t.Fatal(err)
	}
	got := map[string]int64{}
	for _, one := range s.all {
		text := in.Symbols.Thread(one.Thread).Name
		for _, m := range one.Stack {
			text += ";" + in.Symbols.Method(m).FullName()
		}
		got[text] += one.Count
	}
	return got
}

// TestPprof: stacks of a profile that another program could have made, with
// inlined functions, labels and a period.
func TestPprof(t *testing.T) {
	fn := func(id uint64, name string) *profile.Function { return &profile.Function{ID: id, Name: name} }
	main, work, inlined := fn(1, "a.A.main"), fn(2, "a.B.work"), fn(3, "a.C.inlined")
	outer := &profile.Location{ID: 1, Line: []profile.Line{{Function: main}}}
	both := &profile.Location{ID: 2, Line: []profile.Line{{Function: inlined}, {Function: work}}} // inlined into work
	bare := &profile.Location{ID: 3, Address: 0xbeef}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1e6,
		Function: []*profile.Function{main, work, inlined}, Location: []*profile.Location{outer, both, bare},
		Sample: []*profile.Sample{
			{Location: []*profile.Location{both, outer}, Value: []int64{3e6}, Label: map[string][]string{"thread": {"ui"}}, NumLabel: map[string][]int64{"tid": {7}}},
			{Location: []*profile.Location{bare, outer}, Value: []int64{15e5}},
			{Location: []*profile.Location{outer}, Value: []int64{4e5}}, // less than half a period
		},
	}
	var file bytes.Buffer
	if err := p.Write(&file); err != nil {
		t.Fatal(err)
	}
	in, err := input.New(&file, "x.pb.gz", input.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	got := samplesOf(t, in)
	want := map[string]int64{"ui;a.A.main;a.B.work;a.C.inlined": 3, "main;a.A.main;0xbeef": 2}
	if len(got) != len(want) {
		t.Errorf("%v, want %v", got, want)
	}
	for stack, n := range want {
		if got[stack] != n {
			t.Errorf("%s: %d, want %d", stack, got[stack], n)
		}
	}
	if in.Format.Name != "pprof" || in.Info.Interval != time.Millisecond {
		t.Errorf("format %s, interval %v", in.Format.Name, in.Info.Interval)
	}
}

// TestRealPprof: an old Java profile. go tool pprof -raw lists 7 samples of 10 ms
// with 6 stacks.
func TestRealPprof(t *testing.T) {
	in, err := input.Open(testdata.Path(t, "other", "java.cpu.pprof"), input.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	got, total := samplesOf(t, in), int64(0)
	for _, n := range got {
		total += n
	}
	if len(got) != 6 || total != 7 || got["main;VM"] != 2 || in.Info.Interval != 10*time.Millisecond {
		t.Errorf("%d samples every %v: %v", total, in.Info.Interval, got)
	}
}

// TestBadPprof: a profile that is cut is an error of its format.
func TestBadPprof(t *testing.T) {
	_, err := input.New(bytes.NewReader([]byte("\x0a\x04\x08\x01\x10\x02\x12\x7f\x00")), "x.pb", input.Config{})
	var bad *trace.FormatError
	if !errors.As(err, &bad) || bad.Name != "x.pb" {
		t.Error(err)
	}
}
