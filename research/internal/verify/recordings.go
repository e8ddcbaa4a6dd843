package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"artifice/art"
	"artifice/bench"
	scorepkg "artifice/bench/score"
	"artifice/diffstack"
	"artifice/writer"

	formatpkg "artifice/format"

	"artifice/research/internal/reference"
	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
)

// recording is a tracing method as a user runs it: record, with some options, into a file of some
// format.
type recording struct {
	tracer  string
	format  string
	options tracer.Options
	want    func(t *reference.Truth, o *tracer.Options) *reference.Record
	scored  bool          // its file contains the begin and the end of the run
	within  time.Duration // resolution of the file's clock, where that is no whole number of ns
}

// step returns the resolution of the end of the run in the file.
func (way *recording) step() time.Duration {
	if way.format == "text" {
		return 0
	}
	return time.Microsecond
}

const (
	sampleEvery = time.Millisecond
	dumpEvery   = 2 * time.Millisecond
	keepFrom    = 950 * time.Microsecond

	simpleperfEvery = 50 * time.Microsecond // more than can be unwound at once: samples are lost
)

// recordings returns those of every tracer. Device A has clocks of 1 µs, like the files.
func recordings(seed uint64, oneClock bool) []recording {
	a, wall := tracer.Options{Seed: seed, Device: device.All()[1], Interval: sampleEvery, OneClock: oneClock}, tracer.Options{Seed: seed, Device: device.All()[1]}
	wall.Start.Clock = trace.Wall
	streamed := a
	streamed.Start.Streaming = true
	busy := a
	busy.Interval, busy.UnwindAtOnce = simpleperfEvery, true
	broken := a // walks fail in all possible ways
	broken.Device.Tools.Unwind = device.Unwind{Unknown: .1, Truncated: .2, Error: .3, Frames: 2}
	listening := a // Android 12
	listening.Start.Runtime, _ = art.ByName("art12")
	ring := a
	ring.Ring = 100
	allThreads := ring
	allThreads.AllThreads, allThreads.Ring = true, 1000
	waits := a // for a core
	waits.Device.Sampling.NoCore, waits.Device.Sampling.NoCoreMax = 0.4, 3*time.Millisecond
	v2 := streamed
	v2.Start.V2 = true
	return []recording{
		{tracer: "truth", format: "text", want: referenceTruth, scored: true},
		{tracer: "sample", format: "art", options: a, want: sampled, scored: true},
		{tracer: "sample", format: "art-stream", options: streamed, want: sampled, scored: true},
		{tracer: "sample", format: "art-v2-15", options: v2, want: sampled, scored: true},
		{tracer: "sample", format: "text", options: waits, want: sampled, scored: true},
		{tracer: "instrument", format: "art", options: a, want: instrumented, scored: true},
		{tracer: "instrument", format: "art-stream", options: streamed, want: instrumented, scored: true},
		{tracer: "instrument", format: "art", options: wall, want: instrumentedWall, scored: true},
		{tracer: "longrun", format: "art-longrun-16", options: tracer.Options{Format: "art-longrun-16", Threshold: keepFrom}, want: longRunning, within: 41},
		{tracer: "longrun", format: "art-longrun-2025-02", options: tracer.Options{Format: "art-longrun-2025-02", Threshold: keepFrom}, want: longRunning, within: 41},
		{tracer: "dump", format: "jsonl", options: tracer.Options{Interval: dumpEvery}, want: dumped},
		{tracer: "simpleperf", format: "text", options: a, want: byTimers("simpleperf"), scored: true},
		{tracer: "simpleperf", format: "text", options: busy, want: byTimers("simpleperf")},
		{tracer: "simpleperf", format: "text", options: broken, want: byTimers("simpleperf")},
		{tracer: "perfetto", format: "text", options: a, want: byTimers("perfetto"), scored: true},
		{tracer: "perfetto", format: "text", options: broken, want: byTimers("perfetto")},
		{tracer: "profilingmanager", format: "text", options: a, want: byTimers("profilingmanager")}, // some of the apps end before its first sample
		{tracer: "profilo", format: "text", options: a, want: byTimers("profilo"), scored: true},
		{tracer: "blockcanary", format: "text", options: a, want: byTimers("blockcanary"), scored: true},
		{tracer: "perf", format: "text", options: a, want: byTimers("perf"), scored: true},
		{tracer: "go", format: "text", options: a, want: byTimers("go")}, // some of the apps end before the kernel's first tick
		{tracer: "go-itimer", format: "text", options: a, want: byShared("go-itimer")},
		{tracer: "jfr", format: "text", options: a, want: byShared("jfr"), scored: true},
		{tracer: "jfr-cpu", format: "text", options: a, want: byTimers("jfr-cpu")}, // some of the apps end before the kernel's first tick
		{tracer: "v8", format: "text", options: a, want: byTimers("v8"), scored: true},
		{tracer: "async", format: "text", options: a, want: byTimers("async"), scored: true},
		{tracer: "safepoints", format: "text", options: a, want: byTimers("safepoints")}, // some of the apps have no yield point
		{tracer: "btrace3", format: "text", options: a, want: hooked(true)},
		{tracer: "btrace3", format: "text", options: listening, want: hooked(false)},
		{tracer: "sections", format: "text", options: a, want: plugged("sections")},
		{tracer: "btrace2", format: "text", options: a, want: plugged("btrace2")},
		{tracer: "rheatrace1", format: "text", options: a, want: plugged("rheatrace1")},
		{tracer: "rheatrace1", format: "text", options: ring, want: plugged("rheatrace1")},
		{tracer: "rheatrace1", format: "text", options: allThreads, want: plugged("rheatrace1")},
		{tracer: "matrix", format: "text", options: a, want: plugged("matrix")},
		{tracer: "matrix", format: "text", options: ring, want: plugged("matrix")},
		{tracer: "nanoscope", format: "text", options: a, want: plugged("nanoscope")},
	}
}

