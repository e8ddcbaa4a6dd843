package rerun

import (
	"time"

	"artifice/lateness"
	"artifice/trace"
)

// Work is what the threads of an app do.
type Work struct {
	Length time.Duration // of the run

	symbols *trace.Symbols
	counts  func(*trace.Thread) bool // nil: all do
	threads []thread
	tails   []lateness.Toll // by thread: its running and waiting after its last event
	last    time.Duration   // wall time of the latest event
}

// thread is what one thread has done.
type thread struct {
	events        int64         // of its methods, without those of the runtime
	last          time.Duration // wall time of its last event
	cpu, firstCPU time.Duration
	stack         trace.Stack[struct{}]
	due           time.Duration // when it is to be back, waiting for the next frame; 0: it has not waited for one
	toll          lateness.Toll // of which nothing is lost
}

// NewWork returns the work of a truth with these symbols, of which nothing has been read. CPU time is that of
// the threads that counts reports true for; nil: all.
func NewWork(symbols *trace.Symbols, counts func(*trace.Thread) bool) *Work {
	return &Work{symbols: symbols, counts: counts}
}

// Add adds the truth's next events.
func (w *Work) Add(events []trace.Event) {
	for i := range events {
		w.add(w.thread(events[i].Thread), &events[i])
	}
}

// thread returns a thread, which waits from its start on.
func (w *Work) thread(id trace.ThreadID) *thread {
	for len(w.threads) <= int(id) {
		w.threads = append(w.threads, thread{last: w.symbols.Threads[len(w.threads)].Start})
	}
	return &w.threads[id]
}

// events returns how many events a thread has.
func (w *Work) events(id trace.ThreadID) int64 {
	if int(id) >= len(w.threads) {
		return 0
	}
	return w.threads[id].events
}

func (w *Work) add(t *thread, e *trace.Event) {
	m := w.symbols.Method(e.Method)
	t.spend(w.symbols, e.Wall-t.last, e.CPU-t.cpu)
	t.frame(m, e)
	t.stack.Apply(e, struct{}{})
	if t.firstCPU == 0 {
		t.firstCPU = e.CPU
	}
	t.last, t.cpu, w.last = e.Wall, e.CPU, max(w.last, e.Wall)
	if m.Flags&trace.RuntimeInternal == 0 {
		t.events++
	}
}

// spend counts time of a thread in which it uses CPU time. One that waits, or has no frame, runs for no longer: it works off what its last
// event took.
func (t *thread) spend(symbols *trace.Symbols, d, cpu time.Duration) {
	ran := d
	if m, ok := t.stack.Innermost(); !ok || symbols.Method(m).Wait != trace.Running {
		ran = max(0, min(d, cpu))
	}
	t.toll.Ran, t.toll.Waited = t.toll.Ran+ran, t.toll.Waited+d-ran
}

// frame counts a wait for an instant, which begins or ends with an event.
func (t *thread) frame(m *trace.Method, e *trace.Event) {
	if m.Period == 0 {
		return
	}
	if e.Action == trace.Enter {
		t.toll.Frames++
		if t.due > 0 && (e.Wall > t.due || e.Wall == t.due && !m.AtOnce) {
			t.toll.Late++
			t.toll.LateBy += e.Wall - t.due
		}
		return
	}
	if !m.AtOnce || t.due == 0 {
		t.due = e.Wall.Truncate(m.Period)
	}
	t.due += m.Period // a turn that is late takes none from the next
}

// Finish says how long the run of the truth was, all of which has been added.
func (w *Work) Finish(length time.Duration) {
	w.Length, w.tails = length, make([]lateness.Toll, len(w.symbols.Threads))
	for id, known := range w.symbols.Threads {
		t, end := *w.thread(trace.ThreadID(id)), length
		if known.End > 0 {
			end = known.End
		}
		t.toll = lateness.Toll{}
		t.spend(w.symbols, max(0, end-t.last), 0)
		w.tails[id] = t.toll
	}
}

// toll returns what became of all threads' running and waiting, beside what they did untraced. What they did after
// their last events took as long. Late are the frames that are so beyond those that were late untraced.
func (w *Work) toll(untraced *Work) (sum lateness.Toll) {
	for i := range w.threads {
		t := &w.threads[i].toll
		sum.Lost, sum.Longer = sum.Lost+t.Ran, sum.Longer+t.Waited
		sum.Frames, sum.Late, sum.LateBy = sum.Frames+t.Frames, sum.Late+t.Late, sum.LateBy+t.LateBy
	}
	for i := range untraced.threads {
		t := &untraced.threads[i].toll
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

// cpuTime returns the CPU time that the threads that count have used from their first to their last events.
func (w *Work) cpuTime() (sum time.Duration) {
	for id := range w.threads {
		if w.counts == nil || w.counts(&w.symbols.Threads[id]) {
			sum += w.threads[id].cpu - w.threads[id].firstCPU
		}
	}
	return sum
}
