package workload

import (
	"fmt"
	"time"

	"artifice/trace"
	"artifice/workload/internal/machine"
)

// Config says which truth of a program to make. The zero value is seed 0 and
// the program's own duration.
type Config struct {
	Seed     uint64         // of all random numbers; the same seed gives the same events
	Duration time.Duration  // how long the app is watched; 0: [Program.Duration]; at most 10,000 h
	Tracer   machine.Tracer // who watches; nil: nobody does

	// Live makes a truth that a tracer can watch: its reader is a [trace.LiveApp]. It lasts as long by the
	// wall clock as unwatched, so threads that are made slower do less.
	Live bool
}

// Interacts reports whether what one thread loses to a tracer can change what others do, and when: where threads share
// cores, or wait for each other. Of such a program only a live truth tells what a tracer makes of it.
func (p *Program) Interacts() bool { return p.code.Interacts() }

// SharesCores reports whether the program's threads share cores.
func (p *Program) SharesCores() bool { return len(p.code.Cores) > 0 }

// Runs returns what opens runs of an app that can be traced while they go on, for a length: run 0 has a seed, and each
// other one the next.
func (p *Program) Runs(seed uint64) func(run int, length time.Duration) (*trace.Recording, error) {
	return func(run int, length time.Duration) (*trace.Recording, error) {
		return p.Truth(Config{Seed: seed + uint64(run), Duration: min(length, maxScheduled), Live: true})
	}
}

// Truth returns what the app does, unobserved unless [Config.Tracer] is set: its events on both clocks, all
// threads merged in time order. They are made while they are read, in memory
// that does not depend on how many there are.
//
// Threads are listed in the order in which they are attached. Equal times come
// in that order too. A frame that is open at the start is an enter at wall time
// 0 (see [trace.Thread]); a frame that is open at the end has no exit. The CPU
// time of an event counts from the thread's birth and is never 0. Info.Elapsed
// is final at io.EOF.
//
// Where threads share cores ([ReadYAML]), equal times come in the order in which things
// happen, and the truth's reader is a [trace.SchedSource].
func (p *Program) Truth(cfg Config) (*trace.Recording, error) {
	length := cfg.Duration
	if length == 0 {
		length = p.Duration
	}
	if length < 0 || length > maxDuration {
		return nil, fmt.Errorf("workload %s: a truth of %v: must last from 1ns to %v", p.Name, cfg.Duration, maxDuration)
	}
	rec := &trace.Recording{Symbols: p.symbols(length)}
	rec.Info = trace.Info{Clock: trace.Dual, Technique: trace.Truth, Elapsed: length, VM: "art",
		PID: int(p.threads[0].TID), Events: -1}
	if scheduled := p.Interacts() || cfg.Live; scheduled && length > maxScheduled {
		return nil, fmt.Errorf("workload %s: a truth of %v on cores, or of threads that wait for each other: must last %v at most", p.Name, length, maxScheduled)
	}
	rec.Events = p.code.Start(rec, machine.Config{Seed: cfg.Seed, Length: length, Tracer: cfg.Tracer, Live: cfg.Live})
	return rec, nil
}
