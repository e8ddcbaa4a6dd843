package diff

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/report"
	"artifice/report/estimate"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// TestWelch checks the example of Rosetta Code, "Welch's t-test": p = 0.021378001462867.
func TestWelch(t *testing.T) {
	a := []float64{27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4}
	b := []float64{27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4}
	v := compareRuns(exactly(a), exactly(b))
	if math.Abs(v.p-0.021378001462867) > 1e-9 {
		t.Errorf("p = %.15f, want 0.021378001462867", v.p)
	}
	if math.Abs(v.change/1e9-(22.9866666666-20.82)) > 1e-6 {
		t.Errorf("change %v", v.change/1e9)
	}
	if c := alone(v); c.Low > c.Difference() || c.High < c.Difference() || c.Low < 0 {
		t.Errorf("interval %v to %v contains 0, although p < 5 %%", c.Low, c.High)
	}
}

// TestStudent checks the example of R's documentation, t.test(extra ~ group, data = sleep,
// var.equal = TRUE): p = 0.07919, interval −0.203874 to 3.363874. Identical runs have a standard
// deviation of half a sample: times of 100 and 110 ms, twice each, with samples of 10 ms, differ by
// 10 with the error 5 √(1/2 + 1/2). Student's t distribution with 2 degrees of freedom has P(|T| >
// t) = 1 − t/√(2 + t²).
func TestStudent(t *testing.T) {
	a := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2}
	b := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	v := pooledRuns(exactly(a), exactly(b), 0)
	if c := alone(v); math.Abs(v.p-0.07919) > 5e-6 || math.Abs(c.Low.Seconds()+0.203874) > 1e-6 || math.Abs(c.High.Seconds()-3.363874) > 1e-6 {
		t.Errorf("p = %.5f, %s to %s", v.p, c.Low, c.High)
	}
	v = pooledRuns(exactly([]float64{0.1, 0.1}), exactly([]float64{0.11, 0.11}), 10*time.Millisecond)
	if want := 1 - 2/math.Sqrt(2+4); math.Abs(v.p-want) > 1e-9 || math.Abs(v.below-5e6) > 1 || v.above != v.below {
		t.Errorf("runs that agree: p = %g, error %g; want %g, 5e6", v.p, v.below, want)
	}
	if v := pooledRuns(exactly([]float64{1, 1}), exactly([]float64{1, 1}), 0); v.p != 1 {
		t.Errorf("equal times without error: p = %g", v.p)
	}
	if v := pooledRuns(exactly([]float64{1, 1}), exactly([]float64{2, 2}), 0); v.p != 0 {
		t.Errorf("times that differ without error: p = %g", v.p)
	}
}

// alone returns the change of a verdict if no other method is tested.
func alone(v verdict) Change {
	d := &Diff{Methods: []MethodChange{{Exclusive: Change{
		New: time.Duration(v.change), P: v.p, Below: time.Duration(v.below), Above: time.Duration(v.above), Step: time.Duration(v.step), Freedom: v.freedom,
	}}}}
	d.correct()
	return d.Methods[0].Exclusive
}

// TestMinimumDetectable uses tables of Student's t distribution with 4 degrees of freedom: t(0.975)
// = 2.776445, t(0.995) = 4.604095, t(0.8) = 0.940965. The median of χ² is 3.356694, so an estimated
// error of 10 ms is the median for a true error of 10 √(4/3.356694) = 10.916249 ms.
func TestMinimumDetectable(t *testing.T) {
	c := Change{Below: 10 * time.Millisecond, Freedom: 4}
	for tests, want := range map[int]float64{1: 10.916249 * (2.776445 + 0.940965), 5: 10.916249 * (4.604095 + 0.940965)} {
		if got := float64(c.MinimumDetectable(tests)) / 1e6; math.Abs(got-want) > 1e-4 {
			t.Errorf("one of %d tests: %g ms, want %g", tests, got, want)
		}
	}
	// For a time of 100 ms, r = 10.916249 × 3.717410 / 100 is the change without the growth of the
	// error. If all variance is sampling variance, c² = r² (1 + c/2). If all variance is between
	// runs, c² = r² (1 + c + c²/2), which has no solution for r² ≥ 2.
	const r = 0.40580191
	for sampling, want := range map[float64]float64{
		1: 100 * (r*r/4 + math.Sqrt(r*r*r*r/16+r*r)),
		0: 100 * (r*r + math.Sqrt(r*r*r*r+4*r*r*(1-r*r/2))) / (2 - r*r),
	} {
		c.Old, c.New, c.Sampling = 100*time.Millisecond, 100*time.Millisecond, sampling
		if got := float64(c.MinimumDetectable(1)) / 1e6; math.Abs(got-want) > 1e-4 {
			t.Errorf("%g of the error of sampling: %g ms, want %g", sampling, got, want)
		}
	}
	c = Change{Old: 20 * time.Millisecond, New: 20 * time.Millisecond, Below: 10 * time.Millisecond, Freedom: 4} // r = 2.03
	if got := c.MinimumDetectable(1); got != maxDetectable*c.Old {
		t.Errorf("no change is large enough: %v", got)
	}
	if got := (Change{}).MinimumDetectable(1); got != 0 {
		t.Errorf("without an error: %v", got)
	}
}

