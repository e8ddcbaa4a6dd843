package instrument

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/art"
	"artifice/format/dmtrace"
	"artifice/internal/dmformat"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// TestInterpretedFramesOfARelease checks the frames that are open when tracing of a release build
// starts. From Android 14 on, the runtime reports only native frames. It reports neither the enter
// nor the exit of a frame that is compiled, or runs in nterp. The complete runtime of Android 16,
// with nterp as its interpreter, wrote "+n-n" for a stack i, i, n. (MethodSupportsExitEvents is the
// same in 14, 14 QPR2 and 15.) Up to 13, no frame but every exit is reported.
func TestInterpretedFramesOfARelease(t *testing.T) {
	for name, want := range map[string]string{"art13": "-n-i-c-i", "art14": "+n-n", "art14qpr2": "+n-n", "art15": "+n-n", "art16": "+n-n"} {
		s := newScript()
		s.method("i", trace.Interpreted)
		s.method("n", trace.Native)
		s.thread("main", 4100, 0).open("i", "c", "i", "n").run(time.Millisecond).exit().exit().exit().exit()
		runtime, err := art.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		rec, events := record(t, s.truth(), Config{Runtime: runtime, KeepSymbols: true, NotDebuggable: true})
		got := ""
		for _, e := range events {
			got += "+-"[e.Action:][:1] + rec.Symbols.Method(e.Method).Name
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestFramesOfADebugBuild compares the frames with those that the complete runtime of Android 16,
// started debuggable, wrote for the stack i, i, n.
func TestFramesOfADebugBuild(t *testing.T) {
	s := newScript()
	s.method("i", trace.Interpreted)
	s.method("n", trace.Native)
	s.thread("main", 4100, 0).open("i", "i", "n").run(time.Millisecond).exit().exit().exit()
	runtime, err := art.ByName("art16")
	if err != nil {
		t.Fatal(err)
	}
	rec, events := record(t, s.truth(), Config{Runtime: runtime, KeepSymbols: true})
	got := ""
	for _, e := range events {
		got += "+-"[e.Action:][:1] + rec.Symbols.Method(e.Method).Name
	}
	if want := "+i+i+n-n-i-i"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestV2ThreadsOfOpenFramesComeFirst checks the order of packets in format V2. The complete runtime
// of Android 16, started with one method on the stack of one of two threads, wrote them in this
// order. The first event of a thread without frames announces the thread, after the methods.
func TestV2ThreadsOfOpenFramesComeFirst(t *testing.T) {
	s := newScript()
	s.thread("main", 4100, 0).run(2 * time.Millisecond).enter("a").run(time.Millisecond).exit()
	s.thread("worker", 4101, 0).open("b").run(time.Millisecond).exit()
	runtime, err := art.ByName("art16")
	if err != nil {
		t.Fatal(err)
	}
	for _, streaming := range []bool{false, true} {
		rec, err := Record(s.truth(), Config{Runtime: runtime, V2: true, Streaming: streaming})
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		w, err := dmtrace.NewWriter(&file, rec, dmtrace.Options{TempDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		tracetest.Fill(t, w, rec.Events)
		got := ""
		for p := file.Bytes()[dmformat.HeaderSize:]; p[0] != dmformat.PacketSummary; {
			size := 0
			switch p[0] {
			case dmformat.PacketThread:
				size = dmformat.ThreadHead + int(binary.LittleEndian.Uint16(p[5:]))
				got += " " + string(p[dmformat.ThreadHead:size])
			case dmformat.PacketMethod:
				size = dmformat.MethodHead + int(binary.LittleEndian.Uint16(p[9:]))
				got += " method"
			case dmformat.PacketEntries:
				size = dmformat.BlockHeadSize(dmformat.V2of16, 2) + int(dmformat.ParseBlockHead(p, dmformat.V2of16, 2).Bytes)
				got += " entries"
			}
			p = p[size:]
		}
		if want := " worker method method main entries entries"; got != want {
			t.Errorf("streaming %t:%s, want%s", streaming, got, want)
		}
	}
}

// TestInterpretedFramesAtStart checks interpreted frames that are open at the start.
// InstrumentationInstallStack of Android 10 to 12 (instrumentation.cc, the loop over ssi and isi at
// its end) reports such a frame when it reaches the next younger one with a return address, so it
// omits the youngest frames. In 12, however, frames of nterp have a return address themselves
// (12.0.0_r27: they have a quick frame, which VisitFrame checks). 13 puts all frames into
// stack_methods_. Up to 9, no frame is reported. The exits are always reported.
func TestInterpretedFramesAtStart(t *testing.T) {
	frames := func(names []string) *trace.Recording {
		s := newScript()
		s.method("interpreted", trace.Interpreted)
		s.method("compiled", 0)
		s.method("native", trace.Native)
		s.method("stub", trace.RuntimeInternal)
		a := s.thread("main", 4100, 0).open(names...)
		for range names {
			a.run(time.Millisecond).exit()
		}
		return s.truth()
	}
	const i, c, n, stub = "interpreted", "compiled", "native", "stub"
	for _, test := range []struct {
		stack        []string
		art10, art13 []string
	}{
		{[]string{i, c, i, i}, []string{i, c}, []string{i, c, i, i}},
		{[]string{i, i}, nil, []string{i, i}},
		{[]string{i, i, n}, []string{i, i, n}, []string{i, i, n}},
		{[]string{i, stub, i}, []string{i}, []string{i, i}},
		{[]string{c, i, stub}, []string{c}, []string{c, i}},
		{[]string{c, c}, []string{c, c}, []string{c, c}},
	} {
		for name, want := range map[string][]string{"art9": nil, "art10": test.art10, "art11": test.art10, "art12": test.art13, "art13": test.art13, "art15": test.art13} {
			runtime, err := art.ByName(name)
			if err != nil {
				t.Fatal(err)
			}
			rec, events := record(t, frames(test.stack), Config{Runtime: runtime, KeepSymbols: true})
			var enters []string
			exits := 0
			for _, e := range events {
				if e.Action == trace.Enter {
					enters = append(enters, rec.Symbols.Method(e.Method).Name)
				} else {
					exits++
				}
			}
			seen := len(test.stack)
			if slices.Contains(test.stack, stub) {
				seen--
			}
			if !slices.Equal(enters, want) || exits != seen {
				t.Errorf("%s, stack %q: enters of %q and %d exits, want %q and %d", name, test.stack, enters, exits, want, seen)
			}
		}
	}
}

// TestSecondTrace checks a process that has been traced before. A thread that exists at the start
// has its CPU zero at its first microsecond. A thread that starts later, or has used no CPU time,
// has no zero yet. A recorded trace does not contain the time before its start.
func TestSecondTrace(t *testing.T) {
	const ms = time.Millisecond
	runtime, err := art.ByName("art11")
	if err != nil {
		t.Fatal(err)
	}
	truth := func(technique trace.Technique) *trace.Recording {
		return &trace.Recording{
			Info: trace.Info{Technique: technique, Elapsed: 9 * ms},
			Symbols: &trace.Symbols{
				Threads: []trace.Thread{{TID: 1, Name: "main"}, {TID: 2, Name: "fresh"}, {TID: 3, Name: "late", Start: 4 * ms}},
				Methods: []trace.Method{{ID: 4, Class: "x", Name: "a"}},
			},
			Events: trace.NewSliceReader([]trace.Event{
				{Wall: 1 * ms, CPU: 31 * ms}, {Wall: 2 * ms, CPU: 32 * ms, Action: trace.Exit},
				{Wall: 3 * ms, Thread: 1}, {Wall: 4 * ms, CPU: ms, Thread: 1, Action: trace.Exit},
				{Wall: 5 * ms, CPU: 2 * ms, Thread: 2}, {Wall: 6 * ms, CPU: 3 * ms, Thread: 2, Action: trace.Exit},
			}),
		}
	}
	_, got := record(t, truth(trace.Truth), Config{Runtime: runtime, Again: true})
	var cpu []time.Duration
	for _, e := range got {
		cpu = append(cpu, e.CPU)
	}
	const us = time.Microsecond
	if want := []time.Duration{31*ms - us, 32*ms - us, 0, ms - us, 0, ms}; !slices.Equal(cpu, want) {
		t.Errorf("CPU times %v, want %v", cpu, want)
	}
	if _, err := Record(truth(trace.Instrumented), Config{Runtime: runtime, Again: true}); err == nil {
		t.Error("a recorded trace is accepted with Again")
	}
}

// TestOrphansOfARelease checks exits of calls that began before a recorded trace, in a release
// build. Up to 13, every exit is reported. From 14 on, exits of compiled code are not
// (MethodSupportsExitEvents), but an exception reports what it unwinds
// (QuickExceptionHandler::FindCatch), and native frames exit. The runtime of Android 16 wrote this
// without the native frame, which it reports at the start.
func TestOrphansOfARelease(t *testing.T) {
	for name, want := range map[string]string{"art11": "-c -c +c -c -n -c", "art14": "-c +c -c -n", "art16": "-c +c -c -n"} {
		runtime, err := art.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		_, got := record(t, &trace.Recording{
			Info: trace.Info{Technique: trace.Instrumented},
			Symbols: &trace.Symbols{
				Threads: []trace.Thread{{TID: 1, Name: "main"}},
				Methods: []trace.Method{{ID: 4, Class: "x", Name: "c"}, {ID: 8, Class: "x", Name: "n", Flags: trace.Native}},
			},
			Events: trace.NewSliceReader([]trace.Event{
				{Wall: 1, Action: trace.Exit}, {Wall: 2, Action: trace.Unwind}, {Wall: 3}, {Wall: 4, Action: trace.Exit},
				{Wall: 5, Method: 1, Action: trace.Exit}, {Wall: 6, Action: trace.Exit},
			}),
		}, Config{Runtime: runtime, NotDebuggable: true, KeepSymbols: true})
		var have []string
		for _, e := range got {
			have = append(have, string("+-"[min(e.Action, 1)])+string("cn"[e.Method]))
		}
		if have := strings.Join(have, " "); have != want {
			t.Errorf("%s: %s, want %s", name, have, want)
		}
	}
}

// TestProxies checks how a method of a proxy is reported that calls a, during the trace
// and, in the second thread, from before it. ART 6 to 9 report only the exit of the second one
// (artQuickProxyInvokeHandler of 9 calls no listener; quick_trampoline_entrypoints.cc). 10 to 13
// report its exit twice, as observed in ART 11 (11: quick_trampoline_entrypoints.cc, 880, and the
// exit stub of instrumentation.cc, 399). 14 and later do not report its enter (14.0:
// instrumentation.cc, 457), as observed in 16.
func TestProxies(t *testing.T) {
	const ms = time.Millisecond
	for name, want := range map[string]string{
		"art8": "+a -a | +a -a -p", "art9": "+a -a | +a -a -p",
		"art10": "+p +a -a -p | +p +a -a -p -p", "art11": "+p +a -a -p | +p +a -a -p -p",
		"art12": "+p +a -a -p | +p +a -a -p -p", "art13": "+p +a -a -p | +p +a -a -p -p",
		"art14": "+p +a -a -p | +a -a -p", "art14qpr2": "+p +a -a -p | +a -a -p",
		"art15": "+p +a -a -p | +a -a -p", "art16": "+p +a -a -p | +a -a -p", "art17": "+p +a -a -p | +a -a -p",
		"dalvik": "+p +a -a -p | +a -a -p",
	} {
		runtime, err := art.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, release := range []bool{false, true} {
			_, got := record(t, &trace.Recording{
				Info: trace.Info{Technique: trace.Truth, Elapsed: 9 * ms},
				Symbols: &trace.Symbols{
					Threads: []trace.Thread{{TID: 1, Name: "main"}, {TID: 2, Name: "old", Open: 1}},
					Methods: []trace.Method{{ID: 4, Class: "x", Name: "a"}, {ID: 8, Class: "x", Name: "p", Flags: trace.Proxy}},
				},
				Events: trace.NewSliceReader([]trace.Event{
					{Thread: 1, Method: 1}, {Wall: 1 * ms, Method: 1}, {Wall: 1 * ms}, {Wall: 1 * ms, Thread: 1},
					{Wall: 2 * ms, Action: trace.Exit}, {Wall: 2 * ms, Method: 1, Action: trace.Exit},
					{Wall: 2 * ms, Thread: 1, Action: trace.Exit}, {Wall: 3 * ms, Thread: 1, Method: 1, Action: trace.Exit},
				}),
			}, Config{Runtime: runtime, NotDebuggable: release, KeepSymbols: true})
			var threads [2][]string
			for _, e := range got {
				threads[e.Thread] = append(threads[e.Thread], string("+-"[min(e.Action, 1)])+string("ap"[e.Method]))
			}
			want := want
			if release && runtime.OpenFrames && !runtime.HidesCompiled { // no enter is reported at the start
				want = strings.Replace(want, "| +p", "|", 1)
			}
			if have := strings.Join(threads[0], " ") + " | " + strings.Join(threads[1], " "); have != want {
				t.Errorf("%s, release build %v: %s, want %s", name, release, have, want)
			}
		}
	}
}
