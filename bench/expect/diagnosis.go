package expect

import (
	"math"
	"slices"
)

// Diagnosis compares faults of samplers as explanations of a profile.
//
// The likelihood of the profile under a fault, divided by that under the truth, is an e-value: its
// mean over clean profiles is at most 1. The same holds for the mean of the e-values of all faults
// and sizes. By Markov's inequality, at most a share Rate of clean profiles therefore reaches
// 1/Rate (Vovk and Wang 2021, "E-values"). This holds for every number of samples and needs no
// simulation.
type Diagnosis struct {
	LogE        float64 `json:"log10_e"`     // decimal logarithm of the e-value of all faults together
	Significant bool    `json:"significant"` // the e-value is at least 1/rate
	// if significant: the best fault, and all others within a factor of 20
	Faults []Explanation `json:"faults"`
	// faults that would be detectable with this truth and number of samples
	Observable []string `json:"observable"`
	Unobserved []string `json:"not_observable"` // all others
}

// Explanation is a fault with its most likely size.
type Explanation struct {
	Fault string  `json:"fault"`
	Of    string  `json:"of,omitempty"` // the affected method or thread, or a number of frames
	Size  float64 `json:"size"`         // share of Part; 0: the fault has no size
	Part  string  `json:"part"`         // entity that is affected: "samples", "the run", …
	LogE  float64 `json:"log10_e"`      // mean over methods and sizes
}

// nearlyAsGood is the maximum ratio of likelihoods for which explanations are not distinguished.
const nearlyAsGood = 20

// diagnosis evaluates faults.
type diagnosis struct {
	truth    *Truth
	profile  *Profile
	clock    Clock
	all      *stacks   // stacks of the truth, of the profile, and of faults
	ofTruth  []int32   // number of each of the truth's contexts
	known    int       // number of names in the truth
	null     []float64 // true shares by context
	depths   []int32   // number of frames of each context of the truth and the profile
	seen     []seen
	deepest  int32   // number of frames of the deepest observed stack
	n        float64 // number of samples
	tempered float64 // exponent of likelihoods: below 1 if samples are not independent
	unseen   float64 // probability of stacks that a hypothesis excludes
	cells    float64
	rate     float64
	faults   int     // number of faults evaluated
	number   *number // nil: unknown
	timing   *timing // nil: unknown

	now   string // the fault being evaluated
	tried map[string]*tried
}

// seen is a context with samples.
type seen struct {
	at    int32
	count float64
}

// tried contains the results of one fault.
type tried struct {
	logs       []float64 // logarithms of likelihood ratios, by method and size
	extra      float64   // further hypotheses, excluded by the profile: their ratio is taken as 0
	best       Explanation
	bestLog    float64
	observable bool
}

// Diagnose compares faults as explanations of a profile, without testing the profile. Unlike
// [Check], it does not examine which methods are aliased with the sampling interval. It returns nil
// for a truth without a timeline.
func Diagnose(truth *Truth, profile *Profile, o Options) (*Diagnosis, error) {
	if o.Rate == 0 {
		o.Rate = DefaultRate
	}
	c, err := newChecker(truth, profile, o)
	if err != nil {
		return nil, err
	}
	return c.diagnose(), nil
}

// diagnose evaluates all faults. It returns nil if the truth has no timeline, because the
// dependence between samples is then unknown.
func (c *checker) diagnose() *Diagnosis {
	if c.truth.lines == nil || c.want == nil {
		return nil
	}
	d := &diagnosis{truth: c.truth, profile: c.profile, clock: c.profile.Clock, all: newStacks(), n: c.samples, tempered: 1, rate: c.options.Rate, faults: len(faults), tried: map[string]*tried{}}
	// by Jensen's inequality, use the geometric mean over the threads of an instant
	if c.profile.Ticks > 0 {
		d.tempered = min(1, c.profile.Ticks/c.profile.Samples)
	}
	for _, a := range c.aliases {
		d.tempered = min(d.tempered, 1/a.Effect)
	}
	d.unseen = min(1e-6, 0.01/d.n)
	d.setStacks(c)
	if c.counted {
		d.number = newNumber(c)
	}
	d.timing = newTiming(c.truth, c.profile)
	for i := range faults {
		f := &faults[i]
		d.now = f.name
		d.tried[f.name] = &tried{bestLog: math.Inf(-1)}
		f.try(d)
	}
	return d.result()
}

