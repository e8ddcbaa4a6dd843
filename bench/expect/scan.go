package expect

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Scan tests self and total time of all methods at once. Half of its rate is for the largest
// deviation of a single share. A quarter each is for the G statistic and the total variation
// distance of self times, which detect biases spread over many methods.
type Scan struct {
	Outcome Outcome `json:"outcome"`
	Rate    float64 `json:"false_alarm_rate"`
	Tests   int     `json:"tests"` // number of tests of single shares
	// those that fail, in descending order of bias; otherwise the one with the largest deviation
	Methods []Assertion `json:"methods"`
	// over all single shares: maximum of the smallest bias that fails with 95 % probability
	Bias Value  `json:"bias"`
	G    *Whole `json:"g,omitempty"`
	TVD  *Whole `json:"tvd,omitempty"`
	// why G and the total variation distance were not tested
	Why string `json:"why_not_whole,omitempty"`
}

// Whole is a test of all self times together.
type Whole struct {
	Outcome Outcome `json:"outcome"`
	Value   float64 `json:"value"`
	P       float64 `json:"p"`     // p-value, or an upper bound of it
	Exact   bool    `json:"exact"` // the p-value is simulated; else it is an upper bound
}

// candidate is a share that the scan tests.
type candidate struct {
	name      string
	want      interval
	seen      float64
	t         test
	deviation float64
	p         float64
}

// scan tests all methods at a rate.
func (c *checker) scan(rate float64) *Scan {
	s := &Scan{Outcome: Pass, Rate: rate}
	var list []candidate
	add := func(name string, want interval, seen float64, set func() []bool) {
		list = append(list, candidate{name: name, want: want, seen: seen})
		last := &list[len(list)-1]
		last.t, last.deviation = c.testOf(name, want, c.setFor(want, seen, rate, set), c.samples)
		last.p = pValue(last.t, seen)
	}
	for i := range c.methods {
		m := &c.methods[i]
		name := c.all.names[m.id]
		if m.hasSelf {
			add("self "+name, m.self, m.seenSelf, func() []bool { return c.selfOf(m.id) })
		}
		if m.hasTotal {
			add("total "+name, m.total, m.seenTotal, func() []bool { return c.totalOf(m.id) })
		}
	}
	s.Tests = len(list)
	s.Why = c.whyNotWhole()
	forMax := rate
	if s.Why == "" {
		forMax = rate / 2
		s.G, s.TVD = c.whole(rate / 4)
		if s.G.Outcome == Fail || s.TVD.Outcome == Fail {
			s.Outcome = Fail
		}
	}
	each := forMax / float64(max(1, s.Tests))
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.p, b.p) })
	for i := range list {
		x := &list[i]
		if i > 0 && x.p > each {
			break
		}
		a := Assertion{Name: x.name, Outcome: Pass, Unit: "share"}
		c.finish(&a, x.t, x.want, x.seen, c.samples, each, x.deviation)
		s.Methods = append(s.Methods, a)
		if a.Outcome == Fail {
			s.Outcome = Fail
		}
	}
	sort.SliceStable(s.Methods, func(i, j int) bool { return distance(&s.Methods[i]) > distance(&s.Methods[j]) })
	s.Bias = c.scanBias(list, each)
	return s
}

// scanBias returns the maximum, over all shares, of the smallest bias that the scan detects at a
// rate per share. For independent samples it is that of the share nearest to one half.
func (c *checker) scanBias(list []candidate, rate float64) Value {
	var nearest *candidate
	for i := range list {
		if x := &list[i]; nearest == nil || math.Abs(x.want.low-0.5) < math.Abs(nearest.want.low-0.5) {
			nearest = x
		}
	}
	var worst Value
	for i := range list {
		if x := &list[i]; x == nearest || x.deviation > 0 {
			_, bias := c.detects(x.t, x.want, c.samples, rate, x.deviation)
			if !bias.Known() {
				return unknown
			}
			worst = max(worst, bias)
		}
	}
	return worst
}

// distance returns the difference of an observed share from the range of expected shares.
func distance(a *Assertion) float64 {
	return max(0, a.Expected.Low-a.Observed, a.Observed-a.Expected.High)
}

// smallShare is the true share below which aliasing is examined only if the samples are unlikely
// under independence, because programs have many methods with such shares. Likely samples pass the
// test in any case.
const smallShare = 0.003

// unlikely is the maximum p-value under independence for which aliasing of small shares is
// examined.
const unlikely = 0.1

// setFor returns the set of contexts of a share if the share's test at a rate needs it.
func (c *checker) setFor(want interval, seen, rate float64, set func() []bool) []bool {
	needed := c.profile.runs != nil
	if c.truth.lines != nil {
		needed = len(c.kinds) > 0 && (want.high >= smallShare || pValue(c.independent(want, c.samples), seen) <= max(unlikely, rate))
	}
	if !needed {
		return make([]bool, len(c.all.parents))
	}
	return set()
}

// whyNotWhole returns the reason why the self times of all methods are not tested together; "" if
// they are.
func (c *checker) whyNotWhole() string {
	switch {
	case c.want == nil:
		return "the truth does not state all shares"
	case c.profile.Ticks > 0:
		return "samples of threads at one instant are not independent"
	case c.profile.counts == nil:
		return "samples have different weights"
	case c.truth.lines == nil && c.options.RunLength.kind != runsRandom:
		return "the truth has no timeline"
	case len(c.aliases) > 0:
		return "methods are aliased with the sampling interval"
	}
	return ""
}