func referenceTruth(t *reference.Truth, _ *tracer.Options) *reference.Record { return t.Record() }

func sampled(t *reference.Truth, o *tracer.Options) *reference.Record {
	c := o.Device.Sampling
	return t.Sample(&reference.Sampler{
		Ticks:   reference.SleepTicks(0, o.Interval, c.Overshoot, c.OvershootSpread, c.Resume, o.Seed),
		PerTick: c.PerTick, PerThread: c.PerThread, Resume: c.Resume, Step: c.Granularity, OneClock: o.OneClock,
		NoCore: c.NoCore, NoCoreMost: c.NoCoreMax, Draw: reference.CoreDraws(o.Seed),
	})
}

func instrumented(t *reference.Truth, o *tracer.Options) *reference.Record {
	c := bothClocks(o.Device)
	c.OneClock = o.OneClock
	cost, rt := o.Device.Instrumented, art.Default()
	c.Whole, c.Measured = rt.Tick, art.ClockReads*cost.Overhead(trace.Dual)+time.Duration(rt.MeasureReads)*cost.CPURead
	c.Before = startReads(o)
	return t.Instrument(c)
}

func instrumentedWall(t *reference.Truth, o *tracer.Options) *reference.Record {
	c := wallOnly(o.Device)
	c.Before = startReads(o)
	return t.Instrument(c)
}

// startReads returns the time of the clock reads between the start time and the first event.
func startReads(o *tracer.Options) time.Duration {
	return time.Duration(art.Default().StartReads) * o.Device.Instrumented.WallRead
}

func longRunning(t *reference.Truth, _ *tracer.Options) *reference.Record {
	return t.LongRunning(keepFrom, 0)
}

