package diff

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"artifice/report"
	"artifice/trace"
)

// TestIntervalsAgreeWithQ checks that the interval excludes 0 exactly when q ≤ 0.05, for changes of
// all sizes, with Student's t and the normal distribution.
func TestIntervalsAgreeWithQ(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	significant, not := 0, 0
	for range 200 {
		d := &Diff{}
		for range 1 + random.IntN(40) {
			scale := 10 * random.Float64()
			side := func() *measured {
				m := &measured{known: true}
				for range 4 {
					mean := time.Duration((100 + scale*random.NormFloat64()) * 1e6)
					m.times = append(m.times, between(mean/1e6-3, mean/1e6, mean/1e6+4))
				}
				return m
			}
			a, b := side(), side()
			v := pooledRuns(a, b, time.Millisecond)
			if random.IntN(2) == 0 {
				v = compareSampled(a, b, time.Millisecond)
			}
			d.Methods = append(d.Methods, MethodChange{Exclusive: Change{
				Old: time.Duration(a.mean()), New: time.Duration(a.mean()) + time.Duration(v.change), P: v.p,
				Below: time.Duration(v.below), Above: time.Duration(v.above), Step: time.Duration(v.step), Freedom: v.freedom,
			}})
		}
		d.correct()
		for _, m := range d.Methods {
			c := m.Exclusive
			if out := c.Low > 0 || c.High < 0; out != c.IsSignificant() {
				t.Fatalf("%d methods: p %g, q %g, %s to %s", len(d.Methods), c.P, c.Q, c.Low, c.High)
			}
			if c.IsSignificant() {
				significant++
			} else {
				not++
			}
		}
	}
	if significant < 100 || not < 100 {
		t.Errorf("%d significant, %d not: too few of one kind", significant, not)
	}
}

// TestCorrectedLevel checks the corrected level, by hand. Of four methods with p 0.001, 0.02, 0.04
// and 0.5, the first two are significant (0.02 × 4/2 = 0.04). So an interval misses the true change
// with probability 5 % × 2/4 = 0.025: it extends 2.241403 standard errors of the normal
// distribution to either side. The interval of a method named beforehand extends 1.959964.
func TestCorrectedLevel(t *testing.T) {
	d := &Diff{}
	for _, p := range []float64{0.001, 0.02, 0.04, 0.5} {
		d.Methods = append(d.Methods, MethodChange{Name: "m" + string(rune('0'+len(d.Methods))), Exclusive: Change{New: time.Second, P: p, Below: time.Millisecond, Above: 2 * time.Millisecond}})
	}
	d.correct()
	for _, m := range d.Methods {
		low, high := float64(time.Second-m.Exclusive.Low)/1e6, float64(m.Exclusive.High-time.Second)/1e6
		if math.Abs(low-2.241403) > 1e-5 || math.Abs(high-2*2.241403) > 1e-5 {
			t.Errorf("%s: %g below, %g above", m.Name, low, high)
		}
	}
	if err := d.Only("m2"); err != nil {
		t.Fatal(err)
	}
	if c := d.Methods[0].Exclusive; len(d.Methods) != 1 || c.Q != 0.04 || math.Abs(float64(time.Second-c.Low)/1e6-1.959964) > 1e-5 {
		t.Errorf("a method named beforehand: %d methods, q %g, from %s", len(d.Methods), c.Q, c.Low)
	}
}

