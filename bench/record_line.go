package bench

import (
	"math"
	"time"

	"artifice/bench/metric"
	"artifice/internal/eventlog"
	"artifice/trace"
)

// recordLine tells the time line of a tracer that records calls. It stands
// between the course and the tracer: the tracer reads the truth through it, and
// what that records is written to it, each thread's events in their order.
type recordLine interface {
	trace.Reader
	trace.Writer

	// finish returns the time line, once the course is finished.
	finish() metric.Timeline
}

// matchedLine is for tracers that record every event when it happens. A recorded
// event has the tracer's time, not the app's: that of the event of the truth
// which it stems from. It is taken to stem from the first one of its thread that
// waits for its record and enters or leaves its method; those in front of that
// were not recorded.
type matchedLine struct {
	lanes
	waiting []eventlog.Queue // by thread
	blocks  eventlog.Pool
}

func newMatchedLine(c *course) *matchedLine {
	c.alone = true
	return &matchedLine{lanes: lanes{course: c}}
}

// ReadEvents implements [trace.Reader].
func (m *matchedLine) ReadEvents(p []trace.Event) (int, error) {
	n, err := m.course.ReadEvents(p)
	for i := range p[:n] {
		e := &p[i]
		for int(e.Thread) >= len(m.waiting) {
			m.waiting = append(m.waiting, eventlog.Queue{})
		}
		if !hidden(m.course.symbols, e) {
			m.waiting[e.Thread].Add(&trace.Event{Wall: e.Wall, Method: e.Method, Thread: e.Thread, Action: e.Action}, &m.blocks)
		}
	}
	return n, err
}

// WriteEvents implements [trace.Writer]. It never fails.
func (m *matchedLine) WriteEvents(events []trace.Event) error {
	for i := range events {
		m.record(&events[i])
	}
	return nil
}

func (m *matchedLine) record(e *trace.Event) {
	at := m.thread(e.Thread).at // where it is put if it stems from none
	if int(e.Thread) < len(m.waiting) {
		for range place(&m.waiting[e.Thread], e) {
			at = m.take(e.Thread)
		}
	}
	m.reports(e, at)
}

// place returns which of the events that wait does to the stack what e does,
// counted from 1: the first one; 0 when there is none.
func place(waiting *eventlog.Queue, e *trace.Event) int {
	r := waiting.Reader()
	for n := range waiting.Len() {
		if held := r.Next(); held.Method == e.Method && (held.Action == trace.Enter) == (e.Action == trace.Enter) {
			return n + 1
		}
	}
	return 0
}

// take lets the first event that waits happen, and returns when that was.
func (m *matchedLine) take(id trace.ThreadID) time.Duration {
	var e [1]trace.Event
	m.waiting[id].Take(e[:], &m.blocks)
	m.begin(id, m.course.threads[id].start, math.MaxInt64)
	m.happens(&e[0])
	return e[0].Wall
}

// finish lets happen what no recorded event stems from.
func (m *matchedLine) finish() metric.Timeline {
	for id := range m.course.threads {
		life := &m.course.threads[id]
		if !life.began() {
			continue
		}
		for id < len(m.waiting) && m.waiting[id].Len() > 0 {
			m.take(trace.ThreadID(id))
		}
		m.begin(trace.ThreadID(id), life.start, math.MaxInt64)
		m.threads[id].end = life.last
	}
	return m.lanes.finish()
}
