package expect

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"gonum.org/v1/gonum/mathext"
)

// checker contains a truth and a profile with a common numbering of contexts and methods.
type checker struct {
	truth   *Truth
	profile *Profile
	options Options

	all       *stacks
	ofTruth   []int32   // number of each of the truth's contexts
	ofProfile []int32   // number of each of the profile's contexts
	known     []bool    // by method: the truth contains it, or states only some shares of self time
	listed    int       // number of methods that the truth contains; they come first
	owner     []int32   // by context: its innermost known method; -1: none
	want      []float64 // true shares by context; nil if only shares of methods are known
	got       []float64 // observed shares by context
	inside    float64   // observed share of samples with an owner
	samples   float64   // number of these samples

	methods []method // methods tested by the scan
	periods []float64
	kinds   []Schedules // periodic schedules to allow for
	// nil if samples have no times, or if the sampler's own instants are not to be allowed for
	shifts  *shifts
	aliases []Alias
	counted bool // the number of samples is tested
}

// method contains the shares of a method.
type method struct {
	id                  int32
	self, total         interval
	seenSelf, seenTotal float64 // as shares of the samples inside
	hasSelf, hasTotal   bool
}

func newChecker(truth *Truth, profile *Profile, o Options) (*checker, error) {
	profile, err := profile.On(truth, o.Schedules)
	if err != nil {
		return nil, err
	}
	c := &checker{truth: truth, profile: profile, options: o, all: newStacks(), inside: 1}
	if truth.stacks != nil {
		c.ofTruth = c.all.add(truth.stacks)
	}
	for _, s := range truth.shares {
		c.all.name(s.method)
	}
	names := len(c.all.names)
	c.ofProfile = c.all.add(profile.stacks)
	c.known = make([]bool, len(c.all.names))
	for i := range names {
		c.known[i] = true
	}
	c.listed = names
	c.got = make([]float64, len(c.all.parents))
	for i, share := range profile.shares {
		c.got[c.ofProfile[i]] += share
	}
	if err := c.setTruth(); err != nil {
		return nil, err
	}
	if err := c.setOwners(); err != nil {
		return nil, err
	}
	c.setSchedules()
	c.setMethods()
	if truth.lines == nil && profile.runs == nil && o.RunLength.kind == runsUnknown && !c.onlyExact() {
		return nil, ErrNoRate
	}
	if cpu, _ := truth.cpuTime(); cpu > 0 && profile.Clock == CPU && profile.Interval > 0 {
		c.counted = true
	}
	return c, nil
}

// onlyExact reports whether no rule needs a distribution and the scan has no methods.
func (c *checker) onlyExact() bool {
	if len(c.methods) > 0 || c.options.Rules == nil {
		return false
	}
	for _, r := range c.options.Rules.List {
		if r.Absent == "" && r.Samples == nil && r.Time == nil {
			return false
		}
	}
	return true
}

// setTruth sets the true shares by context.
func (c *checker) setTruth() error {
	if c.truth.stacks == nil {
		return nil
	}
	weights := c.truth.weights[c.profile.Clock]
	if weights == nil {
		return fmt.Errorf("%s contains no %s, which %s counts", c.truth.Name, c.profile.Clock, c.profile.Name)
	}
	var sum float64
	for _, w := range weights[1:] {
		sum += w
	}
	c.want = make([]float64, len(c.all.parents))
	for i, w := range weights[1:] {
		c.want[c.ofTruth[i+1]] += w / sum
	}
	return nil
}

// setOwners finds the innermost known method of each context. If the truth states the shares of all
// self time, other methods are those of a runtime or kernel, and their time is that of their
// callers. If it states some shares only, all methods of the profile are known: a share is one of
// all samples, and self time is that of the innermost frame.
func (c *checker) setOwners() error {
	common := len(c.truth.shares)+len(c.truth.weights[c.profile.Clock]) == 0
	listed := make([]bool, len(c.all.parents)) // contexts with a method of the truth
	for i := 1; i < len(listed); i++ {
		listed[i] = listed[c.all.parents[i]] || int(c.all.methods[i]) < c.listed
		common = common || listed[i] && c.got[i] > 0
	}
	if !common {
		return fmt.Errorf("%s and %s: %w (%s; %s)", c.truth.Name, c.profile.Name, ErrNothingInCommon, c.example(c.want, true), c.example(c.got, false))
	}
	if c.truth.isPartial() {
		for m := range c.known {
			c.known[m] = true
		}
	}
	c.owner = make([]int32, len(c.all.parents))
	c.owner[0] = -1
	c.inside = 0
	for i := 1; i < len(c.owner); i++ {
		c.owner[i] = c.owner[c.all.parents[i]]
		if m := c.all.methods[i]; c.known[m] {
			c.owner[i] = m
		}
		if c.owner[i] >= 0 {
			c.inside += c.got[i]
		}
	}
	c.inside = min(1, c.inside)
	c.samples = c.inside * c.profile.Samples
	if c.profile.counts != nil {
		c.samples = math.Round(c.samples)
	}
	return nil
}

