package expect

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
)

// fault is a defect of samplers, and its effect on the profile of a truth.
type fault struct {
	name string
	part string // the size is a share of this part
	try  func(*diagnosis)
}

// faults are all faults that a diagnosis evaluates. They do not include samples delayed by a
// constant time or stacks of the previous sample, because these do not change any share.
var faults = []fault{
	{"samples only at safepoints", "samples", trySafepoints},
	{"samples skid into the callee", "samples", tryCallee},
	{"missing innermost frames", "samples", tryLeafMissing},
	{"outermost frames cut", "samples", tryRootsCut},
	{"innermost frames cut", "samples", tryLeavesCut},
	{"torn stacks", "samples", tryTorn},
	{"merged names", "samples", tryMerged},
	{"a hidden method", "samples", tryHidden},
	{"waits counted as CPU time", "samples", tryWaits},
	{"idle threads counted as CPU time", "samples", tryIdle},
	{"samples counted twice", "samples", tryDoubled},
	{"samples lost at random", "samples", tryLost},
	{"samples lost during another sample", "samples", tryLostBusy},
	{"late start or early end", "the run", tryLate},
	{"growing intervals counted as equal", "the samples of the second half", tryCounts},
	{"failed stack walks", "its samples", tryWalks},
	{"a missing thread", "its samples", tryThread},
}

// moved returns the shares if samples report the context after the next event instead of the
// current one, provided that to accepts the event.
func (d *diagnosis) moved(to func(from, next int32) bool) []float64 {
	shares := make([]float64, len(d.all.parents))
	for i := range d.truth.lines {
		l := &d.truth.lines[i]
		for k, stack := range l.stack {
			at, weight := d.ofTruth[stack], l.lasts(d.clock, k)
			if k+1 < len(l.stack) && weight > 0 {
				if next := d.ofTruth[l.first[k+1]]; next > 0 && at > 0 && to(at, next) {
					at = next
				}
			}
			shares[at] += weight
		}
	}
	return shares
}

// lasts returns the duration of the k-th part of a timeline.
func (l *line) lasts(c Clock, k int) float64 {
	if k+1 < len(l.begins[c]) {
		return float64(l.begins[c][k+1] - l.begins[c][k])
	}
	return float64(l.end[c] - l.begins[c][k])
}

// trySafepoints: a sample contains the stack at the next call or return.
func trySafepoints(d *diagnosis) {
	d.mixed("", remembered(d, d.now, func() []float64 {
		return d.moved(func(_, _ int32) bool { return true })
	}), false)
}

// tryCallee: a sample contains the stack after the next event if that event is a call.
func tryCallee(d *diagnosis) {
	d.mixed("", remembered(d, d.now, func() []float64 {
		return d.moved(func(from, next int32) bool { return d.depths[next] > d.depths[from] })
	}), false)
}

// mapped returns the true shares after mapping contexts to other contexts. to returns the new
// number of a context, given the new number of its caller.
func (d *diagnosis) mapped(to func(at, caller int32) int32) []float64 {
	number := make([]int32, len(d.null))
	for i := 1; i < len(number); i++ {
		number[i] = to(int32(i), number[d.all.parents[i]])
	}
	shares := make([]float64, len(d.all.parents))
	for i, p := range d.null {
		shares[number[i]] += p
	}
	return shares
}

// tryLeafMissing: a sample lacks its innermost frame.
func tryLeafMissing(d *diagnosis) {
	shares := make([]float64, len(d.all.parents))
	for i, p := range d.null {
		shares[max(0, d.all.parents[i])] += p
	}
	d.mixed("", shares, false)
}

// frameLimits are the numbers of frames to which profilers cut stacks.
var frameLimits = []int32{16, 20, 24, 30, 32, 40, 48, 50, 60, 64, 65, 100, 120, 127, 128, 200, 255, 256, 400, 500, 511, 512, 1000, 1023, 1024, 2048}

// hiddenFrames is the maximum number of frames of a truncated stack that the truth does not
// contain, such as those of a C library. They count towards the limit of a profiler.
const hiddenFrames = 3

