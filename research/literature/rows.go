package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"artifice/bench"
	"artifice/report/estimate"
	"artifice/sampler"
	"artifice/sampler/thread"
	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
	"artifice/workload"
)

var rows = []row{
	{
		source: "JEP 509's author on JFR's sampler of 6 threads a tick", published: "of 32 busy threads each has 19 % of its samples: 10 ms become 53 ms",
		tolerance: "1 point, 1 ms", how: "the engine of mode `jfr` with 6 threads in turn, 160 s", find: inTurn,
	},
	{
		source: "golang/go 14434, setitimer", published: "two goroutines that do the same: 80 to 20",
		tolerance: "80 within the middle 95 % of machines", how: "mode `go-itimer`, 200 machines with cores that tick at random times", find: uneven,
	},
	{
		source: "golang/go 14434, timer_create for each thread", published: "the same two: even",
		tolerance: "1 point", how: "mode `go`, 50 runs of 10 s", find: even,
	},
	{
		source: "openjdk/jdk pull request 4436, AsyncGetCallTrace", published: "13.83 % of samples have no stack: 7.55, 1.54, 2.28 and 2.45 % by cause",
		tolerance: "0.2 points each", how: "the engine of mode `async`; the shares are its parameters, so this only shows that they come out", find: failing,
	},
	{
		source: "openjdk/jdk pull request 4436, async-profiler", published: "1.88 % of samples have no stack",
		tolerance: "0.2 points", how: "mode `async`; a parameter, too", find: asyncFailing,
	},
	{
		source: "Whaley, A portable sampling-based profiler, JAVA 2000", published: "2 to 4 % slower, at least 90 % accurate",
		tolerance: "both", how: "`artifice bench w5-zipf-50 --intervals 1ms --modes sample`, on device A with its measured costs; overlap of methods", find: whaley,
	},
	{
		source: "Zhuang, Serrano, Cain, Choi, PLDI 2006, stack walks alone", published: "less than 50 % overlap with the calling-context tree",
		tolerance: "below 50 %", how: "`artifice bench TRACE --intervals 10ms --device ideal --modes sample`, overlap of paths", find: walks, recorded: true,
	},
	{
		source: "Zhuang and others, adaptive bursts", published: "85 % overlap, 88 % of hot edges",
		tolerance: "10 points", how: "adaptive bursts of 0.2 ms in each 2 ms; a tenth of those that begin in a known context is taken; every call of javac, javap and jdeps, on average; hot is a tenth of the hottest edge's calls", find: bursts, jdk: true,
	},
	{
		source: "D'Elia, Demetrescu, Finocchi, SPE 2015, bursts of a tenth", published: "counters of hot contexts are wrong by 6.89 to 17.31 %",
		tolerance: "within that range", how: "all of 2 ms in each 20 ms of the same, on average; contexts with 0.01 % of the calls and more", find: hotCounters, jdk: true,
	},
	{
		source: "an article on ART's method trace", published: "a call in 4 samples of 50 ms and not in the 5th took 150 to 250 ms",
		tolerance: "all of them, and no narrower bounds", how: "mode `sample`, 20,000 calls of 1 to 400 ms", find: bounds,
	},
	{
		source: "Mytkowicz, Diwan, Hauswirth, Sweeney, PLDI 2010", published: "99.8 % in `cold`, while `hot`, which has no yield point, works",
		tolerance: "1 point", how: "the built-in `yield-points` for 60 s, a timer of 10 ms with samples at yield points (`thread.Config.AtYields`)", find: yieldPoints,
	},
	{
		source: "Dalvik, commit 5cc61d70, FibonacciSlow", published: "with its JIT 58.8 times as long traced, and 3.0 times in a machine built to be traced",
		tolerance: "20 %", how: "assumes that a traced method is interpreted, except in that machine, and that its events take as long as without JIT, for which the commit has times", find: dalvik,
	},
}

// busy returns a truth of threads that run in one method.
func busy(threads int, length time.Duration) *trace.Recording {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Clock: trace.Dual, Elapsed: length}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: "run"})
	var enters, exits []trace.Event
	for i := range threads {
		id, _ := rec.Symbols.AddThread(trace.Thread{TID: uint32(i + 1)}) // a few
		enters = append(enters, trace.Event{Thread: id})
		exits = append(exits, trace.Event{Thread: id, Action: trace.Exit, Wall: length, CPU: length})
	}
	rec.Events = trace.NewSliceReader(append(enters, exits...))
	return rec
}

// counter counts the samples of each thread.
type counter map[trace.ThreadID]int64

// WriteSnapshot implements [trace.SnapshotWriter].
func (c counter) WriteSnapshot(s *trace.Snapshot) error {
	c[s.Thread] += s.Count
	return nil
}

