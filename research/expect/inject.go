package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"artifice/bench/expect"
	"artifice/trace"
)

// injection is a fault of a sampler, which this program injects sample by sample, on the timelines
// of an app.
type injection struct {
	name   string // its name in expect
	class  string // content of the profile: shares, number or times
	size   float64
	inject func(p *program, rng *rand.Rand, list []sample, size, period float64) []sample
	has    func(p *program) bool // reports whether the fault has an effect; nil: always
}

// mapped returns an injection that changes the stack of a share of the samples.
func mapped(change func(p *program, s *sample) []trace.MethodID) func(*program, *rand.Rand, []sample, float64, float64) []sample {
	return func(p *program, rng *rand.Rand, list []sample, size, _ float64) []sample {
		kept := list[:0]
		for _, s := range list {
			if rng.Float64() < size {
				s.stack = change(p, &s)
			}
			if len(s.stack) > 0 {
				kept = append(kept, s)
			}
		}
		return kept
	}
}

// next is the stack after the next event of a sample's thread.
func next(p *program, s *sample) []trace.MethodID {
	stacks := p.threads[s.thread].stacks
	return stacks[min(s.part+1, len(stacks)-1)]
}

// hot returns the methods of an app by self time, the hottest first.
func (p *program) hot() (methods []trace.MethodID) {
	times := map[trace.MethodID]time.Duration{}
	for i := range p.threads {
		t := &p.threads[i]
		for k := range t.cpu[:max(0, len(t.cpu)-1)] {
			if s := t.stacks[k]; len(s) > 0 {
				times[s[len(s)-1]] += t.cpu[k+1] - t.cpu[k]
			}
		}
	}
	for m := range times {
		methods = append(methods, m)
	}
	slices.SortFunc(methods, func(a, b trace.MethodID) int {
		if d := times[b] - times[a]; d != 0 {
			return int(d)
		}
		return int(a) - int(b)
	})
	return methods
}

const cutAt = 64 // frames

func deep(p *program) bool {
	for i := range p.threads {
		for _, s := range p.threads[i].stacks {
			if len(s) > cutAt {
				return true
			}
		}
	}
	return false
}

// waiting returns an injection that adds samples of threads that wait: busy ones, or those that hardly
// run.
func waiting(idle bool) func(*program, *rand.Rand, []sample, float64, float64) []sample {
	return func(p *program, rng *rand.Rand, list []sample, size, _ float64) []sample {
		want := int(size * float64(len(list)) / (1 - size))
		for tries := 0; want > 0 && tries < 1_000_000; tries++ {
			id := rng.IntN(len(p.threads))
			t := &p.threads[id]
			if float64(t.running) <= 0.01*float64(p.cpu) != idle {
				continue
			}
			now := rng.Float64() * float64(p.length)
			if k := at(t.wall, now); k >= 0 && t.cpu[k+1] == t.cpu[k] && len(t.stacks[k]) > 0 {
				list = append(list, sample{id, k, time.Duration(now), t.stacks[k]})
				want--
			}
		}
		return ordered(list)
	}
}

func hasIdle(p *program) bool {
	for i := range p.threads {
		t := &p.threads[i]
		if float64(t.running) > 0.01*float64(p.cpu) {
			continue
		}
		for k := range t.wall[:max(0, len(t.wall)-1)] {
			if len(t.stacks[k]) > 0 && t.wall[k+1] > t.wall[k] && t.cpu[k+1] == t.cpu[k] {
				return true
			}
		}
	}
	return false
}

// ordered sorts samples by thread and time.
func ordered(list []sample) []sample {
	slices.SortStableFunc(list, func(a, b sample) int {
		if d := a.thread - b.thread; d != 0 {
			return d
		}
		return int(a.wall - b.wall)
	})
	return list
}

// keep returns an injection that loses samples.
func keep(kept func(p *program, rng *rand.Rand, s *sample, size float64) bool) func(*program, *rand.Rand, []sample, float64, float64) []sample {
	return func(p *program, rng *rand.Rand, list []sample, size, _ float64) []sample {
		return slices.DeleteFunc(list, func(s sample) bool { return !kept(p, rng, &s, size) })
	}
}

func injectLate(p *program, _ *rand.Rand, s *sample, size float64) bool {
	return float64(s.wall) > size*float64(p.length)
}

func injectCounts(p *program, rng *rand.Rand, s *sample, size float64) bool {
	return s.wall < p.length/2 || rng.Float64() >= size
}

func injectDoubled(_ *program, rng *rand.Rand, list []sample, size, _ float64) (twice []sample) {
	for _, s := range list {
		twice = append(twice, s)
		if rng.Float64() < size {
			twice = append(twice, s)
		}
	}
	return twice
}

func injectLost(_ *program, rng *rand.Rand, _ *sample, size float64) bool {
	return rng.Float64() >= size
}

func injectLostBusy(_ *program, _ *rand.Rand, list []sample, size, period float64) []sample {
	slices.SortStableFunc(list, func(a, b sample) int { return int(a.wall - b.wall) })
	last := -time.Duration(period)
	list = slices.DeleteFunc(list, func(s sample) bool {
		if float64(s.wall-last) < size*period {
			return true
		}
		last = s.wall
		return false
	})
	return ordered(list)
}

func injectTorn(_ *program, rng *rand.Rand, list []sample, size, _ float64) []sample {
	out := slices.Clone(list)
	for i := 1; i < len(list); i++ {
		a, b := &list[i-1], &list[i]
		if a.thread == b.thread && rng.Float64() < size {
			out[i].stack = append(slices.Clone(a.stack[:len(a.stack)-1]), b.stack[len(b.stack)-1])
		}
	}
	return out
}