// tryRootsCut: deep stacks lack their outermost frames. The hypotheses are that all truncated
// stacks have the same number of frames of the truth as the deepest sample, or that they have up to
// hiddenFrames fewer, with equal frequency.
func tryRootsCut(d *diagnosis) {
	limit, ok := d.frameLimit()
	d.tried[d.now].extra *= 2
	if !ok {
		return
	}
	of := fmt.Sprintf("%d frames", limit)
	some := make([]float64, len(d.null))
	for less := range int32(hiddenFrames + 1) {
		cut := d.rootsCut(limit - less)
		if less == 0 {
			d.whole(of, 0, cut, interval{1, 1})
		}
		some = append(some, make([]float64, max(0, len(cut)-len(some)))...)
		for i, p := range cut {
			some[i] += p
		}
	}
	d.whole(of, 0, some, interval{1, 1})
}

// rootsCut returns the true shares if stacks have at most a number of frames, the innermost ones.
func (d *diagnosis) rootsCut(most int32) []float64 {
	cut := map[int32]int32{}
	for i, p := range d.null {
		if p > 0 && d.depths[i] > most {
			cut[int32(i)] = d.innermost(int32(i), most)
		}
	}
	shares := make([]float64, len(d.all.parents))
	for i, p := range d.null {
		at, ok := cut[int32(i)]
		if !ok {
			at = int32(i)
		}
		shares[at] += p
	}
	return shares
}

// frameLimit returns the number of frames of the deepest sampled stack, if this number is a limit
// of profilers or up to hiddenFrames below one, and stacks of the truth are deeper. Only a limit at
// the deepest stack is consistent with the profile.
func (d *diagnosis) frameLimit() (int32, bool) {
	deeper := false
	for i, p := range d.null {
		deeper = deeper || p > 0 && d.depths[i] > d.deepest
	}
	d.tried[d.now].extra = float64((hiddenFrames+1)*len(frameLimits) - 1)
	return d.deepest, deeper && d.deepest > hiddenFrames && slices.ContainsFunc(frameLimits, func(limit int32) bool {
		return limit >= d.deepest && limit <= d.deepest+hiddenFrames
	})
}

// innermost returns the context that consists of the innermost frames of a stack.
func (d *diagnosis) innermost(at, frames int32) int32 {
	var methods []int32
	for ; at > 0 && int32(len(methods)) < frames; at = d.all.parents[at] {
		methods = append(methods, d.all.methods[at])
	}
	cut := int32(0)
	for _, m := range slices.Backward(methods) {
		cut = d.all.child(cut, m)
	}
	return cut
}

// tryLeavesCut: deep stacks lack their innermost frames.
func tryLeavesCut(d *diagnosis) {
	limit, ok := d.frameLimit()
	if !ok {
		return
	}
	d.whole(fmt.Sprintf("%d frames", limit), 0, d.mapped(func(at, caller int32) int32 {
		if d.depths[at] > limit {
			return caller
		}
		return at
	}), interval{1, 1})
}

// tryTorn: a sample contains its own innermost frame, but the callers of the thread's previous
// sample.
func tryTorn(d *diagnosis) {
	type pair struct{ before, now int32 }
	period, key := d.period()
	weights := remembered(d, d.now+key, func() map[pair]float64 {
		weights := map[pair]float64{}
		for i := range d.truth.lines {
			d.pairs(&d.truth.lines[i], period, func(before, now int32, weight float64) {
				if before > 0 && now > 0 {
					weights[pair{before, now}] += weight
				}
			})
		}
		return weights
	})
	torn := map[int32]float64{}
	for p, w := range weights {
		torn[d.all.child(d.all.parents[p.before], d.all.methods[p.now])] += w
	}
	shares := make([]float64, len(d.all.parents))
	for at, w := range torn {
		shares[at] = w
	}
	d.mixed("", shares, false)
}

// period returns the time between two samples of a thread on its clock, in ns. It is the stated
// interval, or is computed from the number of samples and rounded to two digits. key identifies the
// period.
func (d *diagnosis) period() (period float64, key string) {
	if stated := float64(d.profile.Interval); stated > 0 && d.clock == CPU {
		return stated, fmt.Sprint(stated)
	}
	var sum float64
	for _, w := range d.truth.weights[d.clock][1:] {
		sum += w
	}
	scale := math.Pow(10, math.Floor(math.Log10(max(1, d.n)))-1)
	period = max(1, sum/max(1, math.Round(d.n/scale)*scale))
	return period, fmt.Sprint(period)
}

