package instrument

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/art"
	"artifice/format/dmtrace"

	"artifice/internal/testdata"
	"artifice/trace"
)

// anyTruth returns a truth of random calls with every feature of truths: frames open at the start
// and at the end, threads that start, end and have reused tids, runtime methods, and proxies.
func anyTruth(seed uint64) *script {
	rng := rand.New(rand.NewPCG(seed, 2))
	s := newScript()
	for i, flags := range []trace.MethodFlags{0, 0, trace.Native, trace.Proxy, trace.RuntimeInternal, trace.Collector, 0} {
		s.method(string(rune('a'+i)), flags)
	}
	var start time.Duration
	for i := range 1 + rng.IntN(6) {
		if i > 0 && rng.IntN(2) == 0 {
			start += time.Duration(rng.IntN(300)) * time.Microsecond
		}
		a := s.thread("t", uint32(100+rng.IntN(4)), start)
		a.cpu = time.Duration(rng.IntN(50)) * time.Microsecond
		if start == 0 {
			for range rng.IntN(4) {
				a.open(string(rune('a' + rng.IntN(7))))
			}
		}
		for range rng.IntN(40) {
			for len(a.stack) > 0 && rng.IntN(3) == 0 {
				a.step(rng).leave(trace.Action(1 + rng.IntN(2)))
			}
			a.step(rng).enter(string(rune('a' + rng.IntN(7))))
		}
		if a.step(rng); rng.IntN(2) == 0 && a.wall > 0 {
			a.ends()
		}
		s.elapsed = max(s.elapsed, a.wall)
	}
	return s
}

// anyConfig returns a random configuration.
func anyConfig(seed uint64) Config {
	rng := rand.New(rand.NewPCG(seed, 3))
	cfg := Config{Runtime: art.All()[rng.IntN(len(art.All()))], Clock: trace.Clock(rng.IntN(3)), Seed: seed, NotDebuggable: rng.IntN(4) == 0}
	cfg.Streaming = cfg.Runtime.StreamFormat != "" && rng.IntN(2) == 0
	if cfg.Runtime.V2Format != "" && rng.IntN(3) == 0 {
		cfg.V2 = true
		// Android 15 writes an incorrect output mode file.
		cfg.Streaming = cfg.Streaming || cfg.Runtime.Name == "art15"
	}
	if rng.IntN(3) > 0 {
		cfg.Cost = usualCost
	}
	if rng.IntN(4) == 0 {
		cfg.Cost.Granularity = 30518
	}
	if rng.IntN(4) == 0 {
		cfg.BufferSize = 1024 + rng.Int64N(4096)
	}
	return cfg
}

// TestEveryRecordingIsATrace checks that every recording has the invariants of a trace, does not
// depend on the batches of the truth, and is unchanged when its file is read back.
func TestEveryRecordingIsATrace(t *testing.T) {
	testdata.Seldom(t, 4)
	for seed := range uint64(400) {
		checkRecording(t, seed)
	}
}

func FuzzRecording(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { checkRecording(t, seed) })
}

func checkRecording(t *testing.T, seed uint64) {
	t.Helper()
	cfg := anyConfig(seed)
	rec, events := record(t, anyTruth(seed).truth(), cfg)
	open := openProxies(anyTruth(seed))
	checker := trace.NewChecker(&rec.Info, rec.Symbols, func(v *trace.Violation) {
		if !v.Rule.Normal() && !(open && v.Rule == trace.ExitMatches) {
			t.Errorf("seed %d, %+v: %v", seed, cfg, v)
		}
	})
	checker.WriteEvents(events)
	checker.Close()

	truth := anyTruth(seed).truth()
	truth.Events = &slowReader{truth.Events}
	again, same := record(t, truth, cfg)
	if diff := cmp.Diff(events, same); diff != "" {
		t.Errorf("seed %d: events depend on the batches of the truth:\n%s", seed, diff)
	}
	if diff := cmp.Diff(rec.Source, again.Source); diff != "" {
		t.Errorf("seed %d: the layout depends on the batches of the truth:\n%s", seed, diff)
	}
	// An exit in format V2 of 17 has no method: without its enter, it ends the caller.
	if !open || !cfg.V2 || cfg.Runtime.Name != "art17" {
		checkFile(t, seed, cfg, rec, events)
	}
	checkKept(t, seed, cfg, events)
}

