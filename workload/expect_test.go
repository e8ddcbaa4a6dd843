package workload

import (
	"math"
	"strings"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/internal/yamlfile"
	"artifice/trace"
	"artifice/workload/internal/dist"
)

// expect returns the mean behavior of thread id of a truth. It panics if the program has no such
// thread. The error is that of a program that is too large to analyze.
func (p *Program) expect(id trace.ThreadID) (expectation, error) {
	return newExpecter(p).thread(&p.threads[id])
}

// expectOf returns the expectation of p's first thread, and the indexes of its methods by name
// without class.
func expectOf(t *testing.T, text string) (expectation, map[string]int) {
	t.Helper()
	p := mustRead(t, text)
	e, err := p.expect(0)
	if err != nil {
		t.Fatal(err)
	}
	index := map[string]int{}
	for i := range p.methods {
		index[p.methods[i].Name] = i
	}
	return e, index
}

// TestExpectByHand checks closed forms worked out by hand, with times in us.
func TestExpectByHand(t *testing.T) {
	for _, c := range []struct {
		name   string
		bodies string // of methods a, b; the thread calls a once
		calls  map[string]float64
		selfUs map[string]float64
	}{
		{"means of the distributions",
			"a: {do: [{self: 2us}, {self: uniform 1us..3us}, {self: exp 4us}, {self: lognormal 1us 0.5}, {self: pareto 3us 2}]}",
			nil, map[string]float64{"a": 2 + 2 + 4 + math.Exp(0.125) + 6}}, // median e^(s^2/2); least a/(a-1)
		{"chance and rounds",
			"a: {do: [{loop: uniform 2..5, do: [{call: x.M.b, prob: 0.5}]}]}\n  x.M.b: {do: [{self: 1us}]}",
			map[string]float64{"a": 1, "b": 1.75}, map[string]float64{"b": 1.75}},
		{"branches",
			"a: {do: [{choose: [{weight: 3, do: [{call: x.M.b}]}, {weight: 1, do: [{self: 8us}]}]}]}\n  x.M.b: {do: [{self: 4us}]}",
			map[string]float64{"b": 0.75}, map[string]float64{"a": 2, "b": 3}},
		{"recursion by chance", // 1 + m/2 calls per call
			"a: {do: [{self: 1us}, {call: x.M.a, prob: 0.25}, {call: x.M.a, prob: 0.25}]}",
			map[string]float64{"a": 2}, map[string]float64{"a": 2}},
		{"recursion to a depth", // 2^0 + … + 2^5, the last level's from-step only
			"a: {do: [{call: x.M.a, below: 6}, {call: x.M.a, below: 6}, {self: 1us, from: 6}]}",
			map[string]float64{"a": 63}, map[string]float64{"a": 32}},
		{"exception", // b throws with 0.2, so a continues with 0.8; the catcher always
			"a: {do: [{call: x.M.c, catch: true}, {self: 1us}]}\n  x.M.c: {do: [{call: x.M.b}, {self: 1us}]}\n  x.M.b: {do: [{self: 1us}, {throw: x.M.e, prob: 0.2}, {self: 10us}]}\n  x.M.e: {do: [{self: 5us}]}",
			map[string]float64{"a": 1, "b": 1, "c": 1, "e": 0.2}, map[string]float64{"a": 1, "b": 9, "c": 0.8, "e": 1}},
		{"exception out of a loop", // rounds 1 + .5 + .25; all three end well with 1/8
			"a: {do: [{loop: 3, do: [{call: x.M.b}]}, {self: 8us}]}\n  x.M.b: {do: [{throw: x.M.e, prob: 0.5}]}\n  x.M.e:",
			map[string]float64{"b": 1.75, "e": 0.875}, map[string]float64{"a": 1}},
		{"exception out of a recursion", // q = 0.5 + 0.5 q/2: q = 2/3; calls n = 1 + n/4
			"a: {do: [{throw: x.M.e, prob: 0.5}, {call: x.M.a, prob: 0.5}, {self: 1us}]}\n  x.M.e:",
			map[string]float64{"a": 4.0 / 3, "e": 2.0 / 3}, map[string]float64{"a": 4.0 / 9}}, // self: n*(0.5*(0.5+0.5*(1/3)))
		{"family", // 1/k of the harmonic sum 11/6
			"a: {do: [{call: 'x.M.f{1..3}', zipf: 1}]}\n  x.M.f{1..3}: {do: [{self: 11us}]}",
			map[string]float64{"f1": 6.0 / 11, "f2": 3.0 / 11, "f3": 2.0 / 11}, map[string]float64{"f1": 6, "f2": 3, "f3": 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, index := expectOf(t, "name: x\nmethods:\n  x.M."+c.bodies+"\nthreads: [{name: m, do: [{call: x.M.a, catch: true}]}]\n")
			for name, want := range c.calls {
				if got := e.Once.Calls[index[name]]; math.Abs(got-want) > 1e-9 {
					t.Errorf("calls of %s: %v, want %v", name, got, want)
				}
			}
			for name, want := range c.selfUs {
				if got := e.Once.Self[index[name]] / 1000; math.Abs(got-want) > 1e-9 {
					t.Errorf("self time of %s: %v us, want %v", name, got, want)
				}
			}
		})
	}
}

