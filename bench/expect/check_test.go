package expect

import (
	"errors"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/workload"
)

// readApp returns the truth of a built-in app.
func readApp(t testing.TB, name string, length time.Duration) *Truth {
	t.Helper()
	rec, err := workload.Must(workload.ByName(name)).Truth(workload.Config{Seed: 1, Duration: length})
	if err != nil {
		t.Fatal(err)
	}
	truth, err := ReadTruth(rec, name)
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// profiler samples a truth without package sampler and without cost.
type profiler struct {
	truth *Truth
	clock Clock
	rng   *rand.Rand
}

// at returns the stack of a thread at now on its clock.
func (p *profiler) at(thread int, now float64) int32 {
	l := &p.truth.lines[thread]
	begins := l.begins[p.clock]
	i, _ := slices.BinarySearchFunc(begins, now, func(b time.Duration, x float64) int {
		if float64(b) <= x {
			return -1
		}
		return 1
	})
	if i == 0 || now >= float64(l.end[p.clock]) {
		return 0
	}
	return l.stack[i-1]
}

// profile samples each thread every period, at independent instants or at regular ones with a phase
// for each thread.
func (p *profiler) profile(period float64, regular bool) *Profile {
	out := &Profile{Name: "profile", Clock: p.clock, stacks: p.truth.stacks, counts: make([]float64, len(p.truth.stacks.parents))}
	add := func(thread int, now float64) {
		if at := p.at(thread, now); at > 0 {
			out.counts[at]++
			out.Samples++
		}
	}
	for i := range p.truth.lines {
		l := &p.truth.lines[i]
		if len(l.stack) == 0 {
			continue
		}
		begin, end := float64(l.begins[p.clock][0]), float64(l.end[p.clock])
		if regular {
			for now := begin + p.rng.Float64()*period; now < end; now += period {
				add(i, now)
			}
			continue
		}
		for now := begin + p.rng.ExpFloat64()*period; now < end; now += p.rng.ExpFloat64() * period {
			add(i, now)
		}
	}
	out.setShares(append([]float64(nil), out.counts...))
	return out
}

// TestFalseAlarms checks that at most the stated rate of clean profiles fails, for independent
// samples and for regular samples of CPU time.
func TestFalseAlarms(t *testing.T) {
	testdata.Seldom(t, 4)
	const rate, profiles = 0.1, 25
	for _, app := range []string{"game-loop", "gc-storm"} {
		truth := readApp(t, app, 3*time.Second)
		cpu, _ := truth.cpuTime()
		p := &profiler{truth, CPU, rand.New(rand.NewPCG(7, 8))}
		for _, regular := range []bool{false, true} {
			failed := 0
			for range profiles {
				v, err := Check(truth, p.profile(float64(cpu)/1500, regular), Options{Rate: rate, Quick: true})
				if err != nil {
					t.Fatal(err)
				}
				if v.Outcome != Pass {
					failed++
				}
			}
			// At the rate itself, 2.5 of 25 are expected, and more than 8 have a probability of
			// 0.0005.
			if failed > 8 {
				t.Errorf("%s, regular %t: %d of %d clean profiles fail at a rate of %g", app, regular, failed, profiles, rate)
			}
		}
	}
}

// TestBiases checks that a profile fails if half of its samples lack their leaf.
func TestBiases(t *testing.T) {
	testdata.Seldom(t, 4)
	truth := readApp(t, "gc-storm", 4*time.Second)
	p := &profiler{truth, CPU, rand.New(rand.NewPCG(1, 8))}
	cpu, _ := truth.cpuTime()
	failed := 0
	const profiles = 8
	for range profiles {
		x := p.profile(float64(cpu)/3000, false)
		for i, n := range slices.Clone(x.counts) {
			if parent := truth.stacks.parents[i]; n > 0 && parent > 0 {
				half := math.Floor(n / 2)
				x.counts[i] -= half
				x.counts[parent] += half
			}
		}
		x.setShares(append([]float64(nil), x.counts...))
		v, err := Check(truth, x, Options{Rate: 1e-6, Quick: true})
		if err != nil {
			t.Fatal(err)
		}
		if v.Outcome == Fail && v.Scan.Outcome == Fail && v.Impossible.Stacks == 0 {
			failed++
		}
	}
	if failed != profiles {
		t.Errorf("%d of %d biased profiles fail", failed, profiles)
	}
}

// twoMethods returns a truth with shares of stacks: main calls work (30 %) and rest (70 %).
func twoMethods() *Truth {
	s := newStacks()
	main := s.child(0, s.name("main"))
	work, rest := s.child(main, s.name("work")), s.child(main, s.name("rest"))
	w := make([]float64, 4)
	w[work], w[rest] = 30, 70
	return &Truth{Name: "truth", stacks: s, weights: [2][]float64{w, w}}
}

// sampled returns a profile with counts of stacks below main, without order.
func sampled(counts map[string]float64) *Profile {
	s := newStacks()
	main := s.child(0, s.name("main"))
	p := &Profile{Name: "profile", Clock: CPU, stacks: s, counts: []float64{0, 0}}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for n := range counts {
			if !yield(n) {
				return
			}
		}
	}) {
		s.child(main, s.name(name))
		p.counts = append(p.counts, counts[name])
		p.Samples += counts[name]
	}
	p.setShares(append([]float64(nil), p.counts...))
	return p
}

