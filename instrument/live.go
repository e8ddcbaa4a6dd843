package instrument

import (
	"time"

	"artifice/trace"
)

// liveWatcher is a tracer of a live app. It is a [trace.Watcher].
type liveWatcher tracer

// OwnThread implements [trace.Watcher]: the thread that starts tracing is one of the app's.
func (l *liveWatcher) OwnThread() bool { return false }

// NextPause implements [trace.Watcher]: the app is suspended while tracing starts, before its first
// event.
func (l *liveWatcher) NextPause() (at time.Duration, ok bool) { return -1, l.starting }

// Suspend implements [trace.Watcher].
func (l *liveWatcher) Suspend(time.Duration) time.Duration {
	t := (*tracer)(l)
	t.begin()
	return t.offset
}

// Ran implements [trace.Watcher]: managed code is slower while calls are reported.
func (l *liveWatcher) Ran(e *trace.Event) time.Duration {
	t := (*tracer)(l)
	if t.timing.code == 0 || int(e.Thread) >= len(t.threads) {
		return 0
	}
	th := &t.threads[e.Thread]
	longer := t.slower(th, e)
	th.pace.wall, th.pace.cpu = e.Wall+longer, max(th.pace.cpu, e.CPU)+longer // no managed code used the additional time
	return longer
}

// Happens implements [trace.Watcher].
func (l *liveWatcher) Happens(e *trace.Event) time.Duration {
	t := (*tracer)(l)
	if t.loopErr != nil {
		return 0
	}
	one := [1]trace.Event{*e}
	t.sync()
	if t.loopErr = t.takeBatch(one[:]); t.loopErr != nil || t.starting {
		return 0
	}
	th := &t.threads[e.Thread]
	cost := th.Settle()
	if t.timing.code > 0 {
		t.setPace(th, e)
		th.pace.wall, th.pace.cpu = th.pace.wall+cost, th.pace.cpu+cost
	}
	return cost
}