func injectMerged(p *program, _ *rand.Rand, list []sample, _, _ float64) []sample {
	hot := p.hot()
	for i, s := range list {
		list[i].stack = slices.Clone(s.stack)
		for k, m := range s.stack {
			if m == hot[1] {
				list[i].stack[k] = hot[0]
			}
		}
	}
	return list
}

func injectHidden(p *program, rng *rand.Rand, list []sample, size, period float64) []sample {
	hot := p.hot()[0]
	return mapped(func(_ *program, s *sample) []trace.MethodID {
		if k := len(s.stack) - 1; s.stack[k] == hot {
			return s.stack[:k]
		}
		return s.stack
	})(p, rng, list, size, period)
}

var injections = []injection{
	{"samples only at safepoints", "shares", 0.5, mapped(func(p *program, s *sample) []trace.MethodID {
		if n := next(p, s); len(n) > 0 {
			return n
		}
		return s.stack
	}), nil},
	{"missing innermost frames", "shares", 0.1, mapped(func(_ *program, s *sample) []trace.MethodID { return s.stack[:len(s.stack)-1] }), nil},
	{"merged names", "shares", 1, injectMerged, nil},
	{"a hidden method", "shares", 0.3, injectHidden, nil},
	{"waits counted as CPU time", "shares", 0.1, waiting(false), nil},
	{"torn stacks", "shares", 0.02, injectTorn, nil},
	{"outermost frames cut", "shares", 1, mapped(func(_ *program, s *sample) []trace.MethodID { return s.stack[max(0, len(s.stack)-cutAt):] }), deep},
	{"innermost frames cut", "shares", 1, mapped(func(_ *program, s *sample) []trace.MethodID { return s.stack[:min(len(s.stack), cutAt)] }), deep},
	{"idle threads counted as CPU time", "shares", 0.05, waiting(true), hasIdle},
	{"samples skid into the callee", "shares", 0.2, mapped(func(p *program, s *sample) []trace.MethodID {
		if n := next(p, s); len(n) > len(s.stack) {
			return n
		}
		return s.stack
	}), nil},
	{"samples counted twice", "number", 0.1, injectDoubled, nil},
	{"samples lost at random", "number", 0.05, keep(injectLost), nil},
	{"late start or early end", "number", 0.1, keep(injectLate), nil},
	{"growing intervals counted as equal", "number", 0.5, keep(injectCounts), nil},
	{"samples counted twice", "times", 0.1, injectDoubled, nil},
	{"samples lost at random", "times", 0.05, keep(injectLost), nil},
	{"samples lost during another sample", "times", 0.1, injectLostBusy, nil},
	{"late start or early end", "times", 0.1, keep(injectLate), nil},
	{"growing intervals counted as equal", "times", 0.5, keep(injectCounts), nil},
	{"", "shares", 0, func(_ *program, _ *rand.Rand, list []sample, _, _ float64) []sample { return list }, nil},
	{"", "times", 0, func(_ *program, _ *rand.Rand, list []sample, _, _ float64) []sample { return list }, nil},
}

// faultSamples is the number of samples of a profile with a fault.
const faultSamples = 6000

// found counts profiles in which a fault is detected, and those in which the injected one is named
// first, or at all.
type found struct{ detected, first, named int }

// diagnose injects a fault into profiles and diagnoses them.
func (p *program) diagnose(f injection, profiles int, rate float64) (n found, err error) {
	rng := rand.New(rand.NewPCG(uint64(len(f.name)), 4))
	period := float64(p.cpu) / faultSamples
	for range profiles {
		list := f.inject(p, rng, p.timers(rng, schedules[0], period), f.size, period)
		shape := form{times: f.class == "times"}
		o := expect.Options{Rate: rate, Schedules: expect.CPUTimer}
		if f.class != "shares" {
			shape.interval = time.Duration(period)
		}
		profile, err := p.profile(list, period, shape)
		if err != nil {
			return n, err
		}
		d, err := expect.Diagnose(p.truth, profile, o)
		if err != nil {
			return n, err
		}
		if d.Significant {
			n.detected++
		}
		for i, x := range d.Faults {
			if x.Fault == f.name {
				n.named++
				if i == 0 {
					n.first++
				}
			}
		}
	}
	return n, nil
}

// faultApps are the truths of the table of faults.
var faultApps = []string{"cold-start", "game-loop", "photo-import", "gc-storm", "network-client", "scroll-60hz"}

// printFaults prints the numbers of profiles in which a fault is detected, and in which the injected
// one is named first or at all, over the apps on which it has an effect. It also prints the app with
// the minimum number of profiles that name the fault.
func printFaults(w io.Writer, programs []*program, profiles int, rate float64) error {
	fmt.Fprintf(w, "%-7s %-36s %4s %8s %8s %5s %5s  %s\n", "profile", "fault", "size", "profiles", "detected", "first", "named", "least")
	for _, f := range injections {
		name := f.name
		if name == "" {
			name = "none"
		}
		var all found
		taken, least, at := 0, profiles+1, ""
		for _, p := range programs {
			if f.has != nil && !f.has(p) {
				continue
			}
			n, err := p.diagnose(f, profiles, rate)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", p.name, name, err)
			}
			taken += profiles
			all = found{all.detected + n.detected, all.first + n.first, all.named + n.named}
			if n.named < least {
				least, at = n.named, p.name
			}
		}
		line := fmt.Sprintf("%-7s %-36s %4.2g %8d %8d %5d %5d", f.class, name, f.size, taken, all.detected, all.first, all.named)
		if f.name != "" && least < profiles && taken > 0 {
			line += fmt.Sprintf("  %d in %s", least, at)
		}
		fmt.Fprintln(w, line)
	}
	return nil
}
