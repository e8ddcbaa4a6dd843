package workload

import (
	"fmt"
	"time"

	"artifice/trace"
	"artifice/workload/internal/machine"
)

// Config selects a truth of a program. The zero value is seed 0 and the program's own duration.
type Config struct {
	Seed     uint64         // of all random numbers; the same seed gives the same events
	Duration time.Duration  // length of the truth; 0: [Program.Duration]; at most 10,000 h
	Tracer   machine.Tracer // nil: none

	// Live makes a truth that a tracer can trace as it runs: its reader is a [trace.LiveApp]. Its
	// length in wall time is the same as without a tracer, so delayed threads do less work.
	Live bool
}

// Interacts reports whether the delay of one thread can change the actions and timing of others: if
// threads share cores, or wait for each other. For such a program only a live truth shows the
// effect of a tracer.
func (p *Program) Interacts() bool { return p.code.Interacts() }

// SharesCores reports whether the program's threads share cores.
func (p *Program) SharesCores() bool { return len(p.code.Cores) > 0 }

// Runs returns a function that opens live runs of an app of a given length. Run 0 has the given
// seed, each further run the next one.
func (p *Program) Runs(seed uint64) func(run int, length time.Duration) (*trace.Recording, error) {
	return func(run int, length time.Duration) (*trace.Recording, error) {
		return p.Truth(Config{Seed: seed + uint64(run), Duration: min(length, maxScheduled), Live: true})
	}
}

// Truth returns the truth of the app, without tracing unless [Config.Tracer] is set: its events on
// both clocks, all threads merged in time order. The events are generated as they are read, in
// memory independent of their number.
//
// Threads are listed in the order in which they are attached. Equal times come in that order too. A
// frame that is open at the start is an enter at wall time 0 (see [trace.Thread]); a frame that is
// open at the end has no exit. The CPU time of an event counts from the thread's birth and is never
// 0. Info.Elapsed is final at io.EOF.
//
// If threads share cores ([ReadYAML]), events at equal times come in execution order, and the
// truth's reader is a [trace.SchedSource].
func (p *Program) Truth(cfg Config) (*trace.Recording, error) {
	length := cfg.Duration
	if length == 0 {
		length = p.Duration
	}
	if length < 0 || length > maxDuration {
		return nil, fmt.Errorf("workload %s: duration %v: must be from 1ns to %v", p.Name, cfg.Duration, maxDuration)
	}
	rec := &trace.Recording{Symbols: p.symbols(length)}
	rec.Info = trace.Info{Clock: trace.Dual, Technique: trace.Truth, Elapsed: length, VM: "art",
		PID: int(p.threads[0].TID), Events: -1}
	if scheduled := p.Interacts() || cfg.Live; scheduled && length > maxScheduled {
		return nil, fmt.Errorf("workload %s: duration %v: must be at most %v if threads share cores or wait for each other", p.Name, length, maxScheduled)
	}
	rec.Events = p.code.Start(rec, machine.Config{Seed: cfg.Seed, Length: length, Tracer: cfg.Tracer, Live: cfg.Live})
	return rec, nil
}