// finite returns p with its endless loops limited to a number of iterations; until then, no thread
// ends. By Wald's identity, the expected totals of such a run are exactly Once + rounds * Round,
// regardless of the lengths of iterations.
func (p *Program) finite(rounds int64) *Program {
	q := *p
	q.Duration = maxDuration
	q.threads = append([]thread(nil), p.threads...)
	for i := range q.threads {
		t := &q.threads[i]
		t.End = 0
		if t.endless() != nil {
			t.body = append([][]step(nil), t.body...)
			last := &t.body[len(t.body)-1]
			*last = append([]step(nil), *last...)
			end := t.endless()
			end.kind, end.times = loopStep, dist.Count{Min: rounds, Max: rounds}
		}
	}
	q.compile()
	return &q
}

// measured are totals of one truth, by method.
type measured struct {
	calls, self []float64
}

// measure sums calls and self time by method, over all threads of a truth.
func measure(t *testing.T, p *Program, rec *trace.Recording) measured {
	m := measured{make([]float64, len(rec.Symbols.Methods)), make([]float64, len(rec.Symbols.Methods))}
	var stacks trace.Stacks
	last := make([]time.Duration, len(rec.Symbols.Threads))
	opened := make([]int, len(rec.Symbols.Threads))
	for e, err := range trace.All(rec.Events) {
		if err != nil {
			t.Fatal(err)
		}
		if open := stacks.Of(e.Thread); len(open) > 0 {
			m.self[open[len(open)-1]] += float64(e.Wall - last[e.Thread])
		}
		last[e.Thread] = e.Wall
		if e.Action == trace.Enter {
			// Frames on a thread's initial stack are not calls of its body.
			if opened[e.Thread]++; opened[e.Thread] > len(p.threads[e.Thread].Stack) {
				m.calls[e.Method]++
			}
		}
		stacks.Apply(e)
	}
	return m
}

// spread collects values of one quantity over seeds.
type spread struct{ n, sum, squares float64 }

func (s *spread) add(x float64) { s.n++; s.sum += x; s.squares += x * x }

func (s *spread) mean() float64 { return s.sum / s.n }

// standardError returns the standard error of the mean.
func (s *spread) standardError() float64 {
	m := s.mean()
	return math.Sqrt(max(s.squares/s.n-m*m, 0) / (s.n - 1))
}

// TestBuiltinsMatchClosedForms checks that, for every built-in program, the calls and the self
// time of every method, over many seeds, are within 4 standard errors of the closed form.
func TestBuiltinsMatchClosedForms(t *testing.T) {
	for _, p := range testdata.Some(t, Builtin(), 2) {
		t.Run(p.Name, func(t *testing.T) { checkExpectations(t, p) })
	}
}

// enough is the minimum expected number of calls of every method over all seeds. With so many
// calls, the mean over seeds is close enough to normal for its standard error to be meaningful.
const enough = 1000

