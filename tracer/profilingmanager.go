package tracer

import (
	"fmt"
	"time"

	"artifice/sampler/thread"
	"artifice/trace"
	"artifice/tracer/device"
)

// profilingManager is what android.os.ProfilingManager records of an app that asks for
// PROFILING_TYPE_STACK_SAMPLING (Android 15 and later), as sentry-java and Datadog's SDK do in
// production in place of Debug.startMethodTracingSampling. The service (packages/modules/Profiling,
// Configs.java) runs Perfetto's data source linux.perf on the clock of a core for the app's package, so that all but
// its bounds is [perfetto]'s.
//
// Of the request's parameters the frequency is the interval here; 1 to 200 Hz, whole ones, outside of
// which the service takes the bound. The duration is its default, a minute: what comes after is not
// in the file. The size is its default, too, 64 MB that keep the beginning (DISCARD). A minute does not fill that:
// at 200 Hz eight cores take 96,000 samples, and with the name of its stack a sample has some 40 bytes.
//
// The service turns requests down when there were many, so that a fleet's profiles are of a choice of
// runs which is not at random. That is not emulated.
var profilingManager = granted(threads(Tracer{
	Name:        "profilingmanager",
	Description: "android.os.ProfilingManager's stack sampling: Perfetto's of the app itself, 100 times a second, for a minute",
	Costs:       Costs{Numbers: ofCopy},
	How:         howProfilingManager,
	Intervals:   []time.Duration{time.Second / 100},
}, func(d device.Device) thread.Config {
	cfg := ofPerfetto(d)
	cfg.Until = time.Minute
	return cfg
}))

// granted lets a tracer have the interval that the service makes of one that is asked for.
func granted(t Tracer) Tracer {
	run := t.New
	t.New = func(truth *trace.Info, o *Options) Run {
		of := *o
		if o.Interval > 0 {
			of.Interval = time.Second / time.Duration(min(hertz(o.Interval, 0), mostHertz))
		}
		return run(truth, &of)
	}
	return t
}

// mostHertz is the highest frequency that the service grants (KEY_FREQUENCY_HZ); the lowest is 1.
const mostHertz = 200

func howProfilingManager(interval time.Duration) string {
	return fmt.Sprintf("let the app ask for it: ProfilingManager.requestProfiling(PROFILING_TYPE_STACK_SAMPLING) with KEY_FREQUENCY_HZ %d (Android 15 and later)", min(hertz(interval, 100), mostHertz))
}
