package score

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"artifice/bench/internal/spill"
	"artifice/bench/measure"
	"artifice/internal/words"
	"artifice/trace"
	"artifice/trace/calltree"
)

// Reference is the finished truth as columns: by context, by method and by edge
// (a caller and one of its callees).
type Reference struct {
	state   *TrueState
	methods *calltree.Groups[trace.MethodID]
	edges   *calltree.Groups[calltree.Edge]
	side    Side
	waits   []bool // by method

	stacked []onStacks // by method; nil until computed

	ranked  []trace.MethodID // methods with the most time
	busiest []calltree.Node  // contexts with the most calls
}

// Truth describes the truth.
type Truth struct {
	Length  time.Duration // from start to end
	Events  int64
	Threads int // with events
	Methods int // called
	Paths   int // distinct calling contexts
	Calls   int64
	Time    time.Duration // of all threads, in methods
	Running RunningTime   // of it

	// Frames is the number of intervals between two waits of a thread for the next frame of a
	// display or tick of a clock ([trace.Method].Period, without AtOnce). FramesLate is the number
	// of those longer than the period: the app misses a deadline without any tracer. Both are 0 for
	// a recorded trace, which does not contain them.
	Frames, FramesLate int64
}

// NewReference returns the columns of a finished state.
func NewReference(s *TrueState) *Reference {
	// Contexts reported only by a tracer are grouped, too.
	r := &Reference{state: s, methods: calltree.ByMethod(&s.contexts.Contexts), edges: calltree.ByEdge(&s.contexts.Contexts), waits: waitingOf(s.symbols)}
	truth := newColumns(s.memory, s.contexts.Len(), s.cpuTimes)
	for p := range truth.self[:s.sums.Len()] {
		e := s.contexts.At(calltree.Node(p))
		s.contexts.Touch(calltree.Node(p))
		truth.self[p] = e.Self.Wall
		truth.calls[p] = uint32(min(e.Count, math.MaxUint32))
		if s.cpuTimes {
			truth.cpu[p] = e.Self.CPU
		}
	}
	r.side = r.sideOf(&truth, s.memory)
	s.scratch.Reset()
	r.side.Durations = &s.durations
	r.rank()
	return r
}

// sideOf sums up columns by method and by edge. It takes ownership of the times by context.
func (r *Reference) sideOf(c *columns, memory *spill.Memory) Side {
	s := Side{Edges: spill.Make[time.Duration](memory, len(r.edges.Keys))}
	r.edges.SumTo(s.Edges, c.self)
	s.Exclusive, s.Inclusive = r.byMethod(c.self)
	r.clearRoots(c.self)
	s.Contexts, s.Time = c.self, measure.Sum(c.self)
	s.Calls = make([]int64, len(s.Exclusive))
	for p := 1; p < len(c.calls); p++ {
		if id := calltree.Node(p); !r.state.contexts.IsRoot(id) {
			s.Calls[r.state.contexts.Method(id)] += int64(c.calls[p])
		}
		r.state.contexts.Touch(calltree.Node(p))
	}
	if c.cpu != nil {
		s.CPU = &CPUSide{}
		s.CPU.Exclusive, s.CPU.Inclusive = r.byMethod(c.cpu)
		s.CPU.Time = measure.Sum(s.CPU.Exclusive)
	}
	return s
}

// clearRoots sets the times of roots to 0.
func (r *Reference) clearRoots(self []time.Duration) {
	for id := range r.state.contexts.Threads() {
		self[r.state.contexts.Root(trace.ThreadID(id))] = 0 // that of NoNode is 0
	}
}

// byMethod sums up exclusive and inclusive times by method.
func (r *Reference) byMethod(self []time.Duration) (exclusive, inclusive []time.Duration) {
	all := spill.Make[time.Duration](r.state.scratch, len(self))
	copy(all, self)
	calltree.AddUp(&r.state.contexts.Contexts, all)
	return r.spread(r.methods.Sum(self)), r.spread(r.methods.SumOutermost(all))
}

// spread returns the times of the methods on stacks as a column of all methods.
func (r *Reference) spread(times []time.Duration) []time.Duration {
	all := make([]time.Duration, len(r.state.symbols.Methods))
	for i, m := range r.methods.Keys {
		all[m] = times[i]
	}
	return all
}

// Truth returns a description of the truth, without the number of events.
func (r *Reference) Truth() Truth {
	s := r.state
	t := Truth{Length: s.end, Calls: s.calls, Time: r.side.Time, Frames: s.frames, FramesLate: s.framesLate}
	t.Running = RunningTime{r.side.hasCPU(), measure.Sum(r.side.running(r.waits))}
	for _, n := range r.side.Calls {
		if n > 0 {
			t.Methods++
		}
	}
	for i := range s.threads {
		if s.threads[i].begun() {
			t.Threads++
		}
	}
	t.Paths = s.contexts.Len() - 1 - t.Threads
	return t
}