// example returns the name of a method with time, for messages.
func (c *checker) example(shares []float64, known bool) string {
	best, at := 0., -1
	for i, s := range shares {
		if i > 0 && s > best {
			best, at = s, int(c.all.methods[i])
		}
	}
	if at < 0 {
		at = slices.Index(c.known, known)
	}
	if at < 0 {
		return "none"
	}
	const longest = 80
	name := c.all.names[at]
	if len(name) > longest {
		return strings.ToValidUTF8(name[:longest], "") + "…"
	}
	return name
}

// setSchedules determines the periodic schedules to allow for, and their periods.
func (c *checker) setSchedules() {
	if c.truth.lines == nil {
		return
	}
	allowed := c.options.Schedules
	if allowed == 0 {
		allowed = CPUTimer
		if c.profile.Clock == Wall {
			allowed = WallTick
		}
	}
	for _, kind := range []Schedules{CPUTimer, WallTick} {
		if allowed&kind != 0 {
			c.kinds = append(c.kinds, kind)
		}
	}
	var time float64
	for _, w := range c.truth.weights[c.profile.Clock][1:] {
		time += w
	}
	c.periods = periods(time/c.samples, float64(c.profile.Interval), float64(c.profile.time)/c.profile.Samples)
	if slices.Contains(c.kinds, WallTick) {
		c.shifts = newShifts(c.truth, c.profile)
	}
}

// setMethods collects the shares of methods.
func (c *checker) setMethods() {
	if c.want != nil {
		self, total := c.sums(c.want)
		for id := range self {
			if c.known[id] && total[id] > 0 {
				c.methods = append(c.methods, method{id: int32(id), self: exactly(self[id]), total: exactly(total[id]), hasSelf: true, hasTotal: total[id] > self[id]*(1+1e-12)})
			}
		}
	}
	index := map[int32]int{}
	for _, s := range c.truth.shares {
		id := c.all.nameOf[s.method]
		i, ok := index[id]
		if !ok {
			i = len(c.methods)
			index[id] = i
			c.methods = append(c.methods, method{id: id})
		}
		if m := &c.methods[i]; s.total {
			m.total, m.hasTotal = s.share, true
		} else {
			m.self, m.hasSelf = s.share, true
		}
	}
	self, total := c.sums(c.got)
	for i := range c.methods {
		m := &c.methods[i]
		m.seenSelf, m.seenTotal = c.observed(self[m.id]), c.observed(total[m.id])
	}
}

// exactly returns the interval for an exact share.
func exactly(p float64) interval { p = min(1, p); return interval{p, p} }

// observed converts a share of all samples to a share of the samples inside. Integer counts remain
// integers.
func (c *checker) observed(share float64) float64 {
	q := share / c.inside
	if c.profile.counts != nil {
		q = math.Round(q*c.samples) / c.samples
	}
	return min(1, q)
}

// sums returns the self and total shares of methods: self shares by the innermost known method,
// total shares by the methods on the stack.
func (c *checker) sums(shares []float64) (self, total []float64) {
	self, total = make([]float64, len(c.all.names)), make([]float64, len(c.all.names))
	last := make([]int, len(c.all.names)) // by method: the last context that added to it
	for i, share := range shares {
		if share == 0 || c.owner[i] < 0 {
			continue
		}
		self[c.owner[i]] += share
		for at := int32(i); at > 0; at = c.all.parents[at] {
			if m := c.all.methods[at]; last[m] != i {
				last[m] = i
				total[m] += share
			}
		}
	}
	return self, total
}

