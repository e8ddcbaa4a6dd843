package sampler

import (
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/lateness"
	"artifice/trace"
	"artifice/workload"
)

// told is an app that is watched, with what it has done.
type told struct {
	lateness.App
	did map[trace.ThreadID][]time.Duration
	rec *trace.Recording
}

// ReadEvents implements [trace.Reader].
func (a *told) ReadEvents(p []trace.Event) (int, error) {
	n, err := a.App.ReadEvents(p)
	for _, e := range p[:n] {
		if !a.rec.Symbols.IsRuntime(e.Method) {
			a.did[e.Thread] = append(a.did[e.Thread], e.Wall)
		}
	}
	return n, err
}

// TestWatching: two threads on one core, that a sample stops for 1 ms each 2 ms of theirs: from 2 to 3 ms, 5 to 6, 8 to 9
// and so on. By hand: main draws for 3 ms, so until 4, and sleeps for 2, until 6, when the pause is over. The worker has the
// core from 4 on, and 4 ms of work: to 5, 6 to 8, 9 to 10. Main, which has waited for it since 6, draws from 10 to 11 and 12 to
// 14. Laid over what they do untraced, where the worker has the core from 3 to 7 ms and main from 7 to 10, both would lose other
// pauses.
func TestWatching(t *testing.T) {
	p, err := workload.ReadYAML(strings.NewReader(`
name: one-core
duration: 20ms
slice: 20ms
methods:
  a.Main.draw()V: {do: [{self: 3ms}]}
  a.Work.load()V: {do: [{self: 4ms}]}
  a.Work.sleep()V: {wait: sleep, do: [{self: 2ms}]}
threads:
  - {name: main, do: [{call: a.Main.draw}, {call: a.Work.sleep}, {call: a.Main.draw}]}
  - {name: worker, do: [{call: a.Work.load}]}
cores: [{count: 1}]
`), "one-core.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := p.Truth(workload.Config{Live: true})
	if err != nil {
		t.Fatal(err)
	}
	app := &told{rec.Events.(lateness.App), map[trace.ThreadID][]time.Duration{}, rec}
	rec.Events = app
	sampled, err := Record(rec, Config{Interval: 2 * ms, Cost: Cost{PerTick: ms}, KeepSymbols: true})
	if err != nil {
		t.Fatal(err)
	}
	var got trace.Buffer
	if _, err := trace.Copy(&got, sampled.Events); err != nil {
		t.Fatal(err)
	}
	for id, want := range [][]time.Duration{{0, 4 * ms, 4 * ms, 10 * ms, 10 * ms, 14 * ms}, {4 * ms, 10 * ms}} {
		if did := app.did[trace.ThreadID(id)]; !slices.Equal(did, want) {
			t.Errorf("thread %d has events at %v, want %v", id, did, want)
		}
	}
	// Samples begin at 2, 5, 8, 11 and 14 ms and have stamps of when they are over. CPU time counts from the first: main has
	// used 1 ms more when it sleeps, 2 at 11 ms and 4 at 14, at which it ends; the worker 1 at 5. That has ended by 11, without an event.
	draw, load, sleep := trace.MethodID(0), trace.MethodID(1), trace.MethodID(2)
	want := []trace.Event{
		{Wall: 3 * ms, Method: draw},
		{Wall: 6 * ms, CPU: ms, Method: draw, Action: trace.Exit}, {Wall: 6 * ms, CPU: ms, Method: sleep}, {Wall: 6 * ms, CPU: ms, Method: load, Thread: 1},
		{Wall: 12 * ms, CPU: 2 * ms, Method: sleep, Action: trace.Exit}, {Wall: 12 * ms, CPU: 2 * ms, Method: draw},
		{Wall: 15 * ms, CPU: 4 * ms, Method: draw, Action: trace.Exit},
	}
	for i := range got.Events {
		got.Events[i].Site = 0
	}
	if !slices.Equal(got.Events, want) {
		t.Errorf("recorded %+v, want %+v", got.Events, want)
	}
	stats := sampled.Events.(*Reader).Stats()
	if !stats.Live || stats.Paused != time.Duration(stats.Ticks)*ms {
		t.Errorf("stopped for %v by %d ticks, live %t", stats.Paused, stats.Ticks, stats.Live)
	}
}
