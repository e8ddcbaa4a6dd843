package machine

import (
	"time"

	"artifice/trace"
)

// Config configures the execution of a program.
type Config struct {
	Seed   uint64        // of all random numbers
	Length time.Duration // of the truth
	Tracer Tracer        // nil: none
	Live   bool          // the reader is a [trace.LiveApp]
}

// Start executes a program with the threads and methods in rec, and returns the events of all
// threads, merged in time order. It records changes during the run in rec: the ends of threads, and
// of the truth.
func (c *Code) Start(rec *trace.Recording, cfg Config) trace.Reader {
	if !cfg.Live && !c.Interacts() {
		return newMerge(c, rec, cfg)
	}
	m := newMachine(c, rec, cfg)
	switch cores := len(c.Cores) > 0; { // otherwise each thread has its own core, and there is nothing to record
	case cfg.Live && cores:
		return liveOnCores{live{m, m}, m}
	case cfg.Live:
		return live{m, m}
	case cores:
		return m
	default:
		return struct{ trace.Reader }{m}
	}
}

// Interacts reports whether the timing of one thread can affect others.
func (c *Code) Interacts() bool { return len(c.Cores) > 0 || len(c.Handoffs) > 0 }
