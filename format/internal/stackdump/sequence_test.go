package stackdump_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/diffstack"
	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
	"artifice/trace/filter"
)

// lines returns JSON lines of one thread. A sample is "time stack", with the stack's frames
// outermost first.
func lines(samples ...string) string {
	var out strings.Builder
	for _, s := range samples {
		us, stack, _ := strings.Cut(s, " ")
		frames := strings.Fields(stack)
		slices.Reverse(frames)
		fmt.Fprintf(&out, `{"time_us":%s,"thread":"t","frames":["%s"]}`+"\n", us, strings.Join(frames, `","`))
	}
	return out.String()
}

// TestSliceEnds checks the four slice ends on samples 10 ms apart. The frame b is in the sample at
// 10 ms and not in that at 20 ms. The expected ends follow the table of policies.
func TestSliceEnds(t *testing.T) {
	text := lines("0 a", "10000 a b", "20000 a c")
	for _, test := range []struct {
		end  diffstack.SliceEnd
		want string
	}{
		{diffstack.EndNext, "20000000"},
		{diffstack.EndLast, "10000010"},
		{diffstack.EndCapped, "11000000"},
		{diffstack.EndMid, "15000000"},
	} {
		s := formattest.Parse(t, stackdump.Config{SliceEnd: test.end}, text)
		formattest.Same(t, formattest.Text(t, s), "thread\t1\tt\n0 - 1 enter a\n10000000 - 1 enter b\n"+test.want+" - 1 exit b\n20000000 - 1 enter c\n")
	}
	// For samples closer than the cap, a frame never ends after the first sample without it.
	for _, end := range []diffstack.SliceEnd{diffstack.EndNext, diffstack.EndCapped} {
		s := formattest.Parse(t, stackdump.Config{SliceEnd: end}, lines("0 a", "500 b"))
		formattest.Same(t, formattest.Text(t, s), "thread\t1\tt\n0 - 1 enter a\n500000 - 1 exit a\n500000 - 1 enter b\n")
	}
}

// TestIdentity checks two calls of f from different lines of main. They are one call for ART and
// two for BlockCanaryX. A new line in the innermost frame alone is not a new call.
func TestIdentity(t *testing.T) {
	const text = `{"time_us":0,"thread":"t","frames":["a.B.f(B.java:1)","a.B.main(B.java:10)"]}
{"time_us":1,"thread":"t","frames":["a.B.f(B.java:2)","a.B.main(B.java:10)"]}
{"time_us":2,"thread":"t","frames":["a.B.f(B.java:1)","a.B.main(B.java:20)"]}
`
	s := formattest.Parse(t, stackdump.Config{}, text)
	formattest.Same(t, formattest.Text(t, s), "thread\t1\tt\n0 - 1 enter a.B.main\n0 - 1 enter a.B.f\n")
	s = formattest.Parse(t, stackdump.Config{Identity: diffstack.BySite}, text)
	formattest.Same(t, formattest.Text(t, s), "thread\t1\tt\n0 - 1 enter a.B.main\n0 - 1 enter a.B.f\n2000 - 1 exit a.B.f\n2000 - 1 enter a.B.f\n")
	if n := len(s.Symbols.Methods); n != 2 {
		t.Errorf("%d methods, want 2: a call site is no method", n)
	}
}

// TestSnapshotsCount checks that a stack in five dumps has a count of five, although it has the
// events of a single call.
func TestSnapshotsCount(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, lines("0 a b", "10 a b", "20 a b", "30 a b", "40 a b", "50 a c", "60 ", "70 a c"))
	var got []string
	s.SnapshotsTo(tracetest.SnapshotFunc(func(snap *trace.Snapshot) {
		leaf := s.Symbols.Method(snap.Stack[len(snap.Stack)-1]).Name
		got = append(got, fmt.Sprintf("%d×%s %s-%s", snap.Count, leaf, snap.Wall, snap.Until))
	}))
	tracetest.Events(t, s)
	// The stack of "60 " has one frame with an empty name, and is a separate stack.
	want := []string{"5×b 0s-50µs", "1×c 50µs-60µs", "1× 60µs-70µs", "1×c 70µs-70µs"}
	if !slices.Equal(got, want) {
		t.Errorf("snapshots %q, want %q", got, want)
	}
}

