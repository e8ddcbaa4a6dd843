package report

import (
	"errors"
	"slices"
	"testing"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// threadsOf returns a trace in which main runs for 1 ms and waits for 2 ms, and a worker runs for
// the given time.
func threadsOf(t *testing.T, worker time.Duration) (*calltree.Tree, *trace.Recording) {
	t.Helper()
	rec := &trace.Recording{Info: trace.Info{Clock: trace.Wall}, Symbols: &trace.Symbols{}}
	for _, th := range []trace.Thread{{TID: 7, Name: "main"}, {TID: 9, Name: "worker"}, {TID: 11, Name: "idle"}} {
		if _, err := rec.Symbols.AddThread(th); err != nil {
			t.Fatal(err)
		}
	}
	run := rec.Symbols.AddMethod(trace.Method{Class: "p.A", Name: "run"})
	wait := rec.Symbols.AddMethod(trace.Method{Class: "java.lang.Object", Name: "wait"})
	b := calltree.NewBuilder()
	b.WriteEvents([]trace.Event{
		{Method: run}, {Method: wait, Wall: time.Millisecond}, {Method: wait, Wall: 3 * time.Millisecond, Action: trace.Exit}, {Method: run, Wall: 3 * time.Millisecond, Action: trace.Exit},
		{Thread: 1, Method: run}, {Thread: 1, Method: run, Wall: worker, Action: trace.Exit},
		{Thread: 2, Method: wait}, {Thread: 2, Method: wait, Wall: time.Second, Action: trace.Exit},
	})
	tree, _ := b.Finish(&trace.Recording{}, trace.UnknownTechnique, calltree.UntilLastEvent)
	return tree, rec
}

// TestChooseThreads checks which threads are chosen: main, unless it has less than a hundredth of
// the running time; threads by name or tid; or all.
func TestChooseThreads(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		worker time.Duration
		names  []string
		want   []trace.ThreadID
		sum    ThreadTime
		others int
	}{
		{99 * ms, nil, []trace.ThreadID{0}, ThreadTime{Running: ms, Waiting: 2 * ms}, 1},
		{100 * ms, nil, []trace.ThreadID{0, 1, 2}, ThreadTime{Running: 101 * ms, Waiting: 1002 * ms}, 1}, // 1/101
		{5 * ms, []string{"worker"}, []trace.ThreadID{1}, ThreadTime{Running: 5 * ms}, 1},
		{5 * ms, []string{"11", "main"}, []trace.ThreadID{0, 2}, ThreadTime{Running: ms, Waiting: 1002 * ms}, 1},
		{5 * ms, []string{"all"}, []trace.ThreadID{0, 1, 2}, ThreadTime{Running: 6 * ms, Waiting: 1002 * ms}, 0},
	} {
		tree, rec := threadsOf(t, c.worker)
		got, err := chooseThreads(c.names, tree, rec)
		if err != nil {
			t.Fatal(err)
		}
		var kept []trace.ThreadID
		for _, th := range got.Kept {
			kept = append(kept, th.ID)
		}
		if !slices.Equal(kept, c.want) || got.Sum() != c.sum || len(got.All) != 3 || got.Part() && got.OthersRan != c.others {
			t.Errorf("worker %v, %v: %v, %+v, %d others ran; want %v, %+v, %d", c.worker, c.names, kept, got.Sum(), got.OthersRan, c.want, c.sum, c.others)
		}
	}
	tree, rec := threadsOf(t, ms)
	var none *NoThreadError
	if _, err := chooseThreads([]string{"nobody"}, tree, rec); !errors.As(err, &none) || err.Error() != "no thread is called nobody" || !slices.Contains(none.Known, "main") || len(none.Known) != 3 {
		t.Errorf("nobody: %v, %+v", err, none)
	}
}

// TestKeepThreads checks that sums include only the kept threads.
func TestKeepThreads(t *testing.T) {
	tree, _ := threadsOf(t, 5*time.Millisecond)
	tree.Keep(func(id trace.ThreadID) bool { return id == 1 })
	if got := tree.Methods(); len(got) != 1 || got[0].Method != 0 || got[0].Calls != 1 || got[0].Exclusive.Wall != 5*time.Millisecond || got[0].Inclusive.Wall != 5*time.Millisecond {
		t.Errorf("methods: %+v", got)
	}
	if got := tree.Total(); got.Wall != 5*time.Millisecond || tree.Root(0) != calltree.NoNode {
		t.Errorf("total %v, main's root %d", got, tree.Root(0))
	}
}
