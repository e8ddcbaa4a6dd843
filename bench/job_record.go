package bench

import (
	"io"
	"math"
	"time"

	"artifice/bench/metric"
	"artifice/trace"
)

// recordingJob runs one tracer that records every call.
type recordingJob struct {
	cell *cell
}

// run records the truth and scores the recording.
func (j *recordingJob) run(truth *trace.Recording) error {
	course := newCourse(truth.Events, truth)
	truth.Events = course
	rec, event, err := j.cell.mode.record(truth, j.cell.config.device)
	if err != nil {
		return err
	}
	heard := newListener(course)
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := rec.Events.ReadEvents(batch)
		if n == 0 && err != io.EOF {
			return err
		}
		heard.WriteEvents(batch[:n])
		course.advance(math.MaxInt64) // nobody asks for an instant
		if n == 0 {
			break
		}
	}
	if err := course.finish(endOf(truth, course)); err != nil {
		return err
	}
	heard.finish()
	heard.seen = heard.reported
	reference := newReference(course)
	s, detail := reference.compare(&heard.tally, heard.columns(course.table.Len()))
	s[Samples] = math.NaN()
	fillCost(&s, j.cost(rec, heard.reported, event, reference))
	j.cell.Scores, j.cell.detail = s, detail
	return nil
}

// cost is what recording took. Every event, also one that a thread loses, takes
// CPU time from its thread.
func (j *recordingJob) cost(rec *trace.Recording, calls int64, event time.Duration, r *reference) metric.Cost {
	c := metric.Cost{AppTime: r.course.end, WallTime: max(rec.Info.Elapsed, r.course.end)}
	c.Events = rec.Info.Events
	if c.Events < 0 {
		c.Events = 2 * calls
	}
	c.Bytes = c.Events * recordBytes
	c.TrueCPU = r.course.cpu()
	c.CPU = c.TrueCPU + time.Duration(c.Events)*event
	return c
}
