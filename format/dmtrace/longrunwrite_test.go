package dmtrace_test

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/internal/testdata/tracetest"

	"artifice/instrument"
	"artifice/internal/testdata"
	"artifice/trace"
)

// writeLongRun writes a profile in o's format, by default in that of the recording's Source or
// art-longrun-16.
func writeLongRun(t testing.TB, rec *trace.Recording, o dmtrace.Options) []byte {
	t.Helper()
	if o.Format == "" {
		o.Format = "art-longrun-16"
		if rec.Source != nil {
			o.Format = rec.Source.Format
		}
	}
	var out bytes.Buffer
	l, err := dmtrace.NewWriter(&out, rec, o)
	if err != nil {
		t.Fatal(err)
	}
	tracetest.Fill(t, l, rec.Events)
	return out.Bytes()
}

// fThatCallsG returns a recording of main and of a thread bg without events, with the blocks of the
// file. main is in f at the start, calls g from 100 to 264 us, and returns at end.
func fThatCallsG(format string, end time.Duration) *trace.Recording {
	return &trace.Recording{
		Info: trace.Info{Clock: trace.Wall, Start: time.Millisecond},
		Symbols: &trace.Symbols{
			Threads: []trace.Thread{{TID: 9, Name: "main", Open: 1}, {TID: 5, Name: "bg"}},
			Methods: []trace.Method{{ID: 0x10, Class: "a.A", Name: "f", Signature: "()V"}, {ID: 0x14, Class: "a.A", Name: "g", Signature: "()V"}},
		},
		Events: trace.NewSliceReader([]trace.Event{
			{}, {Method: 1, Wall: 100 * time.Microsecond}, {Method: 1, Wall: 264 * time.Microsecond, Action: trace.Exit},
			{Method: 0, Wall: end, Action: trace.Exit},
		}),
		Source: &trace.Source{Format: format, Blocks: []trace.Block{{TID: 9, Events: 3}, {TID: 9, Events: 1}, {TID: 5}}},
	}
}

// TestLongRunBytes checks every byte of a profile of February 2025 with two threads, at 1 MHz, so a
// tick is 1 us. One thread has an open frame at the start and a flushed block, and the other has no
// recorded calls. The trace starts at 1 ms, a raw time of 1000.
func TestLongRunBytes(t *testing.T) {
	text := func(s string) string { return hex.EncodeToString([]byte(s)) }
	want := "" +
		// The last block of thread 9 is first: one exit.
		"02" + "09000000" + "010000" + "02000000" +
		"810a" + // 1280 | 1 = 1281
		// Thread 5 has an empty block.
		"02" + "05000000" + "000000" + "00000000" +
		// The flushed block of thread 9 follows.
		"02" + "09000000" + "030000" + "0a000000" +
		"c0843d" + "10" + // frame of the start: 1 000 000 ns, method 0x10
		"8c8443" + "04" + // enter at 1000+100 ticks: 1100 - 1000000 = -998900; method 0x14, so +4
		"a501" + // exit at 1264 | 1 = 1265, so +165
		// threads and methods
		"00" + "09000000" + "0400" + text("main") +
		"00" + "05000000" + "0200" + text("bg") +
		"01" + "1000000000000000" + "0b00" + text("a.A\tf\t()V\t\n") +
		"01" + "1400000000000000" + "0b00" + text("a.A\tg\t()V\t\n")
	rec := fThatCallsG("art-longrun-2025-02", 280*time.Microsecond)
	got := writeLongRun(t, rec, dmtrace.Options{CounterHz: 1e6})
	wantBytes, err := hex.DecodeString(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, wantBytes) {
		t.Errorf("written\n% x, want\n% x", got, wantBytes)
	}
	f, err := dmtrace.New(bytes.NewReader(wantBytes), "profile", dmtrace.ReadOptions{CounterHz: 1e6})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []string
	for _, e := range tracetest.Events(t, f.Events) {
		lines = append(lines, fmt.Sprint(f.Info.Start+e.Wall, " ", f.Symbols.Thread(e.Thread), " ", e.Action, " ", f.Symbols.Method(e.Method)))
	}
	wantLines := []string{"1ms main enter a.A.f()V", "1.1ms main enter a.A.g()V", "1.264ms main exit a.A.g()V", "1.28ms main exit a.A.f()V"}
	if !slices.Equal(lines, wantLines) {
		t.Errorf("read %q, want %q", lines, wantLines)
	}
	if len(f.Warnings) > 0 || f.Symbols.Threads[0].Open != 1 {
		t.Errorf("warnings %q, threads %+v", f.Warnings, f.Symbols.Threads)
	}
}

