package law

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/trace/calltree"
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

// playActivations passes the activations of a truth to laws.
func playActivations(table *calltree.Contexts, events []trace.Event, laws ...activationLaw) *activations {
	activations := newActivations(table, laws...)
	activations.WriteEvents(events)
	activations.close()
	return activations
}

// callCounts returns the law, in all and for each path.
func callCounts(t *testing.T, intervals []time.Duration) (*callCount, *eachContext[*callCount]) {
	newLaw := func() *callCount { return newCallCount(intervals...) }
	return newLaw(), newEachContext(newLaw)
}

// eachContext is a law for each context.
type eachContext[L activationLaw] struct {
	make func() L
	laws []L
}

func newEachContext[L activationLaw](make func() L) *eachContext[L] {
	return &eachContext[L]{make: make}
}

// add implements [activationLaw]. Each law has one context only, so any number identifies it.
func (e *eachContext[L]) add(p calltree.Node, a activation) { e.Law(p).add(0, a) }

// end implements [activationLaw].
func (e *eachContext[L]) end() {
	for _, law := range e.laws {
		law.end()
	}
}

// Law returns that of context p.
func (e *eachContext[L]) Law(p calltree.Node) L {
	for int(p) >= len(e.laws) {
		e.laws = append(e.laws, e.make())
	}
	return e.laws[p]
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

// bruteStarts samples a thread at one phase after the other, j + ½ µs. It replays the thread's
// events up to every tick and counts, by the whole path, the samples with a path that the previous
// sample did not have.
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

// TestCallCountExactly compares the law with every whole-microsecond phase.
func TestCallCountExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	intervals := []time.Duration{1 * us, 2 * us, 7 * us, 23 * us, 300 * us}
	for trial := range 40 {
		events := randomThread(rng, trace.ThreadID(trial%3), 120)
		var table calltree.Contexts
		law, each := callCounts(t, intervals)
		playActivations(&table, events, law, each)
		for i, interval := range intervals {
			want := bruteStarts(events, interval)
			var total int
			for p := calltree.Node(1); int(p) < table.Len(); p++ {
				if table.IsRoot(p) {
					continue
				}
				name := fmt.Sprint(spell(&table, p))
				if got := each.Law(p).starts(i); got != time.Duration(want[name])*us {
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

func spell(table *calltree.Contexts, p calltree.Node) []trace.MethodID {
	var stack []trace.MethodID
	for ; !table.IsRoot(p); p = table.Parent(p) {
		stack = append(stack, table.Method(p))
	}
	slices.Reverse(stack)
	return stack
}

// TestCallCountExample is the worked example of [callCount].
func TestCallCountExample(t *testing.T) {
	var table calltree.Contexts
	law := newCallCount(2 * us)
	events := []trace.Event{{Method: 1}, {Wall: 3 * us, Method: 1, Action: trace.Exit}, {Wall: 4 * us, Method: 1}, {Wall: 6 * us, Method: 1, Action: trace.Exit}}
	playActivations(&table, events, law)
	if law.on != 5*us || law.starts(0) != 3*us || law.Reported(0) != 1.5 {
		t.Errorf("L %v, L − Λ %v, expected %v", law.on, law.starts(0), law.Reported(0))
	}
}

// TestCallCountOfManyActivations compares the law with the overlap of every pair of activations.
// Paths have few and very many activations within the longest interval. Intervals are unsorted, one
// occurs twice, and they are shorter and longer than activations and truth.
func TestCallCountOfManyActivations(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, mean := range []float64{3, 40, 600, 9000} {
		for _, longest := range []time.Duration{5000 * us, time.Hour} {
			all := randomActivations(rng, testdata.Times(200, 1500), mean)
			intervals := []time.Duration{longest, 17 * us, 1 * us, 500 * us, 501*us + 3, 17 * us}
			for range 30 {
				intervals = append(intervals, time.Duration(1+rng.IntN(4000))*us)
			}
			law := newCallCount(intervals...)
			for _, s := range all {
				law.add(1, s)
			}
			for i, interval := range intervals {
				starts, seen := bruteLaw(all, interval)
				if got := law.starts(i); got != starts {
					t.Errorf("mean %v µs, interval %v: L − Λ = %v, want %v", mean, interval, got, starts)
				}
				if got, want := law.Seen(i), ratio(seen, interval); got != want {
					t.Errorf("mean %v µs, interval %v: %v calls seen, want %v", mean, interval, got, want)
				}
			}
		}
	}
}

// randomActivations returns n activations of one path, with a mean gap in µs and half that
// as mean duration; some gaps and durations are 0.
func randomActivations(rng *rand.Rand, n int, mean float64) (list []activation) {
	var now time.Duration
	for range n {
		from := now + time.Duration(rng.ExpFloat64()*mean)*us
		now = from + time.Duration(rng.ExpFloat64()*mean/2)*us
		list = append(list, activation{from, now})
	}
	return list
}

// bruteLaw returns L − Λ from the overlap of every pair of activations, and
// Σ min(d, T).
func bruteLaw(all []activation, interval time.Duration) (starts, seen time.Duration) {
	for _, a := range all {
		starts += a.to - a.from
		seen += min(interval, a.to-a.from)
		for _, b := range all {
			starts -= max(0, min(a.to, b.to+interval)-max(a.from, b.from+interval))
		}
	}
	return starts, seen
}

// heldOf returns the activations that are held of a context with several.
func (c *callCount) heldOf(p int) []activation {
	if many := c.contexts.At(p).many; many > 0 {
		return c.many[many-1].recent
	}
	return nil
}

// TestCallCountForgets: activations that ended longer ago than the longest interval are
// not held.
func TestCallCountForgets(t *testing.T) {
	law := newCallCount(100*us, 10000*us)
	most := 0
	for i := range time.Duration(20000) {
		law.add(1, activation{10 * i * us, (10*i + 5) * us})
		most = max(most, cap(law.heldOf(1)))
	}
	if most > 4*1000 { // 1000 activations begin within the longest interval
		t.Errorf("held %d activations", most)
	}
	for i := range time.Duration(20000) {
		law.add(2, activation{20000 * i * us, (20000*i + 5) * us})
	}
	if held := cap(law.heldOf(2)); held > 4 {
		t.Errorf("held %d activations that are all longer ago than the longest interval", held)
	}
}
