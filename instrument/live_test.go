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

// TestLoopOnCores: two threads on one core, with events that cost 1 ms each. By hand: main has the
// core until it sleeps, at 0 draw, 1 ms of cost, 3 of work: ends at 4; the cost of its end lasts to
// 5; sleep begins at 5, cost to 6, and ends at 8. The worker starts at 6, cost to 7, works to 11
// (its slice is 20 ms, and main waits); cost of its end to 12. Then main leaves its sleep, cost to
// 13, draws from 13, 14 to 17, and is done at 18. With the costs merely added to the untraced
// truth, where the worker starts at 3 ms, main would not delay it.
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