// effort returns the numbers of seeds and iterations that yield enough calls of every called
// method.
func effort(t *testing.T, p *Program) (seeds uint64, rounds int64) {
	once, _ := expectTotals(t, p, 0)
	both, _ := expectTotals(t, p, 1)
	least, leastOnce := math.Inf(1), math.Inf(1)
	for m := range once {
		if each := both[m] - once[m]; each > 0 {
			least = min(least, each)
		} else if once[m] > 0 {
			leastOnce = min(leastOnce, once[m])
		}
	}
	if !p.random() {
		return 2, 10
	}
	seeds = uint64(max(200, math.Ceil(enough/leastOnce)))
	if math.IsInf(least, 1) {
		return seeds, 1
	}
	return seeds, int64(max(10, math.Ceil(enough/least/float64(seeds))))
}

// random reports whether p has random steps.
func (p *Program) random() (random bool) {
	for s := range p.allSteps() {
		random = random || s.prob > 0 && s.prob < 1 || s.kind == selfStep && s.time.Kind != dist.Fixed ||
			s.times.Min != s.times.Max || s.kind == chooseStep || s.weights != nil
	}
	return random
}

func checkExpectations(t *testing.T, p *Program) {
	seeds, rounds := effort(t, p)
	if testing.Short() && float64(seeds)*float64(rounds) > 1e6 {
		t.Skipf("takes too long for -short: %d seeds, each with %d rounds", seeds, rounds)
	}
	calls, self := expectTotals(t, p, rounds)
	q := p.finite(rounds)
	gotCalls, gotSelf := make([]spread, len(p.methods)), make([]spread, len(p.methods))
	for seed := range seeds {
		length := maxDuration
		if len(p.code.Handoffs) > 0 {
			length = maxScheduled
		}
		rec := truthOf(t, q, Config{Seed: seed, Duration: length})
		m := measure(t, q, rec)
		for i := range gotCalls { // without waits for a core
			gotCalls[i].add(m.calls[i])
			gotSelf[i].add(m.self[i])
		}
	}
	for i := range p.methods {
		name := p.methods[i].String()
		checkSpread(t, "calls of "+name, &gotCalls[i], calls[i], 1e-9)
		if !math.IsNaN(self[i]) && !p.SharesCores() { // shared cores change the time of work
			// Drawn times are rounded to ns: by at most half a ns per call.
			checkSpread(t, "self time of "+name, &gotSelf[i], self[i], 1e-9*self[i]+calls[i])
		}
	}
}

// checkSpread fails if the mean differs from want by more than 4 standard errors plus the rounding.
func checkSpread(t *testing.T, what string, got *spread, want, rounding float64) {
	t.Helper()
	if off := math.Abs(got.mean() - want); off > 4*got.standardError()+rounding {
		t.Errorf("%s: %.6g +- %.3g, want %.6g", what, got.mean(), got.standardError(), want)
	}
}

// expectTotals returns the expected calls and self time of every method over all threads, with the
// given number of iterations of endless loops.
func expectTotals(t *testing.T, p *Program, rounds int64) (calls, self []float64) {
	calls, self = make([]float64, len(p.methods)), make([]float64, len(p.methods))
	cache := map[*yamlfile.Node]expectation{}
	for i := range p.threads {
		key := p.threads[i].at // copies of a thread share their body
		e, ok := cache[key]
		if !ok {
			var err error
			if e, err = p.expect(trace.ThreadID(i)); err != nil {
				t.Fatal(err)
			}
			cache[key] = e
		}
		for m := range calls {
			calls[m] += e.Once.Calls[m]
			self[m] += e.Once.Self[m]
			if e.Endless {
				calls[m] += float64(rounds) * e.Round.Calls[m]
				self[m] += float64(rounds) * e.Round.Self[m]
			}
		}
	}
	return calls, self
}

// TestByNameFindsAll checks that ByName finds every listed program, and that the error for another
// name lists them.
func TestByNameFindsAll(t *testing.T) {
	for _, p := range Builtin() {
		if q, err := ByName(p.Name); err != nil || q.Name != p.Name || p.Description == "" {
			t.Errorf("%q: ByName gives %v, description %q", p.Name, q, p.Description)
		}
	}
	if _, err := ByName("no-such"); err == nil || !strings.HasPrefix(err.Error(), `unknown workload "no-such"; use one of w1-single-call, `) {
		t.Errorf("ByName(no-such): error %v", err)
	}
}
