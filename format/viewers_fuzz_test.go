package format_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"artifice/format/internal/kind"
	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/trace/calltree"
)

// FuzzViewers checks that, for any events, every format has one end per begin. If times never
// decrease, it has exactly the calls of referenceCalls.
func FuzzViewers(f *testing.F) {
	f.Add([]byte{0, 0, 10, 0, 1, 20, 2, 1, 5, 2, 0, 1}, false)
	f.Add([]byte{2, 0, 10, 0, 0, 200, 1, 2, 5, 3, 1, 1, 0, 1, 255, 5, 0, 0}, true)
	f.Add([]byte{4, 0, 255, 0, 1, 128, 2, 0, 0}, true)
	f.Add([]byte{0, 0, 10, 0, 1, 1, 2, 20, 5, 32, 0, 1}, false) // frames open before the stop
	f.Fuzz(func(t *testing.T, in []byte, back bool) {
		rec := testdata.ExampleRecording()
		rec.Info.Technique = trace.Instrumented // open frames end at the stop
		events := eventsOf(in, rec.Symbols, back)
		coarse := slices.Clone(events) // whole microseconds, to distinguish the nanoseconds that chrome adds
		for i := range coarse {
			coarse[i].Wall *= 1000
		}
		for _, v := range viewers {
			events := events
			if v.format == "chrome" {
				events = coarse
			}
			for _, until := range []calltree.EndPolicy{calltree.UntilEnd, calltree.UntilStop} {
				file, _ := viewerFile(t, v.format, rec, events, kind.WriteOptions{Until: until})
				got := v.decode(t, file)
				if back || until == calltree.UntilStop {
					continue
				}
				want := referenceCalls(rec, events)
				if got, want := inFormat(got, v.cpu, 1), inFormat(want, v.cpu, v.rounding); !slices.Equal(got, want) {
					t.Errorf("%s: %d calls, want %d; first difference\n%s", v.format, len(got), len(want), firstDiff(got, want))
				}
			}
		}
	})
}

// mostEvents is the maximum number of events of an input.
const mostEvents = 200

// eventsOf returns an event for every three bytes: thread and action, method, and the power of two
// by which time increases or, if back is set, decreases.
//
// Folded stacks contain the names of all frames, so that the time of a target grows with the square
// of the number of events: with 600, an input took 6 s.
func eventsOf(in []byte, symbols *trace.Symbols, back bool) []trace.Event {
	var events []trace.Event
	var wall, cpu time.Duration
	for ; len(in) >= 3 && len(events) < mostEvents; in = in[3:] {
		step := time.Duration(math.Exp2(float64(in[2] & 31)))
		if back && in[2] >= 128 {
			step = -step
		}
		wall = max(wall+step, 0)
		cpu = max(cpu+step/2, 0)
		events = append(events, trace.Event{
			Wall: wall, CPU: cpu, Thread: trace.ThreadID(int(in[0]>>2) % len(symbols.Threads)),
			Action: trace.Action(in[0] & 3), Method: trace.MethodID(int(in[1]) % len(symbols.Methods)),
		})
	}
	return events
}
