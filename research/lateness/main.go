// Command lateness prints the slowdown of various apps under sampling, computed in three ways:
//
//	go run ./lateness
//
// The closed loop runs the app with pauses. Waits end when the awaited events occur, so the loop
// needs no model of waits. It is the reference for the other two, which read the truth of an
// untraced run. One delays each thread individually, like all commands of artifice. The other
// delays all threads by one clock, which is correct for a single thread that always runs. Samples
// are taken every millisecond and take 1 ms, as for 60 threads on device A. A sampler takes no
// samples during garbage collection, but the pauses of the loop occur at any time. The loop is
// therefore no reference for cold-start.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"artifice/internal/cli"
	"artifice/internal/recorder"
	"artifice/sampler"

	"artifice/trace"
	"artifice/workload"
)

// app is a row: an app defined here, or a built-in one.
type app struct {
	name     string
	builtin  string
	yaml     string // methods and steps of the threads
	threads  int
	interval time.Duration
}

const ms = time.Millisecond

const (
	work  = "  a.F.work()V: {do: [{self: 5ms}]}\n"
	sleep = "  a.F.sleep()V: {wait: sleep, do: [{self: uniform 4ms..6ms}]}\n"
	vsync = "  a.F.vsync()V: {wait: io, do: [{until_next: 16667us}]}\n  a.F.draw()V: {do: [{self: 8ms}]}\n"
)

// apps are the apps of the table.
var apps = []app{
	{name: "61 sleepers", yaml: "  a.F.sleep()V: {wait: sleep, do: [{self: uniform 998ms..1s}]}\n  a.F.work()V: {do: [{self: 1ms}]}\n|sleep work", threads: 61},
	{name: "one busy thread", yaml: work + "|work", threads: 1},
	{name: "work 5 ms, sleep 5 ms", yaml: work + sleep + "|work sleep", threads: 1},
	{name: "60 Hz, 8 ms of work, fits", yaml: vsync + "|draw vsync", threads: 1},
	{name: "same at 0.5 ms, does not fit", yaml: vsync + "|draw vsync", threads: 1, interval: ms / 2},
	{builtin: "pipeline"}, {builtin: "convoy"}, {builtin: "scroll-60hz"}, {builtin: "cold-start"}, {builtin: "network-client"}, {builtin: "game-loop"}, {builtin: "w8-threads-64"},
}

// every returns the interval of the samples.
func (a *app) every() time.Duration {
	if a.interval == 0 {
		return ms
	}
	return a.interval
}

// program returns the app's program.
func (a *app) program() (*workload.Program, error) {
	if a.builtin != "" {
		return workload.ByName(a.builtin)
	}
	methods, calls, _ := strings.Cut(a.yaml, "|")
	do := ""
	for _, m := range strings.Fields(calls) {
		do += fmt.Sprintf("{call: a.F.%s},", m)
	}
	text := fmt.Sprintf("name: x\nduration: 10s\nmethods:\n  a.F.loop()V:\n%sthreads:\n  - {name: \"t%%d\", count: %d, stack: [a.F.loop], do: [{loop: forever, do: [%s]}]}\n", methods, a.threads, do)
	return workload.ReadYAML(strings.NewReader(text), a.name)
}

// cost is the cost of samples: 1 ms, and sleeps overshoot by 0.25 ± 0.19 ms, as on device A.
var cost = sampler.Cost{Overshoot: 250 * time.Microsecond, OvershootSpread: 190 * time.Microsecond, PerTick: ms}

// stops are the pauses of a sampler, independent of the app.
type stops struct {
	gaps *sampler.Gaps
	list []recorder.Pause
}

