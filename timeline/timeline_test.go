package timeline_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"artifice/format/perfetto"
	"artifice/timeline"
	"artifice/trace"
)

// formats returns the formats of this package, and those in rooms of their own that it reads.
func formats() []timeline.Format {
	return append([]timeline.Format{perfetto.Calls}, timeline.Formats()...)
}

// format returns the format that a file is taken for.
func format(t testing.TB, file []byte) *timeline.Format {
	t.Helper()
	for _, f := range formats() {
		if f.Sniff(file[:min(len(file), timeline.SniffLen)]) {
			return &f
		}
	}
	t.Fatalf("no format knows %.60q", file)
	return nil
}

// read reads a file and returns a line for each event: time since the start in us,
// thread, > or <, method.
func read(t testing.TB, file string, want string, cfg timeline.Config) []string {
	t.Helper()
	f := format(t, []byte(file))
	if f.Name != want {
		t.Fatalf("taken for %s, want %s", f.Name, want)
	}
	rec, err := timeline.Read(strings.NewReader(file), "in", int64(len(file)), f, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return lines(t, &rec.Recording)
}

func lines(t testing.TB, rec *trace.Recording) (out []string) {
	t.Helper()
	for e, err := range trace.All(rec.Events) {
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%v %s %s%s", float64(e.Wall)/1000, rec.Symbols.Thread(e.Thread), map[trace.Action]string{trace.Enter: ">", trace.Exit: "<"}[e.Action], rec.Symbols.Method(e.Method).FullName())
		if rec.Info.Clock == trace.Dual {
			line += fmt.Sprintf(" cpu %v", float64(e.CPU)/1000)
		}
		out = append(out, line)
	}
	return out
}

func check(t *testing.T, what string, got []string, want string) {
	t.Helper()
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("%s:\n%s\nwant\n%s", what, text, want)
	}
}

// TestFtraceLines are lines as kernels and readers have them (systrace's and
// Perfetto's documentation of the format).
func TestFtraceLines(t *testing.T) {
	const text = "# tracer: nop\n#\n" +
		"   android.anim-12 (-----) [003] ...1  10.000001: tracing_mark_write: B|100|doFrame 12|x\n" + // no TGID, a name with |
		" weird-name -3-13  (  100) [000] d..2 10.000003: 0: B|100|a.B.m\n" + // a comm with - and blanks, an old event name
		"<...>-13 [001] .... 10.000005: print: E\n" + // no TGID column, no pid
		"   android.anim-12 (  100) [003] ...1 10.000006: tracing_mark_write: C|100|frames|3\n" +
		"   android.anim-12 (  100) [003] ...1 10.000007: sched_switch: prev_comm=x\n" +
		"   android.anim-12 (  100) [003] ...1 10.000009: tracing_mark_write: E|100\n"
	want := "0 android.anim >doFrame 12|x, 2 weird-name -3 >a.B.m, 4 weird-name -3 <a.B.m, 8 android.anim <doFrame 12|x"
	check(t, "text", read(t, text, "ftrace", timeline.Config{}), want)
	check(t, "atrace", read(t, "TRACE:\n"+text, "ftrace", timeline.Config{}), want)
	page := "<!DOCTYPE html>\n<html>\n  <script class=\"trace-data\" type=\"application/text\">\n" + text + "  </script>\n</html>\n"
	check(t, "systrace", read(t, page, "ftrace", timeline.Config{}), want)
	old := "<!DOCTYPE HTML>\n<html>\n<script>var linuxPerfData = \"\\\n" + strings.ReplaceAll(text, "\n", "\\n\\\n") + "\\n\";</script></html>\n"
	check(t, "old systrace", read(t, old, "ftrace", timeline.Config{}), want)
}

