package format

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/format/internal/kind"
	"artifice/trace"
)

// shown reads an input of four events, at 1 to 4 ms, a number of times, and returns the calls of
// its [Progress], with "-" for Idle.
func shown(t *testing.T, o Order, elapsed time.Duration, readings int) string {
	t.Helper()
	var events []trace.Event
	for i := range 4 {
		events = append(events, trace.Event{Wall: time.Duration(i+1) * time.Millisecond})
	}
	open := func() *trace.Recording {
		rec := &trace.Recording{Symbols: &trace.Symbols{Threads: []trace.Thread{{End: 4 * time.Millisecond}}}, Events: trace.NewSliceReader(events)}
		rec.Info.Elapsed = elapsed
		return rec
	}
	shown := &shownProgress{}
	opened := &kind.Opened{Recording: open()}
	opened.File = reopened{opened, open}
	in := &Input{Recording: opened.Recording, Name: "app.trace", Format: &dmtrace.Format, opened: opened, cfg: Config{Order: o, Progress: shown}}
	in.deliver()
	for range readings {
		rec, err := in.FromStart()
		if err != nil {
			t.Fatal(err)
		}
		batch := make([]trace.Event, 2)
		for n := 1; n > 0; {
			n, _ = rec.Events.ReadEvents(batch)
		}
	}
	return strings.Join(shown.calls, " ")
}

// shownProgress records calls of a [Progress].
type shownProgress struct{ calls []string }

func (p *shownProgress) Bytes(done, total int64) {}
func (p *shownProgress) Time(done, total int64) {
	p.calls = append(p.calls, fmt.Sprintf("%d/%d", done, total))
}
func (p *shownProgress) Idle() { p.calls = append(p.calls, "-") }

// reopened is a file that each Rewind opens again.
type reopened struct {
	opened *kind.Opened
	open   func() *trace.Recording
}

func (r reopened) Rewind() error { r.opened.Recording = r.open(); return nil }
func (reopened) Close() error    { return nil }

// TestProgressOfTime: an input in time order reports its time and its end. A ground truth also
// reports them at later readings.
func TestProgressOfTime(t *testing.T) {
	for _, c := range []struct {
		order    Order
		elapsed  time.Duration
		readings int
		want     string
	}{
		{AsTruth, 5 * time.Millisecond, 1, "2000/5000 4000/5000 -"},
		{AsTruth, 0, 2, "2000/4000 4000/4000 - 2000/4000 4000/4000 -"}, // no elapsed time: to the last event
		{ByTime, 5 * time.Millisecond, 2, "2000/5000 4000/5000 - -"},
		{ByFile, 5 * time.Millisecond, 1, "-"}, // progress in bytes
	} {
		if got := shown(t, c.order, c.elapsed, c.readings); got != c.want {
			t.Errorf("order %d, %d readings: %s, want %s", c.order, c.readings, got, c.want)
		}
	}
}

// TestStop: a stopped input reports Idle.
func TestStop(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	progress := &shownProgress{}
	rec := &trace.Recording{Symbols: &trace.Symbols{}, Events: trace.NewSliceReader(make([]trace.Event, 8))}
	in := &Input{Recording: rec, Format: &dmtrace.Format, cfg: Config{Stop: ctx.Err, Progress: progress}}
	in.deliver()
	batch := make([]trace.Event, 2)
	if n, err := in.Events.ReadEvents(batch); n != 2 || err != nil || len(progress.calls) != 0 {
		t.Errorf("%d events, error %v, %d calls of Idle", n, err, len(progress.calls))
	}
	cancel()
	if n, err := in.Events.ReadEvents(batch); n != 0 || err != context.Canceled || len(progress.calls) != 1 {
		t.Errorf("after the stop: %d events, error %v, %d calls of Idle", n, err, len(progress.calls))
	}
}

// liveApp is an app that runs while it is read.
type liveApp struct {
	trace.Reader
	watcher trace.Watcher
}

func (a *liveApp) Watch(w trace.Watcher) { a.watcher = w }

// watcher is a tracer.
type watcher struct{ trace.Watcher }

// TestStopLive: an app that runs while it is read can be stopped like a file, also if its delivery is
// prepared twice, and still be traced.
func TestStopLive(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	app := &liveApp{Reader: trace.NewSliceReader(make([]trace.Event, 8))}
	in := &Input{Recording: &trace.Recording{Symbols: &trace.Symbols{}, Events: app}, Format: &dmtrace.Format, cfg: Config{Stop: ctx.Err}}
	in.deliver()
	once := in.Events
	in.deliver()
	if in.Events != once {
		t.Error("the events are delivered by two readers")
	}
	live, ok := in.Events.(trace.LiveApp)
	if !ok {
		t.Fatal("the app cannot be traced")
	}
	w := &watcher{}
	live.Watch(w)
	if app.watcher != w {
		t.Error("the app has not received its tracer")
	}
	batch := make([]trace.Event, 2)
	if n, err := in.Events.ReadEvents(batch); n != 2 || err != nil {
		t.Errorf("%d events, error %v", n, err)
	}
	cancel()
	if n, err := in.Events.ReadEvents(batch); n != 0 || err != context.Canceled {
		t.Errorf("after the stop: %d events, error %v", n, err)
	}
}
