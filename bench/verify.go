package bench

import (
	"context"
	"fmt"
	"math"
	"time"

	"artifice/bench/law"
	"artifice/device"
	"artifice/workload"
)

// verified are the truths that the emulated tracers are held against the laws on,
// with how long they run.
var verified = []struct {
	workload string
	length   time.Duration
}{
	{"w1-single-call", 2 * time.Second},
	{"w2-periodic", time.Second},
	{"w3-on-off", 2 * time.Second},
	{"w5-zipf-50", time.Second},
	{"w6-random-tree", time.Second},
	{"w7-deep-shallow", time.Second},
	{"w8-threads-8", 500 * time.Millisecond},
	{"w9-rare-bursts", 2 * time.Second},
}

// Verdict is one value of one law beside what an emulated tracer measured.
type Verdict struct {
	Law      string  // what the law is about
	Case     string  // workload, mode, device and interval
	Value    float64 // what the law says
	Measured law.Estimate
	Z        float64 // [law.ZScore]
}

// OK reports whether law and measurement agree.
func (v Verdict) OK() bool { return math.IsNaN(v.Z) || math.Abs(v.Z) <= law.MaxZ }

// Verify holds the emulated tracers against the closed forms on the built-in
// workloads. Each verdict goes to tell; the error says how many were off by more
// than [law.MaxZ] standard errors. The same seed gives the same verdicts.
func Verify(ctx context.Context, seed uint64, tell func(Verdict)) error {
	failed, all := 0, 0
	judge := func(v Verdict) {
		all++
		if !v.OK() {
			failed++
		}
		tell(v)
	}
	for _, v := range verified {
		if err := verifyOn(ctx, v.workload, v.length, seed, judge); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d values are more than %d standard errors off the theory", failed, all, law.MaxZ)
	}
	return nil
}

// verifyOn runs emulated samplers over one workload: ART's on some devices, and
// the control, which is the same on all.
func verifyOn(ctx context.Context, name string, length time.Duration, seed uint64, judge func(Verdict)) error {
	for _, cfg := range []Config{
		{Modes: []Mode{ARTSampling}, Devices: device.All()[:4]},
		{Modes: []Mode{PoissonSampling}, Devices: device.All()[:1]},
	} {
		truth, err := workload.ByName(name).Truth(workload.Config{Seed: seed, Duration: length})
		if err != nil {
			return err
		}
		cfg.Seed, cfg.Intervals = seed, []time.Duration{500 * time.Microsecond, 3 * time.Millisecond}
		result, err := Run(ctx, truth, cfg)
		if err != nil {
			return err
		}
		if result.Cut {
			return ctx.Err()
		}
		for _, row := range result.Rows {
			judgeRow(name, row, judge)
		}
	}
	return nil
}

// judgeRow holds a row against its laws.
func judgeRow(workload string, row Row, judge func(Verdict)) {
	for _, m := range Measures() {
		a, ok := row.Against(m)
		if !ok {
			continue
		}
		judge(Verdict{
			Law:      "emulated: " + measures[m].title,
			Case:     fmt.Sprintf("%s, %s %s, %v", workload, row.Mode, row.Device, row.Interval),
			Value:    a.Law,
			Measured: a.Measured,
			Z:        a.Z,
		})
	}
}
