package diffstack_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/diffstack"
	"artifice/format/dmtrace"
	"artifice/internal/testdata"
	"artifice/sampler"

	"artifice/trace"
)

// TestRediffReproducesRealTraces rebuilds the stacks of files written by ART's sampler and compares
// them again. The events must equal those of ART. The expected counts are from the files' option
// num-method-calls or from their records.
func TestRediffReproducesRealTraces(t *testing.T) {
	for _, name := range []string{"sampled-art-file.trace", "sampled-host-file.trace", "sampled-streaming.trace"} {
		var in, out trace.Buffer
		if _, err := trace.Copy(&in, open(t, name).Events); err != nil {
			t.Fatal(err)
		}
		rec := open(t, name)
		if err := compareAgain(&out, rec); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(in.Events) < 13000 || !slices.Equal(in.Events, out.Events) {
			t.Errorf("%s: %d events differ from the %d of the file", name, len(out.Events), len(in.Events))
		}
		if rec.Source == nil {
			t.Errorf("%s: the recording has no Source", name)
		}
	}
}

// compareAgain compares a trace again.
func compareAgain(out trace.Writer, rec *trace.Recording) error {
	again, err := diffstack.Rediff(rec)
	if err != nil {
		return err
	}
	_, err = trace.Copy(out, again.Events)
	return err
}

func open(t testing.TB, name string) *trace.Recording {
	t.Helper()
	f, err := dmtrace.Open(testdata.Path(t, "traces", name), dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return &f.Recording
}

// TestRediffRefusesARealInstrumentedTrace: the first record of the file, at
// 240299, is the exit of a call that began before the trace.
func TestRediffRefusesARealInstrumentedTrace(t *testing.T) {
	err := compareAgain(&trace.Buffer{}, open(t, "instrumented-art-file.trace"))
	var refusal *diffstack.RediffError
	if !errors.As(err, &refusal) || refusal.Offset != 240299 || refusal.Event != 0 {
		t.Fatalf("error %v, want an error for event 0 at offset 240299", err)
	}
	if !strings.HasPrefix(err.Error(), "offset 240299: exit of ") {
		t.Errorf("error %q does not begin with the offset", err)
	}
}

func TestRediffRefusesImpossibleEvents(t *testing.T) {
	const a, b = 0, 1
	at := func(wall time.Duration, action trace.Action, m trace.MethodID) trace.Event {
		return trace.Event{Wall: wall, CPU: wall, Action: action, Method: m}
	}
	open := at(1, trace.Enter, a)
	tests := []struct {
		name   string
		events []trace.Event
		event  int64 // first event of the invalid group
		want   string
	}{
		{"unwind", []trace.Event{open, at(2, trace.Unwind, a)}, 1, "unwind of C.a"},
		{"orphan", []trace.Event{open, at(2, trace.Exit, a), at(2, trace.Exit, a)}, 1, "exit of C.a with no frame open"},
		{"mismatch", []trace.Event{open, at(2, trace.Exit, b)}, 1, "exit of C.b while C.a is innermost"},
		{"exit after enter", []trace.Event{open, at(2, trace.Enter, b), at(2, trace.Exit, b)}, 1, "exit of C.b after an enter"},
		{"unchanged", []trace.Event{open, at(2, trace.Exit, a), at(2, trace.Enter, a)}, 1, "C.a left and entered again"},
		{"unchanged below", []trace.Event{open, at(2, trace.Exit, a), at(2, trace.Enter, a), at(2, trace.Enter, b)}, 1, "C.a left and entered again"},
	}
	for _, test := range tests {
		rec := &trace.Recording{
			Symbols: &trace.Symbols{
				Threads: []trace.Thread{{TID: 1}},
				Methods: []trace.Method{{Class: "C", Name: "a"}, {ID: 4, Class: "C", Name: "b"}},
			},
			Events: trace.NewSliceReader(test.events),
		}
		err := compareAgain(&trace.Buffer{}, rec)
		var refusal *diffstack.RediffError
		if !errors.As(err, &refusal) || refusal.Event != test.event || !strings.HasPrefix(refusal.Msg, test.want) {
			t.Errorf("%s: error %v, want %q at event %d", test.name, err, test.want, test.event)
		}
	}
}

// TestRediffRefusesSingleEvents: a trace of groups of one event only is rejected. A sampler writes
// such groups, but not throughout a trace.
func TestRediffRefusesSingleEvents(t *testing.T) {
	var events []trace.Event
	for i := range 40 {
		e := trace.Event{Wall: time.Duration(i) * time.Millisecond, Action: trace.Action(i % 2)}
		events = append(events, e)
	}
	symbols := &trace.Symbols{Threads: []trace.Thread{{TID: 1}}, Methods: []trace.Method{{Class: "C", Name: "a"}}}
	err := compareAgain(&trace.Buffer{}, &trace.Recording{Symbols: symbols, Events: trace.NewSliceReader(events)})
	if err == nil || !strings.HasPrefix(err.Error(), "40 of 40 groups") {
		t.Errorf("error %v, want one on 40 of 40 groups", err)
	}
	few := trace.NewSliceReader(events[:10]) // too few for a verdict
	if err := compareAgain(&trace.Buffer{}, &trace.Recording{Symbols: symbols, Events: few}); err != nil {
		t.Errorf("10 groups: %v", err)
	}
}

// TestRediffOfOurOwnSamples: Rediff reproduces the events written by Run.
func TestRediffOfOurOwnSamples(t *testing.T) {
	rec, events := load(t, "instrumented-art-file.trace")
	rec.Symbols.SetEnds(events)
	rec.Events = trace.NewSliceReader(events)
	var sampled, again trace.Buffer
	s, err := sampler.New(rec, sampler.Config{Cost: sampler.Cost{Overshoot: 250 * time.Microsecond, PerTick: 24 * time.Microsecond, PerThread: 16 * time.Microsecond, Granularity: time.Microsecond, ClockOverhead: 3348}}, &sampled)
	if err != nil {
		t.Fatal(err)
	}
	if err := sampler.Run(rec, s); err != nil {
		t.Fatal(err)
	}
	copied := *s.Recording()
	copied.Events = trace.NewSliceReader(sampled.Events)
	if err := compareAgain(&again, &copied); err != nil {
		t.Fatal(err)
	}
	if len(sampled.Events) < 500 || !slices.Equal(sampled.Events, again.Events) {
		t.Errorf("%d events sampled, %d after comparing again", len(sampled.Events), len(again.Events))
	}
}

// BenchmarkRediff compares a real sampled trace again.
func BenchmarkRediff(b *testing.B) {
	rec, _ := load(b, "sampled-streaming.trace")
	f := open(b, "sampled-streaming.trace")
	var all trace.Buffer
	if _, err := trace.Copy(&all, f.Events); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		rec.Events = trace.NewSliceReader(all.Events)
		if err := compareAgain(trace.Discard, rec); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(all.Events)), "ns/event")
}

