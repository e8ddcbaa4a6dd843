package bench

import (
	"sync"
	"time"

	"artifice/bench/law"
	"artifice/bench/measure"

	"artifice/bench/score"

	"artifice/diffstack"
	"artifice/internal/recorder"
	"artifice/sampler"

	"artifice/trace"
	"artifice/tracer"
)

// job is what one worker does over its reading of the truth.
type job interface {
	run(truth *trace.Recording) error
}

// trueState returns the state that a job's tracers are compared with.
func (cfg *Config) trueState(truth *trace.Recording) *score.TrueState {
	state := score.NewTrueState(truth)
	if cfg.CPU {
		state.WithCPU()
	}
	if cfg.Thread != nil {
		state.Only(cfg.Thread)
	}
	if cfg.untraced != nil {
		state.ShareContexts(cfg.untraced)
	}
	if cfg.states != nil {
		state.Spill()
		cfg.states.add(state)
	}
	return state
}

// states are the true states of a sweep: what they spill is given back at its end at the
// latest.
type states struct {
	sync.Mutex
	list []*score.TrueState
}

func (s *states) add(state *score.TrueState) {
	s.Lock()
	defer s.Unlock()
	s.list = append(s.list, state)
}

// close closes all of them. A file that is in use no more has nothing to lose.
func (s *states) close() {
	for _, state := range s.list {
		state.Close()
	}
}

// reference lays out a state that is finished.
func (cfg *Config) reference(state *score.TrueState) *score.Reference {
	r := score.NewReference(state)
	if cfg.untraced != nil {
		r.Against(cfg.untraced)
	}
	return r
}

// manyContexts is how many contexts are many: what a comparison makes of them, some
// 100 bytes for each, is there once then.
const manyContexts = 1 << 16

// inTurn calls compare, which compares tracers with a state: while no other does where there are
// many contexts.
func (cfg *Config) inTurn(state *score.TrueState, compare func()) {
	if state.Contexts() > manyContexts {
		cfg.turns.Lock()
		defer cfg.turns.Unlock()
	}
	compare()
}

// samplingJob runs samplers over one reading of the truth.
type samplingJob struct {
	cells    []*cell
	cfg      Config
	state    *score.TrueState
	scorers  []*score.SampleScorer
	sums     []*score.Accumulator // by cell
	samplers []*sampler.Sampler

	late    *deadline        // nil: there is none
	number  int              // of the job, for its deadline
	stopped *score.Reference // the truth up to where the job was stopped; else nil
	ruled   recorder.Ruled   // by what the truth's waits end
}

// run runs the samplers and scores what they reported.
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

// compare holds what each sampler reported against the truth.
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
		comparison := reference.Compare(j.sums[i])
		comparison.Cost, comparison.Named, comparison.ByWall = j.cost(i), named, c.mode.wall
		c.observe(comparison)
		j.sums[i].Release()
	}
}

// cost returns what the i-th sampler cost. Threads use no CPU time while they are
// stopped.
func (j *samplingJob) cost(i int) measure.Cost {
	stats := *j.samplers[i].Stats()
	if j.cells[i].mode.reading.HasSamples() || j.cfg.Thread != nil {
		stats.Events = j.sums[i].Events()
	}
	if stats.Paused == 0 {
		stats.Overhead = untouched
	}
	if j.cfg.Thread != nil && stats.Dropped > 0 {
		stats.Dropped = measure.Unknown // nobody knows whose they were
	}
	return measure.Cost{
		Length: stats.AppTime, Delay: stats.Delay, LongestPause: stats.LongestPause,
		Period: stats.MeanPeriod(), Events: stats.Events, Dropped: stats.Dropped, Overhead: stats.Toll,
	}
}

// untouched is the toll of a tracer that takes no time: of it the ratios count.
var untouched = recorder.Overhead{Ran: 1, Waited: 1}

