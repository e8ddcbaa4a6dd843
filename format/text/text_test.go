package text

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"artifice/trace"
)

// example is a hand-written trace with all constructs: escaped names, an unlisted thread and
// method, a tid and a method text that occur twice, and calls with and without a site.
const example = "# artifice text trace\n" +
	"info\tclock\tdual\n" +
	"info\tstart-ns\t5000\n" +
	"info\tpid\t21491\n" +
	"info\ttechnique\tinstrumented\n" +
	"thread\t21491\tmain\n" +
	"thread\t7\ta\\tb\\\\c\n" +
	"thread\t7\tsecond\n" +
	"thread\t9\n" +
	"thread\t10\tborn\t1200\t1900\t0\n" +
	"thread\t11\t0\t0\t2\n" +
	"method\t0x0\tjava.lang.Object\twait\t()V\tObject.java\t-1\n" +
	"method\t0x4\tjava.lang.Object\twait\t()V\tObject.java\t442\tnative,wait:lock,period:16.666667ms,at-once,takes:2\n" +
	"method\t0x8\n" +
	"1000 500 21491 enter java.lang.Object.wait()V\n" +
	"1500 0 7 enter java.lang.Object.wait()V\t#2\t@255\n" +
	"1700 0 7#2 enter unknown.method_0x8\t@1\n" +
	"1800 10 7 unwind java.lang.Object.wait()V\t#2\n" +
	"1900 0 9 exit unknown.method_0x8\n" +
	"2000 510 21491 exit java.lang.Object.wait()V\n"

func readText(t testing.TB, text string) (*trace.Recording, *trace.Buffer) {
	t.Helper()
	rec, err := NewReader(strings.NewReader(text), "example")
	if err != nil {
		t.Fatal(err)
	}
	var b trace.Buffer
	if _, err := trace.Copy(&b, rec.Events); err != nil {
		t.Fatal(err)
	}
	return rec, &b
}

func writeText(t testing.TB, rec *trace.Recording, events []trace.Event) string {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out, rec)
	if err := w.WriteEvents(events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTextRoundTrip(t *testing.T) {
	rec, events := readText(t, example)
	if got := writeText(t, rec, events.Events); got != example {
		t.Errorf("written again:\n%s\nwant:\n%s", got, example)
	}
	want := []trace.Event{
		{Wall: 1000, CPU: 500, Method: 0, Thread: 0, Action: trace.Enter},
		{Wall: 1500, CPU: 0, Method: 1, Thread: 1, Action: trace.Enter, Site: 255},
		{Wall: 1700, CPU: 0, Method: 2, Thread: 2, Action: trace.Enter, Site: 1},
		{Wall: 1800, CPU: 10, Method: 1, Thread: 1, Action: trace.Unwind},
		{Wall: 1900, CPU: 0, Method: 2, Thread: 3, Action: trace.Exit},
		{Wall: 2000, CPU: 510, Method: 0, Thread: 0, Action: trace.Exit},
	}
	for i, e := range want {
		if events.Events[i] != e {
			t.Errorf("event %d = %+v, want %+v", i, events.Events[i], e)
		}
	}
	if got := rec.Symbols.Threads[1].Name; got != "a\tb\\c" {
		t.Errorf("thread name %q", got)
	}
}

// TestTextSymbolsGrow checks a streaming source, which defines symbols while it is read. The text
// announces them before the batch that uses them, and reading the text returns the same events.
func TestTextSymbolsGrow(t *testing.T) {
	rec := &trace.Recording{Symbols: &trace.Symbols{}, Info: trace.Info{Clock: trace.Wall}}
	var out bytes.Buffer
	w := NewWriter(&out, rec)
	for i := range 3 {
		id, _ := rec.Symbols.AddThread(trace.Thread{TID: 5, Name: "again"})
		m := rec.Symbols.AddMethod(trace.Method{ID: uint64(i) * 4, Class: "A", Name: "f", Signature: "()V"})
		w.WriteEvents([]trace.Event{{Wall: 1, Thread: id, Method: m}})
	}
	w.Close()
	_, events := readText(t, out.String())
	for i, e := range events.Events {
		if int(e.Thread) != i || int(e.Method) != i {
			t.Errorf("event %d has thread %d, method %d", i, e.Thread, e.Method)
		}
	}
	if len(events.Events) != 3 {
		t.Fatalf("%d events in\n%s", len(events.Events), out.String())
	}
}

// TestTextThreadEnds checks a truth that sets the end of a thread while it is read. The text
// announces the end before the following events.
func TestTextThreadEnds(t *testing.T) {
	rec := &trace.Recording{Symbols: &trace.Symbols{}, Info: trace.Info{Clock: trace.Wall}}
	id, _ := rec.Symbols.AddThread(trace.Thread{TID: 5, Name: "worker"})
	m := rec.Symbols.AddMethod(trace.Method{Class: "A", Name: "f", Signature: "()V"})
	var out bytes.Buffer
	w := NewWriter(&out, rec)
	w.WriteEvents([]trace.Event{{Wall: 1, Thread: id, Method: m}})
	rec.Symbols.Threads[id].End = 9
	w.WriteEvents([]trace.Event{{Wall: 9, Thread: id, Method: m, Action: trace.Exit}})
	rec.Symbols.Threads[id].AtStop = trace.Exited
	w.Close()
	if want := "end\t5\t9\n9 - 5 exit A.f()V\nstop\t5\texited\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("text\n%s\nwant at its end\n%s", out.String(), want)
	}
	if again, _ := readText(t, out.String()); again.Symbols.Threads[0].End != 9 || again.Symbols.Threads[0].AtStop != trace.Exited {
		t.Errorf("read back: %+v", again.Symbols.Threads[0])
	}
}