// String describes the truth in one line.
func (t Truth) String() string {
	return fmt.Sprintf("%s of %s on %s, %s", words.Count(t.Calls, "call"), words.Count(t.Methods, "method"),
		words.Count(t.Threads, "thread"), words.Duration(t.Length))
}

// CPU returns the CPU time of all threads between their first and last events.
func (r *Reference) CPU() time.Duration { return r.state.cpu() }

// CallEvents returns the number of events of the truth's calls: an enter each, and an exit if the
// call has ended.
func (r *Reference) CallEvents() (all int64) {
	for i := range r.state.threads {
		if t := &r.state.threads[i]; t.begun() {
			all += 2*t.calls - int64(t.depth())
		}
	}
	return all
}

// MethodShares returns the true shares of exclusive time of the methods with any.
func (r *Reference) MethodShares() []float64 { return shares(nil, r.side.Exclusive) }

// ContextShares returns the true shares of exclusive time of the calling contexts with any.
func (r *Reference) ContextShares() []float64 {
	return shares(r.state.memory, r.side.Contexts)
}

// shares scales a column to sum 1 and removes zeros.
func shares(memory *spill.Memory, column []time.Duration) []float64 {
	total := measure.Sum(column)
	list := spill.Make[float64](memory, len(column))[:0]
	for _, t := range column {
		if t > 0 {
			list = append(list, float64(t)/float64(total))
		}
	}
	return list
}

// Numbers of single methods and contexts in a comparison.
const (
	topMethods  = 200
	topContexts = 60
)

// MethodShare is a method's true share of all running time, and of all exclusive
// wall time.
type MethodShare struct {
	Name          string
	Running, Wall float64
}

// rank finds the methods with the most running time, or with the most wall time if they do not run,
// and the contexts with the most calls.
func (r *Reference) rank() {
	exclusive, running := r.side.Exclusive, r.side.running(r.waits)
	for m, t := range exclusive {
		if t > 0 {
			r.ranked = append(r.ranked, trace.MethodID(m))
		}
	}
	slices.SortStableFunc(r.ranked, func(a, b trace.MethodID) int {
		return cmp.Or(cmp.Compare(running[b], running[a]), cmp.Compare(exclusive[b], exclusive[a]))
	})
	r.ranked = r.ranked[:min(topMethods, len(r.ranked))]
	calls := func(p calltree.Node) int64 { return r.state.contexts.At(p).Count }
	for p := range r.state.sums.Len() {
		if calls(calltree.Node(p)) > 1 {
			r.busiest = append(r.busiest, calltree.Node(p))
		}
		r.state.contexts.Touch(calltree.Node(p))
	}
	slices.SortStableFunc(r.busiest, func(a, b calltree.Node) int { return cmp.Compare(calls(b), calls(a)) })
	r.busiest = r.busiest[:min(topContexts, len(r.busiest))]
}

// Against makes r compare times with another run of the same app, which shares its contexts with
// r's state ([TrueState.ShareContexts]). Calls seen and correct stacks remain those of r's own run.
// r lists the same methods as the other reference.
func (r *Reference) Against(other *Reference) {
	r.ranked = other.ranked
	edges := make(map[calltree.Edge]time.Duration, len(other.edges.Keys))
	for i, k := range other.edges.Keys {
		edges[k] = other.side.Edges[i]
	}
	own := r.side.Contexts
	r.side = other.side
	r.side.Contexts = append(slices.Clip(other.side.Contexts), make([]time.Duration, len(own)-len(other.side.Contexts))...)
	r.side.Edges = make([]time.Duration, len(r.edges.Keys))
	for i, k := range r.edges.Keys {
		r.side.Edges[i] = edges[k]
	}
}

// Hottest returns the methods with the most running time, the hottest first.
func (r *Reference) Hottest() (list []MethodShare) {
	running := r.side.running(r.waits)
	total := measure.Sum(running)
	for _, m := range r.ranked {
		list = append(list, MethodShare{
			r.state.symbols.Method(m).FullName(), measure.Share(running[m], total), measure.Share(r.side.Exclusive[m], r.side.Time),
		})
	}
	return list
}

// ContextCalls is a calling context with its number of calls.
type ContextCalls struct {
	Calls   int64
	On, Off time.Duration // time on and off the stack in its thread's life, summed
}

// Busiest returns the contexts with the most calls, the busiest first.
func (r *Reference) Busiest() (list []ContextCalls) {
	for _, p := range r.busiest {
		on := r.state.sums.At(int(p)).on
		t := &r.state.threads[r.state.contexts.Thread(p)]
		list = append(list, ContextCalls{r.state.contexts.At(p).Count, on, t.last - t.start - on})
	}
	return list
}
