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

// playStays tells laws the stays of a truth.
func playStays(table *paths.Table, events []trace.Event, laws ...StayLaw) *Stays {
	stays := NewStays(table, laws...)
	stays.WriteEvents(events)
	stays.Close()
	return stays
}

// callCounts returns the law, in all and for each path.
func callCounts(t *testing.T, intervals []time.Duration) (*CallCount, *EachPath[*CallCount]) {
	newLaw := func() *CallCount {
		law, err := NewCallCount(intervals...)
		if err != nil {
			t.Fatal(err)
		}
		return law
	}
	return newLaw(), NewEachPath(newLaw)
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
		law, each := callCounts(t, intervals)
		playStays(&table, events, law, each)
		for i, interval := range intervals {
			want := bruteStarts(events, interval)
			var total int
			for p := paths.ID(1); int(p) < table.Len(); p++ {
				if table.IsRoot(p) {
					continue
				}
				name := fmt.Sprint(spell(&table, p))
				if got := each.Law(p).Starts(i); got != time.Duration(want[name])*us {
					t.Errorf("trial %d, interval %v, path %s: L − Λ = %v, all phases together started %d", trial, interval, name, got, want[name])
				}
				total += want[name]
				delete(want, name)
			}
			if len(want) > 0 {
				t.Errorf("trial %d: paths without a law: %v", trial, want)
			}
			if got := law.Reported(i); got != float64(total)/float64(interval/us) {
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
	law, _ := NewCallCount(2 * us)
	events := []trace.Event{{Method: 1}, {Wall: 3 * us, Method: 1, Action: trace.Exit}, {Wall: 4 * us, Method: 1}, {Wall: 6 * us, Method: 1, Action: trace.Exit}}
	playStays(&table, events, law)
	if law.OnStack() != 5*us || law.Starts(0) != 3*us || law.Reported(0) != 1.5 {
		t.Errorf("L %v, L − Λ %v, expected %v", law.OnStack(), law.Starts(0), law.Reported(0))
	}
}

// TestCallCountOfManyStays holds the law against the overlap of every pair of
// stays: with paths of few and of very many stays within the longest interval,
// and intervals in no order, one twice, shorter and longer than stays and truth.
func TestCallCountOfManyStays(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, mean := range []float64{3, 40, 600, 9000} {
		for _, longest := range []time.Duration{5000 * us, time.Hour} {
			all := randomStays(rng, 1500, mean)
			intervals := []time.Duration{longest, 17 * us, 1 * us, 500 * us, 501*us + 3, 17 * us}
			for range 30 {
				intervals = append(intervals, time.Duration(1+rng.IntN(4000))*us)
			}
			law, err := NewCallCount(intervals...)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range all {
				law.stay(1, s)
			}
			for i, interval := range intervals {
				starts, seen := bruteLaw(all, interval)
				if got := law.Starts(i); got != starts {
					t.Errorf("mean %v µs, interval %v: L − Λ = %v, want %v", mean, interval, got, starts)
				}
				if got, want := law.Seen(i), ratio(seen, interval); got != want {
					t.Errorf("mean %v µs, interval %v: %v calls seen, want %v", mean, interval, got, want)
				}
			}
		}
	}
}

// randomStays returns n stays of one path, with a mean gap in µs and half that
// as mean duration; some gaps and durations are 0.
func randomStays(rng *rand.Rand, n int, mean float64) (list []stay) {
	var now time.Duration
	for range n {
		from := now + time.Duration(rng.ExpFloat64()*mean)*us
		now = from + time.Duration(rng.ExpFloat64()*mean/2)*us
		list = append(list, stay{from, now})
	}
	return list
}

// bruteLaw returns L − Λ from the overlap of every pair of stays, and
// Σ min(d, T).
func bruteLaw(all []stay, interval time.Duration) (starts, seen time.Duration) {
	for _, a := range all {
		starts += a.to - a.from
		seen += min(interval, a.to-a.from)
		for _, b := range all {
			starts -= max(0, min(a.to, b.to+interval)-max(a.from, b.from+interval))
		}
	}
	return starts, seen
}

// TestCallCountForgets: stays that ended longer ago than the longest interval are
// not held.
func TestCallCountForgets(t *testing.T) {
	law, err := NewCallCount(100*us, 10000*us)
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for i := range time.Duration(20000) {
		law.stay(1, stay{10 * i * us, (10*i + 5) * us})
		most = max(most, cap(law.paths[1].stays))
	}
	if most > 4*1000 { // 1000 stays begin within the longest interval
		t.Errorf("held %d stays", most)
	}
	for i := range time.Duration(20000) {
		law.stay(2, stay{20000 * i * us, (20000*i + 5) * us})
	}
	if held := cap(law.paths[2].stays); held > 2*fewStays {
		t.Errorf("held %d stays that are all longer ago than the longest interval", held)
	}
}

func TestCallCountRefusesInterval(t *testing.T) {
	if _, err := NewCallCount(time.Millisecond, 0); err == nil {
		t.Error("an interval of 0 was accepted")
	}
}
