package workload

import (
	"time"

	"artifice/internal/yamlfile"
	"artifice/trace"
	"artifice/workload/internal/machine"
)

// Limits of a program. A file that goes over one is refused.
const (
	// maxMethods is how many methods a program may define.
	maxMethods = 1 << 16

	// maxTID is the highest thread id: Linux's PID_MAX_LIMIT.
	maxTID = 1 << 22

	// maxDuration is the longest truth.
	maxDuration = 10_000 * time.Hour

	// defaultDuration is how long a truth is when neither the caller nor the
	// program says.
	defaultDuration = 10 * time.Second
)

// startCPU is the CPU time a thread has used before its first event unless the
// program says: a thread of a real process is created and attached first. ART
// takes a CPU clock of 0 for a zero point that was not set yet, so a truth must
// not have it.
const startCPU = 100 * time.Microsecond

// Program is what an app does: methods with bodies, and threads that run them.
// It is made by [ReadYAML] or [ByName] and does not change; truths of it can be
// made at the same time.
type Program struct {
	Name        string        // one word, by which the user calls it
	Description string        // one line
	Duration    time.Duration // how long its truths are unless [Config] says

	source  []byte // the YAML it was read from
	methods []method
	threads []thread     // in the order of attaching: main first, then by start
	code    machine.Code // what the machine carries out
}

// method is one method with its body.
type method struct {
	trace.Method
	at   *yamlfile.Node
	body []step
}

// thread is one thread with its body.
type thread struct {
	machine.Thread
	body [][]step // body[k] is carried out when k frames of the stack have returned; none: the thread idles
	at   *yamlfile.Node
}

// endless returns the thread's last step if that is a loop without end.
func (t *thread) endless() *step {
	if len(t.body) == 0 {
		return nil
	}
	last := t.body[len(t.body)-1]
	if n := len(last); n > 0 && last[n-1].kind == foreverStep {
		return &last[n-1]
	}
	return nil
}

// Source returns the YAML text that the program was read from.
func (p *Program) Source() []byte { return p.source }

// symbols returns the tables of a new truth of the given length. A thread that
// begins after its end is none of it.
func (p *Program) symbols(length time.Duration) *trace.Symbols {
	s := &trace.Symbols{Methods: make([]trace.Method, len(p.methods))}
	for i := range p.methods {
		s.Methods[i] = p.methods[i].Method
	}
	for i := range p.threads {
		t := &p.threads[i]
		if t.Start > length {
			break // threads are sorted by start
		}
		life := trace.Thread{TID: t.TID, Name: t.Name, Start: t.Start}
		if t.Before {
			life.Open = len(t.Stack)
		}
		if len(t.body) == 0 && t.End <= length {
			life.End = t.End // any other may end earlier
		}
		s.Threads = append(s.Threads, life)
	}
	return s
}