// TestChrome: every kind of duration event, in no order, with both forms of ids
// and of the document.
func TestChrome(t *testing.T) {
	const events = `{"ph":"M","name":"thread_name","pid":7,"tid":8,"args":{"name":"worker"}},
{"ph":"X","name":"outer","pid":7,"tid":8,"ts":100,"dur":50.5},
{"ph":"X","name":"a.B.late","pid":7,"tid":8,"ts":140,"dur":20},
{"ph":"X","name":"same","pid":7,"tid":8,"ts":100,"dur":10},
{"ph":"I","name":"instant","pid":7,"tid":8,"ts":101},
{"ph":"E","pid":7,"tid":"main","ts":130},
{"ph":"B","name":"b","pid":7,"tid":"main","ts":120.25},
{"ph":"E","pid":7,"tid":"main","ts":110}`
	want := "0 worker >outer, 0 worker >same, 10 worker <same, 10 main <(unknown), 20.25 main >b, 30 main <b, 40 worker >a.B.late, 50.5 worker <a.B.late, 50.5 worker <outer"
	check(t, "object", read(t, `{"displayTimeUnit":"ms","x":[{"y":1}],"traceEvents":[`+events+`]}`, "chrome", timeline.Config{}), want)
	check(t, "array without end", read(t, "["+events, "chrome", timeline.Config{}), want)
	named := `[{"ph":"E","name":"a.B.began","pid":1,"tid":1,"ts":5},{"ph":"E","pid":1,"tid":1,"ts":6},{"ph":"B","name":"f","pid":1,"tid":1,"ts":7}]`
	check(t, "ends without a begin", read(t, named, "chrome", timeline.Config{}), "0 thread-1 <a.B.began, 1 thread-1 <(unknown), 2 thread-1 >f")
	mixed := `[{"ph":"B","name":"b","pid":1,"tid":1,"ts":0},{"ph":"X","name":"x","pid":1,"tid":1,"ts":2,"dur":10},{"ph":"B","name":"c","pid":1,"tid":1,"ts":3},
{"ph":"E","pid":1,"tid":1,"ts":5},{"ph":"B","name":"d","pid":1,"tid":1,"ts":6},{"ph":"X","name":"y","pid":1,"tid":1,"ts":7,"dur":20},{"ph":"E","pid":1,"tid":1,"ts":14},{"ph":"E","pid":1,"tid":1,"ts":15}]`
	// d is open when x around it ends, and y is clipped to x; the end at 14 is d's.
	check(t, "mixed", read(t, mixed, "chrome", timeline.Config{}),
		"0 thread-1 >b, 2 thread-1 >x, 3 thread-1 >c, 5 thread-1 <c, 6 thread-1 >d, 7 thread-1 >y, 12 thread-1 <y, 12 thread-1 <d, 12 thread-1 <x, 15 thread-1 <b")
	dual := `[{"ph":"B","name":"f","pid":1,"tid":1,"ts":10,"tts":3},{"ph":"E","pid":1,"tid":1,"ts":20,"tts":9},{"ph":"X","name":"g","pid":1,"tid":1,"ts":30,"dur":5,"tts":10,"tdur":4}]`
	check(t, "dual", read(t, dual, "chrome", timeline.Config{}), "0 thread-1 >f cpu 3, 10 thread-1 <f cpu 9, 20 thread-1 >g cpu 10, 25 thread-1 <g cpu 14")
}

func TestNanoscope(t *testing.T) {
	file := "1000:void a.B.m(int)\n2000:+custom name\n2500:POP\n3000:POP\n4000:POP\n"
	check(t, "nanoscope", read(t, file, "nanoscope", timeline.Config{}), "0 main >a.B.m, 1 main >custom name, 1.5 main <custom name, 2 main <a.B.m, 3 main <(unknown)")
}

// TestMatrix: the report that TRACERS calls an example, with callees in turn.
func TestMatrix(t *testing.T) {
	file := "0,1048574,1,1006\n1,243,1,600\n2,7,3,600\n1,244,1,300\n"
	check(t, "matrix", read(t, file, "matrix", timeline.Config{}),
		"0 main >android.os.Handler.dispatchMessage, 0 main >method_243, 0 main >method_7, 600000 main <method_7, 600000 main <method_243, "+
			"600000 main >method_244, 900000 main <method_244, 1.006e+06 main <android.os.Handler.dispatchMessage")
}

// TestMatrixNoTime: calls that took less than a ms are in each other as the depths say.
func TestMatrixNoTime(t *testing.T) {
	check(t, "matrix", read(t, "0,1,1,0\n1,2,1,0\n2,3,1,0\n1,4,1,0\n", "matrix", timeline.Config{}),
		"0 main >method_1, 0 main >method_2, 0 main >method_3, 0 main <method_3, 0 main <method_2, 0 main >method_4, 0 main <method_4, 0 main <method_1")
}

