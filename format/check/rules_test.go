package check_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/format/check"
	"artifice/format/dmtrace"

	"artifice/internal/testdata"
	"artifice/trace"
)

// spoiled lists damaged variants of goodFile, with the rules that each violates.
type spoiled struct {
	name  string
	make  func(f *madeFile) []byte
	want  string // ids in order, with counts above 1 as "x2"
	place string // prefix of the first rule's finding; empty: any
}

// with returns the file after a change.
func with(change func(f *madeFile)) func(f *madeFile) []byte {
	return func(f *madeFile) []byte { change(f); return f.bytes() }
}

var spoiledFiles = []spoiled{
	{"as it is", with(func(*madeFile) {}), "", ""},
	{"another kind of file", func(*madeFile) []byte { return []byte("{\"traceEvents\":[]}") }, "E001", "E001 not-a-trace at offset 0: "},
	{"empty", func(*madeFile) []byte { return nil }, "E002", "E002 file-empty at offset 0: "},
	{"data half", func(f *madeFile) []byte { return f.bytes()[len(f.key()):] }, "E003", ""},
	{"CR LF", func(f *madeFile) []byte { return bytes.ReplaceAll(f.bytes(), []byte("\n"), []byte("\r\n")) }, "E004", ""},
	{"byte order mark", func(f *madeFile) []byte { return append([]byte("\ufeff"), f.bytes()...) }, "E005", ""},
	{"cut in the tables", func(f *madeFile) []byte { return f.bytes()[:180] }, "E006", ""},
	{"no version", with(func(f *madeFile) { f.head, f.options = "", nil }), "E007 W103", ""},
	{"version 9", with(func(f *madeFile) { f.head = "*version\n9\n" }), "E008", "E008 version-unknown at offset 9: "},
	{"threads twice", with(func(f *madeFile) { f.threads = append(f.threads, "*threads") }), "E009 W105", ""},
	{"long line", with(func(f *madeFile) { f.options = append(f.options, "x="+strings.Repeat("y", 1<<21)) }), "E010", ""},
	{"no data", func(f *madeFile) []byte { return []byte(f.key()) }, "E011", "E011 header-missing at offset 208: "},
	{"record size 0", with(func(f *madeFile) { f.header = header(3, 32, 0) }), "E012", "E012 record-size-too-small at offset 224: record size 0; clock=dual needs at least 14"},
	{"record size 13", with(func(f *madeFile) { f.header = header(3, 32, 13) }), "E012", ""},
	{"wrong magic", with(func(f *madeFile) { f.header[0] = 's' }), "E013", "E013 magic-wrong at offset 208: "},
	{"header of version 2", with(func(f *madeFile) { f.header = header(2, 32, 0) }), "E014 E019", "E014 versions-differ at offset 212: "},
	{"header of version 7", with(func(f *madeFile) { f.header = header(7, 32, 14) }), "E014", ""},
	{"cut in the header", func(f *madeFile) []byte { return append([]byte(f.key()), f.header[:20]...) }, "E015", ""},
	{"header of 16 bytes", with(func(f *madeFile) { f.header = header(3, 16, 14)[:16] }), "E016", "E016 header-length at offset 214: "},
	{"header of 0 bytes", with(func(f *madeFile) { f.header[6] = 0 }), "E016", "E016 header-length at offset 214: "},
	{"cut in a record", func(f *madeFile) []byte { b := f.bytes(); return b[:len(b)-5] }, "E017 E018", "E017 record-cut at offset 282: the file has only 9 of the record's 14 bytes"},
	{"cut between records", func(f *madeFile) []byte { b := f.bytes(); return b[:len(b)-14] }, "E018", ""},
	{"both clocks in version 2", with(func(f *madeFile) { f.head, f.header = "*version\n2\n", header(2, 32, 0) }), "E019", ""},

	{"unknown item", func(f *madeFile) []byte { return append(f.streamRecords(), 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) }, "E020", "E020 item-unknown at offset 156: "},
	{"length beyond the end", func(f *madeFile) []byte { return append(f.streamRecords(), 0, 0, 1, 255, 255, 'x') }, "E021", ""},
	{"wrong exit and cut", func(f *madeFile) []byte {
		f.records[2].method = fooID | 1
		b := f.streamRecords()
		return b[:len(b)-5]
	}, "E021 E033", ""},
	{"gzip cut", func(f *madeFile) []byte { return []byte("\x1f\x8b\x08") }, "E029", ""},
	{"text format", func(f *madeFile) []byte { return []byte("# artifice text trace\ninfo\tclock\tdual\nnonsense\n") }, "E029", ""},

	{"action 3", with(func(f *madeFile) { f.records[2].method |= 3 }), "E030", "E030 action-reserved at offset 268: "},
	{"wall time back", with(func(f *madeFile) { f.records[3].wall = 1015 }), "E031", "E031 wall-time-back at offset 282: "},
	{"CPU time back", with(func(f *madeFile) { f.records[3].cpu = 15 }), "E032", ""},
	{"wrong exit", with(func(f *madeFile) { f.records[2].method = fooID | 1; f.records[3].method = barID | 1 }), "E033x2", "E033 exit-mismatch at offset 268: "},

	{"option without =", with(func(f *madeFile) { f.options = append(f.options, "nonsense") }), "W101", ""},
	{"option with two =", with(func(f *madeFile) { f.options = append(f.options, "a=b=c") }), "W101", ""},
	{"empty line", with(func(f *madeFile) { f.options = append(f.options, "") }), "W102", ""},
	{"empty lines in tables", with(func(f *madeFile) { f.threads = append(f.threads, ""); f.methods = append(f.methods, "") }), "W102x2", ""},
	{"no clock", with(func(f *madeFile) { f.options = f.options[2:] }), "W103", ""},
	{"odd clock", with(func(f *madeFile) { f.option("clock", "clock=sundial") }), "W104", ""},
	{"methods before threads", func(f *madeFile) []byte {
		threads := "*threads\n7\tmain\n"
		return bytes.Replace(bytes.Replace(f.bytes(), []byte(threads), nil, 1), []byte("*end\n"), []byte(threads+"*end\n"), 1)
	}, "W105", ""},
	{"unknown section", with(func(f *madeFile) { f.methods = append(f.methods, "*extras", "x") }), "W106", ""},
	{"header of 40 bytes", with(func(f *madeFile) { f.header = header(3, 40, 14) }), "W107", ""},
	{"no threads", with(func(f *madeFile) { f.threads = nil }), "W108 W120", ""},
	{"no methods", with(func(f *madeFile) { f.methods = nil }), "N203x2 W109", ""},
	{"thread without tab", with(func(f *madeFile) { f.threads = append(f.threads, "9 x") }), "W110", ""},
	{"method id odd", with(func(f *madeFile) { f.methods = append(f.methods, "0x7\ta.A\tx\t()V\tA.java") }), "W111", ""},
	{"thread without name", with(func(f *madeFile) { f.threads = append(f.threads, "9\t") }), "W112", ""},
	{"thread name with tab", with(func(f *madeFile) { f.threads = append(f.threads, "9\ta\tb") }), "W112", ""},
	{"three columns", with(func(f *madeFile) { f.methods = append(f.methods, "0xc\ta.A\tx") }), "W113", ""},
	{"empty class", with(func(f *madeFile) { f.methods = append(f.methods, "0xc\t\tx\t()V\tA.java") }), "W114", ""},
	{"signature", with(func(f *madeFile) { f.methods = append(f.methods, "0xc\ta.A\tx\tV\tA.java") }), "W115", ""},
	{"Latin 1", with(func(f *madeFile) { f.threads = append(f.threads, "9\tm\xfcll") }), "W116", ""},
	{"NUL", with(func(f *madeFile) { f.threads = append(f.threads, "9\tm\x00") }), "W117", ""},
	{"thread id twice", with(func(f *madeFile) { f.threads = append(f.threads, "65543\tagain") }), "W118 W125", ""},
	{"thread id used again", with(func(f *madeFile) {
		f.threads = append(f.threads, "7\tnext") // its CPU clock begins at 0 again
		f.records[2].cpu, f.records[3].cpu = 1, 2
	}), "W118", ""},
	{"method id twice", with(func(f *madeFile) { f.methods = append(f.methods, f.methods[1]) }), "W119", ""},
	{"unlisted thread", with(func(f *madeFile) { f.threads[0] = "9\tother" }), "W120", ""},
	{"no summary", func(f *madeFile) []byte { return f.streamRecords() }, "W121", ""},
	{"more records", with(func(f *madeFile) { f.option("num-method-calls", "num-method-calls=3") }), "W122", "W122 records-exceed at offset 282: "},
	{"elapsed too short", with(func(f *madeFile) { f.option("elapsed-time-usec", "elapsed-time-usec=1029") }), "W123", ""},
	{"elapsed no number", with(func(f *madeFile) { f.option("elapsed-time-usec", "elapsed-time-usec=long") }), "W124", ""},
	{"large thread id", with(func(f *madeFile) {
		f.threads[0] = "40000\tmain"
		for i := range f.records {
			f.records[i].tid = 40000
		}
	}), "W125", ""},
	{"36 minutes", with(func(f *madeFile) { f.records[3].wall = 1 << 31; f.options = f.options[:2] }), "W126", ""},
	{"wrap", with(func(f *madeFile) { f.records[2].wall = 1<<32 - 1; f.records[3].wall = 5; f.options = f.options[:2] }), "W127", ""},
	{"deep", with(func(f *madeFile) {
		f.option("num-method-calls", "num-method-calls=3001")
		f.records = slices.Repeat(f.records[:1], 3001)
	}), "N202 W128", ""},
	{"method id with bit 31", with(func(f *madeFile) { f.methods = append(f.methods, "0x80000000\ta.A\tx\t()V\tA.java") }), "W129", ""},
	{"extra info", func(f *madeFile) []byte {
		return append([]byte("*extra-info\ncurrent-page=a.B\n*extra-info-end\n"), f.bytes()...)
	}, "W106", "W106 section-unknown at offset 0: "},
	{"chunk for DDMS", func(f *madeFile) []byte { return append([]byte("MPSE\x00\x00\x01\x18"), f.bytes()...) }, "", ""},
	{"version 1, as Traceview's manual describes it", func(*madeFile) []byte { return manual1("global", 16) }, "", ""},
	{"version 1 with another header", func(*madeFile) []byte { return manual1("global", 18) }, "W107", ""},
	{"version 1 with another clock", func(*madeFile) []byte { return manual1("sundial", 32) }, "W104", ""},
	{"the clock of version 1 in version 3", with(func(f *madeFile) { f.option("clock", "clock=global") }), "W104 W130", ""},
	{"padding", with(func(f *madeFile) {
		f.header, f.size = header(3, 32, 16), 16
		f.option("num-method-calls", "num-method-calls=5")
		f.tail = append(f.record(record{7, fooID, 30, 1030})[:14], 1, 1)
	}), "N202 W130", ""},

	{"orphan exit", with(func(f *madeFile) { f.records = f.records[1:]; f.option("num-method-calls", "num-method-calls=3") }), "N201", "N201 exit-without-enter at offset 268: "},
	{"open at the end", with(func(f *madeFile) { f.records = f.records[:3]; f.option("num-method-calls", "num-method-calls=3") }), "N202", ""},
	{"unlisted method", with(func(f *madeFile) { f.methods = f.methods[:1] }), "N203", ""},
	{"overflow", with(func(f *madeFile) { f.option("data-file-overflow", "data-file-overflow=true") }), "N204", ""},
	{"method id 0", with(func(f *madeFile) { f.methods = append(f.methods, "0\ta.A\tx\t()V\tA.java") }), "N205", ""},
	{"no events", with(func(f *madeFile) { f.records = nil; f.option("num-method-calls", "num-method-calls=0") }), "N206", ""},
	{"thread id announced again", func(f *madeFile) []byte {
		return append(append(f.streamRecords(), threadItem(7, "next")...), f.summary()...)
	}, "N207", ""},
	{"two threads with one id in a stream", sharedID("65543\tother"), "N202 N207 W118 W125", ""}, // main's call ends under the other name; 65543 is 65536 + 7
	{"a thread id announced again", sharedID("8\tother"), "E032 E033x2 N202 N207", ""},
	{"thread id reused", with(func(f *madeFile) { // the CPU clock begins again at 0, between calls
		f.option("num-method-calls", "num-method-calls=6")
		f.records = append(f.records, record{7, fooID, 0, 1040}, record{7, fooID | 1, 5, 1045})
	}), "N208", "N208 thread-id-reused at offset 296: thread main: an event at 0s follows an event at 30µs"},
	{"CPU time 0 within a call", with(func(f *madeFile) {
		f.records[1].cpu = 0
	}), "E032", ""},
	{"CPU time back between calls", with(func(f *madeFile) {
		f.option("num-method-calls", "num-method-calls=6")
		f.records = append(f.records, record{7, fooID, 1, 1040}, record{7, fooID | 1, 5, 1045})
	}), "E032", ""},
	{"streaming", func(f *madeFile) []byte { return f.stream() }, "", ""},
}

