package verify

import (
	"context"
	"fmt"
	"time"

	"artifice/bench"
	"artifice/tracer/device"
)

// laws compares the means over phases with the closed forms: ART's sampler on some devices, and the
// emulation-only baseline, which is the same on all.
func (r *run) laws(ctx context.Context, w observed) error {
	w.length = w.laws
	for _, cfg := range []bench.Config{
		{Modes: []bench.Mode{bench.ARTSampling}, Devices: device.All()[:4]},
		{Modes: []bench.Mode{bench.PoissonSampling}, Devices: device.All()[:1]},
	} {
		cfg.Seed, cfg.OneClock, cfg.Intervals = r.cfg.Seed, r.cfg.OneClock, []time.Duration{500 * time.Microsecond, 3 * time.Millisecond}
		result, err := r.sweep(ctx, w, cfg)
		if err != nil {
			return err
		}
		for _, row := range result.Rows {
			for _, m := range bench.Measures() {
				if a, ok := row.Against(m); ok {
					r.tell(Verdict{
						Part: "law", What: m.Key(), Case: caseOf(w, row.Key()), Want: a.Law, Got: a.Measured.Value,
						StdErr: a.Measured.StdErr, Tolerance: a.Tolerance, Z: a.Z,
					})
				}
			}
		}
	}
	return nil
}

// sweep benches a workload.
func (r *run) sweep(ctx context.Context, w observed, cfg bench.Config) (*bench.Result, error) {
	truth, err := r.truth(w)
	if err != nil {
		return nil, err
	}
	result, err := bench.Run(ctx, truth, cfg)
	if err == nil && (result.Cut || result.NoLaws) {
		err = ctx.Err()
	}
	return result, err
}

func caseOf(w observed, k bench.Key) string {
	if k.Interval == 0 {
		return fmt.Sprintf("%s, %s %s", w.name, k.Mode, k.Device)
	}
	return fmt.Sprintf("%s, %s %s, %v", w.name, k.Mode, k.Device, k.Interval)
}