// TestMatrixLongCallee: a callee that is said to take longer than its caller ends with it.
func TestMatrixLongCallee(t *testing.T) {
	file := "0,1048574,1,5\n1,243,1,9\n"
	check(t, "matrix", read(t, file, "matrix", timeline.Config{}),
		"0 main >android.os.Handler.dispatchMessage, 0 main >method_243, 5000 main <method_243, 5000 main <android.os.Handler.dispatchMessage")
}

// message is a message of protocol buffers of these fields: number and value in turn.
func message(fields ...any) (b []byte) {
	for i := 0; i < len(fields); i += 2 {
		n := protowire.Number(fields[i].(int))
		switch v := fields[i+1].(type) {
		case int:
			b = protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), uint64(v))
		case int64: // also where an int has 32 bits
			b = protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), uint64(v))
		case string:
			b = protowire.AppendString(protowire.AppendTag(b, n, protowire.BytesType), v)
		case []byte:
			b = protowire.AppendBytes(protowire.AppendTag(b, n, protowire.BytesType), v)
		}
	}
	return b
}

// perfettoFile is a trace of a sequence with a clock of its own, a default track, an event
// with its name in it, and a print of ftrace in a bundle. Numbers of fields are those of
// the proto files.
func perfettoFile() []byte {
	return slices.Concat(
		message(1, message(10, 3, 13, 1, 6, message(1, message(1, 64, 2, 1000, 3, 1, 4, 1000), 1, message(1, 6, 2, 5_000_000)))),
		message(1, message(10, 3, 60, message(1, 99, 4, message(1, 40, 2, 41, 5, "ui")))),
		message(1, message(10, 3, 59, message(58, 64, 11, message(11, 99)))),
		message(1, message(10, 3, 8, 7, 11, message(9, 1, 23, "a.B.m"))),                                       // 5 ms + 7 us
		message(1, message(10, 3, 8, 3, 11, message(9, 1, 10, 1), 12, message(2, message(1, 1, 2, "second")))), // 3 us later
		message(1, message(10, 3, 8, 10, 11, message(9, 2))),
		message(1, message(10, 3, 8, 10, 11, message(9, 2))),
		message(1, message(10, 4, 1, message(1, 0, 2, message(1, 5_008_000, 2, 41, 3, message(2, "B|40|mark\n"))))),
		message(1, message(10, 4, 1, message(1, 0, 2, message(1, 5_009_000, 2, 41, 3, message(2, "E|40\n"))))),
	)
}

func TestPerfettoClocks(t *testing.T) {
	check(t, "perfetto", read(t, string(perfettoFile()), "perfetto", timeline.Config{}),
		"0 ui >a.B.m, 1 ui >mark, 2 ui <mark, 3 ui >second, 13 ui <second, 23 ui <a.B.m")
}

// TestPerfettoMicros: track_event.proto has older times in the event itself, in us:
// timestamp_absolute_us is 16, thread_time_absolute_us 17.
func TestPerfettoMicros(t *testing.T) {
	file := slices.Concat(
		message(1, message(10, 3, 60, message(1, 99, 4, message(1, 40, 2, 41, 5, "ui")))),
		message(1, message(10, 3, 11, message(9, 1, 11, 99, 16, 5000, 17, 100, 23, "a.B.m"))),
		message(1, message(10, 3, 11, message(9, 2, 11, 99, 16, 5250, 17, 180))),
	)
	check(t, "perfetto", read(t, string(file), "perfetto", timeline.Config{}), "0 ui >a.B.m cpu 100, 250 ui <a.B.m cpu 180")
}

