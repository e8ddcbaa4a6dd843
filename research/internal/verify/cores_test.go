package verify

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/research/internal/reference"
	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
)

// TestCores compares random truths recorded by a sampler that waits for a core with the reference
// implementation: with one clock, with threads delayed one by one, on devices with low and high
// overshoot.
func TestCores(t *testing.T) {
	seen := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 29))
		symbols, events := randomApp(rng)
		length := events[len(events)-1].Wall + time.Duration(rng.IntN(400))*time.Microsecond
		if rng.IntN(2) == 0 { // all delayed threads have reached their last waits
			length *= 2
		}
		o := tracer.Options{Seed: seed, Interval: time.Duration(100+rng.IntN(400)) * time.Microsecond, OneClock: rng.IntN(3) == 0, Profile: true}
		o.Device = device.All()[0]
		c := &o.Device.Sampling
		c.NoCore, c.NoCoreMax = []float64{0.2, 0.7, 1}[rng.IntN(3)], time.Duration(1+rng.IntN(900))*time.Microsecond
		c.Overshoot, c.OvershootSpread = time.Duration(rng.IntN(50))*time.Microsecond, time.Duration(rng.IntN(2)*20)*time.Microsecond
		if rng.IntN(4) > 0 {
			c.PerTick, c.PerThread, c.Resume = time.Duration(rng.IntN(200))*time.Microsecond, time.Duration(rng.IntN(9))*time.Microsecond, time.Duration(rng.IntN(2)*10)*time.Microsecond
		}
		want := sampled(reference.NewTruth(symbols, events, length), &o)
		truth := &trace.Recording{Symbols: symbols, Info: trace.Info{Technique: trace.Truth, Clock: trace.Dual, Elapsed: length}, Events: trace.NewSliceReader(events)}
		_, got, err := recordOf(truth, "sample", &o)
		if err != nil {
			t.Fatal(err)
		}
		by := make([][]trace.Event, len(symbols.Threads))
		for _, e := range want.Events {
			e.Site, e.CPU = 0, 0 // ART takes a clock of 0 for one not read yet
			by[e.Thread] = append(by[e.Thread], e.Event)
		}
		for _, events := range got {
			for i := range events {
				events[i].CPU = 0
			}
		}
		if g, w := fmt.Sprint(got), fmt.Sprint(by); g != w {
			t.Errorf("seed %d, %+v, one clock %t: got\n%.1500s\nwant\n%.1500s", seed, *c, o.OneClock, g, w)
		}
		seen += len(want.Events)
	}
	if seen < 1000 {
		t.Errorf("%d events in all", seen)
	}
}

// randomApp makes an app of a few threads that run, run native code, wait for a time or for the
// tick of a clock, and occasionally collect garbage.
func randomApp(rng *rand.Rand) (*trace.Symbols, []trace.Event) {
	symbols := &trace.Symbols{}
	for i, m := range []trace.Method{{}, {}, {Flags: trace.Native}, {Wait: trace.Sleep}, {Wait: trace.IO, Period: 700 * time.Microsecond}, {Wait: trace.IO, Period: 500 * time.Microsecond, AtOnce: true}, {Flags: trace.Collector}} {
		m.ID, m.Class, m.Name = uint64(i)*4, "a.A", string(rune('a'+i))
		symbols.AddMethod(m)
	}
	threads := 1 + rng.IntN(4)
	stacks, cpu, last := make([][]trace.MethodID, threads), make([]time.Duration, threads), make([]time.Duration, threads)
	for id := range threads {
		symbols.AddThread(trace.Thread{TID: uint32(id + 1), Name: fmt.Sprint("t", id)})
	}
	collects := rng.IntN(4) == 0
	var events []trace.Event
	wall := time.Duration(0)
	for range 60 + rng.IntN(200) {
		wall += time.Duration(rng.IntN(120)) * time.Microsecond
		id := rng.IntN(threads)
		stack, at := &stacks[id], wall
		if n := len(*stack); n > 0 {
			m := &symbols.Methods[(*stack)[n-1]]
			if m.Wait == trace.Running {
				cpu[id] += wall - last[id]
			} else if m.Period > 0 { // it ends at a tick
				if at = wall + m.Period - wall%m.Period; at-m.Period > last[id] || last[id] == 0 {
					at = last[id]/m.Period*m.Period + m.Period
				}
				if at < wall {
					continue
				}
			}
		}
		if at > wall {
			wall = at
		}
		last[id] = wall
		e := trace.Event{Wall: wall, CPU: cpu[id], Thread: trace.ThreadID(id)}
		n := len(*stack)
		if n > 0 && (n > 5 || rng.IntN(2) == 0 || symbols.Methods[(*stack)[n-1]].Period > 0) {
			e.Action, e.Method = trace.Exit, (*stack)[n-1]
			*stack = (*stack)[:n-1]
		} else {
			e.Method = trace.MethodID(rng.IntN(6))
			if collects && rng.IntN(10) == 0 {
				e.Method = 6
			}
			*stack = append(*stack, e.Method)
		}
		events = append(events, e)
	}
	return symbols, events
}
