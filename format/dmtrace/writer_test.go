package dmtrace_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/format/dmtrace"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// tinyText is a minimal trace.
const tinyText = "info\tclock\tdual\ninfo\tstart-ns\t7000\ninfo\telapsed-ns\t300000\ninfo\tclock-overhead-ns\t99\ninfo\tpid\t77\n" +
	"thread\t1\tmain\nmethod\t0x10\ta.A\tf\t()V\tA.java\t12\n" +
	"258000 3000 1 enter a.A.f()V\n259000 4000 1 exit a.A.f()V\n"

func TestBytesOfEachVariant(t *testing.T) {
	const (
		magic  = "534c4f57"                     // SLOW
		start  = "0700000000000000"             // 7 us
		zeros  = "0000000000000000000000000000" // bytes 18 to 31
		threds = "*threads\n1\tmain\n*methods\n"
		artM   = "0x10\ta.A\tf\t()V\tA.java\n"
		dalvM  = "0x00000010\ta/A\tf\t()V\tA.java\t12\n"
	)
	options := func(clock, records, vm string) string {
		return "data-file-overflow=false\nclock=" + clock + "\nelapsed-time-usec=300\n" + records + "clock-call-overhead-nsec=99\nvm=" + vm + "\n"
	}
	const n = "num-method-calls=2\n"
	summary := "*version\n3\n" + options("dual", "", "art") + "pid=77\n" + threds + artM + "*end\n"
	for _, test := range []struct{ format, text, data, note string }{
		{"dalvik1", "*version\n1\n" + options("wall", n, "dalvik") + threds + dalvM + "*end\n",
			magic + "0100" + "2000" + start + "0000" + zeros +
				"01" + "10000000" + "02010000" + // tid, method|enter, wall 258
				"01" + "11000000" + "03010000", "thread-cpu times are not written"},
		{"dalvik2", "*version\n2\n" + options("wall", n, "dalvik") + threds + dalvM + "*end\n",
			magic + "0200" + "2000" + start + "0000" + zeros +
				"0100" + "10000000" + "02010000" + "0100" + "11000000" + "03010000", "thread-cpu times are not written"},
		{"dalvik3", "*version\n3\n" + options("dual", n, "dalvik") + threds + dalvM + "*end\n",
			magic + "0300" + "2000" + start + "0e00" + zeros +
				"0100" + "10000000" + "03000000" + "02010000" + // CPU 3 before wall 258
				"0100" + "11000000" + "04000000" + "03010000", ""},
		{"art", "*version\n3\n" + options("dual", n, "art") + "pid=77\n" + threds + artM + "*end\n",
			magic + "0300" + "2000" + start + "0e00" + zeros +
				"0100" + "10000000" + "03000000" + "02010000" + "0100" + "11000000" + "04000000" + "03010000", ""},
		{"art-stream", "",
			magic + "f300" + "2000" + start + "0e00" + zeros +
				"0000" + "01" + "1600" + hex.EncodeToString([]byte("0x10\ta.A\tf\t()V\tA.java\n")) + // new method, 22 bytes
				"0000" + "02" + "0100" + "0400" + hex.EncodeToString([]byte("main")) + // new thread 1
				"0100" + "10000000" + "03000000" + "02010000" + "0100" + "11000000" + "04000000" + "03010000" +
				"0000" + "03" + fmt.Sprintf("%02x%02x0000", len(summary)&255, len(summary)>>8) + hex.EncodeToString([]byte(summary)), ""},
	} {
		var out bytes.Buffer
		rec := fromText(t, tinyText)
		d, err := dmtrace.NewWriter(&out, rec, dmtrace.Options{Format: test.format})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trace.Copy(d, rec.Events); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		data, err := hex.DecodeString(test.data)
		if err != nil {
			t.Fatal(err)
		}
		if want := test.text + string(data); out.String() != want {
			t.Errorf("%s:\n%q, want\n%q", test.format, out.String(), want)
		}
		if notes := strings.Join(d.Notes(), "; "); notes != test.note {
			t.Errorf("%s: notes %q, want %q", test.format, notes, test.note)
		}
	}
}

