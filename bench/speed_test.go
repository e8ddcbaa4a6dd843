package bench

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"artifice/sampler"
	"artifice/trace"
)

// sweepIntervals are ten intervals from 0.1 to 100 ms.
func sweepIntervals() (list []time.Duration) {
	for _, d := range []int{100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000} {
		list = append(list, time.Duration(d)*time.Microsecond)
	}
	return list
}

// repeated is a real trace over and over, its open calls left out.
type repeated struct {
	events []trace.Event
	length time.Duration
	next   int
	round  time.Duration
	left   int64
}

func (r *repeated) ReadEvents(p []trace.Event) (int, error) {
	n := 0
	for ; n < len(p) && r.left > 0; n++ {
		p[n] = r.events[r.next]
		p[n].Wall += r.round * r.length
		p[n].CPU += r.round * r.length
		r.left--
		if r.next++; r.next == len(r.events) {
			r.next, r.round = 0, r.round+1
		}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// longTruth returns a truth of n events.
func longTruth(b testing.TB, n int64) *trace.Recording {
	rec, events := realEvents(b, "instrumented-art-file.trace")
	events = nested(events)
	for id := range rec.Symbols.Threads {
		rec.Symbols.Threads[id].End = 0 // every thread lives to the end
	}
	rec.Events = &repeated{events: events, length: events[len(events)-1].Wall, left: n}
	return rec
}

// sweep is the benchmarks' sweep: 10 intervals x 24 phases x 4 devices.
func sweep(t testing.TB, cores int) Config {
	return Config{Intervals: sweepIntervals(), Devices: devices(t, "ideal", "A", "B", "C"), Cores: cores}
}

// budget returns what an event may cost in a sweep, in ns: 50 for the pass, as in
// package sampler's benchmarks, 100 for every sample of a thread whose stack
// changed since that sampler's last one, and 15 for every event that it writes.
func budget(b *testing.B, cfg Config) float64 {
	b.Helper()
	const n = 1e6
	truth := longTruth(b, n)
	var samplers []*sampler.Sampler
	for _, row := range plan(&cfg) {
		for _, c := range row {
			s, err := sampler.New(truth, c.mode.watch(c.config), trace.Discard)
			if err != nil {
				b.Fatal(err)
			}
			samplers = append(samplers, s)
		}
	}
	if err := sampler.Run(truth, samplers...); err != nil {
		b.Fatal(err)
	}
	ns := 50.0 * n
	for _, s := range samplers {
		ns += 100*float64(s.Stats().Changed) + 15*float64(s.Stats().Events)
	}
	return ns / n
}

// heap notes the most memory in use, in bytes, when it is asked to look.
type heap struct{ most uint64 }

func (h *heap) look() {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h.most = max(h.most, m.HeapAlloc)
}

// watch returns rec, whose reading looks at the heap after each so much of it.
func (h *heap) watch(rec *trace.Recording, each time.Duration) *trace.Recording {
	rec.Events = &watchedReader{rec.Events, h, each, each}
	return rec
}

type watchedReader struct {
	trace.Reader
	heap       *heap
	each, next time.Duration
}

func (r *watchedReader) ReadEvents(p []trace.Event) (int, error) {
	n, err := r.Reader.ReadEvents(p)
	if n > 0 && p[n-1].Wall >= r.next {
		r.next = p[n-1].Wall + r.each
		r.heap.look()
	}
	return n, err
}

// BenchmarkSweep runs 10 intervals x 24 phases x 4 devices over a truth of 10
// million events (with -short: one million), on one core and on two. It reports
// what an event costs beside what it may cost, and how many times faster two cores
// are.
//
//	go test ./bench -run '^$' -bench Sweep -benchtime 1x
func BenchmarkSweep(b *testing.B) {
	n := int64(10e6)
	if testing.Short() {
		n /= 10
	}
	cfg, err := sweep(b, 1).filled(longTruth(b, n))
	if err != nil {
		b.Fatal(err)
	}
	allowed := budget(b, cfg)
	var oneCore float64
	for _, cores := range []int{1, 2} {
		b.Run(fmt.Sprintf("cores=%d", cores), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			var result *Result
			for b.Loop() {
				var err error
				if result, err = Run(context.Background(), longTruth(b, n), sweep(b, cores)); err != nil {
					b.Fatal(err)
				}
			}
			ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(n)
			b.ReportMetric(ns, "ns/event")
			b.ReportMetric(allowed, "budget-ns/event")
			b.ReportMetric(float64(len(result.Cells)), "samplers")
			if cores == 1 {
				oneCore = ns
			} else if oneCore > 0 {
				b.ReportMetric(oneCore/ns, "times-one-core")
			}
		})
	}
}

// BenchmarkSweepMemory runs the same sweep over truths of different lengths. The
// memory in use at most does not depend on it, once every tracer's page of notes
// was full.
//
//	go test ./bench -run '^$' -bench SweepMemory -benchtime 1x
func BenchmarkSweepMemory(b *testing.B) {
	for _, n := range []int64{1e6, 3e6, 10e6} {
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			if testing.Short() && n > 3e6 {
				b.Skip("long")
			}
			var used heap
			for b.Loop() {
				truth := used.watch(longTruth(b, n), 500*time.Millisecond)
				if _, err := Run(context.Background(), truth, sweep(b, 0)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(used.most)/(1<<20), "MB")
		})
	}
}