// setStacks numbers the contexts of the truth, and those of the profile after removing frames that
// the truth does not contain.
func (d *diagnosis) setStacks(c *checker) {
	d.ofTruth = d.all.add(d.truth.stacks)
	d.known = len(d.all.names)
	counts := map[int32]float64{}
	numbers := make([]int32, len(c.got))
	for i := 1; i < len(numbers); i++ {
		numbers[i] = numbers[c.all.parents[i]]
		if m := c.all.methods[i]; c.known[m] {
			numbers[i] = d.all.child(numbers[i], d.all.name(c.all.names[m]))
		}
		if c.got[i] > 0 && numbers[i] > 0 {
			counts[numbers[i]] += c.got[i] * c.profile.Samples
		}
	}
	d.depths = d.all.depth()
	for at, count := range counts {
		d.seen = append(d.seen, seen{at, count})
		d.deepest = max(d.deepest, d.depths[at])
	}
	slices.SortFunc(d.seen, func(a, b seen) int { return int(a.at - b.at) })
	d.null = make([]float64, len(d.all.parents))
	weights := d.truth.weights[d.clock]
	for i := 1; i < len(weights); i++ {
		d.null[d.ofTruth[i]] += weights[i]
	}
	normalize(d.null)
	d.cells = 4 * float64(len(d.null))
}

// normalize removes the share of the empty stack and scales the others to the sum 1. It returns
// false if there are no others.
func normalize(shares []float64) bool {
	shares[0] = 0
	var sum float64
	for _, s := range shares {
		sum += s
	}
	if sum <= 0 {
		return false
	}
	for i := range shares {
		shares[i] /= sum
	}
	return true
}

// sizes are the tried shares of affected samples.
var sizes = []float64{0.005, 0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.45, 0.6, 0.8, 1}

// smooth makes a probability positive.
func (d *diagnosis) smooth(shares []float64, at int32) float64 {
	p := 0.
	if int(at) < len(shares) {
		p = shares[at]
	}
	return (1-d.unseen)*p + d.unseen/d.cells
}

// mixed evaluates a fault that affects a share of the samples. The affected samples have the
// distribution faulty. If added is set, they are additional samples; otherwise they replace
// samples.
func (d *diagnosis) mixed(of string, faulty []float64, added bool) {
	faulty = slices.Clone(faulty)
	if !normalize(faulty) {
		return
	}
	for _, size := range sizes {
		if added && size == 1 {
			continue
		}
		ratio := interval{1, 1}
		if added {
			ratio = interval{1 / (1 - size/1.4), 1 / (1 - min(0.95, size*1.4))}
		}
		var log float64
		for _, s := range d.seen {
			p := d.smooth(d.null, s.at)
			log += s.count * math.Log1p(size*(d.smooth(faulty, s.at)-p)/p)
		}
		d.add(Explanation{Of: of, Size: size}, d.tempered*log+d.number.log(ratio), d.expects(faulty, min(size, 0.8), ratio))
	}
}

// whole evaluates a fault that affects all samples, which then have the distribution faulty. size
// is the size in the explanation.
func (d *diagnosis) whole(of string, size float64, faulty []float64, ratio interval) {
	faulty = slices.Clone(faulty)
	if !normalize(faulty) {
		return
	}
	var log float64
	for _, s := range d.seen {
		log += s.count * math.Log(d.smooth(faulty, s.at)/d.smooth(d.null, s.at))
	}
	d.add(Explanation{Of: of, Size: size}, d.tempered*log+d.number.log(ratio), d.expects(faulty, 1, ratio))
}

// expects returns the expected logarithm of the likelihood ratio if the fault is present: n times
// the relative entropy of the shares, plus the contribution of the number of samples.
func (d *diagnosis) expects(faulty []float64, size float64, ratio interval) float64 {
	if d.tried[d.now].observable {
		return 0
	}
	var entropy float64
	for i, f := range faulty {
		p := d.smooth(d.null, int32(i))
		if q := (1-size)*p + size*f; q > 0 {
			entropy += q * math.Log(q/p)
		}
	}
	return d.tempered*d.n*entropy + d.number.expects(ratio)
}

