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

// The third witness is the closed loop: the same way of tracing, while the app runs and loses what it takes
// ([workload.Config].Live). No thread is late there by a rule: its work is done later, and its waits end when
// what they wait for is there. It is for all built-in apps whose threads have cores of their own, and the only witness of threads that wait for each other: there a
// lock is had, an item taken and a result awaited by a machine that knows nothing of lateness.

// loopLength is that of an app in the loop.
const loopLength = 250 * time.Millisecond

// tail is how long before its end recordings are not compared, by how much one thread may be later than another. Ways that
// tell of a call when it has ended tell nothing of the last ones.
func (way *recording) tail() time.Duration {
	if way.tracer == "btrace2" || way.tracer == "rheatrace1" {
		return 70 * time.Millisecond
	}
	return 10 * time.Millisecond
}

// loops records an app in every way, in the loop and with delays that are laid over its truth.
func (r *run) loops(ctx context.Context, p *workload.Program) error {
	if p.SharesCores() {
		return nil // what is laid over its truth is not what happens: [run.reruns] looks at the loop alone
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

// loopWays are all ways of tracing, with what they take on device A but exact clocks. Calls also cost what they do in
// ART 11's interpreter. What no loop tells is left out: rings that are full, as in the loop other calls are
// the last ones; what the walk of each thread takes, where threads come and go, of which a sampler that lays its pauses over a truth finds those
// that are there by the time of the thread that comes to the tick first; and what long-running methods' tracing takes,
// as its record does not show it.
func (r *run) loopWays() (ways []recording) {
	o := tracer.Options{Seed: r.cfg.Seed, Device: testDevices()[2], Compared: true, Profile: true, Threshold: keepFrom}
	o.Device.Instrumented.Compiled = 0
	for _, t := range tracer.All() {
		if t.Again || t.Dumps || t.Unmeasured {
			continue
		}
		way := recording{tracer: t.Name, options: o}
		switch t.Name {
		case "sample", "simpleperf": // at its own, simpleperf has no room for what 64 busy threads give
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

// loop compares what is recorded of an app, thread by thread.
func (r *run) loop(p *workload.Program, way recording) error {
	length := loopLength
	if p.Name == "w4-function-bias" {
		if length /= 10; way.tracer == "rheatrace1" { // its calls are many
			return nil // in the loop the one that makes them has no end by then, which the repair makes one at its begin
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
		if ends := app.Symbols.Threads[id].End; ends > 0 { // maybe at an instant, however much it has done by then
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

// convoy compares how much 50 threads have done that queue for one lock. What each loses by itself
// changes their order, of which the truth tells nothing: record and bench run them in the loop ([run.reruns]). But one has
// the lock at a time, so that all together do as much, to one turn of all of them: those who are told of calls have as
// many. Samples of a thread fall elsewhere then, and say nothing of that.
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

// firstReuse returns when a thread first ends whose tid another one gets: how long that has to wait
// depends on what the first has left to do, or was cut off in.
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

// comparable returns until when what is recorded of an app can be compared, and whether threads come
// and go: before a collection, which in the loop begins when the thread that collects gets to it, and not when the app
// has made the garbage; and before the tail.
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

// recordOf records a truth, and returns the events of each thread.
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

// upTo returns the events before a time.
func upTo(events []trace.Event, end time.Duration) []trace.Event {
	n := slices.IndexFunc(events, func(e trace.Event) bool { return e.Wall >= end })
	if n < 0 {
		return events
	}
	return events[:n]
}
