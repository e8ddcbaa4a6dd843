package pprof_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/encoding/protowire"

	"artifice/format"
	room "artifice/format/pprof"
	"artifice/internal/testdata"
	"artifice/trace"
)

// snapshots collects samples.
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
func samplesOf(t *testing.T, in *format.Input) map[string]int64 {
	t.Helper()
	var s snapshots
	if _, err := trace.Copy(&s, in.Events); err != nil {
		t.Fatal(err)
	}
	got := map[string]int64{}
	for _, one := range s.all {
		if one.Count == 0 { // a thread's end
			continue
		}
		text := in.Symbols.Thread(one.Thread).Name
		for _, m := range one.Stack {
			text += ";" + in.Symbols.Method(m).FullName()
		}
		got[text] += one.Count
	}
	return got
}

// TestPprof checks the stacks of a profile like those of other programs, with inlined functions,
// labels and a period.
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
			{Location: []*profile.Location{outer}, Value: []int64{4e5}}, // less than half a period, but a sample
		},
	}
	var file bytes.Buffer
	if err := p.Write(&file); err != nil {
		t.Fatal(err)
	}
	in, err := format.New(&file, "x.pb.gz", format.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	got := samplesOf(t, in)
	want := map[string]int64{"ui;a.A.main;a.B.work;a.C.inlined": 3, "main;a.A.main;0xbeef": 2, "main;a.A.main": 1}
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

// TestRealPprof checks an old Java profile. go tool pprof -raw lists 7 samples of 10 ms with 6
// stacks.
func TestRealPprof(t *testing.T) {
	in, err := format.Open(testdata.Path(t, "other", "java.cpu.pprof"), format.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	got, total := samplesOf(t, in), int64(0)
	for _, n := range got {
		total += n
	}
	if len(got) != 6 || total != 7 || got["main;VM"] != 2 || in.Info.Interval != 10*time.Millisecond {
		t.Errorf("%d samples, interval %v: %v", total, in.Info.Interval, got)
	}
}

// TestPprofUnits: times in any unit are converted to nanoseconds.
func TestPprofUnits(t *testing.T) {
	for unit, want := range map[string]time.Duration{"microseconds": 7 * time.Microsecond, "ms": 7 * time.Millisecond, "seconds": 7 * time.Second} {
		f := &profile.Function{ID: 1, Name: "f"}
		l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f}}}
		var file bytes.Buffer
		p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "n", Unit: "count"}, {Type: "wall", Unit: unit}}, Function: []*profile.Function{f}, Location: []*profile.Location{l},
			Sample: []*profile.Sample{{Location: []*profile.Location{l}, Value: []int64{1000, 7}}}}
		if err := p.Write(&file); err != nil {
			t.Fatal(err)
		}
		in, err := format.New(&file, "x.pb.gz", format.Config{})
		if err != nil {
			t.Fatal(err)
		}
		samplesOf(t, in)
		if in.Info.Elapsed != want {
			t.Errorf("%s: %s, want %s", unit, in.Info.Elapsed, want)
		}
		in.Close()
	}
}

// TestOldPprof checks contention profiles, and CPU profiles of gperftools with words of 4 or 8
// bytes (gperftools.github.io/gperftools/cpuprofile-fileformat.html: a header of 0, 3, 0, the
// period in us, 0; samples of count, depth, addresses; 0, 1, 0; the mappings).
func TestOldPprof(t *testing.T) {
	words := []uint64{0, 3, 0, 10000, 0, 3, 2, 0x400100, 0x400200, 2, 1, 0x400300, 0, 1, 0}
	var small, large bytes.Buffer
	for _, w := range words {
		binary.Write(&small, binary.LittleEndian, uint32(w))
		binary.Write(&large, binary.LittleEndian, w)
	}
	const maps = "00400000-00500000 r-xp 00000000 00:00 0 /bin/app\n"
	for name, test := range map[string]struct {
		file    string
		elapsed time.Duration
	}{
		"of 4 bytes": {small.String() + maps, 50 * time.Millisecond},
		"of 8 bytes": {large.String() + maps, 50 * time.Millisecond},
		"contention": {"--- contentionz 1 ---\nformat = java\nresolution = microseconds\nsampling period = 1\nms since reset = 6019923\n            40 2 @ 0x3 0x2\n            10 1 @ 0x2\n   0x2 a.A.main (A.java:1)\n   0x3 a.B.wait (B.java:2)\n", 50 * time.Microsecond},
	} {
		in, err := format.New(strings.NewReader(test.file), "x", format.Config{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		samplesOf(t, in)
		if in.Format.Name != "pprof" || in.Info.Elapsed != test.elapsed {
			t.Errorf("%s: format %s, %s, want pprof and %s", name, in.Format.Name, in.Info.Elapsed, test.elapsed)
		}
		in.Close()
	}
}

// TestBadPprof: a truncated profile is an error that names the format.
func TestBadPprof(t *testing.T) {
	_, err := format.New(bytes.NewReader([]byte("\x0a\x04\x08\x01\x10\x02\x12\x7f\x00")), "x.pb", format.Config{})
	var bad *trace.FormatError
	if !errors.As(err, &bad) || bad.Name != "x.pb" {
		t.Error(err)
	}
}

// pprofFile returns a small profile, compressed and not compressed.
func pprofFile(t testing.TB) (packed, plain []byte) {
	fn := &profile.Function{ID: 1, Name: "a.A.main"}
	at := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn, Line: 3}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}}, PeriodType: &profile.ValueType{Type: "wall", Unit: "ms"}, Period: 10,
		Function: []*profile.Function{fn}, Location: []*profile.Location{at},
		Sample: []*profile.Sample{{Location: []*profile.Location{at}, Value: []int64{2}}},
	}
	var a, b bytes.Buffer
	if err := errors.Join(p.Write(&a), p.WriteUncompressed(&b)); err != nil {
		t.Fatal(err)
	}
	return a.Bytes(), b.Bytes()
}

