package instrument

import (
	"strings"
	"testing"
	"time"

	"artifice/art"
	"artifice/trace"
	"artifice/workload"
)

const oneCore = `
name: one-core
duration: 50ms
slice: 20ms
methods:
  a.Main.draw()V: {do: [{self: 3ms}]}
  a.Work.load()V: {do: [{self: 4ms}]}
  a.Work.sleep()V: {wait: sleep, do: [{self: 2ms}]}
threads:
  - {name: main, do: [{call: a.Main.draw}, {call: a.Work.sleep}, {call: a.Main.draw}]}
  - {name: worker, do: [{call: a.Work.load}]}
cores: [{count: 1}]
`

// TestLoopOnCores checks two threads on one core with events that cost 1 ms each, by hand. main has
// the core until it sleeps: it enters draw at 0, has 1 ms of cost and 3 ms of work, and leaves draw
// at 4. The cost of the exit lasts until 5, sleep begins at 5, its cost lasts until 6, and it ends
// at 8. The worker starts at 6, its cost lasts until 7, and it works until 11, because its slice is
// 20 ms; meanwhile main waits. The cost of its exit lasts until 12. Then main leaves its sleep,
// with a cost until 13, draws from 13 to 17, works from 14 on, and is done at 18. If the costs were
// merely added to the untraced truth, in which the worker starts at 3 ms, the worker would not
// delay main.
func TestLoopOnCores(t *testing.T) {
	const ms = time.Millisecond
	want := map[string][]time.Duration{"main": {0, 4 * ms, 5 * ms, 12 * ms, 13 * ms, 17 * ms}, "worker": {6 * ms, 11 * ms}}
	for name, record := range map[string]func(*trace.Recording) (*trace.Recording, error){
		"a plug-in": func(truth *trace.Recording) (*trace.Recording, error) {
			return RecordCalls(truth, CallsConfig{Enter: ms, Exit: ms})
		},
		"ART": func(truth *trace.Recording) (*trace.Recording, error) {
			return Record(truth, Config{Runtime: art.Default(), Streaming: true, KeepSymbols: true, Cost: Cost{Hook: ms}})
		},
	} {
		p, err := workload.ReadYAML(strings.NewReader(oneCore), "one-core.yaml")
		if err != nil {
			t.Fatal(err)
		}
		truth := truthOf(t, p, workload.Config{Live: true})
		rec, err := record(truth)
		if err != nil {
			t.Fatal(err)
		}
		for id, events := range perThread(read(t, rec), len(truth.Symbols.Threads)) {
			thread := truth.Symbols.Threads[id].Name
			for i, e := range events {
				if i >= len(want[thread]) || e.Wall != want[thread][i] {
					t.Errorf("%s, %s: event %d at %v, want %v", name, thread, i, e.Wall, want[thread])
				}
			}
			if len(events) != len(want[thread]) {
				t.Errorf("%s, %s: %d events, want %d", name, thread, len(events), len(want[thread]))
			}
		}
	}
}

// TestPauseAtStart: the app is suspended before its first event, which is at 0 or later, and only
// once.
func TestPauseAtStart(t *testing.T) {
	l := &liveWatcher{starting: true}
	if at, ok := l.NextPause(); at >= 0 || !ok {
		t.Errorf("while tracing starts: at %v, %v", at, ok)
	}
	l.starting = false
	if at, ok := l.NextPause(); ok {
		t.Errorf("afterwards: at %v", at)
	}
}