// add adds a hypothesis of the current fault: the logarithm of its likelihood ratio, and the value
// expected if the hypothesis is true.
func (d *diagnosis) add(x Explanation, log, expected float64) {
	t := d.tried[d.now]
	t.logs = append(t.logs, log)
	if log > t.bestLog {
		t.best, t.bestLog = x, log
	}
	const hypotheses = 100 // approximate number of hypotheses of a fault
	t.observable = t.observable || expected >= math.Log(hypotheses*float64(d.faults)/d.rate)
}

// meanLog returns the logarithm of the mean likelihood ratio of a fault's hypotheses.
func (t *tried) meanLog() float64 {
	if len(t.logs) == 0 {
		return 0
	}
	var sum float64
	for _, l := range t.logs {
		sum += math.Exp(l - t.bestLog)
	}
	return t.bestLog + math.Log(sum/(float64(len(t.logs))+t.extra))
}

// result compares the faults.
func (d *diagnosis) result() *Diagnosis {
	r := &Diagnosis{}
	best := math.Inf(-1)
	for _, t := range d.tried {
		best = max(best, t.meanLog())
	}
	var sum float64
	for i := range faults {
		name := faults[i].name
		t := d.tried[name]
		log := t.meanLog()
		sum += math.Exp(log - best)
		if t.observable {
			r.Observable = append(r.Observable, name)
		} else {
			r.Unobserved = append(r.Unobserved, name)
		}
		if len(t.logs) > 0 && log >= best-math.Log(nearlyAsGood) {
			t.best.Fault, t.best.Part, t.best.LogE = name, faults[i].part, log/math.Ln10
			r.Faults = append(r.Faults, t.best)
		}
	}
	r.LogE = (best + math.Log(sum/float64(len(faults)))) / math.Ln10
	r.Significant = r.LogE >= -math.Log10(d.rate)
	if !r.Significant {
		r.Faults = nil
	}
	slices.SortStableFunc(r.Faults, func(a, b Explanation) int {
		switch {
		case a.LogE > b.LogE:
			return -1
		case a.LogE < b.LogE:
			return 1
		}
		return 0
	})
	return r
}

// number tests the number of samples relative to CPU time.
type number struct {
	seen float64
	// expected number for timers: CPU time divided by the interval, with margins for the ends of
	// threads
	want interval
	// samplers are timers with a constant period, so the number hardly varies by chance
	periodic bool
}

// newNumber returns the test of a profile's number of samples.
func newNumber(c *checker) *number {
	want := c.wantedSamples()
	_, threads := c.truth.cpuTime()
	want.high += float64(threads)
	return &number{c.samples, want, c.options.Schedules == CPUTimer}
}

// log returns the logarithm of the likelihood ratio of a fault that multiplies the number of
// samples by a value in a range. It is 0 if the number is unknown, or does not change.
func (n *number) log(ratio interval) float64 {
	if n == nil || ratio.low == 1 && ratio.high == 1 {
		return 0
	}
	null := uniformLog(n.seen, n.want)
	if !n.periodic { // the largest likelihood within the range of values
		mean := min(max(n.seen, n.want.low), n.want.high)
		lgamma, _ := math.Lgamma(n.seen + 1)
		null = max(null, n.seen*math.Log(max(mean, 1e-9))-mean-lgamma)
	}
	return uniformLog(n.seen, interval{ratio.low * n.want.low, ratio.high * n.want.high}) - null
}

// expects returns the expected log for the number of samples caused by the fault.
func (n *number) expects(ratio interval) float64 {
	if n == nil {
		return 0
	}
	faulty := *n
	faulty.seen = (ratio.low*n.want.low + ratio.high*n.want.high) / 2
	return max(0, faulty.log(ratio))
}

// uniformLog is the logarithm of the probability of an integer that is uniform in a range, with
// tails of the width of a few samples.
func uniformLog(x float64, r interval) float64 {
	outside := max(0, r.low-x, x-r.high)
	return -math.Log(r.high-r.low+4) - outside
}
