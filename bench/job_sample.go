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
	cpu       bool // errors of CPU time are asked for
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
	j.compare()
	j.watchers, j.tallies, j.samplers = nil, nil, nil
	return nil
}

// compare scores every cell.
func (j *samplingJob) compare() {
	for i, c := range j.cells {
		c.Scores, c.detail = j.reference.compare(j.tallies[i])
		j.tallies[i].columns = columns{}
		stats := *j.samplers[i].Stats()
		if c.mode.reading.knowsSamples() {
			stats.Events = j.tallies[i].events()
		} else {
			c.Scores.forgetSamples()
		}
		costOfSampling(&stats, &c.Scores)
	}
}

// watch lets the samplers watch the truth to its end.
func (j *samplingJob) watch(truth *trace.Recording) error {
	course := newCourse(truth.Events, truth)
	truth.Events, j.course = course, course
	if j.cpu {
		course.withCPU()
	}
	for _, c := range j.cells {
		config := c.mode.watch(c.config)
		cpu := j.cpu && c.mode.reading.knowsCPU()
		if !cpu && c.mode.reading.knowsSamples() {
			config.Clock = trace.Wall // nobody looks at CPU stamps
		}
		s, err := sampler.New(truth, config, nil)
		if err != nil {
			return err
		}
		c.Phase = config.Phase
		j.samplers = append(j.samplers, s)
		j.attach(s, c.mode.reading, &config, course)
		if cpu {
			j.tallies[len(j.tallies)-1].withCPU()
		}
	}
	if err := sampler.Run(truth, j.samplers...); err != nil {
		return err
	}
	return course.finish(course.length())
}

// attach lets a sampler be watched or, where only its events count, listened to.
func (j *samplingJob) attach(s *sampler.Sampler, reading Reading, config *sampler.Config, course *course) {
	if reading.knowsSamples() {
		w := &watcher{course: course, ends: config.SliceEnd, compares: config.Identity == diffstack.ByMethod}
		if config.SliceEnd != diffstack.EndNext {
			course.moves.askers = append(course.moves.askers, w)
		}
		if reading == CountTimesInterval {
			w.each = config.Interval
		}
		s.SetObserver(w)
		if !w.compares {
			s.SetOutput(trace.Discard)
		}
		j.watchers = append(j.watchers, w)
		j.tallies = append(j.tallies, &w.tally)
	} else {
		cost := &config.Cost
		period := config.Interval + cost.Overshoot + cost.PerTick + cost.PerThread*time.Duration(len(course.symbols.Threads))
		l := &listener{course: course, reading: reading, interval: period}
		s.SetOutput(l)
		j.tallies = append(j.tallies, &l.tally)
	}
}
