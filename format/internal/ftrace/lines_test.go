package ftrace_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
)

// TestFtraceLines checks forms of lines that kernels write and readers accept, from the
// documentation of systrace and Perfetto.
func TestFtraceLines(t *testing.T) {
	const text = "# tracer: nop\n#\n" +
		"   android.anim-12 (-----) [003] ...1  10.000001: tracing_mark_write: B|100|doFrame 12|x\n" + // no TGID, a name with |
		" weird-name -3-13  (  100) [000] d..2 10.000003: 0: B|100|a.B.m\n" + // a comm with - and blanks; an old event name
		"<...>-13 [001] .... 10.000005: print: E\n" + // no TGID column, no pid
		"   android.anim-12 (  100) [003] ...1 10.000006: tracing_mark_write: C|100|frames|3\n" +
		"   android.anim-12 (  100) [003] ...1 10.000007: sched_switch: prev_comm=x\n" +
		"   android.anim-12 (  100) [003] ...1 10.000009: trace_mark_write: E|100\n" // as older tools have it
	want := "0 android.anim >doFrame 12|x, 2 weird-name -3 >a.B.m, 4 weird-name -3 <a.B.m, 8 android.anim <doFrame 12|x"
	formattest.Check(t, "text", formattest.Read(t, text, "ftrace", kind.Config{}), want)
	formattest.Check(t, "atrace", formattest.Read(t, "TRACE:\n"+text, "ftrace", kind.Config{}), want)
	formattest.Check(t, "atrace", formattest.Read(t, "capturing trace... done\r\n\r\nTRACE:\r\n"+strings.ReplaceAll(text, "\n", "\r\n"), "ftrace", kind.Config{}), want)
	page := "<!DOCTYPE html>\n<html>\n  <script class=\"trace-data\" type=\"application/text\">\n" + text + "  </script>\n</html>\n"
	formattest.Check(t, "systrace", formattest.Read(t, page, "ftrace", kind.Config{}), want)
	old := "<!DOCTYPE HTML>\n<html>\n<script>var linuxPerfData = \"\\\n" + strings.ReplaceAll(text, "\n", "\\n\\\n") + "\\n\";</script></html>\n"
	formattest.Check(t, "old systrace", formattest.Read(t, old, "ftrace", kind.Config{}), want)
}

// TestFtraceColumns checks lines whose columns differ from those of the line before: lengths of
// names, ids, flags and times. Some lines only resemble events.
func TestFtraceColumns(t *testing.T) {
	const text = "            main-10    (   10) [000] ...1     9.000001: tracing_mark_write: B|10|a.B.m\n" +
		"            main-10    (   10) [000] ...1    10.000002: tracing_mark_write: E|10\n" + // a longer time
		"        Thread-2-123456 (   10) [001] d.h2    10.000003: tracing_mark_write: B|10|a.B.n\n" + // a longer id
		"                               [000] ...1    10.000004: tracing_mark_write: E|10\n" + // no comm and pid
		" [000] 10.000004: print: E\n" +
		" main-10 [000] 10.000005: print: B|10|x: y\n" + // neither process nor flags
		"            main-10    (   10) [000] ...1    10.000006:tracing_mark_write: E|10\n" + // no blank after the time
		"            main-10    (   10) [000] ...1    10.00000x: tracing_mark_write: E|10\n" +
		"            main-10    (   10) [007] ...1    10.000007: tracing_mark_write: E|10\n" +
		"        Thread-2-123456 (   10) [001] d.h2    10.0000085: tracing_mark_write: E|10\n" + // more decimals
		"    [NlpService]-14    (   10) [001] ...1    10.000010: tracing_mark_write: B|10|a.B.o\n" + // brackets in a comm
		"    [NlpService]-14    (   10) [001] ...1    10.000012: tracing_mark_write: E|10\n"
	formattest.Check(t, "text", formattest.Read(t, text, "ftrace", kind.Config{}),
		"0 main >a.B.m, 1.000001e+06 main <a.B.m, 1.000002e+06 Thread-2 >a.B.n, 1.000004e+06 main >x: y, 1.000006e+06 main <x: y, 1.0000075e+06 Thread-2 <a.B.n, 1.000009e+06 [NlpService] >a.B.o, 1.000011e+06 [NlpService] <a.B.o")
}

// TestPackedAtrace checks that the compressed output of atrace -z is read like uncompressed output.
// Damaged data is an error with the number of the next line.
func TestPackedAtrace(t *testing.T) {
	const calls = 20_000 // two lines each, more than are decompressed in advance
	var text strings.Builder
	for i := range calls {
		fmt.Fprintf(&text, " main-1 (    1) [000] ...1 %d.000001: tracing_mark_write: B|1|a.B.m%d\n main-1 (    1) [000] ...1 %d.000002: tracing_mark_write: E|1\n", i, i%100, i)
	}
	packed := packedAtrace(text.String())
	want := formattest.Read(t, text.String(), "ftrace", kind.Config{})
	if got := formattest.Read(t, string(packed), "ftrace", kind.Config{}); len(want) != 2*calls || !slices.Equal(got, want) {
		t.Errorf("packed: %d events, want %d", len(got), len(want))
	}
	if got := formattest.Read(t, "capturing trace... done\n"+string(packed), "ftrace", kind.Config{}); !slices.Equal(got, want) {
		t.Errorf("packed, after the progress of atrace: %d events, want %d", len(got), len(want))
	}
	damaged := bytes.Clone(packed)
	damaged[len(damaged)-1]++ // the checksum is the last four bytes
	for _, c := range []struct {
		name, want string
		file       []byte
	}{
		{"damaged", fmt.Sprintf("x:%d: zlib: invalid checksum", 2*calls+1), damaged},
		{"without the checksum", fmt.Sprintf("x:%d: the file is cut off: unexpected EOF", 2*calls+1), packed[:len(packed)-4]},
		{"without a compression method", "x: offset 0: zlib: invalid header", []byte("TRACE:\n\x78\x00\x00\x00")},
	} {
		if got := formattest.Refused(t, c.file, "x"); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// packedAtrace returns the output of atrace -z.
func packedAtrace(text string) []byte {
	b := bytes.NewBufferString("TRACE:\n")
	z := zlib.NewWriter(b)
	io.WriteString(z, text)
	z.Close()
	return b.Bytes()
}
