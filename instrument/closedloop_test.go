package instrument

import (
	"testing"
	"time"

	"artifice/art"
	"artifice/internal/recorder"
	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/workload"
)

// reporter is the tracer of the closed loop. It takes time for each event, and suspends the app
// while tracing starts. It does not receive frames that were open at the start.
type reporter struct {
	event, start time.Duration
	symbols      *trace.Symbols
	sees         func(*trace.Method) bool
}

func (r *reporter) Event(_ trace.ThreadID, _ time.Duration, m trace.MethodID) time.Duration {
	if method := r.symbols.Method(m); method.Flags&trace.RuntimeInternal != 0 || !r.sees(method) {
		return 0
	}
	return r.event
}

// NextPause implements [recorder.Pauser]. The only pause begins before the truth.
func (r *reporter) NextPause(wall time.Duration) (recorder.Pause, bool) {
	return recorder.Pause{From: -1, To: r.start}, wall < r.start
}

// TestClosedLoop compares a tracer's recorded events, with the delays of each thread by its events,
// with those of an app that runs while each event takes this time (machine.Tracer). The closed loop
// has no delay rules: a wait ends when its condition is met.
func TestClosedLoop(t *testing.T) {
	testdata.Seldom(t, 4)
	const length, cost, reading = 400 * time.Millisecond, 3 * time.Microsecond, time.Microsecond
	for _, p := range testdata.SomeUnlessNamed(t, workload.Builtin(), 8) {
		if p.SharesCores() /* the loop has other delays than its truth */ || p.Name == "convoy" /* TestConvoy */ || p.Name == "w4-function-bias" || p.Name == "tid-reuse" /* threads end at a fixed time */ {
			continue
		}
		for _, way := range []struct {
			name   string
			record func(truth *trace.Recording) (*trace.Recording, error)
			sees   func(*trace.Method) bool
			read   time.Duration // from an event to its time in the record
			// The app is suspended until the frames that are open at the start have been reported.
			starts bool
		}{
			{"ART", func(truth *trace.Recording) (*trace.Recording, error) {
				return Record(truth, Config{Runtime: art.Default(), Streaming: true, KeepSymbols: true, Cost: Cost{WallRead: reading, Hook: cost - reading}})
			}, func(*trace.Method) bool { return true }, reading, true},
			{"a plug-in", func(truth *trace.Recording) (*trace.Recording, error) {
				return RecordCalls(truth, CallsConfig{Enter: cost, Exit: cost, Sees: plain})
			}, plain, 0, false},
		} {
			truth := truthOf(t, p, workload.Config{Seed: 3, Duration: length})
			rec, err := way.record(truth)
			if err != nil {
				t.Fatal(err)
			}
			got := perThread(read(t, rec), len(truth.Symbols.Threads))
			// before counts the reported frames of each thread that were open at the start.
			before := make([]int, len(truth.Symbols.Threads))
			start := time.Duration(0)
			for i, events := range perThread(read(t, truthOf(t, p, workload.Config{Seed: 3, Duration: length})), len(before)) {
				for _, e := range events[:truth.Symbols.Threads[i].Open] {
					if way.sees(truth.Symbols.Method(e.Method)) {
						before[i]++
					}
				}
				if way.starts {
					start += time.Duration(before[i]) * cost
				}
			}
			watch := &reporter{cost, start, truth.Symbols, way.sees}
			loop := truthOf(t, p, workload.Config{Seed: 3, Duration: 3 * length, Tracer: watch})
			want := perThread(read(t, loop), len(loop.Symbols.Threads))
			same := 0
			for id := range got {
				if end := truth.Symbols.Threads[id].End; end > 0 && end == loop.Symbols.Threads[id].End {
					continue // the thread ends at a fixed time, so a slower app does less
				}
				next := 0
				for i, e := range got[id] {
					for next < len(want[id]) && watch.Event(0, 0, want[id][next].Method) == 0 {
						next++
					}
					if i < before[id] {
						next++
						continue // reported while tracing starts, or never
					}
					if next == len(want[id]) {
						t.Errorf("%s by %s, thread %d: event %d of %d is not in the loop: %+v", p.Name, way.name, id, i, len(got[id]), e)
						break
					}
					w := want[id][next]
					if next++; max(w.Wall, start)+way.read != e.Wall || w.Method != e.Method || min(w.Action, 1) != min(e.Action, 1) {
						t.Errorf("%s by %s, thread %d: event %d of %d is %+v, want %+v as in the loop", p.Name, way.name, id, i, len(got[id]), e, w)
						break
					}
					same++
				}
			}
			t.Logf("%s by %s: %d events; slowdown %.4f", p.Name, way.name, same, rec.Info.Elapsed.Seconds()/length.Seconds())
		}
	}
}

func plain(m *trace.Method) bool {
	return m.Flags&(trace.Native|trace.RuntimeInternal|trace.Inlined) == 0
}

func truthOf(t *testing.T, p *workload.Program, cfg workload.Config) *trace.Recording {
	t.Helper()
	rec, err := p.Truth(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func perThread(events []trace.Event, threads int) [][]trace.Event {
	all := make([][]trace.Event, threads)
	for _, e := range events {
		all[e.Thread] = append(all[e.Thread], e)
	}
	return all
}

// TestConvoy checks 50 threads that queue for one lock. If events cost time, they get it in a
// different order, which the truth does not record. But only one thread has the lock at a time, so
// the app's progress at any time equals that of the closed loop, up to one turn of all threads.
func TestConvoy(t *testing.T) {
	const length, cost, turn = 400 * time.Millisecond, 3 * time.Microsecond, 50 * 350 * time.Microsecond
	p := workload.Must(workload.ByName("convoy"))
	truth := truthOf(t, p, workload.Config{Seed: 3, Duration: length})
	rec, err := RecordCalls(truth, CallsConfig{Enter: cost, Exit: cost, Sees: plain})
	if err != nil {
		t.Fatal(err)
	}
	got := len(read(t, rec))
	loop := truthOf(t, p, workload.Config{Seed: 3, Duration: 3 * length, Tracer: &reporter{cost, 0, truth.Symbols, plain}})
	for _, e := range read(t, loop) {
		if !plain(loop.Symbols.Method(e.Method)) {
			continue
		}
		if got--; got == 0 {
			if off := (rec.Info.Elapsed - e.Wall).Abs(); off > turn || e.Wall < length+length/20 {
				t.Errorf("the work ends at %v, want %v as in the loop; untraced at %v", rec.Info.Elapsed, e.Wall, length)
			}
			return
		}
	}
	t.Error("the loop has fewer events")
}
