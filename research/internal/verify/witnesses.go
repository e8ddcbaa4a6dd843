package verify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"artifice/art"
	"artifice/bench"
	"artifice/research/internal/reference"
	"artifice/tracer"
	"artifice/tracer/device"
)

// observedCell is a cell of a sweep with a witness of its record.
type observedCell struct {
	bench.Cell
	index, of int // of its row's cells
	rowSeed   uint64
	device    device.Device
	oneClock  bool
}

// seed returns the cell's seed: the first number of the generator (the sweep's seed, place in the
// row).
func (c *observedCell) seed() uint64 { return rand.NewPCG(c.rowSeed, uint64(c.index)).Uint64() }

// phase returns the middle of the cell's part of a gap.
func (c *observedCell) phase(gap time.Duration) time.Duration {
	return max(1, time.Duration((float64(c.index)+0.5)/float64(c.of)*float64(gap)))
}

// witness returns the record of a cell of a mode, by the reference implementation; nil if that does
// not support the device.
type witness func(truth *reference.Truth, c *observedCell) *reference.Record

// witnesses contains those of all modes. Each missing one is one failure.
var witnesses = map[string]witness{
	"sample": sampling(func(*reference.Sampler) {}), "legacy-production": sampling(func(*reference.Sampler) {}),
	"poisson": func(t *reference.Truth, c *observedCell) *reference.Record {
		return t.Sample(&reference.Sampler{Ticks: reference.PoissonTicks(c.Interval, c.seed())})
	},
	"by-line":    sampling(func(s *reference.Sampler) { s.Site = true }),
	"by-call":    sampling(func(s *reference.Sampler) { s.Call = true }),
	"end-last":   ending(func(last, next time.Duration) time.Duration { return min(last+10, next) }),
	"end-capped": ending(func(last, next time.Duration) time.Duration { return min(last+time.Millisecond, next) }),
	"end-mid":    ending(func(last, next time.Duration) time.Duration { return last + (next-last)/2 }),
	"instrument-dual": func(t *reference.Truth, c *observedCell) *reference.Record {
		i := bothClocks(c.device)
		i.OneClock = c.oneClock
		return t.Instrument(i)
	},
	"instrument-wall": func(t *reference.Truth, c *observedCell) *reference.Record {
		i := wallOnly(c.device)
		i.OneClock = c.oneClock
		return t.Instrument(i)
	},
	"longrun": func(t *reference.Truth, c *observedCell) *reference.Record {
		return t.LongRunning(longRun, c.device.Instrumented.Compiled)
	},
	"simpleperf": timed, "perfetto": timed, "profilingmanager": timed, "blockcanary": timed, "profilo": timed,
	"perf": timed, "go": timed, "jfr-cpu": timed, "v8": timed, "async": timed, "safepoints": timed, "jfr": shared, "go-itimer": shared,
	"btrace3": hooks(true), "btrace3-14": hooks(false),
	"sections": coded, "btrace2": coded, "rheatrace1": coded, "matrix": coded, "nanoscope": coded,
}

// hooks returns the witness of btrace 3, which hooks allocations up to Android 14.
func hooks(deaf bool) witness {
	return func(t *reference.Truth, c *observedCell) *reference.Record {
		return t.Hook(&reference.Hooks{Least: c.Interval, From: c.phase(c.Interval), Walk: c.device.Sampling.PerThread, Deepest: 128, Deaf: deaf})
	}
}

// sampling returns the witness of ART's sampler with a change.
func sampling(change func(*reference.Sampler)) witness {
	return func(t *reference.Truth, c *observedCell) *reference.Record {
		d := c.device.Sampling
		s := &reference.Sampler{PerTick: d.PerTick, PerThread: d.PerThread, Resume: d.Resume, Step: d.Granularity, OneClock: c.oneClock}
		phase := c.phase(c.Interval + d.Overshoot - d.Resume)
		s.Ticks = reference.SleepTicks(phase, c.Interval, d.Overshoot, d.OvershootSpread, d.Resume, c.seed())
		change(s)
		return t.Sample(s)
	}
}

