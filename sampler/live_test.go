package sampler

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/trace"
	"artifice/workload"
)

// watchedApp is a live app that records the times of each thread's events.
type watchedApp struct {
	trace.LiveApp
	did map[trace.ThreadID][]time.Duration
	rec *trace.Recording
}

// ReadEvents implements [trace.Reader].
func (a *watchedApp) ReadEvents(p []trace.Event) (int, error) {
	n, err := a.LiveApp.ReadEvents(p)
	for _, e := range p[:n] {
		if !a.rec.Symbols.IsRuntime(e.Method) {
			a.did[e.Thread] = append(a.did[e.Thread], e.Wall)
		}
	}
	return n, err
}

// TestSamplingThreadNeedsCore checks two threads that a sample stops for 1 ms, by hand. The
// sampling thread sleeps for 2 ms and needs a core, which the threads occupy.
//
// On one core, main draws for 3 ms and sleeps until 5. The worker waits from 0 on and the sampling
// thread from 2 on. So the worker is running from 3 on, with 4 ms of work, then the sampling thread
// from 7 to 8, and then main, which draws from 8 to 11. The second sample is due at 10 and begins
// at 11.
//
// On two cores, the first sample waits until main sleeps, at 3. The worker, which has 1 ms of work
// left, ends at 5. From then on a core is free: a sample at 6 stops main, which draws from 5 to 9.
//
// On one core, with main and the sampling thread more urgent than the worker, a sample begins when
// main sleeps, at 3, and another when main ends, at 8, after drawing from 5 to 8. The worker works
// from 4 to 5, then from 9 to 11, when the sampling thread preempts it, and from 12 to 13.
func TestSamplingThreadNeedsCore(t *testing.T) {
	const program = `
name: app
duration: 20ms
slice: 20ms
methods:
  a.Main.draw()V: {do: [{self: 3ms}]}
  a.Work.load()V: {do: [{self: 4ms}]}
  a.Work.sleep()V: {wait: sleep, do: [{self: 2ms}]}
threads:
  - {name: main, priority: %d, do: [{call: a.Main.draw}, {call: a.Work.sleep}, {call: a.Main.draw}]}
  - {name: worker, do: [{call: a.Work.load}]}
cores: [{count: %d}]
`
	// Timestamps are those of the end of a sample, and CPU time starts at the first sample. A
	// thread that ends at the instant of a sample has no frames in it.
	draw, load, sleep := trace.MethodID(0), trace.MethodID(1), trace.MethodID(2)
	for _, c := range []struct {
		name         string
		urgent       int // main's priority
		cores        int
		main, worker []time.Duration
		want         []trace.Event
		waited       time.Duration // time that the sampling thread waits for a core
	}{
		{"one core", 120, 1, []time.Duration{0, 3 * ms, 3 * ms, 8 * ms, 8 * ms, 11 * ms}, []time.Duration{3 * ms, 7 * ms}, []trace.Event{
			{Wall: 8 * ms, Method: sleep},
			{Wall: 12 * ms, CPU: 3 * ms, Method: sleep, Action: trace.Exit},
		}, 5*ms + ms},
		{"two cores", 120, 2, []time.Duration{0, 3 * ms, 3 * ms, 5 * ms, 5 * ms, 9 * ms}, []time.Duration{0, 5 * ms}, []trace.Event{
			{Wall: 4 * ms, Method: sleep}, {Wall: 4 * ms, Method: load, Thread: 1},
			{Wall: 7 * ms, CPU: ms, Method: sleep, Action: trace.Exit}, {Wall: 7 * ms, CPU: ms, Method: draw},
			{Wall: 10 * ms, CPU: 3 * ms, Method: draw, Action: trace.Exit},
		}, ms},
		{"main is urgent", 110, 1, []time.Duration{0, 3 * ms, 3 * ms, 5 * ms, 5 * ms, 8 * ms}, []time.Duration{4 * ms, 13 * ms}, []trace.Event{
			{Wall: 4 * ms, Method: sleep},
			{Wall: 9 * ms, CPU: 3 * ms, Method: sleep, Action: trace.Exit}, {Wall: 9 * ms, CPU: ms, Method: load, Thread: 1},
		}, ms + 2*ms},
	} {
		p, err := workload.ReadYAML(strings.NewReader(fmt.Sprintf(program, c.urgent, c.cores)), "app.yaml")
		if err != nil {
			t.Fatal(err)
		}
		rec, err := p.Truth(workload.Config{Live: true})
		if err != nil {
			t.Fatal(err)
		}
		app := &watchedApp{rec.Events.(trace.LiveApp), map[trace.ThreadID][]time.Duration{}, rec}
		rec.Events = app
		sampled, err := Record(rec, Config{Interval: 2 * ms, Cost: Cost{PerTick: ms}, KeepSymbols: true})
		if err != nil {
			t.Fatal(err)
		}
		var got trace.Buffer
		if _, err := trace.Copy(&got, sampled.Events); err != nil {
			t.Fatal(err)
		}
		for id, want := range [][]time.Duration{c.main, c.worker} {
			if did := app.did[trace.ThreadID(id)]; !slices.Equal(did, want) {
				t.Errorf("%s: thread %d has events at %v, want %v", c.name, id, did, want)
			}
		}
		for i := range got.Events {
			got.Events[i].Site = 0
		}
		if !slices.Equal(got.Events, c.want) {
			t.Errorf("%s: recorded %+v, want %+v", c.name, got.Events, c.want)
		}
		stats := sampled.Events.(*Reader).Stats()
		if stats.Paused != time.Duration(stats.Ticks)*ms || !stats.Live || stats.Late != c.waited {
			t.Errorf("%s: stopped for %v by %d ticks that were late by %v, want %v; live %t", c.name, stats.Paused, stats.Ticks, stats.Late, c.waited, stats.Live)
		}
	}
}