// TestLast checks that only the end of the sequence is kept, including its bounds, and that its
// times start at 0.
func TestLast(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{Last: 20 * time.Millisecond}, lines("0 a", "10000 b", "20000 c", "30000 d", "40000 e"))
	formattest.Same(t, formattest.Text(t, s), `
thread	1	t
0 - 1 enter c
10000000 - 1 exit c
10000000 - 1 enter d
20000000 - 1 exit d
20000000 - 1 enter e
`)
}

// TestFromTo checks that a part omits dumps, and keeps times and counts.
func TestFromTo(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{Part: filter.Part{From: 10 * time.Millisecond, To: 40 * time.Millisecond}}, lines("0 a", "10000 b", "20000 b", "30000 c", "40000 d"))
	var samples int64
	s.SnapshotsTo(tracetest.SnapshotFunc(func(snap *trace.Snapshot) { samples += snap.Count }))
	formattest.Same(t, formattest.Text(t, s), "thread\t1\tt\n10000000 - 1 enter b\n30000000 - 1 exit b\n30000000 - 1 enter c\n")
	if samples != 3 {
		t.Errorf("%d samples, want 3", samples)
	}
}

// TestInTimeOrder checks that exits that a slice end moves before events of other threads are
// sorted by time, and that each thread ends at its last sample.
func TestInTimeOrder(t *testing.T) {
	const text = `{"time_us":0,"thread":"a","frames":["x"]}
{"time_us":0,"thread":"b","frames":["y"]}
{"time_us":10000,"thread":"a","frames":["x"]}
{"time_us":10000,"thread":"b","frames":["z"]}
{"time_us":20000,"thread":"a","frames":["w"]}
{"time_us":30000,"thread":"a","frames":["w"]}
`
	s := formattest.Parse(t, stackdump.Config{SliceEnd: diffstack.EndLast}, text)
	if err := s.Rewind(); err == nil {
		t.Error("Rewind succeeds before InTimeOrder, want an error")
	}
	if err := s.InTimeOrder(); err != nil {
		t.Fatal(err)
	}
	events := tracetest.Events(t, s.Events)
	if err := s.Rewind(); err != nil || !slices.Equal(tracetest.Events(t, s.Events), events) {
		t.Errorf("events differ after Rewind (error %v)", err)
	}
	if !slices.IsSortedFunc(events, func(a, b trace.Event) int { return int(a.Wall - b.Wall) }) || len(events) != 7 {
		t.Errorf("events %+v, want 7 in time order", events)
	}
	if a, b := s.Symbols.Threads[0].End, s.Symbols.Threads[1].End; a != 30*time.Millisecond || b != 20*time.Millisecond {
		t.Errorf("threads end at %s and %s, want 30ms and 20ms, the first dump without b", a, b)
	}
}

func TestSelectThread(t *testing.T) {
	const text = `{"time_us":0,"thread":"a","tid":7,"frames":["x"]}
{"time_us":0,"thread":"b","tid":8,"frames":["y"]}
`
	for want, events := range map[string]string{
		"a": "thread\t7\ta\n0 - 7 enter x\n",
		"8": "thread\t8\tb\n0 - 8 enter y\n",
	} {
		s := formattest.Parse(t, stackdump.Config{Part: filter.Part{Threads: []string{want}}}, text)
		formattest.Same(t, formattest.Text(t, s), events)
		formattest.Warned(t, s)
	}
	s := formattest.Parse(t, stackdump.Config{Part: filter.Part{Threads: []string{"c"}}}, text)
	formattest.Same(t, formattest.Text(t, s), "")
	formattest.Warned(t, s, `none of the threads ["c"] is in the 1 dumps`)
}

// TestReusedTID checks that the number after "#" distinguishes two threads of the JVM with one tid.
// In the trace, they have different tids.
func TestReusedTID(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, formattest.JVM("2025-12-22 16:10:17", `"a" #10 prio=5 tid=0x1 nid=0x2a runnable`, "\tat f\n")+
		formattest.JVM("2025-12-22 16:10:18", `"b" #11 prio=5 tid=0x1 nid=0x2a runnable`, "\tat f\n"))
	formattest.Same(t, formattest.Text(t, s), `
thread	42	a
0 - 42 enter f
thread	1	b
1000000000 - 1 enter f
1000000000 - 42 exit f
`)
}