// comparable returns the part of a trace that every variant can represent: the events by name, with
// the times of one clock.
func comparable(t testing.TB, rec *trace.Recording, clock trace.Clock) string {
	t.Helper()
	var b strings.Builder
	for e, err := range trace.All(rec.Events) {
		if err != nil {
			t.Fatal(err)
		}
		th, m := rec.Symbols.Thread(e.Thread), rec.Symbols.Method(e.Method)
		wall, cpu := e.Wall, e.CPU
		if !clock.HasWall() {
			wall = 0
		}
		if !clock.HasCPU() {
			cpu = 0
		}
		name := m.DottedClass() + "." + m.Name + m.Signature
		if m.Unlisted { // format V2 has a packet with this name
			name = fmt.Sprintf("unknown.method_%#x", m.ID)
		}
		fmt.Fprintln(&b, wall, cpu, th.TID, th.Name, th.Unlisted, e.Action, name, m.File)
	}
	return b.String()
}

// TestConversions converts every variant to every other one, with each clock. Events, names and
// times of the common clocks are preserved. The 17th generation of V2 has no methods of orphan
// exits, so its trace has no orphan exits. Format V2 has no line numbers of methods.
func TestConversions(t *testing.T) {
	for _, clock := range []trace.Clock{trace.Dual, trace.Wall, trace.ThreadCPU} {
		for _, from := range dmformat.Names() {
			for _, to := range dmformat.Names() {
				text := smallText(clock.String())
				if from == dmformat.ARTV2of17 || to == dmformat.ARTV2of17 {
					text = regexp.MustCompile(`(?m)^.* 2 exit .*\n`).ReplaceAllString(text, "")
				}
				first := rewrite(t, fromText(t, text), dmtrace.Options{Format: from})
				a := read(t, first)
				second := rewrite(t, &a.Recording, dmtrace.Options{Format: to})
				b := read(t, second)
				if b.Source.Format != to {
					t.Errorf("%s to %s is read as %s", from, to, b.Source.Format)
				}
				left := b.Info.Clock
				want := comparable(t, fromText(t, text), left)
				if strings.Contains(from+to, "-v2-") { // which has a packet of each method
					want = strings.ReplaceAll(want, "unlisted 0x8", "unknown.method_0x8")
				}
				if got := comparable(t, &b.Recording, left); got != want {
					t.Errorf("clock %s, %s to %s:\n%s\nwant\n%s", clock, from, to, got, want)
				}
				if a.Info.Start != b.Info.Start || a.Info.Elapsed != b.Info.Elapsed || b.Info.Elapsed == 0 {
					t.Errorf("%s to %s: start %s, elapsed %s became %s, %s", from, to, a.Info.Start, a.Info.Elapsed, b.Info.Start, b.Info.Elapsed)
				}
				if len(b.Warnings) > 0 {
					t.Errorf("%s to %s: warnings %q", from, to, b.Warnings)
				}
			}
		}
	}
}