// samples returns the number of samples of each thread in a recording.
func samples(rec *trace.Recording, err error) (counter, error) {
	if err != nil {
		return nil, err
	}
	c := counter{}
	_, err = trace.Copy(struct {
		trace.Writer
		counter
	}{trace.Discard, c}, rec.Events)
	return c, err
}

func inTurn() (string, bool, error) {
	const length = 160 * time.Second
	c, err := samples(thread.Record(busy(32, length), thread.Config{Interval: 10 * time.Millisecond, Timer: thread.SamplerThread, Turns: 6}))
	if err != nil {
		return "", false, err
	}
	n := float64(c[0])
	share, every := 100*n/(length.Seconds()*100), length.Seconds()*1000/n
	return fmt.Sprintf("%.1f %%, %.1f ms", share, every), math.Abs(share-19) <= 1 && math.Abs(every-53) <= 1, nil
}

// larger returns the larger of the shares of samples of two busy threads.
func larger(way string, seed uint64) (float64, error) {
	t, err := tracer.ByName(way)
	if err != nil {
		return 0, err
	}
	c, err := samples(t.Record(busy(2, 10*time.Second), &tracer.Options{Seed: seed}))
	return 100 * float64(max(c[0], c[1])) / float64(c[0]+c[1]), err
}

func uneven() (string, bool, error) {
	var all []float64
	for seed := range uint64(200) {
		share, err := larger("go-itimer", seed)
		if err != nil {
			return "", false, err
		}
		all = append(all, share)
	}
	slices.Sort(all)
	low, mid, high := all[5], all[100], all[194]
	return fmt.Sprintf("the larger part is %.0f %%, from %.0f to %.0f", mid, low, high), low <= 80 && 80 <= high, nil
}

func even() (string, bool, error) {
	most := 0.0
	for seed := range uint64(50) {
		share, err := larger("go", seed)
		if err != nil {
			return "", false, err
		}
		most = max(most, share)
	}
	return fmt.Sprintf("the larger part is at most %.1f %%", most), most <= 51, nil
}

// yieldPoints samples hot, which has no yield point, and cold: at yield points, and immediately.
func yieldPoints() (string, bool, error) {
	var shares [2]float64
	for i, atYields := range []bool{true, false} {
		truth, err := workload.Must(workload.ByName("yield-points")).Truth(workload.Config{Seed: 1, Duration: time.Minute})
		if err != nil {
			return "", false, err
		}
		rec, err := thread.Record(truth, thread.Config{Interval: 10 * time.Millisecond, AtYields: atYields})
		if err != nil {
			return "", false, err
		}
		p, err := estimate.Read(rec, estimate.Config{MethodsOnly: true})
		if err != nil {
			return "", false, err
		}
		for m := range p.Methods() {
			if rec.Symbols.Method(m.ID).Name == "cold" {
				shares[i] = 100 * m.Exclusive.CPU.Value.Seconds() / p.Tree.Total().CPU.Seconds()
			}
		}
	}
	return fmt.Sprintf("%.1f %%; %.1f %% where samples come at once", shares[0], shares[1]), math.Abs(shares[0]-99.8) <= 1, nil
}

// failed samples a thread for 1000 s and returns the shares of samples that failed, in %.
func failed(run tracer.Run) (shares []float64, err error) {
	rec, err := run.Record(busy(1, 1000*time.Second))
	if err != nil {
		return nil, err
	}
	if _, err := trace.Copy(trace.Discard, rec.Events); err != nil {
		return nil, err
	}
	stats := rec.Events.(*thread.Reader).Stats()
	for _, n := range stats.Failed {
		shares = append(shares, 100*float64(n)/float64(stats.All()))
	}
	return shares, nil
}

func failing() (string, bool, error) {
	published := []float64{7.55, 1.54, 2.28, 2.45}
	cfg := thread.Config{Interval: 10 * time.Millisecond, Seed: 1}
	for i, p := range published {
		cfg.Failures = append(cfg.Failures, thread.Failure{Cause: fmt.Sprint(i), Share: p / 100})
	}
	shares, err := failed(tracer.Threads(cfg))
	if err != nil {
		return "", false, err
	}
	sum, within := 0.0, true
	for i, s := range shares {
		sum += s
		within = within && math.Abs(s-published[i]) <= 0.2
	}
	return fmt.Sprintf("%.2f %%: %.2f, %.2f, %.2f, %.2f %%", sum, shares[0], shares[1], shares[2], shares[3]), within, nil
}

func asyncFailing() (string, bool, error) {
	t, err := tracer.ByName("async")
	if err != nil {
		return "", false, err
	}
	shares, err := failed(t.New(&trace.Info{}, &tracer.Options{Seed: 1}))
	if err != nil {
		return "", false, err
	}
	return fmt.Sprintf("%.2f %%", shares[0]), math.Abs(shares[0]-1.88) <= 0.2, nil
}

