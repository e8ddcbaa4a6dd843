package dmtrace_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/internal/testdata/tracetest"

	"artifice/internal/dmformat"
	"artifice/internal/testdata"
	"artifice/trace"
)

// v2Text returns a text trace with a call of 500 units of wall time and 200 units of CPU time.
func v2Text(unit time.Duration, clock string) string {
	t := func(n int, word string) string {
		if clock != "dual" && clock != word {
			return "-"
		}
		return fmt.Sprint(int(unit) * n)
	}
	return "info\tclock\t" + clock + "\ninfo\tstart-ns\t7000\ninfo\telapsed-ns\t9000000\ninfo\tclock-overhead-ns\t99\ninfo\tpid\t77\n" +
		"thread\t70000\tmain\nmethod\t0x10\ta.A\tf\t()V\tA.java\t-1\n" +
		t(1000, "wall") + " " + t(500, "thread-cpu") + " 70000 enter a.A.f()V\n" +
		t(1500, "wall") + " " + t(700, "thread-cpu") + " 70000 exit a.A.f()V\n"
}

// TestV2Bytes checks the bytes of each generation, with both clocks and with one. They follow from
// the description of the format, and reading them returns the same trace.
func TestV2Bytes(t *testing.T) {
	text := func(s string) string { return hex.EncodeToString([]byte(s)) }
	const (
		magic  = "534c4f57"                              // SLOW
		tsc    = "0000000000000000" + "0000000000000000" // counter at start and its frequency: none
		thread = "00" + "70110100" + "0400" + "6d61696e" // tid 70000, 4 bytes, "main"
	)
	method := "01" + "1000000000000000" + "1100" + text("a.A\tf\t()V\tA.java\n") // id 0x10, 17 bytes
	summary := func(version, clock, elapsed string) string {
		s := "*version\n" + version + "\ndata-file-overflow=false\nclock=" + clock + "\n" + elapsed +
			"\nclock-call-overhead-nsec=99\nvm=art\npid=77\n*end\n"
		return "03" + fmt.Sprintf("%02x%02x", len(s)&255, len(s)>>8) + text(s)
	}
	const ns, us = "elapsed-time-nsec=9000000", "elapsed-time-usec=9000"
	for _, test := range []struct{ format, clock, data string }{
		{"art-v2-15", "dual", magic + "f500" + "0700000000000000" + tsc + "0000" + // version 5 | 0xf0; start 7 us
			method + thread +
			"02" + "70110100" + // entries of 70000
			"1000000000000000" + "f4010000" + "e8030000" + // first: id 0x10 | enter, CPU 500 us, wall 1000 us
			"0100" + "0500" + // one more record, in 5 bytes
			"01" + "f403" + "c801" + // id|action +1, wall +500, CPU +200
			summary("5", "dual", us)},
		{"art-v2-15", "wall", magic + "f400" + "0700000000000000" + tsc + "0000" +
			method + thread +
			"02" + "70110100" + "1000000000000000" + "e8030000" + "0100" + "0300" + "01" + "f403" +
			summary("4", "wall", us)},
		{"art-v2-15", "thread-cpu", magic + "f400" + "0700000000000000" + tsc + "0000" +
			method + thread +
			"02" + "70110100" + "1000000000000000" + "f4010000" + "0100" + "0300" + "01" + "c801" +
			summary("4", "thread-cpu", us)},
		{"art-v2-16", "dual", magic + "f500" + "581b000000000000" + tsc + "0000" + // start 7000 ns
			method + thread +
			"02" + "70110100" + "020000" + "0a000000" + // 2 records, 10 bytes
			"10" + "e807" + "f403" + // id|action 0x10, wall 1000, CPU 500
			"01" + "f403" + "c801" +
			summary("5", "dual", ns)},
		{"art-v2-16", "wall", magic + "f400" + "581b000000000000" + tsc + "0000" +
			method + thread +
			"02" + "70110100" + "020000" + "06000000" + "10" + "e807" + "01" + "f403" +
			summary("4", "wall", ns)},
		{"art-v2-16", "thread-cpu", magic + "f400" + "581b000000000000" + tsc + "0000" +
			method + thread +
			"02" + "70110100" + "020000" + "06000000" + "10" + "f403" + "01" + "c801" +
			summary("4", "thread-cpu", ns)},
		{"art-v2-17", "dual", magic + "f500" + "581b000000000000" + tsc + "0000" +
			method + thread +
			"02" + "70110100" + "020000" + "09000000" + // 2 records, 9 bytes
			"a01f" + "f403" + "10" + // 1000<<2 | enter = 4000, CPU 500, method 0x10
			"d10f" + "c801" + // 1500<<2 | exit = 6001, so +2001; CPU +200; no method
			summary("5", "dual", ns)},
		{"art-v2-17", "wall", magic + "f400" + "581b000000000000" + tsc + "0000" +
			method + thread +
			"02" + "70110100" + "020000" + "05000000" + "a01f" + "10" + "d10f" +
			summary("4", "wall", ns)},
		{"art-v2-17", "thread-cpu", magic + "f400" + "581b000000000000" + tsc + "0000" +
			method + thread +
			"02" + "70110100" + "020000" + "05000000" + "d00f" + "10" + "a106" + // 500<<2 = 2000; 700<<2|1 = 2801, so +801
			summary("4", "thread-cpu", ns)},
	} {
		unit := time.Nanosecond
		if test.format == "art-v2-15" {
			unit = time.Microsecond
		}
		want, err := hex.DecodeString(test.data)
		if err != nil {
			t.Fatal(err)
		}
		rec := fromText(t, v2Text(unit, test.clock))
		if got := rewrite(t, rec, dmtrace.Options{Format: test.format}); !bytes.Equal(got, want) {
			t.Errorf("%s, %s: written\n% x, want\n% x", test.format, test.clock, got, want)
		}
		f := read(t, want)
		if f.Source.Format != test.format || f.Info.Clock.String() != test.clock || f.Info.Start != 7*time.Microsecond {
			t.Errorf("%s, %s: read as %s, %s, start %s", test.format, test.clock, f.Source.Format, f.Info.Clock, f.Info.Start)
		}
		clock, _ := trace.ParseClock(test.clock)
		if got, want := comparable(t, &f.Recording, clock), comparable(t, fromText(t, v2Text(unit, test.clock)), clock); got != want {
			t.Errorf("%s, %s: read\n%s, want\n%s", test.format, test.clock, got, want)
		}
		if f.Info.Elapsed != 9*time.Millisecond || f.Info.PID != 77 || len(f.Warnings) > 0 {
			t.Errorf("%s, %s: %+v, warnings %q", test.format, test.clock, f.Info, f.Warnings)
		}
	}
}