// TestLongRun16Bytes checks the same recording in the format of Android 16, by
// TraceProfiler::DumpLongRunningMethodBuffer. Times are GetNanoTime of the tick without its lowest
// bit, shifted by one, with the exit in the lowest bit. The frame of the start has the same unit.
// TraceData::DumpData omits the threads. Later versions write a packet 3 with two times after the
// last blocks, which is skipped.
func TestLongRun16Bytes(t *testing.T) {
	text := func(s string) string { return hex.EncodeToString([]byte(s)) }
	last := "" +
		"02" + "09000000" + "010000" + "04000000" +
		"81a09c01" + // exit at tick 1281, so 1280 us: 1280000<<1 | 1 = 2560001
		"02" + "05000000" + "000000" + "00000000"
	rest := "" +
		"02" + "09000000" + "030000" + "0c000000" +
		"8089fa00" + "10" + // frame of the start at 1000 us: 2000000; method 0x10
		"c09a0c" + "04" + // enter at 1100 us: +200000; method 0x14, so +4
		"c18214" + // exit at 1264 us: 2528001, +328001
		"01" + "1000000000000000" + "0b00" + text("a.A\tf\t()V\t\n") +
		"01" + "1400000000000000" + "0b00" + text("a.A\tg\t()V\t\n")
	rec := fThatCallsG("art-longrun-16", 281*time.Microsecond)
	got := hex.EncodeToString(writeLongRun(t, rec, dmtrace.Options{CounterHz: 1e6}))
	if got != last+rest {
		t.Errorf("written\n%s, want\n%s", got, last+rest)
	}
	for _, packet := range []string{"", "03" + "0011223344556677" + "0011223344556677"} {
		raw, err := hex.DecodeString(last + packet + rest)
		if err != nil {
			t.Fatal(err)
		}
		f, err := dmtrace.New(bytes.NewReader(raw), "profile", dmtrace.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var lines []string
		for _, e := range tracetest.Events(t, f.Events) {
			lines = append(lines, fmt.Sprint(f.Info.Start+e.Wall, " ", f.Symbols.Thread(e.Thread), " ", e.Action, " ", f.Symbols.Method(e.Method)))
		}
		want := []string{"1ms thread-9 enter a.A.f()V", "1.1ms thread-9 enter a.A.g()V", "1.264ms thread-9 exit a.A.g()V", "1.28ms thread-9 exit a.A.f()V"}
		if !slices.Equal(lines, want) || f.Source.Format != "art-longrun-16" {
			t.Errorf("%s: read %q, want %q", f.Source.Format, lines, want)
		}
		if len(f.Warnings) != len(packet)/34 {
			t.Errorf("packet %q: warnings %q", packet, f.Warnings)
		}
	}
}

// TestLongRunRoundTrip checks that the file of a long truth contains all calls that the tracer
// records, and that writing the recording of the file gives the same bytes.
func TestLongRunRoundTrip(t *testing.T) {
	for _, format := range []string{"art-longrun-2025-02", "art-longrun-16"} {
		t.Run(format, func(t *testing.T) { testLongRunRoundTrip(t, format) })
	}
}

func testLongRunRoundTrip(t *testing.T, format string) {
	s := &trace.Symbols{}
	for i := range 3 {
		s.AddThread(trace.Thread{TID: uint32(100 + i), Name: fmt.Sprint("t", i), Open: 2 * i})
	}
	for i := range 20 {
		s.AddMethod(trace.Method{ID: uint64(0x7f0000 + 40*i), Class: "a.A", Name: fmt.Sprint("m", i), Signature: "()V"})
	}
	var truth []trace.Event
	for i := range 3 {
		for j := range 2 * i {
			truth = append(truth, trace.Event{Thread: trace.ThreadID(i), Method: trace.MethodID(j)})
		}
	}
	for i := range 30000 { // long, short and nested calls, on alternating threads
		th, at := trace.ThreadID(i%3), time.Duration(i)*200*time.Millisecond
		m := trace.MethodID(i % 20)
		truth = append(truth, trace.Event{Thread: th, Method: m, Wall: at}, trace.Event{Thread: th, Method: m, Wall: at + time.Duration(i%7)*80*time.Millisecond, Action: trace.Exit})
	}
	slices.SortStableFunc(truth, func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) }) // a truth is in time order
	source := &trace.Recording{Info: trace.Info{Clock: trace.Wall, Start: 5 * time.Hour, Technique: trace.Truth}, Symbols: s}
	keep := func() *trace.Recording {
		source.Events = trace.NewSliceReader(truth)
		rec, err := instrument.RecordLongRunning(source, instrument.LongRunningConfig{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	kept := tracetest.Events(t, keep().Events)
	file := writeLongRun(t, keep(), dmtrace.Options{})
	open := func() *dmtrace.File {
		f, err := dmtrace.New(bytes.NewReader(file), "profile", dmtrace.ReadOptions{CounterHz: 24_576_000})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	f := open()
	back := tracetest.Events(t, f.Events)
	if len(back) != len(kept) || len(kept) < 2048 || len(f.Source.Blocks) <= 3 || len(f.Warnings) > 0 {
		t.Fatalf("%d events recorded, %d read from %d blocks, warnings %q", len(kept), len(back), len(f.Source.Blocks), f.Warnings)
	}
	for i, e := range kept {
		g := back[i]
		sameTime := (f.Info.Start + g.Wall - source.Info.Start - e.Wall).Abs() <= 82*time.Nanosecond // two ticks: the lowest bit is the action
		if f.Symbols.Thread(g.Thread).TID != s.Thread(e.Thread).TID || f.Symbols.Method(g.Method).Name != s.Method(e.Method).Name || g.Action != e.Action || !sameTime {
			t.Fatalf("event %d: %+v, want %+v", i, g, e)
		}
	}
	for i, th := range f.Symbols.Threads {
		if format == "art-longrun-16" { // where these frames are like others, and threads have no names
			break
		}
		if th.Open != 2*i {
			t.Errorf("thread %d has %d open frames at the start, want %d", i, th.Open, 2*i)
		}
	}
	if got := writeLongRun(t, &open().Recording, dmtrace.Options{}); !bytes.Equal(got, file) {
		t.Errorf("the file that is read and written differs from offset %d", firstDifference(got, file))
	}
}

// TestLongRunCut checks truncated profiles: the reader returns complete blocks and an error, or
// rejects the file.
func TestLongRunCut(t *testing.T) {
	file := longRunFile(t, "art-longrun-2025-02")
	for n := 1; n < len(file); n++ {
		f, err := dmtrace.New(bytes.NewReader(file[:n]), "cut", dmtrace.ReadOptions{CounterHz: 1e6})
		if err == nil {
			_, err = trace.Copy(&trace.Buffer{}, f.Events)
			f.Close()
		}
		if err != nil && !strings.HasPrefix(err.Error(), "cut: offset ") {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
}

func longRunFile(t testing.TB, format string) []byte {
	rec := fromText(t, "info\tclock\twall\nthread\t9\tmain\nmethod\t0x10\ta.A\tf\t()V\t\t-1\nmethod\t0x14\ta.A\tg\t()V\t\t-1\n"+
		"1000 - 9 enter a.A.f()V\n2000 - 9 enter a.A.g()V\n200000000 - 9 exit a.A.g()V\n300000000 - 9 exit a.A.f()V\n")
	return writeLongRun(t, rec, dmtrace.Options{Format: format, CounterHz: 1e6})
}

// FuzzLongRun checks that a file that is read without an error or a warning is written unchanged.
func FuzzLongRun(f *testing.F) {
	f.Add(longRunFile(f, "art-longrun-2025-02"), false)
	f.Add(longRunFile(f, "art-longrun-16"), true)
	f.Fuzz(func(t *testing.T, in []byte, nanoseconds bool) {
		if len(in) > 1<<14 {
			return
		}
		format := "art-longrun-2025-02"
		if nanoseconds {
			format = "art-longrun-16"
		}
		file, err := dmtrace.New(bytes.NewReader(in), "fuzz", dmtrace.ReadOptions{Format: format, CounterHz: 1e6})
		if err != nil || file.Source == nil || file.Source.Format != format {
			return
		}
		defer file.Close()
		var out bytes.Buffer
		l, err := dmtrace.NewWriter(&out, &file.Recording, dmtrace.Options{Format: format, CounterHz: 1e6})
		if err != nil {
			t.Fatal(err)
		}
		_, err = trace.Copy(l, file.Events)
		closeErr := l.Close()
		if err != nil || len(file.Warnings) > 0 {
			return
		}
		if closeErr != nil {
			t.Fatalf("what was read cannot be written: %v", closeErr)
		}
		if !bytes.Equal(out.Bytes(), in) {
			t.Errorf("read\n%x\nwrote\n%x", in, out.Bytes())
		}
	})
}

// TestLongRunBeyondMemory checks that a profile of more than 8 MiB contains all events. Its blocks
// are on disk until the last block of each thread is known.
func TestLongRunBeyondMemory(t *testing.T) {
	testdata.Seldom(t, 6)
	const events, threads, run = 1_300_000, 3, 10 // 7 bytes each
	symbols := &trace.Symbols{}
	for i := range threads {
		symbols.AddThread(trace.Thread{TID: uint32(10 + i), Name: fmt.Sprint("t", i)})
	}
	symbols.AddMethod(trace.Method{ID: 0x10, Class: "a.A", Name: "f", Signature: "()V"})
	want := make([]trace.Event, events)
	for i := range want {
		want[i] = trace.Event{Wall: time.Duration(i) << 37, Thread: trace.ThreadID(i / run % threads), Action: trace.Action(i % 2)}
	}
	rec := &trace.Recording{Info: trace.Info{Clock: trace.Wall, Start: time.Second}, Symbols: symbols, Events: trace.NewSliceReader(want)}
	file := writeLongRun(t, rec, dmtrace.Options{CounterHz: 1e9, TempDir: t.TempDir()})
	if len(file) < 9<<20 {
		t.Fatalf("the file has only %d bytes, which fit into memory", len(file))
	}
	f, err := dmtrace.New(bytes.NewReader(file), "profile", dmtrace.ReadOptions{CounterHz: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.InTimeOrder(); err != nil {
		t.Fatal(err)
	}
	var read trace.Buffer
	if _, err := trace.Copy(&read, f.Events); err != nil {
		t.Fatal(err)
	}
	got := read.Events
	for i := range got {
		if w := want[i]; got[i].Wall-got[0].Wall != w.Wall || got[i].Action != w.Action || f.Symbols.Thread(got[i].Thread).TID != uint32(10+w.Thread) {
			t.Fatalf("event %d: %+v, want %+v", i, got[i], w)
		}
	}
	if len(got) != events {
		t.Errorf("%d events, want %d", len(got), events)
	}
}
