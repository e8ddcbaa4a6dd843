package trace

import "testing"

// TestProcesses checks threads of several processes with one name. The process is added to the
// names of all but those of the first process. A process is identified by its first name, by its id
// if it has no name, and by both if another process has the name. In a trace of one process,
// nothing is added.
func TestProcesses(t *testing.T) {
	var s Symbols
	var p Processes
	p.Name(10, "app")
	p.Name(10, "later")
	p.Name(30, "app")
	type named struct {
		pid           uint32
		name          string
		want, process string
	}
	all := []named{
		{10, "main", "main", "app"},
		{10, "main", "main", "app"},
		{20, "main", "main (pid 20)", "pid 20"},
		{30, "main", "main (app, pid 30)", "app, pid 30"},
		{20, "worker", "worker", "pid 20"},
		{0, "main", "main", ""}, // of an unknown process
		{30, "", "", "app, pid 30"},
	}
	for i, n := range all {
		id, err := s.AddThread(Thread{TID: uint32(i), Name: n.name})
		if err != nil {
			t.Fatal(err)
		}
		p.Add(&s, id, n.pid)
	}
	p.Finish(&s)
	for i, n := range all {
		if got := s.Threads[i]; got.Name != n.want || got.Process != n.process {
			t.Errorf("thread %q of process %d is %q of %q, want %q of %q", n.name, n.pid, got.Name, got.Process, n.want, n.process)
		}
	}
	one := Symbols{Threads: []Thread{{Name: "main"}, {Name: "main"}}}
	var single Processes
	single.Name(10, "app")
	single.Add(&one, 0, 10)
	single.Add(&one, 1, 10)
	single.Finish(&one)
	if one.Threads[0] != (Thread{Name: "main"}) || one.Threads[1] != (Thread{Name: "main"}) {
		t.Errorf("one process: %+v", one.Threads)
	}
}
