package dmtrace

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
)

// open reads a hand-made file to its end.
func open(data []byte) (*File, []trace.Event, error) {
	f, err := New(bytes.NewReader(data), "made", ReadOptions{})
	if err != nil {
		return nil, nil, err
	}
	var b trace.Buffer
	_, err = trace.Copy(&b, f.Events)
	return f, b.Events, err
}

// written returns the file of events with the symbols and the Source of f.
func written(t *testing.T, f *File, events []trace.Event) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, &f.Recording, Options{})
	if err == nil {
		err = errors.Join(w.WriteEvents(events), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// edit returns the hand-made file name with the first occurrence of old replaced.
func edit(t *testing.T, name, old, new string) []byte {
	t.Helper()
	data := madeFiles()[name]
	if !bytes.Contains(data, []byte(old)) {
		t.Fatalf("%s does not contain %q", name, old)
	}
	return bytes.Replace(data, []byte(old), []byte(new), 1)
}

// TestBrokenFiles checks that damaged files are rejected with the position of the damage. Offsets
// follow from the length of the key section.
func TestBrokenFiles(t *testing.T) {
	key := func(name string) int64 { return int64(bytes.Index(madeFiles()[name], []byte("SLOW"))) }
	for _, test := range []struct {
		name   string
		data   []byte
		offset int64
		want   string
	}{
		{"empty", nil, 0, "the file is empty"},
		{"no trace", []byte("PK\x03\x04 something else"), 0, "the file is not a method trace: it begins with"},
		{"wrong magic", edit(t, "art", "SLOW", "SLOT"), key("art"), `begins with "SLOT", not with the magic "SLOW"`},
		{"no data section", []byte(madeKey(3, "clock=dual")), int64(len(madeKey(3, "clock=dual"))), "ends before the header"},
		{"text version 2, header 3", edit(t, "art", "*version\n3", "*version\n2"), key("art"), "the key section states version 2, but the header states version 3"},
		{"text version 4", edit(t, "art", "*version\n3", "*version\n4"), 9, `unknown trace version "4"`},
		{"header version 9", edit(t, "art", "SLOW\x03", "SLOW\x09"), key("art"), "unknown trace version 0x9"},
		{"header of a streaming file", edit(t, "art", "SLOW\x03", "SLOW\xf3"), key("art"), "belongs to a streaming file"},
		{"record size 0", edit(t, "art", "\x0e\x00", "\x00\x00"), key("art"), "record size 0; clock=dual needs at least 14"},
		{"record size 13", edit(t, "art", "\x0e\x00", "\x0d\x00"), key("art"), "record size 13; clock=dual needs at least 14"},
		{"dual in version 2", edit(t, "art-wall", "clock=wall", "clock=dual"), key("art-wall"), "record size 10; clock=dual needs at least 14"},
		{"header too short", edit(t, "art", "SLOW\x03\x00\x20", "SLOW\x03\x00\x11"), key("art"), "header of 17 bytes, but version 3 needs at least 18"},
		{"header of 7 bytes", edit(t, "art", "SLOW\x03\x00\x20", "SLOW\x03\x00\x07"), key("art"), "states a length of 7 bytes"},
		{"no *version", []byte("*threads\n*methods\n*end\n"), 23, "no *version"},
		{"section twice", edit(t, "art", "*methods", "*threads"), 0, "a second section *threads"},
		{"CR LF", bytes.ReplaceAll(madeFiles()["art"], []byte("\n"), []byte("\r\n")), 0, "transfer as text"},
		{"long line", append([]byte("*version\n3\nclock="), make([]byte, 2*maxLine)...), 11, "longer than 1048576 bytes"},
		{"data half alone", madeHeader(3, 14), 0, "the data half of a trace"},
		{"streaming version 1", edit(t, "art-stream", "SLOW\xf3", "SLOW\xf1"), 0, "streaming trace of version 1"},
		{"streaming record size 0", edit(t, "art-stream", "\x0e\x00", "\x00\x00"), 0, "record size 0; clock=dual needs at least 14"},
		{"streaming record size 9", edit(t, "art-stream-cpu", "\x0a\x00", "\x09\x00"), 0, "record size 9; clock=thread-cpu needs at least 10"},
		{"item code 7", append(madeHeader(0xf3, 14), 0, 0, 7, 1, 2, 3, 4), 32, "unknown item code 7"},
		{"summary of another version", edit(t, "art-stream", "*version\n3", "*version\n2"), 0, "the key section states version 2, but the header states version 3"},
		{"summary longer than the file", append(madeHeader(0xf3, 14), 0, 0, 3, 0xff, 0xff, 0xff, 0xff, '*'), 39, "before its *end"},
		{"fewer records than said", edit(t, "art", "num-method-calls=6", "num-method-calls=7"), int64(len(madeFiles()["art"])), "ends after 6 records of the 7"},
	} {
		_, _, err := open(test.data)
		var fe *trace.FormatError
		if !errors.As(err, &fe) || !strings.Contains(fe.Error(), test.want) || !strings.HasPrefix(fe.Error(), "made: offset ") {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
			continue
		}
		if test.offset > 0 && fe.Offset != test.offset {
			t.Errorf("%s: offset %d, want %d", test.name, fe.Offset, test.offset)
		}
	}
}

func TestRefusedRealFiles(t *testing.T) {
	for name, want := range map[string]string{
		"tiny-header.trace":             "header", // its data section is the words "data section follows."
		"tiny-basic-special_char.trace": "",       // its data section was re-encoded as UTF-8
	} {
		f, err := Open(testdata.Path(t, "traces", name), ReadOptions{})
		if err == nil {
			_, err = trace.Copy(&trace.Buffer{}, f.Events)
			f.Close()
		}
		var fe *trace.FormatError
		if !errors.As(err, &fe) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestIrregularFiles checks that irregular files are read completely. The warning describes the
// irregularity; an empty want means no warning.
func TestIrregularFiles(t *testing.T) {
	cat := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	stream := madeFiles()["art-stream"]
	classic := func(clock, threads, methods string, recs ...rec) []byte {
		return cat([]byte("*version\n3\n"+clock+"*threads\n"+threads+"*methods\n"+methods+"*end\n"), madeHeader(3, 14), madeRecords(2, recs...))
	}
	one := rec{1, 0x10, []uint32{1, 2}}
	for _, test := range []struct {
		name   string
		data   []byte
		events int
		want   string
		also   func(*File, []trace.Event) bool
	}{
		{"method id 0 as ART prints it", classic("clock=dual\n", "1\tmain\n", "0\ta.A\tf\t()V\tA.java\n", rec{1, 0, []uint32{1, 2}}), 1, "",
			func(f *File, e []trace.Event) bool { return f.Symbols.Method(e[0].Method).Name == "f" }},
		{"decimal id", classic("clock=dual\n", "1\tmain\n", "16\ta.A\tf\t()V\n", one), 1, "",
			func(f *File, e []trace.Event) bool { return f.Symbols.Method(e[0].Method).Name == "f" }},
		{"six columns, line unknown", classic("clock=dual\n", "1\tmain\n", "0x10\ta/A\tf\t()V\tA.java\t-1\n", one), 1, "",
			func(f *File, e []trace.Event) bool { return f.Symbols.Method(e[0].Method).Line == 0 }},
		{"six columns", classic("clock=dual\n", "1\tmain\n", "0x10\ta/A\tf\t()V\tA.java\t29\n", one), 1, "",
			func(f *File, e []trace.Event) bool {
				m := f.Symbols.Method(e[0].Method)
				return m.Line == 29 && m.File == "A.java"
			}},
		{"file (null) and empty file", classic("clock=dual\n", "1\tmain\n", "0x10\ta\tf\t()V\t(null)\n0x14\ta\tg\t()V\t\n", one), 1, "",
			func(f *File, e []trace.Event) bool {
				return f.Symbols.Methods[0].File == "" && f.Symbols.Methods[1].File == ""
			}},
		{"three columns", classic("clock=dual\n", "1\tmain\n", "0x10\ta.A\tf\n", one), 1, "has 3 columns", nil},
		{"no id", classic("clock=dual\n", "1\tmain\n", "zz\ta.A\tf\t()V\n", one), 1, "the id is not a", nil},
		{"id with action bits", classic("clock=dual\n", "1\tmain\n", "0x11\ta.A\tf\t()V\n", one), 1, "not a multiple of 4", nil},
		{"id defined twice", classic("clock=dual\n", "1\tmain\n", "0x10\ta\tf\t()V\n0x10\ta\tg\t()V\n", one), 1, "0x10 is defined twice",
			func(f *File, e []trace.Event) bool { return f.Symbols.Method(e[0].Method).Name == "g" }},
		{"unlisted method", classic("clock=dual\n", "1\tmain\n", "", one), 1, "",
			func(f *File, e []trace.Event) bool { return f.Symbols.Method(e[0].Method).Unlisted }},
		{"unlisted thread", classic("clock=dual\n", "", "0x10\ta\tf\t()V\n", one), 1, "",
			func(f *File, e []trace.Event) bool {
				th := f.Symbols.Thread(e[0].Thread)
				return th.Unlisted && th.TID == 1
			}},
		{"tid of more than 16 bits", classic("clock=dual\n", "65537\tmain\n", "", one), 1, "",
			func(f *File, e []trace.Event) bool { return f.Symbols.Thread(e[0].Thread).Name == "main" }},
		{"tid listed twice", classic("clock=dual\n", "1\told\n1\tnew\n", "", one), 1, "have the same id 1",
			func(f *File, e []trace.Event) bool {
				return f.Symbols.Thread(e[0].Thread).Name == "new" && len(f.Symbols.Threads) == 2
			}},
		{"thread line without tab", classic("clock=dual\n", "main\n", "", one), 1, "no tab", nil},
		{"no clock, 14 bytes", classic("", "1\tmain\n", "", one), 1, "clock=dual is assumed", nil},
		{"unknown clock", classic("clock=sun\n", "1\tmain\n", "", one), 1, "clock=dual is assumed", nil},
		{"clock=global", edit(t, "art-wall", "clock=wall", "clock=global"), 6, "",
			func(f *File, e []trace.Event) bool {
				return f.Info.Clock == trace.Wall && e[0].Wall == 100*time.Microsecond
			}},
		{"orphan exit, open frame", classic("clock=dual\n", "1\tmain\n", "", rec{1, 0x11, []uint32{1, 2}}, rec{1, 0x10, []uint32{2, 3}}), 2, "", nil},
		{"action 3", classic("clock=dual\n", "1\tmain\n", "", rec{1, 0x13, []uint32{1, 2}}), 1, "action 3", nil},
		{"more records than said", edit(t, "art", "num-method-calls=6", "num-method-calls=5"), 6, "6 records, but num-method-calls states 5", nil},
		{"number that is none", edit(t, "art", "num-method-calls=6", "num-method-calls=x"), 6, "the value is not a number", nil},
		{"sections in another order", cat([]byte("*version\n3\nclock=dual\n*methods\n*threads\n1\tmain\n*end\n"), madeHeader(3, 14), madeRecords(2, one)), 1,
			"*version *methods *threads; expected", nil},
		{"threads first", cat([]byte("*threads\n1\tmain\n*version\n3\nclock=dual\n*methods\n*end\n"), madeHeader(3, 14), madeRecords(2, one)), 1, "expected", nil},
		{"start time beyond 292 years", cat([]byte(madeKey(3, "clock=dual")), []byte("SLOW\x03\x00\x12\x00\xff\xff\xff\xff\xff\xff\xff\xff\x0e\x00"), madeRecords(2, one)), 1,
			"too large to represent", nil},
		{"header of 18 bytes", cat([]byte(madeKey(3, "clock=dual")), []byte("SLOW\x03\x00\x12\x00\x07\x00\x00\x00\x00\x00\x00\x00\x0e\x00"), madeRecords(2, one)), 1, "",
			func(f *File, e []trace.Event) bool { return f.Info.Start == 7*time.Microsecond }},
		{"header of 16 bytes", cat([]byte(madeKey(2, "clock=wall")), []byte("SLOW\x02\x00\x10\x00\x07\x00\x00\x00\x00\x00\x00\x00"), madeRecords(2, singleRecords[0])), 1, "", nil},
		{"padded records", cat([]byte(madeKey(3, "clock=wall")), madeHeader(3, 14), madeRecords(2, rec{1, 0x10, []uint32{5, 0}})), 1, "",
			func(f *File, e []trace.Event) bool { return e[0].Wall == 5*time.Microsecond && e[0].CPU == 0 }},
		{"junk in the padding", cat([]byte(madeKey(3, "clock=wall")), madeHeader(3, 14), madeRecords(2, rec{1, 0x10, []uint32{5, 9}})), 1, "bytes past their fields", nil},

		{"stream: no summary", stream[:len(stream)-len(madeSummary(madeKey(3, "clock=dual", "vm=art")))], 6, "no summary", nil},
		{"stream: bytes after the summary", append(bytes.Clone(stream), "more"...), 6, "the bytes after the summary", nil},
		{"stream: bytes in the summary", cat(madeHeader(0xf3, 14), madeSummary(madeKey(3, "clock=dual")+"more")), 0, "continues for 4 bytes after its *end", nil},
		{"stream: empty", madeHeader(0xf3, 14), 0, "no summary", nil},
		{"stream: tid announced again", cat(madeHeader(0xf3, 14), madeThread(1, "first"), madeRecords(2, one), madeThread(1, "second"), madeRecords(2, one), madeSummary(madeKey(3, "clock=dual"))), 2, "",
			func(f *File, e []trace.Event) bool {
				return f.Symbols.Thread(e[0].Thread).Name == "first" && f.Symbols.Thread(e[1].Thread).Name == "second"
			}},
		{"stream: summary of another clock", cat(madeHeader(0xf3, 14), madeSummary(madeKey(3, "clock=wall"))), 0, "states clock=wall, but the times were read as dual", nil},
		{"stream: named by the summary only", cat(madeHeader(0xf3, 14), madeRecords(2, one), madeSummary(madeKey(3, "clock=dual"))), 1, "",
			func(f *File, e []trace.Event) bool {
				return f.Symbols.Thread(e[0].Thread).Name == "main" && f.Symbols.Method(e[0].Method).Name == "f" && len(f.Symbols.Methods) == 2
			}},
		{"stream: announced twice alike", cat(madeHeader(0xf3, 14), madeMethod("0x10\ta\tf\t()V\t\n"), madeMethod("0x10\ta\tf\t()V\t\n"), madeMethod("0x10\ta\tg\t()V\t\n"), madeSummary(madeKey(3, "clock=dual"))), 0, "",
			func(f *File, e []trace.Event) bool { return len(f.Symbols.Methods) == 3 }}, // f, g, and the summary's 0x14
	} {
		f, events, err := open(test.data)
		if err != nil || len(events) != test.events {
			t.Errorf("%s: %d events, error %v, want %d", test.name, len(events), err, test.events)
			continue
		}
		if test.want == "" && len(f.Warnings) > 0 || test.want != "" && !hasWarning(f, test.want) {
			t.Errorf("%s: warnings %q, want %q", test.name, f.Warnings, test.want)
		}
		if test.also != nil && !test.also(f, events) {
			t.Errorf("%s: events %+v, symbols %+v", test.name, events, *f.Symbols)
		}
	}
}

// TestWideSingleClockRecords checks streams of ART up to 13. Their records have 14 bytes even with
// one clock, although the header states 10.
func TestWideSingleClockRecords(t *testing.T) {
	for _, clock := range []string{"wall", "thread-cpu"} {
		data := append(madeHeader(0xf2, 10), madeMethod("0x10\ta.A\tf\t()V\tA.java\n")...)
		data = append(data, madeThread(1, "main")...)
		for i := range uint32(5) {
			data = append(data, madeRecords(2, rec{1, 0x10 | i%2, []uint32{100 + i, 0xdeadbeef * i}})...)
		}
		data = append(data, madeSummary(madeKey(2, "clock="+clock))...)
		f, events, err := open(data)
		if err != nil || len(events) != 5 || !hasWarning(f, "14 bytes, but the header states 10") || len(f.Warnings) != 1 {
			t.Fatalf("%d events, error %v, warnings %q", len(events), err, f.Warnings)
		}
		if got := written(t, f, events); !bytes.Equal(got, data) {
			t.Errorf("%s: written as %d bytes %x, want %d bytes %x", clock, len(got), got, len(data), data)
		}
		for i, e := range events {
			if want := time.Duration(100+i) * time.Microsecond; e.Time(f.Info.Clock) != want || f.Info.Clock.String() != clock {
				t.Errorf("event %d at %s of clock %s, want %s", i, e.Time(f.Info.Clock), f.Info.Clock, want)
			}
		}
	}
}

// TestExtraInfo checks the block that Alibaba's Telescope writes before *version, in which a page
// without a name has no line. The option num-method-calls of such a file counts calls instead of
// records.
func TestExtraInfo(t *testing.T) {
	for _, extra := range []string{"current-page=a.B\nmsg-time=2000\n", "current-page=msg-time=2000\n", "", "*end\n*version\n9\n"} {
		data := []byte("*extra-info\n" + extra + "*extra-info-end\n" + madeKey(3, "clock=dual", "num-method-calls=1"))
		data = append(append(data, madeHeader(3, 14)...), madeRecords(2, rec{1, 0x10, []uint32{5, 9}}, rec{1, 0x11, []uint32{6, 10}})...)
		f, events, err := open(data)
		if err != nil || len(events) != 2 || !hasWarning(f, "num-method-calls states 1") || len(f.Warnings) != 1 {
			t.Fatalf("%q: %d events, error %v, warnings %q", extra, len(events), err, f.Warnings)
		}
		want := bytes.Replace(data, []byte("num-method-calls=1"), []byte("num-method-calls=2"), 1) // the number of records
		if got := written(t, f, events); !bytes.Equal(got, want) {
			t.Errorf("%q: written as %q, want %q", extra, got, want)
		}
	}
	for data, message := range map[string]string{
		"*extra-info\na=b\n": "unexpected EOF", "*extra-info\na=b\n*version\n3\n*end\n": "unexpected EOF", "*extra-info-end\n": "expected *version",
	} {
		if _, _, err := open([]byte(data)); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%q: error %v, want %s", data, err, message)
		}
	}
}

// TestChunk checks chunks MPSE with a big-endian length, in which a runtime sends the file of
// output mode file to DDMS.
func TestChunk(t *testing.T) {
	for _, name := range []string{"art", "art-wall", "dalvik1", "dalvik3"} {
		whole, known := madeFiles()[name]
		if !known {
			t.Fatalf("no file %s", name)
		}
		n := len(whole)
		chunk := append([]byte{'M', 'P', 'S', 'E', byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, whole...)
		_, want, err := open(whole)
		f, events, err2 := open(chunk)
		if err != nil || err2 != nil || !slices.Equal(events, want) || len(f.Warnings) != 0 {
			t.Fatalf("%s: %d of %d events, errors %v and %v, warnings %q", name, len(events), len(want), err, err2, f.Warnings)
		}
		if got := written(t, f, events); !bytes.Equal(got, chunk) {
			t.Errorf("%s: written as %q, want %q", name, got, chunk)
		}
		path := filepath.Join(t.TempDir(), "chunk")
		for cut, message := range map[int]string{n + 7: "bytes, but only", 17: "bytes, but only", n + 9: ""} {
			data := append(slices.Clone(chunk), 0, 0)[:cut]
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path, ReadOptions{})
			if message == "" && (err != nil || !hasWarning(f, "1 bytes follow the DDMS chunk")) || message != "" && (err == nil || !strings.Contains(err.Error(), message)) {
				t.Errorf("%s, %d of %d bytes: error %v, want %q", name, cut, len(chunk), err, message)
			}
			if err == nil {
				f.Close()
			}
		}
	}
	f, _, _ := open(madeFiles()["art"])
	for _, format := range []string{"art-stream", "art-v2-16"} {
		if _, err := NewWriter(io.Discard, &f.Recording, Options{Format: format, Chunk: true}); err == nil {
			t.Errorf("writing a chunk with %s: no error", format)
		}
	}
}

// TestClockOfALongSummary checks the search for the summary of a streaming file, which states the
// clock. The reader searches from the end of the file in pieces of bufferSize. The test places the
// edge of a piece at each position in the beginning of the summary.
func TestClockOfALongSummary(t *testing.T) {
	stream, text := madeFiles()["art-stream-cpu"], madeKey(2, "clock=thread-cpu", "vm=art")
	head := stream[:len(stream)-len(madeSummary(text))]
	const name = "A.java"
	before, after := text[:strings.LastIndex(text, name)], text[strings.LastIndex(text, name)+len(name):]
	for n := bufferSize - 20; n <= bufferSize+20; n++ {
		summary := madeSummary(before + strings.Repeat("x", n-len(before)-len(after)) + after)
		f, events, err := open(append(slices.Clone(head), summary...))
		if err != nil || len(events) != 6 || f.Info.Clock != trace.ThreadCPU {
			t.Errorf("a summary of %d bytes: clock %s, %d events, error %v", n, f.Info.Clock, len(events), err)
		}
	}
}

// TestRecordSizeFromTheFirstBlock checks that the first block of the file determines the record
// size, at whatever byte of a record it ends. Every second record has the time 3 << 16, which, with
// records of 14 bytes, looks like the beginning of a summary.
func TestRecordSizeFromTheFirstBlock(t *testing.T) {
	for _, size := range []int{10, 14} {
		for shift := range size {
			data := append(madeHeader(0xf2, 10), madeMethod("0x10\ta.A\tf\t()V\tA.java\n")...)
			data = append(data, madeThread(1, strings.Repeat("x", 1+shift))...)
			n := 2 * bufferSize / size
			for i := range n {
				times := []uint32{uint32(i%2) * 3 << 16, uint32(i)}
				data = append(data, madeRecords(2, rec{1, 0x10 | uint32(i%2), times[:(size-6)/4]})...)
			}
			data = append(data, madeSummary(madeKey(2, "clock=wall"))...)
			f, events, err := open(data)
			if err != nil || len(events) != n || hasWarning(f, "14 bytes, but the header states 10") != (size == 14) {
				t.Errorf("%d bytes, shifted by %d: %d events, error %v, warnings %q; want %d", size, shift, len(events), err, f.Warnings, n)
			}
		}
	}
}

// TestClockWraps checks times of 32 bits, which wrap every 71.6 minutes. The wall clock wraps for
// all threads together, and the CPU clock for each thread separately.
func TestClockWraps(t *testing.T) {
	recs := []rec{
		{1, 0x10, []uint32{0xfffffff0, 0xffffff00}}, {2, 0x10, []uint32{3, 0x20}},
		{1, 0x14, []uint32{5, 0x10}}, {2, 0x11, []uint32{2, 0x30}}, {1, 0x15, []uint32{6, 0x20}},
	}
	_, events, err := open(append(append([]byte(madeKey(3, "clock=dual")), madeHeader(3, 14)...), madeRecords(2, recs...)...))
	if err != nil {
		t.Fatal(err)
	}
	const wrap = 1 << 32
	for i, want := range []struct{ cpu, wall int64 }{
		{0xfffffff0, 0xffffff00}, {3, wrap + 0x20}, {wrap + 5, wrap + 0x10}, {2, wrap + 0x30}, {wrap + 6, wrap + 0x20},
	} {
		if e := events[i]; e.CPU.Microseconds() != want.cpu || e.Wall.Microseconds() != want.wall {
			t.Errorf("event %d: CPU %d us, wall %d us, want %d and %d", i, e.CPU.Microseconds(), e.Wall.Microseconds(), want.cpu, want.wall)
		}
	}
}

func TestKeyAndDataFiles(t *testing.T) {
	whole := madeFiles()["dalvik3"]
	at := bytes.Index(whole, []byte("SLOW"))
	dir := t.TempDir()
	base := filepath.Join(dir, "trace")
	for name, part := range map[string][]byte{base + ".key": whole[:at], base + ".data": whole[at:]} {
		if err := os.WriteFile(name, part, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{base, base + ".key", base + ".data"} {
		var done int64
		f, err := Open(name, ReadOptions{Progress: func(d, total int64) {
			if done = d; total != int64(len(whole)) {
				t.Errorf("progress has a total of %d, want %d", total, len(whole))
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(readAll(t, f.Events)); n != 6 || done != int64(len(whole)) {
			t.Errorf("%s: %d events, progress %d", name, n, done)
		}
		f.Close()
	}
	os.Remove(base + ".data")
	if _, err := Open(base+".key", ReadOptions{}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf(".key file without .data file: error %v", err)
	}
	if _, err := Open(base, ReadOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such file: error %v", err)
	}
	if _, err := Open(dir, ReadOptions{}); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("folder: error %v", err)
	}
}

func TestGzip(t *testing.T) {
	for name, data := range madeFiles() {
		f, err := New(bytes.NewReader(gz(data)), name, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(readAll(t, f.Events)); n != 6 {
			t.Errorf("%s: %d events, want 6", name, n)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	cut := gz(madeFiles()["art"])
	if _, _, err := open(cut[:len(cut)-12]); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut gzip: error %v", err)
	}
	if _, _, err := open(gz(cut)); err == nil || !strings.Contains(err.Error(), "not a method trace") {
		t.Errorf("gzip in gzip: error %v", err)
	}
}

// TestReadErrors checks that an error of the underlying reader is returned, instead of the end of
// the file.
func TestReadErrors(t *testing.T) {
	testdata.Seldom(t, 4)
	for name, data := range madeFiles() {
		for n := range data {
			r := io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(os.ErrPermission))
			f, err := New(r, name, ReadOptions{TempDir: t.TempDir()})
			if err == nil {
				_, err = trace.Copy(&trace.Buffer{}, f.Events)
				f.Close()
			}
			if !errors.Is(err, os.ErrPermission) {
				t.Fatalf("%s, failing after %d bytes: error %v", name, n, err)
			}
		}
	}
}

// TestSmallReads checks readers that return one byte at a time, and readers that return data
// together with io.EOF.
func TestSmallReads(t *testing.T) {
	for name, data := range madeFiles() {
		for how, r := range map[string]io.Reader{
			"one byte": iotest.OneByteReader(bytes.NewReader(data)), "data with EOF": iotest.DataErrReader(bytes.NewReader(data)),
		} {
			f, err := New(r, name, ReadOptions{})
			if err != nil {
				t.Fatalf("%s, %s: %v", name, how, err)
			}
			if n := len(readAll(t, f.Events)); n != 6 || len(f.Warnings) > 0 {
				t.Errorf("%s, %s: %d events, warnings %q", name, how, n, f.Warnings)
			}
			f.Close()
		}
	}
}

func TestTextTrace(t *testing.T) {
	f, events, err := open([]byte("thread\t1\tmain\nmethod\t0x4\tA\tf\t()V\t\t-1\n1 2 1 enter A.f()V\n"))
	if err != nil || len(events) != 1 || f.Symbols.Threads[0].Name != "main" {
		t.Errorf("events %+v, error %v", events, err)
	}
}

func TestConfigFormat(t *testing.T) {
	data := madeFiles()["art"]
	f, err := New(bytes.NewReader(data), "made", ReadOptions{Format: "dalvik3"})
	if err != nil || f.Source.Format != "dalvik3" {
		t.Errorf("read as dalvik3: %v", err)
	}
	for _, format := range []string{"art-stream", "dalvik1", "none"} {
		if _, err := New(bytes.NewReader(data), "made", ReadOptions{Format: format}); err == nil {
			t.Errorf("an art file was read as %s", format)
		}
	}
}

func TestWarningsAreBounded(t *testing.T) {
	text := "*version\n3\nclock=dual\n*threads\n" + strings.Repeat("x\n", 5000) + "*methods\n*end\n"
	f, _, err := open(append([]byte(text), madeHeader(3, 14)...))
	if err != nil || len(f.Warnings) > maxWarnings+1 || !hasWarning(f, "4900 more") {
		t.Errorf("%d warnings, last %q, error %v", len(f.Warnings), f.Warnings[len(f.Warnings)-1], err)
	}
}