// NextPause implements [recorder.Pauser].
func (s *stops) NextPause(wall time.Duration) (recorder.Pause, bool) {
	for len(s.list) == 0 || s.list[len(s.list)-1].To <= wall {
		from := s.gaps.Next()
		if n := len(s.list); n > 0 {
			from += s.list[n-1].To
		}
		s.list = append(s.list, recorder.Pause{From: from, To: from + cost.PerTick})
	}
	low, high := 0, len(s.list)-1 // the first that ends after wall
	for low < high {
		if middle := (low + high) / 2; s.list[middle].To > wall {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return s.list[low], true
}

// Event implements [artifice/workload/internal/machine.Tracer].
func (*stops) Event(trace.ThreadID, time.Duration, trace.MethodID) time.Duration { return 0 }

// walls returns the times of each thread's events.
func walls(rec *trace.Recording) (all [][]time.Duration, err error) {
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := rec.Events.ReadEvents(batch)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		for _, e := range batch[:n] {
			for int(e.Thread) >= len(all) {
				all = append(all, nil)
			}
			all[e.Thread] = append(all[e.Thread], e.Wall)
		}
	}
}

// closedLoop returns the slowdown of the app that runs while it is stopped: its threads run to the
// end of the truth, with the delay of each at its last event of the untraced run.
func closedLoop(p *workload.Program, cfg *sampler.Config) (float64, error) {
	truth, err := p.Truth(workload.Config{Seed: 1})
	if err != nil {
		return 0, err
	}
	alone, err := walls(truth)
	if err != nil {
		return 0, err
	}
	loop, err := p.Truth(workload.Config{Seed: 1, Duration: 5 * truth.Info.Elapsed / 2, Tracer: &stops{gaps: sampler.NewGaps(cfg)}})
	if err != nil {
		return 0, err
	}
	watched, err := walls(loop)
	if err != nil {
		return 0, err
	}
	late := time.Duration(0)
	for id, events := range alone {
		if n := len(events); n > 0 && id < len(watched) && len(watched[id]) >= n {
			late = max(late, watched[id][n-1]-events[n-1])
		}
	}
	return 1 + late.Seconds()/truth.Info.Elapsed.Seconds(), nil
}

// sampled returns the statistics of a sampler of the app, with individual delays or one clock.
func sampled(p *workload.Program, cfg sampler.Config, oneClock bool) (*sampler.Stats, error) {
	truth, err := p.Truth(workload.Config{Seed: 1})
	if err != nil {
		return nil, err
	}
	cfg.OneClock = oneClock
	s, err := sampler.New(truth, cfg, nil)
	if err != nil {
		return nil, err
	}
	if err := sampler.Run(truth, s); err != nil {
		return nil, err
	}
	return s.Stats(), nil
}

// row returns the cells of an app.
func (a *app) row() ([]string, error) {
	p, err := a.program()
	if err != nil {
		return nil, err
	}
	cfg := sampler.Config{Interval: a.every(), Seed: 1, Cost: cost}
	loop, err := closedLoop(p, &cfg)
	if err != nil {
		return nil, err
	}
	byThread, err := sampled(p, cfg, false)
	if err != nil {
		return nil, err
	}
	oneClock, err := sampled(p, cfg, true)
	if err != nil {
		return nil, err
	}
	cells := []string{a.name + a.builtin}
	for _, v := range []float64{loop, byThread.Slowdown(), oneClock.Slowdown(), byThread.Overhead.Running(), byThread.Overhead.Waiting(), 100 * byThread.Overhead.LateShare()} {
		text := fmt.Sprintf("%.4f", v)
		if v != v {
			text = "-"
		}
		cells = append(cells, text)
	}
	return cells, nil
}

func main() {
	flag.Parse()
	t := cli.Table{Columns: []string{"app", "closed loop", "per thread", "one clock", "running", "waiting", "late %"}, Right: []bool{false, true, true, true, true, true, true}}
	for i := range apps {
		cells, err := apps[i].row()
		if err != nil {
			fmt.Fprintf(os.Stderr, "lateness: %s: %v\n", apps[i].name+apps[i].builtin, err)
			os.Exit(1)
		}
		t.Rows = append(t.Rows, cells)
	}
	text, _ := t.Text(0)
	fmt.Print(text)
}
