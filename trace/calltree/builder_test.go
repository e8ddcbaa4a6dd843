package calltree_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/trace"
	"artifice/trace/calltree"
)

// enter and exit return events of thread 0 with equal times on both clocks, in ns.
func enter(m trace.MethodID, at time.Duration) trace.Event {
	return trace.Event{Method: m, Action: trace.Enter, Wall: at, CPU: at}
}

func exit(m trace.MethodID, at time.Duration) trace.Event {
	return trace.Event{Method: m, Action: trace.Exit, Wall: at, CPU: at}
}

func build(t testing.TB, fromZero bool, events ...trace.Event) (*calltree.Tree, calltree.Stats) {
	t.Helper()
	b := calltree.NewBuilder()
	if fromZero {
		b.OrphansFromZero()
	}
	if err := b.WriteEvents(events); err != nil {
		t.Fatal(err)
	}
	return b.Finish(&trace.Recording{}, trace.UnknownTechnique, calltree.UntilLastEvent)
}

// lines formats a thread's tree with one line per context: blanks for the depth, method, count and
// self wall time in ns.
func lines(tree *calltree.Tree, id trace.ThreadID) []string {
	r := &renderer{tree: tree}
	tree.Walk(id, r)
	return r.out
}

type renderer struct {
	tree *calltree.Tree
	out  []string
}

func (r *renderer) Open(n calltree.Node, depth int) {
	e := r.tree.At(n)
	name := "top"
	if m := r.tree.Method(n); m != calltree.NoMethod {
		name = fmt.Sprint(m)
	}
	r.out = append(r.out, fmt.Sprintf("%s%s %dx%d", strings.Repeat(" ", depth), name, e.Count, e.Self.Wall))
}

func (r *renderer) Shut(calltree.Node, int) {}

