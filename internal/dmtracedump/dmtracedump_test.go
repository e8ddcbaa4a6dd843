package dmtracedump

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

// recording returns the symbols of some methods of app.Main on a clock.
func recording(clock trace.Clock, names ...string) *trace.Recording {
	rec := &trace.Recording{Info: trace.Info{Clock: clock}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	for i, name := range names {
		rec.Symbols.AddMethod(trace.Method{ID: uint64(4 * (i + 1)), Class: "app.Main", Name: name, Signature: "()V"})
	}
	return rec
}

// at returns an event, in us.
func at(us int, m trace.MethodID, a trace.Action) trace.Event {
	t := time.Duration(us) * time.Microsecond
	return trace.Event{Wall: t, CPU: t, Method: m, Action: a}
}

// reportOf returns the report of events.
func reportOf(t *testing.T, rec *trace.Recording, events ...trace.Event) *Report {
	t.Helper()
	r := New(rec)
	if err := r.WriteEvents(events); err != nil {
		t.Fatal(err)
	}
	return r
}

const enter, exit = trace.Enter, trace.Exit

// sides returns two traces: main calls work and once, or new. main has 3 and 7 us of its own and 10
// and 20 in all; work has 6 and 4.
func sides(t *testing.T) (old, now *Report) {
	old = reportOf(t, recording(trace.Wall, "main", "work", "<once>"), at(0, 0, enter), at(2, 1, enter), at(8, 1, exit), at(8, 2, enter), at(9, 2, exit), at(10, 0, exit))
	now = reportOf(t, recording(trace.Wall, "new", "work", "main"), at(0, 2, enter), at(2, 1, enter), at(6, 1, exit), at(6, 0, enter), at(15, 0, exit), at(20, 2, exit))
	return old, now
}

// TestDifference checks the rows of a difference: the largest increase first, a decrease as an
// unsigned number, then the methods of one trace only, with names escaped as in HTML.
func TestDifference(t *testing.T) {
	old, now := sides(t)
	var out strings.Builder
	if err := now.PrintDiff(&out, old); err != nil {
		t.Fatal(err)
	}
	var lines []string
	all := strings.Split(out.String(), "\n")
	for i, line := range all {
		if strings.HasPrefix(line, "app.Main.main ") || strings.HasPrefix(line, "app.Main.work ") {
			lines = append(lines, strings.Join(all[i:i+3], "|"))
		} else if strings.HasPrefix(line, "app.") {
			lines = append(lines, line)
		}
	}
	want := []string{
		"app.Main.main 3 7 4 233.33|1|1", "app.Main.work 6 4 18446744073709551614 66.67|1|1", // self times
		"app.Main.main 10 20 10 200.00|1|1", "app.Main.work 6 4 18446744073709551614 66.67|1|1",
		"app.Main.&lt;once&gt; 1 1 1", "app.Main.new 9 9 1",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q, in\n%s", lines, want, out.String())
	}

	out.Reset()
	old, now = sides(t)
	if err := now.PrintDiffHTML(&out, old, "a<b", "c", "x/"); err != nil {
		t.Fatal(err)
	}
	rest := out.String()
	for _, want := range []string{
		"x/sortable.js", "<p>Run 1: a&lt;b<br>\nRun 2: c</p>\n", "<h3 id=\"exclusive\">Exclusive</h3>\n",
		"<tr><td>app.Main.main</td><td>3</td><td>7</td><td>4</td><td>233.33</td><td>1</td><td>1</td></tr>\n",
		"<h3 id=\"inclusive\">Inclusive</h3>\n", "<tr><td>app.Main.main</td><td>10</td><td>20</td><td>10</td><td>200.00</td><td>1</td><td>1</td></tr>\n",
		"<h3>Run 1 methods not found in Run 2</h3>\n", "<tr><td>app.Main.&lt;once&gt;</td><td>1</td><td>1</td><td>1</td></tr>\n",
		"<h3>Run 2 methods not found in Run 1</h3>\n", "<tr><td>app.Main.new</td><td>9</td><td>9</td><td>1</td></tr>\n", "</html>\n",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is missing, or not in this order, in\n%s", want, out.String())
		}
		rest = after
	}
}

// TestEventLines checks the line of each event: dots for the open frames, of which the thread has two
// from the start, and a minus if exits exceed them. An unlisted method has its id.
func TestEventLines(t *testing.T) {
	rec := recording(trace.Dual, "main")
	rec.Symbols.AddMethod(trace.Method{ID: 0x20, Unlisted: true})
	var out strings.Builder
	w := NewEventWriter(&out, rec)
	events := []trace.Event{at(0, 0, enter), at(1, 1, enter), at(2, 1, trace.Unwind), at(3, 0, exit), at(4, 0, exit), at(5, 0, exit), at(6, 0, exit), at(12345678, 0, exit)}
	if err := w.WriteEvents(events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := `VERSION: 3
Threads (1):
 1 main
Trace (threadID action usecs class.method signature):
 1 ent         0 ...app.Main.main ()V
 1 ent         1 ....???.??? methodId: 0x20
 1 unr         2 ....???.??? methodId: 0x20
 1 xit         3 ...app.Main.main ()V
 1 xit         4 ..app.Main.main ()V
 1 xit         5 .app.Main.main ()V
 1 xit         6 app.Main.main ()V
 1 xit  12345678-app.Main.main ()V
`
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
	for clock, want := range map[trace.Clock]int{trace.Wall: 2, trace.ThreadCPU: 2, trace.Dual: 3} {
		if got := version(recording(clock)); got != want {
			t.Errorf("version %d of clock %s, want %d", got, clock, want)
		}
	}
}

// TestLimits: dmtracedump gives up at an exit of another method than the innermost, and beyond 10000
// frames.
func TestLimits(t *testing.T) {
	if err := New(recording(trace.Wall, "main", "work")).WriteEvents([]trace.Event{at(0, 0, enter), at(1, 1, exit)}); err == nil ||
		err.Error() != "an exit of app.Main.work ()V while app.Main.main ()V is innermost: dmtracedump gives up here" {
		t.Errorf("another method: %v", err)
	}
	deep := slices.Repeat([]trace.Event{at(0, 0, enter)}, 10000)
	r := New(recording(trace.Wall, "main"))
	if err := r.WriteEvents(deep); err != nil {
		t.Errorf("10000 frames: %v", err)
	}
	if err := r.WriteEvents(deep[:1]); fmt.Sprint(err) != "more than 10000 calls are open on thread 1: dmtracedump gives up here" {
		t.Errorf("10001 frames: %v", err)
	}
}
