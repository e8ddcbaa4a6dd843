package theory

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/bench/paths"
	"artifice/trace"
)

const us = time.Microsecond

// randomThread makes a thread that starts at a random whole microsecond, calls
// and returns at random, often at one instant, sometimes exits a frame that was
// never entered, and ends with frames open.
func randomThread(rng *rand.Rand, id trace.ThreadID, events int) []trace.Event {
	var list []trace.Event
	var stack []trace.MethodID
	now := time.Duration(rng.IntN(50)) * us
	add := func(m trace.MethodID, a trace.Action) {
		list = append(list, trace.Event{Wall: now, Method: m, Thread: id, Action: a})
		if rng.IntN(4) > 0 {
			now += time.Duration(rng.ExpFloat64()*6) * us
		}
	}
	for range events {
		switch {
		case len(stack) == 0 && rng.IntN(20) == 0:
			add(9, trace.Exit)
		case len(stack) == 0 || len(stack) < 6 && rng.IntN(2) == 0:
			stack = append(stack, trace.MethodID(rng.IntN(3)))
			add(stack[len(stack)-1], trace.Enter)
		default:
			add(stack[len(stack)-1], []trace.Action{trace.Exit, trace.Unwind}[rng.IntN(2)])
			stack = stack[:len(stack)-1]
		}
	}
	return list
}

// stackAt plays the thread's events up to and with the instant t.
func stackAt(events []trace.Event, t time.Duration) []trace.MethodID {
	var stacks trace.Stacks
	for _, e := range events {
		if e.Wall > t {
			break
		}
		stacks.Apply(e)
	}
	return slices.Clone(stacks.Of(events[0].Thread))
}

// bruteStarts samples a thread at one phase after the other, j + ½ µs, by
// playing its events anew up to every tick, and counts by spelled-out path how
// often a sample has a path that the sample before had not.
func bruteStarts(events []trace.Event, interval time.Duration) map[string]int {
	starts := map[string]int{}
	first, last := events[0].Wall, events[len(events)-1].Wall
	at := map[time.Duration][]trace.MethodID{}
	for t := first + us/2; t < last; t += us {
		at[t] = stackAt(events, t)
	}
	for phase := us / 2; phase < interval; phase += us {
		var before []trace.MethodID
		for t := phase; t < last; t += interval {
			if t < first {
				continue
			}
			now := at[t]
			same := 0
			for same < min(len(now), len(before)) && now[same] == before[same] {
				same++
			}
			for depth := same + 1; depth <= len(now); depth++ {
				starts[fmt.Sprint(now[:depth])]++
			}
			before = now
		}
	}
	return starts
}

// TestCallCountExactly holds the law against every whole-microsecond phase.
func TestCallCountExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	intervals := []time.Duration{1 * us, 2 * us, 7 * us, 23 * us, 300 * us}
	for trial := range 40 {
		events := randomThread(rng, trace.ThreadID(trial%3), 120)
		var table paths.Table
		law, err := NewCallCount(&table, intervals...)
		if err != nil {
			t.Fatal(err)
		}
		law.WriteEvents(events)
		law.Close()
		for i, interval := range intervals {
			want := bruteStarts(events, interval)
			var total int
			for p := paths.ID(1); int(p) < table.Len(); p++ {
				if table.IsRoot(p) {
					continue
				}
				name := fmt.Sprint(spell(&table, p))
				if got := law.Starts(p, i); got != time.Duration(want[name])*us {
					t.Errorf("trial %d, interval %v, path %s: L − Λ = %v, all phases together started %d", trial, interval, name, got, want[name])
				}
				total += want[name]
				delete(want, name)
			}
			if len(want) > 0 {
				t.Errorf("trial %d: paths without a law: %v", trial, want)
			}
			if got := law.Total(i); got != float64(total)/float64(interval/us) {
				t.Errorf("trial %d: total %v, want %d/%d", trial, got, total, interval/us)
			}
		}
	}
}

func spell(table *paths.Table, p paths.ID) []trace.MethodID {
	var stack []trace.MethodID
	for ; !table.IsRoot(p); p = table.Parent(p) {
		stack = append(stack, table.Method(p))
	}
	slices.Reverse(stack)
	return stack
}

// TestCallCountExample is the worked example of [CallCount].
func TestCallCountExample(t *testing.T) {
	var table paths.Table
	law, _ := NewCallCount(&table, 2*us)
	law.WriteEvents([]trace.Event{{Method: 1}, {Wall: 3 * us, Method: 1, Action: trace.Exit}, {Wall: 4 * us, Method: 1}, {Wall: 6 * us, Method: 1, Action: trace.Exit}})
	law.Close()
	p := table.Child(table.Root(0), 1)
	if law.OnStack(p) != 5*us || law.Starts(p, 0) != 3*us || law.Expected(p, 0) != 1.5 || law.Calls(p) != 2 {
		t.Errorf("L %v, L − Λ %v, expected %v, calls %d", law.OnStack(p), law.Starts(p, 0), law.Expected(p, 0), law.Calls(p))
	}
}

func TestCallCountRefusesInterval(t *testing.T) {
	if _, err := NewCallCount(&paths.Table{}, time.Millisecond, 0); err == nil {
		t.Error("an interval of 0 was accepted")
	}
}

// BenchmarkCallCount runs the law at eight intervals over a long random truth.
func BenchmarkCallCount(b *testing.B) {
	events := randomThread(rand.New(rand.NewPCG(1, 1)), 0, 1<<20)
	b.ReportAllocs()
	for b.Loop() {
		var table paths.Table
		law, _ := NewCallCount(&table, 100*us, 200*us, 500*us, 1000*us, 2000*us, 5000*us, 10000*us, 20000*us)
		law.WriteEvents(events)
		law.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
}
