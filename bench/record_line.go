package bench

import (
	"math"

	"artifice/bench/metric"
	"artifice/bench/paths"
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
	waiting []queue // by thread
	blocks  blockPool
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
			m.waiting = append(m.waiting, queue{})
		}
		if !hidden(m.course.symbols, e) {
			m.waiting[e.Thread].put(e, &m.blocks)
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
		q := &m.waiting[e.Thread]
		if passed, ok := q.find(e); ok {
			for range passed + 1 {
				m.take(e.Thread)
			}
			at = q.taken
		}
	}
	m.reports(e, at)
}

// take lets the first event that waits happen.
func (m *matchedLine) take(id trace.ThreadID) {
	e := m.waiting[id].take(&m.blocks)
	e.Thread = id
	m.begin(id, m.course.threads[id].start, math.MaxInt64)
	m.happens(&e)
}

// finish lets happen what no recorded event stems from.
func (m *matchedLine) finish() metric.Timeline {
	for id := range m.course.threads {
		life := &m.course.threads[id]
		if life.path == paths.None {
			continue
		}
		for id < len(m.waiting) && m.waiting[id].n > 0 {
			m.take(trace.ThreadID(id))
		}
		m.begin(trace.ThreadID(id), life.start, math.MaxInt64)
		m.threads[id].end = life.last
	}
	return m.lanes.finish()
}
