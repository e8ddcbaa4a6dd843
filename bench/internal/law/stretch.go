package law

import (
	"math"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"artifice/trace"
)

// runs describes the bursts of managed code between a truth's waits. A thread that wakes in a pause
// continues at the end of the pause, a whole gap before the next one. A burst therefore meets fewer
// pauses than its length contains gaps.
//
// Let P be the duration of a sample and X the time for which the app runs in between. A burst of
// length u after a wait begins at the end of a pause with probability q = P/(X + P), and then meets
// m(u) pauses, the number of points of a renewal process before u; otherwise it begins anywhere in
// a gap and meets u/X. So running takes
//
//	l = Σ P·(q·m(u) + (1 − q)·u/X)
//
// longer. Native code that ends in a pause is extended to the end of the pause: by P/2 with
// probability q. After a wait w shorter than a pause, q is w/X, as the burst before it ended
// anywhere in a gap, and a burst that does not begin at the end of a pause does not begin in the
// first w of a gap either. From a place x of a gap it meets m(u + x), and from all places u/X on
// average, so it meets u/X − w/X·(mean of m(u + x) over x < w − m(u)).
//
// Assumptions: waits are not aliased with the samples, and no wait is for another thread, because
// its end would depend on the delay of that thread.
//
// Source: renewal theory (Cox, 1962, 4): m(u) = Σ Pr(X₁ + … + X_k < u), and u/E(X) for a process in
// equilibrium.
//
// Example: bursts of 1 ms, P = 1 ms, X = 1.25 ms: none meets two, and one meets none in 4/9; l =
// 5/9·0.8 = 0.444 ms.
type runs struct {
	threads []burstThread
	bursts  bins
	// ns of managed code before the first wait of a thread: it does not begin with a wakeup
	first  float64
	ran    float64 // ns, including native code
	native bins    // native code by its length, if the event that ends it is in managed code
	calls  woken

	ticks  bool // some thread waits for the tick of a clock, which absorbs its delay
	linked bool // some thread waits for another one, and has the other's delay
}

// burstThread is the current burst of a thread.
type burstThread struct {
	stack  trace.Stack[callBegin]
	last   trace.Event
	length time.Duration // length so far
	waited time.Duration // length of the wait before it; 0: it is the first burst
	idle   time.Duration // time since its end
}

// tick is the assumed length of a deadline wait. The position of its end in a gap does not depend
// on the position of its beginning.
const tick = time.Hour

// apply processes the next event of a synthetic truth.
func (b *runs) apply(truth *trace.Recording, e *trace.Event) {
	t := b.thread(truth, e.Thread)
	b.pass(truth, t, e.Wall, e.CPU)
	begin := callBegin{e.Wall, t.length, t.waited}
	if t.idle > 0 {
		begin.after, begin.waited = 0, t.idle
	}
	if closed, effect := t.stack.Apply(e, begin); effect.Closes() {
		b.call(truth, closed, e.Wall)
	}
	t.last = *e
}

// call counts a call that ends, if stack walks show its method.
func (b *runs) call(truth *trace.Recording, closed trace.Frame[callBegin], end time.Duration) {
	if !truth.Symbols.IsRuntime(closed.Method) {
		b.calls.add(closed.Value, end)
	}
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

// pass processes the activity of a thread from its last event to a time.
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
		if method.Period > 0 {
			t.idle, b.ticks = tick, true
		}
		b.linked = b.linked || method.Link.Does == trace.Awaits
	case in && method.Flags&trace.Native != 0:
		b.pause(t)
		b.ran += float64(d)
		t.idle += d
		b.native.add(0, 0, d)
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
		b.bursts.add(0, t.length, t.waited)
	}
	t.length = 0
}

// end processes the end of a truth.
func (b *runs) end(truth *trace.Recording, end time.Duration) {
	for id := range b.threads {
		t := &b.threads[id]
		until := end
		if e := truth.Symbols.Threads[id].End; e > 0 {
			until = e
		}
		b.pass(truth, t, until, t.last.CPU)
		b.pause(t)
		for i, begin := range t.stack.Values() {
			b.call(truth, trace.Frame[callBegin]{Method: t.stack.Methods()[i], Value: begin}, max(until, t.last.Wall))
		}
	}
}

// lost returns the total extension of all bursts by pauses of this length, in ns, and the number of
// pauses in them. late is the delay of the last burst if no wait absorbs a delay.
func (b *runs) lost(gaps *gapLaw, stop time.Duration) (lost, met, late float64) {
	x, p := float64(gaps.mean), float64(stop)
	met = b.first / x
	for _, bin := range b.bursts.inOrder() {
		u, w := bin.length/bin.n, bin.waited/bin.n
		met += bin.n * gaps.afterWait(w, p, u/x, func(place float64) float64 { return gaps.renewals(u + place) })
		late += bin.n * gaps.left(w, p)
	}
	lost = p * met
	late += lost
	for _, bin := range b.native.inOrder() {
		lost += bin.n * gaps.left(bin.waited/bin.n, p)
	}
	return lost, met, late
}

// left returns the mean time from the end of a wait, or of native code, until the thread continues,
// that is, the rest of a pause.
func (l *gapLaw) left(wait, stop float64) float64 {
	x := float64(l.mean)
	if wait >= x {
		return stop / (x + stop) * stop / 2
	}
	m := min(wait, stop)
	return m / x * (stop - m/2)
}

// afterWait returns the mean number of pauses that a thread meets after a wait. anywhere is that
// number for a start at a random position in a gap, and at(x) for a start at position x of a gap.
// If the wait is at least as long as a gap, the thread is at the start of one with probability q =
// P/(X + P), else anywhere. If the wait is shorter, the position of its end depends on that of its
// beginning, which is uniform because the thread ran: it ends in a pause with probability m/X,
// where m is the shorter of pause and wait, and never at the positions from w − m to w of a gap.
func (l *gapLaw) afterWait(wait, stop, anywhere float64, at func(place float64) float64) float64 {
	x, fresh := float64(l.mean), at(0)
	if wait >= x {
		q := stop / (x + stop)
		return q*fresh + (1-q)*anywhere
	}
	m := min(wait, stop)
	missing := (at(wait-m) + 4*at(wait-m/2) + at(wait)) / 6
	return anywhere + m/x*(fresh-missing)
}

// renewals returns the mean number of consecutive gaps that end before a time u. It assumes that
// sums of gaps are normal, which is exact for normal gaps and a good approximation for many others.
func (l *gapLaw) renewals(u float64) (mean float64) {
	x := float64(l.mean)
	if l.poisson {
		return u / x
	}
	variance := l.variance
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