// BenchmarkUnchangedThreads has one thread that calls and returns among others
// that sit in their frames: these cost something when each sampler meets them and
// when it takes its leave, and nothing in between. It reports what an event more
// costs.
//
//	go test ./bench -run '^$' -bench UnchangedThreads
func BenchmarkUnchangedThreads(b *testing.B) {
	const n = 1 << 20
	run := func(truth *trace.Recording) time.Duration {
		begin := time.Now()
		cfg := Config{Intervals: []time.Duration{time.Millisecond}, Phases: 240}
		if _, err := Run(context.Background(), truth, cfg); err != nil {
			b.Fatal(err)
		}
		return time.Since(begin)
	}
	for _, threads := range []int{1, 10000} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			var more time.Duration
			for b.Loop() {
				more += run(oneBusy(threads, 3*n)) - run(oneBusy(threads, n))
			}
			b.ReportMetric(float64(more.Nanoseconds())/float64(b.N)/(2*n), "ns/event-more")
		})
	}
}

// oneBusy returns a truth in which one of so many threads has n events, and the
// others one.
func oneBusy(threads, n int) *trace.Recording {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Instrumented}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddMethod(trace.Method{Class: "C", Name: "a"})
	var events []trace.Event
	for id := range threads {
		rec.Symbols.AddThread(trace.Thread{})
		events = append(events, trace.Event{Thread: trace.ThreadID(id)})
	}
	for i := range n {
		at := time.Duration(i) * time.Microsecond
		events = append(events, trace.Event{Wall: at, CPU: at, Action: trace.Action(i % 2)})
	}
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// TestMemory: a sweep over a truth five times as long needs no more memory.
func TestMemory(t *testing.T) {
	var short, long heap
	for _, c := range []struct {
		used   *heap
		events int64
	}{{&short, 400_000}, {&long, 2_000_000}} {
		cfg := Config{Intervals: []time.Duration{200 * us}, Modes: []Mode{ARTSampling, EndMidSampling, LongRunning}, Phases: 8}
		if _, err := Run(context.Background(), c.used.watch(longTruth(t, c.events), 200*time.Millisecond), cfg); err != nil {
			t.Fatal(err)
		}
	}
	if long.most > short.most+short.most/4 {
		t.Errorf("%d MiB, for a fifth of the events %d", long.most>>20, short.most>>20)
	}
}