// TestTextInfoGrows checks that the text states the length of a streaming source, which is known at
// its end, in the last line.
func TestTextInfoGrows(t *testing.T) {
	rec := &trace.Recording{Symbols: &trace.Symbols{}, Info: trace.Info{Clock: trace.Wall}}
	var out bytes.Buffer
	w := NewWriter(&out, rec)
	rec.Info.Elapsed = 77
	w.Close()
	if want := textHeader + "info\tclock\twall\ninfo\telapsed-ns\t77\n"; out.String() != want {
		t.Errorf("text\n%s\nwant\n%s", out.String(), want)
	}
	if again, _ := readText(t, out.String()); again.Info.Elapsed != 77 {
		t.Errorf("read back: %+v", again.Info)
	}
}

func TestTextErrors(t *testing.T) {
	head := "thread\t1\tmain\nmethod\t0x4\tA\tf\t()V\t\t-1\n"
	for _, test := range []struct{ text, want string }{
		{"hello\n", `x:1: "hello" is not an info`},
		{"info\tclock\n", "x:1: an info line"},
		{"info\tclock\tsun\n", "x:1: clock \"sun\""},
		{"info\tcolour\tred\n", "x:1: unknown info key"},
		{"info\tpid\tone\n", "x:1: strconv.Atoi"},
		{"info\ttechnique\tguess\n", "x:1: technique"},
		{"thread\n", "x:1: a thread line"},
		{"thread\t-1\tmain\n", "x:1: tid"},
		{"thread\t1\tmain\t1\n", "x:1: a thread line"},
		{"thread\t1\tmain\t1\t-1\t0\n", `x:1: "-1" is not a start`},
		{"end\t1\n", "x:1: an end line"},
		{"end\t1\t5\n", "x:1: no thread line for tid 1"},
		{head + "end\t1\tsoon\n", `x:3: "soon" is not a time`},
		{"stop\t1\n", "x:1: a stop line"},
		{"stop\t1\talive\n", "x:1: no thread line for tid 1"},
		{head + "stop\t1\tgone\n", `x:3: state "gone" of a thread at the stop: must be alive or exited`},
		{"method\t0x4\tA\n", "x:1: a method line"},
		{"method\tzz\n", "x:1: method id"},
		{"method\t4\tA\tf\t()V\t\tzero\n", "x:1: source line"},
		{"method\t4\tA\tf\t()V\t\t1\tfast\n", `x:1: flag "fast"`},
		{"method\t4\tA\tf\t()V\t\t1\twait:tea\n", `x:1: unknown kind of wait "tea"`},
		{"method\t4\tA\tf\t()V\t\t1\twait:io,period:0s\n", `x:1: period "0s": must be a time above 0, as in period:10ms`},
		{"method\t4\tA\tf\t()V\t\t1\tgives:x\n", `x:1: link "gives:x": must be "gives:" and a number`},
		{head + "1 1 1 enter\n", "x:3: an event line"},
		{head + "1 1 2 enter A.f()V\n", "x:3: no thread line for tid 2"},
		{head + "1 1 1 jump A.f()V\n", "x:3: action \"jump\""},
		{head + "1 1 1 enter A.g()V\n", "x:3: no method line for \"A.g()V\""},
		{head + "1 1 1 enter A.g()V\t@1\n", "x:3: no method line for \"A.g()V\""},
		{head + "1 1 1 enter A.f()V\t@0\n", "x:3: call site \"0\" is not a number from 1 to 255"},
		{head + "1 1 1 enter A.f()V\t@256\n", "x:3: call site \"256\" is not a number from 1 to 255"},
		{head + "1 1 1 enter A.f()V\t@2\t@3\n", "x:3: call site \"2\\t@3\" is not a number from 1 to 255"},
		{head + "1 1 1 exit A.f()V\t@1\n", "x:3: an event with action exit cannot have a call site"},
		{head + "- 1 1 enter A.f()V\n", "x:3: the wall time is missing"},
		{"info\tclock\twall\n" + head + "1 1 1 enter A.f()V\n", "x:4: there is a cpu time"},
		{head + "9223372036854775808 1 1 enter A.f()V\n", "x:3: wall time"},
		{head + strings.Repeat("1", maxTextLine) + "\n", "x:3: longer than"},
	} {
		rec, err := NewReader(strings.NewReader(test.text), "x")
		if err == nil {
			_, err = trace.Copy(&trace.Buffer{}, rec.Events)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.60q: error %v, want %q", test.text, err, test.want)
		}
	}
}