// byTimers returns the record of a tracer with timers of single threads ([timerOf]).
func byTimers(mode string) func(t *reference.Truth, o *tracer.Options) *reference.Record {
	return func(t *reference.Truth, o *tracer.Options) *reference.Record {
		timer := timerOf(bench.Cell{Mode: mode, Interval: o.Interval}, o.Device)
		timer.Phase, timer.Seed = timer.Interval, o.Seed
		for i := range timer.Failures {
			if mode == "perfetto" || mode == "profilingmanager" {
				t.Symbols.Methods = append(t.Symbols.Methods, trace.Method{Name: []string{"ERROR UNSUPPORTED", "ERROR MEMORY_INVALID", "ERROR INVALID_MAP"}[i]})
				timer.Failures[i].Says = trace.MethodID(len(t.Symbols.Methods))
			}
		}
		if o.UnwindAtOnce {
			timer.Work = o.Device.Tools.PerfUnwind
		}
		return t.SampleThreads(timer)
	}
}

// byShared returns the record of a tracer with one timer for all threads.
func byShared(mode string) func(t *reference.Truth, o *tracer.Options) *reference.Record {
	return func(t *reference.Truth, o *tracer.Options) *reference.Record {
		timer := timerOf(bench.Cell{Mode: mode, Interval: o.Interval}, o.Device)
		timer.Phase, timer.Seed = timer.Interval, o.Seed
		return t.SampleShared(timer)
	}
}

// hooked returns the record of btrace 3. With deaf it ignores allocations, as from Android 15 on.
func hooked(deaf bool) func(t *reference.Truth, o *tracer.Options) *reference.Record {
	return func(t *reference.Truth, o *tracer.Options) *reference.Record {
		return t.Hook(&reference.Hooks{Least: o.Interval, Walk: o.Device.Sampling.PerThread, Deepest: 128, Deaf: deaf})
	}
}

// dumped returns the record in dumps with times in µs. It begins at the first dump and contains no
// time after the last.
func dumped(t *reference.Truth, o *tracer.Options) *reference.Record {
	r := t.Sample(&reference.Sampler{Dumps: true, Ticks: reference.SleepTicks(0, o.Interval, 0, 0, 0, 0), Step: time.Microsecond, Leaves: true})
	for i := range r.Events {
		r.Events[i].Wall -= o.Interval
	}
	return r
}

// recordings records a truth by every tracing method and compares the events read back, and all
// output of score, with the reference implementation.
func (r *run) recordings(ctx context.Context, w observed, truth *reference.Truth) error {
	for _, way := range recordings(r.cfg.Seed, r.cfg.OneClock) {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := filepath.Join(r.dir, way.tracer+"."+way.format)
		rec, err := r.truth(w)
		if err == nil {
			err = way.write(rec, name)
		}
		if err == nil {
			err = r.readBack(w, &way, name, truth)
		}
		if err != nil {
			return fmt.Errorf("%s, %s: %w", way.tracer, way.format, err)
		}
	}
	return r.again(w, truth)
}

// again compares the samples in a file a second time and reads the file written from them.
func (r *run) again(w observed, truth *reference.Truth) error {
	way := recordings(r.cfg.Seed, r.cfg.OneClock)[1]
	in, err := formatpkg.Open(filepath.Join(r.dir, way.tracer+"."+way.format), formatpkg.Config{})
	if err != nil {
		return err
	}
	defer in.Close()
	way.tracer, way.scored = "rediff", false
	name := filepath.Join(r.dir, "again."+way.format)
	err = way.write(in.Recording, name)
	if refused := (*diffstack.RediffError)(nil); errors.As(err, &refused) {
		return nil // with comparison of single frames it could be an instrumented trace
	}
	if err != nil {
		return err
	}
	return r.readBack(w, &way, name, truth)
}

