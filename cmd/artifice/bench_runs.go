package main

import (
	"cmp"
	"context"
	"io"
	"time"

	"artifice/bench"
	"artifice/cmd/artifice/command"

	"artifice/format"
	"artifice/trace"
	"artifice/trace/filter"
	"artifice/workload"
)

// eachRun is what is said of a sweep in which each tracer has a run of its own.
const eachRun = "its threads share cores or wait for each other: each trace is of a run of its own, until all threads have done what they do untraced"

// interacting returns the workload of that name if its threads share cores or wait for each other, so that each tracer has a run of
// its own; nil of other sources.
func interacting(name string) *workload.Program {
	if p, err := format.Program(name); err == nil && p != nil && p.Interacts() { // what is wrong with it is said when it is opened
		return p
	}
	return nil
}

// length is how long a workload runs, 0 being its own length: one of whose runs each tracer has one, no further than to the end of the part
// that is traced. All threads are to have done by then what they do untraced.
func (f *benchFlags) length(p *workload.Program) time.Duration {
	if p != nil && f.part.To > 0 && f.part.To < cmp.Or(f.duration, p.Duration) {
		return f.part.To
	}
	return f.duration
}

// window returns the part of a truth that is traced, whose time begins with it. A run of an app that each tracer has for itself ends by what
// its threads do.
func (f *benchFlags) window(truth *trace.Recording, runs bool) (*trace.Recording, error) {
	to := f.part.To
	if f.part.From == 0 && to == 0 {
		return truth, nil
	}
	if err := f.part.Check(); err != nil {
		return nil, command.AsUsage(err)
	}
	if runs && f.part.From == 0 {
		return truth, nil
	}
	if runs {
		to = 0
	}
	return filter.Window(truth, f.part.From, to)
}

// runs opens runs of a workload, from where tracing begins on: with the seed of the truth, and those of the runs of confirm.
func (f *benchFlags) runs(p *workload.Program, src *command.Source) func(run int, length time.Duration) (*trace.Recording, error) {
	again := p.Runs(command.DefaultSeed)
	return func(run int, length time.Duration) (*trace.Recording, error) {
		rec, err := again(run, f.part.From+length)
		if err != nil {
			return nil, err
		}
		if rec, err = src.Likewise(rec); err != nil {
			return nil, err
		}
		return f.window(rec, true)
	}
}

// confirm tries the advice on other runs of an app that can be run again.
func (f *benchFlags) confirm(ctx context.Context, std command.Stdio, src *command.Source, r *bench.Result, cfg bench.Config) error {
	if !format.IsWorkload(src.Name) || format.IsCallTree(src.Name) {
		return nil
	}
	if len(f.part.Threads) > 0 {
		cfg.Threads = f.part
	}
	length := f.length(interacting(src.Name))
	return r.Confirm(ctx, cfg, func(run int) (*trace.Recording, error) {
		seed := command.DefaultSeed + 1 + uint64(run)
		other, err := command.Open(ctx, command.Stdio{In: std.In, Out: std.Out, Err: io.Discard}, src.Name, command.SourceFlags{Order: format.AsTruth, Ahead: true, Names: f.names, Truth: command.TruthFlags{Seed: &seed, Duration: length}})
		if err != nil {
			return nil, err
		}
		return f.window(src.Inline(other.Recording), cfg.Live != nil)
	})
}