// pairs calls each with two contexts of a thread, at times one period apart, and the duration for
// which this pair is unchanged.
func (d *diagnosis) pairs(l *line, period float64, each func(before, now int32, weight float64)) {
	if len(l.stack) == 0 {
		return
	}
	begins := l.begins[d.clock]
	ends := func(k int) float64 { return float64(begins[k]) + l.lasts(d.clock, k) }
	i, j := 0, 0
	for at := float64(begins[0]); i < len(begins) && j < len(begins); {
		for i < len(begins) && ends(i) <= at {
			i++
		}
		for j < len(begins) && ends(j) <= at+period {
			j++
		}
		if i == len(begins) || j == len(begins) {
			return
		}
		until := min(ends(i), ends(j)-period)
		if until <= at { // due to rounding
			j++
			continue
		}
		each(d.ofTruth[l.stack[i]], d.ofTruth[l.stack[j]], until-at)
		at = until
	}
}

// top returns the methods of the truth with the most self time, and their shares.
func (d *diagnosis) top(most int) (methods []int32, self []float64) {
	self = make([]float64, d.known)
	for i, p := range d.null {
		if i > 0 && p > 0 {
			self[d.all.methods[i]] += p
		}
	}
	for m, p := range self {
		if p > 0 {
			methods = append(methods, int32(m))
		}
	}
	slices.SortStableFunc(methods, func(a, b int32) int { return cmp.Compare(self[b], self[a]) })
	if len(d.null) > 50_000 { // limits the computing time
		most = min(most, 4)
	}
	return methods[:min(most, len(methods))], self
}

// tryMerged: a method is reported with the name of another method, so that the profile lacks it.
func tryMerged(d *diagnosis) {
	methods, _ := d.top(10)
	has := map[int32]bool{}
	for _, s := range d.seen {
		for at := s.at; at > 0; at = d.all.parents[at] {
			has[d.all.methods[at]] = true
		}
	}
	for i, b := range methods {
		for j, a := range methods {
			switch first := i == 1 && j == 0; {
			case i == j:
			case has[b] && !first:
				d.tried[d.now].extra++
			default:
				d.whole(d.all.names[b]+" as "+d.all.names[a], 0, d.mapped(func(at, caller int32) int32 {
					m := d.all.methods[at]
					if m == b {
						m = a
					}
					return d.all.child(caller, m)
				}), interval{1, 1})
			}
		}
	}
}

// tryHidden: stacks lack the frames of a method, as if it were inlined. Either all of its frames
// are missing, or only innermost ones.
func tryHidden(d *diagnosis) {
	methods, _ := d.top(20)
	for _, m := range methods {
		name := d.all.names[m]
		d.mixed(name, d.mapped(func(at, caller int32) int32 {
			if d.all.methods[at] == m {
				return caller
			}
			return d.all.child(caller, d.all.methods[at])
		}), false)
		shares := slices.Clone(d.null)
		for i, p := range d.null {
			if i > 0 && d.all.methods[i] == m {
				shares[i] -= p
				shares[d.all.parents[i]] += p
			}
		}
		d.mixed(name, shares, false)
	}
}

// busy is the minimum ratio of CPU time to wall time for a thread that is not idle.
const busy = 0.01

// waits returns the time without CPU use of busy or of idle threads.
func (d *diagnosis) waits(idle bool) []float64 {
	shares := make([]float64, len(d.all.parents))
	own, sum := d.times(CPU)
	for i := range d.truth.lines {
		l := &d.truth.lines[i]
		if len(l.stack) == 0 || own[i] <= busy*sum != idle {
			continue
		}
		for k, stack := range l.stack {
			shares[d.ofTruth[stack]] += max(0, l.lasts(Wall, k)-l.lasts(CPU, k))
		}
	}
	return shares
}

// times returns the time of each thread in methods, and their sum.
func (d *diagnosis) times(c Clock) (own []float64, sum float64) {
	own = make([]float64, len(d.truth.lines))
	for i := range d.truth.lines {
		for s := range d.truth.lines[i].segments(c) {
			if s.stack > 0 {
				own[i] += float64(s.end - s.begin)
			}
		}
		sum += own[i]
	}
	return own, sum
}

