package bench

import (
	"math"
	"time"

	"artifice/bench/metric"
	"artifice/bench/paths"
	"artifice/trace"
)

// lanes compare the true and the reported stack of every thread from moment to
// moment. All that happens to a thread comes in the order of the truth's time;
// what happens at one time happens before the stacks are compared.
type lanes struct {
	course  *course // whose paths and symbols they use
	threads []lane
	line    metric.Timeline
}

// lane is one thread.
type lane struct {
	alive           bool          // its life in the truth has begun
	at, end         time.Duration // up to where it is compared, and when its life ends
	truth, reported paths.ID
}

// begin begins a thread's life, unless it has begun.
func (l *lanes) begin(id trace.ThreadID, at, end time.Duration) {
	if t := l.thread(id); !t.alive {
		t.alive, t.at, t.end = true, at, end
	}
}

// happens lets an event change its thread's true stack.
func (l *lanes) happens(e *trace.Event) {
	t := l.settle(e.Thread, e.Wall)
	l.step(&t.truth, e)
}

// reports lets an event change its thread's reported stack at a time of the
// truth.
func (l *lanes) reports(e *trace.Event, at time.Duration) {
	t := l.settle(e.Thread, at)
	l.step(&t.reported, e)
}

// finish compares the stacks up to the ends of all threads.
func (l *lanes) finish() metric.Timeline {
	for id := range l.threads {
		l.settle(trace.ThreadID(id), math.MaxInt64)
	}
	return l.line
}

// step lets e change one of a lane's stacks.
func (l *lanes) step(at *paths.ID, e *trace.Event) {
	if !hidden(l.course.symbols, e) {
		*at, _ = l.course.table.Apply(*at, e)
	}
}

// settle compares a thread's stacks up to an instant of the truth's time.
func (l *lanes) settle(id trace.ThreadID, now time.Duration) *lane {
	t := l.thread(id)
	if !t.alive {
		return t
	}
	d := min(now, t.end) - t.at
	if d <= 0 {
		return t
	}
	t.at += d
	table := &l.course.table
	if t.truth == t.reported {
		l.line.Equal += d
	}
	l.line.Thread += d
	l.line.True += d * time.Duration(table.Depth(t.truth))
	l.line.Reported += d * time.Duration(table.Depth(t.reported))
	l.line.Common += d * time.Duration(table.Depth(table.Common(t.truth, t.reported)))
	return t
}

func (l *lanes) thread(id trace.ThreadID) *lane {
	for int(id) >= len(l.threads) {
		l.threads = append(l.threads, lane{})
	}
	t := &l.threads[id]
	if t.truth == paths.None {
		root := l.course.table.Root(id)
		t.truth, t.reported = root, root
	}
	return t
}
