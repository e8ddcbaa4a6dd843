package stackdump_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"artifice/diffstack"
	"artifice/format"
	"artifice/format/internal/anr"
	"artifice/format/internal/blockinfo"
	"artifice/format/internal/folded"
	"artifice/format/internal/formattest"
	"artifice/format/internal/jsonlines"
	"artifice/format/internal/jvm"
	"artifice/format/internal/perf"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
	"artifice/trace/filter"
)

// TestCutAtEveryByte checks every prefix of a file with two dumps of a thread. A prefix yields the
// dumps with a complete header, and a warning if one is truncated. A prefix without a thread is an
// error.
func TestCutAtEveryByte(t *testing.T) {
	testdata.Seldom(t, 4)
	anrDump := formattest.ANR[strings.Index(formattest.ANR, "----- pid 7 at 2023-04-04 22:06:31.02"):]
	jvmDump := formattest.JVM("2025-12-22 16:10:17", `"main" #1 prio=5 tid=0x01 nid=0x2a runnable [0x0]`, "\tat a.B.main(B.java:9)\n")
	for _, test := range []struct {
		format                  *stackdump.Format
		text, head, thread, end string
	}{
		{anr.Format.Dumps, anrDump + anrDump, "----- pid ", "\" prio=", "----- end "},
		{jvm.Format.Dumps, jvmDump + jvmDump, "Full thread dump ", " tid=", "JNI global ref"},
	} {
		for n := range len(test.text) {
			text := test.text[:n]
			heads, ends := strings.Count(text, test.head), strings.Count(text, test.end)
			s, err := formattest.New(strings.NewReader(text), "cut.txt", stackdump.Config{Format: test.format})
			if !strings.Contains(text, test.thread) {
				if err == nil {
					_, err = trace.Copy(&trace.Buffer{}, s)
				}
				if err == nil || heads > 0 && !strings.Contains(err.Error(), "no thread can be read in 1 dump of format") {
					t.Fatalf("%s cut at %d: %v, although it has no thread", test.format, n, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s cut at %d: %v", test.format, n, err)
			}
			tracetest.Events(t, s)
			if got := s.Counts().Dumps; got != int64(heads) {
				t.Errorf("%s cut at %d: %d dumps, want %d", test.format, n, got, heads)
			}
			if cut := heads > ends; cut != mentions(s.Warnings, "cut.txt:", "is truncated") {
				t.Errorf("%s cut at %d: warnings %q", test.format, n, s.Warnings)
			}
		}
	}
}

// mentions reports whether a warning contains all texts.
func mentions(warnings []trace.Warning, texts ...string) bool {
	for _, w := range warnings {
		all := true
		for _, text := range texts {
			all = all && strings.Contains(w.String(), text)
		}
		if all {
			return true
		}
	}
	return false
}

// TestCutJSON checks that a truncated JSON document is an error with the line and its cause, and
// that a truncated line of JSON lines is skipped with a warning.
func TestCutJSON(t *testing.T) {
	for _, test := range []struct{ text, place string }{
		{"{\"threadDump\":\n{\"threadContainers\":[{\"threads\":[\n{\"tid\":1,\"name\":\"main\",\"stack\":[\"a.B", "cut.json:3: "},
		{"{\"stackTraceSamples\":[\n{\"time\":1,\"stackTraceElements\":[]},\n", "cut.json:2: "},
		{"{\"stackTraceSamples\":[\n{\"time\":1,\"stackTraceElements\":[]}]\n", "cut.json:2: "},
	} {
		s, err := formattest.New(strings.NewReader(test.text), "cut.json", stackdump.Config{})
		if err == nil {
			_, err = trace.Copy(&trace.Buffer{}, s)
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(err.Error(), test.place) {
			t.Errorf("%q: %v, want %s… unexpected EOF", test.text, err, test.place)
		}
	}
	s := formattest.Parse(t, stackdump.Config{}, `{"time_us":1,"thread":"main","frames":["a"]}`+"\n"+`{"time_us":2,"thr`)
	tracetest.Events(t, s)
	formattest.Warned(t, s, "test.txt:2: the line is ignored: unexpected end of JSON input")
}

func TestCutGzip(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, strings.Repeat(formattest.ANR, 100))
	z.Close()
	s, err := formattest.New(bytes.NewReader(packed.Bytes()[:packed.Len()-20]), "cut.gz", stackdump.Config{})
	if err == nil {
		_, err = trace.Copy(&trace.Buffer{}, s)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(err.Error(), "cut.gz") {
		t.Errorf("cut gzip: %v, want unexpected EOF of cut.gz", err)
	}
}

// TestInterleavedLogLines checks that a log line within a stack causes a warning, and that the
// stack is complete.
func TestInterleavedLogLines(t *testing.T) {
	for _, test := range []struct{ text, frame string }{
		{formattest.ANR, "  at android.os.Looper.loop"},
		{formattest.JVM("2025-12-22 16:10:17", `"main" #1 prio=5 tid=0x01 nid=0x2a runnable`, "\tat a.B.f(B.java:1)\n\tat a.B.main(B.java:9)\n"), "\tat a.B.main"},
	} {
		clean := formattest.Parse(t, stackdump.Config{}, test.text)
		want := formattest.Text(t, clean)
		formattest.Warned(t, clean)
		mixed := formattest.Parse(t, stackdump.Config{}, strings.Replace(test.text, test.frame, "12:00:01 INFO server: hello\n"+test.frame, 1))
		formattest.Same(t, formattest.Text(t, mixed), want)
		formattest.Warned(t, mixed, `"12:00:01 INFO server: hello"`)
	}
}

// TestDeepStacks checks that a stack of 100,000 frames is read completely in every format if the
// limit allows it.
func TestDeepStacks(t *testing.T) {
	const depth = 100_000
	for _, test := range []struct{ format, before, line, after string }{
		{"anr", "----- pid 7 at 2023-04-04 22:06:31 -----\nDALVIK THREADS (1):\n\"main\" prio=5 tid=1 Native\n", "  at a.B.f(B.java:1)\n", "\n----- end 7 -----\n"},
		{"jvm", "Full thread dump x:\n\n\"main\" #1 prio=5 tid=0x01 nid=0x2a runnable\n", "\tat a.B.f(B.java:1)\n", "\nJNI global refs: 1\n"},
		{"folded", "main", ";a.B.f", " 1\n"},
		{"perf", "app 7 1.000000: 1000 cpu-clock:\n", "\t7f26cab4c0b0 f (/bin/app)\n", "\n"},
		{"jsonl", `{"time_us":0,"thread":"main","frames":["a.B.f"`, `,"a.B.f"`, "]}\n"},
		{"blockinfo", `{"stackTraceSamples":[{"time":1,"stackTraceElements":[{"declaringClass":"a.B","methodName":"f"}`, `,{"declaringClass":"a.B","methodName":"f"}`, "]}]}"},
		{"jvm-text", "7\n2025-06-10T00:49:22Z\n21\n\n#1 \"main\"\n", "      a.B.f(B.java:1)\n", "\n"},
		{"jvm-json", `{"threadDump":{"threadContainers":[{"threads":[{"tid":1,"name":"main","stack":["a.B.f"`, `,"a.B.f"`, "]}]}]}}\n"},
	} {
		s := formattest.Parse(t, stackdump.Config{Format: format.ByName(test.format).Dumps, Limits: trace.Limits{Depth: 2 * depth}}, test.before+strings.Repeat(test.line, depth)+test.after)
		events := tracetest.Events(t, s)
		n := 0
		for _, e := range events {
			if e.Action == trace.Enter {
				n++
			}
		}
		if n != depth && n != depth+1 { // folded and JSON have one more frame, the first
			t.Errorf("%s: %d enters, want %d", test.format, n, depth)
		}
		formattest.Warned(t, s)
	}
	// A few bytes of a file can state a large size; the memory for it is bounded.
	s := formattest.Parse(t, stackdump.Config{}, "----- pid 7 at 2023-04-04 22:06:31 -----\n\"main\" prio=5 tid=1 Native\n  at a.B.f(B.java:1)\n  ... repeated 999999999999 times\n\n----- end 7 -----\n")
	if n := len(tracetest.Events(t, s)); n != 1<<16 {
		t.Errorf("%d frames, want %d", n, 1<<16)
	}
	formattest.Warned(t, s, "a stack has more than 65536 frames; further frames are dropped (--limit depth=N keeps more)")
}

func TestInvalidUTF8(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, strings.ReplaceAll(formattest.ANR, "example.Worker.run", "\xc3\x28.W\x01rker.run"))
	got := formattest.Text(t, s)
	if want := "com.\ufffd(.W rker.run"; strings.Contains(got, "\xc3") || !strings.Contains(s.Symbols.Method(3).String(), "com.\ufffd") {
		t.Errorf("method %q, want %q in it", s.Symbols.Method(3), want)
	}
	formattest.Warned(t, s, "test.txt:23: invalid UTF-8 or a control character is replaced")
}

// TestDuplicateThread checks that the second of two threads with one identity is skipped with a
// warning.
func TestDuplicateThread(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, strings.Replace(formattest.ANR, "| sysTid=9 ", "| sysTid=7 ", 1))
	events := tracetest.Events(t, s)
	if len(events) != 6 { // 3 enters of main, 2 exits and 1 enter
		t.Errorf("%d events, want 6", len(events))
	}
	formattest.Warned(t, s, `test.txt:17: the dump contains a thread twice; the second is ignored: "a \"quoted\" name"`)
}

func TestBadLines(t *testing.T) {
	for _, test := range []struct {
		format *stackdump.Format
		text   string
		want   []string
	}{
		{folded.Format.Dumps, "a;b 1\na;b x\na;b -1\na;b 0\nnothing\na;;b 1\n", []string{
			":2: not a folded stack", ":3: a line with a negative count is ignored", ":5: not a folded stack", ":6: an empty frame is ignored"}},
		{jsonlines.Format.Dumps, `{"time_us":1,"thread":"m","frames":[]}` + "\n{}\n[]\n" + `{"time_us":1}` + "\n" + `{"time_us":99999999999999999,"thread":"m"}` + "\n" + `{"time_us":1,"cpu_us":-4,"thread":"m"}`, []string{
			`:2: the line is ignored: "time_us" is missing`, ":3: the line is ignored: json", `:4: the line is ignored: "thread" and "tid"`,
			`:5: the line is ignored: "time_us" is out of range`, `:6: the line is ignored: "cpu_us"`}},
		{jsonlines.Format.Dumps, `{"time_us":1,"thread":"m","frames":[]}` + "\n" + `{"time_us":2,"thread":"m","stack":["a.B.f"]}`, []string{`:2: the line is ignored: "frames" is missing`}},
		{perf.Format.Dumps, "app 7 1.0: 5 cpu-clock:\n\t1 f (x)\n\ngarbage\napp 7 2.0: 5 cpu-clock:\n\t1 f (x)\nlog line\n\napp 7 3.0: 5 cpu-clock:\n\t1 f (x)\n", []string{
			":4: not the first line of a sample", ":7: not a frame", ":7: not the first line of a sample", ":9: there is no empty line after the last sample"}},
		{jvm.Text.Dumps, "7\n2025-06-10T00:49:22Z\n21\n\n#1 \"main\"\n      f\nlog line\n      g\n\n# x\n\n#2 \"b\"\n      f\n", []string{
			`:7: not a line of a thread dump: "log line"`, `:10: not a line of a thread dump: "# x"`, `:12: there is no empty line after the last thread`}},
		{jvm.JSON.Dumps, `{"threadDump":{"threadContainers":[{"threads":[{"name":"x","stack":["f"]}]}]}}`, []string{`:1: a thread without "tid" is identified by its name`}},
		{blockinfo.Format.Dumps, `{"stackTraceSamples":[{"stackTraceElements":[]}]}`, []string{`:1: a sample without "time"`}},
	} {
		s := formattest.Parse(t, stackdump.Config{Format: test.format}, test.text)
		tracetest.Events(t, s)
		formattest.Warned(t, s, test.want...)
	}
}

// TestManyWarnings checks that warnings of one kind are only counted after the first few.
func TestManyWarnings(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, "a 1\nb 1\n"+"a 1\n"+strings.Repeat("b 1\n", 100)+strings.Repeat("bad\n", 50))
	tracetest.Events(t, s)
	if n := len(s.Warnings); n != 5+1 || s.Warnings[n-1].String() != "test.txt: 45 more such warnings: not a folded stack: frames, a space and a count" {
		t.Errorf("%d warnings, the last %q", n, s.Warnings[n-1])
	}
}

