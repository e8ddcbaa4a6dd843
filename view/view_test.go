package view

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"artifice/format/dmtrace"
	"artifice/format/text"
	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/trace/calltree"
)

// example is a trace with all special cases: an exit without an enter, an exit of another method
// than the innermost, idle time between two events, an event before the previous one, and frames
// that are open at the end.
const example = "# artifice text trace\n" +
	"info\tclock\tdual\n" +
	"info\telapsed-ns\t9000000\n" +
	"thread\t1\tmain\n" +
	"thread\t2\tworker\n" +
	"method\t0x0\ta.b.Main\trun\t()V\t\t0\n" +
	"method\t0x4\ta/b/Main\twork\t(I)V\t\t0\n" +
	"method\t0x8\ta.b.C$D\t<init>\t()V\t\t0\n" +
	"1000000 100000 1 enter a/b/Main.work(I)V\n" +
	"2000000 1100000 1 exit a/b/Main.work(I)V\n" +
	"3000000 1200000 1 exit a.b.Main.run()V\n" +
	"4000000 2200000 2 enter a.b.Main.run()V\n" +
	"5000000 3200000 2 enter a.b.C$D.<init>()V\n" +
	"4500000 3200000 2 exit a/b/Main.work(I)V\n" +
	"6000000 4200000 2 enter a/b/Main.work(I)V\n" +
	"7000000 5200000 2 enter a/b/Main.work(I)V\n"