// tryWaits: busy threads are also sampled while they wait.
func tryWaits(d *diagnosis) {
	if d.clock == CPU && d.truth.weights[Wall] != nil {
		d.mixed("", remembered(d, d.now, func() []float64 { return d.waits(false) }), true)
	}
}

// tryIdle: threads that hardly run are sampled while they wait.
func tryIdle(d *diagnosis) {
	if d.clock == CPU && d.truth.weights[Wall] != nil {
		d.mixed("", remembered(d, d.now, func() []float64 { return d.waits(true) }), true)
	}
}

// tryDoubled: samples are counted twice.
func tryDoubled(d *diagnosis) { d.numbers([]float64{0.02, 0.04, 0.08, 0.15, 0.25, 0.45, 0.7, 1.2}, 1) }

// tryLost: samples are lost independently of the running code.
func tryLost(d *diagnosis) { d.numbers([]float64{0.02, 0.04, 0.08, 0.15, 0.25, 0.4, 0.6, 0.8}, -1) }

// numbers evaluates a fault that only changes the number of samples, by a factor between two
// successive values of list.
func (d *diagnosis) numbers(list []float64, sign float64) {
	if d.number == nil {
		return
	}
	for i, low := range list[1:] {
		ratio := interval{1 + sign*low, 1 + sign*list[i]}
		if sign > 0 {
			ratio = interval{ratio.high, ratio.low}
		}
		d.add(Explanation{Size: (low + list[i]) / 2}, d.number.log(ratio), d.number.expects(ratio))
	}
}

// tryLostBusy: an expiration is lost if a sample of any thread was taken shortly before.
func tryLostBusy(d *diagnosis) {
	if d.clock != CPU || d.truth.weights[Wall] == nil {
		return
	}
	for _, s := range d.simulateLost([]float64{0.02, 0.05, 0.1, 0.2, 0.4}) {
		ratio := interval{max(0, 2*s.kept-1), (1 + s.kept) / 2}
		if d.timing == nil {
			d.whole("", 1-s.kept, s.shares, ratio)
			continue
		}
		// expected number of close pairs without the fault: at least half of it, because schedules
		// vary
		log := s.close / 2
		if found := d.timing.close(s.within); found > 0 {
			log += found * math.Log(d.unseen)
		}
		d.add(Explanation{Size: 1 - s.kept}, log+d.number.log(ratio), s.close/2+d.number.expects(ratio))
	}
}

// tryLate: only a part of the run is sampled.
func tryLate(d *diagnosis) {
	if d.truth.weights[Wall] == nil {
		return
	}
	upTo := remembered(d, "up to", d.upTo)
	for _, late := range []float64{0.03, 0.06, 0.1, 0.15, 0.25, 0.4, 0.6} {
		kept := 1 - upTo(late)
		ratio := interval{1 - upTo(late*1.3), 1 - upTo(late/1.3)}
		switch {
		case kept <= 0 || kept >= 1:
		case d.timing == nil:
			d.whole("", late, d.during(fmt.Sprint(d.now, late), func(at float64) float64 {
				if at < late {
					return 0
				}
				return 1
			}), ratio)
		default:
			before := d.timing.before(late)
			log := before*math.Log(d.unseen) - (d.n-before)*math.Log(kept)
			d.add(Explanation{Size: late}, d.tempered*log+d.number.log(ratio), -d.tempered*d.n*math.Log(kept)+d.number.expects(ratio))
		}
	}
}

// tryCounts: the interval increases in the middle of the run, as in profilers that limit their
// cost, but all samples have equal weights.
func tryCounts(d *diagnosis) {
	if d.truth.weights[Wall] == nil {
		return
	}
	half := remembered(d, "up to", d.upTo)(0.5)
	for _, lost := range []float64{0.1, 0.25, 0.5, 0.75} {
		kept := 1 - lost*(1-half)
		ratio := interval{1 - lost*1.3*(1-half), 1 - lost/1.3*(1-half)}
		switch {
		case kept <= 0 || kept >= 1:
		case d.timing == nil:
			d.whole("", lost, d.during(fmt.Sprint(d.now, lost), func(at float64) float64 {
				if at < 0.5 {
					return 1
				}
				return 1 - lost
			}), ratio)
		default:
			first := d.timing.before(0.5)
			log := (d.n-first)*math.Log(1-lost) - d.n*math.Log(kept)
			expected := d.n * ((1-half/kept)*math.Log(1-lost) - math.Log(kept))
			d.add(Explanation{Size: lost}, d.tempered*log+d.number.log(ratio), d.tempered*expected+d.number.expects(ratio))
		}
	}
}

