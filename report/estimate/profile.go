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

// Runs is what the interval of a sampled time rests on.
type Runs struct {
	Samples int64 // samples that showed it
	Single  int64 // runs of one sample
	Longer  int64 // runs of two samples and more
}

// Enough reports whether there is enough for an interval: five samples, or one
// run that was seen for longer.
func (r Runs) Enough() bool { return r.Samples >= minSamples }

// minSamples is how many samples an interval needs.
const minSamples = 5

// Share is an estimated time and what it rests on.
type Share struct {
	Clocks
	Runs Runs

	// NoCPU is set where no 95 % interval of the CPU time can be given: the thread
	// waits between samples, and more CPU time may be another method's than chance
	// misplaces. Low and High are then bounds, by what may be its own and another's, and mostly
	// far apart.
	NoCPU bool

	// Cycle is set when the runs are in step with the sampler, and the interval is
	// wider for it.
	Cycle *Cycle
}

// Calls is how often a method was called.
type Calls struct {
	Reported  int64 // enters that the trace has
	Recursive int64 // of these, made while the method was on the stack
	AtLeast   bool  // a sampled trace misses calls and takes several for one

	// Begins is how often samples see a method come onto a thread's stack: those of
	// the trace, and as many as there would be of every 2nd, 3rd and 4th of them. It is
	// of methods alone. What does not follow from it stands in the package's comment.
	Begins [4]float64
}

// Figures are what is estimated of a method, a calling context, or a sum of these.
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

// Profile is what a trace tells, with its uncertainty.
type Profile struct {
	Technique trace.Technique // Sampled, or how every call was told; stacks without calls count as sampled
	Evidence  string          // for the technique, in a sentence
	Clock     trace.Clock
	OfCPU     bool          // sampled by CPU time, as trace.Info has it: Period and Unseen are of CPU time
	Period    time.Duration // between samples; 0: not sampled, or not known
	Apart     time.Duration // the longest that two samples which follow each other are apart; 0: not known
	Stated    bool          // the period is of Config.Interval, as the trace does not tell it
	Span      time.Duration // of the trace, on its main clock
	NoSamples bool          // sums of a profile that states no period, so that their number of samples is unknown
	Samples   int64         // samples of threads that showed a frame; 0: not sampled

	Tree *calltree.Tree // calls and times as recorded, with overhead subtracted where that was asked for

	// Unseen is the estimated share of wall time in methods that no sample met
	// (Good and Turing): the share of time in methods that one sample met.
	Unseen float64

	// Silence is how long no samples were taken. Intervals are wider for it.
	Silence Silence

	// Late is how late the sampler came. Intervals are wider for it.
	Late Late

	// Unsampled is how much more CPU time threads used than samples show them running, summed over those where it is more than
	// chance makes of it: samples came while they waited. Intervals have room for it.
	Unsampled time.Duration

	// Hidden is the time of samples whose walk of the stack ended in an error ([trace.Method.WalkEnd]), of CPU time where
	// samples are of it: their callers are not known. Intervals have room for it.
	Hidden time.Duration

	// LeftOut is the wall time of threads with open frames from their last event
	// to the stop, summed; with calltree.UntilStop it is counted.
	LeftOut time.Duration

	// Overhead is what was subtracted for the tracer's own cost, and Remains what
	// could not be, because a context took less than its share of it.
	Overhead, Remains time.Duration

	sampled  []Method               // by ascending id; nil when nothing was sampled
	exact    []calltree.MethodTotal // when nothing was sampled: a quarter of the memory
	contexts []Figures              // by calltree.Node; nil when nothing was sampled, or they were not asked for
	followed bool                   // runs of samples were followed
}

// Sampled reports whether times have sampling errors.
func (p *Profile) Sampled() bool { return p.Technique == trace.Sampled }

// Len returns how many methods the trace has.
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

// Renumber gives methods other ids, without putting them in another order.
func (p *Profile) Renumber(to []trace.MethodID) {
	for i := range p.sampled {
		p.sampled[i].ID = to[p.sampled[i].ID]
	}
	for i := range p.exact {
		p.exact[i].Method = to[p.exact[i].Method]
	}
}

// Context returns the estimate for a calling context of Tree. Where nothing was
// sampled it has no inclusive time: a caller that walks the tree adds it up. It panics for a
// sampled trace's profile that was made with Config.MethodsOnly. A context counts as in step
// with the sampler when its method on its thread is.
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
