package verify

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
	"artifice/workload"
)

// The third witness is the closed loop: the same tracing method on a live app that is slowed down
// by it ([workload.Config].Live). No delay rule applies there: a delayed thread does its work
// later, and its waits end when the awaited event occurs. The loop covers all built-in apps with a
// core for each thread. It is the only witness for threads that wait for each other: a machine
// without any model of delays acquires the lock, takes the item and awaits the result.

// loopLength is the length of an app in the loop.
const loopLength = 250 * time.Millisecond

// tail returns how long before its end a recording is not compared: the bound of the difference
// between two delays of one thread. Tracers that record a call when it ends do not record the last
// ones.
func (way *recording) tail() time.Duration {
	if way.tracer == "btrace2" || way.tracer == "rheatrace1" {
		return 70 * time.Millisecond
	}
	return 10 * time.Millisecond
}

// loops records an app by each tracing method, in the loop and with delays applied to its truth.
func (r *run) loops(ctx context.Context, p *workload.Program) error {
	if p.SharesCores() {
		return nil // delays applied to its truth do not describe the run: [run.reruns] covers the loop alone
	}
	for _, way := range r.loopWays() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.loop(p, way); err != nil {
			return fmt.Errorf("%s: %w", way.tracer, err)
		}
	}
	return nil
}

// loopWays returns all tracing methods with the costs of device A and exact clocks. Calls also have
// their cost in ART 11's interpreter.
//
// Excluded is what a loop cannot verify. Full ring buffers: in the loop, other calls are the last
// ones. The cost of walking each thread, where threads start and end: a sampler that applies its
// pauses to a truth counts the threads alive at the time of the thread that reaches the tick first.
// The cost of tracing long-running methods: the record does not contain it.
func (r *run) loopWays() (ways []recording) {
	o := tracer.Options{Seed: r.cfg.Seed, Device: testDevices()[2], Compared: true, Profile: true, Threshold: keepFrom}
	o.Device.Instrumented.Compiled = 0
	for _, t := range tracer.All() {
		if t.Again || t.Dumps || t.Unmeasured {
			continue
		}
		way := recording{tracer: t.Name, options: o}
		switch t.Name {
		case "sample", "simpleperf": // at its own interval, simpleperf's buffer is too small for 50 busy threads
			way.options.Interval = sampleEvery
		case "rheatrace1", "matrix":
			way.options.Ring = 10_000_000
		case "instrument":
			slow := way
			slow.options.Device.Instrumented.Code = device.All()[4].Instrumented.Code
			ways = append(ways, slow)
		}
		ways = append(ways, way)
	}
	return ways
}

// loop compares the recordings of an app thread by thread.
func (r *run) loop(p *workload.Program, way recording) error {
	length := loopLength
	if p.Name == "w4-function-bias" {
		if length /= 10; way.tracer == "rheatrace1" { // it records many calls
			return nil // in the loop its last call has no end by then, and the repair ends it where it begins
		}
	}
	cfg := workload.Config{Seed: r.cfg.Seed, Duration: length}
	until, comes, err := comparable(p, cfg, way.tail())
	if err != nil {
		return err
	}
	if way.tracer == "sample" && comes {
		s := &way.options.Device.Sampling
		s.PerTick, s.PerThread = s.PerTick+61*s.PerThread, 0
	}
	truth, got, err := recordApp(p, way, cfg)
	if err != nil {
		return err
	}
	cfg.Live = true
	app, want, err := recordApp(p, way, cfg)
	if err != nil {
		return err
	}
	v := Verdict{Part: "loop", What: way.tracer, Case: p.Name, Z: math.NaN()}
	if p.Name == "convoy" && way.tracer != "sample" {
		r.convoy(v, &way, got, want, until)
		return nil
	}
	until = min(until, firstReuse(app.Symbols))
	for id := range got {
		end := until
		if ends := app.Symbols.Threads[id].End; ends > 0 { // possibly at a fixed time, however much it has done by then
			end = min(end, ends)
		}
		g, w := upTo(got[id], end), upTo(want[id], end)
		v.Want += float64(len(w))
		for i := range min(len(g), len(w)) {
			if g[i] == w[i] {
				v.Got++
			} else if v.First == "" {
				v.First = fmt.Sprintf("event %d of %s is %s, in the loop %s", i, truth.Symbols.Threads[id].Name, describe(&g[i], truth.Symbols), describe(&w[i], app.Symbols))
			}
		}
		if len(g) != len(w) && v.First == "" {
			v.First = fmt.Sprintf("%s has %d events, in the loop %d", truth.Symbols.Threads[id].Name, len(g), len(w))
		}
	}
	r.tell(v)
	return nil
}