// TestMannWhitney checks p-values from the documentation of other programs, and values computed by
// hand.
func TestMannWhitney(t *testing.T) {
	for _, c := range []struct {
		from string
		a, b []float64
		want float64
	}{
		{"SciPy, mannwhitneyu", []float64{19, 22, 16, 29, 24}, []float64{20, 11, 17, 12}, 0.1111111111},
		// R's ?wilcox.test, after Hollander and Wolfe 1973, 69f, has W = 35 and one-sided p =
		// 0.1272, which is 382/3003.
		{"R, wilcox.test", []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}, []float64{1.15, 0.88, 0.90, 0.74, 1.21}, 2 * 382. / 3003},
		{"all of 5 below all of 5: 2 of C(10,5) = 252 ways", []float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, 2. / 252},
		{"all equal", []float64{1, 1, 1}, []float64{1, 1}, 1},
		// Ranks are 1, 2.5, 2.5 and 4. Of 6 pairs, {1, 2.5} is the lowest, and occurs twice.
		{"a tie", []float64{1, 2}, []float64{2, 3}, 4. / 6},
	} {
		if got := mannWhitney(exactly(c.a).times, exactly(c.b).times); math.Abs(got-c.want) > 5e-5 {
			t.Errorf("%s: p = %.6f, want %.6f", c.from, got, c.want)
		}
	}
	// The normal approximation is close to the exact distribution where the method changes.
	var a, b []float64
	for i := range exactRanks/2 + 1 {
		a, b = append(a, float64(2*i)), append(b, float64(2*i)+7)
	}
	near := mannWhitney(exactly(a).times, exactly(b).times)
	ranks, sum, _ := doubledRanks(exactly(a).times, exactly(b).times)
	all, below := 0.0, 0.0
	for s, w := range waysToDeal(ranks, len(a)) {
		if all += w; s <= sum {
			below += w
		}
	}
	if exact := 2 * below / all; math.Abs(near-exact) > 0.02*exact+0.002 {
		t.Errorf("normal %.5f, exact %.5f", near, exact)
	}
}

// TestMannWhitneyNormal checks the normal approximation, as in R's wilcox.test with exact = FALSE
// and correct = TRUE: z = (|U − nm/2| − 1/2)/σ with σ² = nm/12 (n + m + 1 − Σ(t³ − t)/((n + m)(n +
// m − 1))). U is the number of pairs in which the first side has the longer time; a tie counts as a
// half. All times occur twice on a side, and some on both sides.
func TestMannWhitneyNormal(t *testing.T) {
	var a, b []float64
	for i := range 14 {
		a, b = append(a, float64(i/2)), append(b, float64(i/2)+2)
	}
	u := 0.0
	for _, x := range a {
		for _, y := range b {
			if x > y {
				u++
			} else if x == y {
				u += 0.5
			}
		}
	}
	n, m := 14., 14.
	const ties = 5*(4*4*4-4) + 4*(2*2*2-2) // 2 to 6 occur four times; 0, 1, 7 and 8 twice
	sigma := math.Sqrt(n * m / 12 * (n + m + 1 - ties/((n+m)*(n+m-1))))
	want := math.Erfc((math.Abs(u-n*m/2) - 0.5) / sigma / math.Sqrt2)
	if got := mannWhitney(exactly(a).times, exactly(b).times); math.Abs(got-want) > 1e-12 {
		t.Errorf("p = %.15f, want %.15f", got, want)
	}
}

// between returns a time with its 95 % confidence interval, in ms.
func between(low, value, high time.Duration) estimate.Time {
	const ms = time.Millisecond
	return estimate.Time{Value: value * ms, Low: low * ms, High: high * ms}
}

