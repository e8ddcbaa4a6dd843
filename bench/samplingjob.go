package bench

import (
	"time"

	"artifice/bench/measure"
	"artifice/bench/score"
	"artifice/diffstack"
	"artifice/internal/recorder"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer"
)

// samplingJob runs samplers while it reads the truth.
type samplingJob struct {
	cells    []*cell
	cfg      Config
	state    *score.TrueState
	scorers  []*score.SampleScorer
	sums     []*score.Accumulator // by cell
	samplers []*sampler.Sampler

	late   *deadline // nil if there is no deadline
	number int       // number of the job for its deadline
	// the truth up to the app time at which the job was stopped; else nil
	stopped *score.Reference
	events  int                 // number of events so far
	ruled   recorder.WaitTotals // waits of the truth, by the kinds of their ends
}

// run runs the samplers and scores their recordings.
func (j *samplingJob) run(truth *trace.Recording) error {
	if err := j.sample(truth); err != nil {
		return err
	}
	for _, s := range j.scorers {
		s.Finish()
	}
	j.ruled = j.samplers[0].Stats().WaitTotals
	j.cfg.inTurn(j.state, j.compare)
	if j.stopped == nil {
		j.state.Close()
	}
	j.state, j.scorers, j.sums, j.samplers = nil, nil, nil, nil
	return nil
}

// compare compares the report of each sampler with the truth.
func (j *samplingJob) compare() {
	reference := j.cfg.reference(j.state)
	if j.stopped != nil {
		j.stopped = reference
	}
	named := reference.Named(j.cfg.Goal.Methods)
	for i, c := range j.cells {
		if !c.mode.reading.HasSamples() {
			j.sums[i].Samples, j.sums[i].Seen = measure.Unknown, measure.Unknown
		}
		c.compare(reference, j.sums[i], named, j.cost(i))
	}
}

// cost returns the cost of sampler i. Stopped threads use no CPU time.
func (j *samplingJob) cost(i int) measure.Cost {
	stats := *j.samplers[i].Stats()
	if j.cells[i].mode.reading.HasSamples() || j.cfg.Threads != nil {
		stats.Events = j.sums[i].Events()
	}
	if stats.Paused == 0 {
		stats.Overhead = untouched
	}
	if j.cfg.Threads != nil && stats.Dropped > 0 {
		stats.Dropped = measure.Unknown // the threads of these drops are unknown
	}
	return measure.Cost{
		Length: stats.AppTime, Delay: stats.Delay, LongestPause: stats.LongestPause,
		Period: stats.MeanPeriod(), Events: stats.Events, Dropped: stats.Dropped, Overhead: stats.Overhead,
	}
}

// untouched is the overhead of a tracer without cost; it defines the ratios.
var untouched = recorder.Overhead{Ran: 1, Waited: 1}

// sample runs the samplers to the end of the truth.
func (j *samplingJob) sample(truth *trace.Recording) error {
	j.state = j.cfg.trueState(truth)
	truth.Events = j.state.Reader()
	for _, c := range j.cells {
		config := sampler.Config(c.run.(tracer.Samples))
		cpu := j.cfg.CPU && c.mode.reading.HasCPU()
		if !cpu && c.mode.reading.HasSamples() {
			config.Clock = trace.Wall // CPU timestamps are not used
		}
		s, err := sampler.New(truth, config, nil)
		if err != nil {
			return err
		}
		c.Phase = config.Phase
		j.samplers = append(j.samplers, s)
		j.attach(s, c.mode.reading, &config, len(truth.Symbols.Threads), cpu)
	}
	err := sampler.RunUntil(func(reached time.Duration) error {
		err := j.reach(reached)
		if err == sampler.ErrStopped {
			truth.Info.Elapsed = reached
			truth.Symbols.Threads = endedBy(reached, truth.Symbols.Threads)
		}
		return err
	}, truth, j.samplers...)
	if err == sampler.ErrStopped {
		j.stopped = new(score.Reference)
		return j.state.FinishAt(j.samplers[0].Stats().AppTime)
	}
	if err != nil {
		return err
	}
	return j.state.Finish(truth)
}

// reach records the progress of the job; the first job also reports it. It returns an error if the
// job has to stop.
func (j *samplingJob) reach(at time.Duration) error {
	j.events++
	if err := j.cfg.exceeded(j.events); err != nil {
		return err
	}
	if j.late == nil {
		return nil
	}
	j.late.note(j.number, at)
	if j.number == 0 && j.cfg.Progress != nil {
		j.cfg.Progress(at)
	}
	if j.late.passed(at) {
		return sampler.ErrStopped
	}
	return nil
}

// attach connects a sampler with its scorer: a scorer of samples or, if only events are compared,
// of events.
func (j *samplingJob) attach(s *sampler.Sampler, reading score.Reading, config *sampler.Config, threads int, cpu bool) {
	if !reading.HasSamples() {
		cost := &config.Cost
		// the sampling thread is walked, too
		period := config.Interval + cost.Overshoot + cost.PerTick + cost.PerThread*time.Duration(threads+1)
		scorer := score.NewEventScorer(j.state, reading, period)
		if cpu {
			scorer.WithCPU()
		}
		s.SetOutput(scorer)
		j.sums = append(j.sums, &scorer.Accumulator)
		return
	}
	read := score.SampleConfig{Ends: config.SliceEnd, ByMethod: config.Identity == diffstack.ByMethod, CPU: cpu}
	if reading == score.CountTimesInterval {
		read.Each = config.Interval
	}
	scorer := score.NewSampleScorer(j.state, read)
	s.SetObserver(scorer)
	if !read.ByMethod {
		s.SetOutput(trace.Discard)
	}
	j.scorers, j.sums = append(j.scorers, scorer), append(j.sums, &scorer.Accumulator)
}
