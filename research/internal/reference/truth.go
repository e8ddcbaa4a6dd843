package reference

import (
	"math"
	"time"

	"artifice/trace"
)

// Truth is what an app does.
type Truth struct {
	Symbols *trace.Symbols
	Events  []trace.Event // in time order
	Length  time.Duration // of the run

	contexts contexts
	itself   *profile // of the truth
}

// NewTruth returns a truth of these events, in time order.
func NewTruth(symbols *trace.Symbols, events []trace.Event, length time.Duration) *Truth {
	t := &Truth{Symbols: symbols, Events: events, Length: length, contexts: newContexts(len(symbols.Threads))}
	t.itself = t.Record().profile(t.contexts)
	return t
}

// MethodShares are the true shares of exclusive time of the methods that have any.
func (t *Truth) MethodShares() []float64 {
	times, _ := byMethod(t.itself.self)
	return shares(times)
}

// ContextShares is the same of calling contexts.
func (t *Truth) ContextShares() []float64 { return shares(inMethods(t.itself.self)) }

// RunningShares is MethodShares of running time, and how much of the time in methods
// that is.
func (t *Truth) RunningShares(cpu bool) (list []float64, ofTime float64) {
	times := t.running(t.itself, cpu)
	return shares(times), per(sum(times), sum(inMethods(t.itself.self)))
}

// running is running time by method: CPU time, or else wall time in methods that do not
// wait.
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

// Event is a recorded event and when it happened by the app's own time, in which
// tracing takes none.
type Event struct {
	trace.Event
	App time.Duration
}

// Record is what a tracer made of a truth.
type Record struct {
	Events []Event // of each thread in its order
	Tails  []Tail  // by thread: how its record begins and ends

	AllCalls bool // it is of a tracer that is told of every call, and takes no samples
	NoCPU    bool // it has the wall clock alone

	Kept, Lost int // samples of threads one by one, and those that found no room

	Ticks     int
	Samples   int // of a thread that found it in a method
	CallsSeen int // true calls that a sample fell into

	Stop         time.Duration // when tracing was stopped, on the clock of the events
	Delay        time.Duration // how much longer than the truth the run takes
	CPU          time.Duration // what tracing adds to the threads' CPU time, or unknown
	LongestPause time.Duration
	Period       time.Duration // mean time between the starts of two ticks; 0: fewer than two
	overhead     overhead      // of samples that stop all threads
	stops        bool          // threads are stopped, which takes no CPU time, or it is not known what else took the time
}

// unknown is CPU time that a record does not tell.
const unknown = time.Duration(math.MinInt64)

// Tail is the time of a thread's record around its events.
type Tail struct{ Begin, BeginCPU, End, EndCPU time.Duration }

// frame is an open call.
type frame struct {
	method trace.MethodID
	site   trace.Site
	call   int // number of the call, from 1
}

// apply changes a stack by an event, the call-th if it begins a call.
func apply(stack []frame, e *trace.Event, call int) []frame {
	if e.Action == trace.Enter {
		return append(stack, frame{e.Method, e.Site, call})
	}
	return stack[:max(0, len(stack)-1)]
}

// Record is the truth as a record of itself.
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

// cut is what a clock that has steps shows at d.
func cut(d, step time.Duration) time.Duration {
	if step > 1 {
		d -= d % step
	}
	return d
}
