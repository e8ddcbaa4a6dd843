package view

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/device"
	"artifice/internal/testdata"
	"artifice/reader"
	"artifice/sampler"
	"artifice/trace"
)

// TestSteps: steps come back as they were added, whatever their times and methods, and so do
// those that are added after others were cut off.
func TestSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	at := func() time.Duration {
		switch rng.IntN(4) {
		case 0:
			return time.Duration(rng.Uint64()) // of either sign
		case 1:
			return []time.Duration{math.MinInt64, math.MaxInt64, 0, -1}[rng.IntN(4)]
		default:
			return time.Duration(rng.IntN(1000)) * time.Microsecond
		}
	}
	var p steps
	var want []step
	var places []place
	for range 20_000 {
		s := step{stamp: stamp{at(), at()}, end: rng.IntN(2) == 0}
		if !s.end {
			s.method = trace.MethodID(rng.Uint32())
		}
		places = append(places, p.here())
		p.put(&s)
		want = append(want, s)
		if rng.IntN(100) == 0 {
			keep := max(0, len(want)-1-rng.IntN(64))
			p.cut(places[keep])
			want, places = want[:keep], places[:keep]
		}
	}
	begins, i := 0, 0
	for c := p.all(); c.next(); i++ {
		if !c.end {
			begins++
		}
		if w := want[i]; c.stamp != w.stamp || c.end != w.end || !c.end && c.method != w.method {
			t.Fatalf("step %d is %+v, want %+v", i, c.step, w)
		}
	}
	if i != len(want) || begins != p.begins || i < 10_000 {
		t.Errorf("%d steps, %d of them begins; want %d, %d", i, begins, len(want), p.begins)
	}
}

// TestCallBytes: once a page has been read, a call takes 10 bytes with the room that is left in
// blocks, where times are in us; seen by a sampler, whose times are in ns, 16. As a [Call] it
// takes 40.
func TestCallBytes(t *testing.T) {
	in, err := reader.Open(testdata.Path(t, "traces", "instrumented-art-file.trace"), reader.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := in.InTimeOrder(); err != nil {
		t.Fatal(err)
	}
	a, err := device.Open("A")
	if err != nil {
		t.Fatal(err)
	}
	page, err := ReadSampled(&in.Recording, "x", Options{}, Sampling{Config: sampler.Config{Seed: 1, Cost: a.Sampling}, Interval: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range page.Recordings {
		calls, bytes := 0, 0
		for i := range r.Threads {
			calls += r.Threads[i].Len()
			for _, b := range r.Threads[i].steps.blocks {
				bytes += cap(b)
			}
		}
		each := float64(bytes) / float64(calls)
		t.Logf("%s: %d calls of %.1f bytes", r.Name, calls, each)
		if most := map[string]float64{"x": 10, "1ms": 16}[r.Name]; each > most || calls < 1000 {
			t.Errorf("%s: %d calls take %.1f bytes each, want at most %g", r.Name, calls, each, most)
		}
	}
}