// TestV2EntriesLast checks output mode file. All threads and methods precede the entries, and the
// summary states their numbers.
func TestV2EntriesLast(t *testing.T) {
	text := "info\tclock\twall\nthread\t1\tmain\nthread\t2\tbg\nmethod\t0x10\ta.A\tf\t()V\t\t-1\nmethod\t0x14\ta.A\tg\t()V\t\t-1\n" +
		"1000 - 1 enter a.A.f()V\n2000 - 2 enter a.A.g()V\n3000 - 1 exit a.A.f()V\n"
	for _, format := range []string{"art-v2-16", "art-v2-17"} {
		out := rewrite(t, fromText(t, text), dmtrace.Options{Format: format, Output: dmtrace.EntriesLast})
		if out[4] != 4 {
			t.Errorf("%s: version word %#x, want 4", format, out[4])
		}
		first := bytes.Index(out, []byte{2, 1, 0, 0, 0, 1, 0, 0}) // the first block: thread 1, one record
		for _, part := range []string{"bg", "a.A\tg\t()V\t\n"} {
			if at := bytes.Index(out, []byte(part)); at < 0 || at > first {
				t.Errorf("%s: %q at %d, the first block at %d", format, part, at, first)
			}
		}
		if !bytes.Contains(out, []byte("\nnum-method-calls=3\n")) {
			t.Errorf("%s: the summary does not state the number of records", format)
		}
		f := read(t, out)
		if got := rewrite(t, &f.Recording, dmtrace.Options{}); !bytes.Equal(got, out) {
			t.Errorf("%s: the file that is read and written differs", format)
		}
		g := read(t, out)
		if got, want := comparable(t, &g.Recording, trace.Wall), comparable(t, fromText(t, text), trace.Wall); got != want {
			t.Errorf("%s: read\n%s, want\n%s", format, got, want)
		}
	}
	_, err := dmtrace.NewWriter(io.Discard, fromText(t, text), dmtrace.Options{Format: "art-v2-15", Output: dmtrace.EntriesLast})
	if err == nil || !strings.Contains(err.Error(), "can only be streamed") {
		t.Errorf("art-v2-15 with entries last: error %v", err)
	}
}

