package instrument

import (
	"errors"
	"time"

	"artifice/art"
	"artifice/trace"
)

// Config says how the app is traced. The zero value is
// Debug.startMethodTracing in a debuggable app on the default runtime, at no
// cost.
type Config struct {
	Runtime    *art.Runtime // nil: art.Default
	Clock      trace.Clock
	Streaming  bool  // output mode streaming; else file
	V2         bool  // format V2
	BufferSize int64 // bytes of the buffer in output mode file; 0: 8 MiB
	Cost       Cost
	Seed       uint64 // of what is left to chance: how long an event waits for its place in a shared buffer

	// NotDebuggable is an app that is no debug build: what becomes of the methods
	// on the stack when tracing starts depends on the runtime.
	NotDebuggable bool

	// TempDir is where events wait whose threads have fallen far behind; empty is
	// os.TempDir.
	TempDir string

	// KeepSymbols leaves events with the truth's thread and method indexes: see
	// art.Config.
	KeepSymbols bool

	// Unmerged delivers the events of each thread as soon as it has reported them,
	// without waiting for other threads to get there: each thread's in its own
	// order, and nothing goes to a temporary file. It is for those who look at the
	// threads one by one, and needs Streaming, where no event depends on what other
	// threads have recorded before.
	Unmerged bool
}

// log returns the start of the trace that c describes.
func (c *Config) log() art.Config {
	return art.Config{
		Runtime: c.Runtime, Clock: c.Clock, Streaming: c.Streaming, V2: c.V2, BufferSize: c.BufferSize,
		Technique: trace.Instrumented, ClockOverhead: c.Cost.Overhead(c.Clock), KeepSymbols: c.KeepSymbols,
	}
}

func (c *Config) check(truth *trace.Recording) error {
	cost := c.Cost
	switch {
	case min(cost.CPURead, cost.WallRead, cost.Hook, cost.Compiled, cost.Granularity) < 0:
		return errors.New("instrument: a cost is negative")
	case max(cost.CPURead, cost.WallRead, cost.Hook, cost.Compiled, cost.Granularity) > time.Second:
		return errors.New("instrument: an event or clock step of more than a second")
	case !truth.Info.Clock.HasWall():
		return errors.New("instrument: the truth has thread CPU time only; its threads cannot be put in time order")
	case c.Unmerged && !c.Streaming:
		return errors.New("instrument: what a file keeps depends on the order of all threads; unmerged they must stream")
	case c.Clock.HasCPU() && !truth.Info.Clock.HasCPU():
		return errors.New("instrument: the truth has no thread CPU time; trace it with the wall clock alone")
	}
	return nil
}
