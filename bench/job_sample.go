package bench

import (
	"time"

	"artifice/diffstack"
	"artifice/sampler"
	"artifice/trace"
)

// samplingJob runs samplers over one reading of the truth.
type samplingJob struct {
	cells     []*cell
	course    *course
	watchers  []*watcher
	tallies   []*tally // by cell
	samplers  []*sampler.Sampler
	reference *reference
}

// run lets the samplers watch the truth and scores what they saw.
func (j *samplingJob) run(truth *trace.Recording) error {
	if err := j.watch(truth); err != nil {
		return err
	}
	for _, w := range j.watchers {
		w.finish()
	}
	j.reference = newReference(j.course)
	j.compare(j.tallies[0].board)
	j.watchers, j.tallies, j.samplers = nil, nil, nil
	return nil
}

// together is how many tracers are compared at a time: so many columns of one
// path lie in a few cache lines.
const together = 16

// compare scores every cell.
func (j *samplingJob) compare(b *board) {
	dst := make([][]column, together)
	for first := 0; first < len(j.cells); first += together {
		dst = dst[:min(together, len(j.cells)-first)]
		b.columns(first, dst, j.reference.course.table.Len())
		for i, columns := range dst {
			c := j.cells[first+i]
			c.Scores, c.detail = j.reference.compare(j.tallies[first+i], columns)
			if c.mode.reading != AllSamples && c.mode.reading != CountTimesInterval {
				c.Scores.forgetSamples()
			}
			costOfSampling(j.samplers[first+i], &c.Scores)
		}
	}
}

// watch lets the samplers watch the truth to its end.
func (j *samplingJob) watch(truth *trace.Recording) error {
	course := newCourse(truth.Events, truth)
	truth.Events, j.course = course, course
	b := &board{width: len(j.cells)}
	for i, c := range j.cells {
		config := c.mode.watch(c.config)
		if c.mode.reading == AllSamples || c.mode.reading == CountTimesInterval {
			config.Clock = trace.Wall // nobody looks at CPU stamps
		}
		s, err := sampler.New(truth, config, nil)
		if err != nil {
			return err
		}
		c.Phase = config.Phase
		j.samplers = append(j.samplers, s)
		j.attach(s, c.mode.reading, &config, course, tally{board: b, tracer: i})
	}
	if err := sampler.Run(truth, j.samplers...); err != nil {
		return err
	}
	return course.finish(endOf(truth, course))
}

// longestGaps is how many mean gaps the longest one may last, which a garbage
// collection can stretch, for its time line to be exact.
const longestGaps = 8

// attach lets a sampler be watched or, where only its events count, listened to.
func (j *samplingJob) attach(s *sampler.Sampler, reading Reading, config *sampler.Config, course *course, t tally) {
	switch reading {
	case AllSamples, CountTimesInterval:
		w := &watcher{course: course, ends: config.SliceEnd, tally: t}
		if config.SliceEnd != diffstack.EndNext {
			course.keep = max(course.keep, longestGaps*(config.Interval+config.Cost.Overshoot+config.Cost.OvershootSpread))
		}
		if reading == CountTimesInterval {
			w.each = config.Interval
		}
		s.SetObserver(w)
		j.watchers = append(j.watchers, w)
		j.tallies = append(j.tallies, &w.tally)
	default:
		cost := &config.Cost
		period := config.Interval + cost.Overshoot + cost.PerTick + cost.PerThread*time.Duration(len(course.symbols.Threads))
		l := &listener{course: course, reading: reading, interval: period, tally: t}
		s.SetOutput(l)
		j.tallies = append(j.tallies, &l.tally)
	}
}

// endOf returns when the truth ends, as the samplers see it.
func endOf(truth *trace.Recording, c *course) time.Duration {
	end := c.end
	for _, e := range c.pending[c.next:] {
		end = e.Wall
	}
	if truth.Info.Technique == trace.Truth {
		end = max(end, truth.Info.Elapsed)
	}
	return end
}
