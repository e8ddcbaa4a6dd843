package machine

import (
	"time"

	"artifice/trace"
)

// Config says how a program is carried out.
type Config struct {
	Seed   uint64        // of all random numbers
	Length time.Duration // of the truth
	Tracer Tracer        // who watches; nil: nobody does
	Live   bool          // the reader is a [trace.LiveApp]
}

// Start carries out a program whose threads and methods are in rec, and returns what happens, all threads
// merged in time order. What changes while it runs is noted in rec: the ends of threads, and of the truth.
func (c *Code) Start(rec *trace.Recording, cfg Config) trace.Reader {
	if !cfg.Live && !c.Interacts() {
		return newMerge(c, rec, cfg)
	}
	m := newMachine(c, rec, cfg)
	switch cores := len(c.Cores) > 0; { // else each thread has one, of which there is nothing to tell
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

// Interacts reports whether what one thread does can change what others do.
func (c *Code) Interacts() bool { return len(c.Cores) > 0 || len(c.Handoffs) > 0 }
