package expect

import (
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/trace/stats"
)

// Clock is the kind of time that a profile samples.
type Clock uint8

const (
	CPU  Clock = iota // CPU time of a thread, as sampled by profilers with CPU timers
	Wall              // time in methods, including waits
)

// String returns "CPU time" or "wall time".
func (c Clock) String() string { return [...]string{"CPU time", "wall time"}[c] }

// Truth is the ground truth of a profiled program.
type Truth struct {
	Name string

	stacks  *stacks      // nil: only shares of methods are known
	weights [2][]float64 // by Clock and context: self time in ns; nil: the clock is unknown
	lines   []line       // by thread; nil if there is no timeline
	shares  []stated     // shares of methods; nil if shares of stacks are known
	memo    memo         // results for diagnoses
}

// line is the timeline of a thread: its stacks and their begin times on both clocks.
type line struct {
	thread string             // its name
	begins [2][]time.Duration // by Clock, ascending
	stack  []int32            // context from that time on; 0: none
	first  []int32            // context after the first event at that time
	end    [2]time.Duration
}

// maxSegments is the maximum number of segments of a truth's timeline, at 24 bytes each. A longer
// truth has no timeline.
const maxSegments = 30_000_000

// ErrNoEvents is the error of a truth without events.
var ErrNoEvents = errors.New("the truth has no events")

// ReadTruth reads a trace of every call, in time order per thread.
func ReadTruth(rec *trace.Recording, name string) (*Truth, error) {
	r := &truthReader{truth: &Truth{Name: name, stacks: newStacks()}, rec: rec}
	r.numbering = numbering{to: r.truth.stacks, symbols: rec.Symbols}
	if _, err := trace.Copy(r, rec.Events); err != nil {
		return nil, err
	}
	return r.finish()
}

// truthReader is a [trace.Writer].
type truthReader struct {
	truth *Truth
	rec   *trace.Recording
	numbering
	nodes    []calltree.Node // by thread
	groups   stats.Groups
	last     time.Duration
	segments int
}

// WriteEvents implements [trace.Writer].
func (r *truthReader) WriteEvents(p []trace.Event) error {
	r.groups.WriteEvents(p)
	for i := range p {
		e := &p[i]
		l := r.line(e)
		if r.rec.Symbols.IsRuntime(e.Method) { // time in it is attributed to its caller
			l.end = [2]time.Duration{CPU: max(e.CPU, l.end[CPU]), Wall: max(e.Wall, l.end[Wall])}
			r.last = max(r.last, e.Wall)
			continue
		}
		at, _ := r.from.Apply(r.nodes[e.Thread], e)
		r.nodes[e.Thread] = at
		r.last = max(r.last, e.Wall)
		now := [2]time.Duration{CPU: e.CPU, Wall: e.Wall}
		number := r.of(at)
		n := len(l.stack)
		if n > 0 && l.begins[Wall][n-1] == e.Wall && l.begins[CPU][n-1] == e.CPU {
			l.stack[n-1] = number
			continue
		}
		if r.segments++; r.segments > maxSegments {
			return fmt.Errorf("the truth has more than %d events: record a shorter run", maxSegments)
		}
		for c := range now {
			l.begins[c] = append(l.begins[c], max(now[c], l.end[c]))
			l.end[c] = max(now[c], l.end[c])
		}
		l.stack, l.first = append(l.stack, number), append(l.first, number)
	}
	return nil
}

// line returns the timeline of an event's thread.
func (r *truthReader) line(e *trace.Event) *line {
	for int(e.Thread) >= len(r.truth.lines) {
		r.truth.lines = append(r.truth.lines, line{})
		r.nodes = append(r.nodes, r.root())
	}
	return &r.truth.lines[e.Thread]
}

