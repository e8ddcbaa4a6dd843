package timeline

import (
	"testing"

	"artifice/trace"
)

// TestUniqueThreads checks that threads of two processes with one id get different ids and names,
// in any order of events. A thread of an unknown process is the known thread with its id.
func TestUniqueThreads(t *testing.T) {
	var c Calls
	var want []string
	c.init(trace.Limits{}, t.TempDir())
	c.NameProcess(400, "app")
	for i, th := range []struct {
		thread Thread
		name   string
		tid    uint32
		want   string
	}{
		{Thread{100, 1}, "main", 1, "main"},
		{Thread{200, 1}, "main", 200, "main (worker)"},
		{Thread{200, 200}, "worker", 201, "worker"}, // its id is already used
		{Thread{300, 200}, "other", 300, "other"},
		{Thread{300, 1}, "main", 301, "main (pid 300)"},
		{Thread{400, 1}, "main", 400, "main (app)"},
		{Thread{0, 7}, "a", 7, "a"},
		{Thread{100, 7}, "b", 7, "b"},
		{Thread{2, 9}, "c", 9, "c"},
		{Thread{1, 9}, "d", 2, "d"}, // process 1; id 1 is already used
	} {
		if err := c.Name(th.thread, []byte(th.name)); err != nil {
			t.Fatal(err)
		}
		if got := c.Symbols.Threads[i]; got.TID != th.tid {
			t.Errorf("%v %s: thread %d, want %d", th.thread, th.name, got.TID, th.tid)
		}
		want = append(want, th.want)
	}
	c.nameProcesses()
	for i, th := range c.Symbols.Threads {
		if th.Name != want[i] {
			t.Errorf("thread %d is %q, want %q", th.TID, th.Name, want[i])
		}
	}
}
