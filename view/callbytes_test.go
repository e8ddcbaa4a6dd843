package view

import (
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/internal/testdata"
	"artifice/sampler"
	"artifice/tracer/device"
)

// TestCallBytes checks the memory of a page that has been read. A call takes 10 bytes, including
// spare capacity of blocks, if times are in us. In a sampled recording, with times in ns, it takes
// 16 bytes. A [call] takes 40 bytes.
func TestCallBytes(t *testing.T) {
	in, err := dmtrace.Open(testdata.Path(t, "traces", "instrumented-art-file.trace"), dmtrace.ReadOptions{})
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
		for i := range r.threads {
			calls += r.threads[i].len()
			bytes += r.threads[i].steps.cap()
		}
		each := float64(bytes) / float64(calls)
		t.Logf("%s: %d calls of %.1f bytes", r.Name, calls, each)
		if most := map[string]float64{"x": 10, "1ms": 16}[r.Name]; each > most || calls < 1000 {
			t.Errorf("%s: %d calls take %.1f bytes each, want at most %g", r.Name, calls, each, most)
		}
	}
}

// cap returns the bytes of memory that the steps take.
func (p *stepList) cap() (sum int) {
	for _, b := range p.blocks {
		sum += cap(b)
	}
	return sum
}
