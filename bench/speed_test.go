package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer"
)

// sweepIntervals are ten intervals from 0.1 to 100 ms.
func sweepIntervals() (list []time.Duration) {
	for _, d := range []int{100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000} {
		list = append(list, time.Duration(d)*time.Microsecond)
	}
	return list
}

// repeated is a real trace, repeated, without its open calls.
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
	rec, events := tracetest.RealEvents(b, "instrumented-art-file.trace")
	events, _ = testdata.Calls(events)
	for id := range rec.Symbols.Threads {
		rec.Symbols.Threads[id].End = 0 // threads last to the end
	}
	rec.Events = &repeated{events: events, length: events[len(events)-1].Wall, left: n}
	return rec
}

// sweep returns the configuration of the benchmarks: 10 intervals x 24 phases on each device.
func sweep(t testing.TB, cores int, on ...string) Config {
	return Config{Intervals: sweepIntervals(), Devices: devices(t, on...), Cores: cores}
}

// budget returns the target cost of an event in a sweep, in ns. It is 50 for the pass, as in the
// benchmarks of package sampler, 100 for each sample of a thread with a changed stack, and 15 for
// each event that a sampler writes.
func budget(b *testing.B, cfg Config) float64 {
	b.Helper()
	const n = 1e6
	truth := longTruth(b, n)
	var samplers []*sampler.Sampler
	for _, row := range plan(&cfg) {
		for _, c := range row {
			s, err := sampler.New(truth, sampler.Config(c.run.(tracer.Samples)), trace.Discard)
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

// maxHeap returns the maximum live heap during run, in bytes, as measured by the garbage collector,
// which runs more often meanwhile.
func maxHeap(run func()) (most uint64) {
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		for {
			metrics.Read(live)
			most = max(most, live[0].Value.Uint64())
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	run()
	close(stop)
	<-stopped
	return most
}

// BenchmarkSweep runs 10 intervals x 24 phases over a truth of 10 million events (with -short: one
// million), on one and on four devices, with one and with two cores. It reports the cost of an
// event, the target, and the speedup by the second core.
//
//	go test ./bench -run '^$' -bench Sweep$ -benchtime 1x
func BenchmarkSweep(b *testing.B) {
	n := int64(10e6)
	if testing.Short() {
		n /= 10
	}
	for _, on := range [][]string{{"A"}, {"ideal", "A", "B", "C"}} {
		cfg, err := sweep(b, 1, on...).filled(longTruth(b, n))
		if err != nil {
			b.Fatal(err)
		}
		allowed := budget(b, cfg)
		var oneCore float64
		for _, cores := range []int{1, 2} {
			b.Run(fmt.Sprintf("samplers=%d/cores=%d", 240*len(on), cores), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
				for b.Loop() {
					if _, err := Run(context.Background(), longTruth(b, n), sweep(b, cores, on...)); err != nil {
						b.Fatal(err)
					}
				}
				ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(n)
				b.ReportMetric(ns, "ns/event")
				b.ReportMetric(allowed, "budget-ns/event")
				if cores == 1 {
					oneCore = ns
				} else if oneCore > 0 {
					b.ReportMetric(oneCore/ns, "times-one-core")
				}
			})
		}
	}
}

// BenchmarkLate runs the default sweep of artifice bench over apps that wait. Threads have
// individual delays or, as in the previous implementation, one common clock.
//
// go test ./bench -run '^$' -bench Late -benchtime 1x -count 5
func BenchmarkLate(b *testing.B) {
	for _, app := range []string{"scroll-60hz", "network-client", "cold-start", "instrumented-art-file.trace"} {
		for _, oneClock := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/oneclock=%v", app, oneClock), func(b *testing.B) {
				for b.Loop() {
					truth := benchTruth(b, app)
					cfg := Config{Devices: devices(b, "A"), Modes: []Mode{ARTSampling, InstrumentedDual}, CPU: true, OneClock: oneClock, Cores: 1}
					if _, err := Run(context.Background(), truth, cfg); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkLateSweep is BenchmarkLate for the sweep of 960 samplers over a real trace.
func BenchmarkLateSweep(b *testing.B) {
	for _, oneClock := range []bool{false, true} {
		b.Run(fmt.Sprintf("oneclock=%v", oneClock), func(b *testing.B) {
			for b.Loop() {
				cfg := sweep(b, 1, "ideal", "A", "B", "C")
				cfg.OneClock, cfg.Phases = oneClock, 24
				if _, err := Run(context.Background(), benchTruth(b, "instrumented-art-file.trace"), cfg); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// benchTruth returns an app's truth, or that of a real trace.
func benchTruth(b *testing.B, name string) *trace.Recording {
	if !strings.HasSuffix(name, ".trace") {
		return tracetest.Workload(b, name, 2*time.Second)
	}
	rec, events := tracetest.RealEvents(b, name)
	slices.SortStableFunc(events, func(a, b trace.Event) int { return int(a.Wall - b.Wall) })
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// BenchmarkSweepLength runs the sweep of 960 samplers on one core over two short truths. The
// difference is the cost of the additional events, and the rest is fixed cost. It is for counting
// instructions and cache misses, which takes too long with more events:
//
//	valgrind --tool=cachegrind --cache-sim=yes ./bench.test -test.run '^$' -test.bench SweepLength/events=200000 -test.benchtime 1x
func BenchmarkSweepLength(b *testing.B) {
	for _, n := range []int64{200e3, 700e3} {
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			for b.Loop() {
				if _, err := Run(context.Background(), longTruth(b, n), sweep(b, 1, "ideal", "A", "B", "C")); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSweepMemory runs the same sweep over truths of different lengths. Peak memory does not
// depend on the length: it consists of the columns of all tracers and of their logs. Logs of long
// intervals take long to fill.
//
//	go test ./bench -run '^$' -bench SweepMemory -benchtime 1x
func BenchmarkSweepMemory(b *testing.B) {
	for _, n := range []int64{3e6, 10e6, 30e6} {
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			if testing.Short() && n > 10e6 {
				b.Skip("long")
			}
			var most uint64
			for b.Loop() {
				most = maxHeap(func() {
					if _, err := Run(context.Background(), longTruth(b, n), sweep(b, 0, "ideal", "A", "B", "C")); err != nil {
						b.Fatal(err)
					}
				})
			}
			b.ReportMetric(float64(most)/(1<<20), "MB")
		})
	}
}

// BenchmarkUnchangedThreads runs a sweep over one thread with calls and many threads with an
// unchanged stack. Unchanged threads have a cost at the first and the last sample of each sampler,
// and none in between. It reports the cost of an additional event.
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

// oneBusy returns a truth with n events of one thread and one event of each other thread.
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

// TestMemory: the memory of a sweep does not grow with a truth five times as long.
func TestMemory(t *testing.T) {
	testdata.Seldom(t, 4)
	most := func(events int64) uint64 {
		return maxHeap(func() {
			cfg := Config{Intervals: []time.Duration{200 * us}, Modes: []Mode{ARTSampling, endMidSampling, longRunning}, Phases: 8}
			if _, err := Run(context.Background(), longTruth(t, events), cfg); err != nil {
				t.Fatal(err)
			}
		})
	}
	few := int64(testdata.Times(200_000, 400_000))
	if short, long := most(few), most(5*few); long > short+short/4 {
		t.Errorf("%d MiB, and %d MiB for a fifth of the events", long>>20, short>>20)
	}
}

// TestDistinctMemory: memory is bounded if stacks never repeat, because data of contexts beyond the
// first megabytes is in files. With EXHAUSTIVE there are a million contexts, and the process has at
// most 320 MiB, including the loaded pages of the files.
func TestDistinctMemory(t *testing.T) {
	testdata.Seldom(t, 3)
	if runtime.GOOS != "linux" {
		t.Skip("memory is extended by files on Linux only")
	}
	walk := testdata.NewDistinct()
	n := testdata.Times(300_000, 2_100_000)
	var contexts int
	debug.FreeOSMemory()
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // proc(5): VmHWM begins anew
	most := maxHeap(func() {
		truth := &trace.Recording{Info: trace.Info{Clock: trace.Dual}, Symbols: walk.Symbols, Events: &first{walk, n}}
		r, err := Run(context.Background(), truth, Config{Intervals: []time.Duration{time.Millisecond}, Phases: 8, Cores: 2, CPU: true})
		if err != nil {
			t.Fatal(err)
		}
		contexts = r.Truth.Paths
	})
	status, _ := os.ReadFile("/proc/self/status")
	var process int
	if _, rest, ok := strings.Cut(string(status), "VmHWM:"); ok {
		fmt.Sscan(rest, &process)
	}
	t.Logf("%d contexts: %d MiB on the heap, %d MiB in all", contexts, most>>20, process>>10)
	if most > 64<<20 {
		t.Errorf("%d MiB are in use on the heap for %d contexts, want 64 at most", most>>20, contexts)
	}
	if testdata.Exhaustive() && process>>10 > 320 {
		t.Errorf("the process took %d MiB for %d contexts, want 320 at most", process>>10, contexts)
	}
}

// first returns the first events of a source.
type first struct {
	source trace.Reader
	left   int
}

func (r *first) ReadEvents(p []trace.Event) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n, err := r.source.ReadEvents(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}

// BenchmarkDepth sweeps threads that descend to a depth and return, with 100,000 calls in all. The
// cost of a call must not depend on the depth. The mode is the one that reads past stacks most
// often.
func BenchmarkDepth(b *testing.B) {
	for _, depth := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			var events []trace.Event
			now := time.Duration(0)
			add := func(frame int, action trace.Action) {
				now += 3 * time.Microsecond
				events = append(events, trace.Event{Wall: now, Method: trace.MethodID(frame % 10), Action: action})
			}
			for len(events) < 200_000 {
				for i := range depth {
					add(i, trace.Enter)
				}
				for i := range depth {
					add(depth-1-i, trace.Exit)
				}
			}
			for b.Loop() {
				truth := &trace.Recording{Info: trace.Info{Clock: trace.Wall}, Symbols: &trace.Symbols{
					Threads: make([]trace.Thread, 1), Methods: make([]trace.Method, 10),
				}, Events: trace.NewSliceReader(events)}
				if _, err := Run(context.Background(), truth, Config{Modes: []Mode{endLastSampling}, Phases: 2, Cores: 1}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
		})
	}
}
