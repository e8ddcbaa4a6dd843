package sampler_test

import (
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/internal/testdata"
	"artifice/sampler"

	"artifice/trace"
)

// load reads a real trace into memory in time order.
func load(t testing.TB, name string) (*trace.Recording, []trace.Event) {
	t.Helper()
	f, err := dmtrace.Open(testdata.Path(t, "traces", name), dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all trace.Buffer
	if _, err := trace.Copy(&all, f.Events); err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(all.Events, func(a, b trace.Event) int { return int(a.Wall - b.Wall) })
	rec := f.Recording
	rec.Source = nil
	return &rec, all.Events
}

// closed returns the events without unmatched enters and exits.
func closed(events []trace.Event) (out []trace.Event) {
	kept := make([]bool, len(events))
	open := map[trace.ThreadID][]int{}
	for i, e := range events {
		stack := open[e.Thread]
		switch {
		case e.Action == trace.Enter:
			open[e.Thread] = append(stack, i)
		case len(stack) > 0:
			kept[i], kept[stack[len(stack)-1]] = true, true
			open[e.Thread] = stack[:len(stack)-1]
		}
	}
	for i, e := range events {
		if kept[i] {
			out = append(out, e)
		}
	}
	return out
}

// loop repeats events; each repetition starts after the end of the previous one.
type loop struct {
	events []trace.Event
	times  int
	at     int
	shift  time.Duration
}

func (l *loop) ReadEvents(p []trace.Event) (int, error) {
	if l.at == len(l.events) {
		l.times--
		l.at, l.shift = 0, l.shift+l.events[len(l.events)-1].Wall
	}
	if l.times <= 0 {
		return 0, io.EOF
	}
	n := copy(p, l.events[l.at:])
	l.at += n
	for i := range p[:n] {
		p[i].Wall += l.shift
		p[i].CPU += l.shift
	}
	return n, nil
}

// benchmarkRun samples repeated events with these configurations in one pass. It reports the time
// per event and the budget: 25 ns per event with one sampler, 50 ns with more, plus 100 ns per
// sample of a thread with a changed stack, and 15 ns per written event.
func benchmarkRun(b *testing.B, rec *trace.Recording, events []trace.Event, times int, configs []sampler.Config) {
	b.ReportAllocs()
	var written, changed, ticks int64
	for b.Loop() {
		rec.Events = &loop{events: events, times: times}
		var samplers []*sampler.Sampler
		for _, cfg := range configs {
			s, err := sampler.New(rec, cfg, trace.Discard)
			if err != nil {
				b.Fatal(err)
			}
			samplers = append(samplers, s)
		}
		if err := sampler.Run(rec, samplers...); err != nil {
			b.Fatal(err)
		}
		written, changed, ticks = 0, 0, 0
		for _, s := range samplers {
			written += s.Stats().Events
			changed += s.Stats().Changed
			ticks += s.Stats().Ticks
		}
	}
	total := float64(len(events) * times)
	perEvent := 25.0
	if len(configs) > 1 {
		perEvent = 50
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/total, "ns/event")
	b.ReportMetric((perEvent*total+100*float64(changed)+15*float64(written))/total, "budget-ns/event")
	b.ReportMetric(float64(changed)/total, "changed/event")
	b.ReportMetric(float64(ticks)/total, "ticks/event")
}

// phases returns n configurations of one interval with evenly spaced phases.
func phases(n int, cfg sampler.Config) (all []sampler.Config) {
	for i := range n {
		cfg.Phase = time.Duration(2*i+1) * cfg.Interval / time.Duration(2*n)
		all = append(all, cfg)
	}
	return all
}

// BenchmarkRun samples a repeated real trace, without unmatched events, with 0, 1, 100 and 240
// samplers of 1 ms in one pass.
func BenchmarkRun(b *testing.B) {
	rec, events := load(b, "instrumented-art-file.trace")
	events = closed(events)
	for _, bm := range []struct {
		name string
		cost sampler.Cost
	}{
		{"ideal", sampler.Cost{}},
		{"phone", sampler.PhoneCost},
		{"perframe", sampler.Cost{PerThread: 16 * time.Microsecond, PerFrame: 100}},
	} {
		for _, n := range []int{0, 1, 100, 240} {
			b.Run(fmt.Sprintf("%s/samplers=%d", bm.name, n), func(b *testing.B) {
				benchmarkRun(b, rec, events, 20, phases(n, sampler.Config{Interval: time.Millisecond, Cost: bm.cost}))
			})
		}
	}
}

// BenchmarkSweep runs the samplers of a complete benchmark in one pass: 10 intervals x 24 phases x
// 4 devices, with a separate delay per thread, and with one clock for all threads.
func BenchmarkSweep(b *testing.B) {
	rec, events := load(b, "instrumented-art-file.trace")
	events = closed(events)
	var configs []sampler.Config
	for _, us := range []int{100, 200, 500, 1000, 2000, 3000, 5000, 10000, 15000, 20000} {
		for _, cost := range []sampler.Cost{{}, sampler.PhoneCost, {Overshoot: 130 * time.Microsecond, PerThread: 7 * time.Microsecond}, {PerThread: 2 * time.Microsecond}} {
			configs = append(configs, phases(24, sampler.Config{Interval: time.Duration(us) * time.Microsecond, Cost: cost})...)
		}
	}
	for _, oneClock := range []bool{false, true} {
		b.Run(fmt.Sprintf("oneclock=%v", oneClock), func(b *testing.B) {
			for i := range configs {
				configs[i].OneClock = oneClock
			}
			benchmarkRun(b, rec, events, 5, configs)
		})
	}
}

// BenchmarkUnchangedThreads has one thread that calls and returns among 10000 idle threads, which
// must not slow the sampler.
func BenchmarkUnchangedThreads(b *testing.B) {
	for _, threads := range []int{1, 10000} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			rec := &trace.Recording{Symbols: &trace.Symbols{}}
			rec.Symbols.AddMethod(trace.Method{Class: "C", Name: "a"})
			for range threads {
				rec.Symbols.AddThread(trace.Thread{})
			}
			var events []trace.Event
			for id := range threads {
				events = append(events, trace.Event{Thread: trace.ThreadID(id)})
			}
			const n = 1 << 20
			for i := range n {
				at := time.Duration(i) * time.Microsecond
				events = append(events, trace.Event{Wall: at, CPU: at, Action: trace.Action(i % 2)})
			}
			cost := sampler.Cost{PerThread: 100}
			benchmarkRun(b, rec, events, 1, phases(100, sampler.Config{Interval: time.Millisecond, Cost: cost}))
		})
	}
}
