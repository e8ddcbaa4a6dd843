package law

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"testing"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// TestPoissonCountExample checks the worked example of [poissonCount].
func TestPoissonCountExample(t *testing.T) {
	law := newPoissonCount(ms(1))
	law.add(1, activation{0, ms(1)})
	law.add(1, activation{ms(1.5), ms(1.5)})
	law.add(1, activation{ms(2), ms(3)})
	one := 1 - math.Exp(-1)
	checkRows(t, []row{
		{"seen", law.Seen(0), 2 * one, 1e-12},
		{"reported", law.Reported(0), one + (1-one*math.Exp(-1))*one, 1e-12},
		{"reported", law.Reported(0), 1.117, 1e-3},
	})
}

// instant is the state of a thread after an event.
type instant struct {
	at    time.Duration
	stack []string // paths as text, outermost first
	calls []int    // index of each frame's call
}

// instants returns the states of a thread after each of its events.
func instants(events []trace.Event) (list []instant) {
	now := instant{}
	for i, e := range events {
		now.at = e.Wall
		top := len(now.stack) - 1
		name := fmt.Sprint(e.Method)
		switch {
		case e.Action == trace.Enter && top < 0:
			now.stack, now.calls = []string{name}, []int{i}
		case e.Action == trace.Enter:
			now.stack, now.calls = append(now.stack[:top+1:top+1], now.stack[top]+" "+name), append(now.calls[:top+1:top+1], i)
		case top >= 0: // exit the innermost method
			now.stack, now.calls = now.stack[:top], now.calls[:top]
		}
		list = append(list, now)
	}
	return list
}

// sampledOnce returns what one Poisson sampler reports of a thread: the number of calls of each
// path, their total, and the number of true calls with a sample.
func sampledOnce(rng *rand.Rand, states []instant, interval time.Duration) (reported map[string]float64, all, seen float64) {
	reported = map[string]float64{}
	calls := map[int]bool{}
	var before []string
	for at := rng.ExpFloat64() * float64(interval); at < float64(states[len(states)-1].at); at += rng.ExpFloat64() * float64(interval) {
		i := sort.Search(len(states), func(i int) bool { return float64(states[i].at) > at })
		now := instant{}
		if i > 0 {
			now = states[i-1]
		}
		for depth, path := range now.stack {
			if depth >= len(before) || before[depth] != path {
				reported[path]++
				all++
			}
			calls[now.calls[depth]] = true
		}
		before = now.stack
	}
	return reported, all, float64(len(calls))
}

// samplers sums the results of many Poisson samplers of one thread.
type samplers struct {
	runs         float64
	sum, squares map[string]float64 // of reported calls, by path; of the totals "reported" and "seen"
}

func manySamplers(rng *rand.Rand, events []trace.Event, interval time.Duration) *samplers {
	const runs = 4000
	s := &samplers{runs: runs, sum: map[string]float64{}, squares: map[string]float64{}}
	states := instants(events)
	for range runs {
		values, all, seen := sampledOnce(rng, states, interval)
		values["reported"], values["seen"] = all, seen
		for key, x := range values {
			s.sum[key] += x
			s.squares[key] += x * x
		}
	}
	return s
}

// z returns the distance of a value's mean from a law, in standard errors. The values are whole
// numbers, so their variance is at least f(1 − f), where f is the fractional part of the law.
func (s *samplers) z(key string, law float64) float64 {
	mean := s.sum[key] / s.runs
	f := law - math.Floor(law)
	variance := max(s.squares[key]/s.runs-mean*mean, f*(1-f))
	return ZScore(Estimate{mean, math.Sqrt(variance / s.runs), s.runs - 1}, law)
}

// poissonLaws plays a thread's events to a law of all paths together and to a law of each path. It
// also returns the paths.
func poissonLaws(t *testing.T, events []trace.Event, interval time.Duration) (*poissonCount, *eachContext[*poissonCount], *calltree.Contexts) {
	newLaw := func() *poissonCount { return newPoissonCount(interval) }
	law, each, table := newLaw(), newEachContext(newLaw), &calltree.Contexts{}
	playActivations(table, events, law, each)
	return law, each, table
}

// TestPoissonCount compares the law with Poisson samplers of random threads: for every path, and
// for the totals of reported and sampled calls.
func TestPoissonCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for trial := range 4 {
		events := randomThread(rng, 0, 150)
		for _, interval := range []time.Duration{3 * us, 40 * us, 400 * us} {
			law, each, table := poissonLaws(t, events, interval)
			want := map[string]float64{"reported": law.Reported(0), "seen": law.Seen(0)}
			for p := calltree.Node(1); int(p) < table.Len(); p++ {
				if !table.IsRoot(p) {
					name := fmt.Sprint(spell(table, p))
					want[name[1:len(name)-1]] = each.Law(p).Reported(0)
				}
			}
			got := manySamplers(rng, events, interval)
			for key, law := range want {
				if z := got.z(key, law); math.Abs(z) > MaxZ {
					t.Errorf("trial %d, interval %v, %s: %v calls, want %v by the law, z %.1f", trial, interval, key, got.sum[key]/got.runs, law, z)
				}
			}
			for key := range got.sum {
				if _, ok := want[key]; !ok {
					t.Errorf("trial %d, interval %v: no law for %s", trial, interval, key)
				}
			}
		}
	}
}

// TestPoissonSamplersDistinguishLaws checks that the samplers which validate the law refute laws
// that are nearly correct: one without memory, in which each sampled call is a reported call, and
// the law of a systematic sampler.
func TestPoissonSamplersDistinguishLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	events := randomThread(rng, 0, 150)
	for _, interval := range []time.Duration{3 * us, 40 * us} {
		got := manySamplers(rng, events, interval)
		memoryless, _, _ := poissonLaws(t, events, interval)
		if z := got.z("reported", memoryless.Seen(0)); math.Abs(z) < 2*MaxZ {
			t.Errorf("interval %v: the law without memory is off by only %.1f standard errors", interval, z)
		}
		systematic := newCallCount(interval)
		playActivations(&calltree.Contexts{}, events, systematic)
		for key, law := range map[string]float64{"reported": systematic.Reported(0), "seen": systematic.Seen(0)} {
			if z := got.z(key, law); math.Abs(z) < 2*MaxZ {
				t.Errorf("interval %v: the systematic sampler's law of %s calls is off by only %.1f standard errors", interval, key, z)
			}
		}
	}
}