func TestNoDumps(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, test := range []struct{ path, want string }{
		{write("empty", ""), "the file is empty"},
		{write("prose", "This is no dump.\nNeither is this.\n"), "no stack dump is recognized"},
		{write("channels", "----- Waiting Channels: pid 1 at 2023-04-04 22:06:31 -----\n----- end 1 -----\n"), "there is no stack dump in it, although it looks like format anr"},
		{filepath.Join(dir, "absent"), "no such file"},
		{dir, "no stack dump among 3 files"},
	} {
		_, err := formattest.OpenAll([]string{test.path}, stackdump.Config{})
		if err == nil || !strings.Contains(err.Error(), test.path) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.path, err, test.want)
		}
	}
}

func TestBadConfigs(t *testing.T) {
	for _, cfg := range []stackdump.Config{
		{Interval: -1}, {Interval: 2000 * time.Hour}, {Last: -1}, {Part: filter.Part{From: -1}}, {Part: filter.Part{From: 2, To: 1}},
		{Identity: 9}, {SliceEnd: 9}, {Include: 9}, {Interval: 999 * time.Hour, Format: folded.Format.Dumps},
	} {
		s, err := formattest.New(strings.NewReader("a 2147483647\nb 1\n"), "x", cfg)
		if err == nil {
			_, err = trace.Copy(&trace.Buffer{}, s)
		}
		if err == nil {
			t.Errorf("%+v: no error, want one", cfg)
		}
	}
	for _, parse := range []func(string) error{
		func(s string) error { _, err := diffstack.ParseIdentity(s, diffstack.BySite); return err },
		func(s string) error { _, err := stackdump.ParseInclude(s); return err },
		func(s string) error { _, err := diffstack.ParseSliceEnd(s); return err },
	} {
		if err := parse("nonsense"); err == nil || !strings.Contains(err.Error(), `"nonsense": must be one of`) {
			t.Errorf("parse(nonsense): error %v, want one that lists the words", err)
		}
	}
	if got := fmt.Sprint(diffstack.BySite, stackdump.AllFrames, diffstack.EndMid, diffstack.Identity(9)); got != "method+line all mid unknown(9)" {
		t.Errorf("words %q", got)
	}
}

// TestLongLines checks that a line of 10 MB is skipped with a warning.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 10<<20)
	s := formattest.Parse(t, stackdump.Config{}, strings.Replace(formattest.ANR, "  at android.os.Looper.loop", long+"\n  at android.os.Looper.loop", 1))
	formattest.Same(t, formattest.Text(t, s), formattest.Text(t, formattest.Parse(t, stackdump.Config{}, formattest.ANR)))
	formattest.Warned(t, s, "test.txt:14: not a line of a thread: \"xxx")
}