// write records and writes a file.
func (way *recording) write(source *trace.Recording, name string) error {
	t, err := tracer.ByName(way.tracer)
	if err != nil {
		return err
	}
	rec, err := t.Record(source, &way.options)
	if err != nil {
		return err
	}
	if !t.Dumps {
		_, err := writer.WriteFile(name, way.format, rec)
		return err
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	out, err := formatpkg.NewDumpWriter(rec, formatpkg.DumpWriterConfig{Format: formatpkg.ByName(way.format).Dumps}, func() (io.WriteCloser, error) { return file, nil })
	if err != nil {
		return err
	}
	if _, err := trace.Copy(out, rec.Events); err != nil {
		return err
	}
	return out.Close()
}

// readBack reads a file and compares its contents with the reference implementation.
func (r *run) readBack(w observed, way *recording, name string, truth *reference.Truth) error {
	in, err := openFile(name)
	if err != nil {
		return err
	}
	defer in.Close()
	var events trace.Buffer
	if _, err := trace.Copy(&events, in.Events); err != nil {
		return err
	}
	want := way.want(truth, &way.options)
	where := fmt.Sprintf("%s, %s", w.name, way.format)
	r.events(way, where, truth.Symbols, want.Events, in.Symbols, events.Events)
	if !way.scored {
		return nil
	}
	return r.score(w, where+", "+way.tracer, name, truth, truth.Measures(want.File(truth, way.step())))
}

// openFile opens a file as score does.
func openFile(name string) (*formatpkg.Input, error) {
	in, err := formatpkg.Open(name, formatpkg.Config{Order: formatpkg.ByTime})
	if err != nil {
		return nil, err
	}
	return in, in.InTimeOrder()
}

// score scores a file and compares every measure.
func (r *run) score(w observed, where, name string, truth *reference.Truth, want map[string]float64) error {
	in, err := openFile(name)
	if err != nil {
		return err
	}
	defer in.Close()
	s, err := scorepkg.Compare(func() (*trace.Recording, error) { return r.truth(w) }, in.FromStart, scorepkg.Config{})
	if err != nil {
		return err
	}
	scores := bench.ScoresOf(s.Comparison)
	for _, m := range bench.Measures() {
		if slices.Contains(unknown, m) {
			want[m.Key()] = math.NaN()
		}
		r.measure("score", m, want, where, scores[m])
	}
	return nil
}

// unknown lists measures that no file contains.
var unknown = []bench.Measure{
	bench.Period, bench.LongestPause, bench.Samples, bench.CallRecall, bench.MergeFactor, bench.Overflow,
	bench.FloorRunning, bench.Floor, bench.FloorPaths, bench.Relative, bench.RelativePaths,
}

// events compares events thread by thread, by the names of threads and methods. The verdict's Got
// is the number of correct events.
func (r *run) events(way *recording, where string, symbols *trace.Symbols, want []reference.Event, read *trace.Symbols, got []trace.Event) {
	v := Verdict{Part: "record", What: way.tracer, Case: where, Want: float64(len(want)), Z: math.NaN()}
	differ := func(format string, args ...any) {
		if v.First == "" {
			v.First = fmt.Sprintf(format, args...)
		}
	}
	byThread := map[string][]trace.Event{}
	for _, e := range got {
		thread := nameOf(read.Thread(e.Thread), symbols)
		byThread[thread] = append(byThread[thread], e)
	}
	for _, e := range want {
		thread := symbols.Thread(e.Thread).Name
		should := describe(&e.Event, symbols)
		if len(byThread[thread]) == 0 {
			differ("%s has no %s", thread, should)
			continue
		}
		g := byThread[thread][0]
		byThread[thread] = byThread[thread][1:]
		if g.Action != e.Action || read.Method(g.Method).FullName() != symbols.Method(e.Method).FullName() ||
			(g.Wall-e.Wall).Abs() > way.within || (g.CPU-e.CPU).Abs() > way.within {
			differ("%s has %s, should have %s", thread, describe(&g, read), should)
			continue
		}
		v.Got++
	}
	for thread, rest := range byThread {
		if len(rest) > 0 {
			differ("%s has %d events more, the first %s", thread, len(rest), describe(&rest[0], read))
		}
	}
	r.tell(v)
}

// nameOf returns the name of a thread; some formats store only its tid.
func nameOf(t *trace.Thread, symbols *trace.Symbols) string {
	for i := range symbols.Threads {
		if known := &symbols.Threads[i]; t.Name == "" && known.TID == t.TID {
			return known.Name
		}
	}
	return t.Name
}

func describe(e *trace.Event, symbols *trace.Symbols) string {
	return fmt.Sprintf("%v of %s at %v, CPU %v", e.Action, symbols.Method(e.Method).FullName(), e.Wall, e.CPU)
}