func read(t testing.TB, data []byte) *dmtrace.File {
	t.Helper()
	f, err := dmtrace.New(bytes.NewReader(data), "made", dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestClockChoice(t *testing.T) {
	for _, test := range []struct {
		have  string
		want  trace.Clock
		clock trace.Clock
		err   bool
	}{
		{"dual", trace.Dual, trace.Dual, false}, {"dual", trace.Wall, trace.Wall, false}, {"dual", trace.ThreadCPU, trace.ThreadCPU, false},
		{"wall", trace.Dual, trace.Wall, false}, {"wall", trace.ThreadCPU, 0, true}, {"thread-cpu", trace.Wall, 0, true},
	} {
		var out bytes.Buffer
		rec := fromText(t, smallText(test.have))
		d, err := dmtrace.NewWriter(&out, rec, dmtrace.Options{Clock: test.want})
		if err != nil || test.err {
			if (err != nil) != test.err {
				t.Errorf("%s as %s: error %v", test.have, test.want, err)
			}
			continue
		}
		trace.Copy(d, rec.Events)
		d.Close()
		if f := read(t, out.Bytes()); f.Info.Clock != test.clock {
			t.Errorf("%s as %s has clock %s, want %s", test.have, test.want, f.Info.Clock, test.clock)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	_, err := dmtrace.NewWriter(io.Discard, fromText(t, tinyText), dmtrace.Options{Format: "elf"})
	if err == nil || !strings.Contains(err.Error(), "dalvik1, dalvik2, dalvik3, art, art-stream") {
		t.Errorf("error %v", err)
	}
}

// TestTables checks that the tables of a generated recording list the methods of its events, and
// those of a recording from a file all methods of the file. Both list all threads.
func TestTables(t *testing.T) {
	text := tinyText[:strings.Index(tinyText, "258000")] + "thread\t2\tidle\nmethod\t0x14\ta.A\tunused\t()V\t\t-1\n" +
		"258000 3000 1 enter a.A.f()V\n"
	made := rewrite(t, fromText(t, text), dmtrace.Options{})
	if s := string(made); strings.Contains(s, "unused") || !strings.Contains(s, "2\tidle\n") {
		t.Errorf("generated recording:\n%q", s)
	}
	rec := fromText(t, text)
	rec.Source = &trace.Source{Format: "art-v9"}
	if s := string(rewrite(t, rec, dmtrace.Options{Format: "art"})); !strings.Contains(s, "unused") {
		t.Errorf("recording from a file:\n%q", s)
	}
}

// TestLayoutOfSource checks that a Source of the same format determines the layout, even without a
// file.
func TestLayoutOfSource(t *testing.T) {
	rec := fromText(t, tinyText)
	rec.Source = &trace.Source{Format: "art", Threads: []string{"1\tmain at its end", "5\tidle"},
		Methods: []string{"0x10\tx\ty\t()V\t"}, Options: []string{"clock=dual", "num-method-calls=9", "extra"}}
	want := "*version\n3\nclock=dual\nnum-method-calls=2\nextra\n*threads\n1\tmain at its end\n5\tidle\n*methods\n0x10\tx\ty\t()V\t\n*end\nSLOW"
	if got := string(rewrite(t, rec, dmtrace.Options{})); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%q, want\n%q…", got, want)
	}
	rec = fromText(t, tinyText)
	rec.Source = &trace.Source{Format: "art-stream", HasSummary: true, Announced: []trace.Announcement{
		{Before: 1, TID: 1, Text: "late"}, {Before: 2, Method: true, Text: "0x10\tx\ty\t()V\t\n"}}}
	got := rewrite(t, rec, dmtrace.Options{})[32:]
	if !bytes.HasPrefix(got, []byte{1, 0, 0x10}) || !bytes.HasPrefix(got[14:], []byte("\x00\x00\x02\x01\x00\x04\x00late\x01\x00\x11")) ||
		!bytes.HasPrefix(got[14+11+14:], []byte("\x00\x00\x01\x0e\x000x10\tx\ty\t()V\t\n\x00\x00\x03")) {
		t.Errorf("stream %q", got)
	}
}

func TestNotesOnTimes(t *testing.T) {
	text := "info\tclock\twall\nthread\t1\tmain\nmethod\t0x4\ta.A\tf\t()V\t\t-1\n1500 - 1 enter a.A.f()V\n4294967296000 - 1 exit a.A.f()V\n"
	rec := fromText(t, text)
	d, _ := dmtrace.NewWriter(io.Discard, rec, dmtrace.Options{})
	trace.Copy(d, rec.Events)
	d.Close()
	notes := strings.Join(d.Notes(), "; ")
	if !strings.Contains(notes, "truncated to microseconds") || !strings.Contains(notes, "longer than 2^32 us") {
		t.Errorf("notes %q", notes)
	}
}

// TestNoteOnSubMicrosecondTime: a note reports a wall time that is not a whole microsecond, even if
// the CPU time is. It states that times are truncated.
func TestNoteOnSubMicrosecondTime(t *testing.T) {
	text := "thread\t1\tmain\nmethod\t0x4\ta.A\tf\t()V\t\t-1\n0 0 1 enter a.A.f()V\n1008 1000 1 exit a.A.f()V\n"
	for _, format := range []string{"art", "art-stream"} {
		rec := fromText(t, text)
		d, _ := dmtrace.NewWriter(io.Discard, rec, dmtrace.Options{Format: format})
		trace.Copy(d, rec.Events)
		d.Close()
		if notes := strings.Join(d.Notes(), "; "); !strings.Contains(notes, "truncated to microseconds") {
			t.Errorf("%s: notes %q", format, notes)
		}
	}
}

// TestElapsedIsWallTime: the CPU times of a thread that ran before the trace can exceed the wall
// time. They do not extend the trace.
func TestElapsedIsWallTime(t *testing.T) {
	text := "info\telapsed-ns\t5000000\nthread\t1\tmain\nmethod\t0x8\ta.A\tf\t()V\t\t-1\n1000000 900000000 1 enter a.A.f()V\n"
	for _, format := range []string{"art", "dalvik3", "art-stream", "art-v2-15"} {
		got := read(t, rewrite(t, fromText(t, text), dmtrace.Options{Format: format}))
		if _, err := trace.Copy(&trace.Buffer{}, got.Events); err != nil {
			t.Fatal(err)
		}
		if got.Info.Elapsed != 5*time.Millisecond {
			t.Errorf("%s: elapsed %v, want 5ms", format, got.Info.Elapsed)
		}
	}
}

// TestSpill checks that records that do not fit into memory are stored in a temporary file. If no
// temporary file can be created, the writer returns an error.
func TestSpill(t *testing.T) {
	dir := t.TempDir()
	events := make([]trace.Event, 1<<20) // 14 MiB of records
	for i := range events {
		events[i] = trace.Event{Wall: time.Duration(i) * time.Microsecond, Action: trace.Action(i % 2)}
	}
	rec := fromText(t, tinyText)
	var out bytes.Buffer
	d, err := dmtrace.NewWriter(&out, rec, dmtrace.Options{TempDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.WriteEvents(events); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	var back trace.Buffer
	if _, err := trace.Copy(&back, read(t, out.Bytes()).Events); err != nil || !slices.Equal(back.Events, events) {
		t.Errorf("%d events read, want %d, error %v", len(back.Events), len(events), err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("temporary files remain: %q", left)
	}
	d, err = dmtrace.NewWriter(io.Discard, rec, dmtrace.Options{TempDir: filepath.Join(dir, "none")})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.WriteEvents(events); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a folder for temporary files: error %v", err)
	}
	d.Close()
}

// TestWriteAllocatesNothing checks that writing events does not allocate memory once all symbols
// are defined.
func TestWriteAllocatesNothing(t *testing.T) {
	for _, format := range dmformat.Names() {
		rec := fromText(t, tinyText)
		d, err := dmtrace.NewWriter(io.Discard, rec, dmtrace.Options{Format: format, TempDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		batch := make([]trace.Event, trace.BatchSize)
		for range 500 { // more than a classic file keeps in memory
			d.WriteEvents(batch)
		}
		if allocs := testing.AllocsPerRun(100, func() { d.WriteEvents(batch) }); allocs != 0 {
			t.Errorf("%s: %v allocations for a batch", format, allocs)
		}
		d.Close()
	}
}
