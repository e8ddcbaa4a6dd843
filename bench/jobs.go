package bench

import (
	"sync"
	"time"

	"artifice/bench/measure"
	"artifice/bench/score"
	"artifice/internal/recorder"
	"artifice/trace"
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

// states are the true states of a sweep: their temporary files are removed at its end at the
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

// manyContexts is the number of contexts from which memory matters: a comparison's tables of them,
// some 100 bytes for each, is there once then.
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

// recordingCost returns the cost of recording a truth, which ended when it was stopped or with its
// last event. Where each event of the truth, kept or not, takes the same from its thread, that is
// part of the CPU time.
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

// takenByCPU returns the known overhead, as CPU time, of a tracer that runs on the app's threads:
// nothing where they are late, and use no more of it.
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