// TestV2MethodsComeFirst checks that a file begins with the packets of all known methods, used or
// not. Trace::Start visits all loaded classes (RecordMethodInfoClassVisitor of Android 15's
// trace.cc) before a thread records an event. If a streaming source adds a method later without an
// announcement, its packet precedes the block that uses it, because ART's reader stops at an id
// without a packet.
func TestV2MethodsComeFirst(t *testing.T) {
	rec := fromText(t, "info\tclock\twall\nthread\t9\tmain\nmethod\t0x10\ta.A\tf\t()V\t\t-1\nmethod\t0x14\ta.A\tg\t()V\t\t-1\n")
	rec.Source = nil
	var out bytes.Buffer
	d, err := dmtrace.NewWriter(&out, rec, dmtrace.Options{Format: "art-v2-16"})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.WriteEvents([]trace.Event{{Method: 1}}); err != nil {
		t.Fatal(err)
	}
	rec.Symbols.AddMethod(trace.Method{ID: 0xabc, Unlisted: true})
	if err := errors.Join(d.WriteEvents([]trace.Event{{Method: 2, Wall: 5}}), d.Close()); err != nil {
		t.Fatal(err)
	}
	f := read(t, out.Bytes())
	tracetest.Events(t, f.Events)
	var order []string
	for _, a := range f.Source.Announced {
		order = append(order, strings.TrimRight(a.Text, "\t\n"))
	}
	if want := []string{"a.A\tf\t()V", "a.A\tg\t()V", "main", "unknown\tmethod_0xabc"}; !slices.Equal(order, want) {
		t.Errorf("packets %q, want %q", order, want)
	}
	if b := f.Source.Blocks; len(b) != 1 || b[0].Announced != 4 {
		t.Errorf("blocks %+v, want one after all packets", b)
	}
}

// TestV2RealFiles writes real traces in each generation. They lose only the methods of orphan exits
// in the 17th generation, as a note states. Converted back to a classic file, the records have the
// same bytes.
func TestV2RealFiles(t *testing.T) {
	testdata.Seldom(t, 6)
	for i, name := range completeFiles {
		if testing.Short() && i > 1 {
			break
		}
		for _, format := range []string{"art-v2-15", "art-v2-16", "art-v2-17"} {
			open := func() *dmtrace.File {
				f, err := dmtrace.Open(testdata.Path(t, "traces", name), dmtrace.ReadOptions{})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { f.Close() })
				return f
			}
			var out bytes.Buffer
			in := open()
			d, err := dmtrace.NewWriter(&out, &in.Recording, dmtrace.Options{Format: format})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := trace.Copy(d, in.Events); err != nil {
				t.Fatal(err)
			}
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
			orphans := slices.ContainsFunc(d.Notes(), func(n string) bool { return strings.Contains(n, "lose their method") })
			back, orig := read(t, out.Bytes()), open()
			if back.Source.Format != format {
				t.Errorf("%s as %s is read as %s", name, format, back.Source.Format)
			}
			if !orphans && strings.Contains(name, "-art-") {
				f := read(t, out.Bytes())
				original, err := os.ReadFile(testdata.Path(t, "traces", name))
				if err != nil {
					t.Fatal(err)
				}
				returned := rewrite(t, &f.Recording, dmtrace.Options{Format: "art"})
				if !bytes.Equal(records(returned), records(original)) {
					t.Errorf("%s as %s and back: the records differ", name, format)
				}
			}
			compareEvents(t, name+" as "+format, &back.Recording, &orig.Recording, orphans && format == "art-v2-17")
			again := read(t, out.Bytes())
			if got := rewrite(t, &again.Recording, dmtrace.Options{}); !bytes.Equal(got, out.Bytes()) {
				t.Errorf("%s as %s: the file that is read and written differs from offset %d", name, format, firstDifference(got, out.Bytes()))
			}
		}
	}
}

