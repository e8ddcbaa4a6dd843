package expect_test

import (
	"math"
	"testing"
	"time"

	"artifice/bench/expect"
	"artifice/sampler"
	"artifice/trace"
	"artifice/workload"
)

const ms = time.Millisecond

// TestCounterSnapshots checks weights: 3 samples of 10 ms and 1 of 30 ms have the weight of
// (30+30)²/(3·100+900) = 3 equal samples. The thread ran for 8 of the first 30 ms.
func TestCounterSnapshots(t *testing.T) {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Sampled}}
	c := expect.NewCounter(rec)
	for _, s := range []trace.Snapshot{
		{Wall: 0, Until: 30 * ms, CPU: 0, Count: 3, Stack: []trace.MethodID{1}},
		{Wall: 30 * ms, Until: 60 * ms, CPU: 8 * ms, Count: 1, Stack: []trace.MethodID{2}},
		{Wall: 60 * ms, Until: 60 * ms, CPU: 8 * ms},
	} {
		c.WriteSnapshot(&s)
	}
	if n := c.Samples(1); math.Abs(n.Wall-3) > 1e-9 || math.Abs(n.CPU-3) > 1e-9 {
		t.Errorf("%+v, want 3 of wall time, and the 3 while it ran", n)
	}
	rec.Info.Technique = trace.UnknownTechnique
	if n := c.Samples(1); n != (expect.Samples{}) {
		t.Errorf("%+v of times without samples", n)
	}
}

// TestCounterEvents checks that 10 s, sampled every 10 ms, are 1,000 samples of the only thread,
// which is running in a quarter of them. A trace of every call has no samples.
func TestCounterEvents(t *testing.T) {
	truth := func() *trace.Recording {
		rec, err := workload.Must(workload.ByName("w5-zipf-50")).Truth(workload.Config{Seed: 1, Duration: 10 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	count := func(rec *trace.Recording) expect.Samples {
		c := expect.NewCounter(rec)
		if _, err := trace.Copy(c, rec.Events); err != nil {
			t.Fatal(err)
		}
		return c.Samples(0.25)
	}
	sampled, err := sampler.Record(truth(), sampler.Config{Interval: 10 * ms, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if n := count(sampled); math.Abs(n.Wall-1000) > 5 || n.CPU != n.Wall/4 {
		t.Errorf("%+v of a sampled trace", n)
	}
	if n := count(truth()); n != (expect.Samples{}) {
		t.Errorf("%+v of a trace of every call", n)
	}
}
