package instrument

import (
	"errors"
	"fmt"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// CallsConfig configures a tracer that code in the app calls at each call: code that a plug-in
// inserted when the app was built, or that a modified runtime runs. The zero value records
// every call, at no cost.
type CallsConfig struct {
	// Sees says which methods report their calls; nil: all. ART's own never do.
	Sees func(*trace.Method) bool

	MainOnly bool // only the first thread's calls are recorded; others cost nothing

	// Enter and Exit are what the code at a method's begin and end takes from its
	// thread. The clock is read first.
	Enter, Exit time.Duration

	Exceptions Exceptions

	// AtExit tells that a call is recorded once, when it ends, with its begin and its
	// length: one that has not ended when tracing stops is not in the record, nor is one
	// of length 0.
	AtExit bool

	// Ring is how many entries the buffer keeps, the last ones; 0: all. An entry is an
	// enter or an exit. An exit whose enter is gone is left out. It needs MainOnly, but with
	// ExceptionsRepaired, where all threads share it.
	Ring int64

	// Most is how many entries there are at most: those after it are lost. An entry is
	// an enter or an exit, or a call if it is recorded at its exit. 0: any number.
	Most int64

	// Updated is set where the clock is a number that another thread updates: see
	// [updatedClock].
	Updated time.Duration

	CPU bool // the record tells CPU time, where the truth does

	Sections bool // what it sees are sections of android.os.Trace

	TempDir string // of events that wait for their place; "": os.TempDir
}

// Exceptions says what becomes of a call that an exception leaves. The one that threw
// always ends: an exit is reported before each athrow. It is about the calls that the
// exception passes through, which are those that are unwound right after another call
// of the thread.
type Exceptions uint8

const (
	// ExceptionsExit reports the exit: a try-finally, or the runtime itself, does.
	ExceptionsExit Exceptions = iota

	// ExceptionsRepaired reports none, and a repair off-line guesses it, thread by thread: see
	// [rhea.Repair]. The clock has whole microseconds, and calls that begin in the same one
	// can be inside out.
	ExceptionsRepaired

	// ExceptionsDrop reports none, and the call is thrown away: it was never written, or
	// no exit is found for it.
	ExceptionsDrop
)

func (c *CallsConfig) check(truth *trace.Recording) error {
	switch {
	case !truth.Info.Clock.HasWall():
		return errors.New("the truth has thread CPU time only; its threads cannot be put in time order")
	case min(c.Enter, c.Exit, c.Updated) < 0:
		return errors.New("a cost of a call, or a step of the clock, is negative")
	case max(c.Enter, c.Exit, c.Updated) > time.Second:
		return errors.New("a cost of a call, or a step of the clock, of more than a second")
	case c.Ring < 0 || c.Most < 0 || c.Ring > 0 && !c.MainOnly && c.Exceptions != ExceptionsRepaired:
		return fmt.Errorf("a ring of %d entries, at most %d: must not be negative, and a ring is one thread's", c.Ring, c.Most)
	case c.Exceptions == ExceptionsRepaired && (c.AtExit || c.Most > 0 || c.Updated > 0 || c.CPU):
		return errors.New("RheaTrace's repair is for begins and ends, without CPU time")
	case c.Exceptions > ExceptionsDrop:
		return fmt.Errorf("no rule %d for exceptions", c.Exceptions)
	}
	return nil
}

// RecordCalls returns what a tracer that is told of calls records of truth, whose
// events have to be in time order; it has the truth's symbols. What becomes of a call is
// known when it ends, so all of the truth is read before the first event is delivered.
// Events wait in memory and, if they are many, in a temporary file.
//
// Each thread falls behind the truth by what its own calls take. Waits last as long as in
// the truth, but for those that a truth says end at an instant, or when another thread has
// done something (package recorder).
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

// callTracer is told of each call. It is a [recorder.Tracer].
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

// End implements [recorder.Tracer]: the trace stops as much later than the truth as the thread
// that has lost most.
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