// inMethods iterates over the segments of all threads in methods, on the profile's clock.
func (d *diagnosis) inMethods() iter.Seq2[*line, segment] {
	return func(yield func(*line, segment) bool) {
		for i := range d.truth.lines {
			l := &d.truth.lines[i]
			for s := range l.segments(d.clock) {
				if s.stack > 0 && !yield(l, s) {
					return
				}
			}
		}
	}
}

// upTo returns the share of the truth's time before a part of the run, from 0 to 1.
func (d *diagnosis) upTo() func(part float64) float64 {
	const bins = 1000
	var times [bins]float64
	begin, end := d.truth.span()
	scale := bins / float64(max(1, end-begin))
	var all float64
	for l, s := range d.inMethods() {
		w := float64(s.end - s.begin)
		all += w
		from, length := float64(l.begins[Wall][s.index]-begin)*scale, l.lasts(Wall, s.index)*scale
		for bin := int(from); bin < bins && float64(bin) <= from+length; bin++ {
			part := 1.
			if length > 0 {
				part = (min(float64(bin+1), from+length) - max(float64(bin), from)) / length
			}
			times[bin] += w * part
		}
	}
	return func(part float64) (sum float64) {
		n := min(1, part) * bins
		for bin, t := range times {
			sum += t * min(1, max(0, n-float64(bin)))
		}
		return sum / max(1, all)
	}
}

// during returns the shares of a truth with weighted time. weight is a function of the time in the
// run, from 0 to 1; key identifies it.
func (d *diagnosis) during(key string, weight func(at float64) float64) []float64 {
	return remembered(d, key, func() []float64 {
		shares := make([]float64, len(d.null))
		begin, end := d.truth.span()
		length := float64(max(1, end-begin))
		for l, s := range d.inMethods() {
			w := float64(s.end - s.begin)
			from, lasts := float64(l.begins[Wall][s.index]-begin)/length, l.lasts(Wall, s.index)/length
			steps := 1 + min(200, int(lasts*1000))
			for i := range steps {
				shares[d.ofTruth[s.stack]] += w * weight(from+lasts*(float64(i)+0.5)/float64(steps)) / float64(steps)
			}
		}
		return shares
	})
}

// tryWalks: samples in a method are lost because their stacks cannot be walked.
func tryWalks(d *diagnosis) {
	methods, self := d.top(10)
	for _, m := range methods {
		for _, size := range []float64{0.05, 0.1, 0.2, 0.5, 1} {
			d.without(d.all.names[m], size, self[m], func(i int32) float64 {
				if d.all.methods[i] == m {
					return d.null[i]
				}
				return 0
			})
		}
	}
}

// without evaluates a fault in which a share of the samples of a part of the truth is lost. of
// returns the true share of a context that belongs to the part; part is the sum of these shares.
func (d *diagnosis) without(name string, size, part float64, of func(i int32) float64) {
	if part >= 1 && size >= 1 {
		return
	}
	shares := slices.Clone(d.null)
	for i := range shares[1:] {
		shares[i+1] = max(0, shares[i+1]-size*of(int32(i+1)))
	}
	kept := 1 - size*part
	d.whole(name, size, shares, interval{kept - (1-kept)/4, kept + (1-kept)/4})
}

// tryThread: samples of a thread are lost.
func tryThread(d *diagnosis) {
	own, sum := d.times(d.clock)
	threads := make([]int, len(own))
	for i := range threads {
		threads[i] = i
	}
	slices.SortStableFunc(threads, func(a, b int) int { return cmp.Compare(own[b], own[a]) })
	for _, i := range threads[:min(10, len(threads))] {
		if own[i] <= 0 {
			continue
		}
		shares := make([]float64, len(d.null))
		for s := range d.truth.lines[i].segments(d.clock) {
			if s.stack > 0 {
				shares[d.ofTruth[s.stack]] += float64(s.end-s.begin) / sum
			}
		}
		for _, size := range []float64{0.1, 0.2, 0.5, 1} {
			d.without(d.truth.lines[i].thread, size, own[i]/sum, func(c int32) float64 { return shares[c] })
		}
	}
}
