package instrument

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

// recordLong runs the tracer over events of the form "thread method action @ms". Actions are + for
// an enter, - for an exit and ~ for an unwind. It returns the recorded events in the same notation.
// The threshold is 100 ms.
func recordLong(t *testing.T, symbols *trace.Symbols, events string) (string, *trace.Recording) {
	t.Helper()
	truth := &trace.Recording{Symbols: symbols, Info: trace.Info{Clock: trace.Wall, Start: time.Hour, Technique: trace.Truth}}
	var list []trace.Event
	for f := range strings.FieldsSeq(events) {
		var thread, method, ms int
		var action rune
		if _, err := fmt.Sscanf(f, "%d%c%d@%d", &thread, &action, &method, &ms); err != nil {
			t.Fatal(f, err)
		}
		list = append(list, trace.Event{Thread: trace.ThreadID(thread), Method: trace.MethodID(method),
			Action: trace.Action(strings.IndexRune("+-~", action)), Wall: time.Duration(ms) * time.Millisecond})
	}
	truth.Events = trace.NewSliceReader(list)
	rec, err := RecordLongRunning(truth, LongRunningConfig{Threshold: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	var b trace.Buffer
	if _, err := trace.Copy(&b, rec.Events); err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, e := range b.Events {
		kept = append(kept, fmt.Sprintf("%d%c%d@%d", e.Thread, "+-~"[e.Action], e.Method, e.Wall.Milliseconds()))
	}
	return strings.Join(kept, " "), rec
}

func longSymbols(threads ...trace.Thread) *trace.Symbols {
	s := &trace.Symbols{Threads: threads}
	for i := range 9 {
		s.AddMethod(trace.Method{ID: uint64(8 + 4*i)})
	}
	return s
}

func TestRecordedCalls(t *testing.T) {
	one := func() *trace.Symbols { return longSymbols(trace.Thread{TID: 1}) }
	for _, test := range []struct {
		name    string
		symbols *trace.Symbols
		events  string
		want    string
	}{
		{"a short call is taken back", one(), "0+1@0 0-1@99", ""},
		{"a call of the threshold is kept", one(), "0+1@0 0-1@100", "0+1@0 0-1@100"},
		{"a long call keeps its callers", one(), "0+1@0 0+2@10 0-2@110 0-1@111", "0+1@0 0+2@10 0-2@110 0-1@111"},
		{"short calls inside go", one(), "0+1@0 0+2@10 0-2@20 0+3@20 0-3@30 0-1@200", "0+1@0 0-1@200"},
		{"after a kept child its caller is kept however late it began", one(),
			"0+1@0 0+2@100 0+3@101 0-3@201 0-2@202 0-1@203", "0+1@0 0+2@100 0+3@101 0-3@201 0-2@202 0-1@203"},
		{"an unwind is an exit", one(), "0+1@0 0~1@100", "0+1@0 0-1@100"},
		{"open at the end", one(), "0+1@0 0+2@5", "0+1@0 0+2@5"},
		{"an exit of a call before the trace is kept", one(), "0-1@5 0+2@6 0-2@7", "0-1@5"},
		{"frames of the start are kept", longSymbols(trace.Thread{TID: 1, Open: 2}), "0+1@0 0+2@0 0+3@1 0-3@2 0-2@3 0-1@4",
			"0+1@0 0+2@0 0-2@3 0-1@4"},
		{"threads by themselves", longSymbols(trace.Thread{TID: 1}, trace.Thread{TID: 2}), "0+1@0 1+2@50 0-1@100 1-2@120", "0+1@0 0-1@100"},
		{"a thread that ends loses its buffer", longSymbols(trace.Thread{TID: 1, End: 150 * time.Millisecond}, trace.Thread{TID: 2}),
			"0+1@0 1+2@0 0-1@120 1-2@200", "1+2@0 1-2@200"},
	} {
		got, rec := recordLong(t, test.symbols, test.events)
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		if rec.Info.Clock != trace.Wall || rec.Source.Format != "art-longrun-16" {
			t.Errorf("%s: %+v", test.name, rec.Info)
		}
	}
}

// TestMethodsWithoutCompiledCode checks that methods without compiled code of their own are not
// recorded, even if they are open at the start.
func TestMethodsWithoutCompiledCode(t *testing.T) {
	s := longSymbols(trace.Thread{TID: 1, Open: 2})
	s.Methods[1].Flags, s.Methods[3].Flags, s.Methods[5].Flags = trace.Native, trace.Inlined, trace.Interpreted
	got, _ := recordLong(t, s, "0+1@0 0+2@0 0+3@1 0+4@2 0-4@300 0-3@301 0+5@302 0-5@602")
	if want := "0+2@0 0+4@2 0-4@300"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestDeepStackFlushesAll checks a buffer of 2048 words, one of them a placeholder exit. It is full
// with 1023 enters. The next enter flushes all of them, because more than 1024 words would remain.
func TestDeepStackFlushesAll(t *testing.T) {
	var events []string
	for i := range 1024 {
		events = append(events, fmt.Sprintf("0+1@%d", i))
	}
	events = append(events, "0-1@1024") // the 1024th call takes 1 ms: only it and the placeholder are in the buffer
	events = append(events, "0-1@1025") // the exit of a flushed enter is kept
	_, rec := recordLong(t, longSymbols(trace.Thread{TID: 7}), strings.Join(events, " "))
	want := []trace.Block{{TID: 7, Events: 1023, Count: 1023}, {TID: 7, Events: 1, Count: 1}}
	if !slices.Equal(rec.Source.Blocks, want) {
		t.Errorf("blocks %+v, want %+v", rec.Source.Blocks, want)
	}
}

// TestFlushUpToTheLastExit checks 682 long calls, which are 2046 words, and 2047 with the
// placeholder. The next enter flushes the words before the last exit; the last exit remains.
func TestFlushUpToTheLastExit(t *testing.T) {
	var events []string
	for i := range 683 {
		events = append(events, fmt.Sprintf("0+1@%d 0-1@%d", 200*i, 200*i+150))
	}
	_, rec := recordLong(t, longSymbols(trace.Thread{TID: 7}), strings.Join(events, " "))
	want := []trace.Block{{TID: 7, Events: 681*2 + 1, Count: 681*2 + 1}, {TID: 7, Events: 3, Count: 3}}
	if !slices.Equal(rec.Source.Blocks, want) {
		t.Errorf("blocks %+v, want %+v", rec.Source.Blocks, want)
	}
}

// TestFlushBeforeEnterIsRemoved checks a full buffer: two exits of calls before the trace, 681
// long calls and one enter are 2047 words, and 2048 with the placeholder. The exit that would
// remove the enter finds the buffer full, so the buffer is flushed first, up to the last exit.
func TestFlushBeforeEnterIsRemoved(t *testing.T) {
	events := []string{"0-1@1", "0-1@2"}
	for i := range 681 {
		events = append(events, fmt.Sprintf("0+1@%d 0-1@%d", 200*i+10, 200*i+160))
	}
	events = append(events, "0+1@150000", "0-1@150001")
	_, rec := recordLong(t, longSymbols(trace.Thread{TID: 7}), strings.Join(events, " "))
	want := []trace.Block{{TID: 7, Events: 2 + 681*2 - 1, Count: 2 + 681*2 - 1}, {TID: 7, Events: 1, Count: 1}}
	if !slices.Equal(rec.Source.Blocks, want) {
		t.Errorf("blocks %+v, want %+v", rec.Source.Blocks, want)
	}
}

// TestManyFramesAtTheStart checks that, of more than 512 frames open at the start, the innermost
// are dropped. Their exits are kept.
func TestManyFramesAtTheStart(t *testing.T) {
	var events []string
	for range 600 {
		events = append(events, "0+1@0")
	}
	for i := range 600 {
		events = append(events, fmt.Sprintf("0-1@%d", i+1))
	}
	got, _ := recordLong(t, longSymbols(trace.Thread{TID: 7, Open: 600}), strings.Join(events, " "))
	if enters, exits := strings.Count(got, "+"), strings.Count(got, "-"); enters != 512 || exits != 600 {
		t.Errorf("%d enters and %d exits, want 512 and 600", enters, exits)
	}
}

// TestDefaultThreshold checks kLongRunningMethodThreshold of trace_profile.h: 2^22 ticks in
// February 2025 and 2^23 in Android 16. At 24.576 MHz these are 170.667 and 341.333 ms.
func TestDefaultThreshold(t *testing.T) {
	for _, test := range []struct {
		format string
		ns     int64
		want   int
	}{
		{"art-longrun-2025-02", 170_666_000, 0}, {"art-longrun-2025-02", 170_667_000, 2},
		{"art-longrun-16", 341_333_000, 0}, {"art-longrun-16", 341_334_000, 2},
		{"", 341_333_000, 0}, {"", 341_334_000, 2},
	} {
		truth := &trace.Recording{Symbols: longSymbols(trace.Thread{TID: 1}), Info: trace.Info{Clock: trace.Wall},
			Events: trace.NewSliceReader([]trace.Event{{}, {Wall: time.Duration(test.ns), Action: trace.Exit}})}
		rec, err := RecordLongRunning(truth, LongRunningConfig{Format: test.format})
		if err != nil {
			t.Fatal(err)
		}
		var b trace.Buffer
		trace.Copy(&b, rec.Events)
		if len(b.Events) != test.want {
			t.Errorf("%q: a call of %d ns: %d events kept, want %d", test.format, test.ns, len(b.Events), test.want)
		}
	}
}

// TestLowestBitOfEnterTick checks that the lowest bit of an enter's tick is cleared before the
// comparison (FlushBufferAndRecordTraceEvent: "timestamp & ~1", "timestamp - prev_timestamp"). At 1
// GHz, a call from 7 to 106 ns counts as one of 100 ticks.
func TestLowestBitOfEnterTick(t *testing.T) {
	for enter, want := range map[time.Duration]int{7: 2, 8: 0} {
		truth := &trace.Recording{Symbols: longSymbols(trace.Thread{TID: 1}), Info: trace.Info{Clock: trace.Wall},
			Events: trace.NewSliceReader([]trace.Event{{Wall: enter}, {Wall: enter + 99, Action: trace.Exit}})}
		rec, err := RecordLongRunning(truth, LongRunningConfig{Threshold: 100, CounterHz: 1e9})
		if err != nil {
			t.Fatal(err)
		}
		var b trace.Buffer
		trace.Copy(&b, rec.Events)
		if len(b.Events) != want {
			t.Errorf("a call of 99 ns from %s on: %d events kept, want %d", enter, len(b.Events), want)
		}
	}
}

func TestRefused(t *testing.T) {
	if _, err := RecordLongRunning(&trace.Recording{Info: trace.Info{Clock: trace.ThreadCPU}}, LongRunningConfig{}); err == nil {
		t.Error("a trace without a wall clock was accepted")
	}
	if _, err := RecordLongRunning(&trace.Recording{}, LongRunningConfig{Threshold: -1}); err == nil {
		t.Error("a negative threshold was accepted")
	}
	if _, err := RecordLongRunning(&trace.Recording{}, LongRunningConfig{Format: "art"}); err == nil {
		t.Error("a format other than that of a profile was accepted")
	}
}