// ending returns the witness of a rule for the end of calls: btrace 3's on Android and on iOS, and
// the middle.
func ending(end func(last, next time.Duration) time.Duration) witness {
	rule := sampling(func(s *reference.Sampler) { s.End = end })
	return func(t *reference.Truth, c *observedCell) *reference.Record {
		if c.device.Name == "A" {
			return nil // its clocks step by 1 µs: bench assumes that the previous sample's stamp is a period earlier, which can be one step off
		}
		return rule(t, c)
	}
}

// timed is the witness of modes with a timer of each thread.
func timed(t *reference.Truth, c *observedCell) *reference.Record {
	timer := timerOf(c.Cell, c.device)
	timer.Phase, timer.Seed = c.phase(timer.Interval), c.seed()
	return t.SampleThreads(timer)
}

// shared is the witness of modes with one timer for all threads.
func shared(t *reference.Truth, c *observedCell) *reference.Record {
	timer := timerOf(c.Cell, c.device)
	timer.Phase, timer.Seed = c.phase(timer.Interval), c.seed()
	return t.SampleShared(timer)
}

// coded is the witness of modes with injected code.
func coded(t *reference.Truth, c *observedCell) *reference.Record {
	return t.Plug(pluginOf(c.Mode, c.device))
}

// witnessed returns the modes that have a witness.
func witnessed(modes []bench.Mode) []bench.Mode {
	return slices.DeleteFunc(modes, func(m bench.Mode) bool { return witnesses[m.Name] == nil })
}

// unwitnessed reports one failure for each tracing method without a reference.
func (r *run) unwitnessed() {
	reported := map[string]bool{}
	missing := func(name, where string) {
		if !reported[name] {
			reported[name] = true
			r.tell(Verdict{Part: "witness", What: name, Want: 1, First: fmt.Sprintf("%s has no expected recording: add an entry to %s", name, where), Z: math.NaN()})
		}
	}
	for _, m := range bench.Modes() {
		if witnesses[m.Name] == nil {
			missing(m.Name, "witnesses of research/internal/verify/witnesses.go")
		}
	}
	ways := recordings(r.cfg.Seed, r.cfg.OneClock)
	for _, t := range tracer.All() {
		if !t.Again && !slices.ContainsFunc(ways, func(way recording) bool { return way.tracer == t.Name }) {
			missing(t.Name, "recordings of research/internal/verify/recordings.go")
		}
	}
}

// measure compares a measure with that of the reference implementation. Measures that the reference
// never computes are reported once each, at the end.
func (r *run) measure(part string, m bench.Measure, want map[string]float64, where string, got float64) {
	v := Verdict{Part: part, What: m.Key(), Case: where, Want: math.NaN(), Got: got, Z: math.NaN()}
	if value, ok := want[m.Key()]; ok {
		v.Want, r.known[m.Key()] = value, true
	} else if !v.OK() && !r.known[m.Key()] {
		r.doubtful = append(r.doubtful, v)
		return
	}
	r.tell(v)
}

// doubts reports the measures that had no witness when they were compared.
func (r *run) doubts() {
	reported := map[string]bool{}
	for _, v := range r.doubtful {
		if key := v.What; !r.known[key] {
			if reported[key] {
				continue
			}
			reported[key] = true
			v.Part, v.First = "witness", fmt.Sprintf("%s has no expected value: add an entry to Measures of research/internal/reference/measures.go", key)
		}
		r.tell(v)
	}
}

