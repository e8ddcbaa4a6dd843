package dmtrace

import (
	"slices"
	"testing"

	"artifice/internal/testdata"
	"artifice/trace"
)

// TestAtStop checks the states of threads at the stop, which follow from Trace::DumpThreadList and
// DumpThreads of each generation.
func TestAtStop(t *testing.T) {
	const n, a, x = trace.NotStated, trace.Alive, trace.Exited
	for _, c := range []struct {
		name   string
		vm     string
		tids   []uint32
		names  []string // "" for threads that are not main
		idle   bool
		states []trace.AtStop
	}{
		{"exited threads first", "art", []uint32{20, 30, 10, 25}, []string{"", "", "main", ""}, false, []trace.AtStop{x, x, a, a}},
		{"living threads in the order of attaching", "art", []uint32{10, 30, 20}, []string{"main", "", ""}, false, []trace.AtStop{a, a, a}},
		{"ascending, all with events", "art", []uint32{10, 20, 30}, []string{"main", "", ""}, false, []trace.AtStop{a, n, n}},
		{"ascending, with idle threads", "art", []uint32{10, 20, 30}, []string{"main", "", ""}, true, []trace.AtStop{a, a, a}},
		{"Android 14 sampled", "art", []uint32{10, 20, 31}, []string{"main", "", samplingThread}, true, []trace.AtStop{a, n, n}},
		{"a lower tid than main's, ascending", "art", []uint32{5, 10, 30}, []string{"", "main", ""}, false, []trace.AtStop{n, a, n}},
		{"no main", "art", []uint32{30, 20}, []string{"", ""}, true, []trace.AtStop{n, n}},
		{"Dalvik", "dalvik", []uint32{1, 12, 9}, []string{"main", "", ""}, false, []trace.AtStop{a, a, a}},
	} {
		var listed []trace.Thread
		for i, tid := range c.tids {
			listed = append(listed, trace.Thread{TID: tid, Name: c.names[i]})
		}
		if got := atStop(listed, &trace.Info{VM: c.vm}, c.idle); !slices.Equal(got, c.states) {
			t.Errorf("%s: %v, want %v", c.name, got, c.states)
		}
	}
}

// TestAtStopReal: 14 threads precede main (tid 21491) in the table of this file of Android 11.
func TestAtStopReal(t *testing.T) {
	f, err := Open(testdata.Path(t, "traces", "sampled-art-file.trace"), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := trace.Copy(trace.Discard, f.Events); err != nil {
		t.Fatal(err)
	}
	count := map[trace.AtStop]int{}
	for _, th := range f.Symbols.Threads {
		count[th.AtStop]++
	}
	if count[trace.Exited] != 14 || count[trace.Alive] != 52 || count[trace.NotStated] != 0 {
		t.Errorf("states %v, want 14 exited and 52 alive threads", count)
	}
}