// member returns, for each context, whether a set contains it.
func (c *checker) member(has func(i int32) bool) []bool {
	set := make([]bool, len(c.all.parents))
	for i := 1; i < len(set); i++ {
		set[i] = has(int32(i))
	}
	return set
}

// selfOf is the set of contexts with m as the innermost known method.
func (c *checker) selfOf(m int32) []bool {
	return c.member(func(i int32) bool { return c.owner[i] == m })
}

// totalOf is the set of contexts with m on the stack.
func (c *checker) totalOf(m int32) []bool {
	set := make([]bool, len(c.all.parents))
	for i := 1; i < len(set); i++ {
		set[i] = set[c.all.parents[i]] || c.all.methods[i] == m
	}
	return set
}

// pathOf is the set of contexts that contain a sequence of adjacent frames.
func (c *checker) pathOf(frames []int32) []bool {
	set := make([]bool, len(c.all.parents))
	for i := 1; i < len(set); i++ {
		at, n := int32(i), len(frames)
		for n > 0 && at > 0 && c.all.methods[at] == frames[n-1] {
			at, n = c.all.parents[at], n-1
		}
		set[i] = n == 0 || set[c.all.parents[i]]
	}
	return set
}

// share sums up the contexts of a set.
func share(shares []float64, set []bool) (sum float64) {
	for i, in := range set {
		if in {
			sum += shares[i]
		}
	}
	return min(1, sum)
}

// testOf returns the distribution of a share of samples and its standard deviation as a count (0 if
// samples are independent). If the share is aliased, testOf adds it to the list of aliased shares.
// set contains the contexts of the share. It may be nil if the truth has no timeline and the
// profile no order.
func (c *checker) testOf(name string, want interval, set []bool, samples float64) (t test, deviation float64) {
	t = c.independent(want, samples)
	p := (want.low + want.high) / 2
	independent := samples * p * (1 - p)
	if c.truth.lines == nil {
		return c.serialTest(t, want, set, samples)
	}
	if independent <= 0 {
		return t, 0
	}
	family := widest{t}
	ofTruth, smaller := make([]bool, len(c.ofTruth)), make([]bool, len(c.ofTruth))
	// then use the law of the other samples, because the number of all samples varies, too
	most := p > 0.5
	members := 0
	for i, at := range c.ofTruth {
		ofTruth[i] = set[at]
		if smaller[i] = set[at] != most && at > 0; smaller[i] {
			members++
		}
	}
	part := min(p, 1-p)
	worst := Alias{Of: name}
	spans := sync.OnceValue(func() [][]span { return c.truth.spansOf(c.profile.Clock, smaller) })
	for _, kind := range c.kinds {
		for _, period := range c.periods {
			l := c.truth.law(lawKey{name, members, c.profile.Clock, kind, period}, spans)
			if l.mean <= 0 {
				continue
			}
			t := phased{l.distribution, l.mean / part, l.mean / part}
			if c.allLaw(kind, period).has(samples) {
				t.observed = samples
			}
			if most {
				family = append(family, mirrored{t})
			} else {
				family = append(family, t)
			}
			if effect := l.variance / (l.mean * (1 - part)); effect > worst.Effect {
				worst.Effect, worst.Period = effect, time.Duration(period)
			}
		}
	}
	if t, ok := c.shifts.of(ofTruth, want, samples); ok {
		family = append(family, t)
		if effect := t.deviation * t.deviation * samples / (p * (1 - p)); effect > worst.Effect {
			worst.Effect, worst.Period = effect, time.Duration(float64(c.profile.time)/c.profile.Samples)
		}
	}
	if worst.Effect > aliased {
		deviation = math.Sqrt(worst.Effect * independent)
		if !slices.ContainsFunc(c.aliases, func(a Alias) bool { return a.Of == name }) {
			c.aliases = append(c.aliases, worst)
		}
	}
	return family, deviation
}

// allLaw returns the distribution of the number of all samples.
func (c *checker) allLaw(kind Schedules, period float64) distribution {
	return c.truth.law(lawKey{"", 0, c.profile.Clock, kind, period}, func() [][]span {
		all := make([]bool, len(c.ofTruth))
		for i := range all {
			all[i] = i > 0
		}
		return c.truth.spansOf(c.profile.Clock, all)
	}).distribution
}

