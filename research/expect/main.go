// Command expect measures the false alarms of artifice expect: the share of clean profiles that fail,
// by built-in app and kind of sampler. Samplers of the stated family have to stay within the rate; those
// outside of it, with jitter or a period that is slightly off, are shown for comparison.
//
//	go run ./expect -profiles 2000
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"artifice/expect"
	"artifice/trace"
	"artifice/workload"
)

func main() {
	log.SetFlags(0)
	profiles := flag.Int("profiles", 200, "profiles of each app and sampler")
	rate := flag.Float64("rate", 1e-2, "rate of false alarms")
	flag.Parse()
	fmt.Printf("%-14s", "app")
	for _, s := range samplers {
		fmt.Printf("  %12s", s.name)
	}
	fmt.Println()
	for _, app := range []string{"game-loop", "gc-storm", "cold-start", "scroll-60hz"} {
		if err := measure(os.Stdout, app, 3*time.Second, *profiles, *rate); err != nil {
			log.Fatal(err)
		}
	}
}

// measure prints a row: the number of failed profiles for each sampler.
func measure(w io.Writer, app string, length time.Duration, profiles int, rate float64) error {
	p, truth, err := newProgram(app, length)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%-14s", app)
	for _, s := range samplers {
		failed, err := p.falseAlarms(truth, s, profiles, rate)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", app, s.name, err)
		}
		fmt.Fprintf(w, "  %5d/%6d", failed, profiles)
	}
	fmt.Fprintln(w)
	return nil
}

// schedule is a kind of sampler of CPU time: a timer for each thread.
type schedule struct {
	name   string
	inside bool // of the family that expect states
	gap    func(rng *rand.Rand, period float64) float64
}

var samplers = []schedule{
	{"exact", true, func(_ *rand.Rand, period float64) float64 { return period }},
	{"Poisson", true, func(rng *rand.Rand, period float64) float64 { return rng.ExpFloat64() * period }},
	{"period +0.01%", false, func(_ *rand.Rand, period float64) float64 { return period * 1.0001 }},
	{"jitter 1 %", false, func(rng *rand.Rand, period float64) float64 { return period * (1 + 0.01*rng.NormFloat64()) }},
	{"jitter 10 %", false, func(rng *rand.Rand, period float64) float64 {
		return period * max(0.01, 1+0.1*rng.NormFloat64())
	}},
}

// program is an app with the CPU time and stack of each thread, read by this program itself.
type program struct {
	symbols *trace.Symbols
	threads []threadLine
	cpu     time.Duration
}

// threadLine are the stacks of a thread from points of its CPU time on.
type threadLine struct {
	begins []time.Duration
	stacks [][]trace.MethodID
}

// newProgram reads an app twice: for this program, and as a truth.
func newProgram(app string, length time.Duration) (*program, *expect.Truth, error) {
	open := func() (*trace.Recording, error) {
		return workload.ByName(app).Truth(workload.Config{Seed: 1, Duration: length})
	}
	rec, err := open()
	if err != nil {
		return nil, nil, err
	}
	p := &program{symbols: rec.Symbols}
	var stacks [][]trace.MethodID
	for e, err := range trace.All(rec.Events) {
		if err != nil {
			return nil, nil, err
		}
		for int(e.Thread) >= len(p.threads) {
			p.threads, stacks = append(p.threads, threadLine{}), append(stacks, nil)
		}
		s := stacks[e.Thread]
		switch {
		case rec.Symbols.IsRuntime(e.Method):
		case e.Action == trace.Enter:
			s = append(slices.Clone(s), e.Method)
		case len(s) > 0:
			s = s[:len(s)-1]
		}
		stacks[e.Thread] = s
		t := &p.threads[e.Thread]
		t.begins, t.stacks = append(t.begins, e.CPU), append(t.stacks, s)
	}
	for _, t := range p.threads {
		if n := len(t.begins); n > 0 {
			p.cpu += t.begins[n-1] - t.begins[0]
		}
	}
	if rec, err = open(); err != nil {
		return nil, nil, err
	}
	truth, err := expect.ReadTruth(rec, app)
	return p, truth, err
}

// at returns the stack of a thread at a point of its CPU time.
func (t *threadLine) at(now float64) []trace.MethodID {
	i, _ := slices.BinarySearchFunc(t.begins, now, func(b time.Duration, x float64) int {
		if float64(b) <= x {
			return -1
		}
		return 1
	})
	if i == 0 || i == len(t.begins) {
		return nil
	}
	return t.stacks[i-1]
}

// samplesWanted is the number of samples of a profile.
const samplesWanted = 1000

// falseAlarms counts the clean profiles of a sampler that fail.
func (p *program) falseAlarms(truth *expect.Truth, s schedule, profiles int, rate float64) (failed int, err error) {
	rng := rand.New(rand.NewPCG(uint64(profiles), 58))
	for range profiles {
		profile, err := p.profile(rng, s)
		if err != nil {
			return 0, err
		}
		v, err := expect.Check(truth, profile, expect.Options{Rate: rate})
		if err != nil {
			return 0, err
		}
		if v.Outcome != expect.Pass {
			failed++
		}
	}
	return failed, nil
}

// profile takes a profile of the program.
func (p *program) profile(rng *rand.Rand, s schedule) (*expect.Profile, error) {
	period := float64(p.cpu) / samplesWanted
	rec := &trace.Recording{Symbols: p.symbols, Info: trace.Info{Clock: trace.Dual, Technique: trace.Sampled, OfCPU: true, Interval: time.Duration(period)}, Events: none{}}
	snapshots := expect.NewSnapshots(rec)
	for id, t := range p.threads {
		if len(t.begins) == 0 {
			continue
		}
		tick := time.Duration(0)
		write := func(stack []trace.MethodID) {
			until := tick + time.Duration(period)
			snapshots.WriteSnapshot(&trace.Snapshot{Thread: trace.ThreadID(id), Wall: tick, Until: until, CPU: tick, Count: 1, Stack: stack})
			tick = until
		}
		end := float64(t.begins[len(t.begins)-1])
		for now := float64(t.begins[0]) + rng.Float64()*s.gap(rng, period); now < end; now += s.gap(rng, period) {
			if stack := t.at(now); len(stack) > 0 {
				write(stack)
			}
		}
		snapshots.WriteSnapshot(&trace.Snapshot{Thread: trace.ThreadID(id), Wall: tick, Until: tick, CPU: tick})
	}
	return expect.ReadProfile(rec, "profile", snapshots)
}

// none is a Reader without events.
type none struct{}

func (none) ReadEvents([]trace.Event) (int, error) { return 0, io.EOF }
