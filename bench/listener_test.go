package bench

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/calltree"
	"artifice/device"
	"artifice/trace"
	"artifice/workload"
)

// nested returns the events that are part of calls with both ends.
func nested(events []trace.Event) []trace.Event {
	keep := make([]bool, len(events))
	open := map[trace.ThreadID][]int{}
	for i, e := range events {
		stack := open[e.Thread]
		if e.Action == trace.Enter {
			open[e.Thread] = append(stack, i)
		} else if n := len(stack); n > 0 {
			keep[i], keep[stack[n-1]] = true, true
			open[e.Thread] = stack[:n-1]
		}
	}
	var out []trace.Event
	for i, e := range events {
		if keep[i] {
			out = append(out, e)
		}
	}
	return out
}

// TestAgainstCallTree compares methods and edges as tallied here, for the truth
// and for an observed trace, with those of package calltree.
func TestAgainstCallTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for range 50 {
		rec := randomTruth(rng, 2, 400)
		var all trace.Buffer
		trace.Copy(&all, rec.Events)
		events := nested(all.Events)

		builder := calltree.NewBuilder(calltree.Config{})
		builder.WriteEvents(events)
		tree, _ := builder.Finish(0, calltree.UntilLastEvent)

		c := newCourse(trace.NewSliceReader(events), rec)
		heard := newListener(c)
		trace.Copy(heard, c)
		c.finish(events[len(events)-1].Wall)
		r := newReference(c)
		seen := r.profile(heard.columns)
		for _, m := range tree.Methods() {
			for _, p := range []profile{r.methodT, seen} {
				if p.exclusive[m.Method] != m.Exclusive.Wall || p.inclusive[m.Method] != m.Inclusive.Wall || p.calls[m.Method] != m.Calls+m.Recursive {
					t.Fatalf("method %d: exclusive %v, inclusive %v, %d calls, calltree has %+v", m.Method, p.exclusive[m.Method], p.inclusive[m.Method], p.calls[m.Method], m)
				}
			}
		}
		var want, got []duration
		for _, e := range tree.Edges() {
			want = append(want, e.Exclusive.Wall)
		}
		got = r.byEdge(heard.columns.self)
		if len(got) != len(want) || total(got) != total(want) || squares(got) != squares(want) {
			t.Fatalf("edges %v, calltree has %v", got, want)
		}
	}
}

func total(column []duration) (sum duration) {
	for _, d := range column {
		sum += d
	}
	return sum
}

func squares(column []duration) (sum float64) {
	for _, d := range column {
		sum += float64(d/us) * float64(d/us)
	}
	return sum
}