// records returns the records of a classic file, after key section and header.
func records(file []byte) []byte { return file[bytes.Index(file, []byte("\n*end\n"))+6+32:] }

// compareEvents compares events one by one. If lostOrphans is set, methods of orphan exits are
// ignored.
func compareEvents(t *testing.T, what string, got, want *trace.Recording, lostOrphans bool) {
	t.Helper()
	a, b := tracetest.Events(t, got.Events), tracetest.Events(t, want.Events)
	if len(a) != len(b) {
		t.Fatalf("%s: %d events, want %d", what, len(a), len(b))
	}
	var stacks trace.Stacks
	for i := range a {
		g, w := a[i], b[i]
		gm, wm := got.Symbols.Method(g.Method), want.Symbols.Method(w.Method)
		known := stacks.Apply(w) != trace.Orphan || !lostOrphans
		same := g.Wall == w.Wall && g.CPU == w.CPU && g.Action == w.Action &&
			got.Symbols.Thread(g.Thread).Name == want.Symbols.Thread(w.Thread).Name &&
			(!known || wm.Unlisted && gm.FullName() == wm.FullName() || gm.DottedClass() == wm.DottedClass() && gm.Name == wm.Name && gm.Signature == wm.Signature && gm.File == wm.File)
		if !same {
			t.Fatalf("%s: event %d is %+v of %s, want %+v of %s", what, i, g, gm, w, wm)
		}
	}
	if len(got.Symbols.Threads) < len(want.Symbols.Threads) {
		t.Errorf("%s: %d threads, want %d", what, len(got.Symbols.Threads), len(want.Symbols.Threads))
	}
}

// TestV2BlockLimits checks that blocks do not exceed the 16 bits of Android 15's numbers and the
// 65535 records of Android 16.
func TestV2BlockLimits(t *testing.T) {
	rec := fromText(t, "thread\t1\tmain\nmethod\t0x10\ta.A\tf\t()V\t\t-1\n")
	list := make([]trace.Event, 200000)
	for i := range list {
		list[i] = trace.Event{Wall: time.Duration(i) * 5 * time.Millisecond, CPU: time.Duration(i) * time.Millisecond, Action: trace.Action(i % 2)}
	}
	for _, format := range []string{"art-v2-15", "art-v2-16", "art-v2-17"} {
		rec.Events = trace.NewSliceReader(list)
		f := read(t, rewrite(t, rec, dmtrace.Options{Format: format}))
		if got := tracetest.Events(t, f.Events); !slices.Equal(got, list) {
			t.Errorf("%s: the events differ", format)
		}
		total := int64(0)
		for _, b := range f.Source.Blocks {
			if total += b.Events; b.Events > 65535 || b.Events == 0 {
				t.Errorf("%s: a block of %d events", format, b.Events)
			}
		}
		if total != int64(len(list)) || len(f.Warnings) > 0 {
			t.Errorf("%s: %d events in blocks, warnings %q", format, total, f.Warnings)
		}
	}
}

