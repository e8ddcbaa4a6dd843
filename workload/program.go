package workload

import (
	"time"

	"artifice/internal/yamlfile"
	"artifice/trace"
	"artifice/workload/internal/machine"
)

// Limits of a program. A file that exceeds one is rejected.
const (
	// maxMethods is the maximum number of methods of a program.
	maxMethods = 1 << 16

	// maxTID is the highest thread id: Linux's PID_MAX_LIMIT.
	maxTID = 1 << 22

	// maxDuration is the longest truth.
	maxDuration = 10_000 * time.Hour

	// defaultDuration is the length of a truth if neither the caller nor the program specifies one.
	defaultDuration = 10 * time.Second
)

// startCPU is the default CPU time of a thread before its first event: a thread of a real process
// is created and attached first. ART takes a CPU clock of 0 for an unset zero point, so a truth
// must not contain it.
const startCPU = 100 * time.Microsecond

// Program is a model of an app: methods with bodies, and threads that run them. It is created by
// [ReadYAML] or [ByName] and is immutable; its truths can be generated concurrently.
type Program struct {
	Name        string        // one word, as used on the command line
	Description string        // one line
	Duration    time.Duration // length of its truths unless [Config] specifies one

	source  []byte // the YAML it was read from
	methods []method
	threads []thread     // in the order of attaching: main first, then by start
	code    machine.Code // compiled
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
	body [][]step // body[k] is executed after k frames of the stack have returned; none: the thread idles
	at   *yamlfile.Node
}

// endless returns the thread's last step if it is a loop without end.
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

// symbols returns the tables of a new truth of the given length. They exclude threads that begin
// after its end.
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
