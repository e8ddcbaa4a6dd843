package main

import (
	"io"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"artifice/bench/expect"
	"artifice/trace"
	"artifice/workload"
)

// program is an app with the stacks of each thread on both clocks, read by this program itself.
type program struct {
	name    string
	symbols *trace.Symbols
	threads []timeline
	length  time.Duration // wall time
	cpu     time.Duration // of all threads, in methods
	truth   *expect.Truth
}

// timeline are the stacks of a thread from points of its time on.
type timeline struct {
	wall, cpu []time.Duration
	stacks    [][]trace.MethodID
	running   time.Duration // CPU time in methods
}

// newPrograms reads several apps.
func newPrograms(apps []string, length time.Duration) (list []*program, err error) {
	for _, app := range apps {
		p, err := newProgram(app, length)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// newProgram reads an app twice: for this program, and as a truth.
func newProgram(app string, length time.Duration) (*program, error) {
	open := func() (*trace.Recording, error) {
		p, err := workload.ByName(app)
		if err != nil {
			return nil, err
		}
		return p.Truth(workload.Config{Seed: 1, Duration: length})
	}
	rec, err := open()
	if err != nil {
		return nil, err
	}
	p := &program{name: app, symbols: rec.Symbols}
	var stacks [][]trace.MethodID
	for e, err := range trace.All(rec.Events) {
		if err != nil {
			return nil, err
		}
		for int(e.Thread) >= len(p.threads) {
			p.threads, stacks = append(p.threads, timeline{}), append(stacks, nil)
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
		t.wall, t.cpu, t.stacks = append(t.wall, e.Wall), append(t.cpu, e.CPU), append(t.stacks, s)
		p.length = max(p.length, e.Wall)
	}
	for i := range p.threads {
		t := &p.threads[i]
		if n := len(t.stacks); n > 0 && len(t.stacks[n-1]) > 0 { // a call that the end of the run ends
			t.wall, t.cpu, t.stacks = append(t.wall, p.length), append(t.cpu, t.cpu[n-1]), append(t.stacks, nil)
		}
		for k := range t.cpu[:max(0, len(t.cpu)-1)] {
			if len(t.stacks[k]) > 0 {
				t.running += t.cpu[k+1] - t.cpu[k]
			}
		}
		p.cpu += t.running
	}
	if rec, err = open(); err != nil {
		return nil, err
	}
	p.truth, err = expect.ReadTruth(rec, app)
	return p, err
}

// at returns the part of a timeline at a time of one of its clocks; -1: none.
func at(clock []time.Duration, now float64) int {
	i := sort.Search(len(clock), func(i int) bool { return float64(clock[i]) > now }) - 1
	if i == len(clock)-1 {
		return -1
	}
	return i
}

// sample is one of a thread: a part of its timeline, and the stack that the profiler shows.
type sample struct {
	thread int
	part   int
	wall   time.Duration
	stack  []trace.MethodID
}

// schedule is a kind of sampler.
type schedule struct {
	name   string
	inside bool // of the family that expect states
	gap    func(rng *rand.Rand, period float64) float64
}

var schedules = []schedule{
	{"exact", true, func(_ *rand.Rand, period float64) float64 { return period }},
	{"Poisson", true, func(rng *rand.Rand, period float64) float64 { return rng.ExpFloat64() * period }},
	{"+0.01 %", false, func(_ *rand.Rand, period float64) float64 { return period * 1.0001 }},
	{"jitter 1 %", false, jitter(0.01)},
	{"jitter 10 %", false, jitter(0.1)},
}

// jitter returns gaps that vary by a share.
func jitter(share float64) func(rng *rand.Rand, period float64) float64 {
	return func(rng *rand.Rand, period float64) float64 { return period * max(0.01, 1+share*rng.NormFloat64()) }
}

// timers samples each thread by a timer of its CPU time, with a random phase.
func (p *program) timers(rng *rand.Rand, s schedule, period float64) (list []sample) {
	for id := range p.threads {
		t := &p.threads[id]
		if len(t.cpu) == 0 {
			continue
		}
		end := float64(t.cpu[len(t.cpu)-1])
		for now := float64(t.cpu[0]) + rng.Float64()*s.gap(rng, period); now < end; now += s.gap(rng, period) {
			if k := at(t.cpu, now); k >= 0 && len(t.stacks[k]) > 0 {
				list = append(list, sample{id, k, t.wall[k] + time.Duration(now) - t.cpu[k], t.stacks[k]})
			}
		}
	}
	return list
}

// ticks samples all threads at once, by wall time.
func (p *program) ticks(rng *rand.Rand, s schedule, period float64) (list []sample) {
	for now := rng.Float64() * s.gap(rng, period); now < float64(p.length); now += s.gap(rng, period) {
		for id := range p.threads {
			t := &p.threads[id]
			if k := at(t.wall, now); k >= 0 && len(t.stacks[k]) > 0 {
				list = append(list, sample{id, k, time.Duration(now), t.stacks[k]})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b sample) int { return a.thread - b.thread })
	return list
}

// form is what a profile contains besides stacks.
type form struct {
	wall     bool          // samples of wall time; else of CPU time
	times    bool          // of samples; else only their sums
	interval time.Duration // that the profile states; 0: none
}

// profile has samples in the order of threads, each for a period.
func (p *program) profile(list []sample, period float64, f form) (*expect.Profile, error) {
	rec := &trace.Recording{Symbols: p.symbols, Info: trace.Info{Clock: trace.Dual, Technique: trace.Sampled, OfCPU: !f.wall, Interval: f.interval}, Events: none{}}
	snapshots := expect.NewSnapshots(rec)
	each := time.Duration(period)
	var cpu time.Duration
	end := func(thread int, wall time.Duration) {
		snapshots.WriteSnapshot(&trace.Snapshot{Thread: trace.ThreadID(thread), Wall: wall, Until: wall, CPU: cpu})
		cpu = 0
	}
	for i := range list {
		s := &list[i]
		x := trace.Snapshot{Thread: trace.ThreadID(s.thread), Wall: s.wall, Until: s.wall + each, CPU: cpu, Count: 1, Stack: s.stack, Sum: !f.times}
		snapshots.WriteSnapshot(&x)
		if !f.wall {
			cpu += each
		}
		if i+1 == len(list) || list[i+1].thread != s.thread {
			end(s.thread, x.Until)
		}
	}
	return expect.ReadProfile(rec, "profile", snapshots)
}

// none is a Reader without events.
type none struct{}

func (none) ReadEvents([]trace.Event) (int, error) { return 0, io.EOF }