// TestTextErrorAfterEvents checks that symbols and events before an error are returned, followed by
// the error.
func TestTextErrorAfterEvents(t *testing.T) {
	rec, err := NewReader(strings.NewReader(example+"bad\n"), "x")
	if err != nil {
		t.Fatal(err)
	}
	var b trace.Buffer
	n, err := trace.Copy(&b, rec.Events)
	if n != 6 || err == nil {
		t.Errorf("%d events and error %v, want 6 and an error", n, err)
	}
	if k, again := rec.Events.ReadEvents(make([]trace.Event, 1)); k != 0 || again != err {
		t.Errorf("read after the error: %d, %v, want 0, %v", k, again, err)
	}
}

func TestTextReadFails(t *testing.T) {
	_, err := NewReader(iotest.ErrReader(os.ErrPermission), "x")
	if !errors.Is(err, os.ErrPermission) {
		t.Errorf("error %v, want one that wraps %v", err, os.ErrPermission)
	}
}

// failAfter is a writer that fails after n bytes.
type failAfter struct{ n int }

func (f *failAfter) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestTextWriteFails(t *testing.T) {
	rec, events := readText(t, example)
	for n := range len(example) {
		w := NewWriter(&failAfter{n}, rec)
		err := w.WriteEvents(events.Events)
		if err == nil {
			err = w.Close()
		}
		if err != io.ErrShortWrite {
			t.Fatalf("writer that fails after %d bytes: error %v", n, err)
		}
	}
}

// FuzzText checks that any accepted text is unchanged after it is written and read.
func FuzzText(f *testing.F) {
	f.Add(example)
	f.Add("info\tclock\twall\nthread\t1\tmain\nmethod\t4\tA\tf\t\t\t3\n1 - 1 enter A.f\n")
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := NewReader(strings.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		var b trace.Buffer
		if _, err := trace.Copy(&b, rec.Events); err != nil {
			return
		}
		first := writeText(t, rec, b.Events)
		again, events := readText(t, first)
		if second := writeText(t, again, events.Events); second != first {
			t.Errorf("the second output differs:\n%q\n%q", first, second)
		}
		if len(events.Events) != len(b.Events) {
			t.Errorf("%d events became %d", len(b.Events), len(events.Events))
		}
	})
}

// TestTextSiteOfEntersOnly checks that only enters are written with a call site.
func TestTextSiteOfEntersOnly(t *testing.T) {
	rec, _ := readText(t, "thread\t1\tmain\nmethod\t4\tA\tf\t()V\t\t3\n")
	got := writeText(t, rec, []trace.Event{{Wall: 1, CPU: 1, Site: 7}, {Wall: 2, CPU: 2, Action: trace.Exit, Site: 7}})
	if want := "1 1 1 enter A.f()V\t@7\n2 2 1 exit A.f()V\n"; !strings.HasSuffix(got, want) {
		t.Errorf("text\n%s\nwant at its end\n%s", got, want)
	}
}

// TestTextFlags: each flag of a method is preserved by writing and reading.
func TestTextFlags(t *testing.T) {
	for flag := trace.Native; flag <= trace.Allocates; flag <<= 1 {
		m := trace.Method{Flags: flag}
		text := traits(&m)
		var back trace.Method
		if err := parseTraits(&back, text); err != nil || back.Flags != flag {
			t.Errorf("flag %b is written as %q and read as %b: %v", flag, text, back.Flags, err)
		}
	}
}