// readPprof opens bytes as an input and reads its samples.
func readPprof(data []byte) (n int, err error) {
	in, err := format.New(bytes.NewReader(data), "in", format.Config{})
	if err != nil {
		return 0, err
	}
	defer in.Close()
	var s snapshots
	_, err = trace.Copy(&s, in.Events)
	return len(s.all), err
}

// TestCutPprof: a profile that is truncated at any position is an error with the file name, or has
// at most the samples of the whole profile.
func TestCutPprof(t *testing.T) {
	packed, plain := pprofFile(t)
	for _, whole := range [][]byte{packed, plain} {
		if n, err := readPprof(whole); n != 1 || err != nil {
			t.Fatalf("whole profile: %d samples, %v", n, err)
		}
		for n := range whole {
			got, err := readPprof(whole[:n])
			if got > 1 || err != nil && !strings.HasPrefix(err.Error(), "in") {
				t.Errorf("cut at %d: %d samples, %v", n, got, err)
			}
		}
	}
}

// FuzzPprof checks that reading any bytes ends, and that every error contains the file name.
func FuzzPprof(f *testing.F) {
	packed, plain := pprofFile(f)
	f.Add(packed)
	f.Add(plain)
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := readPprof(data); err != nil && !strings.HasPrefix(err.Error(), "in") {
			t.Errorf("error without the file name: %v", err)
		}
	})
}

// TestPprofFieldOrder: fields of a message can be in any order. Go's CPU profiles begin with the
// time, field 9. In this test, each field is the first one once.
func TestPprofFieldOrder(t *testing.T) {
	var real bytes.Buffer
	if err := pprof.StartCPUProfile(&real); err != nil {
		t.Skipf("another CPU profile is being taken: %v", err)
	}
	pprof.StopCPUProfile()
	in, err := format.New(&real, "go", format.Config{})
	if err == nil {
		in.Close()
	}
	if err == nil && in.Format.Name != room.Format.Name || err != nil && !strings.Contains(err.Error(), "no sample") {
		t.Errorf("profile by package runtime/pprof: %v", err)
	}

	f := &profile.Function{ID: 1, Name: "f"}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}},
		Sample:     []*profile.Sample{{Location: []*profile.Location{l}, Value: []int64{3}}},
		Location:   []*profile.Location{l}, Function: []*profile.Function{f},
		TimeNanos: 1700000000000000000, DurationNanos: 1e9, Period: 1e6, PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
	}
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	var fields [][]byte
	for rest := b.Bytes(); len(rest) > 0; {
		_, _, n := protowire.ConsumeField(rest)
		fields, rest = append(fields, rest[:n]), rest[n:]
	}
	for first := range fields {
		if fields[first][0] == 0x32 { // strings keep their order
			continue
		}
		file := bytes.Clone(fields[first])
		for i := range fields {
			if i != first {
				file = append(file, fields[i]...)
			}
		}
		in, err := format.New(bytes.NewReader(file), "x", format.Config{})
		if err != nil {
			t.Errorf("field %d first: %v", fields[first][0]>>3, err)
			continue
		}
		if got := samplesOf(t, in); got["main;f"] != 3 {
			t.Errorf("field %d first: %v", fields[first][0]>>3, got)
		}
		in.Close()
	}
}