// sharedID returns a stream in which events of main and of the thread in line alternate, both with
// id 7. Each thread has its own CPU clock and stack.
func sharedID(line string) func(f *madeFile) []byte {
	return func(f *madeFile) []byte {
		f.threads = append(f.threads, line)
		f.records = []record{{7, fooID, 0, 1000}, {7, fooID | 1, 900, 1010}, {7, fooID, 910, 1020}}
		b := append(f.streamRecords(), threadItem(7, "other")...)
		for _, r := range []record{{7, barID, 0, 1030}, {7, fooID, 950, 1040}, {7, barID | 1, 9, 1050}, {7, fooID | 1, 960, 1060}} {
			b = append(b, f.record(r)...)
		}
		return append(b, f.summary()...)
	}
}

// v2File returns the events of goodFile as a V2 file of a generation.
func v2File(t *testing.T, format string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "good.trace")
	if err := os.WriteFile(file, goodFile().bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := dmtrace.Open(file, dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out bytes.Buffer
	w, err := dmtrace.NewWriter(&out, &in.Recording, dmtrace.Options{Format: format})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Copy(w, in.Events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestV2 checks files of every generation: valid, damaged, and truncated anywhere within a packet.
func TestV2(t *testing.T) {
	for _, format := range []string{"art-v2-15", "art-v2-16", "art-v2-17"} {
		whole := v2File(t, format)
		if r := checkBytes(t, whole); ids(r) != "" || r.Format != format || r.Events != 4 {
			t.Errorf("%s: findings %q, format %s, %d events", format, ids(r), r.Format, r.Events)
		}
		spoiled := bytes.Clone(whole)
		spoiled[32] = 9 // code of the first packet
		if r := checkBytes(t, spoiled); ids(r) != "E022" {
			t.Errorf("%s with a packet of code 9: %q", format, ids(r))
		}
		for n := 0; n < len(whole); n += stride() {
			r := checkBytes(t, whole[:n])
			if r.Errors() == 0 && !r.Has("W121") {
				t.Errorf("%s truncated to %d of %d bytes: %q", format, n, len(whole), ids(r))
			}
		}
		if r := checkBytes(t, whole[:len(whole)-3]); !r.Has("E023") {
			t.Errorf("%s truncated in its summary: %q", format, ids(r))
		}
		for _, tool := range check.Tools {
			want := check.Refuses
			if tool == check.Perfetto { // observed with Perfetto
				want = map[string]check.Outcome{"art-v2-15": check.Refuses, "art-v2-16": check.Misreads, "art-v2-17": check.Accepts}[format]
			}
			if v := checkBytes(t, whole).Verdict(tool); v.Outcome != want {
				t.Errorf("%s: %s %s", format, tool, v.Outcome)
			}
		}
	}
}

// stride returns the distance between the positions of truncation: one byte, or seven in the short
// form.
func stride() int {
	if testing.Short() {
		return 7
	}
	return 1
}

// v2Rules are the rules that are violated in TestV2, and in the files of package fixtures with bugs
// of ART 16.
var v2Rules = map[string]bool{"E022": true, "E023": true, "E024": true, "W131": true}

// ids formats the ids and counts of the findings of a report.
func ids(r *check.Report) string {
	var out []string
	for _, id := range slices.Sorted(maps.Keys(r.Counts)) {
		if n := r.Counts[id]; n > 1 {
			id += fmt.Sprint("x", n)
		}
		out = append(out, id)
	}
	return strings.Join(out, " ")
}

// TestEveryRule violates each rule, with no other violations than necessary.
func TestEveryRule(t *testing.T) {
	broken := make(map[string]bool)
	for _, s := range spoiledFiles {
		data := s.make(goodFile())
		testdata.Save(t, s.name+".trace", data)
		r := checkBytes(t, data)
		if got := ids(r); got != s.want {
			t.Errorf("%s: %q, want %q\n%v", s.name, got, s.want, r.Findings)
		}
		if s.place != "" && !slices.ContainsFunc(r.Findings, func(f check.Finding) bool { return strings.HasPrefix(f.String(), s.place) }) {
			t.Errorf("%s: no finding is %q\n%v", s.name, s.place, r.Findings)
		}
		for id := range r.Counts {
			broken[id] = true
		}
	}
	for _, rule := range check.Rules {
		if !broken[rule.ID] && !v2Rules[rule.ID] && !strings.HasPrefix(rule.Name, "otlp-") { // TestProfiles
			t.Errorf("no file violates %s", &rule)
		}
	}
}

// TestRules: ids are unique and ascending within a level, and every rule has an explanation.
func TestRules(t *testing.T) {
	for i, r := range check.Rules {
		if i > 0 && r.ID[0] == check.Rules[i-1].ID[0] && r.ID <= check.Rules[i-1].ID {
			t.Errorf("%s after %s", r.ID, check.Rules[i-1].ID)
		}
		if len(r.Explain) < 20 || !strings.HasSuffix(r.Explain, ".") {
			t.Errorf("%s: explanation %q", &r, r.Explain)
		}
		for _, key := range []string{r.ID, r.Name} {
			if got, err := check.RuleByID(key); err != nil || got != &check.Rules[i] {
				t.Errorf("RuleByID(%q) = %v, %v", key, got, err)
			}
		}
	}
	if _, err := check.RuleByID("E999"); err == nil {
		t.Error("no error for an unknown id")
	}
}

// TestCutAnywhere: no proper prefix of a file with num-method-calls is valid. Of a streaming file,
// only prefixes that end between items are valid.
func TestCutAnywhere(t *testing.T) {
	whole := goodFile().bytes()
	for n := 0; n < len(whole); n += stride() {
		if r := checkBytes(t, whole[:n]); r.Errors() == 0 {
			t.Errorf("truncated to %d of %d bytes: %s", n, len(whole), ids(r))
		}
	}
	stream := goodFile().stream()
	var valid []int
	for n := range len(stream) {
		if r := checkBytes(t, stream[:n]); r.Errors() == 0 {
			valid = append(valid, n)
		}
	}
	// The header has 32 bytes, the methods have 28 and 29, the thread 11, and each record 14.
	if diff := cmp.Diff([]int{32, 60, 89, 100, 114, 128, 142, 156}, valid); diff != "" {
		t.Error(diff)
	}
}

// TestRealTraces: the real files are valid, except for the two damaged ones.
func TestRealTraces(t *testing.T) {
	for name, want := range map[string]string{
		"sampled-art-file.trace":        "N202x38 N203x18 N205",
		"sampled-host-file.trace":       "N202x6 N205",
		"sampled-streaming.trace":       "N202x17 N205",
		"instrumented-art-file.trace":   "N201x139 N202x17 N205",
		"tiny-basic.trace":              "N201x3 N202",
		"tiny-basic-api10.trace":        "N201x2 N202 W129x7",
		"tiny-exception.trace":          "N201x3 N202",
		"tiny-mismatched.trace":         "N201x5 N202",
		"tiny-header.trace":             "E015 N204",
		"tiny-basic-special_char.trace": "E017 E018 W130",
	} {
		r, err := check.File(testdata.Path(t, "traces", name), check.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(r); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// manual1 returns the example of version 1 in Traceview's manual, with the records of one call. It
// has one option, tables without file and line, and a header that ends with the start time.
func manual1(clock string, header int) []byte {
	b := []byte("*version\n1\nclock=" + clock + "\n*threads\n1\tmain\n6\tJDWP Handler\n*methods\n" +
		"0x080f23f8\tjava/io/PrintStream\twrite\t([BII)V\n0x080f25d4\tjava/io/PrintStream\tprint\t(Ljava/lang/String;)V\n*end\nSLOW\x01\x00")
	b = append(b, byte(header), 0, 0x40, 0x4b, 0x4c, 0, 0, 0, 0, 0)
	b = append(b, make([]byte, header-16)...)
	return append(b, 1, 0xf8, 0x23, 0x0f, 0x08, 5, 0, 0, 0, 1, 0xf9, 0x23, 0x0f, 0x08, 9, 0, 0, 0)
}