// finish ends the threads and computes the sums of times.
func (r *truthReader) finish() (*Truth, error) {
	t, info := r.truth, &r.rec.Info
	technique, evidence := r.groups.TechniqueOf(info)
	if technique == trace.Sampled {
		return nil, fmt.Errorf("the truth is sampled (%s): record every call", evidence)
	}
	lives := trace.NewLifetimes(r.rec, technique, r.last)
	any := false
	for id := range t.lines {
		l := &t.lines[id]
		if len(l.stack) == 0 {
			continue
		}
		any = true
		open := l.stack[len(l.stack)-1] != 0
		end, _ := lives.End(trace.ThreadID(id), l.end[Wall], open)
		l.end[Wall] = max(end, l.end[Wall])
		if id < len(r.rec.Symbols.Threads) {
			l.thread = r.rec.Symbols.Threads[id].Name
		}
	}
	if !any {
		return nil, ErrNoEvents
	}
	for c, has := range [2]bool{CPU: info.Clock.HasCPU(), Wall: info.Clock.HasWall()} {
		if !has {
			continue
		}
		weights := make([]float64, len(t.stacks.parents))
		var sum float64
		for i := range t.lines {
			for s := range t.lines[i].segments(Clock(c)) {
				weights[s.stack] += float64(s.end - s.begin)
				sum += float64(s.end - s.begin)
			}
		}
		weights[0] = 0
		if sum > 0 {
			t.weights[c] = weights
		}
	}
	return t, nil
}

// segment is a part of a timeline with one stack.
type segment struct {
	begin, end time.Duration
	stack      int32
	index      int // index in the timeline
}

// segments iterates over the nonempty segments of a timeline.
func (l *line) segments(c Clock) iter.Seq[segment] {
	return func(yield func(segment) bool) {
		begins := l.begins[c]
		for i, s := range begins {
			e := l.end[c]
			if i+1 < len(begins) {
				e = begins[i+1]
			}
			if e > s && !yield(segment{s, e, l.stack[i], i}) {
				return
			}
		}
	}
}

// isPartial reports whether the truth states shares of self time that do not add up to 100 %.
func (t *Truth) isPartial() bool {
	sum := 0.
	for _, s := range t.shares {
		if !s.total {
			sum += s.share.high
		}
	}
	return len(t.shares) > 0 && sum < 1-1e-9
}

// hasClocks reports whether the truth distinguishes wall time and CPU time. A truth of shares does
// not.
func (t *Truth) hasClocks() bool {
	wall, cpu := t.weights[Wall], t.weights[CPU]
	return len(wall) > 0 && len(cpu) > 0 && &wall[0] != &cpu[0]
}

// cpuTime returns the CPU time of all threads in methods, and the number of threads that used any;
// 0 if it is unknown.
func (t *Truth) cpuTime() (sum time.Duration, threads int) {
	for i := range t.lines {
		var own time.Duration
		for s := range t.lines[i].segments(CPU) {
			if s.stack > 0 {
				own += s.end - s.begin
			}
		}
		if own > 0 {
			threads++
		}
		sum += own
	}
	return sum, threads
}

// memo caches values computed from a truth, because several profiles may be compared with it.
type memo struct {
	sync.Mutex
	values map[any]any
}

// maxRemembered is the maximum number of cached values.
const maxRemembered = 500_000

// remember returns the result of make, which must depend only on the truth and the key. It caches
// the result.
func remember[T any](t *Truth, key any, make func() T) T {
	m := &t.memo
	m.Lock()
	v, ok := m.values[key].(T)
	m.Unlock()
	if ok {
		return v
	}
	v = make()
	m.Lock()
	defer m.Unlock()
	if m.values == nil || len(m.values) >= maxRemembered {
		m.values = map[any]any{}
	}
	m.values[key] = v
	return v
}

// remembered is remember for a result that also depends on the clock.
func remembered[T any](d *diagnosis, key string, make func() T) T {
	return remember(d.truth, key+d.clock.String(), make)
}

// lawKey identifies the distribution of a share.
type lawKey struct {
	name    string // name of the share
	members int    // number of contexts
	clock   Clock
	kind    Schedules
	period  float64
}

// countLaw is a distribution with its moments.
type countLaw struct {
	distribution
	mean, variance float64
}

// law returns the distribution of the number of samples of a set of contexts, given its intervals.
func (t *Truth) law(k lawKey, spans func() [][]span) countLaw {
	return remember(t, k, func() countLaw {
		d := lawOf(k.kind, spans(), k.period)
		mean, variance := d.moments()
		return countLaw{d, mean, variance}
	})
}
