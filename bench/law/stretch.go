package law

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"artifice/trace"
)

// runs are the stretches of managed code between a truth's waits. A thread that wakes in a pause goes on at its end, with a
// whole gap before the next one, so a burst meets fewer pauses than its length has gaps.
//
// With P what a sample takes and X the time for which the app runs in between, a burst of length u after a
// wait begins at the end of a pause with probability q = P/(X + P), and then meets as many as a renewal process has
// points before u, m(u); else it begins anywhere in a gap and meets u/X. So running takes
//
//	l = Σ P·(q·m(u) + (1 − q)·u/X)
//
// longer, and native code what is left of a pause in which it wants to go on: P/2 of one in q. After a wait w that is
// shorter than a pause, q is w/X, as the burst before it has ended anywhere in a gap, and a burst that does not begin
// at the end of a pause does not begin in the first w of a gap either. As from a place x of a gap it meets m(u + x), and from all places u/X
// on average, it meets u/X − w/X·(mean of m(u + x) over x < w − m(u)).
//
// Assumes that waits are not in step with the samples.
//
// Source: renewal theory (Cox, 1962, 4): m(u) = Σ Pr(X₁ + … + X_k < u), and u/E(X) for one that has gone on for long.
//
// Example: bursts of 1 ms, P = 1 ms, X = 1.25 ms: none meets two, and one meets none in 4/9; l = 5/9·0.8 = 0.444 ms.
type runs struct {
	threads []burstThread
	bursts  map[[2]int]*burstBin // by length, and by the wait before
	first   float64              // ns of managed code before a thread's first wait: its begin is no wake
	ran     float64              // ns, native code with it
	native  map[[2]int]*burstBin // stretches of native code, by length: the event that ends one is in managed code
}

// burstThread is the burst that a thread is in.
type burstThread struct {
	stack  trace.Stack[struct{}]
	last   trace.Event
	length time.Duration // so far
	waited time.Duration // before it; 0: it is the first
	idle   time.Duration // since it ended
}

// burstBin are bursts of about the same length after waits of about the same.
type burstBin struct{ n, length, waited float64 }

// apply takes the next event of a synthetic truth.
func (b *runs) apply(truth *trace.Recording, e *trace.Event) {
	t := b.thread(truth, e.Thread)
	b.pass(truth, t, e.Wall, e.CPU)
	t.stack.Apply(e, struct{}{})
	t.last = *e
}

func (b *runs) thread(truth *trace.Recording, id trace.ThreadID) *burstThread {
	for int(id) >= len(b.threads) {
		t := burstThread{}
		if id := len(b.threads); id < len(truth.Symbols.Threads) {
			t.last.Wall = truth.Symbols.Threads[id].Start
		}
		b.threads = append(b.threads, t)
	}
	return &b.threads[id]
}

// pass takes what a thread does from its last event to a time.
func (b *runs) pass(truth *trace.Recording, t *burstThread, wall, cpu time.Duration) {
	d := wall - t.last.Wall
	if d <= 0 {
		return
	}
	m, in := t.stack.Innermost()
	method := truth.Symbols.Method(m)
	switch {
	case in && method.Wait != trace.Running || !in && cpu <= t.last.CPU:
		b.pause(t)
		t.idle += d
	case in && method.Flags&trace.Native != 0:
		b.pause(t)
		b.ran += float64(d)
		t.idle += d
		addBin(&b.native, 0, d)
	default:
		if t.idle > 0 {
			t.waited, t.idle = t.idle, 0
		}
		b.ran += float64(d)
		t.length += d
	}
}

// pause ends a thread's burst.
func (b *runs) pause(t *burstThread) {
	if t.length == 0 {
		return
	}
	if t.waited == 0 {
		b.first += float64(t.length)
	} else {
		addBin(&b.bursts, t.length, t.waited)
	}
	t.length = 0
}

// addBin counts a burst of a length after a wait.
func addBin(bins *map[[2]int]*burstBin, length, waited time.Duration) {
	if *bins == nil {
		*bins = map[[2]int]*burstBin{}
	}
	key := [2]int{about(length, 6), about(waited, 3)}
	bin := (*bins)[key]
	if bin == nil {
		bin = &burstBin{}
		(*bins)[key] = bin
	}
	bin.n, bin.length, bin.waited = bin.n+1, bin.length+float64(length), bin.waited+float64(waited)
}

// about returns a number that times have in common whose first bits are the same.
func about(d time.Duration, first int) int {
	n := bits.Len64(uint64(d))
	return n<<first | int(uint64(d)>>max(0, n-first))
}

// inOrder returns bins in one order on all machines, so that sums of them have the same digits.
func inOrder(bins map[[2]int]*burstBin) (list []*burstBin) {
	keys := slices.SortedFunc(maps.Keys(bins), func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, k := range keys {
		list = append(list, bins[k])
	}
	return list
}

// end takes the end of a truth.
func (b *runs) end(truth *trace.Recording, end time.Duration) {
	for id := range b.threads {
		t := &b.threads[id]
		until := end
		if e := truth.Symbols.Threads[id].End; e > 0 {
			until = e
		}
		b.pass(truth, t, until, t.last.CPU)
		b.pause(t)
	}
}

// lost returns how much longer all bursts take by pauses of this length, ns, and how many they meet.
func (b *runs) lost(gaps *gapLaw, stop time.Duration) (lost, met float64) {
	x, p := float64(gaps.mean), float64(stop)
	met = b.first / x
	for _, bin := range inOrder(b.bursts) {
		u, w, fresh := bin.length/bin.n, bin.waited/bin.n, gaps.renewals(bin.length/bin.n)
		if w >= min(p, x) {
			q := p / (x + p)
			met += bin.n * (q*fresh + (1-q)*u/x)
			continue
		}
		mean := (fresh + 4*gaps.renewals(u+w/2) + gaps.renewals(u+w)) / 6
		met += bin.n * (u/x - w/x*(mean-fresh))
	}
	lost = p * met
	for _, bin := range inOrder(b.native) {
		if w := bin.waited / bin.n; w < min(p, x) {
			lost += bin.n * w / x * (p - w/2)
		} else {
			lost += bin.n * p / (x + p) * p / 2
		}
	}
	return lost, met
}

// renewals returns how many gaps, one after the other, have ended before a time u, on average. That their sums are
// normal is exact for normal gaps, and near enough for others when there are many.
func (l *gapLaw) renewals(u float64) (mean float64) {
	x := float64(l.mean)
	if l.poisson {
		return u / x
	}
	variance := 0.
	for _, a := range l.atoms {
		d := float64(a.gap) - x
		variance += a.weight * (a.variance + d*d)
	}
	if u > 40*x { // Cox, 4.2
		return u/x + (variance/(x*x)-1)/2
	}
	if variance == 0 {
		return math.Ceil(u/x) - 1
	}
	for k := 1.; ; k++ {
		z := (u - k*x) / math.Sqrt(k*variance)
		if z < -6 {
			return mean
		}
		mean += distuv.UnitNormal.CDF(z)
	}
}
