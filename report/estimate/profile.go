package estimate

import (
	"iter"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// Time is an estimated time with its 95 % interval. Low and High are equal to
// Value in a trace of every call, where nothing was sampled.
type Time struct {
	Value, Low, High time.Duration
}

// Clocks is an estimate on both clocks; that of an absent clock is zero.
type Clocks struct {
	Wall, CPU Time
}

// On returns the estimate on clock c's main axis: wall time where c has it, else
// CPU time.
func (c Clocks) On(clock trace.Clock) Time {
	if clock.HasWall() {
		return c.Wall
	}
	return c.CPU
}

// Runs counts the samples and runs from which an interval is computed.
type Runs struct {
	Samples int64 // samples that show the method
	Single  int64 // runs of one sample
	Longer  int64 // runs of two samples and more
}

// Enough reports whether there are enough samples for an interval.
func (r Runs) Enough() bool { return r.Samples >= minSamples }

// minSamples is the minimum number of samples for an interval.
const minSamples = 5

// Share is an estimated time with its evidence.
type Share struct {
	Clocks
	Runs Runs

	// NoCPU is set if CPU.Low and CPU.High are bounds and not a 95 % interval: the thread waits
	// between samples, and the CPU time that may belong to another method exceeds the sampling
	// error. Bounds are mostly far apart.
	NoCPU bool

	// Cycle is set if the runs are aliased with the sampling interval, which widens the interval.
	Cycle *Cycle
}

// Calls is the number of calls of a method.
type Calls struct {
	Reported  int64 // enter events in the trace
	Recursive int64 // of these, made while the method was on the stack
	AtLeast   bool  // Reported is a lower bound: sampling misses calls and merges others

	// Begins is the number of runs on the stack in all samples, and in every 2nd, 3rd and 4th
	// sample. It is set for methods only. doc.go explains why it does not yield an estimate of
	// Reported.
	Begins [4]float64
}

// Figures are the estimates for a method, a calling context, or a sum of these.
type Figures struct {
	Exclusive Share
	Inclusive Share // outermost activations only
	Calls     Calls
}

// Method is the estimate for one method, over all threads.
type Method struct {
	ID trace.MethodID
	Figures
}

// Profile is the estimate of a trace with its uncertainty.
type Profile struct {
	Technique trace.Technique // Sampled, or the technique that recorded every call; stacks without calls count as sampled
	Evidence  string          // for the technique, in a sentence
	Clock     trace.Clock
	OffCPU    time.Duration // wall time of recorded waits, in a profile sampled by CPU time
	OfCPU     bool          // sampled by CPU time ([trace.Info]): Period and Unseen refer to CPU time
	Clocks    trace.Clock   // of its times, without wall times derived from CPU times ([trace.Info.Clocks])
	Period    time.Duration // between samples; 0: not sampled, or not known
	Measured  time.Duration // the period according to the timestamps, if Period is as stated; 0: not known
	Apart     time.Duration // maximum time between consecutive samples; 0: not known
	Interval  time.Duration // maximum sampling interval at which it was recorded: as stated, or the period less the pause; 0: not known
	Stated    bool          // the period is from Config.Interval, because the trace does not determine it
	Span      time.Duration // from the first event to the stop, or to the last event on a CPU clock and with calltree.UntilLastEvent
	NoSamples bool          // a profile without a period, or of a quantity: the number of samples is unknown
	Quantity  trace.Quantity
	Samples   int64 // samples of threads with a frame; 0: not sampled

	// NativeEnds is the number of pauses of samples in which native code ended, if errors after such
	// ends are equal: the next samples are at the same points of the code that follows. Intervals are
	// wider for them.
	NativeEnds int64

	Tree *calltree.Tree // calls and times as recorded, less subtracted overhead

	// Unseen is the estimated share of wall time in methods without a sample: the share of time in
	// methods with one sample (Good and Turing).
	Unseen float64

	// Silence is the time without samples. Intervals are widened by it.
	Silence Silence

	// Late describes delayed samples. Intervals are wider for them.
	Late Late

	// Unsampled is the CPU time of threads beyond the time that samples show them running, summed
	// over threads for which the difference exceeds chance: samples were taken while they waited.
	// Intervals include it.
	Unsampled time.Duration

	// Hidden is the time of samples with incomplete stacks ([trace.Method.WalkEnd]), CPU time if
	// samples are of CPU time. Their callers are unknown. Intervals include it.
	Hidden time.Duration

	// LeftOut is the wall time of threads with open frames from their last event to the stop,
	// summed. It is part of the times only with calltree.UntilStop.
	LeftOut time.Duration

	// Overhead is the subtracted tracing overhead. Remains is the part that could not be
	// subtracted, because it exceeds the gaps between events. OverheadText states the cost of an
	// event or a sample with its interval. For a trace of every call, the caller of Finish sets
	// these, from instrument.Cleaned.
	Overhead, Remains time.Duration
	OverheadText      string

	sampled  []Method               // by ascending id; nil when nothing was sampled
	exact    []calltree.MethodTotal // if nothing was sampled: needs a quarter of the memory
	contexts []Figures              // by calltree.Node; nil if nothing was sampled, or with Config.MethodsOnly
	followed bool                   // made from runs of samples
	activity *activity
}

// Sampled reports whether times have sampling errors.
func (p *Profile) Sampled() bool { return p.Technique == trace.Sampled }

// Len returns the number of methods in the trace.
func (p *Profile) Len() int { return max(len(p.sampled), len(p.exact)) }

// MethodID returns the i-th method, of [Profile.Len]: they are in the order of their ids.
func (p *Profile) MethodID(i int) trace.MethodID {
	if p.sampled != nil {
		return p.sampled[i].ID
	}
	return p.exact[i].Method
}

// Method returns the estimate for the i-th method.
func (p *Profile) Method(i int) Method {
	if p.sampled != nil {
		return p.sampled[i]
	}
	m := &p.exact[i]
	return Method{m.Method, Figures{
		Exclusive: Share{Clocks: Clocks{exact(m.Exclusive.Wall), exact(m.Exclusive.CPU)}},
		Inclusive: Share{Clocks: Clocks{exact(m.Inclusive.Wall), exact(m.Inclusive.CPU)}},
		Calls:     Calls{Reported: m.Calls + m.Recursive, Recursive: m.Recursive, AtLeast: p.Sampled()},
	}}
}

// Methods returns the estimates for all methods, by ascending id.
func (p *Profile) Methods() iter.Seq[Method] {
	return func(yield func(Method) bool) {
		for i := range p.Len() {
			if !yield(p.Method(i)) {
				return
			}
		}
	}
}

// Renumber changes the ids of methods. It must keep their order.
func (p *Profile) Renumber(to []trace.MethodID) {
	for i := range p.sampled {
		p.sampled[i].ID = to[p.sampled[i].ID]
	}
	for i := range p.exact {
		p.exact[i].Method = to[p.exact[i].Method]
	}
	p.activity.renumber(to)
}

// Context returns the estimate for a calling context of Tree. If nothing was sampled it has no
// inclusive time; a caller that walks the tree computes the sum. It panics for the profile of a
// sampled trace with Config.MethodsOnly. A context counts as aliased if its method on its thread
// is.
func (p *Profile) Context(n calltree.Node) Figures {
	if int(n) < len(p.contexts) {
		return p.contexts[n]
	}
	if p.followed {
		panic("estimate: a context of a profile that was made with Config.MethodsOnly")
	}
	e := p.Tree.At(n)
	return Figures{
		Exclusive: Share{Clocks: Clocks{exact(e.Self.Wall), exact(e.Self.CPU)}},
		Calls:     Calls{Reported: e.Count, AtLeast: p.Sampled()},
	}
}

func exact(t time.Duration) Time { return Time{t, t, t} }
