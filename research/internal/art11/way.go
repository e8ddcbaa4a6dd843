package art11

import (
	"errors"
	"fmt"
	"time"

	"artifice/trace"
)

// Way contains ART's tracing options. The zero value is Debug.startMethodTracing with both clocks
// into a buffer of 8 MiB, in a non-debuggable app, without costs.
type Way struct {
	Sampled  bool          // else instrumented
	Interval time.Duration // of samples; whole microseconds

	Clock      trace.Clock
	Streaming  bool  // else output mode file
	V2         bool  // format V2, of later versions of ART ([Other])
	DDMS       bool  // output mode DDMS: the file is the chunk that ART publishes
	Buffer     int64 // bytes in output mode file; 0: 8 MiB
	Debuggable bool

	// Plain runs the truth's interpreted methods in ART's plain interpreter, with frames that have
	// no return address, instead of nterp, with frames that have one. ART 11 has nterp on x86-64
	// only. Here both are possible for a debuggable app.
	Plain bool

	// Again states that the process was traced before: an instrumented trace has recorded each
	// existing thread, at its first microsecond of CPU time. Such a trace has no Costs. If it is
	// instrumented, its app runs in the plain interpreter: ART 11 does not return methods to nterp
	// when a trace stops.
	Again bool

	// AfterSamples states the same of a sampled trace.
	AfterSamples bool

	// Count adds allocation statistics to the file. Samples would race with the sampling thread,
	// which allocates a java.lang.Thread of its own while the statistics are enabled.
	Count bool

	Costs Costs
}

// Costs are the costs of tracing on ART's virtual clocks.
type Costs struct {
	PerTick, PerThread, PerFrame time.Duration // the pause of a sample
	Overshoot                    time.Duration // of each sleep

	CPURead, WallRead, Hook time.Duration // an instrumented event

	// Seed is the emulation's seed for the order of events: each waits for its place in the buffer
	// for a random part of Hook, in the order of the truth.
	Seed uint64
}

const defaultBuffer = 8 << 20

func (w *Way) check() error {
	switch {
	case w.Sampled && (w.Interval < time.Microsecond || w.Interval%time.Microsecond != 0):
		return fmt.Errorf("interval %s: ART counts in whole microseconds", w.Interval)
	case w.Clock > trace.ThreadCPU:
		return fmt.Errorf("no clock %d", w.Clock)
	case w.Again && w.AfterSamples:
		return errors.New("two earlier traces")
	case (w.Again || w.AfterSamples) && w.Costs != (Costs{}):
		return errors.New("costs are charged in the first trace of a process only")
	case w.Count && w.Sampled:
		return errors.New("the number of objects of a sampled trace depends on a race")
	case w.Streaming && w.DDMS:
		return errors.New("output mode streaming and DDMS at once")
	case w.V2 && w.DDMS:
		return errors.New("DDMS has no format V2")
	case w.Buffer < 0:
		return errors.New("a buffer of negative size")
	}
	return nil
}

// clockSource returns the clock's number in art::TraceClockSource.
func (w *Way) clockSource() int {
	switch w.Clock {
	case trace.ThreadCPU:
		return 0
	case trace.Wall:
		return 1
	}
	return 2
}

// String returns the options in one line.
func (w Way) String() string {
	text := "instrumented"
	if w.Sampled {
		text = "sampled at " + w.Interval.String()
	}
	text += ", clock " + w.Clock.String()
	if w.Streaming {
		text += ", streaming"
	} else if w.Buffer > 0 && w.Buffer != defaultBuffer {
		text += fmt.Sprintf(", buffer of %d bytes", w.Buffer)
	}
	if w.V2 {
		text += ", format V2"
	}
	if w.DDMS {
		text += ", for DDMS"
	}
	if w.Debuggable {
		text += ", debuggable"
	}
	if w.Plain {
		text += ", plain interpreter"
	}
	if w.Again {
		text += ", again"
	}
	if w.AfterSamples {
		text += ", after samples"
	}
	if w.Count {
		text += ", objects counted"
	}
	if w.Costs != (Costs{}) {
		text += ", with costs"
	}
	return text
}