// timerOf returns the timer of each thread, for modes that have one, according to Android's
// documents and to measurements (see device.Tools).
func timerOf(cell bench.Cell, d device.Device) *reference.ThreadTimer {
	unwind := d.Tools.Unwind
	walks := []reference.Failure{{Share: unwind.Unknown}, {Share: unwind.Truncated, Frames: unwind.Frames, Kept: true}, {Share: unwind.Error, Frames: unwind.Frames, Kept: true}}
	if cell.Mode != "simpleperf" { // traced_perf writes the error as a frame, so none is lost
		walks[0].Kept = true
	}
	switch cell.Mode {
	case "simpleperf":
		return &reference.ThreadTimer{Interval: cell.Interval, Mean: d.Tools.PerfCopy, Most: d.Tools.PerfCopyMax, Slots: 15699, Work: d.Tools.PerfWrite, Failures: walks}
	case "perfetto":
		return &reference.ThreadTimer{Interval: cell.Interval, Core: true, Mean: d.Tools.PerfCopy, Most: d.Tools.PerfCopyMax, Slots: 1024, Work: d.Tools.PerfUnwind, Failures: walks}
	case "profilingmanager": // 1 to 200 Hz, whole ones (KEY_FREQUENCY_HZ), for a minute
		hz := math.Max(1, math.Min(200, math.Round(float64(time.Second)/float64(cell.Interval))))
		return &reference.ThreadTimer{Interval: time.Duration(float64(time.Second) / hz), Core: true, Mean: d.Tools.PerfCopy, Most: d.Tools.PerfCopyMax, Slots: 1024, Work: d.Tools.PerfUnwind, Failures: walks, Until: time.Minute}
	case "blockcanary":
		return &reference.ThreadTimer{Interval: cell.Interval, Wall: true, Mean: d.Sampling.PerThread, Keep: int(20*time.Second/cell.Interval) + 1}
	case "profilo":
		return &reference.ThreadTimer{Interval: cell.Interval, Random: true, Mean: d.Sampling.PerThread, Deepest: 512}
	case "perf":
		return &reference.ThreadTimer{Interval: cell.Interval, Random: true, Jitter: 10 * time.Microsecond, Deepest: 127, Cut: true}
	case "go":
		return &reference.ThreadTimer{Interval: cell.Interval, Random: true, Tick: 4 * time.Millisecond, Mean: d.Sampling.PerThread, Deepest: 64, Cut: true}
	case "go-itimer":
		return &reference.ThreadTimer{Interval: cell.Interval, Tick: 4 * time.Millisecond, Deepest: 64, Cut: true}
	case "jfr":
		return &reference.ThreadTimer{Interval: cell.Interval, Overshoot: 200 * time.Microsecond, Turns: 5, Native: 1, Deepest: 64, Cut: true}
	case "jfr-cpu":
		return &reference.ThreadTimer{Interval: cell.Interval, Tick: 4 * time.Millisecond, Mean: d.Sampling.PerThread, Deepest: 64, Cut: true}
	case "v8":
		return &reference.ThreadTimer{Interval: cell.Interval, Wall: true, Overshoot: 90 * time.Microsecond, Mean: d.Sampling.PerThread, Deepest: 255, Cut: true}
	case "safepoints":
		return &reference.ThreadTimer{Interval: cell.Interval, Yields: true}
	case "async":
		return &reference.ThreadTimer{Interval: cell.Interval, Mean: d.Sampling.PerThread, Deepest: 2048, Cut: true, Failures: []reference.Failure{{Share: 0.0188}}}
	}
	return nil
}

// longRun is the threshold of Android 16, 2^23 ticks at 24.576 MHz.
const longRun = (1 << 23) * time.Second / 24_576_000

// bothClocks returns the instrumenting tracer with both clocks; it reads the CPU clock before the
// wall clock.
func bothClocks(d device.Device) *reference.Instrument {
	c := d.Instrumented
	return &reference.Instrument{CPURead: c.CPURead, WallRead: c.CPURead + c.WallRead, Event: c.CPURead + c.WallRead + c.Hook, Step: c.Granularity}
}

// wallOnly returns the instrumenting tracer with only the wall clock, as in compiled code from
// Android 14 QPR2 on: half of the event cost lies before the reading.
func wallOnly(d device.Device) *reference.Instrument {
	c := d.Instrumented
	if !art.Default().CompiledHooks {
		return &reference.Instrument{WallRead: c.WallRead, Event: c.WallRead + c.Hook, Step: c.Granularity, NoCPU: true}
	}
	return &reference.Instrument{WallRead: c.Compiled / 2, Event: c.Compiled, Step: c.Granularity, NoCPU: true}
}
