package writer_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"artifice/estimate"
	"artifice/internal/testdata"
	"artifice/reader"
	"artifice/trace"
	"artifice/writer"
)

// withErrors returns a trace's profile with errors, and what package estimate says
// of the trace.
func withErrors(t *testing.T, name string) (*profile.Profile, *estimate.Profile, *trace.Symbols, error) {
	t.Helper()
	in, err := reader.Open(testdata.Path(t, "traces", name), reader.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out bytes.Buffer
	w, err := writer.NewPprof(&out, &in.Recording, writer.PprofConfig{WithErrors: true})
	if err != nil {
		t.Fatal(err)
	}
	e := estimate.New(&in.Recording, estimate.Config{})
	if _, err := trace.Copy(both{w, e}, in.Events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		return nil, nil, nil, err
	}
	return parseProfile(t, out.Bytes()), e.Finish(), in.Symbols, nil
}

// TestPprofErrors: the ends of the intervals of all methods are those of package
// estimate; the shares that the stacks have of them are rounded to nanoseconds.
func TestPprofErrors(t *testing.T) {
	for _, name := range []string{"sampled-art-file.trace", "sampled-streaming.trace"} {
		prof, e, symbols, err := withErrors(t, name)
		if err != nil {
			t.Fatal(err)
		}
		column := map[string]int{}
		for i, typ := range prof.SampleType {
			column[typ.Type] = i
		}
		type ends struct{ wallLow, wallHigh, cpuLow, cpuHigh int64 }
		sums, stacks := map[string]ends{}, map[string]int64{}
		for _, s := range prof.Sample {
			leaf := s.Location[0].Line[0].Function.SystemName
			sum := sums[leaf]
			sum.wallLow += s.Value[column["wall-low"]]
			sum.wallHigh += s.Value[column["wall-high"]]
			sum.cpuLow += s.Value[column["cpu-low"]]
			sum.cpuHigh += s.Value[column["cpu-high"]]
			sums[leaf] = sum
			stacks[leaf]++
		}
		compared := 0
		want := map[string]ends{}
		for _, m := range e.Methods {
			x, sum := m.Exclusive, want[symbols.Method(m.ID).String()]
			if x.Wall.Value > 0 { // what has no time has no share of an interval
				sum.wallLow += int64(x.Wall.Low)
				sum.wallHigh += int64(x.Wall.High)
			}
			if x.CPU.Value > 0 {
				sum.cpuLow += int64(x.CPU.Low)
				sum.cpuHigh += int64(x.CPU.High)
			}
			want[symbols.Method(m.ID).String()] = sum
		}
		for method, w := range want {
			got, off := sums[method], stacks[method]+1
			for _, pair := range [][2]int64{{got.wallLow, w.wallLow}, {got.wallHigh, w.wallHigh}, {got.cpuLow, w.cpuLow}, {got.cpuHigh, w.cpuHigh}} {
				if d := pair[0] - pair[1]; d > off || d < -off {
					t.Errorf("%s: %s has %+v, package estimate %+v", name, method, got, w)
					break
				}
			}
			compared++
		}
		if compared < 500 || prof.DefaultSampleType != "wall" {
			t.Errorf("%s: %d methods compared, default %s", name, compared, prof.DefaultSampleType)
		}
	}
}

// TestPprofErrorsOfCalls: a trace of every call has no errors, and none are written.
func TestPprofErrorsOfCalls(t *testing.T) {
	if _, _, _, err := withErrors(t, "instrumented-art-file.trace"); err == nil || !strings.Contains(err.Error(), "not known to be sampled") {
		t.Errorf("got %v", err)
	}
}

// TestPprofComments: the comments of a sampled trace's profile have the interval of
// the longest time, to 1 us.
func TestPprofComments(t *testing.T) {
	prof, e, symbols, err := withErrors(t, "sampled-art-file.trace")
	if err != nil {
		t.Fatal(err)
	}
	longest := e.Methods[0]
	for _, m := range e.Methods {
		if m.Exclusive.Wall.Value > longest.Exclusive.Wall.Value {
			longest = m
		}
	}
	x := longest.Exclusive.Wall
	us := func(d time.Duration) string { return d.Round(time.Microsecond).String() }
	want := "wall time " + us(x.Value) + ", 95 % interval " + us(x.Low) + " to " + us(x.High) + ": " + symbols.Method(longest.ID).String()
	found := 0
	for _, c := range prof.Comments {
		if c == want {
			found++
		}
	}
	if found != 1 {
		t.Errorf("comments %q, want %q once", prof.Comments, want)
	}
}