// whole tests the self times of all methods by G and by the total variation distance, each at a
// rate. Counts of independent samples are multinomial. If the rate is large enough, p-values are
// simulated (Besag and Clifford 1991); else they are upper bounds that hold for every number of
// samples.
func (c *checker) whole(rate float64) (g, tvd *Whole) {
	var shares []float64
	var counts []int64
	for _, m := range c.methods {
		if m.self.low > 0 {
			shares = append(shares, m.self.low)
			counts = append(counts, int64(math.Round(m.seenSelf*c.samples)))
		}
	}
	n := int64(c.samples)
	pooled := newPool(shares, n)
	g = &Whole{Value: pooled.statistic(counts)}
	tvd = &Whole{Value: 1 - overlapOf(shares, counts, n)}
	const maxWork = 40_000_000 // limit of drawn samples or binomials; takes about a second
	profiles := int(20 / rate)
	if float64(profiles)*float64(min(n, 16*int64(len(shares)))) <= maxWork {
		draw := newMultinomial(shares, n, 2)
		g.P, tvd.P = simulated(profiles, func() (bool, bool) {
			x := draw.draw()
			return pooled.statistic(x) >= g.Value-1e-9, 1-overlapOf(shares, x, n) >= tvd.Value-1e-12
		})
		g.Exact, tvd.Exact = true, true
	} else {
		g.P, tvd.P = pooled.bound(g.Value), boundTVD(tvd.Value, shares, n)
	}
	for _, w := range []*Whole{g, tvd} {
		if w.Outcome = Pass; w.P <= rate {
			w.Outcome = Fail
		}
	}
	return g, tvd
}

// simulated returns Monte Carlo p-values of two statistics: the share of profiles, including this
// one, with at least the same distance from the truth. Drawing stops when both p-values are clearly
// not small.
func simulated(profiles int, draw func() (first, second bool)) (p, q float64) {
	const enough = 40
	var a, b int
	n := 0
	for n < profiles && (a < enough || b < enough) {
		first, second := draw()
		n++
		if first {
			a++
		}
		if second {
			b++
		}
	}
	return float64(a+1) / float64(n+1), float64(b+1) / float64(n+1)
}

// pool merges shares with few expected samples into one cell.
type pool struct {
	samples  float64
	expected []float64
	cell     []int // by share
	sums     []float64
}

// minExpected is the minimum expected number of samples for a separate cell.
const minExpected = 5

func newPool(shares []float64, samples int64) *pool {
	p := &pool{samples: float64(samples), cell: make([]int, len(shares))}
	rest := -1
	for i, share := range shares {
		e := share * p.samples
		if e >= minExpected {
			p.cell[i] = len(p.expected)
			p.expected = append(p.expected, e)
			continue
		}
		if rest < 0 {
			rest = len(p.expected)
			p.expected = append(p.expected, 0)
		}
		p.cell[i] = rest
		p.expected[rest] += e
	}
	p.sums = make([]float64, len(p.expected))
	return p
}

// statistic returns G = 2 Σ x log(x/expected).
func (p *pool) statistic(counts []int64) (g float64) {
	clear(p.sums)
	for i, n := range counts {
		p.sums[p.cell[i]] += float64(n)
	}
	for i, x := range p.sums {
		if x > 0 {
			g += 2 * x * math.Log(x/p.expected[i])
		}
	}
	return g
}

// bound returns an upper bound of P(G ≥ g): (e·g/2d)^d·exp(−g/2) with d degrees of freedom.
//
// Source: Agrawal 2020, "Finite-Sample Concentration of the Multinomial in Relative Entropy",
// theorem I.2.
func (p *pool) bound(g float64) float64 {
	d := float64(len(p.expected) - 1)
	if d == 0 || g/2 <= d {
		return 1
	}
	return min(1, math.Exp(d*(1+math.Log(g/2/d))-g/2))
}

// boundTVD returns an upper bound of the probability of a distance d: exp(−2n·(d − mean)²). One
// sample changes the distance by at most 1/n.
//
// Source: McDiarmid 1989 (bounded differences).
func boundTVD(distance float64, shares []float64, n int64) float64 {
	p, ok := NewPerfect(shares, n)
	if !ok || distance <= 1-p.Mean {
		return 1
	}
	over := distance - (1 - p.Mean)
	return math.Exp(-2 * float64(n) * over * over)
}

// perfect returns the overlap of self times, and the overlap of a perfect sampler with the same
// number of samples.
func (c *checker) perfect() (Value, *Perfect) {
	if c.want == nil {
		return unknown, nil
	}
	var shares []float64
	var overlap Value
	for _, m := range c.methods {
		if m.self.low > 0 {
			shares = append(shares, m.self.low)
			overlap += Value(min(m.self.low, m.seenSelf))
		}
	}
	type perfectOf struct {
		clock   Clock
		samples int64
	}
	n := int64(math.Round(c.samples))
	return overlap, remember(c.truth, perfectOf{c.profile.Clock, n}, func() *Perfect {
		p, ok := NewPerfect(shares, n)
		if !ok {
			return nil
		}
		return &p
	})
}