// TestV2WholeRuns checks a run of 150,000 events, which ART writes as one block with numbers
// truncated to 16 bits. Android 15 counts the records after the first and their bytes, and Android
// 16 counts all records (art/runtime/trace.cc, FlushBuffer of 15 and 16). The other numbers and the
// end of the file determine the length of the block.
func TestV2WholeRuns(t *testing.T) {
	rec := fromText(t, "thread\t1\tmain\nmethod\t0x10\ta.A\tf\t()V\t\t-1\n")
	list := make([]trace.Event, 150000)
	for i := range list { // an id and 1 us on both clocks: three bytes per record in Android 15
		list[i] = trace.Event{Wall: time.Duration(i) * time.Microsecond, CPU: time.Duration(i) * time.Microsecond, Action: trace.Action(i % 2)}
	}
	for format, want := range map[string]dmformat.BlockHead{
		"art-v2-15": {Count: 149999 % 65536, Bytes: 149999 * 3 % 65536},
		"art-v2-16": {Count: 150000 % 65536},
	} {
		rec.Events = trace.NewSliceReader(list)
		file := rewrite(t, rec, dmtrace.Options{Format: format, WholeRuns: true})
		f := read(t, file)
		if got := tracetest.Events(t, f.Events); !slices.Equal(got, list) {
			t.Errorf("%s: the events differ", format)
		}
		if n := len(f.Source.Blocks); n != 1 || f.Source.Blocks[0].Events != 150000 {
			t.Fatalf("%s: blocks %+v", format, f.Source.Blocks)
		}
		gen := dmformat.V2of16
		if format == "art-v2-15" {
			gen = dmformat.V2of15
		}
		at := bytes.Index(file, []byte{dmformat.PacketEntries, 1, 0, 0, 0})
		head := dmformat.ParseBlockHead(file[at:], gen, 2)
		if head.Count != want.Count || gen == dmformat.V2of15 && head.Bytes != want.Bytes {
			t.Errorf("%s: the block states %d records in %d bytes, want %+v", format, head.Count, head.Bytes, want)
		}
	}
}

// TestV2UnlistedThreadHasAPacket checks that every thread has a packet before its entries. Perfetto
// rejects entries of a thread without one.
func TestV2UnlistedThreadHasAPacket(t *testing.T) {
	for _, format := range []string{"art-v2-15", "art-v2-16", "art-v2-17"} {
		out := rewrite(t, fromText(t, smallText("wall")), dmtrace.Options{Format: format})
		packet := bytes.Index(out, []byte{0, 3, 0, 0, 0, 0, 0}) // thread 3, name of 0 bytes
		entries := bytes.Index(out, []byte{2, 3, 0, 0, 0})
		if packet < 0 || entries < packet {
			t.Errorf("%s: the packet of thread 3 is at %d, its entries at %d", format, packet, entries)
		}
	}
}

// TestV2Notes checks that times are exact to the ns, and that a note reports a lost method of a
// mismatched exit.
func TestV2Notes(t *testing.T) {
	text := "info\tclock\twall\nthread\t1\tmain\nmethod\t0x10\ta.A\tf\t()V\t\t-1\nmethod\t0x14\ta.A\tg\t()V\t\t-1\n" +
		"1001 - 1 exit a.A.f()V\n1002 - 1 enter a.A.f()V\n1003 - 1 exit a.A.g()V\n"
	for format, want := range map[string][]string{
		"art-v2-15": {"truncated to microseconds"},
		"art-v2-16": nil,
		"art-v2-17": {"lose their method, such as a.A.f()V", "an exit of a.A.g()V, which is not the innermost method"},
	} {
		var out bytes.Buffer
		rec := fromText(t, text)
		d, err := dmtrace.NewWriter(&out, rec, dmtrace.Options{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		trace.Copy(d, rec.Events)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		notes := d.Notes()
		if len(notes) != len(want) {
			t.Errorf("%s: notes %q, want %q", format, notes, want)
			continue
		}
		for i := range want {
			if !strings.Contains(notes[i], want[i]) {
				t.Errorf("%s: note %q, want %q", format, notes[i], want[i])
			}
		}
	}
}

func BenchmarkWriteV2(b *testing.B) {
	rec, list := tracetest.RealEvents(b, "instrumented-art-file.trace")
	for _, v := range dmformat.Variants {
		if v.V2 == 0 {
			continue
		}
		b.Run(v.Name, func(b *testing.B) {
			d, err := dmtrace.NewWriter(io.Discard, rec, dmtrace.Options{Format: v.Name})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := d.WriteEvents(list); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/event")
		})
	}
}