// TestNeverSignificant checks which methods cannot be significant. With three traces a side and
// samples of 1 ms, half a sample is an error of 0.5 √(1/3 + 1/3) = 0.408 ms, and t(0.975) is
// 2.776445 for 4 degrees of freedom. So the means of the three shortest and the three longest times
// have to differ by 1.1335 ms. A method with closer times is tested only if it is named.
func TestNeverSignificant(t *testing.T) {
	for _, c := range []struct {
		old, now []float64 // seconds
		steady   bool
	}{
		{[]float64{0.005, 0.005, 0.005}, []float64{0.005, 0.005, 0.005}, true},
		{[]float64{0.005, 0.005, 0.005}, []float64{0.00613, 0.00613, 0.00613}, true},
		{[]float64{0.005, 0.005, 0.005}, []float64{0.00614, 0.00614, 0.00614}, false},
		{[]float64{0.00614, 0.005, 0.00614}, []float64{0.005, 0.00614, 0.005}, false}, // the same six times, in another order
		{[]float64{0.005, 0.009, 0.005}, []float64{0.009, 0.005, 0.009}, false},
	} {
		if v := pooledRuns(exactly(c.old), exactly(c.now), time.Millisecond); v.steady != c.steady {
			t.Errorf("%v and %v: steady = %t, want %t", c.old, c.now, v.steady, c.steady)
		}
	}
	d := &Diff{Methods: []MethodChange{{Name: "a", Exclusive: Change{P: 0.03}}, {Name: "b", Exclusive: Change{P: 0.6, Steady: true}}}}
	if d.correct(); d.Tested != 1 || d.Methods[0].Exclusive.Q != 0.03 || !math.IsNaN(d.Methods[1].Exclusive.Q) {
		t.Errorf("%d tested: q %g and %g", d.Tested, d.Methods[0].Exclusive.Q, d.Methods[1].Exclusive.Q)
	}
	if err := d.Only("b"); err != nil || d.Tested != 1 || d.Methods[0].Exclusive.Q != 0.6 {
		t.Errorf("a method named beforehand: %d tested, q %g, %v", d.Tested, d.Methods[0].Exclusive.Q, err)
	}
}

// TestLargestRuns checks that waiting methods are the largest or the median one only if all methods
// wait.
func TestLargestRuns(t *testing.T) {
	method := func(name string, old time.Duration) MethodChange {
		return MethodChange{Name: name, Of: report.Overload{Name: name}, Exclusive: Change{Old: old, New: old, P: 0.5, Q: 0.5, Below: time.Millisecond, Above: time.Millisecond}}
	}
	sleeps, runs, less := method("java.lang.Thread.sleep", 9*time.Second), method("a.A.run", 2*time.Second), method("a.A.less", time.Second)
	sleeps.Waits = true
	changes := &Changes{Diff: &Diff{Methods: []MethodChange{less, sleeps, runs}}}
	if largest, median := changes.tested(); largest.Name != "a.A.run" || median.Name != "a.A.less" {
		t.Errorf("largest %s, median %s", largest.Name, median.Name)
	}
	changes.Diff.Methods = []MethodChange{sleeps}
	if largest, _ := changes.tested(); largest == nil || largest.Name != "java.lang.Thread.sleep" {
		t.Errorf("alone: %v", largest)
	}
}

// TestSelectByFullName checks that a full name selects its method even if other names contain it.
func TestSelectByFullName(t *testing.T) {
	all := func() *Diff {
		d := &Diff{}
		for _, m := range []trace.Method{{Class: "a/A", Name: "draw", Signature: "()V"}, {Class: "a/A", Name: "drawAll", Signature: "()V"}} {
			d.Methods = append(d.Methods, MethodChange{Name: m.String(), method: &m})
		}
		return d
	}
	for name, want := range map[string]string{"a.A.draw": "a/A.draw()V", "A.drawAll": "a/A.drawAll()V", "All": "a/A.drawAll()V", "draw": "a/A.draw()V", "dra": "", "none": ""} {
		d := all()
		err := d.Only(name)
		switch {
		case want == "" && err == nil:
			t.Errorf("%s: no error", name)
		case want != "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case want != "" && d.Methods[0].Name != want:
			t.Errorf("%s: is %s", name, d.Methods[0].Name)
		case want == "" && !strings.Contains(err.Error(), name):
			t.Errorf("%s: %v", name, err)
		}
	}
	d := all()
	if d.Rename(report.ShortNames); d.Methods[0].Name != "A.draw" {
		t.Errorf("short: %s", d.Methods[0].Name)
	}
}

