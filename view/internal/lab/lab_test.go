package lab

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// twoMethods is an app that alternates between two methods, for 3 and 1 ms, and never waits.
const twoMethods = `name: two
duration: 2s
methods:
  app.Main.run()V: {do: [{loop: 500, do: [{call: app.Main.long()V}, {call: app.Main.short()V}]}]}
  app.Main.long()V: {do: [{self: 3ms}]}
  app.Main.short()V: {do: [{self: 1ms}]}
threads:
  - name: main
    do: [{call: app.Main.run()V}]
`

// opened returns an engine with an open app.
func opened(t *testing.T, yaml string) *Engine {
	t.Helper()
	file := filepath.Join(t.TempDir(), "app.yaml")
	if err := os.WriteFile(file, []byte(yaml), 0o666); err != nil {
		t.Fatal(err)
	}
	e := &Engine{}
	if _, err := e.Do(t.Context(), &Request{Op: "open", Name: file}); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestExplainedSampler samples an app that never waits: its slowdown is (interval + pause) /
// interval, and the period is interval + pause. The methods' shares are 3/4 and 1/4.
func TestExplainedSampler(t *testing.T) {
	e := opened(t, twoMethods)
	for _, c := range []struct{ every, pause float64 }{{5, 1}, {3, 0.5}, {7, 0}} {
		a, err := e.Do(t.Context(), &Request{Op: "look", Every: c.every, Pause: c.pause})
		if err != nil {
			t.Fatal(err)
		}
		g := a.Value.(*glance)
		if want := (c.every + c.pause) / c.every; math.Abs(*g.Slowdown-want) > 0.005 {
			t.Errorf("every %g ms for %g ms: slowdown %g, want %g", c.every, c.pause, *g.Slowdown, want)
		}
		if want := (c.every + c.pause) / 1000; math.Abs(*g.Period-want) > want/1000 {
			t.Errorf("every %g ms for %g ms: period %g s, want %g", c.every, c.pause, *g.Period, want)
		}
		if g.Called != 3 || len(g.Missed) != 0 || !g.Whole || g.Length != 2e9 {
			t.Errorf("%d methods, missed %q, whole %t, %d ns long; want 3, none, true, 2 s", g.Called, g.Missed, g.Whole, g.Length)
		}
		for i, want := range []methodBar{{Name: "Main.long", True: 0.75}, {Name: "Main.short", True: 0.25}} {
			if b := g.Rows[i]; b.Name != want.Name || b.True != want.True || !b.Seen || b.Low > want.True || b.High < want.True {
				t.Errorf("every %g ms: %+v, want %+v inside the interval", c.every, b, want)
			}
		}
		if !strings.HasPrefix(string(a.Bytes), "ARTVIEW1") {
			t.Errorf("the picture's data begin with %.8q", a.Bytes)
		}
	}
}

// TestExplainedSamplerWithFewSamples checks the methods missed by a sampler with two samples, both
// of the same method.
func TestExplainedSamplerWithFewSamples(t *testing.T) {
	e := opened(t, twoMethods)
	a, err := e.Do(t.Context(), &Request{Op: "look", Every: 900})
	if err != nil {
		t.Fatal(err)
	}
	g := a.Value.(*glance)
	if len(g.Missed) != 1 || g.Missed[0] != "Main.short" { // at 900 and 1800 ms, main is at the begin of long
		t.Errorf("missed %q, want Main.short", g.Missed)
	}
}

// TestStop stops a sweep before it begins.
func TestStop(t *testing.T) {
	e := opened(t, twoMethods)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a, err := e.Do(ctx, &Request{Op: "sweep", Device: "A"}); err == nil {
		t.Errorf("a stopped sweep returns %+v, want an error", a.Value)
	}
}

// TestRefused sends requests that cannot be answered.
func TestRefused(t *testing.T) {
	e := opened(t, twoMethods)
	empty := &Engine{}
	for _, c := range []struct {
		engine *Engine
		ask    Request
		want   string
	}{
		{empty, Request{Op: "look"}, "no source is open"},
		{empty, Request{Op: "open", Name: "no-such.trace"}, "no-such.trace"},
		{e, Request{Op: "fly"}, `no operation "fly"`},
		{e, Request{Op: "look", Every: 0.0001}, "interval"},
		{e, Request{Op: "sweep", Device: "Z"}, "Z"},
		{e, Request{Op: "plan", Method: "nobody", Change: 0.1, Budget: 0.1, Device: "A"}, "nobody"},
		{e, Request{Op: "save", File: "bench.csv"}, "nothing was measured"},
	} {
		if _, err := c.engine.Do(t.Context(), &c.ask); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want an error with %q", c.ask, err, c.want)
		}
	}
}

// TestStoppedPage stops the page of a source before the source is read.
func TestStoppedPage(t *testing.T) {
	e := opened(t, twoMethods)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e.source.worker = &impatient{ctx: ctx, cancel: cancel}
	var page strings.Builder
	if err := e.source.writeView(&page, "1"); !errors.Is(err, context.Canceled) || page.Len() > 0 {
		t.Errorf("%d bytes, error %v", page.Len(), err)
	}
}

// TestClosedLoopSweep checks two threads that are always busy. A sampler that sleeps for 4 ms and
// stops both for 1 ms lengthens 4 ms to 5: a slowdown of 1.25. If they share a core with the
// sampler, in slices of 1 ms, another thread has the next slice when its sleep ends. So the sampler
// lengthens 5 ms to 6: 1.2. The page then states that each trace is of a separate run.
func TestClosedLoopSweep(t *testing.T) {
	for cores, want := range map[string]bool{"": false, "cores: [{count: 1}]\nslice: 1ms\n": true} {
		e := opened(t, strings.ReplaceAll(twoMethods, "duration: 2s\n", "duration: 200ms\n"+cores)+"  - {name: other, do: [{call: app.Main.run()V}]}\n")
		s, err := e.source.trySweep(t.Context(), "A")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(s.advice(), "\n"), "each trace is of a separate run"); got != want {
			t.Errorf("with %q, the page states separate runs: %t, want %t", cores, got, want)
		}
		g, err := e.source.look(4*time.Millisecond, time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		slowdown := 1.25
		if want {
			slowdown = 1.2
		}
		if math.Abs(*g.Slowdown-slowdown) > 0.005 {
			t.Errorf("with %q, a glance has slowdown %g, want %g", cores, *g.Slowdown, slowdown)
		}
	}
}

// impatient is a worker that stops the work at its 50th turn.
type impatient struct {
	ctx    context.Context
	cancel context.CancelFunc
	turns  int
}

func (w *impatient) Yield() error {
	if w.turns++; w.turns == 50 {
		w.cancel()
	}
	return w.ctx.Err()
}

func (*impatient) Report(string, float64, float64) {}

// TestClosedLoopSweepStops checks that a sweep of such an app ends without a result as soon as it
// is stopped and the page can run again.
func TestClosedLoopSweepStops(t *testing.T) {
	e := opened(t, strings.ReplaceAll(twoMethods, "duration: 2s\n", "duration: 2s\ncores: [{count: 1}]\n"))
	ctx, cancel := context.WithCancel(t.Context())
	w := &impatient{ctx: ctx, cancel: cancel}
	e.source.worker = w
	if _, err := e.Do(ctx, &Request{Op: "sweep", Device: "A"}); err == nil || err.Error() != "stopped before anything was measured" || w.turns > 60 {
		t.Errorf("after %d turns: %v", w.turns, err)
	}
}