// TestFolderOrder checks that dumps of a folder are in time order regardless of their names, or by
// name if they have no times. Other files are skipped with a warning.
func TestFolderOrder(t *testing.T) {
	dump := func(sec int, method string) string {
		return formattest.JVM(fmt.Sprintf("2025-12-22 16:10:%02d", sec), `"main" #1 prio=5 tid=0x1 nid=0x2a runnable`, "\tat "+method+"\n")
	}
	s := formattest.OpenDumps(t, stackdump.Config{}, folder(t, map[string]string{"b.txt": dump(1, "first"), "a.txt": dump(2, "second"), "notes.md": "Some notes.\n", ".hidden": "x"}))
	formattest.Same(t, formattest.Text(t, s), "thread\t42\tmain\n0 - 42 enter first\n1000000000 - 42 exit first\n1000000000 - 42 enter second\n")
	formattest.Warned(t, s, "notes.md: the file is ignored: no stack dump is recognized")

	s = formattest.OpenDumps(t, stackdump.Config{Interval: time.Second}, folder(t, map[string]string{"d10.folded": "z 1\n", "d9.folded": "y 1\n", "d09a.folded": "x 1\n"}))
	var order []string
	for _, e := range tracetest.Events(t, s) {
		if e.Action == trace.Enter {
			order = append(order, s.Symbols.Method(e.Method).Name)
		}
	}
	if got := strings.Join(order, ""); got != "yxz" {
		t.Errorf("order %s, want yxz", got)
	}
}

func folder(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFolderOfTwoFormats checks that two formats in one folder are an error.
func TestFolderOfTwoFormats(t *testing.T) {
	s := formattest.OpenDumps(t, stackdump.Config{}, folder(t, map[string]string{"a.txt": formattest.ANR, "b.folded": "x 1\n"}))
	_, err := trace.Copy(&trace.Buffer{}, s)
	if err == nil || !strings.Contains(err.Error(), "b.folded") {
		t.Errorf("anr and folded: %v, want an error that names b.folded", err)
	}
}

// TestSmallBatches checks that batches of one event yield the same events.
func TestSmallBatches(t *testing.T) {
	want := tracetest.Events(t, formattest.Parse(t, stackdump.Config{}, formattest.ANR))
	s := formattest.Parse(t, stackdump.Config{}, formattest.ANR)
	var got []trace.Event
	one := make([]trace.Event, 1)
	for {
		n, err := s.ReadEvents(one)
		if n == 0 {
			if err.Error() != "EOF" {
				t.Fatal(err)
			}
			break
		}
		got = append(got, one...)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d events one by one, want %d", len(got), len(want))
	}
}

// TestSnapshotErrors checks that an error of the snapshot writer stops the reading, in the middle
// and at the end.
func TestSnapshotErrors(t *testing.T) {
	full := errors.New("disk full")
	for _, text := range []string{lines("0 a", "10 b"), lines("0 a")} {
		s := formattest.Parse(t, stackdump.Config{}, text)
		s.SnapshotsTo(failingSnapshots{full})
		if _, err := trace.Copy(&trace.Buffer{}, s); !errors.Is(err, full) {
			t.Errorf("%v, want %v", err, full)
		}
	}
}

type failingSnapshots struct{ err error }

func (f failingSnapshots) WriteSnapshot(*trace.Snapshot) error { return f.err }

// TestTooManyThreads checks that a trace has at most 65,536 threads. One more is an error with its
// position. Threads that are not selected do not count.
func TestTooManyThreads(t *testing.T) {
	var text strings.Builder
	for i := range trace.MaxThreads + 1 {
		fmt.Fprintf(&text, `{"time_us":0,"thread":"t%d","frames":["x"]}`+"\n", i)
	}
	_, err := trace.Copy(&trace.Buffer{}, formattest.Parse(t, stackdump.Config{}, text.String()))
	if err == nil || !strings.Contains(err.Error(), "test.txt:65537: too many threads; select one of them") {
		t.Errorf("65,537 threads: error %v, want one at line 65537", err)
	}
	if n := len(tracetest.Events(t, formattest.Parse(t, stackdump.Config{Part: filter.Part{Threads: []string{"t65536"}}}, text.String()))); n != 1 {
		t.Errorf("%d events of one thread, want 1", n)
	}
}