// TestTracesFor checks the sample size. n traces a side detect (t(1−α/2) + t(0.8)) s √(2/n) with 2n
// − 2 degrees of freedom. For 5 and 5 traces, an estimated error of 10 ms is the median for a true
// error of 10 √(8/7.344121) = 10.437 ms (7.344121 is the median of χ² with 8 degrees of freedom),
// so s is 10.437/√(2/5) = 16.502 ms. From tables, t(0.975) + t(0.8) is 2.100922 + 0.862049 for 18
// degrees of freedom (10 traces); times 7.3799 ms, this is 21.866 ms. For 16 (9 traces), it is
// 2.119905 + 0.864667; times 7.7791 ms, this is 23.217 ms. With 10 % more on one side, both grow by
// √1.05, to 22.406 and 23.790 ms.
func TestTracesFor(t *testing.T) {
	c := &Change{Old: 230 * time.Millisecond, Below: 10 * time.Millisecond, Above: 10 * time.Millisecond, Freedom: 8, Sampling: 1}
	changes := &Changes{Diff: &Diff{Basis: Runs, OldTraces: 5, NewTraces: 5, Tested: 1}}
	if got := changes.tracesFor(c, 0.1); got != 10 {
		t.Errorf("10 %% of 230 ms: %d traces a side, want 10", got)
	}
	if got := changes.tracesFor(c, 0.0001); got != maxTraces+1 {
		t.Errorf("0.01 %%: %d traces", got)
	}
}

// TestUndetectable checks methods without a detectable change: an error of 10 ms with 4 degrees of
// freedom exceeds any change of a time of 20 ms, because it grows with the change.
func TestUndetectable(t *testing.T) {
	method := func(name string, old time.Duration) *MethodChange {
		return &MethodChange{Name: name, Exclusive: Change{Old: old, New: old, Below: 10 * time.Millisecond, Freedom: 4}}
	}
	changes := &Changes{Diff: &Diff{Basis: Runs, Tested: 1}}
	for _, c := range []struct {
		largest, median time.Duration
		want            string
	}{
		{time.Second, 20 * time.Millisecond, "Minimum detectable change (80 % power): 4.1 % in A.a, above 10,000 % in the median method."},
		{20 * time.Millisecond, 10 * time.Millisecond, "Minimum detectable change (80 % power): above 10,000 % in A.a, above 10,000 % in the median method."},
	} {
		if got := changes.detectable(method("A.a", c.largest), method("A.b", c.median)); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

// TestAdviceOnTraces checks the next step after a comparison of 5 and 5 traces: the traces for the
// largest goal below the minimum detectable change, which the largest method has or, if that
// detects 10 % already, the median one.
func TestAdviceOnTraces(t *testing.T) {
	method := func(name string, old, deviation time.Duration) *MethodChange {
		return &MethodChange{Name: name, Exclusive: Change{Old: old, New: old, Below: deviation, Above: deviation, Freedom: 8, Sampling: 1}}
	}
	changes := &Changes{Diff: &Diff{Basis: Runs, OldTraces: 5, NewTraces: 5, Tested: 1}}
	for _, c := range []struct {
		largest, median *MethodChange
		want            string
	}{
		{method("A.a", 230*time.Millisecond, 10*time.Millisecond), nil, "To detect +10 % in A.a: 10 traces of each build (artifice plan)."},
		{method("A.a", time.Second, time.Millisecond), method("A.b", 230*time.Millisecond, 10*time.Millisecond), "To detect +10 % in the median method: 10 traces of each build (artifice plan)."},
		{method("A.a", 10*time.Millisecond, 10*time.Millisecond), nil, "To detect +10 % in A.a: longer traces, as 1,000 of each build do not suffice."},
		{method("A.a", 100*time.Second, time.Millisecond), method("A.b", 100*time.Second, time.Millisecond), "More traces would only detect changes below 1 %."},
		{nil, nil, "Runs do not vary: more traces would not change the result."},
	} {
		if got := changes.advice(c.largest, c.median); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
