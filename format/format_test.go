package format

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"artifice/format/dmtrace"

	"artifice/internal/testdata"
	"artifice/trace"
)

const anrText = "----- pid 4711 at 2025-12-22 16:10:17 -----\nCmd line: app\nDALVIK THREADS (1):\n" +
	"\"main\" prio=5 tid=1 Runnable\n  at a.B.f(B.java:1)\n\n----- end 4711 -----\n"

func packed(text string) string {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	io.WriteString(z, text)
	z.Close()
	return out.String()
}

// TestSniff checks that the format is detected by content, also for compressed files and UTF-16,
// and that detection consumes nothing. An unrecognized file is read as a method trace, and that
// reader rejects it.
func TestSniff(t *testing.T) {
	for _, test := range []struct{ data, want string }{
		{anrText, "anr"}, {packed(anrText), "anr"}, {packed(anrText)[:len(packed(anrText))/2], "anr"},
		{"\xff\xfea\x00 \x001\x00", "folded"},
		{"a;b;c 3\na;b 1\n", "folded"},
		{"SLOW\x03\x00\x20\x00", "method-trace"},
		{"*version\n3\nFull thread dump 1\n", "method-trace"},
		{"# artifice text trace 1\n", "method-trace"},
		{"*** a log ***\n" + anrText, "anr"},
		{":-1    -1/-1    [001] 1.000000:  10000 cpu-clock: \n\t7f1 f (/bin/a)\n\n", "perf"},                       // not thread 1 of ftrace
		{"CPU 0/KVM 200/201 [002] 1000.000100: 250000 cycles:G: \n\tffff f ([guest.kernel.kallsyms])\n\n", "perf"}, // QEMU's thread
		{"CPU 1 is empty\ncpus=2\n app-1 [000] 1.000001: tracing_mark_write: B|1|a\n", "ftrace"},
		{" 1234 100.000000: cycles: \n\t7f1 f (/bin/a)\n\n", "perf"},
		{"@[\n    f+1\n    main+10\n]: 5\n@start[1234]: 9876543\n", "folded"},                     // three fields of a Profile, too
		{"\x0a\x00\x12\x05\x0a\x01\x01\x12\x00\x22\x02\x08\x01\x2a\x02\x08\x01\x32\x00", "pprof"}, // with an empty sample type
		{"\x0a\x00\x0a\x00\x0a\x02\x40\x05", "perfetto"},
		{"# austin: 3.7.0\n# mode: full\n\nP1;T1;x.py:f:2 100,0,2048\n", "folded"},
		{"\x02\x00\x00", "method-trace"},
		{"\x1f\x8bnonsense", "method-trace"}, {"a letter to nobody\n", "method-trace"}, {"", "method-trace"},
	} {
		r := bufio.NewReaderSize(strings.NewReader(test.data), maxHead)
		if got := sniff(r); got.Name != test.want {
			t.Errorf("%.10q: %s, want %s", test.data, got.Name, test.want)
		}
		if rest, _ := io.ReadAll(r); string(rest) != test.data {
			t.Errorf("%.10q: %d bytes left, want all %d", test.data, len(rest), len(test.data))
		}
	}
}

// TestUnknownText: the error for an unrecognized text or binary file lists the formats that
// artifice reads. The error for an empty file states when traces are written.
func TestUnknownText(t *testing.T) {
	for data, want := range map[string]string{
		"a letter to nobody\n": `x: offset 0: not a trace, profile or stack dump that artifice reads: it begins with "a letter to nobo"; artifice list formats lists what it reads`,
		"\x89ABC\r\n\x1a\n":    `x: offset 0: not a trace, profile or stack dump that artifice reads: it begins with "\x89ABC\r\n\x1a\n"; artifice list formats lists what it reads`,
		"":                     "x: offset 0: the file is empty: ART writes a trace when tracing stops (adb shell am profile stop PACKAGE); pull the file after tracing has stopped: unexpected EOF",
	} {
		if _, err := New(strings.NewReader(data), "x", Config{}); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", data, err, want)
		}
	}
}

// TestSniffIncompleteFile checks that a streaming trace is recognized while it is written.
func TestSniffIncompleteFile(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go w.Write(append([]byte("SLOW"), make([]byte, 60)...))
	if got := sniff(bufio.NewReaderSize(r, maxHead)); got != &dmtrace.Format {
		t.Errorf("format %s, want dmtrace", got.Name)
	}
}

// TestOpen checks that Open opens workloads, traces, folders and pipes by name.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"d/1.txt": anrText, "d/2.txt": anrText, "one.gz": packed(anrText), "my.tree": "0 1 a\n"} {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o777)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name, format string
		dumps        int64
	}{
		{"w3-on-off", "workload", 0},
		{testdata.Path(t, "traces", "tiny-basic.trace"), "method-trace", 0},
		{filepath.Join(dir, "d"), "folder", 2},
		{filepath.Join(dir, "one.gz"), "anr", 1},
	} {
		for _, order := range []Order{ByFile, ByTime} {
			in, err := Open(test.name, Config{Order: order})
			if err != nil {
				t.Fatal(err)
			}
			if err := in.InTimeOrder(); err != nil {
				t.Fatal(err)
			}
			n, err := trace.Copy(trace.Discard, in.Events)
			if err != nil || n == 0 || in.Format.Name != test.format {
				t.Errorf("%s: %d events of %s, error %v", test.name, n, in.Format.Name, err)
			}
			if in.Dumps != nil && in.Dumps.Counts().Dumps != test.dumps || in.Dumps == nil && test.dumps > 0 {
				t.Errorf("%s: dumps %v, want %d", test.name, in.Dumps, test.dumps)
			}
			if order == ByTime {
				for _, want := range []error{trace.ErrReadTwice, nil} { // the first error is for reading on
					rec, err := in.FromStart()
					if err != nil {
						t.Fatal(err)
					}
					if again, err := trace.Copy(trace.Discard, rec.Events); err != want || want == nil && again != n {
						t.Errorf("%s, read again: %d events, want %d, error %v", test.name, again, n, err)
					}
				}
			}
			if err := in.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := Open(filepath.Join(dir, "absent"), Config{}); err == nil {
		t.Error("opening a missing file: no error")
	}
}

// TestOpenPipe checks that a named pipe is read once, whatever its content.
func TestOpenPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() { io.WriteString(w, anrText); w.Close() }()
	in, err := New(r, "standard input", Config{})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := trace.Copy(trace.Discard, in.Events); n != 2 || err != nil || in.Format.Name != "anr" {
		t.Errorf("%d events of %s, error %v", n, in.Format.Name, err)
	}
}

// TestFormats checks the registry of formats. Names are unique, and each format states how it is
// recognized.
func TestFormats(t *testing.T) {
	var names []string
	head := 0
	for _, f := range Sniffed() {
		if slices.Contains(names, f.Name) || f.About == "" || f.Read == nil {
			t.Errorf("format %+v", f)
		}
		if f.Head < head {
			t.Errorf("%s inspects fewer bytes than a preceding format", f.Name)
		}
		head = max(head, f.Head)
		names = append(names, f.Name)
	}
}