// load reads a trace in time order.
func load(t testing.TB, name string) (*trace.Recording, []trace.Event) {
	t.Helper()
	rec := open(t, name)
	var all trace.Buffer
	if _, err := trace.Copy(&all, rec.Events); err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(all.Events, func(a, b trace.Event) int { return int(a.Wall - b.Wall) })
	rec.Source = nil
	return rec, all.Events
}

// FuzzRediff compares arbitrary events again: the events are unchanged, or Rediff returns an error.
func FuzzRediff(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x01\x01\x00\x00\x02"))
	f.Add([]byte{0, 0, 0, 0, 4, 0, 8, 5, 0, 0, 4, 0, 8, 1, 8, 0})
	f.Fuzz(func(t *testing.T, raw []byte) {
		sym := &trace.Symbols{Threads: make([]trace.Thread, 2), Methods: make([]trace.Method, 4)}
		var events []trace.Event
		for ; len(raw) >= 2; raw = raw[2:] {
			at := time.Duration(raw[0] >> 3)
			events = append(events, trace.Event{Wall: at, CPU: at, Thread: trace.ThreadID(raw[0] & 1),
				Method: trace.MethodID(raw[1] >> 2 % 4), Action: trace.Action(raw[1] & 3)})
		}
		rec := &trace.Recording{Symbols: sym, Events: trace.NewSliceReader(events)}
		var out trace.Buffer
		again, err := diffstack.Rediff(rec)
		if err == nil {
			_, err = trace.Copy(&out, again.Events)
		}
		if err == nil && !slices.Equal(events, out.Events) {
			t.Errorf("%d events become %d different events, without an error", len(events), len(out.Events))
		}
		var refusal *diffstack.RediffError
		if err != nil && !errors.As(err, &refusal) {
			t.Errorf("error %v, want a rejection", err)
		}
	})
}
