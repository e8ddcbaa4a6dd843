package reference

import (
	"math"
	"time"

	"artifice/trace"
)

// Truth is the ground truth of an app.
type Truth struct {
	Symbols *trace.Symbols
	Events  []trace.Event // in time order
	Length  time.Duration // of the run

	contexts contexts
	itself   *profile // of the truth
}

// NewTruth returns a truth of events in time order.
func NewTruth(symbols *trace.Symbols, events []trace.Event, length time.Duration) *Truth {
	t := &Truth{Symbols: symbols, Events: events, Length: length, contexts: newContexts(len(symbols.Threads))}
	t.itself = t.Record().profile(t.contexts)
	return t
}

// MethodShares returns the true shares of exclusive time of the methods that have any.
func (t *Truth) MethodShares() []float64 {
	times, _ := byMethod(t.itself.self)
	return shares(times)
}

// ContextShares returns the same for calling contexts.
func (t *Truth) ContextShares() []float64 { return shares(inMethods(t.itself.self)) }

// RunningShares returns the shares of running time by method, and running time as a share of the
// time in methods.
func (t *Truth) RunningShares(cpu bool) (list []float64, ofTime float64) {
	times := t.running(t.itself, cpu)
	return shares(times), per(sum(times), sum(inMethods(t.itself.self)))
}

// running returns running time by method: CPU time, or wall time in methods that do not wait.
func (t *Truth) running(p *profile, cpu bool) map[trace.MethodID]time.Duration {
	if cpu {
		times, _ := byMethod(p.cpu)
		return times
	}
	times, _ := byMethod(p.self)
	for m := range times {
		if t.Symbols.Methods[m].Wait != trace.Running {
			delete(times, m)
		}
	}
	return times
}

func shares[K comparable](times map[K]time.Duration) (list []float64) {
	total := sum(times)
	for _, d := range times {
		if d > 0 {
			list = append(list, per(d, total))
		}
	}
	return list
}

// Event is a recorded event and its time on the app's own clock, which excludes tracing overhead.
type Event struct {
	trace.Event
	App time.Duration
}

// Record is a tracer's record of a truth.
type Record struct {
	Events []Event // of each thread in its order
	Tails  []Tail  // by thread: begin and end of its record

	AllCalls bool // the tracer records every call and takes no samples
	NoCPU    bool // it has only the wall clock

	Kept, Lost int // samples of single threads; lost: those without room

	Ticks     int
	Samples   int // of a thread that was in a method
	CallsSeen int // true calls that contain a sample

	Stop         time.Duration // end of tracing, on the clock of the events
	Delay        time.Duration // excess of the run over the truth
	CPU          time.Duration // CPU time added by tracing, or unknown
	LongestPause time.Duration
	Period       time.Duration // mean time between the starts of two ticks; 0: fewer than two
	overhead     overhead      // of samples that stop all threads
	stops        bool          // threads are stopped, which takes no CPU time, or it is unknown what else took the time
}

// unknown is a CPU time that a record does not contain.
const unknown = time.Duration(math.MinInt64)

// Tail is the time of a thread's record around its events.
type Tail struct{ Begin, BeginCPU, End, EndCPU time.Duration }

// frame is an open call.
type frame struct {
	method trace.MethodID
	site   trace.Site
	call   int // number of the call, from 1
}

// apply updates a stack by an event. If the event begins a call, call is its number.
func apply(stack []frame, e *trace.Event, call int) []frame {
	if e.Action == trace.Enter {
		return append(stack, frame{e.Method, e.Site, call})
	}
	return stack[:max(0, len(stack)-1)]
}

// Record returns the truth as a record of itself.
func (t *Truth) Record() *Record {
	r := &Record{AllCalls: true, Stop: t.Length, Tails: make([]Tail, len(t.Symbols.Threads))}
	for _, e := range t.Events {
		r.Events = append(r.Events, Event{e, e.Wall})
	}
	for id := range r.Tails {
		first, last := r.ends(trace.ThreadID(id))
		r.Tails[id] = Tail{0, first.CPU, t.Length, last.CPU}
	}
	return r
}

// ends returns the first and the last event of a thread.
func (r *Record) ends(id trace.ThreadID) (first, last trace.Event) {
	met := false
	for _, e := range r.Events {
		if e.Thread == id && !met {
			first, met = e.Event, true
		}
		if e.Thread == id {
			last = e.Event
		}
	}
	return first, last
}

// cut returns the reading at d of a clock with steps.
func cut(d, step time.Duration) time.Duration {
	if step > 1 {
		d -= d % step
	}
	return d
}
