package art11

import (
	"errors"
	"fmt"
	"time"

	"artifice/trace"
)

// Way is how ART is told to trace. The zero value is Debug.startMethodTracing with both
// clocks into a buffer of 8 MiB, of an app that is not debuggable, at no cost.
type Way struct {
	Sampled  bool          // else instrumented
	Interval time.Duration // of samples; whole microseconds

	Clock      trace.Clock
	Streaming  bool  // else output mode file
	Buffer     int64 // bytes in output mode file; 0: 8 MiB
	Debuggable bool

	// Plain has ART run the truth's interpreted methods in its plain interpreter, whose
	// frames have no return address, instead of nterp, whose frames have one. ART 11
	// has nterp on x86-64 only. A debuggable app can have either here.
	Plain bool

	// Again says that the process has been traced before: an instrumented trace has met each
	// thread that is there, at its first microsecond of CPU time. Such a trace has no Costs.
	Again bool

	Costs Costs
}

// Costs is what tracing takes on the clocks that ART is shown.
type Costs struct {
	PerTick, PerThread, PerFrame time.Duration // the pause of a sample
	Overshoot                    time.Duration // how much too long each sleep is

	CPURead, WallRead, Hook time.Duration // an instrumented event

	// Seed is that of the emulation whose order of events is taken: each waits for its
	// place in the buffer for a random part of Hook, in the order of the truth.
	Seed uint64
}

const defaultBuffer = 8 << 20

func (w *Way) check() error {
	switch {
	case w.Sampled && (w.Interval < time.Microsecond || w.Interval%time.Microsecond != 0):
		return fmt.Errorf("interval %s: ART counts in whole microseconds", w.Interval)
	case w.Clock > trace.ThreadCPU:
		return fmt.Errorf("no clock %d", w.Clock)
	case w.Again && (w.Sampled || w.Costs != (Costs{})):
		return errors.New("the second trace of a process has to be instrumented, and costs are charged in the first one only")
	case w.Buffer < 0:
		return errors.New("a buffer of negative size")
	}
	return nil
}

// clockSource is the clock as art::TraceClockSource numbers it.
func (w *Way) clockSource() int {
	switch w.Clock {
	case trace.ThreadCPU:
		return 0
	case trace.Wall:
		return 1
	}
	return 2
}

// String describes the way of tracing in a line.
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
	if w.Debuggable {
		text += ", debuggable"
	}
	if w.Plain {
		text += ", plain interpreter"
	}
	if w.Again {
		text += ", again"
	}
	if w.Costs != (Costs{}) {
		text += ", with costs"
	}
	return text
}
