package timeline_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"artifice/format"
	"artifice/format/dmtrace"
	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
	"artifice/trace/calltree"
)

// TestWritten checks that the written form of a real trace reads as the calls of the trace. Ends
// without a begin are omitted, and calls that are open at the end are closed.
func TestWritten(t *testing.T) {
	for _, name := range []string{"perfetto", "chrome", "ftrace", "atrace", "speedscope"} {
		in, err := dmtrace.Open(testdata.Path(t, "traces", "instrumented-art-file.trace"), dmtrace.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		var file bytes.Buffer
		w, err := format.ByName(name).Write(&file, &in.Recording, kind.WriteOptions{Until: calltree.UntilLastEvent})
		if err != nil {
			t.Fatal(err)
		}
		var all trace.Buffer
		if _, err := trace.Copy(both{w, &all}, in.Events); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		back := formattest.MustOpen(t, file.Bytes(), kind.Config{})
		rec := back.Recording
		if dual := name == "perfetto" || name == "chrome"; dual != (rec.Info.Clock == trace.Dual) || rec.Info.PID != in.Info.PID && name != "speedscope" { // which has no process
			t.Errorf("%s: clock %v, process %d", name, rec.Info.Clock, rec.Info.PID)
		}
		want := byThread(in.Symbols, tracetest.Closed(all.Events), rec.Info.Clock == trace.Dual)
		got := byThread(rec.Symbols, tracetest.Events(t, rec.Events), rec.Info.Clock == trace.Dual)
		if len(got) != len(want) {
			t.Errorf("%s: %d threads, want %d", name, len(got), len(want))
		}
		for thread, lines := range want {
			if !slices.Equal(got[thread], lines) {
				t.Errorf("%s, thread %d: %d events, want %d", name, thread, len(got[thread]), len(lines))
			}
		}
		if err := back.Rewind(); err != nil {
			t.Fatal(err)
		}
		if again := byThread(rec.Symbols, tracetest.Events(t, rec.Events), false); len(again) != len(want) {
			t.Errorf("%s: read again, %d threads", name, len(again))
		}
	}
}

type both [2]trace.Writer

// WriteEvents implements [trace.Writer].
func (b both) WriteEvents(p []trace.Event) error {
	if err := b[0].WriteEvents(p); err != nil {
		return err
	}
	return b[1].WriteEvents(p)
}

// byThread returns the events of each thread as text, by tid. Times are in whole us since the first
// event; all times of this trace are whole us.
func byThread(symbols *trace.Symbols, events []trace.Event, cpu bool) map[uint32][]string {
	first := events[0].Wall
	for _, e := range events {
		first = min(first, e.Wall)
	}
	out := map[uint32][]string{}
	for _, e := range events {
		tid := symbols.Thread(e.Thread).TID
		line := fmt.Sprint((e.Wall - first).Microseconds(), " ", e.Action == trace.Enter, " ", symbols.Method(e.Method).FullName())
		if cpu {
			line += fmt.Sprint(" ", e.CPU)
		}
		out[tid] = append(out[tid], line)
	}
	return out
}

// TestOrder checks calls of several threads that are written in the order of their begins, of their
// ends, backwards or shuffled, as whole calls or as begins and ends. The reader returns them in
// their true order. The calls are nested, no two times are equal, and they are more than one sort
// batch.
func TestOrder(t *testing.T) {
	n := testdata.Times(20_000, 100_000)
	r := rand.New(rand.NewPCG(1, 2))
	type made struct {
		begin, end int
		tid        int
		name       string
	}
	var calls []made
	var want []string
	open := [3][]int{}
	for now := 0; now < 2*n; now++ {
		tid := r.IntN(3)
		left := 2*n - now
		if depth := len(open[tid]); depth > 0 && (depth > 30 || r.IntN(2) == 0) || left <= len(open[0])+len(open[1])+len(open[2]) {
			for len(open[tid]) == 0 {
				tid = (tid + 1) % 3
			}
			last := len(open[tid]) - 1
			c := &calls[open[tid][last]]
			open[tid] = open[tid][:last]
			c.end = now
			want = append(want, fmt.Sprintf("%d thread-%d <%s", now, tid+1, c.name))
			continue
		}
		open[tid] = append(open[tid], len(calls))
		calls = append(calls, made{now, -1, tid, fmt.Sprintf("f%d", len(calls)%50)})
		want = append(want, fmt.Sprintf("%d thread-%d >%s", now, tid+1, calls[len(calls)-1].name))
	}
	byEnd := func(a, b made) int { return cmp.Compare(a.end, b.end) }
	for name, order := range map[string]func(){
		"by begin": func() {}, "by end": func() { slices.SortFunc(calls, byEnd) }, "backwards": func() { slices.Reverse(calls) },
		"shuffled": func() { r.Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] }) },
	} {
		order()
		var whole, marks strings.Builder
		for _, c := range calls {
			fmt.Fprintf(&whole, `,{"ph":"X","name":%q,"pid":1,"tid":%d,"ts":%d,"dur":%d}`, c.name, c.tid+1, c.begin, c.end-c.begin)
			fmt.Fprintf(&marks, `,{"ph":"E","pid":1,"tid":%d,"ts":%d},{"ph":"B","name":%q,"pid":1,"tid":%d,"ts":%d}`, c.tid+1, c.end, c.name, c.tid+1, c.begin)
		}
		for form, text := range map[string]string{"whole": whole.String(), "marks": marks.String()} {
			got := formattest.Read(t, "["+text[1:]+"]", "chrome", kind.Config{})
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: %d events, want %d", name, form, len(got), len(want))
			}
		}
	}
}