// sample runs the samplers to the end of the truth.
func (j *samplingJob) sample(truth *trace.Recording) error {
	j.state = j.cfg.trueState(truth)
	truth.Events = j.state.Reader()
	for _, c := range j.cells {
		config := sampler.Config(c.run.(tracer.Samples))
		cpu := j.cfg.CPU && c.mode.reading.HasCPU()
		if !cpu && c.mode.reading.HasSamples() {
			config.Clock = trace.Wall // nobody looks at CPU stamps
		}
		s, err := sampler.New(truth, config, nil)
		if err != nil {
			return err
		}
		c.Phase = config.Phase
		j.samplers = append(j.samplers, s)
		j.attach(s, c.mode.reading, &config, len(truth.Symbols.Threads), cpu)
	}
	err := sampler.RunUntil(func(reached time.Duration) bool {
		if !j.reach(reached) {
			return false
		}
		truth.Info.Elapsed = reached
		truth.Symbols.Threads = endedBy(reached, truth.Symbols.Threads)
		return true
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

// reach notes how far the job is, of which the first one reports the progress, and returns whether
// it has to stop.
func (j *samplingJob) reach(at time.Duration) (stop bool) {
	if j.late == nil {
		return false
	}
	if j.number == 0 && j.cfg.Progress != nil {
		j.cfg.Progress(at)
	}
	return j.late.reach(j.number, at)
}

// attach gives a sampler its scorer: of samples or, where only events count, of
// events.
func (j *samplingJob) attach(s *sampler.Sampler, reading score.Reading, config *sampler.Config, threads int, cpu bool) {
	if !reading.HasSamples() {
		cost := &config.Cost
		period := config.Interval + cost.Overshoot + cost.PerTick + cost.PerThread*time.Duration(threads+1) // the sampling thread is walked too
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

// recordingJob runs one tracer, and compares its record with the truth.
type recordingJob struct {
	cell *cell
	cfg  Config
}

// run records the truth and scores the recording.
func (j *recordingJob) run(truth *trace.Recording) error {
	last := recorder.FollowLast(truth)
	state := j.cfg.trueState(truth)
	defer state.Close()
	sums, made, err := score.Record(state, truth, j.cell.run.Record, j.cfg.CPU)
	if err != nil {
		return err
	}
	j.cfg.inTurn(state, func() {
		reference := j.cfg.reference(state)
		comparison := reference.Compare(sums)
		comparison.Named = reference.Named(j.cfg.Goal.Methods)
		comparison.Cost = recordingCost(made, state, reference, &truth.Info)
		if last != nil {
			comparison.Cost.Delay = last.Delay(made.Late)
			comparison.Cost.Overhead = takenByCPU(&comparison.Cost)
		}
		comparison.Cost.Events = sums.Events()
		j.cell.observe(comparison)
	})
	return nil
}

// recordingCost returns what a recording took of a truth, which ended when it was
// stopped or with its last event. Where each event of the truth, kept or not, takes the same
// from its thread, that is part of the CPU time.
func recordingCost(made *score.Recorded, state *score.TrueState, r *score.Reference, info *trace.Info) measure.Cost {
	c := measure.Cost{Length: r.Truth().Length, TrueCPU: r.CPU(), Dropped: made.Dropped, Kept: made.Kept, LongestPause: made.Longest}
	c.Delay = max(0, made.Elapsed-max(info.Elapsed, c.Length))
	if made.Unslowed {
		c.Delay = made.Cost.Delay
	}
	c.CPU = c.TrueCPU + made.Event*time.Duration(r.CallEvents()) + state.Taken(made.Taken)
	if !info.Clock.HasCPU() {
		c.CPU = measure.Unknown
	}
	c.Overhead = takenByCPU(&c)
	return c
}

// takenByCPU returns what is known of the toll of a tracer that takes its time from threads that run, as CPU
// time: nothing where they are late, and use no more of it.
func takenByCPU(c *measure.Cost) (t recorder.Overhead) {
	if c.CPU != measure.Unknown && (c.CPU > c.TrueCPU || c.Delay == 0) {
		t.Ran, t.Lost = c.TrueCPU, c.CPU-c.TrueCPU
	}
	return t
}

// referenceJob follows the truth alone.
type referenceJob struct {
	cfg       Config
	reference *score.Reference
	work      *measure.Work // nil: nobody wants to know
}

func (j *referenceJob) run(truth *trace.Recording) error {
	if j.cfg.Live != nil {
		j.work = measure.NewWork(truth.Symbols, j.cfg.Thread)
		truth.Events = recorder.Tap(truth.Events, j.work.Add)
	}
	state := j.cfg.trueState(truth)
	if err := state.ReadAll(truth); err != nil {
		return err
	}
	j.cfg.inTurn(state, func() { j.reference = score.NewReference(state) })
	return nil
}

// lawJob computes what the rows that sample are to expect.
type lawJob struct {
	laws  *law.Laws
	index map[int]int // by number of the row: which of the laws' samplers
}

// newLawJob returns the laws of the rows that sample, nil when there is none.
func newLawJob(rows [][]*cell) *lawJob {
	j := &lawJob{index: map[int]int{}}
	var samplers []law.Sampler
	for i, row := range rows {
		if s, ok := row[0].run.(tracer.Samples); ok {
			j.index[i] = len(samplers)
			samplers = append(samplers, lawSampler(sampler.Config(s)))
		}
	}
	if len(samplers) == 0 {
		return nil
	}
	j.laws = law.New(samplers)
	return j
}

// lawSampler is a sampler as the laws see it.
func lawSampler(c sampler.Config) law.Sampler {
	return law.Sampler{
		Interval: c.Interval, Overshoot: c.Cost.Overshoot, Spread: c.Cost.OvershootSpread, Overshoots: c.Cost.Overshoots,
		Poisson: c.Schedule == sampler.Poisson, Identity: c.Identity,
		PerTick: c.Cost.PerTick, PerThread: c.Cost.PerThread, PerFrame: c.Cost.PerFrame, Resume: c.Cost.Resume,
		OneClock: c.OneClock, NoCore: c.Cost.NoCore > 0 && c.Schedule == sampler.SleepLoop,
		Altered: c.Leaves != sampler.LeavesSeen || c.BufferSize > 0,
	}
}

func (j *lawJob) run(truth *trace.Recording) error { return j.laws.Read(truth) }

// expected returns what the laws say of a row, and whether they know it.
func (j *lawJob) expected(row int) (law.Expected, bool) {
	i, ok := j.index[row]
	if !ok {
		return law.Expected{}, false
	}
	return j.laws.Expected(i), true
}