func random(t *testing.T) RunLength {
	t.Helper()
	r, err := ParseRunLength("random")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRules checks outcomes of single rules. Their p-values follow from the binomial distribution
// of 100 samples with share 0.3: P(X ≥ 45) = 0.0012, P(X ≥ 60) = 1e-9.
func TestRules(t *testing.T) {
	truth := twoMethods()
	for _, c := range []struct {
		name string
		rule Rule
		work float64
		want Outcome
	}{
		{"equal", Rule{Self: "work"}, 30, Pass},
		{"by chance", Rule{Self: "work"}, 45, Pass},
		{"biased", Rule{Self: "work"}, 60, Fail},
		{"detect 30 points", Rule{Self: "work", Detect: 0.3}, 30, TooFew},
		{"detect 40 points", Rule{Self: "work", Detect: 0.4}, 30, Pass},
		{"share of the rule", Rule{Self: "work", Share: &Range{0.59, 0.61}}, 60, Pass},
		{"path", Rule{Path: "main;work"}, 60, Fail},
		{"path that is none", Rule{Path: "work;main"}, 60, Pass},
		{"stack", Rule{Stack: regexp.MustCompile("^main;work$")}, 60, Fail},
		{"total", Rule{Total: "main"}, 60, Pass},
		{"absent", Rule{Absent: "work"}, 60, Fail},
		{"absent and unknown", Rule{Absent: "idle"}, 60, Pass},
		{"order", Rule{Order: []string{"rest", "work"}}, 55, Pass},
		{"wrong order", Rule{Order: []string{"rest", "work"}}, 95, Fail},
		{"samples", Rule{Samples: &Range{90, 110}}, 30, Pass},
		{"few samples", Rule{Samples: &Range{110, 120}}, 30, Fail},
	} {
		v, err := Check(truth, sampled(map[string]float64{"work": c.work, "rest": 100 - c.work}), Options{Rate: 1e-6, Rules: &Rules{List: []Rule{c.rule}}, RunLength: random(t)})
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Assertions[0].Outcome; got != c.want {
			t.Errorf("%s: %s, want %s (%+v)", c.name, got, c.want, v.Assertions[0])
		}
	}
}

// TestRateIsSplit checks that half of the rate is for the rules, and the other half for the scan.
func TestRateIsSplit(t *testing.T) {
	c := &checker{methods: make([]method, 3)}
	for _, x := range []struct {
		rules     int
		one, scan float64
	}{{0, 0, 1e-2}, {1, 5e-3, 5e-3}, {10, 5e-4, 5e-3}} {
		one, scan := c.split(Options{Rate: 1e-2, Rules: &Rules{List: make([]Rule, x.rules)}})
		if math.Abs(one-x.one) > 1e-15 || math.Abs(scan-x.scan) > 1e-15 {
			t.Errorf("%d rules: %g each, %g", x.rules, one, scan)
		}
	}
}

// TestRefusals checks that a profile or truth that cannot be tested is an error with the reason.
func TestRefusals(t *testing.T) {
	truth, profile := twoMethods(), sampled(map[string]float64{"work": 30, "rest": 70})
	if _, err := Check(truth, profile, Options{}); !errors.Is(err, ErrNoRate) {
		t.Errorf("a truth without timeline: %v", err)
	}
	other := sampled(map[string]float64{"x": 1})
	other.stacks.names[0], other.stacks.nameOf = "y", map[string]int32{"y": 0, "x": 1}
	if _, err := Check(truth, other, Options{RunLength: random(t)}); !errors.Is(err, ErrNothingInCommon) {
		t.Errorf("no common name: %v", err)
	}
	if _, err := Check(truth, profile, Options{RunLength: random(t), Rate: 2}); err == nil {
		t.Error("rate 2: no error, want one")
	}
	for _, r := range []Rule{{Self: "wrk"}, {Total: "?"}, {Path: "main;wrk"}, {Order: []string{"main", "wrk"}}} {
		if _, err := Check(truth, profile, Options{RunLength: random(t), Rules: &Rules{List: []Rule{r}}}); err == nil {
			t.Errorf("rule %s: no error", r.String())
		}
	}
	truth.weights[CPU] = nil
	if _, err := Check(truth, profile, Options{RunLength: random(t)}); err == nil {
		t.Error("a truth without CPU time: no error, want one")
	}
}

// TestImpossible checks a profile with 3 of 10 samples in which work calls rest, which never
// happens in the truth.
func TestImpossible(t *testing.T) {
	truth := readApp(t, "w5-zipf-50", time.Second)
	s := truth.stacks
	leaf := int32(-1)
	for i := 1; i < len(s.parents); i++ {
		if s.parents[i] > 0 && !slices.Contains(s.parents, int32(i)) {
			leaf = int32(i)
		}
	}
	p := &Profile{Name: "profile", Clock: CPU, Samples: 10, stacks: newStacks(), counts: nil}
	numbers := p.stacks.add(s)
	below := p.stacks.child(numbers[leaf], p.stacks.name(s.names[s.methods[s.parents[leaf]]]))
	p.counts = make([]float64, len(p.stacks.parents))
	p.counts[numbers[leaf]], p.counts[below] = 7, 3
	p.setShares(append([]float64(nil), p.counts...))
	v, err := Check(truth, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := Impossible{1, 0.3, s.names[s.methods[leaf]] + " → " + s.names[s.methods[s.parents[leaf]]]}
	if math.Abs(v.Impossible.Share-want.Share) > 1e-9 || v.Impossible.Stacks != 1 || v.Impossible.First != want.First || v.Outcome != Fail {
		t.Errorf("%+v, want %+v", v.Impossible, want)
	}
}

// TestSerial checks a thread that alternates between two methods for random times of 10 samples on
// average. The binomial test fails 30 % of clean profiles at 1e-2 or more. The test of runs keeps
// the rate.
func TestSerial(t *testing.T) {
	testdata.Seldom(t, 4)
	rng := rand.New(rand.NewPCG(9, 1))
	truth := twoMethods()
	failed, byBinomial := 0, 0
	const profiles, n = 200, 3000
	for range profiles {
		p := sampled(map[string]float64{"rest": 0, "work": 0})
		p.counts[2], p.counts[3] = 0, 0
		p.Samples = 0
		on := rng.Float64() < 0.3
		left := rng.ExpFloat64() * 10
		for range n {
			for left < 0 {
				on = !on
				mean := 10.
				if !on {
					mean = 10 * 0.7 / 0.3
				}
				left += rng.ExpFloat64() * mean
			}
			left--
			at := int32(2) // rest, by order of names
			if on {
				at = 3
			}
			p.counts[at]++
			p.Samples++
			if k := len(p.runs); k > 0 && p.runs[k-1].stack == at {
				p.runs[k-1].count++
			} else {
				p.runs = append(p.runs, run{stack: at, count: 1})
			}
		}
		p.setShares(append([]float64(nil), p.counts...))
		v, err := Check(truth, p, Options{Rate: 1e-2})
		if err != nil {
			t.Fatal(err)
		}
		if v.Outcome != Pass {
			failed++
		}
		p.runs = nil
		if v, err = Check(truth, p, Options{Rate: 1e-2, RunLength: random(t)}); err != nil {
			t.Fatal(err)
		}
		if v.Outcome != Pass {
			byBinomial++
		}
	}
	if failed > 8 || byBinomial < 40 {
		t.Errorf("%d of %d clean profiles fail by runs, %d by the binomial", failed, profiles, byBinomial)
	}
}

// recorder is a TB that counts failures.
type recorder struct{ errors, fatal int }

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.errors++ }
func (r *recorder) Fatalf(string, ...any) { r.fatal++ }

// TestTest checks that the helper for Go tests passes, fails, and ends a test.
func TestTest(t *testing.T) {
	truth := twoMethods()
	for _, c := range []struct {
		work   float64
		runs   RunLength
		failed bool
		fatal  int
	}{{30, random(t), false, 0}, {70, random(t), true, 0}, {30, RunLength{}, false, 1}} {
		var r recorder
		Test(&r, truth, sampled(map[string]float64{"work": c.work, "rest": 100 - c.work}), Options{RunLength: c.runs})
		if r.errors > 0 != c.failed || r.fatal != c.fatal {
			t.Errorf("%+v: %+v", c, r)
		}
	}
}

// TestDeepStack checks that numbering a recursion of 60,000 frames takes linear time.
func TestDeepStack(t *testing.T) {
	symbols := &trace.Symbols{}
	id := symbols.AddMethod(trace.Method{Class: "a", Name: "f"})
	n := numbering{to: newStacks(), symbols: symbols}
	at := n.root()
	const depth = 60_000
	for i := range depth {
		at = n.from.Child(at, id)
		if got := n.of(at); got != int32(i+1) {
			t.Fatalf("depth %d: context %d", i+1, got)
		}
	}
	if got := len(n.to.path(depth)); got != depth*len("a.f;")-1 {
		t.Errorf("a path of %d bytes", got)
	}
}

// TestOrderRange checks the share of the second of two methods in their samples: 55 of 100, at most
// half expected, and every share accepted if the test does not reject it.
func TestOrderRange(t *testing.T) {
	v, err := Check(twoMethods(), sampled(map[string]float64{"work": 55, "rest": 45}), Options{Rate: 1e-6, Rules: &Rules{List: []Rule{{Order: []string{"rest", "work"}}}}, RunLength: random(t)})
	if err != nil {
		t.Fatal(err)
	}
	if a := v.Assertions[0]; a.Observed != 0.55 || a.Expected != (Range{0, 0.5}) || a.Accepted != (Range{0, 1}) {
		t.Errorf("observed %v, expected %v, accepted %v", a.Observed, a.Expected, a.Accepted)
	}
}

// TestPool: shares with fewer than 5 expected samples are one cell.
func TestPool(t *testing.T) {
	p := newPool([]float64{0.02, 0.9, 0.05, 0.03}, 100)
	if !slices.Equal(p.cell, []int{0, 1, 2, 0}) || len(p.expected) != 3 || math.Abs(p.expected[0]-5) > 1e-9 || math.Abs(p.expected[1]-90) > 1e-9 || math.Abs(p.expected[2]-5) > 1e-9 {
		t.Errorf("cells %v, expected %v", p.cell, p.expected)
	}
}

// TestSerialByLength checks the standard error of a share of 40 % among 100 samples of 1 ms, of runs
// of 10 ms: 40 samples in 4 runs of 10, and 60 in runs of 15. The correlation of consecutive samples
// is 1 − 1/10 − 1/15 = 5/6, so the design effect is 11, and the standard error √(0.24 · 11/100).
func TestSerialByLength(t *testing.T) {
	c := &checker{truth: &Truth{}, profile: &Profile{Samples: 100, time: 100 * time.Millisecond}, options: Options{RunLength: RunLength{kind: runsRandom, length: 10 * time.Millisecond}}}
	want := interval{0.3, 0.5}
	if _, got := c.serialTest(binomial{100, want}, want, nil, 100); math.Abs(got-100*math.Sqrt(0.24*11/100)) > 1e-9 {
		t.Errorf("standard error of %g samples", got)
	}
}