func readExample(t *testing.T, until calltree.EndPolicy) *Recording {
	t.Helper()
	rec, err := text.NewReader(strings.NewReader(example), "example")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(rec, "example", Options{Until: until})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func pageOf(t *testing.T, r *Recording) *decoded {
	t.Helper()
	var b bytes.Buffer
	if err := (&Page{Title: "x", Recordings: []*Recording{r}}).WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return decodePage(t, b.Bytes())
}

// TestCalls checks the calls of the example as the page reads them, derived by hand from the rules
// in the package comment.
func TestCalls(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	run, work, init := "a.b.Main.run()V", "a.b.Main.work(I)V", "a.b.C$D.<init>()V"
	main := []readCall{
		{run, 0, 1 * ms, 2 * ms, 100 * us, 1100 * us, 0}, // open before the first event of its thread
		{work, 1, 1 * ms, 1 * ms, 100 * us, 1 * ms, 0},
	}
	worker := []readCall{
		{run, 0, 4 * ms, 3 * ms, 2200 * us, 3 * ms, 0},  // open at the end
		{init, 1, 5 * ms, 0, 3200 * us, 0, 0},           // closed by the exit of another method, while time steps back
		{work, 1, 6 * ms, 1 * ms, 4200 * us, 1 * ms, 0}, // open at the end
		{work, 2, 7 * ms, 0, 5200 * us, 0, 0},
	}
	d := pageOf(t, readExample(t, calltree.UntilLastEvent))
	opt := cmpopts.EquateComparable(readCall{})
	for i, want := range [][]readCall{main, worker} {
		th := &d.threads[0][i]
		if diff := cmp.Diff(want, d.calls(th), opt); diff != "" {
			t.Errorf("thread %s (-by hand +page)\n%s", th.Name, diff)
		}
	}
	if got, want := d.threads[0][0].Gaps, []int64{2050, 900}; got == nil || d.numbers(got.Start)[0]+d.header.Start/1000 != want[0] || d.numbers(got.Duration)[0] != want[1] {
		t.Errorf("main's gaps are %v", got) // 100 us of CPU time from 2 to 3 ms, half of it first
	}
	if got, want := strings.Join(d.short(), " "), "Main.work Main.run C$D.<init>"; got != want { // by calls: 3, 2, 1
		t.Errorf("short names %q, want %q", got, want)
	}
	if d.Unit != 1000 || d.header.Start != int64(ms) || d.Span != 6000 || len(d.Recordings[0].Notes) != 4 {
		t.Errorf("unit %d, start %d, span %d, notes %q", d.Unit, d.header.Start, d.Span, d.Recordings[0].Notes)
	}
}

// TestEqualNames checks that two methods of one name in a recording, such as in the classes of two
// loaders, remain separate.
func TestEqualNames(t *testing.T) {
	symbols := &trace.Symbols{Threads: []trace.Thread{{TID: 1}}}
	a, b := symbols.AddMethod(trace.Method{ID: 4, Class: "a.B", Name: "f"}), symbols.AddMethod(trace.Method{ID: 8, Class: "a.B", Name: "f"})
	rec := &trace.Recording{Symbols: symbols, Info: trace.Info{Clock: trace.Wall, Technique: trace.Instrumented}, Events: trace.NewSliceReader([]trace.Event{
		{Wall: 1000, Method: a}, {Wall: 2000, Method: a, Action: trace.Exit}, {Wall: 3000, Method: b}, {Wall: 4000, Method: b, Action: trace.Exit},
	})}
	r, err := Read(rec, "x", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := pageOf(t, r); len(d.strings(d.Methods)) != 2 {
		t.Errorf("methods %q, want a.B.f twice", d.strings(d.Methods))
	}
}

// TestUntilStop checks that frames that are open at the end last until the stop, in wall time.
func TestUntilStop(t *testing.T) {
	d := pageOf(t, readExample(t, calltree.UntilStop))
	if c := d.calls(&d.threads[0][1])[0]; c.Duration != 5*time.Millisecond || c.CPUTime != 3*time.Millisecond {
		t.Errorf("the outermost call has %v, CPU %v", c.Duration, c.CPUTime)
	}
}

// sumOf are the sums of a method on a page, in the columns of dmtracedump.
type sumOf struct {
	Exclusive, Inclusive time.Duration
	Calls, Recursive     int64
}

// sumsOf sums the calls of a page by method, in CPU time.
func sumsOf(d *decoded) map[string]sumOf {
	all := map[string]sumOf{}
	for i := range d.threads[0] {
		var open []readCall
		for _, c := range d.calls(&d.threads[0][i]) {
			open = open[:c.Depth]
			s, recursive := all[c.Method], false
			for _, o := range open {
				recursive = recursive || o.Method == c.Method
			}
			s.Exclusive += c.CPUTime
			if recursive {
				s.Recursive++
			} else {
				s.Calls++
				s.Inclusive += c.CPUTime
			}
			all[c.Method] = s
			if n := len(open); n > 0 {
				caller := all[open[n-1].Method]
				caller.Exclusive -= c.CPUTime
				all[open[n-1].Method] = caller
			}
			open = append(open, c)
		}
	}
	return all
}

// TestRealFiles checks that pages of real files contain the methods of their calls. Module research
// compares the sums with those of dmtracedump.
func TestRealFiles(t *testing.T) {
	for _, name := range []string{"sampled-art-file.trace", "sampled-host-file.trace"} {
		in, err := dmtrace.Open(testdata.Path(t, "traces", name), dmtrace.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		r, err := Read(&in.Recording, name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sums := sumsOf(pageOf(t, r))
		if len(sums) < 200 {
			t.Errorf("%s: the page shows only %d methods", name, len(sums))
		}
		text, err := json.Marshal(sums)
		if err != nil {
			t.Fatal(err)
		}
		testdata.Save(t, name+".json", text)
	}
}

// TestLastEvent checks that a thread with open calls has the time of its last event, and a gap
// after it. A thread without open calls has neither.
func TestLastEvent(t *testing.T) {
	const open = "# artifice text trace\ninfo\tclock\tdual\ninfo\ttechnique\ttruth\nthread\t1\tmain\nthread\t2\tworker\nmethod\t0x0\ta.A\tf\t()V\t\t0\n" +
		"0 0 1 enter a.A.f()V\n1000000 0 2 enter a.A.f()V\n3000000 3000000 1 enter a.A.f()V\n3000000 3000000 1 exit a.A.f()V\n9000000 8000000 2 exit a.A.f()V\n"
	rec, err := text.NewReader(strings.NewReader(open), "open")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(rec, "open", Options{Until: calltree.UntilStop})
	if err != nil {
		t.Fatal(err)
	}
	d := pageOf(t, r)
	main, worker := d.threads[0][0], d.threads[0][1]
	if main.Last == nil || *main.Last*d.header.Unit != 3e6 || main.Gaps == nil {
		t.Fatalf("main's last event is at %v, its gaps are %v", main.Last, main.Gaps)
	}
	start, duration := d.numbers(main.Gaps.Start), d.numbers(main.Gaps.Duration)
	if len(start) != 1 || start[0]*d.header.Unit != 3e6 || duration[0]*d.header.Unit != 6e6 {
		t.Errorf("main's gaps start at %v and take %v, want 6 ms from 3 ms", start, duration)
	}
	if worker.Last != nil {
		t.Errorf("worker, without open calls, has a last event at %d", *worker.Last)
	}
}
