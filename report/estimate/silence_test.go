package estimate

import (
	"testing"
	"time"

	"artifice/trace"
)

// heldUp returns the events of four threads that alternate between two methods every millisecond
// for 200 ms. From 100 to 110 ms the sampler takes no sample.
func heldUp() ([]trace.Event, *trace.Symbols) {
	symbols := &trace.Symbols{}
	for range 4 {
		symbols.Threads = append(symbols.Threads, trace.Thread{})
	}
	for _, name := range []string{"a", "b"} {
		symbols.AddMethod(trace.Method{Class: "C", Name: name})
	}
	var events []trace.Event
	in := trace.MethodID(1)
	for at := 0; at < 200; at++ {
		if at > 100 && at < 110 {
			continue
		}
		in = 1 - in // at 100 ms it is method 0, a
		for id := range trace.ThreadID(4) {
			e := trace.Event{Wall: time.Duration(at+1) * ms, CPU: time.Duration(at+1) * ms, Thread: id}
			if at > 0 {
				e.Action, e.Method = trace.Exit, 1-in
				events = append(events, e)
			}
			e.Action, e.Method = trace.Enter, in
			events = append(events, e)
		}
	}
	return events, symbols
}

// TestSilence checks four threads that change at every sample, except for 10 ms in which no thread
// changes. The method that ran in this silence is unknown: at most, the whole silence belongs to
// another method of each thread.
func TestSilence(t *testing.T) {
	events, symbols := heldUp()
	byThread := make([]trace.Event, 0, len(events)) // blocks of threads, as in a file of format V2
	for id := range trace.ThreadID(4) {
		for _, e := range events {
			if e.Thread == id {
				byThread = append(byThread, e)
			}
		}
	}
	for name, events := range map[string][]trace.Event{"in order": events, "by thread": byThread} {
		rec := &trace.Recording{Symbols: symbols, Events: trace.NewSliceReader(events), Info: trace.Info{Technique: trace.Sampled}}
		p, err := Read(rec, Config{})
		if err != nil {
			t.Fatal(err)
		}
		if want := (Silence{1, 10 * ms, 10 * ms}); p.Silence != want {
			t.Errorf("%s: %+v, want %+v", name, p.Silence, want)
		}
		// Method a was sampled before the silence, so the trace attributes all of its time to a: 4
		// × 10 ms. The variance of the four ends in this time is 4 × 10² ms², so at least z √400 =
		// 39.2 ms are added on either side.
		a := method(t, p, symbols, "a").Exclusive.Wall
		if a.Low > a.Value-39*ms || a.High < a.Value+39*ms {
			t.Errorf("%s: a takes %v", name, a)
		}
	}
}

// TestNoSilence checks that neither a single thread that stays in a method for a long time nor
// threads that rarely change count as a silence of the sampler.
func TestNoSilence(t *testing.T) {
	all, symbols := heldUp()
	var one, few []trace.Event
	for _, e := range all {
		if e.Thread == 0 {
			one = append(one, e)
		}
		if e.Wall/ms%20 < 2 {
			few = append(few, e)
		}
	}
	for name, events := range map[string][]trace.Event{"one thread": one, "few changes": few} {
		rec := &trace.Recording{Symbols: symbols, Events: trace.NewSliceReader(events), Info: trace.Info{Technique: trace.Sampled}}
		p, err := Read(rec, Config{})
		if err != nil {
			t.Fatal(err)
		}
		if p.Silence.Count > 0 {
			t.Errorf("%s: %+v", name, p.Silence)
		}
	}
}
