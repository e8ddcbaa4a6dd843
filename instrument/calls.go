package instrument

import (
	"errors"
	"fmt"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// CallsConfig configures a tracer that code in the app calls at each method call. A plug-in
// inserted the code when the app was built, or a modified runtime executes it. The zero value
// records every call, at no cost.
type CallsConfig struct {
	// Sees reports whether a method reports its calls; nil: all do. ART's own methods never do.
	Sees func(*trace.Method) bool

	MainOnly bool // only the first thread's calls are recorded; others cost nothing

	// Enter and Exit are the cost of the code at a method's start and end for its thread. The clock
	// is read first.
	Enter, Exit time.Duration

	Exceptions Exceptions

	// AtExit records a call once, at its end, with its start and length. Calls that are open when
	// tracing stops and calls of length 0 are not in the record.
	AtExit bool

	// Ring is the number of entries that the buffer keeps, the last ones; 0: all. An entry is an
	// enter or an exit. An exit is dropped if its enter has been overwritten. Ring needs MainOnly,
	// except with ExceptionsRepaired, where all threads share the ring.
	Ring int64

	// Most is the maximum number of entries; later ones are lost. An entry is an enter or an exit,
	// or a call if it is recorded at its exit. 0: unlimited.
	MaxEntries int64

	// Updated is the update interval if the clock is a number that another thread updates; see
	// [updatedClock].
	Updated time.Duration

	CPU bool // the record has CPU time if the truth does

	Sections bool // the recorded calls are sections of android.os.Trace

	TempDir string // for events waiting for their place; "": os.TempDir
}

// Exceptions selects how calls that an exception leaves are recorded. The throwing call always
// ends: an exit is reported before each athrow. The setting concerns the calls that the exception
// passes through: those unwound right after another call of the thread.
type Exceptions uint8

const (
	// ExceptionsExit reports the exit, as a try-finally or the runtime itself does.
	ExceptionsExit Exceptions = iota

	// ExceptionsRepaired reports no exit; an off-line repair estimates it, thread by thread: see
	// [rhea.Repair]. The clock has whole microseconds, and calls that begin in the same microsecond
	// can be nested the wrong way around.
	ExceptionsRepaired

	// ExceptionsDrop reports no exit and drops the call: it was never written, or no exit is found
	// for it.
	ExceptionsDrop
)

func (c *CallsConfig) check(truth *trace.Recording) error {
	switch {
	case !truth.Info.Clock.HasWall():
		return errors.New("the truth has only thread CPU time, which does not order events of different threads")
	case min(c.Enter, c.Exit, c.Updated) < 0:
		return errors.New("a cost of a call, or a step of the clock, is negative")
	case max(c.Enter, c.Exit, c.Updated) > time.Second:
		return errors.New("a cost of a call, or a step of the clock, is more than a second")
	case c.Ring < 0 || c.MaxEntries < 0 || c.Ring > 0 && !c.MainOnly && c.Exceptions != ExceptionsRepaired:
		return fmt.Errorf("a ring buffer of %d entries, a limit of %d entries: both must be at least 0, and a ring buffer requires the main thread only", c.Ring, c.MaxEntries)
	case c.Exceptions == ExceptionsRepaired && (c.AtExit || c.MaxEntries > 0 || c.Updated > 0 || c.CPU):
		return errors.New("RheaTrace's repair applies only to begins and ends without CPU time")
	case c.Exceptions > ExceptionsDrop:
		return fmt.Errorf("unknown rule %d for exceptions", c.Exceptions)
	}
	return nil
}

// RecordCalls records truth with a tracer of calls. The truth's events must be in time order; the
// recording has its symbols. The outcome of a call is determined at its end, so all of the truth is
// read before the first event is delivered. Events wait in memory and, if there are many, in a
// temporary file.
//
// Each thread is delayed by the cost of its own calls. Waits last as long as in the truth, except
// for waits that the truth states to end at a deadline or by an action of another thread (package
// recorder).
func RecordCalls(truth *trace.Recording, cfg CallsConfig) (*trace.Recording, error) {
	if err := cfg.check(truth); err != nil {
		return nil, err
	}
	cfg.CPU = cfg.CPU && truth.Info.Clock.HasCPU()
	t := &callTracer{truth: truth, cfg: cfg, order: recorder.NewOrder(truth), markers: markers{most: cfg.Ring}}
	info := truth.Info
	info.Technique, info.Interval, info.ClockOverhead = trace.Instrumented, 0, 0
	info.Sections = cfg.Sections
	if !cfg.CPU {
		info.Clock = trace.Wall
	}
	t.reader = recorder.NewReader(truth, info, t, cfg.TempDir)
	return t.reader.Record, nil
}

// callTracer is a tracer invoked at each method call. It is a [recorder.Tracer].
type callTracer struct {
	truth    *trace.Recording
	cfg      CallsConfig
	reader   *recorder.Reader
	order    recorder.Order
	threads  []calling
	handoffs recorder.Handoffs[time.Duration]
	sees     []bool // by method
	entries  int64
	dropped  int64
	clock    updatedClock
	markers  markers
}

// Cost implements [recorder.Tracer].
func (t *callTracer) Cost() recorder.Cost {
	c := recorder.Cost{Dropped: t.dropped}
	for i := range t.threads {
		th := &t.threads[i]
		c.Taken, c.Late = append(c.Taken, th.Total), append(c.Late, th.Late)
	}
	return c
}

// Delay implements [recorder.Tracer].
func (t *callTracer) Delay(id trace.ThreadID) *recorder.Delay { return &t.threads[id].Delay }

// End implements [recorder.Tracer]: the trace stops later than the truth by the largest delay of a
// thread.
func (t *callTracer) End() (elapsed time.Duration, err error) {
	if t.cfg.Exceptions == ExceptionsRepaired {
		t.writeMarkers()
	}
	elapsed = t.order.Length()
	for i := range t.threads {
		th := &t.threads[i]
		th.lost.set(th.enters) // makes room
		for _, f := range th.frames {
			if f.reported && t.cfg.AtExit {
				th.lost.set(f.enter)
			}
		}
		end, _ := t.order.End(trace.ThreadID(i))
		elapsed = max(elapsed, th.End(end))
		if t.cfg.Ring > 0 {
			t.dropped = max(0, t.entries-t.cfg.Ring)
			th.from = t.dropped
		}
	}
	t.reader.Overflow(t.dropped, t.entries, "entries")
	return elapsed, nil
}
