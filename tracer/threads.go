package tracer

import (
	"slices"

	"artifice/sampler/thread"
	"artifice/trace"
	"artifice/tracer/device"
)

// threads makes a tracer that samples threads one by one complete: the options that all of
// these use beside its own, and how it runs with its configuration on a device, which has
// its default interval.
func threads(t Tracer, config func(device.Device) thread.Config) Tracer {
	t.Uses = slices.Concat([]string{"seed", "device", "interval", "phase"}, t.Uses)
	t.New = func(_ *trace.Info, o *Options) Run {
		cfg := config(o.Device)
		cfg.Phase, cfg.Seed, cfg.TempDir = o.Phase, o.Seed, o.TempDir
		if o.Interval > 0 {
			cfg.Interval = o.Interval
		}
		if o.UnwindAtOnce {
			cfg.Buffer.Drain = o.Device.Tools.PerfUnwind
		}
		return Threads(cfg)
	}
	return t
}
