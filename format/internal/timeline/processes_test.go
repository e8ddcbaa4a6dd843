package timeline

import (
	"testing"

	"artifice/trace"
)

// TestUniqueThreads: threads of two processes with one id get different ones and names, whatever comes later; a thread of an
// unknown process is the one with its id.
func TestUniqueThreads(t *testing.T) {
	var c Calls
	c.init(trace.Limits{}, t.TempDir())
	for i, th := range []struct {
		thread Thread
		name   string
		tid    uint32
		want   string
	}{
		{Thread{100, 1}, "main", 1, "main"},
		{Thread{200, 1}, "main", 200, "main (pid 200)"},
		{Thread{200, 200}, "worker", 201, "worker (pid 200)"}, // its id is given away
		{Thread{300, 200}, "other", 300, "other (pid 300)"},
		{Thread{300, 1}, "main", 301, "main (pid 300)"},
		{Thread{0, 7}, "a", 7, "a"},
		{Thread{100, 7}, "b", 7, "b"},
	} {
		if err := c.Name(th.thread, []byte(th.name)); err != nil {
			t.Fatal(err)
		}
		if got := c.Symbols.Threads[i]; got.TID != th.tid || got.Name != th.want {
			t.Errorf("%v %s: thread %d %q, want %d %q", th.thread, th.name, got.TID, got.Name, th.tid, th.want)
		}
	}
}
