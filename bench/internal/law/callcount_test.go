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

// randomThread returns the events of a thread that starts at a random whole microsecond, and calls
// and returns at random, often at one instant. It sometimes exits a frame that it never entered,
// and ends with open frames.
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

// playActivations passes the activations of a truth to the laws.
func playActivations(table *calltree.Contexts, events []trace.Event, laws ...activationLaw) *activations {
	activations := newActivations(table, laws...)
	activations.WriteEvents(events)
	activations.close()
	return activations
}

// callCounts returns a law of all paths together and a law of each path.
func callCounts(t *testing.T, intervals []time.Duration) (*callCount, *eachContext[*callCount]) {
	newLaw := func() *callCount { return newCallCount(intervals...) }
	return newLaw(), newEachContext(newLaw)
}

// eachContext has one law for each calling context.
type eachContext[L activationLaw] struct {
	make func() L
	laws []L
}

func newEachContext[L activationLaw](make func() L) *eachContext[L] {
	return &eachContext[L]{make: make}
}

// add implements [activationLaw]. Each law has a single context, so any number identifies the
// context.
func (e *eachContext[L]) add(p calltree.Node, a activation) { e.Law(p).add(0, a) }

// end implements [activationLaw].
func (e *eachContext[L]) end() {
	for _, law := range e.laws {
		law.end()
	}
}

// Law returns the law of context p.
func (e *eachContext[L]) Law(p calltree.Node) L {
	for int(p) >= len(e.laws) {
		e.laws = append(e.laws, e.make())
	}
	return e.laws[p]
}

// stackAt returns the thread's stack at t, after all events at t.
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

// bruteStarts samples a thread at each phase j + ½ µs in turn. It replays the thread's events up to
// every tick. It counts, by the whole path, the samples with a path that the previous sample did
// not have.
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

// TestCallCountIsSumOverPhases compares the law with the sum over all phases j + ½ µs.
func TestCallCountIsSumOverPhases(t *testing.T) {
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
					t.Errorf("trial %d, interval %v, path %s: L − Λ = %v, want %d calls in all phases", trial, interval, name, got, want[name])
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

// TestCallCountExample checks the worked example of [callCount].
func TestCallCountExample(t *testing.T) {
	var table calltree.Contexts
	law := newCallCount(2 * us)
	events := []trace.Event{{Method: 1}, {Wall: 3 * us, Method: 1, Action: trace.Exit}, {Wall: 4 * us, Method: 1}, {Wall: 6 * us, Method: 1, Action: trace.Exit}}
	playActivations(&table, events, law)
	if law.on != 5*us || law.starts(0) != 3*us || law.Reported(0) != 1.5 {
		t.Errorf("L = %v, L − Λ = %v, expected calls %v; want 5µs, 3µs and 1.5", law.on, law.starts(0), law.Reported(0))
	}
}

// TestCallCountOfManyActivations compares the law with the overlap of every pair of activations.
// Paths have few and very many activations within the longest interval. Intervals are unsorted, and
// one occurs twice. They are shorter and longer than the activations and the truth.
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

// randomActivations returns n activations of one path. The mean gap is mean µs and the mean
// duration half of it; some gaps and durations are 0.
func randomActivations(rng *rand.Rand, n int, mean float64) (list []activation) {
	var now time.Duration
	for range n {
		from := now + time.Duration(rng.ExpFloat64()*mean)*us
		now = from + time.Duration(rng.ExpFloat64()*mean/2)*us
		list = append(list, activation{from, now})
	}
	return list
}

// bruteLaw returns L − Λ from the overlap of every pair of activations, and Σ min(d, T).
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

// recentOf returns the activations that c keeps for a context with more than one.
func (c *callCount) recentOf(p int) []activation {
	if many := c.contexts.At(p).many; many > 0 {
		return c.many[many-1].recent
	}
	return nil
}

// TestCallCountForgets checks that a law drops activations that ended longer ago than the longest
// interval.
func TestCallCountForgets(t *testing.T) {
	law := newCallCount(100*us, 10000*us)
	most := 0
	for i := range time.Duration(20000) {
		law.add(1, activation{10 * i * us, (10*i + 5) * us})
		most = max(most, cap(law.recentOf(1)))
	}
	if most > 4*1000 { // 1000 activations begin within the longest interval
		t.Errorf("law keeps %d activations, want at most 4000", most)
	}
	for i := range time.Duration(20000) {
		law.add(2, activation{20000 * i * us, (20000*i + 5) * us})
	}
	if kept := cap(law.recentOf(2)); kept > 4 {
		t.Errorf("law keeps %d activations, all older than the longest interval; want at most 4", kept)
	}
}
