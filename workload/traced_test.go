package workload

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// watcher suspends all threads for stop after each run, and takes cost for each event.
type watcher struct{ run, stop, cost time.Duration }

func (w watcher) NextPause(wall time.Duration) (recorder.Pause, bool) {
	if w.stop == 0 {
		return recorder.Pause{}, false
	}
	k := max(0, (wall-w.run-w.stop)/(w.run+w.stop))
	for (k+1)*(w.run+w.stop) <= wall {
		k++
	}
	from := k*(w.run+w.stop) + w.run
	return recorder.Pause{From: from, To: from + w.stop}, true
}

func (w watcher) Event(trace.ThreadID, time.Duration, trace.MethodID) time.Duration { return w.cost }

// TestTracedByHand checks the ends of threads under a tracer, computed by hand.
func TestTracedByHand(t *testing.T) {
	const head = "name: x\nmethods:\n" +
		"  a.F.work()V: {do: [{self: 7ms}]}\n" +
		"  a.F.jni()V: {flags: native, do: [{self: 7ms}]}\n" +
		"  a.F.sleep()V: {wait: sleep, do: [{self: 10ms}]}\n" +
		"  a.F.frame()V: {wait: io, do: [{until_next: 20ms}]}\n" +
		"  a.F.timer()V: {wait: io, do: [{until_next: 20ms, missed: at once}]}\n" +
		"  a.F.long()V: {do: [{self: 15ms}]}\n" +
		"threads:\n  - {name: main, do: "
	pauses, events := watcher{run: 4 * time.Millisecond, stop: 2 * time.Millisecond}, watcher{cost: time.Millisecond}
	for _, c := range []struct {
		name, do string
		tracer   watcher
		want     time.Duration // end of the thread
	}{
		// Pauses are from 4 to 6, 10 to 12, 16 to 18 and 22 to 24 ms.
		{"work meets one pause", "[{call: a.F.work}]", pauses, 9 * time.Millisecond},
		{"native code meets none", "[{call: a.F.jni}]", pauses, 7 * time.Millisecond},
		{"native code ends in a pause", "[{call: a.F.jni}, {call: a.F.jni}, {call: a.F.jni}]", pauses, 21 * time.Millisecond},
		{"from 7 to 14, then 21", "[{call: a.F.jni}, {call: a.F.jni}]", pauses, 14 * time.Millisecond},
		{"a sleep ends at 10, when the pause begins; work of 7 then is 12 to 16, 18 to 21", "[{call: a.F.sleep}, {call: a.F.work}]", pauses, 21 * time.Millisecond},
		{"work to 9; sleep to 19; work 19 to 22, 24 to 28", "[{call: a.F.work}, {call: a.F.sleep}, {call: a.F.work}]", pauses, 28 * time.Millisecond},
		{"a sleep that ends in a pause goes on at its end: 9 to 19, 29 (in 28 to 30) is 30", "[{call: a.F.work}, {call: a.F.sleep}, {call: a.F.sleep}]", pauses, 30 * time.Millisecond},
		{"a frame of 9 ms is on time", "[{call: a.F.work}, {call: a.F.frame}]", pauses, 20 * time.Millisecond},
		{"15 ms of work take 21: the next frame, at the instant at which a pause begins", "[{call: a.F.long}, {call: a.F.frame}]", pauses, 40 * time.Millisecond},
		{"a timer's first tick after 21 is 40; then 15 ms from 42 on are done at 63, after the tick", "[{loop: 2, do: [{call: a.F.long}, {call: a.F.timer}]}]", pauses, 63 * time.Millisecond},
		{"events take 1 ms each, and the thread runs for it", "[{call: a.F.work}]", events, 9 * time.Millisecond},
		{"1+7+1, 1+10, and the last event's", "[{call: a.F.work}, {call: a.F.sleep}]", events, 21 * time.Millisecond},
		{"1+7+1, 1 and waits to 20, 1", "[{call: a.F.work}, {call: a.F.frame}]", events, 21 * time.Millisecond},
		{"1+15+1, 1, to 20, 1: 21; 1+15+1: 38, 1, 40, 1", "[{loop: 2, do: [{call: a.F.long}, {call: a.F.frame}]}]", events, 41 * time.Millisecond},
	} {
		for _, cores := range []string{"", "cores: [{count: 1}]\n"} {
			rec := truthOf(t, mustRead(t, head+c.do+"}\n"+cores), Config{Duration: time.Second, Tracer: c.tracer})
			if _, err := trace.Copy(trace.Discard, rec.Events); err != nil {
				t.Fatal(err)
			}
			if got := rec.Symbols.Thread(0).End; got != c.want {
				t.Errorf("%s (%s): ends at %v, want %v", c.name, strings.TrimSpace(cores), got, c.want)
			}
		}
	}
}

// TestTracedOnCores checks that, with a core for each thread, a program on cores under a tracer has
// the same events as without cores.
func TestTracedOnCores(t *testing.T) {
	w := watcher{run: 1100 * time.Microsecond, stop: 250 * time.Microsecond, cost: 3 * time.Microsecond}
	for _, p := range Builtin() {
		if p.SharesCores() || len(p.threads) > maxCores || p.Name == "w4-function-bias" { // its calls would take seconds
			continue
		}
		cfg := Config{Seed: 3, Duration: 200 * time.Millisecond, Tracer: w}
		want := byThread(t, truthOf(t, p, cfg))
		got := byThread(t, truthOf(t, mustRead(t, string(p.Source())+fmt.Sprintf("\ncores: [{count: %d}]\n", len(p.threads))), cfg))
		for id := range want {
			for i, e := range want[id] {
				if e.Wall == cfg.Duration {
					break // truncated
				}
				if i >= len(got[id]) || got[id][i] != e {
					t.Errorf("%s, thread %d: event %d of %d is not %+v", p.Name, id, i, len(want[id]), e)
					break
				}
			}
		}
	}
}
