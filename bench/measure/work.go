package measure

import (
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// ThreadSelector selects threads by name and tid.
type ThreadSelector interface {
	HasThread(name string, tid int64) bool
}

// Work is the work done by the threads of an app.
type Work struct {
	Length time.Duration // length of the run

	symbols *trace.Symbols
	counted ThreadSelector // nil: all threads
	threads []thread
	tails   []recorder.Overhead // by thread: running and waiting after its last event
	last    time.Duration       // wall time of the latest counted event
}

// thread is the work done by one thread.
type thread struct {
	progress
	stack trace.Stack[struct{}]
	due   time.Duration // deadline of its wait for the next frame; 0: it has not waited for a frame

	// done is its progress at its last counted event: one of its methods, not of the runtime's.
	events   int64 // number of counted events
	firstCPU time.Duration
	done     progress
}

// progress is the progress of a thread.
type progress struct {
	wall, cpu time.Duration     // times of its last event
	overhead  recorder.Overhead // its running and waiting times; Lost is 0
}

// NewWork returns the work of a truth with these symbols, before its first event. CPU time is that
// of the counted threads; a nil selector counts all.
func NewWork(symbols *trace.Symbols, counted ThreadSelector) *Work {
	return &Work{symbols: symbols, counted: counted}
}

// Observe implements [recorder.Observer]: it adds the next events of the truth.
func (w *Work) Observe(events []trace.Event) {
	for i := range events {
		w.add(w.thread(events[i].Thread), &events[i])
	}
}

// thread returns a thread, which waits from its start until its first event.
func (w *Work) thread(id trace.ThreadID) *thread {
	for len(w.threads) <= int(id) {
		w.threads = append(w.threads, thread{progress: progress{wall: w.symbols.Threads[len(w.threads)].Start}})
	}
	return &w.threads[id]
}

// events returns the number of counted events of a thread.
func (w *Work) events(id trace.ThreadID) int64 {
	if int(id) >= len(w.threads) {
		return 0
	}
	return w.threads[id].events
}

func (w *Work) add(t *thread, e *trace.Event) {
	m := w.symbols.Method(e.Method)
	t.spend(w.symbols, e.Wall, e.CPU)
	t.frame(m, e)
	t.stack.Apply(e, struct{}{})
	if t.firstCPU == 0 {
		t.firstCPU = e.CPU
	}
	if m.Flags&trace.RuntimeInternal == 0 {
		t.events++
		t.done, w.last = t.progress, max(w.last, e.Wall)
	}
}

// spend advances a thread to a time on both clocks. A thread that waits, or has no frame, runs only
// for its CPU time, which is the cost of its last event.
func (t *thread) spend(symbols *trace.Symbols, wall, cpu time.Duration) {
	ran := wall - t.wall
	if m, ok := t.stack.Innermost(); !ok || symbols.Method(m).Wait != trace.Running {
		ran = max(0, min(ran, cpu-t.cpu))
	}
	t.overhead.Ran, t.overhead.Waited = t.overhead.Ran+ran, t.overhead.Waited+wall-t.wall-ran
	t.wall, t.cpu = wall, cpu
}

// frame processes a deadline wait, which begins or ends with an event.
func (t *thread) frame(m *trace.Method, e *trace.Event) {
	if m.Period == 0 {
		return
	}
	if e.Action == trace.Enter {
		t.overhead.Frames++
		if t.due > 0 && (e.Wall > t.due || e.Wall == t.due && !m.AtOnce) {
			t.overhead.Late++
			t.overhead.LateBy += e.Wall - t.due
		}
		return
	}
	if !m.AtOnce || t.due == 0 {
		t.due = e.Wall.Truncate(m.Period)
	}
	t.due += m.Period // a late turn does not shorten the next one
}

// Finish sets the length of the truth's run. All of its events must have been added.
func (w *Work) Finish(length time.Duration) {
	w.Length, w.tails = length, make([]recorder.Overhead, len(w.symbols.Threads))
	for id, known := range w.symbols.Threads {
		t, end := *w.thread(trace.ThreadID(id)), length
		if known.End > 0 {
			end = known.End
		}
		t.spend(w.symbols, max(end, t.wall), t.cpu)
		w.tails[id] = recorder.Overhead{Ran: t.overhead.Ran - t.done.overhead.Ran, Waited: t.overhead.Waited - t.done.overhead.Waited}
	}
}

// overhead returns the running and waiting time of all threads, compared with those of the untraced
// run. The time after the last events of threads is assumed to be the same in both. Late frames are
// those in excess of the late frames of the untraced run.
func (w *Work) overhead(untraced *Work) (sum recorder.Overhead) {
	for i := range w.threads {
		t := &w.threads[i].done.overhead
		sum.Lost, sum.Longer = sum.Lost+t.Ran, sum.Longer+t.Waited
		sum.Frames, sum.Late, sum.LateBy = sum.Frames+t.Frames, sum.Late+t.Late, sum.LateBy+t.LateBy
	}
	for i := range untraced.threads {
		t := &untraced.threads[i].done.overhead
		sum.Ran, sum.Waited = sum.Ran+t.Ran, sum.Waited+t.Waited
		sum.Late, sum.LateBy = sum.Late-t.Late, sum.LateBy-t.LateBy
	}
	sum.Lost, sum.Longer = sum.Lost-sum.Ran, sum.Longer-sum.Waited
	for _, t := range untraced.tails {
		sum.Ran, sum.Waited = sum.Ran+t.Ran, sum.Waited+t.Waited
	}
	if sum.Late <= 0 || sum.LateBy < 0 {
		sum.Late, sum.LateBy = max(0, sum.Late), 0
	}
	return sum
}

// cpuTime returns the CPU time of the counted threads from their first to their last events.
func (w *Work) cpuTime() (sum time.Duration) {
	for id := range w.threads {
		if t := &w.symbols.Threads[id]; w.counted == nil || w.counted.HasThread(t.Name, int64(t.TID)) {
			sum += w.threads[id].done.cpu - w.threads[id].firstCPU
		}
	}
	return sum
}
