package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"artifice/bench/expect"
	"artifice/trace"
)

// step is a change of a method's number of samples at a phase from 0 to 1.
type step struct {
	at     float64
	method int
	by     int
}

// part is an interval in which a method runs.
type part struct {
	method     int
	begin, end float64
}

// stepsOf returns the numbers of samples of each method at the phase 0, and their changes. The
// ticks of the phase f are at (f + k)·period.
func stepsOf(parts []part, methods int, period float64) (base []int, steps []step) {
	base = make([]int, methods)
	for _, p := range parts {
		// The number of k with begin <= (f+k)·period < end is the difference of two counts.
		for _, edge := range []struct {
			at float64
			by int
		}{{p.end, 1}, {p.begin, -1}} {
			whole := math.Floor(edge.at / period)
			base[p.method] += edge.by * int(whole)
			if fraction := edge.at/period - whole; fraction > 0 {
				base[p.method] += edge.by
				steps = append(steps, step{fraction, p.method, -edge.by})
			}
		}
	}
	slices.SortFunc(steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	return base, steps
}

// rejectedPhases returns the share of phases with a method outside of the accepted shares.
func rejectedPhases(base []int, steps []step, accepted []expect.Range) (rejected float64) {
	counts := slices.Clone(base)
	total := 0
	for _, n := range counts {
		total += n
	}
	from := 0.
	for i := 0; from < 1; {
		until := 1.
		if i < len(steps) {
			until = steps[i].at
		}
		if until > from && outside(counts, total, accepted) {
			rejected += until - from
		}
		from = until
		for i < len(steps) && steps[i].at == until {
			counts[steps[i].method] += steps[i].by
			total += steps[i].by
			i++
		}
	}
	return rejected
}

// outside reports whether a method's share is not accepted.
func outside(counts []int, total int, accepted []expect.Range) bool {
	for m, n := range counts {
		if q := float64(n) / float64(total); q < accepted[m].Low-1e-9 || q > accepted[m].High+1e-9 {
			return true
		}
	}
	return false
}

// selfMethods numbers methods by name, and returns their names.
func (p *program) selfMethods() (number map[trace.MethodID]int, names []string) {
	number, byName := map[trace.MethodID]int{}, map[string]int{}
	for _, m := range p.hot() {
		name := p.symbols.Method(m).FullName()
		if _, ok := byName[name]; !ok {
			byName[name] = len(names)
			names = append(names, name)
		}
		number[m] = byName[name]
	}
	return number, names
}

// parts returns the parts of a thread on its CPU clock.
func (t *timeline) parts(number map[trace.MethodID]int) (list []part) {
	for k := range t.cpu[:max(0, len(t.cpu)-1)] {
		if s := t.stacks[k]; len(s) > 0 && t.cpu[k+1] > t.cpu[k] {
			list = append(list, part{number[s[len(s)-1]], float64(t.cpu[k]), float64(t.cpu[k+1])})
		}
	}
	return list
}

// acceptedShares returns the shares of self time that expect accepts of each method, at a rate of
// all together, for samplers of constant period.
func (p *program) acceptedShares(names []string, period, rate float64) ([]expect.Range, error) {
	rules := &expect.Rules{}
	for _, name := range names {
		rules.List = append(rules.List, expect.Rule{Self: name})
	}
	profile, err := p.profile(p.timers(rand.New(rand.NewPCG(3, 3)), schedules[0], period), period, form{})
	if err != nil {
		return nil, err
	}
	v, err := expect.Check(p.truth, profile, expect.Options{Rate: 2 * rate, Rules: rules, Schedules: expect.CPUTimer, Quick: true})
	if err != nil {
		return nil, err
	}
	var accepted []expect.Range
	for _, a := range v.Assertions {
		accepted = append(accepted, a.Accepted)
	}
	return accepted, nil
}

// falseAlarm returns the probability that a method's number of samples is not accepted, for a timer
// in each thread with a random phase: exact for the only thread of an app that runs; else summed
// over methods, of convolved distributions, which bounds it.
func (p *program) falseAlarm(period, rate float64) (float64, error) {
	number, names := p.selfMethods()
	accepted, err := p.acceptedShares(names, period, rate)
	if err != nil {
		return 0, err
	}
	var laws [][]map[int]float64 // by running thread and method
	var only []part
	for i := range p.threads {
		parts := p.threads[i].parts(number)
		if len(parts) == 0 {
			continue
		}
		only = parts
		base, steps := stepsOf(parts, len(names), period)
		laws = append(laws, lawsOf(base, steps))
	}
	if len(laws) == 1 {
		base, steps := stepsOf(only, len(names), period)
		return rejectedPhases(base, steps, accepted), nil
	}
	n := float64(p.cpu) / period
	var sum float64
	for m := range names {
		law := map[int]float64{0: 1}
		for _, thread := range laws {
			law = convolve(law, thread[m])
		}
		for count, prob := range law {
			if q := float64(count) / n; q < accepted[m].Low-1e-9 || q > accepted[m].High+1e-9 {
				sum += prob
			}
		}
	}
	return sum, nil
}

// lawsOf returns the distribution of each method's number of samples over all phases.
func lawsOf(base []int, steps []step) []map[int]float64 {
	laws := make([]map[int]float64, len(base))
	counts, from := slices.Clone(base), make([]float64, len(base))
	for m := range laws {
		laws[m] = map[int]float64{}
	}
	for _, s := range steps {
		laws[s.method][counts[s.method]] += s.at - from[s.method]
		from[s.method] = s.at
		counts[s.method] += s.by
	}
	for m := range laws {
		laws[m][counts[m]] += 1 - from[m]
	}
	return laws
}

func convolve(a, b map[int]float64) map[int]float64 {
	sum := make(map[int]float64, len(a)+len(b))
	for n, p := range a {
		for m, q := range b {
			if p*q > 1e-30 {
				sum[n+m] += p * q
			}
		}
	}
	return sum
}

// phaseApps are the truths of the table of exact rates.
var phaseApps = []string{"w5-zipf-50", "w7-deep-shallow", "game-loop", "gc-storm", "cold-start", "scroll-60hz"}

// printPhases prints the largest probability of false alarms for several periods.
func printPhases(w io.Writer, programs []*program) error {
	fmt.Fprintf(w, "%-16s %10s %10s %10s\n", "app", "1e-2", "1e-4", "1e-6")
	for _, p := range programs {
		fmt.Fprintf(w, "%-16s", p.name)
		for _, rate := range []float64{1e-2, 1e-4, 1e-6} {
			worst := 0.
			for _, period := range []float64{2e6, 10e6, 1e9 / 99} {
				f, err := p.falseAlarm(period, rate)
				if err != nil {
					return err
				}
				worst = max(worst, f)
			}
			fmt.Fprintf(w, " %10.2g", worst)
		}
		fmt.Fprintln(w)
	}
	return nil
}
