package bench

import (
	"sync"
	"time"

	"artifice/bench/measure"
	"artifice/bench/score"
	"artifice/internal/recorder"
	"artifice/trace"
)

// job is the work of one worker while it reads the truth.
type job interface {
	run(truth *trace.Recording) error
}

// trueState returns the state with which a job's tracers are compared.
func (cfg *Config) trueState(truth *trace.Recording) *score.TrueState {
	state := score.NewTrueState(truth)
	if cfg.CPU {
		state.WithCPU()
	}
	if cfg.Threads != nil {
		state.Only(cfg.Threads)
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

// states are the true states of a sweep. Their temporary files are removed at the end of the sweep
// at the latest.
type states struct {
	sync.Mutex
	list []*score.TrueState
}

func (s *states) add(state *score.TrueState) {
	s.Lock()
	defer s.Unlock()
	s.list = append(s.list, state)
}

// close closes all states. They must no longer be in use.
func (s *states) close() {
	for _, state := range s.list {
		state.Close()
	}
}

// reference returns the columns of a finished state.
func (cfg *Config) reference(state *score.TrueState) *score.Reference {
	r := score.NewReference(state)
	if cfg.untraced != nil {
		r.Against(cfg.untraced)
	}
	return r
}

// manyContexts is the number of contexts above which comparisons are made one at a time, because
// each needs tables of some 100 bytes per context.
const manyContexts = 1 << 16

// inTurn calls compare, which compares tracers with a state. If there are many contexts, only one
// comparison runs at a time.
func (cfg *Config) inTurn(state *score.TrueState, compare func()) {
	if state.Contexts() > manyContexts {
		cfg.turns.Lock()
		defer cfg.turns.Unlock()
	}
	compare()
}

// recordingJob runs one tracer and compares its recording with the truth.
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
		cost := recordingCost(made, state, reference, &truth.Info)
		if last != nil {
			cost.Delay = last.Delay(made.Late)
			cost.Overhead = takenByCPU(&cost)
		}
		cost.Events = sums.Events()
		j.cell.compare(reference, sums, reference.Named(j.cfg.Goal.Methods), cost)
	})
	return nil
}

// recordingCost returns the cost of recording a truth, which ended at the stop or with its last
// event. If every event of the truth, kept or not, has the same cost in its thread, that cost is
// included in the CPU time.
func recordingCost(made *score.Recorded, state *score.TrueState, r *score.Reference, info *trace.Info) measure.Cost {
	c := measure.Cost{Length: r.Truth().Length, TrueCPU: r.CPU(), Dropped: made.Dropped, Kept: made.Kept, LongestPause: made.Longest}
	c.Delay = max(0, made.Elapsed-max(info.Elapsed, c.Length))
	if made.WithoutOverhead {
		c.Delay = made.Cost.Delay
	}
	c.CPU = c.TrueCPU + made.Event*time.Duration(r.CallEvents()) + state.Taken(made.Taken)
	if !info.Clock.HasCPU() {
		c.CPU = measure.Unknown
	}
	c.Overhead = takenByCPU(&c)
	return c
}

// takenByCPU returns the known overhead, as CPU time, of a tracer that runs on the app's threads.
// It is 0 for a tracer that only delays threads without using their CPU time.
func takenByCPU(c *measure.Cost) (t recorder.Overhead) {
	if c.CPU != measure.Unknown && (c.CPU > c.TrueCPU || c.Delay == 0) {
		t.Ran, t.Lost = c.TrueCPU, c.CPU-c.TrueCPU
	}
	return t
}

// referenceJob only follows the truth.
type referenceJob struct {
	cfg       Config
	reference *score.Reference
	work      *measure.Work // nil: not requested
}

func (j *referenceJob) run(truth *trace.Recording) error {
	if j.cfg.Live != nil {
		j.work = measure.NewWork(truth.Symbols, j.cfg.Threads)
		truth.Events = recorder.Tap(truth.Events, j.work)
	}
	state := j.cfg.trueState(truth)
	if err := state.ReadAll(truth); err != nil {
		return err
	}
	j.cfg.inTurn(state, func() { j.reference = score.NewReference(state) })
	return nil
}