// TestSingleTraces checks the errors of two single traces: the half widths of their intervals,
// added in quadrature. Towards equality this is √(20² + 15²) = 25 ms, away from it √(30² + 10²) ms.
// p is computed from the difference minus one sample, 5 ms, and the interval is wider by the same 5
// ms.
func TestSingleTraces(t *testing.T) {
	long := &measured{times: []estimate.Time{between(80, 100, 130)}, known: true}
	short := &measured{times: []estimate.Time{between(50, 60, 75)}, known: true}
	wide := math.Hypot(30, 10)
	p := math.Erfc((40. - 5) / 25 * report.Z95 / math.Sqrt2) // 2(1 − Φ(2.744)) = 0.00607
	for _, c := range []struct {
		old, now          *measured
		change, low, high float64 // ms
	}{{long, short, -40, -40 - wide - 5, -40 + 25 + 5}, {short, long, 40, 40 - 25 - 5, 40 + wide + 5}} {
		got := compareSampled(c.old, c.now, 5*time.Millisecond)
		interval := alone(got)
		for i, pair := range [][2]float64{{got.change / 1e6, c.change}, {float64(interval.Low) / 1e6, c.low}, {float64(interval.High) / 1e6, c.high}, {got.p, p}} {
			if math.Abs(pair[0]-pair[1]) > 2e-6 { // 2 ns
				t.Errorf("%g ms: value %d is %g, want %g", c.change, i, pair[0], pair[1])
			}
		}
	}
	if got := compareSampled(long, long, 5*time.Millisecond); got.p != 1 {
		t.Errorf("equal sides: p = %g, want 1", got.p)
	}
}

// TestEqualRuns checks that two runs a side with equal times have the sampling error. The
// interval of each run begins 20 ms below its time, for z = 1.96. The error of the mean of two is
// 1/√2 of that, and the error of the difference is √2 times that of the mean. Student's t
// distribution with 2 degrees of freedom has P(|T| > t) = 1 − t/√(2 + t²), and its 97.5 % quantile
// is 4.302653.
func TestEqualRuns(t *testing.T) {
	side := func(one estimate.Time) *measured {
		return &measured{times: []estimate.Time{one, one}, known: true}
	}
	got := compareRuns(side(between(80, 100, 130)), side(between(180, 200, 210)))
	se := 20 / report.Z95
	score := 100 / se
	for i, pair := range [][2]float64{
		{float64(alone(got).Low) / 1e6, 100 - 4.302653*se}, {float64(alone(got).High) / 1e6, 100 + 4.302653*se}, {got.p, 1 - score/math.Sqrt(2+score*score)},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-5 {
			t.Errorf("value %d is %g, want %g", i, pair[0], pair[1])
		}
	}
}

// exactly returns times without sampling error, given in seconds.
func exactly(seconds []float64) *measured {
	m := &measured{known: true}
	for _, s := range seconds {
		d := time.Duration(math.Round(s * 1e9))
		m.times = append(m.times, estimate.Time{Value: d, Low: d, High: d})
	}
	return m
}

// TestFalseDiscovery checks q-values by hand: q of rank i is the minimum of p n/j over all j ≥ i.
func TestFalseDiscovery(t *testing.T) {
	nan := math.NaN()
	got := falseDiscovery([]float64{0.5, 0.03, nan, 0.01, 0.02})
	for i, want := range []float64{0.5, 0.04, nan, 0.04, 0.04} {
		if math.Abs(got[i]-want) > 1e-12 || math.IsNaN(want) != math.IsNaN(got[i]) {
			t.Errorf("q[%d] = %v, want %v", i, got[i], want)
		}
	}
}

// stretched makes one method slower: it multiplies all time in it by a factor.
type stretched struct {
	trace.Reader
	slow   trace.MethodID
	factor float64
	stack  []trace.MethodID
	last   time.Duration
	shift  time.Duration
}

func (s *stretched) ReadEvents(p []trace.Event) (int, error) {
	n, err := s.Reader.ReadEvents(p)
	for i := range p[:n] {
		e := &p[i]
		step := e.Wall - s.last
		s.last = e.Wall
		if top := len(s.stack) - 1; top >= 0 && s.stack[top] == s.slow {
			s.shift += time.Duration(s.factor * float64(step))
		}
		if e.Action == trace.Enter {
			s.stack = append(s.stack, e.Method)
		} else {
			s.stack = s.stack[:len(s.stack)-1]
		}
		e.Wall += s.shift
		e.CPU += s.shift
	}
	return n, err
}

// sampled returns views of traces of one run of 4 s with 50 methods, sampled on device A every
// millisecond with different seeds. factor lengthens the method slow.
func sampled(t *testing.T, run uint64, samplers int, slow string, factor float64) []*report.View {
	t.Helper()
	return sampledEvery(t, time.Millisecond, run, samplers, slow, factor)
}