// independent returns the distribution of a share of independent samples or instants.
func (c *checker) independent(want interval, samples float64) test {
	if ticks := c.profile.Ticks; ticks > 0 {
		return bounded{ticks, want}
	}
	return binomial{samples, want}
}

// assert tests a rule at a rate.
func (c *checker) assert(r *Rule, rate float64) (Assertion, error) {
	a := Assertion{Name: r.String(), Outcome: Pass, P: unknown, Bias: unknown, Detect: r.Detect, Unit: "share"}
	switch {
	case r.Samples != nil:
		a.Unit, a.Expected, a.Accepted, a.Observed = "samples", *r.Samples, *r.Samples, c.profile.Samples
		return a.within(), nil
	case r.Time != nil:
		a.Unit, a.Expected, a.Accepted, a.Observed = "s", *r.Time, *r.Time, c.profile.time.Seconds()
		return a.within(), nil
	case r.Absent != "":
		if id, ok := c.all.nameOf[r.Absent]; ok {
			a.Observed = share(c.got, c.totalOf(id))
		}
		return a.within(), nil
	case len(r.Order) > 0:
		return c.assertOrder(a, r.Order, rate)
	}
	set, whole, err := c.setOf(r)
	if err != nil {
		return a, err
	}
	want := interval{}
	switch {
	case r.Share != nil:
		want = interval{r.Share.Low, r.Share.High}
	case c.want != nil:
		want = exactly(share(c.want, set))
	default:
		m, ok := c.stated(r)
		if !ok {
			return a, fmt.Errorf("rule %s: the truth states no share; add the expected share to the rule, as in \"share: 30 %%\"", r)
		}
		want = m
	}
	samples, seen := c.samples, c.observed(share(c.got, set))
	if whole { // a share of all samples, with or without a known method
		samples, seen = c.profile.Samples, share(c.got, set)
	}
	t, deviation := c.testOf(a.Name, want, set, samples)
	c.finish(&a, t, want, seen, samples, rate, deviation)
	return a, nil
}

// within decides an assertion by its range of accepted values.
func (a Assertion) within() Assertion {
	if a.Observed < a.Accepted.Low || a.Observed > a.Accepted.High {
		a.Outcome = Fail
	}
	return a
}

// finish sets the results of a test of a share.
func (c *checker) finish(a *Assertion, t test, want interval, seen, samples, rate, deviation float64) {
	a.Expected, a.Observed, a.P = Range{want.low, want.high}, seen, Value(pValue(t, seen))
	a.Accepted, a.Bias = c.detects(t, want, samples, rate, deviation)
	switch {
	case float64(a.P) <= rate:
		a.Outcome = Fail
	case a.Detect > 0 && !(float64(a.Bias) <= a.Detect):
		a.Outcome = TooFew
		if deviation == 0 {
			a.Needed = needed(want, a.Detect, rate)
		}
	}
}

// detects returns the accepted range of a test, and the smallest bias that the test detects.
func (c *checker) detects(t test, want interval, samples, rate, deviation float64) (Range, Value) {
	accept := accepted(t, want, samples, rate)
	independent := samples
	if ticks := c.profile.Ticks; ticks > 0 {
		independent = ticks
	}
	return Range{max(0, accept.low), min(1, accept.high)}, Value(detected(accept, want, independent, deviation))
}

// setOf returns the contexts to which a rule applies. whole is set if the rule is about their share
// of all samples, including samples without a method of the truth.
func (c *checker) setOf(r *Rule) (set []bool, whole bool, err error) {
	find := func(name string) int32 {
		id, missing := c.find(name, r.String())
		if err == nil {
			err = missing
		}
		return id
	}
	switch {
	case r.Self != "":
		id := find(r.Self)
		if err == nil && !c.known[id] {
			err = fmt.Errorf("rule %[1]s: the method %[3]q is not in %[2]s, only in %[4]s; use the rule total with a share, or the rule absent", r, c.truth.Name, r.Self, c.profile.Name)
			return nil, false, err
		}
		return c.selfOf(id), false, err
	case r.Total != "":
		return c.totalOf(find(r.Total)), false, err
	case r.Path != "":
		var frames []int32
		for _, name := range strings.Split(r.Path, ";") {
			frames = append(frames, find(strings.TrimSpace(name)))
		}
		return c.pathOf(frames), false, err
	}
	return c.member(func(i int32) bool {
		return (c.got[i] > 0 || c.want != nil && c.want[i] > 0) && r.Stack.MatchString(c.all.path(i))
	}), true, nil
}

