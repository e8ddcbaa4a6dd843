package instrument

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"artifice/art"
	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/workload"
)

// uncleanable are apps with tracing effects that a trace does not record, with the reason.
var uncleanable = map[string]string{
	"scroll-60hz":      "a traced frame is late, and the trace does not record that it is not late untraced",
	"scroll-120hz":     "as scroll-60hz",
	"mid-program":      "native code runs while tracing starts, which the trace does not record",
	"pipeline":         "threads wait for delayed threads",
	"convoy":           "as pipeline",
	"photo-import":     "traced threads occupy cores longer, and others wait for them",
	"w4-function-bias": "its calls are too many for a test",
}

// TestClean checks that the cleaned recording of an app equals the app's truth. Times agree to the
// ns with exact clocks, and otherwise to the microsecond of the clock's step.
func TestClean(t *testing.T) {
	testdata.Seldom(t, 4)
	for _, p := range workload.Builtin() {
		if uncleanable[p.Name] != "" {
			continue
		}
		cfg := workload.Config{Seed: 3, Duration: 300 * time.Millisecond}
		truth := truthOf(t, p, cfg)
		did := perThread(read(t, truth), len(truth.Symbols.Threads))
		for _, step := range []time.Duration{0, time.Microsecond} {
			cost := Cost{CPURead: 3298, WallRead: 50, Hook: 1500, Granularity: step}
			clean := cleanAgain(t, truthOf(t, p, cfg), cost)
			got := perThread(read(t, clean), len(truth.Symbols.Threads))
			for id := range did {
				want := slices.DeleteFunc(slices.Clone(did[id]), func(e trace.Event) bool {
					return truth.Symbols.Method(e.Method).Flags&trace.RuntimeInternal != 0
				})
				if len(got[id]) != len(want) {
					t.Errorf("%s, thread %d: %d events, want %d", p.Name, id, len(got[id]), len(want))
					continue
				}
				for i, e := range got[id] {
					w := want[i]
					w.CPU -= want[0].CPU // ART's CPU time starts at the first reading
					if e.Method != w.Method || e.Action != w.Action || (e.Wall-w.Wall).Abs() > step || (e.CPU-w.CPU).Abs() > step {
						t.Errorf("%s, thread %d: event %d is %+v, want %+v", p.Name, id, i, e, w)
						break
					}
				}
			}
			if off := (clean.Info.Elapsed - cfg.Duration).Abs(); off > step && p.Name != "tid-reuse" { // the last thread of tid-reuse has ended
				t.Errorf("%s: elapsed %v, want %v", p.Name, clean.Info.Elapsed, cfg.Duration)
			}
		}
	}
}

// cleanAgain records a truth, sorts the events by time, as in a file that is read, and cleans them.
func cleanAgain(t *testing.T, truth *trace.Recording, cost Cost) *trace.Recording {
	t.Helper()
	recorded, err := Record(truth, Config{Runtime: art.Default(), Streaming: true, KeepSymbols: true, Clock: trace.Dual, Cost: cost})
	if err != nil {
		t.Fatal(err)
	}
	events := read(t, recorded)
	slices.SortStableFunc(events, func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) })
	recorded.Events = trace.NewSliceReader(events)
	clean, err := Clean(recorded, cost, art.Default())
	if err != nil {
		t.Fatal(err)
	}
	return &clean.Recording
}

// TestCleanInOrder checks that events are in time order, also for an app whose threads have
// different delays.
func TestCleanInOrder(t *testing.T) {
	p := workload.Must(workload.ByName("network-client"))
	clean := cleanAgain(t, truthOf(t, p, workload.Config{Duration: 200 * time.Millisecond}), Cost{Hook: 10 * time.Microsecond})
	last := time.Duration(0)
	for _, e := range read(t, clean) {
		if e.Wall < last {
			t.Fatalf("an event at %v after one at %v", e.Wall, last)
		}
		last = e.Wall
	}
}

// TestCleanRefuses checks that a sampled trace is refused, because the cost of its events is
// unknown.
func TestCleanRefuses(t *testing.T) {
	for _, info := range []trace.Info{{Technique: trace.Sampled}, {Technique: trace.Truth}, {Technique: trace.Instrumented, Clock: trace.ThreadCPU}} {
		if _, err := Clean(&trace.Recording{Info: info, Symbols: &trace.Symbols{}}, Cost{}, art.Default()); err == nil {
			t.Errorf("%+v: no error, want one", info)
		}
	}
}

// TestCleanWithinGaps checks that at most the length of a gap is subtracted from it. Events cost 5
// us on average, but one took 2 us. The remaining 3 us, minus the 1 us that a stepping clock can
// hide, are not subtracted from the next gap. No event is earlier than the previous one.
func TestCleanWithinGaps(t *testing.T) {
	const us = time.Microsecond
	art11, err := art.ByName("art11")
	if err != nil {
		t.Fatal(err)
	}
	rec := &trace.Recording{
		Info:    trace.Info{Technique: trace.Instrumented, Clock: trace.Wall, Elapsed: 3 * time.Millisecond},
		Symbols: &trace.Symbols{Threads: make([]trace.Thread, 1), Methods: make([]trace.Method, 2)},
		Events: trace.NewSliceReader([]trace.Event{
			{Wall: 2000 * us, Method: 0}, {Wall: 2020 * us, Method: 1}, {Wall: 2022 * us, Method: 1, Action: trace.Exit},
			{Wall: 2050 * us, Method: 0, Action: trace.Exit},
		}),
	}
	clean, err := Clean(rec, Cost{Hook: 5 * us}, art11)
	if err != nil {
		t.Fatal(err)
	}
	// Gaps of 20, 2 and 28 us lose 5, 2 and 5 + 1 us. The last event's 5 us are in no gap.
	want := []time.Duration{2000 * us, 2015 * us, 2015 * us, 2037 * us}
	for i, e := range read(t, &clean.Recording) {
		if e.Wall != want[i] {
			t.Errorf("event %d at %v, want %v", i, e.Wall, want[i])
		}
	}
	if clean.Removed[0] != 13*us || clean.Remains[0] != 2*us {
		t.Errorf("%v removed, %v remain, want 13us and 2us", clean.Removed[0], clean.Remains[0])
	}
}
