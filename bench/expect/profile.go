package expect

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// Profile is a sampled profile.
type Profile struct {
	Name  string
	Clock Clock // clock that the samples measure
	// number of samples of threads with a frame; if weights differ, the equivalent number of equal
	// weights (Kish)
	Samples float64
	// number of instants at which all threads were sampled; 0: each sample is of a single thread
	Ticks    float64
	Interval time.Duration // interval stated by the file; 0: not stated

	unclocked bool // the clock is not stated: see On

	stacks *stacks
	shares []float64 // by context; they sum to 1
	time   time.Duration
	counts []float64 // by context: integers that sum to Samples; nil if samples have weights
	runs   []run     // runs of each thread, in order; nil if the order is unknown
}

// run is a sequence of consecutive samples of a thread with one stack. It contains the wall times
// of the first of them and of the first sample with another stack.
type run struct {
	thread      trace.ThreadID
	stack       int32
	count       int64
	wall, until time.Duration
}

// Errors of profiles that cannot be tested.
var (
	ErrNoSamples  = errors.New("the profile has no samples, only times or calls: use a sampled profile")
	ErrNoTime     = errors.New("the profile has no samples of CPU time or wall time")
	ErrClock      = errors.New("the profile does not state whether it counts samples of CPU time or of wall time: use --sampler cpu-timer or --sampler wall-tick")
	ErrNotSampled = errors.New("the profile records every call: use a sampled profile, or artifice score")
)

// ReadProfile reads a profile to its end. snapshots receive the samples of the recording if its
// format has them.
func ReadProfile(rec *trace.Recording, name string, snapshots *Snapshots) (*Profile, error) {
	events := calltree.NewBuilder()
	count := estimate.New(rec, estimate.Config{MethodsOnly: true})
	var err error
	if snapshots.any() {
		_, err = trace.Copy(trace.Discard, rec.Events)
	} else {
		_, err = trace.Copy(trace.Tee(events, count), rec.Events)
	}
	if err != nil {
		return nil, err
	}
	if snapshots.any() {
		return snapshots.profile(rec, name)
	}
	return profileOfEvents(rec, name, events, count.Finish())
}

// profileOfEvents returns the profile of a trace written by a sampler that compares stacks. Such a
// sampler samples all threads at the same tick, so ticks are independent, but samples are not.
func profileOfEvents(rec *trace.Recording, name string, b *calltree.Builder, e *estimate.Profile) (*Profile, error) {
	if !e.Sampled() {
		return nil, ErrNotSampled
	}
	if e.Samples == 0 || e.Period == 0 {
		return nil, ErrNoSamples
	}
	p := &Profile{Name: name, Clock: Wall, Samples: float64(e.Samples), Interval: rec.Info.Interval, stacks: newStacks()}
	until := calltree.UntilStop // a thread without further events has the same stack at every tick
	for i := range rec.Symbols.Threads {
		if rec.Symbols.Threads[i].AtStop == trace.Exited {
			until = calltree.UntilEnd
		}
	}
	tree, _ := b.Finish(rec, e.Technique, until)
	if e.OfCPU {
		p.Clock = CPU
	}
	threads := 0
	for id := range tree.Threads() {
		if tree.Root(trace.ThreadID(id)) != calltree.NoNode {
			threads++
		}
	}
	if p.Clock == Wall && threads > 1 {
		p.Ticks = min(p.Samples, float64(e.Span)/float64(e.Period))
	}
	n := numbering{to: p.stacks, symbols: rec.Symbols}
	number := make([]int32, tree.Len())
	n.root()
	for id := range tree.Threads() {
		tree.Walk(trace.ThreadID(id), &treeNumbers{tree: tree, n: &n, number: number})
	}
	weights := make([]float64, len(p.stacks.parents))
	for i := 1; i < tree.Len(); i++ {
		self := tree.At(calltree.Node(i)).Self
		if p.Clock == CPU {
			weights[number[i]] += float64(self.CPU)
		} else {
			weights[number[i]] += float64(self.Wall)
		}
	}
	for _, w := range weights[1:] {
		p.time += time.Duration(w)
	}
	return p, p.setShares(weights)
}

// On returns the profile with the clock that follows from the schedules, if the profile does not
// state its clock and the truth has both clocks. Otherwise it returns p. If the schedules imply
// both clocks or none, it returns [ErrClock].
func (p *Profile) On(truth *Truth, s Schedules) (*Profile, error) {
	if !p.unclocked || !truth.hasClocks() {
		return p, nil
	}
	q := *p
	switch s &^ Poisson {
	case CPUTimer:
		q.Clock, q.Interval, q.Ticks = CPU, 0, 0
	case WallTick:
	default:
		return nil, fmt.Errorf("%s: %w", p.Name, ErrClock)
	}
	q.unclocked = false
	return &q, nil
}

// treeNumbers numbers the contexts of a tree, callers first.
type treeNumbers struct {
	tree   *calltree.Tree
	n      *numbering
	number []int32
}

