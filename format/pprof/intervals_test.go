package pprof_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"artifice/format/dmtrace"
	"artifice/format/pprof"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// withErrors returns a trace's profile with errors, and the result of package estimate for the
// trace.
func withErrors(t *testing.T, name string) (*profile.Profile, *estimate.Profile, *trace.Symbols, error) {
	t.Helper()
	in, err := dmtrace.Open(testdata.Path(t, "traces", name), dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out bytes.Buffer
	w, err := pprof.NewWriter(&out, &in.Recording, pprof.Options{Intervals: estimate.NewIntervals(&in.Recording, calltree.UntilEnd)})
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

// TestPprofErrors: the bounds of the intervals of all methods are those of package estimate. Each
// stack's share of them is rounded to nanoseconds.
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
		for m := range e.Methods() {
			x, sum := m.Exclusive, want[symbols.Method(m.ID).String()]
			if x.Wall.Value > 0 { // a method without time has no share of an interval
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
					t.Errorf("%s: %s has %+v, want %+v as in package estimate", name, method, got, w)
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

// TestPprofErrorsOfCalls: writing a trace of every call with errors fails, because it was not
// sampled.
func TestPprofErrorsOfCalls(t *testing.T) {
	if _, _, _, err := withErrors(t, "instrumented-art-file.trace"); err == nil || !strings.Contains(err.Error(), "not recognized as sampled") {
		t.Errorf("error %v, want one that the trace was not sampled", err)
	}
}

// TestPprofComments: the comments in the profile of a sampled trace contain the interval of the
// longest time, to 1 us.
func TestPprofComments(t *testing.T) {
	prof, e, symbols, err := withErrors(t, "sampled-art-file.trace")
	if err != nil {
		t.Fatal(err)
	}
	longest := e.Method(0)
	for m := range e.Methods() {
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

// twoMethods returns the events of a thread that is in method C.a or C.b, selected by choose, at
// each of 200 samples 1 ms apart. The thread alternately uses the two CPU times between samples. in
// contains the times of both methods.
func twoMethods(used [2]time.Duration, choose func(sample int) int) (rec *trace.Recording, in [2]calltree.Times) {
	symbols := &trace.Symbols{Threads: []trace.Thread{{Name: "main"}}}
	methods := [2]trace.MethodID{symbols.AddMethod(trace.Method{Class: "C", Name: "a"}), symbols.AddMethod(trace.Method{Class: "C", Name: "b"})}
	var events []trace.Event
	was, cpu := -1, time.Duration(0)
	for i := range 201 {
		e := trace.Event{Wall: time.Duration(i) * time.Millisecond, CPU: cpu}
		side := choose(i)
		if was >= 0 && (was != side || i == 200) {
			e.Action, e.Method = trace.Exit, methods[was]
			events = append(events, e)
		}
		if i == 200 {
			break
		}
		if was != side {
			e.Action, e.Method = trace.Enter, methods[side]
			events = append(events, e)
		}
		was = side
		in[side].Wall += time.Millisecond
		in[side].CPU += used[i%2]
		cpu += used[i%2]
	}
	return &trace.Recording{Symbols: symbols, Events: trace.NewSliceReader(events),
		Info: trace.Info{Technique: trace.Sampled, Clock: trace.Dual, Elapsed: 200 * time.Millisecond}}, in
}

// TestPprofCPUBounds: if a thread always runs, the bounds of its CPU times equal those of its wall
// times. A second thread waits for three quarters of every second millisecond, and for a quarter of
// the others. Each method may have used all of the 100 ms of CPU time, or none.
func TestPprofCPUBounds(t *testing.T) {
	const ms = time.Millisecond
	for used, waits := range map[[2]time.Duration]bool{{ms, ms}: false, {3 * ms / 4, ms / 4}: true} {
		coin := rand.New(rand.NewPCG(1, 1))
		rec, in := twoMethods(used, func(int) int { return coin.IntN(2) })
		prof := profileWithErrors(t, rec)
		if len(prof.Sample) != 2 {
			t.Fatalf("%d stacks, want 2", len(prof.Sample))
		}
		for _, s := range prof.Sample {
			value := map[string]time.Duration{}
			for i, typ := range prof.SampleType {
				value[typ.Type] = time.Duration(s.Value[i])
			}
			want := in[0]
			if s.Location[0].Line[0].Function.SystemName == "C.b" {
				want = in[1]
			}
			low, high := value["wall-low"], value["wall-high"]
			if waits {
				low, high = 0, 100*ms
			}
			// Bounds are the method's time multiplied by a factor, so they are exact to 1 ns.
			if value["wall"] != want.Wall || value["cpu"] != want.CPU || (value["cpu-low"]-low).Abs() > 1 || (value["cpu-high"]-high).Abs() > 1 {
				t.Errorf("waits %v: %v, want %+v, CPU time %v to %v", waits, value, want, low, high)
			}
			if !(0 < value["wall-low"] && value["wall-low"] < value["wall"] && value["wall"] < value["wall-high"] && value["wall-high"] < 200*ms) {
				t.Errorf("waits %v: interval of wall time %v to %v does not contain %v", waits, value["wall-low"], value["wall-high"], value["wall"])
			}
		}
	}
}

// TestPprofAliased: methods that alternate may be aliased with the sampling interval. Their true
// times can be much longer than those of the samples, but on neither clock longer than the time of
// the thread.
func TestPprofAliased(t *testing.T) {
	const ms = time.Millisecond
	rec, _ := twoMethods([2]time.Duration{ms, ms}, func(sample int) int { return sample % 2 })
	prof := profileWithErrors(t, rec)
	for _, s := range prof.Sample {
		for i, typ := range prof.SampleType {
			if strings.HasSuffix(typ.Type, "-high") && s.Value[i] != int64(200*ms) {
				t.Errorf("%s is %v, want 200ms", typ.Type, time.Duration(s.Value[i]))
			}
		}
	}
}

// profileWithErrors writes a recording as a profile with errors, and reads it.
func profileWithErrors(t *testing.T, rec *trace.Recording) *profile.Profile {
	t.Helper()
	var out bytes.Buffer
	w, err := pprof.NewWriter(&out, rec, pprof.Options{Intervals: estimate.NewIntervals(rec, calltree.UntilEnd)})
	if err != nil {
		t.Fatal(err)
	}
	tracetest.Fill(t, w, rec.Events)
	return parseProfile(t, out.Bytes())
}
