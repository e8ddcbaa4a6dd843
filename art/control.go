package art

import (
	"errors"
	"fmt"
	"time"
)

// Answer is what a runtime does when an app starts or stops a trace.
type Answer uint8

const (
	Started   Answer = iota // a trace begins
	Ignored                 // nothing happens: another trace is running, and goes on as it is
	Restarted               // the running trace is ended, its file written, and another begins
	Stopped                 // the running trace ends
	NoTrace                 // nothing happens: there is no trace to stop
)

// String returns a sentence about the answer.
func (a Answer) String() string {
	return [...]string{
		"trace started",
		"trace already in progress, ignoring this request",
		"running trace ended, another started",
		"trace stopped",
		"trace stop requested, but no trace currently running",
	}[a]
}

// ErrInterval is the cause of a refused start: a sampling interval that is not
// positive.
var ErrInterval = errors.New("invalid sampling interval")

// Control answers the calls that start and stop traces of one process, as
// Trace::Start and Trace::Stop do, and dvmMethodTraceStart of Dalvik. The zero
// value is a process of the default runtime without a trace.
type Control struct {
	Runtime *Runtime // nil: [Default]
	running bool
}

// StartInstrumented answers Debug.startMethodTracing.
func (c *Control) StartInstrumented() Answer {
	if c.running && !c.runtime().Restarts {
		return Ignored
	}
	return c.start()
}

// StartSampling answers Debug.startMethodTracingSampling. ART looks at the
// interval only when no trace is running; one of zero or less is an error that
// wraps [ErrInterval].
func (c *Control) StartSampling(interval time.Duration) (Answer, error) {
	if c.running && !c.runtime().Restarts {
		return Ignored, nil
	}
	if us := interval.Microseconds(); us <= 0 {
		return Ignored, fmt.Errorf("%w: %d us (%s); it has to be 1us at least", ErrInterval, us, interval)
	}
	return c.start(), nil
}

// Stop answers Debug.stopMethodTracing.
func (c *Control) Stop() Answer {
	if !c.running {
		return NoTrace
	}
	c.running = false
	return Stopped
}

func (c *Control) start() Answer {
	if c.running {
		return Restarted
	}
	c.running = true
	return Started
}

func (c *Control) runtime() *Runtime {
	if c.Runtime == nil {
		return Default()
	}
	return c.Runtime
}