// sampledEvery is sampled with another interval.
func sampledEvery(t *testing.T, interval time.Duration, run uint64, samplers int, slow string, factor float64) []*report.View {
	t.Helper()
	truth, err := workload.Must(workload.ByName("w5-zipf-50")).Truth(workload.Config{Seed: run, Duration: 4 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if slow != "" {
		id := slices.IndexFunc(truth.Symbols.Methods, func(m trace.Method) bool { return m.Name == slow })
		if id < 0 {
			t.Fatalf("no method %s", slow)
		}
		truth.Events = &stretched{Reader: truth.Events, slow: trace.MethodID(id), factor: factor}
	}
	phone, err := device.Open("A")
	if err != nil {
		t.Fatal(err)
	}
	var all []*sampler.Sampler
	var estimators []*estimate.Estimator
	for i := range samplers {
		s, err := sampler.New(truth, sampler.Config{Interval: interval, Seed: 1000*run + uint64(i), Cost: phone.Sampling, KeepSymbols: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		e := estimate.New(s.Recording(), estimate.Config{})
		s.SetOutput(struct{ trace.Writer }{e})
		all, estimators = append(all, s), append(estimators, e)
	}
	if err := sampler.Run(truth, all...); err != nil {
		t.Fatal(err)
	}
	var views []*report.View
	for _, e := range estimators {
		views = append(views, report.New(e.Finish(), truth.Symbols, report.Filter{}))
	}
	return views
}

// pairs calls f with pairs of random subsets of n traces of each side.
func pairs(count, n int, a, b []*report.View, f func(a, b []*report.View)) {
	random := rand.New(rand.NewPCG(1, 2))
	for range count {
		pick := func(from []*report.View) (some []*report.View) {
			for _, i := range random.Perm(len(from))[:n] {
				some = append(some, from[i])
			}
			return some
		}
		f(pick(a), pick(b))
	}
}

func anySignificant(d *Diff) bool {
	return slices.ContainsFunc(d.Methods, func(m MethodChange) bool { return m.Exclusive.IsSignificant() })
}

// TestFalseAlarms checks the false-alarm rate on 200 pairs of recordings of one run by two
// samplers. At most 5 % may have a significant change, plus 3 standard deviations, 3 √(200 × 0.05 ×
// 0.95) = 9: 19. The pairs are drawn from 20 recordings each. TestPower checks the power.
func TestFalseAlarms(t *testing.T) {
	testdata.Seldom(t, 4)
	views := sampled(t, 1, 40, "", 0)
	alarms := 0
	pairs(200, 1, views[:20], views[20:], func(a, b []*report.View) {
		d, err := Compare(a, b, trace.Wall, Welch)
		if err != nil {
			t.Fatal(err)
		}
		if d.Basis != Sampling || d.Tested < 20 {
			t.Fatalf("basis %d, %d methods tested", d.Basis, d.Tested)
		}
		if anySignificant(d) {
			alarms++
		}
	})
	if alarms > 19 {
		t.Errorf("%d of 200 pairs have a significant change", alarms)
	}
	t.Logf("%d of 200 pairs have a significant change", alarms)
}

// TestPower checks that a method that is 20 % slower is detected in at least 90 % of 50 pairs. At
// least 95 % of the pairs without a change must have no significant one, minus 3 standard
// deviations (3 √(50 × 0.05 × 0.95) = 4.6 pairs): 42. The Mann-Whitney test cannot detect a change
// in one of 50 methods with five runs a side: 2 of 252 assignments of ten ranks are the most
// extreme, and 50 × 2/252 exceeds 0.05.
func TestPower(t *testing.T) {
	testdata.Seldom(t, 4)
	const slow = "method1" // the hottest method, 22 % of the time
	var before, again, after []*report.View
	for run := range uint64(15) {
		before = append(before, sampled(t, run+1, 1, "", 0)...)
		again = append(again, sampled(t, run+101, 1, "", 0)...)
		after = append(after, sampled(t, run+201, 1, slow, 0.2)...)
	}
	type powerCase struct {
		test        Test
		runs        int
		least, most int // pairs of 50 in which the change is detected
	}
	for _, c := range testdata.SomeUnlessNamed(t, []powerCase{
		{Student, 5, 45, 50}, {Student, 10, 45, 50}, {Welch, 5, 45, 50}, {Welch, 10, 45, 50}, {MannWhitney, 5, 0, 5}, {MannWhitney, 10, 45, 50},
	}, 1) {
		found, alarms := 0, 0
		compare := func(a, b []*report.View) *Diff {
			d, err := Compare(a, b, trace.Wall, c.test)
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		pairs(50, c.runs, before, after, func(a, b []*report.View) {
			for _, m := range compare(a, b).Methods {
				if m.Exclusive.IsSignificant() && m.Exclusive.Difference() > 0 && m.Name == "com.example.lab.Zipf."+slow+"()V" {
					found++
				}
			}
		})
		pairs(50, c.runs, before, again, func(a, b []*report.View) {
			if anySignificant(compare(a, b)) {
				alarms++
			}
		})
		if found < c.least || found > c.most || alarms > 8 {
			t.Errorf("%s, %d runs a side: detected in %d of 50 pairs; false alarms in %d of 50 pairs", testWords[c.test], c.runs, found, alarms)
		}
		t.Logf("%s, %d runs a side: detected in %d of 50 pairs; false alarms in %d of 50 pairs", testWords[c.test], c.runs, found, alarms)
	}
}