// truthOf makes a truth of a built-in workload.
func truthOf(t testing.TB, name string, length time.Duration) *trace.Recording {
	t.Helper()
	rec, err := workload.ByName(name).Truth(workload.Config{Seed: 3, Duration: length})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// devices returns built-in devices by name.
func devices(t testing.TB, names ...string) (list []device.Device) {
	t.Helper()
	for _, name := range names {
		d, err := device.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

// TestLaws: rows agree with the closed forms beside them, also where sleeps
// overshoot at random and threads are many.
func TestLaws(t *testing.T) {
	checked := 0
	for _, name := range []string{"w1-single-call", "w3-on-off", "w6-random-tree", "w8-threads-8"} {
		r, err := Run(context.Background(), truthOf(t, name, time.Second), Config{
			Devices:   devices(t, "ideal", "A"),
			Modes:     []Mode{ARTSampling, PoissonSampling, ByCallSampling},
			Intervals: []time.Duration{400 * us, 7000 * us},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range r.Rows {
			for _, m := range Measures() {
				if z, ok := row.Z(m); ok {
					checked++
					if math.Abs(z) > 4 {
						t.Errorf("%s, %s %s %v, %s: %v ± %v, law %v, z %.1f", name, row.Mode, row.Device, row.Interval, m.Key(), row.Mean[m], row.StdDev[m]/math.Sqrt(24), row.Law[m], z)
					}
				}
			}
		}
	}
	if checked < 150 {
		t.Errorf("only %d values had a law", checked)
	}
}

// TestNoLawsOfACollector: samples wait while the garbage collector runs, which
// the closed forms do not know, so beside such a truth there are none.
func TestNoLawsOfACollector(t *testing.T) {
	r, err := Run(context.Background(), truthOf(t, "gc-storm", time.Second), Config{
		Devices: devices(t, "A"), Modes: []Mode{ARTSampling}, Intervals: []time.Duration{1000 * us},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Measures() {
		if z, ok := r.Rows[0].Z(m); ok {
			t.Errorf("%s has a law, z %.1f", m.Key(), z)
		}
	}
}

// TestInstrumentedCost: slowdown 1 + 2cλ, bytes of both events of every call,
// and nothing missed.
func TestInstrumentedCost(t *testing.T) {
	r, err := Run(context.Background(), truthOf(t, "w8-threads-1", time.Second), Config{Devices: devices(t, "ideal", "char2"), Modes: []Mode{InstrumentedDual}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 2 || r.Rows[0].Cells != 1 || r.Rows[0].Interval != 0 {
		t.Fatalf("rows %+v", r.Rows)
	}
	ideal, char2 := r.Rows[0].Mean, r.Rows[1].Mean
	if ideal[CallRatio] != 1 || ideal[CallRecall] != 1 || ideal[MethodRecall] != 1 || math.Abs(ideal[Overlap]-1) > 1e-9 || ideal[Slowdown] != 1 || ideal[Timeline] != 1 || ideal[TimelineDepth] != 1 {
		t.Errorf("without cost: calls %v, methods %v, overlap %v, slowdown %v", ideal[CallRatio], ideal[MethodRecall], ideal[Overlap], ideal[Slowdown])
	}
	// 2 µs an event: 1371 ns of clock and 629 ns of hook.
	want := 1 + 2*2e-6*float64(r.Truth.Calls)/r.Truth.Length.Seconds()
	if math.Abs(char2[Slowdown]/want-1) > 0.001 {
		t.Errorf("slowdown %v, 1 + 2cλ = %v", char2[Slowdown], want)
	}
	// On the app's own axis the run is not longer.
	if char2[Timeline] != 1 || char2[TimelineDepth] != 1 {
		t.Errorf("time line %v, by depth %v, want 1", char2[Timeline], char2[TimelineDepth])
	}
}

// TestLongRunning: of calls of 100 ms and 1 s only the long ones are kept, and
// all pay.
func TestLongRunning(t *testing.T) {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Elapsed: 20 * time.Second}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{Name: "main"})
	rec.Symbols.AddMethod(trace.Method{Name: "short"})
	rec.Symbols.AddMethod(trace.Method{Name: "long"})
	var events []trace.Event
	at := time.Duration(0)
	for range 10 {
		for m, d := range []time.Duration{100 * time.Millisecond, time.Second} {
			events = append(events, trace.Event{Wall: at, CPU: at, Method: trace.MethodID(m)}, trace.Event{Wall: at + d, CPU: at + d, Method: trace.MethodID(m), Action: trace.Exit})
			at += d
		}
	}
	rec.Events = trace.NewSliceReader(events)
	r, err := Run(context.Background(), rec, Config{Devices: devices(t, "A"), Modes: []Mode{LongRunning}})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Rows[0].Mean
	if s[CallRatio] != 0.5 || s[MethodRecall] != 0.5 {
		t.Errorf("calls %v, methods %v, want half of each", s[CallRatio], s[MethodRecall])
	}
	// The 20 s are 10 short calls of 0.1 s, 10 long ones of 1 s, and 9 s of nothing.
	if math.Abs(s[Timeline]-0.95) > 1e-12 || math.Abs(s[TimelineDepth]-10./11) > 1e-12 {
		t.Errorf("time line %v, by depth %v, want 0.95 and 10/11", s[Timeline], s[TimelineDepth])
	}
	if want := 1 + 40*200e-9/20; math.Abs(s[Slowdown]-want) > 1e-12 { // 200 ns an event on device A
		t.Errorf("slowdown %v, want %v", s[Slowdown], want)
	}
}