// openProxies reports whether a truth has calls of proxies that begin before the trace. Their exits
// are reported without an enter, or twice.
func openProxies(s *script) bool {
	for id, th := range s.symbols.Threads {
		for _, e := range of(s.events, id)[:th.Open] {
			if s.symbols.Methods[e.Method].Flags&trace.Proxy != 0 {
				return true
			}
		}
	}
	return false
}

// withProxies returns a thread's events of a truth as the runtime reports those of proxies: up to
// Android 9 only the exits of calls that began before the trace; from 10 to 13 these exits twice;
// from 14 on without their enters.
func withProxies(r *art.Runtime, s *script, events []trace.Event, open int) (all []trace.Event) {
	var stack []bool // of open calls, whether they began before the trace
	old := slices.Contains([]string{"art8", "art9"}, r.Name)
	twice := slices.Contains([]string{"art10", "art11", "art12", "art13"}, r.Name)
	for i, e := range events {
		before := i < open
		if e.Action == trace.Enter {
			stack = append(stack, before)
		} else {
			before, stack = stack[len(stack)-1], stack[:len(stack)-1]
		}
		switch proxy := s.symbols.Methods[e.Method].Flags&trace.Proxy != 0; {
		case !proxy || r.Name == "dalvik":
			all = append(all, e)
		case old && !before, !old && !twice && before && e.Action == trace.Enter:
			// not reported
		case twice && before && e.Action != trace.Enter:
			all = append(all, e, e)
		default:
			all = append(all, e)
		}
	}
	return all
}

// slowReader returns one event at a time.
type slowReader struct{ r trace.Reader }

func (s *slowReader) ReadEvents(p []trace.Event) (int, error) {
	return s.r.ReadEvents(p[:min(1, len(p))])
}