// sweep benches ART's sampling of a truth at an interval.
func sweep(truth *trace.Recording, on string, interval time.Duration) (*bench.Row, error) {
	d, err := device.Open(on)
	if err != nil {
		return nil, err
	}
	result, err := bench.Run(context.Background(), truth, bench.Config{Intervals: []time.Duration{interval}, Devices: []device.Device{d}, Phases: 6})
	if err != nil {
		return nil, err
	}
	return &result.Rows[0], nil
}

func whaley() (string, bool, error) {
	truth, err := workload.Must(workload.ByName("w5-zipf-50")).Truth(workload.Config{Seed: 1})
	if err != nil {
		return "", false, err
	}
	r, err := sweep(truth, "A", time.Millisecond)
	if err != nil {
		return "", false, err
	}
	mean := r.Mean.Accuracy()
	slower, accurate := 100*(mean.Slowdown-1), 100*mean.WallCorrect
	return fmt.Sprintf("%.1f %% slower, %.1f %% accurate", slower, accurate), slower >= 2 && slower <= 4 && accurate >= 90, nil
}

func walks() (string, bool, error) {
	truth, err := recorded()
	if err != nil {
		return "", false, err
	}
	defer truth.Close()
	r, err := sweep(truth.Recording, "ideal", 10*time.Millisecond)
	if err != nil {
		return "", false, err
	}
	paths := 100 * r.Mean.Accuracy().PathsCorrect
	return fmt.Sprintf("%.1f %%", paths), paths < 50, nil
}

// bounds samples a thread that makes one call per second, and returns the true durations of calls
// that last four intervals in the file.
func bounds() (string, bool, error) {
	const calls, interval = 20_000, 50 * time.Millisecond
	truth := busy(1, calls*time.Second)
	call := truth.Symbols.AddMethod(trace.Method{Class: "app.Main", Name: "call"})
	events, took := []trace.Event{{}}, make([]time.Duration, calls)
	random := uint64(1)
	for i := range took {
		random = random*6364136223846793005 + 1442695040888963407
		took[i] = time.Millisecond + time.Duration(random>>33)%(400*time.Millisecond)
		begin := time.Duration(i)*time.Second + time.Duration(random>>13)%interval
		events = append(events, trace.Event{Method: call, Wall: begin, CPU: begin}, trace.Event{Method: call, Wall: begin + took[i], CPU: begin + took[i], Action: trace.Exit})
	}
	truth.Events = trace.NewSliceReader(append(events, trace.Event{Action: trace.Exit, Wall: calls * time.Second, CPU: calls * time.Second}))
	rec, err := sampler.Record(truth, sampler.Config{Interval: interval, KeepSymbols: true})
	if err != nil {
		return "", false, err
	}
	least, most, began := time.Hour, time.Duration(0), time.Duration(0)
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := rec.Events.ReadEvents(batch)
		if n == 0 && err == io.EOF {
			break
		}
		if n == 0 {
			return "", false, err
		}
		for _, e := range batch[:n] {
			switch {
			case e.Method != call:
			case e.Action == trace.Enter:
				began = e.Wall
			case e.Wall-began == 4*interval:
				d := took[began/time.Second]
				least, most = min(least, d), max(most, d)
			}
		}
	}
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	within := ms(least) >= 150 && ms(least) < 155 && ms(most) <= 250 && ms(most) > 245
	return fmt.Sprintf("%.0f to %.0f ms", ms(least), ms(most)), within, nil
}

// dalvik predicts the times of the commit with the JIT from those without it, which are of the same
// phone and program. In libdvm.so a traced thread is interpreted, with or without JIT; in
// libdvm_traceview.so compiled code records its calls itself.
func dalvik() (string, bool, error) {
	const (
		untraced                      = 2_801_829 // us, libdvm.so, JIT on
		interpretedTraced             = 164_786_585
		builtInterpreted, builtTraced = 9_952_236, 11_231_707 // libdvm_traceview.so, JIT off
		builtCompiled                 = 4_465_701             // JIT on
		tracedJIT, builtTracedJIT     = 164_664_634, 8_427_846
	)
	ordinary, built := float64(interpretedTraced)/untraced, float64(builtCompiled+builtTraced-builtInterpreted)/untraced
	near := func(ours, theirs float64) bool { return math.Abs(ours/theirs-1) <= 0.2 }
	return fmt.Sprintf("%.1f times, %.1f times", ordinary, built), near(ordinary, float64(tracedJIT)/untraced) && near(built, float64(builtTracedJIT)/untraced), nil
}