func (v *treeNumbers) Open(at calltree.Node, depth int) {
	if depth > 0 {
		v.number[at] = v.n.to.child(v.number[v.tree.Parent(at)], v.n.method(v.tree.Method(at)))
	}
}

func (v *treeNumbers) Shut(calltree.Node, int) {}

// setShares removes the weight of the empty stack and scales the other weights of contexts to the
// sum 1.
func (p *Profile) setShares(weights []float64) error {
	if !normalize(weights) {
		return ErrNoTime
	}
	p.shares = weights
	return nil
}

// Snapshots collects the samples of a recording. It is a [trace.SnapshotWriter].
type Snapshots struct {
	stacks  *stacks
	numbers numbering
	counter *Counter
	counts  []float64
	sums    [2][]float64 // by Clock and context
	threads []snapshotThread
	runs    []run
	ordered bool
}

// snapshotThread is the last snapshot of a thread.
type snapshotThread struct {
	at     calltree.Node
	number int32
	cpu    time.Duration
	begun  bool
	count  float64 // number of samples
}

// NewSnapshots returns a receiver of rec's snapshots.
func NewSnapshots(rec *trace.Recording) *Snapshots {
	s := &Snapshots{stacks: newStacks(), counter: NewCounter(rec), ordered: true}
	s.numbers = numbering{to: s.stacks, symbols: rec.Symbols}
	return s
}

func (s *Snapshots) any() bool { return s != nil && s.counter.snapshots }

// WriteSnapshot implements [trace.SnapshotWriter]. It never fails.
func (s *Snapshots) WriteSnapshot(x *trace.Snapshot) error {
	s.counter.WriteSnapshot(x)
	for int(x.Thread) >= len(s.threads) {
		s.threads = append(s.threads, snapshotThread{at: s.numbers.root()})
	}
	t := &s.threads[x.Thread]
	if t.begun && t.number > 0 {
		s.sums[CPU][t.number] += float64(x.CPU - t.cpu)
	}
	t.at = s.numbers.from.Reach(t.at, x.Same, x.Stack)
	if x.Same == 0 {
		t.at = s.numbers.from.Reach(s.numbers.root(), 0, x.Stack)
	}
	t.number, t.cpu, t.begun = s.numbers.of(t.at), x.CPU, true
	for len(s.counts) < len(s.stacks.parents) {
		s.counts = append(s.counts, 0)
		s.sums[CPU], s.sums[Wall] = append(s.sums[CPU], 0), append(s.sums[Wall], 0)
	}
	if t.number > 0 {
		s.counts[t.number] += float64(x.Count)
		t.count += float64(x.Count)
		s.sums[Wall][t.number] += float64(x.Until - x.Wall)
		s.runs = append(s.runs, run{x.Thread, t.number, x.Count, x.Wall, x.Until})
	}
	s.ordered = s.ordered && !x.Sum
	return nil
}

// ticks returns the number of sampling instants of a wall-time profile with several threads: the
// maximum number of samples of one thread. Wall-time samplers usually sample all threads at once.
// If this one does not, the number is too small, but the test remains valid. ticks returns 0 if
// samples are of single threads.
func (s *Snapshots) ticks(c Clock) (most float64) {
	threads := 0
	for i := range s.threads {
		if s.threads[i].count > 0 {
			threads++
			most = max(most, s.threads[i].count)
		}
	}
	if c == CPU || threads < 2 {
		return 0
	}
	return most
}

// equalWeights is the maximum relative loss of samples due to unequal weights for which weights
// count as equal. Weights differ slightly because of rounding and because of a thread's last
// interval.
const equalWeights = 0.02

// profile returns the profile of the samples.
func (s *Snapshots) profile(rec *trace.Recording, name string) (*Profile, error) {
	if rec.Info.Technique == trace.UnknownTechnique {
		return nil, ErrNoSamples
	}
	p := &Profile{Name: name, Clock: CPU, Interval: rec.Info.Interval, unclocked: rec.Info.Unclocked, stacks: s.stacks}
	n := s.counter.Samples(1)
	if n.Wall > 0 {
		p.Clock = Wall
	}
	kish := n.CPU
	if p.Clock == Wall {
		kish = n.Wall
	}
	var counted float64
	for at := range s.counts {
		if s.sums[p.Clock][at] <= 0 { // it has no time on this clock, so there is no sample of it
			s.counts[at] = 0
		}
		counted += s.counts[at]
	}
	if kish == 0 || counted == 0 {
		return nil, ErrNoTime
	}
	if s.ordered {
		p.runs = s.runs
	}
	p.Ticks = s.ticks(p.Clock)
	weights := s.sums[p.Clock]
	p.Samples = math.Round(kish)
	for _, w := range weights {
		p.time += time.Duration(w)
	}
	if kish >= (1-equalWeights)*counted {
		p.Samples, p.counts, weights = counted, slices.Clone(s.counts), s.counts
	}
	return p, p.setShares(weights)
}
