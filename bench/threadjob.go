package bench

import (
	"errors"
	"io"
	"time"

	"artifice/bench/measure"
	"artifice/bench/score"
	"artifice/internal/recorder"
	"artifice/sampler/thread"
	"artifice/trace"
	"artifice/tracer"
)

// threadJob runs the tracers of one row that sample threads individually, while it reads the truth.
type threadJob struct {
	cells []*cell
	cfg   Config
}

// run passes each event of the truth to all tracers, and scores their recordings.
func (j *threadJob) run(truth *trace.Recording) error {
	last := recorder.FollowLast(truth)
	state := j.cfg.trueState(truth)
	defer state.Close()
	truth.Events = state.Reader()
	var tracers []*thread.Tracer
	var scorers []*score.ThreadScorer
	for _, c := range j.cells {
		config := thread.Config(c.run.(tracer.Threads))
		scorer := score.NewThreadScorer(state, &config)
		if j.cfg.CPU && config.HasCPU() {
			scorer.WithCPU()
		}
		t, err := thread.New(truth, config, scorer)
		if err != nil {
			return err
		}
		c.Phase = config.Phase
		tracers, scorers = append(tracers, t), append(scorers, scorer)
	}
	if err := follow(truth.Events, tracers); err != nil {
		return err
	}
	elapsed := make([]time.Duration, len(tracers))
	for i, t := range tracers {
		var err error
		if elapsed[i], err = t.End(); err != nil {
			return err
		}
	}
	if err := state.Finish(truth); err != nil {
		return err
	}
	for _, s := range scorers {
		s.Finish()
	}
	j.cfg.inTurn(state, func() { j.compare(truth, state, last, tracers, scorers, elapsed) })
	return nil
}

// compare compares the report of each tracer with the truth.
func (j *threadJob) compare(truth *trace.Recording, state *score.TrueState, last *recorder.LastEvents, tracers []*thread.Tracer, scorers []*score.ThreadScorer, elapsed []time.Duration) {
	reference := j.cfg.reference(state)
	named := reference.Named(j.cfg.Goal.Methods)
	for i, c := range j.cells {
		cost := threadCost(tracers[i].Stats(), elapsed[i], state, reference, &truth.Info)
		if last != nil {
			cost.Delay = last.Delay(tracers[i].Stats().Late)
		}
		if config := thread.Config(c.run.(tracer.Threads)); !config.HasCPU() && truth.Info.Clock.HasCPU() {
			cost.CPU = reference.CPU() // a stopped thread uses no CPU time
		}
		cost.Overhead = takenByCPU(&cost)
		cost.Events = scorers[i].Events()
		c.compare(reference, &scorers[i].Accumulator, named, cost)
	}
}

// threadCost returns the cost of sampling threads of a truth. elapsed is the end of the traced run.
func threadCost(s *thread.Stats, elapsed time.Duration, state *score.TrueState, r *score.Reference, info *trace.Info) measure.Cost {
	c := measure.Cost{Length: r.Truth().Length, TrueCPU: r.CPU(), LongestPause: s.Longest, Dropped: s.Unrecorded(), Kept: s.Samples}
	c.Delay = max(0, elapsed-max(info.Elapsed, c.Length))
	c.CPU = c.TrueCPU + state.Taken(s.Taken)
	if !info.Clock.HasCPU() {
		c.CPU = measure.Unknown
	}
	return c
}

// follow reads the truth to its end. A live app has one tracer.
func follow(truth trace.Reader, tracers []*thread.Tracer) error {
	if app, ok := truth.(trace.LiveApp); ok {
		loop := recorder.Watch(app, tracers[0])
		_, err := trace.Copy(trace.Discard, app)
		return errors.Join(err, loop.Err())
	}
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := truth.ReadEvents(batch)
		if n == 0 && err == io.EOF {
			return nil
		}
		if n == 0 {
			return err
		}
		for i := range batch[:n] {
			for _, t := range tracers {
				if err := t.Take(&batch[i]); err != nil {
					return err
				}
			}
		}
	}
}

// onlyRunning reports whether all samples of a cell find threads that run.
func (c *cell) onlyRunning() bool {
	t, ok := c.run.(tracer.Threads)
	return ok && (*thread.Config)(&t).OnlyRunning()
}