// TestPerflibCases checks the cases of perflib's CallStackReconstructorTest. The times follow from
// the rule in the package comment.
func TestPerflibCases(t *testing.T) {
	for _, test := range []struct {
		name   string
		events []trace.Event
		want   []string
	}{
		{"one call",
			[]trace.Event{enter(1, 10), exit(1, 15)},
			[]string{"top 0x0", " 1 1x5"}},
		{"nested and repeated",
			[]trace.Event{enter(1, 10), enter(2, 11), enter(3, 12), exit(3, 13), enter(3, 14), exit(3, 15),
				exit(2, 16), enter(5, 17), exit(5, 18), exit(1, 20), enter(6, 21), exit(6, 22)},
			[]string{"top 0x1", " 1 1x4", "  2 1x3", "   3 2x2", "  5 1x1", " 6 1x1"}},
		{"exits only",
			[]trace.Event{exit(3, 1), exit(2, 2), exit(1, 3)},
			[]string{"top 0x0", " 1 0x1", "  2 0x1", "   3 0x0"}},
		{"orphan around calls",
			[]trace.Event{enter(2, 11), exit(2, 14), exit(1, 15)},
			[]string{"top 0x0", " 1 0x1", "  2 1x3"}},
		{"orphan of a method that was called before",
			[]trace.Event{enter(1, 1), exit(1, 2), enter(2, 4), exit(2, 5), exit(1, 8), enter(1, 9), exit(1, 13)},
			[]string{"top 0x1", " 1 1x9", "  1 1x1", "  2 1x1"}},
		{"recursion",
			[]trace.Event{enter(1, 1), enter(2, 3), enter(1, 4), exit(1, 5), exit(2, 6), exit(1, 8)},
			[]string{"top 0x0", " 1 1x4", "  2 1x2", "   1 1x1"}},
		{"open at the end",
			[]trace.Event{enter(1, 1), enter(2, 3), exit(2, 7)},
			[]string{"top 0x0", " 1 1x2", "  2 1x4"}},
		{"mismatched exit closes the innermost frame",
			[]trace.Event{enter(1, 1), enter(2, 3), exit(9, 7), exit(1, 8)},
			[]string{"top 0x0", " 1 1x3", "  2 1x4"}},
	} {
		tree, _ := build(t, false, test.events...)
		if diff := cmp.Diff(test.want, lines(tree, 0)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestStats(t *testing.T) {
	b := calltree.NewBuilder()
	b.WriteEvents([]trace.Event{
		exit(3, 10), enter(1, 20), exit(2, 30), enter(1, 25),
		{Thread: 2, Wall: 40}, {Thread: 2, Wall: 45}, {Thread: 3, Wall: 60}, {Thread: 3, Wall: 70, Action: trace.Unwind},
	})
	_, got := b.Finish(&trace.Recording{Info: trace.Info{Elapsed: 100}}, trace.UnknownTechnique, calltree.UntilLastEvent)
	want := calltree.Stats{Events: 8, Orphans: 1, Mismatches: 1, StepsBack: 1, OpenFrames: 3,
		LeftOut: (100 - 25) + (100 - 45), Last: 70}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestDecreasingTimesInALoop checks repeated calls, which take the fast path. If either clock goes
// back, at an enter or an exit, a step back is counted.
func TestDecreasingTimesInALoop(t *testing.T) {
	for _, back := range []calltree.Times{{Wall: -15, CPU: 5}, {Wall: 5, CPU: -15}, {Wall: -15, CPU: -15}} {
		for at := 4; at < 8; at++ { // from the second iteration on
			var events []trace.Event
			var now calltree.Times
			var last time.Duration
			for i := range 8 {
				step := calltree.Times{Wall: 20, CPU: 10}
				if i == at {
					step = back
				}
				now.Wall, now.CPU = now.Wall+step.Wall, now.CPU+step.CPU
				last = max(last, now.Wall)
				method := [4]trace.MethodID{1, 2, 2, 1}[i%4]
				action := [4]trace.Action{trace.Enter, trace.Enter, trace.Exit, trace.Exit}[i%4]
				events = append(events, trace.Event{Method: method, Action: action, Wall: now.Wall, CPU: now.CPU})
			}
			_, got := build(t, false, events...)
			if want := (calltree.Stats{Events: 8, StepsBack: 1, Last: last}); got != want {
				t.Errorf("event %d %+v after the one before: got  %+v\nwant %+v", at, back, got, want)
			}
		}
	}
}

func TestUntilStop(t *testing.T) {
	b := calltree.NewBuilder()
	b.WriteEvents([]trace.Event{enter(1, 10), enter(2, 30), {Thread: 1, Wall: 5}, {Thread: 1, Wall: 6, Action: trace.Exit}})
	tree, stats := b.Finish(&trace.Recording{Info: trace.Info{Elapsed: 100}}, trace.UnknownTechnique, calltree.UntilStop)
	if stats.LeftOut != 0 || stats.OpenFrames != 2 {
		t.Errorf("stats %+v", stats)
	}
	if diff := cmp.Diff([]string{"top 0x0", " 1 1x20", "  2 1x70"}, lines(tree, 0)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"top 0x0", " 0 1x1"}, lines(tree, 1)); diff != "" {
		t.Error("a thread without open frames grows:", diff)
	}
}

// randomEvents returns events of three threads that call, return and unwind at random, with orphan
// exits and frames open at the end. Exits match.
func randomEvents(seed uint64, n int) []trace.Event {
	rng := rand.New(rand.NewPCG(seed, 1))
	var stacks trace.Stacks
	var wall time.Duration
	cpu := make([]time.Duration, 3)
	events := make([]trace.Event, n)
	for i := range events {
		id := trace.ThreadID(rng.IntN(3))
		wall += time.Duration(rng.IntN(10))
		cpu[id] += time.Duration(rng.IntN(5))
		e := trace.Event{Wall: wall, CPU: cpu[id], Method: trace.MethodID(rng.IntN(4)), Thread: id}
		if rng.IntN(100) < 49 {
			e.Action = trace.Action(1 + rng.IntN(2))
			if open := stacks.Of(id); len(open) > 0 {
				e.Method = open[len(open)-1]
			}
		}
		stacks.Apply(e)
		events[i] = e
	}
	return events
}

// oracle computes contexts by a simple, slow method. It finds the orphans of a thread in advance
// and opens their frames at its first event; the last orphan is outermost. Stacks are strings.
func oracle(events []trace.Event, id trace.ThreadID) map[string]calltree.Entry {
	var stack []trace.MethodID
	depth := 0
	for _, e := range events {
		switch {
		case e.Thread != id:
		case e.Action == trace.Enter:
			depth++
		case depth > 0:
			depth--
		default:
			stack = append(stack, e.Method)
		}
	}
	slices.Reverse(stack)
	contexts := make(map[string]calltree.Entry)
	var last *trace.Event
	for i := range events {
		e := &events[i]
		if e.Thread != id {
			continue
		}
		if last != nil {
			c := contexts[fmt.Sprint(stack)]
			c.Self.Wall += e.Wall - last.Wall
			c.Self.CPU += e.CPU - last.CPU
			contexts[fmt.Sprint(stack)] = c
		}
		last = e
		if e.Action != trace.Enter {
			stack = stack[:len(stack)-1]
			continue
		}
		stack = append(stack, e.Method)
		c := contexts[fmt.Sprint(stack)]
		c.Count++
		contexts[fmt.Sprint(stack)] = c
	}
	return contexts
}

func TestAgainstOracle(t *testing.T) {
	for seed := range uint64(200) {
		events := randomEvents(seed, 300)
		tree, _ := build(t, false, events...)
		for id := range trace.ThreadID(3) {
			got := contexts(tree, id)
			want := oracle(events, id)
			for stack, e := range want {
				if g := got[stack]; g.Self != e.Self || g.Count != e.Count {
					t.Fatalf("seed %d thread %d %s: got %+v, want %+v", seed, id, stack, g, e)
				}
				delete(got, stack)
			}
			for stack, e := range got {
				if e.Count != 0 || e.Self != (calltree.Times{}) {
					t.Fatalf("seed %d thread %d: unexpected %s %+v", seed, id, stack, e)
				}
			}
		}
	}
}

func contexts(tree *calltree.Tree, id trace.ThreadID) map[string]calltree.Entry {
	c := collector{tree: tree, got: make(map[string]calltree.Entry)}
	tree.Walk(id, &c)
	return c.got
}

type collector struct {
	tree *calltree.Tree
	got  map[string]calltree.Entry
}

func (c *collector) Open(n calltree.Node, _ int) {
	stack := c.tree.Stack(n, nil)
	slices.Reverse(stack)
	c.got[fmt.Sprint(stack)] = *c.tree.At(n)
}

func (c *collector) Shut(calltree.Node, int) {}

// TestTotal checks that the times of a thread sum to its last event minus its first, even if time
// steps back.
func TestTotal(t *testing.T) {
	for seed := range uint64(50) {
		events := randomEvents(seed, 200)
		events[100].Wall -= 300
		for _, fromZero := range []bool{false, true} {
			tree, _ := build(t, fromZero, events...)
			var want calltree.Times
			for id := range trace.ThreadID(3) {
				first, last := ends(events, id)
				want.Wall += last.Wall - first.Wall
				want.CPU += last.CPU - first.CPU
			}
			if got := tree.Total(); got != want {
				t.Fatalf("seed %d: got %+v, want %+v", seed, got, want)
			}
		}
	}
}

func ends(events []trace.Event, id trace.ThreadID) (first, last trace.Event) {
	seen := false
	for _, e := range events {
		if e.Thread != id {
			continue
		}
		if !seen {
			first, seen = e, true
		}
		last = e
	}
	return first, last
}

// TestDeep checks that a million nested calls and a million orphan exits need neither recursion in
// the implementation nor more than constant time per event.
func TestDeep(t *testing.T) {
	const depth = 1e6
	b := calltree.NewBuilder()
	for i := range time.Duration(depth) {
		b.WriteEvents([]trace.Event{exit(7, i)})
	}
	for i := range time.Duration(depth) {
		b.WriteEvents([]trace.Event{enter(8, depth+i)})
	}
	tree, stats := b.Finish(&trace.Recording{}, trace.UnknownTechnique, calltree.UntilLastEvent)
	if stats.Orphans != depth || stats.OpenFrames != depth {
		t.Errorf("stats %+v", stats)
	}
	total := tree.Methods()
	if len(total) != 2 || total[0].Inclusive.Wall != depth-1 || total[1].Recursive != depth-1 || total[1].Calls != 1 {
		t.Errorf("totals %+v", total)
	}
}

func TestSnapshots(t *testing.T) {
	b := calltree.NewSnapshotBuilder()
	for _, s := range []trace.Snapshot{
		{Wall: 10, CPU: 1, Until: 30, Count: 2, Stack: []trace.MethodID{1, 2}},
		{Wall: 30, CPU: 4, Until: 40, Count: 1, Stack: nil},                 // sampled with an empty stack
		{Wall: 45, CPU: 6, Until: 55, Count: 1, Stack: []trace.MethodID{1}}, // no sample covers 40 to 45
		{Wall: 55, CPU: 9, Until: 75, Count: 3, Stack: []trace.MethodID{1, 2}},
	} {
		if err := b.WriteSnapshot(&s); err != nil {
			t.Fatal(err)
		}
	}
	tree := b.Tree()
	if diff := cmp.Diff([]string{"top 0x15", " 1 1x10", "  2 5x40"}, lines(tree, 0)); diff != "" {
		t.Error(diff)
	}
	// Wall time is the last sample minus the first. CPU time is that of the last snapshot minus
	// that of the first.
	if got, want := tree.Total(), (calltree.Times{Wall: 75 - 10, CPU: 9 - 1}); got != want {
		t.Errorf("total %v, want %v", got, want)
	}
	if b.Samples() != 7 || b.Last() != 75 {
		t.Errorf("%d samples, the last at %v", b.Samples(), b.Last())
	}
}

// TestNotes checks that a count of 0 or an empty predicate has no note, and that a count of 1 is
// singular.
func TestNotes(t *testing.T) {
	all := calltree.Handling{Orphans: "is left out", StepsBack: "waits", OpenFrames: "goes on"}
	for _, c := range []struct {
		stats calltree.Stats
		as    calltree.Handling
		want  []string
	}{
		{calltree.Stats{Events: 7}, all, nil},
		{calltree.Stats{Orphans: 1, Mismatches: 1, StepsBack: 1, OpenFrames: 1}, all, []string{
			"1 exit has no entry; its call began before the trace and is left out",
			"1 exit does not name the innermost method; the exit closes the innermost frame",
			"1 event is earlier than the previous event of its thread; the event waits",
			"1 call has not returned at the end; the call goes on",
		}},
		{calltree.Stats{Orphans: 2, Mismatches: 3, StepsBack: 4, OpenFrames: 5}, all, []string{
			"2 exits have no entry; each of these calls began before the trace and is left out",
			"3 exits do not name the innermost method; each closes the innermost frame",
			"4 events are earlier than the previous event of their thread; each waits",
			"5 calls have not returned at the end; each goes on",
		}},
		{calltree.Stats{Orphans: 2, StepsBack: 4, OpenFrames: 5}, calltree.Handling{StepsBack: "waits"}, []string{
			"4 events are earlier than the previous event of their thread; each waits",
		}},
	} {
		if diff := cmp.Diff(c.want, c.stats.Notes(c.as)); diff != "" {
			t.Errorf("%+v (-want +got)\n%s", c.stats, diff)
		}
	}
}
