package bench

import (
	"math"
	"time"

	"artifice/bench/metric"
	"artifice/trace"
)

// recordingJob runs one tracer that records every call.
type recordingJob struct {
	cell *cell
	cpu  bool // errors of CPU time are asked for
}

// run records the truth and scores the recording.
func (j *recordingJob) run(truth *trace.Recording) error {
	course := newCourse(truth.Events, truth)
	made, err := j.cell.mode.record(truth, course, j.cell.config.device)
	if err != nil {
		return err
	}
	heard := newListener(course)
	if j.cpu && made.rec.Info.Clock.HasCPU() {
		course.withCPU()
		heard.withCPU()
	}
	if err := made.listen(heard); err != nil {
		return err
	}
	if err := course.finish(course.length()); err != nil {
		return err
	}
	heard.finish()
	heard.line = made.line.finish()
	heard.seen = heard.reported
	reference := newReference(course)
	s, detail := reference.compare(&heard.tally)
	s[Samples] = math.NaN()
	fillCost(&s, made.cost(heard.reported, reference))
	j.cell.Scores, j.cell.detail = s, detail
	return nil
}

// listen lets the recording be made, tallied and held against the truth.
func (m *recorded) listen(heard *listener) error {
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := m.rec.Events.ReadEvents(batch)
		if n == 0 {
			return notEOF(err)
		}
		heard.WriteEvents(batch[:n])
		if err := m.line.WriteEvents(batch[:n]); err != nil {
			return err
		}
	}
}

// cost is what recording took. Both events of every true call, kept or not, take
// CPU time from their thread; the run is longer by what the thread with the most
// calls loses.
func (m *recorded) cost(calls int64, r *reference) metric.Cost {
	c := metric.Cost{AppTime: r.course.end, WallTime: max(m.rec.Info.Elapsed, r.course.end)}
	if m.unslowed {
		var most int64
		for _, t := range r.course.threads {
			most = max(most, t.calls)
		}
		c.WallTime = r.course.end + 2*m.event*time.Duration(most)
	}
	c.Events = m.rec.Info.Events
	if c.Events < 0 {
		c.Events = 2 * calls
	}
	c.Bytes = c.Events * recordBytes
	c.TrueCPU = r.course.cpu()
	c.CPU = c.TrueCPU + 2*m.event*time.Duration(r.calls)
	return c
}
