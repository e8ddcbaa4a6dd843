package coverage

import (
	"context"
	"fmt"
	"slices"
	"time"

	"artifice/report/estimate"
	"artifice/sampler/thread"
	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
)

// MeasureThreads is [Measure] for a tracing method that samples each thread by its CPU time: the
// rows are of CPU time. The recorded run includes the cost of samples to their threads. open
// returns the truth from its beginning, which must have a CPU clock; MeasureThreads reads it once
// for each phase. If cfg has no intervals, the tracer's are used; Contexts and Against are ignored.
func MeasureThreads(ctx context.Context, open func() (*trace.Recording, error), way tracer.Tracer, cfg Config) (rows []Row, err error) {
	if len(cfg.Intervals) == 0 {
		cfg.Intervals = way.Intervals
	}
	if len(cfg.Intervals) == 0 {
		return nil, notByCPU(&way)
	}
	for _, d := range cfg.Devices {
		for _, interval := range cfg.Intervals {
			more, err := measureThreadsAt(ctx, open, &way, d, interval, &cfg)
			if err != nil {
				return rows, fmt.Errorf("%s, device %s, interval %s: %w", way.Name, d.Name, interval, err)
			}
			rows = append(rows, placed(more, d.Name, interval)...)
		}
	}
	return rows, nil
}

// measureThreadsAt runs all phases of one device and interval.
func measureThreadsAt(ctx context.Context, open func() (*trace.Recording, error), way *tracer.Tracer, d device.Device, interval time.Duration, cfg *Config) ([]Row, error) {
	var all *truth
	var seen [][]claims
	for i := range cfg.Phases {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rec, err := open()
		if err != nil {
			return nil, err
		}
		o := tracer.Options{Device: d, Interval: interval, Seed: cfg.Seed + uint64(i), Phase: time.Duration((float64(i) + 0.5) / float64(cfg.Phases) * float64(interval))}
		t, p, err := recordThreads(rec, way, &o)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = t
		}
		all.cpuBy = append(all.cpuBy, t.wall[0])
		seen = append(seen, slices.DeleteFunc(claimsOf(p, t, false), func(c claims) bool { return rec.Symbols.Method(trace.MethodID(c.subject)).WalkEnd() != "" }))
	}
	var rows []Row
	for _, kind := range []Kind{ExclusiveCPU, InclusiveCPU} {
		for _, rule := range Rules() {
			rows = append(rows, judge(all, seen, kind, rule))
		}
	}
	return rows, nil
}

// notByCPU returns the error for an unsupported tracing method.
func notByCPU(way *tracer.Tracer) error {
	return fmt.Errorf("%s does not sample threads by their CPU time, or the truth has none: its intervals cannot be tested so", way.Name)
}

// recordThreads records a truth. It returns the CPU time of its threads, including the cost of
// samples, as the times of a wall clock, and the record.
func recordThreads(rec *trace.Recording, way *tracer.Tracer, o *tracer.Options) (*truth, *estimate.Profile, error) {
	run, ok := way.New(&rec.Info, o).(tracer.Threads)
	if cfg := thread.Config(run); !ok || !cfg.OnlyRunning() || !rec.Info.Clock.HasCPU() {
		return nil, nil, notByCPU(way)
	}
	byCPU := *rec
	byCPU.Info.Elapsed = 0
	follower := &cpuFollower{source: rec.Events, rec: rec, sum: &truthSum{rec: &byCPU, wall: make([][]time.Duration, 1)}}
	rec.Events = follower
	record, err := run.Record(rec)
	if err != nil {
		return nil, nil, err
	}
	follower.taken = record.Events.(*thread.Reader).Taken
	p, err := estimate.Read(record, estimate.Config{MethodsOnly: true})
	if err != nil {
		return nil, nil, err
	}
	follower.end(record.Events.(*thread.Reader).AppLength())
	return follower.sum.finish(false), p, nil
}

// cpuFollower passes a truth's events to a sampler one by one, and sums the CPU time of threads up
// to each: an event is complete, including the samples before it, when the next one is read.
type cpuFollower struct {
	source  trace.Reader
	rec     *trace.Recording
	sum     *truthSum
	taken   func(trace.ThreadID) time.Duration
	pending *trace.Event
	event   trace.Event
	last    []trace.Event // of each thread
}

// ReadEvents implements [trace.Reader].
func (f *cpuFollower) ReadEvents(p []trace.Event) (int, error) {
	f.settle()
	if len(p) == 0 {
		return 0, nil
	}
	n, err := f.source.ReadEvents(p[:1])
	if n > 0 {
		f.event = p[0]
		f.pending = &f.event
		err = nil
	}
	return n, err
}

// settle adds the event that was read last.
func (f *cpuFollower) settle() {
	if f.pending == nil {
		return
	}
	e := *f.pending
	f.pending = nil
	for int(e.Thread) >= len(f.last) {
		f.last = append(f.last, trace.Event{Wall: -1})
	}
	f.last[e.Thread] = e
	e.Wall = e.CPU
	f.sum.Event(&e, []time.Duration{f.taken(e.Thread)})
}

// end adds the CPU time of threads from their last events to the end of the truth, if they continue
// to run.
func (f *cpuFollower) end(length time.Duration) {
	f.settle()
	for i, e := range f.last {
		if e.Wall < 0 {
			continue
		}
		end := length
		if own := f.rec.Symbols.Threads[i].End; own > 0 {
			end = own
		}
		id := trace.ThreadID(i)
		ran := time.Duration(0)
		if at := f.sum.threads[i].at; f.rec.Info.Technique == trace.Truth && !f.sum.tree.IsRoot(at) && !f.rec.Symbols.Method(f.sum.tree.Method(at)).Waits() {
			ran = max(0, end-e.Wall)
		}
		f.sum.End(id, e.CPU+ran, []time.Duration{f.taken(id)})
	}
}