// convoy compares the progress of 50 threads that queue for one lock. Their individual delays
// change their order, which the truth does not contain: record and bench run them in the loop
// ([run.reruns]). But only one thread holds the lock at a time, so the total progress is the same
// to within one turn of all threads, and event-driven tracers record equally many events. Samples
// then fall on other points of a thread and are not compared.
func (r *run) convoy(v Verdict, way *recording, got, want [][]trace.Event, until time.Duration) {
	if t, err := tracer.ByName(way.tracer); err != nil || len(t.Intervals) > 0 {
		return
	}
	const turn = 50 * 350 * time.Microsecond
	for id := range got {
		v.Got += float64(len(upTo(got[id], until)))
		v.Want += float64(len(upTo(want[id], until)))
	}
	v.Tolerance = v.Want * turn.Seconds() / until.Seconds()
	r.tell(v)
}

// firstReuse returns the first end of a thread with a tid that another thread reuses. How long the
// reuse waits depends on the remaining work of the first thread, or on the work at which it was cut
// off.
func firstReuse(symbols *trace.Symbols) time.Duration {
	first := time.Duration(math.MaxInt64)
	for i, t := range symbols.Threads {
		for _, next := range symbols.Threads[i+1:] {
			if t.TID == next.TID && t.End > 0 {
				first = min(first, t.End)
			}
		}
	}
	return first
}

// comparable returns the end of the comparable part of an app's recordings, and whether threads
// come and go. The part ends before the tail and before a collection: in the loop a collection
// begins when the collecting thread reaches it, not when the app has allocated enough.
func comparable(p *workload.Program, cfg workload.Config, tail time.Duration) (until time.Duration, comes bool, err error) {
	truth, err := p.Truth(cfg)
	if err != nil {
		return 0, false, err
	}
	var all trace.Buffer
	if _, err := trace.Copy(&all, truth.Events); err != nil {
		return 0, false, err
	}
	until = cfg.Duration - min(tail, cfg.Duration/4)
	for _, e := range all.Events {
		if truth.Symbols.Method(e.Method).Flags&trace.Collector != 0 {
			until = min(until, e.Wall)
		}
	}
	for _, t := range truth.Symbols.Threads {
		comes = comes || t.Start > 0 || t.End > 0
	}
	return until, comes, nil
}

// recordApp records an app, and returns the events of each thread.
func recordApp(p *workload.Program, way recording, cfg workload.Config) (*trace.Recording, [][]trace.Event, error) {
	truth, err := p.Truth(cfg)
	if err != nil {
		return nil, nil, err
	}
	return recordOf(truth, way.tracer, &way.options)
}

// recordOf records a truth and returns the events of each thread.
func recordOf(truth *trace.Recording, by string, o *tracer.Options) (*trace.Recording, [][]trace.Event, error) {
	t, err := tracer.ByName(by)
	if err != nil {
		return nil, nil, err
	}
	rec, err := t.Record(truth, o)
	if err != nil {
		return nil, nil, err
	}
	var all trace.Buffer
	if _, err := trace.Copy(&all, rec.Events); err != nil {
		return nil, nil, err
	}
	threads := make([][]trace.Event, len(truth.Symbols.Threads))
	for _, e := range all.Events {
		e.Site = 0
		threads[e.Thread] = append(threads[e.Thread], e)
	}
	return truth, threads, nil
}

// upTo returns the events before end.
func upTo(events []trace.Event, end time.Duration) []trace.Event {
	n := slices.IndexFunc(events, func(e trace.Event) bool { return e.Wall >= end })
	if n < 0 {
		return events
	}
	return events[:n]
}