// find returns the method denoted by a name in a rule.
func (c *checker) find(name, rule string) (int32, error) {
	id, ok := c.all.nameOf[name]
	if !ok {
		return id, fmt.Errorf("rule %s: neither %s nor %s has a method %q%s", rule, c.truth.Name, c.profile.Name, name, c.similar(name))
	}
	return id, nil
}

// similar returns a method with the same last part of its name, as a suggestion in messages.
func (c *checker) similar(name string) string {
	last := name[strings.LastIndexAny(name, ".:")+1:]
	for _, n := range c.all.names {
		if strings.EqualFold(n[strings.LastIndexAny(n, ".:")+1:], last) {
			return fmt.Sprintf("; did you mean %s?", n)
		}
	}
	return ""
}

// stated returns the share of a rule's method that a file states.
func (c *checker) stated(r *Rule) (interval, bool) {
	for _, s := range c.truth.shares {
		if s.method == r.Self && !s.total || s.method == r.Total && s.total {
			return s.share, true
		}
	}
	return interval{}, false
}

// assertOrder tests that no method has more self time than the method before it: of the samples of
// two adjacent methods, at most half belong to the second.
func (c *checker) assertOrder(a Assertion, names []string, rate float64) (Assertion, error) {
	a.Unit, a.P = "order", 1
	self, _ := c.sums(c.got)
	pairs := float64(len(names) - 1)
	half := interval{0, 0.5}
	for i := 1; i < len(names); i++ {
		var share [2]float64
		for j, name := range names[i-1 : i+1] {
			id, err := c.find(name, a.Name)
			if err != nil {
				return a, err
			}
			share[j] = self[id]
		}
		both := share[0] + share[1]
		if both == 0 {
			continue
		}
		n := both * c.profile.Samples
		set := c.selfOf(c.all.nameOf[names[i]])
		t, _ := c.serialTest(binomial{n, half}, half, set, n)
		if c.profile.Ticks > 0 {
			t = bounded{both * c.profile.Ticks, half}
		}
		if _, above := t.tails(share[1] / both); above < float64(a.P) {
			a.P, a.Observed = Value(above), share[1]/both
		}
	}
	a.Expected, a.Accepted = Range{0, 0.5}, Range{0, 1}
	if float64(a.P) <= rate/pairs {
		a.Outcome = Fail
	}
	return a, nil
}

// wantedSamples returns the expected number of samples of timers: the CPU time divided by the
// interval. A timer that starts with its thread and without a random phase loses up to one sample
// per thread.
func (c *checker) wantedSamples() interval {
	cpu, threads := c.truth.cpuTime()
	want := float64(cpu) / float64(c.profile.Interval)
	return interval{max(0, want-float64(threads)), want + 1}
}

// sampleCount tests the number of samples. The number of independent samples has a Poisson
// distribution. Periodic samples vary less: if only timers are allowed for, the number varies by at
// most one sample per thread.
func (c *checker) sampleCount(rate float64) *SampleCount {
	cpu, threads := c.truth.cpuTime()
	want := c.wantedSamples()
	low, high := want.low, want.high
	atMost := func(x float64) float64 { return mathext.GammaIncRegComp(x+1, low) }
	atLeast := func(x float64) float64 {
		if x <= 0 {
			return 1
		}
		return mathext.GammaIncReg(x, high)
	}
	p := func(x float64) float64 { return min(1, 2*min(atMost(x), atLeast(x))) }
	if c.options.Schedules == CPUTimer {
		more := high + float64(threads)
		p = func(x float64) float64 {
			if x < math.Floor(low) || x > math.Ceil(more) {
				return 0
			}
			return 1
		}
	}
	reject := func(x float64) bool { return p(x) <= rate }
	a := Assertion{Name: "samples by CPU time", Outcome: Pass, Unit: "samples", Expected: Range{low, high}, Observed: c.samples, P: Value(p(c.samples)), Bias: unknown}
	far := math.Ceil(10*high + 1000)
	a.Accepted = Range{bisect(-1, math.Floor(low), reject) + 1, bisect(far, math.Ceil(high), reject) - 1}
	if float64(a.P) <= rate {
		a.Outcome = Fail
	}
	return &SampleCount{a, c.profile.Interval, cpu}
}