// checkFile writes the recording and reads it back.
func checkFile(t *testing.T, seed uint64, cfg Config, rec *trace.Recording, events []trace.Event) {
	t.Helper()
	var file bytes.Buffer
	output := dmtrace.Streamed
	if !cfg.Streaming {
		output = dmtrace.EntriesLast
	}
	w, err := dmtrace.NewWriter(&file, rec, dmtrace.Options{Output: output, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteEvents(events); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if err := w.Close(); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	back, err := dmtrace.New(&file, "file", dmtrace.ReadOptions{TempDir: t.TempDir()})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	defer back.Close()
	want := slices.Clone(events)
	if !cfg.V2 || cfg.Runtime.Name == "art15" { // files have whole microseconds
		for i := range want {
			want[i].Wall = want[i].Wall.Truncate(time.Microsecond)
			want[i].CPU = want[i].CPU.Truncate(time.Microsecond)
		}
	}
	got := read(t, &back.Recording)
	if diff := cmp.Diff(lines(rec.Symbols, want), lines(back.Symbols, got)); diff != "" {
		t.Errorf("seed %d, %+v: the file is read back with other events:\n%s", seed, cfg, diff)
	}
}

// checkKept checks buffers with room for all events. Each thread's events are those of the truth,
// in its order, except for events that the runtime does not report.
func checkKept(t *testing.T, seed uint64, cfg Config, events []trace.Event) {
	t.Helper()
	if cfg.BufferSize > 0 || cfg.NotDebuggable {
		return
	}
	s := anyTruth(seed)
	cfg.KeepSymbols = true
	_, got := record(t, s.truth(), cfg)
	if len(got) != len(events) && !cfg.Runtime.ReportsGC {
		t.Errorf("seed %d: %d events, %d with the truth's symbols", seed, len(events), len(got))
	}
	for id, th := range s.symbols.Threads {
		want := withProxies(cfg.Runtime, s, of(s.events, id), th.Open)
		if !cfg.Runtime.OpenFrames {
			want = want[th.Open:]
		}
		want = slices.DeleteFunc(want, func(e trace.Event) bool { return s.symbols.Methods[e.Method].Flags&trace.RuntimeInternal != 0 })
		have := of(got, id)
		if len(have) != len(want) {
			t.Fatalf("seed %d, %s: %d events of thread %d, want %d", seed, cfg.Runtime.Name, len(have), id, len(want))
		}
		for i := range want {
			if want[i].Method != have[i].Method || want[i].Action != have[i].Action {
				t.Fatalf("seed %d, %s: event %d of thread %d is %+v, want %+v as in the truth", seed, cfg.Runtime.Name, i, id, have[i], want[i])
			}
		}
	}
}

// TestUnmerged checks that each thread's events and the length of the trace do not depend on the
// merge, and that no event waits without it.
func TestUnmerged(t *testing.T) {
	reordered := 0
	for seed := range uint64(300) {
		cfg := anyConfig(seed)
		cfg.Streaming, cfg.KeepSymbols = cfg.Runtime.StreamFormat != "", true
		if !cfg.Streaming {
			continue
		}
		cfg.BufferSize = 0
		want, merged := record(t, anyTruth(seed).truth(), cfg)
		cfg.Unmerged = true
		got, unmerged := record(t, anyTruth(seed).truth(), cfg)
		if !slices.Equal(merged, unmerged) {
			reordered++
		}
		for id := range want.Symbols.Threads {
			if !slices.Equal(of(merged, id), of(unmerged, id)) {
				t.Errorf("seed %d, %s: thread %d has events\n%+v, want those of the merge\n%+v", seed, cfg.Runtime.Name, id, of(unmerged, id), of(merged, id))
			}
		}
		if got.Info != want.Info {
			t.Errorf("seed %d, %s: %+v, merged %+v", seed, cfg.Runtime.Name, got.Info, want.Info)
		}
		if n := got.Events.(*tracer).sorter.Added(); n > 0 {
			t.Errorf("seed %d, %s: %d events have waited", seed, cfg.Runtime.Name, n)
		}
	}
	if reordered < 50 {
		t.Errorf("only %d traces have another order", reordered)
	}
	if _, err := Record(anyTruth(1).truth(), Config{Unmerged: true}); err == nil {
		t.Error("a trace in a shared buffer is not merged")
	}
}

// TestSharedOrder checks that, in a shared buffer, events are in the order in which they got their
// places. The clocks are read earlier, so times step back between threads, by less than the part of
// an event after the reading.
func TestSharedOrder(t *testing.T) {
	runtime, _ := art.ByName("art12")
	cost := Cost{CPURead: 2 * time.Microsecond, WallRead: 100, Hook: 5 * time.Microsecond}
	back := 0
	for seed := range uint64(10) {
		s := randomTruth(seed, 8, 200)
		_, events := record(t, s.truth(), Config{Runtime: runtime, Cost: cost, Seed: seed, KeepSymbols: true})
		var latest trace.Event
		for i, e := range events {
			step := latest.Wall - e.Wall
			switch {
			case step >= cost.Hook:
				t.Fatalf("seed %d, event %d: %s back", seed, i, step)
			case step > 0 && e.Thread == latest.Thread:
				t.Fatalf("seed %d, event %d: %s back on its own thread", seed, i, step)
			case step > 0:
				back++
			default:
				latest = e
			}
		}
	}
	if back == 0 {
		t.Error("no event of 16000 steps back")
	}
}

// TestSeed checks that the seed affects only the order of a shared buffer.
func TestSeed(t *testing.T) {
	runtime, _ := art.ByName("art13")
	run := func(seed uint64) []trace.Event {
		_, events := record(t, randomTruth(1, 6, 200).truth(), Config{Runtime: runtime, Cost: usualCost, Seed: seed})
		return events
	}
	if !slices.Equal(run(1), run(1)) {
		t.Error("equal seeds yield different recordings")
	}
	if slices.Equal(run(1), run(2)) {
		t.Error("different seeds yield the same order")
	}
}