// seeds are small files of each format.
func seeds() map[string][][]byte {
	return map[string][][]byte{
		"speedscope": {[]byte(smallSpeedscope)},
		"ftrace": {
			[]byte("# tracer: nop\n main-1 ( 1) [000] ...1 1.000001: tracing_mark_write: B|1|x\n main-1 ( 1) [000] ...1 1.000004: tracing_mark_write: E|1\n"),
			[]byte("# tracer: nop\n <idle>-0 (-----) [000] d..3 1.000001: sched_switch: prev_comm=a prev_pid=1 prev_prio=1 prev_state=S ==> next_comm=b next_pid=2 next_prio=1\n b-2 ( 1) [000] ...1 1.000002: tracing_mark_write: B|1|x\n"),
			packedAtrace("# tracer: nop\n main-1 ( 1) [000] ...1 1.000001: tracing_mark_write: B|1|x\n main-1 ( 1) [000] ...1 1.000004: tracing_mark_write: E|1\n"),
		},
		"chrome":        {[]byte(`{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":2,"ts":1,"dur":2},{"ph":"B","name":"b","pid":1,"tid":2,"ts":4.5,"tts":1},{"ph":"E","pid":1,"tid":2,"ts":5,"tts":2}]}`)},
		"rhea":          {[]byte("1|TRACE_START|0|10|0|2|x\n7.000000: B|10|B:x\n7.000001: B|10|E:x\n")},
		"nanoscope":     {[]byte("1:a.B.m\n2:POP\n3:+x y\n4:POP\n")},
		"matrix":        {[]byte("0,1048574,1,6\n1,243,1,5\n")},
		"matrix-buffer": {matrixBuffer(binary.BigEndian, in(dispatch, 100), in(4, 100), in(5, 105), out(5, 107), out(4, 110)), matrixBuffer(binary.BigEndian, out(4, 110), in(dispatch, 100), in(4, 100), 0, in(5, 105))},
		"btrace":        {append([]byte{5, 0, 0, 0, 1}, make([]byte, 60)...), btraceFile(btraceCall{1000, 500, 3, 4}, btraceCall{900, 1 << 27, 3, 5})},
		"perfetto": {
			{0x0a, 4, 0x68, 1, 0x50, 1, 0x0a, 6, 0x40, 5, 0x5a, 2, 0x48, 1},
			perfettoFile(),
		},
	}
}

// packedAtrace is what atrace -z prints.
func packedAtrace(text string) []byte {
	b := bytes.NewBufferString("TRACE:\n")
	z := zlib.NewWriter(b)
	io.WriteString(z, text)
	z.Close()
	return b.Bytes()
}

// TestCut: wherever a file is cut, it is an error with its place, or what was read has at
// least the begins of a shorter part. A line that is cut can have the form of another one,
// so those of text are compared at the ends of lines.
func TestCut(t *testing.T) {
	lines := map[string]bool{"ftrace": true, "rhea": true, "nanoscope": true, "matrix": true}
	for _, f := range formats() {
		files := seeds()[f.Name]
		if len(files) == 0 {
			t.Errorf("%s: no file to be cut, nor to begin fuzzing with", f.Name)
		}
		for _, whole := range files {
			most := 0
			for n := range len(whole) + 1 {
				rec, err := timeline.Read(bytes.NewReader(whole[:n]), "in", -1, &f, timeline.Config{})
				var bad *trace.FormatError
				if err != nil && !errors.As(err, &bad) {
					t.Errorf("%s cut at %d: %v", f.Name, n, err)
				}
				if err != nil {
					continue
				}
				begins := 0
				for _, e := range eventsOf(t, &rec.Recording) {
					if e.Action == trace.Enter {
						begins++
					}
				}
				rec.Close()
				if lines[f.Name] && n < len(whole) && whole[n-1] != '\n' {
					continue
				}
				if begins < most {
					t.Errorf("%s cut at %d: %d begins, %d of a shorter part", f.Name, n, begins, most)
				}
				most = begins
			}
		}
	}
}

// FuzzRead: no input makes a reader panic, and what it reads is in time order and
// nested on every thread.
func FuzzRead(f *testing.F) {
	for _, files := range seeds() {
		for _, file := range files {
			f.Add(file)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, format := range formats() {
			rec, err := timeline.Read(bytes.NewReader(file), "in", -1, &format, timeline.Config{Limits: trace.Limits{Depth: 100}})
			if err != nil {
				continue
			}
			checker := trace.NewChecker(&rec.Info, rec.Symbols, func(v *trace.Violation) {
				if !v.Rule.Normal() && v.Rule != trace.CPUForward {
					t.Errorf("%s: %v", format.Name, v)
				}
			})
			if _, err := trace.Copy(checker, rec.Events); err != nil && !errors.As(err, new(*trace.LimitError)) && err != io.EOF {
				t.Errorf("%s: %v", format.Name, err)
			}
		}
	})
}
