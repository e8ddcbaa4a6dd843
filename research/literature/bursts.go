package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// burst describes a bursting profiler: in every interval, at an instant of each thread, it begins a
// burst, walks the stack, and records all calls for a while.
type burst struct {
	every, length time.Duration

	// again is the sampled share of bursts that begin with a stack with which an earlier burst
	// began; each of those has weight 1/again (adaptive bursting with re-enablement); 1: all bursts
	// are taken (static bursting).
	again float64
}

// The parameters of static bursts are those of the counter errors published by D'Elia, Demetrescu
// and Finocchi: 20 and 2 ms (figure hcct-bursting of dcdelia/PhD-Thesis). Those of adaptive bursts
// are 2 and 0.2 ms with a tenth re-enabled, used by two of them for the comparison with Zhuang and
// others (hcct-pldi/docs/paper of dcdelia/hcct, figures on speed and accuracy); the latter's own
// intervals are not available.
var (
	static   = burst{20 * time.Millisecond, 2 * time.Millisecond, 1}
	adaptive = burst{2 * time.Millisecond, 200 * time.Microsecond, 0.1}
)

// burstCounts contains the number of calls of each context: all of them, and those counted in
// bursts.
type burstCounts struct {
	burst
	all, in  []float64 // by context
	sum      float64   // of all
	sumIn    float64   // of in
	contexts calltree.Contexts
	threads  []burstThread
	begun    map[calltree.Node]bool // contexts with which a burst began
	random   *rand.Rand
}

// burstThread is a thread of the program.
type burstThread struct {
	at     calltree.Node
	number time.Duration // of its interval, plus 1
	weight float64       // of its burst in the interval; 0: not taken
}

func countBursts(b burst) *burstCounts {
	return &burstCounts{burst: b, begun: map[calltree.Node]bool{}, random: rand.New(rand.NewPCG(1, 2))}
}

// add adds an event.
func (b *burstCounts) add(e *trace.Event) {
	for int(e.Thread) >= len(b.threads) {
		b.threads = append(b.threads, burstThread{at: b.contexts.AddRoot(trace.ThreadID(len(b.threads)))})
	}
	th := &b.threads[e.Thread]
	if number := e.Wall/b.every + 1; number != th.number {
		th.number, th.weight = number, b.begin(th.at)
	}
	th.at, _ = b.contexts.Apply(th.at, e)
	if e.Action != trace.Enter {
		return
	}
	for b.contexts.Len() > len(b.all) {
		b.all, b.in = append(b.all, 0), append(b.in, 0)
	}
	b.all[th.at]++
	b.sum++
	if e.Wall%b.every < b.length {
		b.in[th.at] += th.weight
		b.sumIn += th.weight
	}
}

// begin returns the weight of a burst that begins in a context.
func (b *burstCounts) begin(at calltree.Node) float64 {
	switch {
	case b.again == 1:
		return 1
	case !b.begun[at]:
		b.begun[at] = true
		return 1
	case b.random.Float64() < b.again:
		return 1 / b.again
	}
	return 0
}

// overlap returns the sum of the smaller of both shares of calls of each context.
func (b *burstCounts) overlap() (sum float64) {
	for n, calls := range b.all {
		sum += min(calls/b.sum, b.in[n]/b.sumIn)
	}
	return sum
}

// hotEdges returns the share of hot edges of the calling-context tree, those with at least a tenth
// of the hottest one's calls, that are also hot in the bursts.
func (b *burstCounts) hotEdges() float64 {
	const hot = 0.1
	most, mostIn := slices.Max(b.all), slices.Max(b.in)
	edges, found := 0.0, 0.0
	for n, calls := range b.all {
		if calls >= hot*most {
			edges++
			if b.in[n] >= hot*mostIn {
				found++
			}
		}
	}
	return found / edges
}

// counterError returns the mean error of the counters of contexts with at least 0.01 % of the
// calls, after division by the share of the calls in bursts.
func (b *burstCounts) counterError() float64 {
	const hot = 1e-4
	contexts, wrong := 0.0, 0.0
	for n, calls := range b.all {
		if calls >= hot*b.sum {
			contexts++
			wrong += math.Abs(b.in[n]*b.sum/b.sumIn-calls) / calls
		}
	}
	return wrong / contexts
}

// counted contains the programs' calls as counted by both kinds of bursts, after they have run.
var counted struct {
	programs         []string
	static, adaptive []*burstCounts
}

// countPrograms runs the programs once.
func countPrograms() error {
	if counted.programs != nil {
		return nil
	}
	return eachProgram(func(name string, calls *trace.Recording) error {
		s, a := countBursts(static), countBursts(adaptive)
		for e, err := range trace.All(calls.Events) {
			if err != nil {
				return err
			}
			s.add(&e)
			a.add(&e)
		}
		counted.programs, counted.static, counted.adaptive = append(counted.programs, name), append(counted.static, s), append(counted.adaptive, a)
		return nil
	})
}

// average returns the mean over the programs in %, and all values in words.
func average(runs []*burstCounts, of func(*burstCounts) float64) (mean float64, each string) {
	var all []string
	for i, r := range runs {
		x := 100 * of(r)
		mean += x / float64(len(runs))
		all = append(all, fmt.Sprintf("%s %.1f", counted.programs[i], x))
	}
	return mean, strings.Join(all, ", ")
}

func bursts() (string, bool, error) {
	if err := countPrograms(); err != nil {
		return "", false, err
	}
	overlap, overlaps := average(counted.adaptive, (*burstCounts).overlap)
	edges, each := average(counted.adaptive, (*burstCounts).hotEdges)
	return fmt.Sprintf("%.0f %% overlap (%s), %.0f %% of hot edges (%s)", overlap, overlaps, edges, each), math.Abs(overlap-85) <= 10 && math.Abs(edges-88) <= 10, nil
}

func hotCounters() (string, bool, error) {
	if err := countPrograms(); err != nil {
		return "", false, err
	}
	wrong, each := average(counted.static, (*burstCounts).counterError)
	return fmt.Sprintf("%.2f %% on average (%s)", wrong, each), wrong >= 6.89 && wrong <= 17.31, nil
}
