package art

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/trace"
)

// testLog is a log under test and its truth: threads a, b, c … with tids 11, 12, 13 … and methods
// m0, m1, m2 ….
type testLog struct {
	*Log
	t    *testing.T
	wall time.Duration
}

func newTestLog(t *testing.T, runtime string, cfg Config) *testLog {
	t.Helper()
	truth := &trace.Recording{Symbols: &trace.Symbols{}}
	for i := range 4 {
		truth.Symbols.AddThread(trace.Thread{TID: uint32(11 + i), Name: string(rune('a' + i))})
		truth.Symbols.AddMethod(trace.Method{Class: "C", Name: fmt.Sprintf("m%d", i), Signature: "()V"})
	}
	var err error
	if cfg.Runtime, err = ByName(runtime); err != nil {
		t.Fatal(err)
	}
	log, err := NewLog(truth, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &testLog{Log: log, t: t}
}

// calls calls m0 on a thread repeatedly until it has n more events, in pairs of enter and exit.
func (l *testLog) calls(thread trace.ThreadID, n int) {
	l.t.Helper()
	for i := range n {
		l.wall++
		e := trace.Event{Wall: l.wall, Thread: thread, Action: trace.Action(i % 2)}
		if err := l.WriteEvents([]trace.Event{e}); err != nil {
			l.t.Fatal(err)
		}
	}
}

// stop ends the trace and returns the runs of the file as thread name and number of events:
// "a174762 b3".
func (l *testLog) stop() string {
	l.t.Helper()
	if err := l.Stop(l.wall); err != nil {
		l.t.Fatal(err)
	}
	events := make([]trace.Event, l.written+1)
	events = events[:l.Take(events)]
	if int64(len(events)) != l.written {
		l.t.Fatalf("%d events, %d written", len(events), l.written)
	}
	var runs []string
	for len(events) > 0 {
		n := slices.IndexFunc(events, func(e trace.Event) bool { return e.Thread != events[0].Thread })
		if n < 0 {
			n = len(events)
		}
		runs = append(runs, fmt.Sprintf("%s%d", l.out.Symbols.Thread(events[0].Thread).Name, n))
		events = events[n:]
	}
	return strings.Join(runs, " ")
}

// TestRunLengths: a thread buffer has 512 Ki words. In ART 14 an event takes one word each for
// method, action and every clock, and the last word of the buffer stays free. In 15 and 16 it takes
// one word for method and action and one per clock. In 17 it takes one word per clock, and one more
// for an enter.
//
//	14: (524288-1)/4 = 131071, (524288-1)/3 = 174762
//	15: 524288/3 = 174762, 524288/2 = 262144
//	17: 5 words a call: 2*104857 = 209714 and an enter in the 3 words left; 3 words a call: 2*174762 = 349524 and an enter in the 2 left
func TestRunLengths(t *testing.T) {
	for _, test := range []struct {
		runtime    string
		dual, wall int
	}{
		{"art14", 131071, 174762},
		{"art15", 174762, 262144},
		{"art16", 174762, 262144},
		{"art17", 209715, 349525},
	} {
		for clock, want := range map[trace.Clock]int{trace.Dual: test.dual, trace.Wall: test.wall, trace.ThreadCPU: test.wall} {
			l := newTestLog(t, test.runtime, Config{Streaming: true, Clock: clock})
			l.Attach(0)
			l.Attach(1)
			l.calls(1, 2)
			l.calls(0, want+4) // one full buffer is written before the stop
			if got, want := l.stop(), fmt.Sprintf("a%d b2", want+4); got != want {
				// The first run of a is written when it is full, the others at the stop, in list
				// order.
				t.Errorf("%s, %s: %s, want %s", test.runtime, clock, got, want)
			}
			l = newTestLog(t, test.runtime, Config{Streaming: true, Clock: clock})
			l.Attach(1)
			l.Attach(0)
			l.calls(1, 2)
			l.calls(0, want+4)
			if got, want := l.stop(), fmt.Sprintf("a%d b2 a4", want); got != want {
				t.Errorf("%s, %s, b first in the list: %s, want %s", test.runtime, clock, got, want)
			}
		}
	}
}

// TestThreadsThatEnd checks the thread table and the runs if threads end, a tid is reused, and a
// thread has no events.
func TestThreadsThatEnd(t *testing.T) {
	tables := map[string][]string{
		"dalvik": {"1\ta", "4\td", "3\tc", "2\tb"},
		"art12":  {"11\td", "13\tc", "12\tb", "11\te"},
		"art14":  {"11\te", "12\tb", "13\tc"},
		"art15":  {"1\tc", "2\te"},
	}
	for runtime, want := range tables {
		l := newTestLog(t, runtime, Config{})
		l.truth.Symbols.Threads[3].TID = 11 // "d" reuses the tid of "a"
		l.Attach(0)
		l.Attach(1) // has no events
		l.calls(2, 2)
		l.End(2)
		l.End(0)
		l.Attach(3)
		l.calls(3, 2)
		if runtime != "dalvik" {
			l.End(3)
			e, _ := l.truth.Symbols.AddThread(trace.Thread{TID: 11, Name: "e"})
			l.calls(e, 2)
		}
		l.stop()
		if diff := cmp.Diff(want, l.out.Source.Threads); diff != "" {
			t.Errorf("%s: threads (-want +got):\n%s", runtime, diff)
		}
	}
}

// TestV2: format V2 has 32-bit kernel tids and addresses of methods. The writer's packets define
// their names.
func TestV2(t *testing.T) {
	l := newTestLog(t, "art16", Config{V2: true, Streaming: true})
	l.truth.Symbols.Threads[0].TID = 1 << 20
	l.calls(1, 2)
	l.calls(0, 2)
	if got := l.stop(); got != "b2 a2" {
		t.Errorf("%s, want b2 a2", got)
	}
	if s := l.out.Symbols; s.Threads[0].TID != 12 || s.Threads[1].TID != 1<<20 || s.Methods[0].ID%4 != 0 || s.Methods[0].ID < 8 {
		t.Errorf("%+v", s)
	}
	if s := l.out.Source; s.Format != "art-v2-16" || len(s.Announced) > 2 || s.Threads != nil || s.Methods != nil {
		t.Errorf("%+v", s)
	}
}

// TestMethodOrder: ART 14 and later list methods in MethodOrder, the order of a hash table,
// followed by the other methods by id. ART up to 13 ignores MethodOrder and lists methods in
// address order.
func TestMethodOrder(t *testing.T) {
	for runtime, want := range map[string]string{"art13": "m0 m1 m2 m3", "art14": "m2 m0 m3 m1", "art16": "m2 m0 m3 m1"} {
		l := newTestLog(t, runtime, Config{MethodOrder: []trace.MethodID{2, 0}})
		events := []trace.Event{{Method: 3}, {Method: 1}, {Method: 0}, {Method: 2}}
		if err := l.WriteEvents(events); err != nil {
			t.Fatal(err)
		}
		l.Take(events)
		l.Stop(0)
		var names []string
		for _, line := range l.out.Source.Methods {
			names = append(names, strings.Split(line, "\t")[2])
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", runtime, got, want)
		}
	}
}

// TestRenamedThread: a thread is renamed after its first event, and again before it ends. Files
// up to 14 have its name at the end, those of 15 its name at the first event; a stream announces
// the name at the first event.
func TestRenamedThread(t *testing.T) {
	for _, test := range []struct {
		runtime   string
		stream    bool
		threads   []string
		announced []string
	}{
		{"dalvik", false, []string{"1\tlate"}, nil}, // it stays in the list until the stop, with the name it has then
		{"art9", false, []string{"11\tlast"}, nil},
		{"art12", true, []string{"11\tlast"}, []string{"first"}},
		{"art14", true, []string{"11\tlast"}, []string{"first"}},
		{"art15", false, []string{"1\tfirst"}, nil},
		{"art16", true, nil, []string{"first"}},
	} {
		l := newTestLog(t, test.runtime, Config{Streaming: test.stream})
		name := &l.truth.Symbols.Threads[0].Name
		*name = "first"
		l.calls(0, 2)
		*name = "last"
		l.End(0)
		*name = "late"
		l.stop()
		if diff := cmp.Diff(test.threads, l.out.Source.Threads); diff != "" {
			t.Errorf("%s: threads (-want +got):\n%s", test.runtime, diff)
		}
		var announced []string
		for _, a := range l.out.Source.Announced {
			if !a.Method {
				announced = append(announced, a.Text)
			}
		}
		if diff := cmp.Diff(test.announced, announced); diff != "" {
			t.Errorf("%s: announced (-want +got):\n%s", test.runtime, diff)
		}
	}
}

// TestProxies: up to 13 a proxy's events have an undefined id. A stream announces the interface's
// method with the next id, once for two proxies of equal text; a file lists it with an id above all
// others. From 14 on the proxy's id is listed.
func TestProxies(t *testing.T) {
	for _, test := range []struct {
		runtime string
		stream  bool
		ids     []uint64 // of the events
		lines   []string
	}{
		{"art13", false, []uint64{0, 4, 8, 12}, []string{"0\tC\tm0", "0x10\tC\tp", "0x10\tC\tp", "0xc\tC\tm3"}},
		{"art13", true, []uint64{0, 4, 12, 16}, []string{"0\tC\tm0", "0x8\tC\tp", "0x10\tC\tm3"}},
		{"art14", false, []uint64{0, 4, 8, 12}, []string{"0\tC\tm0", "0x4\tC\tp", "0x8\tC\tp", "0xc\tC\tm3"}},
	} {
		l := newTestLog(t, test.runtime, Config{Streaming: test.stream})
		for i := 1; i <= 2; i++ {
			l.truth.Symbols.Methods[i].Name, l.truth.Symbols.Methods[i].Flags = "p", trace.Proxy
		}
		var events []trace.Event
		for m := range trace.MethodID(4) {
			events = append(events, trace.Event{Method: m})
		}
		if err := l.WriteEvents(events); err != nil {
			t.Fatal(err)
		}
		l.Take(events)
		var ids []uint64
		for _, e := range events {
			ids = append(ids, l.out.Symbols.Method(e.Method).ID)
		}
		l.Stop(0)
		lines := l.out.Source.Methods
		for _, a := range l.out.Source.Announced {
			if a.Method {
				lines = append(lines, a.Text)
			}
		}
		for i := range lines {
			lines[i], _, _ = strings.Cut(lines[i], "\t()V")
		}
		if diff := cmp.Diff(test.ids, ids) + cmp.Diff(test.lines, lines); diff != "" {
			t.Errorf("%s, streaming %t (-want +got):\n%s", test.runtime, test.stream, diff)
		}
	}
}

// TestImpossibleTID: a tid with low 16 bits of 0, the mark of an announcement, ends a stream with
// an error that contains the tid.
func TestImpossibleTID(t *testing.T) {
	l := newTestLog(t, "art12", Config{Streaming: true})
	l.truth.Symbols.Threads[0].TID = 3 << 16
	if err := l.WriteEvents([]trace.Event{{}}); err == nil || !strings.Contains(err.Error(), `thread "a" has tid 196608`) {
		t.Errorf("tid 0x30000: error %v, want one with the tid", err)
	}
}

// TestConfig: an invalid configuration is an error that suggests a valid one.
func TestConfig(t *testing.T) {
	dalvik, _ := ByName("dalvik")
	art14, _ := ByName("art14")
	for want, cfg := range map[string]Config{
		"dalvik cannot stream":       {Runtime: dalvik, Streaming: true},
		"art14 has no format V2":     {Runtime: art14, V2: true},
		"accepts 1024 and more":      {BufferSize: 1023},
		"without --streaming, art15": {V2: true},
		"buffer of -1 bytes; VMDeb":  {BufferSize: -1},
	} {
		if _, err := NewLog(&trace.Recording{Symbols: &trace.Symbols{}}, cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", cfg, err, want)
		}
	}
	if _, err := ByName("art18"); err == nil || !strings.Contains(err.Error(), "art12") {
		t.Errorf("art18: error %v, want one with the list of names", err)
	}
	if _, err := NewLog(&trace.Recording{Symbols: &trace.Symbols{}}, Config{}); err != nil {
		t.Errorf("zero Config: error %v", err)
	}
}
