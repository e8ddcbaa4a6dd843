package format_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format/internal/folded"
	"artifice/format/internal/kind"
	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/trace/calltree"
)

// seedsOfSums adds events in the encoding of eventsOf, with and without decreasing times, and names
// of a method.
func seedsOfSums(f *testing.F) {
	f.Add([]byte{0, 0, 10, 0, 1, 20, 2, 1, 5, 2, 0, 1}, false, "")
	f.Add([]byte{2, 0, 10, 0, 0, 200, 1, 2, 5, 3, 1, 1, 0, 1, 255, 5, 0, 0}, true, "a;b\n \"\\u0000<&")
	f.Add([]byte{0, 0, 3, 4, 1, 4, 0, 1, 9, 1, 1, 9, 4, 0, 30, 1, 0, 2}, false, "\xff\x00\t 12")
	f.Add([]byte{1, 0, 3, 1, 1, 4, 0, 1, 9, 1, 1, 9, 4, 0, 30, 1, 0, 2}, false, "")
}

// recordingOf returns the recording of the example. Its second method has the given name, unless
// empty.
func recordingOf(name string) *trace.Recording {
	rec := testdata.ExampleRecording()
	if name != "" {
		rec.Symbols.Methods[1].Class, rec.Symbols.Methods[1].Name = name, name
		rec.Symbols.Threads[0].Name = name
	}
	return rec
}

// sums are times by thread and stack.
type sums map[string]time.Duration

// add adds a time unless it is 0. A stack that contains the name hostile, which formats may change,
// is represented by its depth.
func (s sums) add(tid uint32, frames []string, hostile string, d time.Duration) {
	key := fmt.Sprint(tid, " ", strings.Join(frames, ";"))
	if hostile != "" {
		key = fmt.Sprint(tid, " ", len(frames))
	}
	if s[key] += d; s[key] == 0 {
		delete(s, key)
	}
}

// referenceSums sums the times between the events of each thread by stack. Before a thread's first
// event, its stack consists of the calls that began before the trace.
func referenceSums(symbols *trace.Symbols, events []trace.Event, open map[trace.ThreadID][]string, hostile string, byCPU bool) sums {
	all := sums{}
	last := map[trace.ThreadID]trace.Event{}
	if open == nil {
		open = map[trace.ThreadID][]string{}
	}
	for _, e := range events {
		before, ok := last[e.Thread]
		stack := open[e.Thread]
		if ok && len(stack) > 0 {
			d := e.Wall - before.Wall
			if byCPU {
				d = e.CPU - before.CPU
			}
			all.add(symbols.Thread(e.Thread).TID, stack, hostile, d)
		}
		last[e.Thread] = e
		if e.Action == trace.Enter {
			open[e.Thread] = append(stack[:len(stack):len(stack)], symbols.Method(e.Method).FullName())
		} else if len(stack) > 0 {
			open[e.Thread] = stack[:len(stack)-1]
		}
	}
	return all
}

// begunBefore returns the calls of each thread that have an exit only. The one that ends last is
// outermost.
func begunBefore(symbols *trace.Symbols, events []trace.Event) map[trace.ThreadID][]string {
	begun, depth := map[trace.ThreadID][]string{}, map[trace.ThreadID]int{}
	for _, e := range events {
		switch {
		case e.Action == trace.Enter:
			depth[e.Thread]++
		case depth[e.Thread] > 0:
			depth[e.Thread]--
		default:
			begun[e.Thread] = append([]string{symbols.Method(e.Method).FullName()}, begun[e.Thread]...)
		}
	}
	return begun
}

// untilLastEvent ends open frames at the last event of their thread, as [referenceSums] does.
var untilLastEvent = kind.WriteOptions{Until: calltree.UntilLastEvent}

// FuzzFolded checks that every line is a stack and a number, and that the numbers of a stack sum to
// its time.
func FuzzFolded(f *testing.F) {
	seedsOfSums(f)
	f.Fuzz(func(t *testing.T, in []byte, back bool, name string) {
		rec := recordingOf(name)
		events := eventsOf(in, rec.Symbols, back)
		data, _ := viewerFile(t, "folded", rec, events, folded.Options{Unit: time.Nanosecond}, untilLastEvent)
		text := string(data)
		got := sums{}
		for line := range strings.Lines(text) {
			if line == "# no stacks\n" || line == "# wall;ns 0\n" && text[:len(line)] == line {
				continue
			}
			stack, count, ok := cutLast(strings.TrimSuffix(line, "\n"), " ")
			n, err := strconv.ParseInt(count, 10, 64)
			if !ok || err != nil || n <= 0 || !strings.HasSuffix(line, "\n") {
				t.Fatalf("line %q", line)
			}
			if stack != "(toplevel)" {
				got.add(0, strings.Split(stack, ";"), name, time.Duration(n))
			}
		}
		if back {
			return
		}
		want := referenceSums(withoutTIDs(rec.Symbols), events, begunBefore(rec.Symbols, events), name, false)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// withoutTIDs returns symbols with a tid of 0 for all threads.
func withoutTIDs(symbols *trace.Symbols) *trace.Symbols {
	return &trace.Symbols{Methods: symbols.Methods, Threads: make([]trace.Thread, len(symbols.Threads))}
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// FuzzSimpleperf checks that the samples of each stack sum to its CPU time, and that the file
// defines every symbol number.
func FuzzSimpleperf(f *testing.F) {
	seedsOfSums(f)
	f.Fuzz(func(t *testing.T, in []byte, back bool, name string) {
		rec := recordingOf(name)
		events := eventsOf(in, rec.Symbols, back)
		file, _ := viewerFile(t, "simpleperf-proto", rec, events)
		list, threads := simpleperfSamples(t, file)
		got := sums{}
		for _, s := range list {
			frames := strings.Split(s.stack, ";")
			tid, err := strconv.ParseUint(frames[0], 10, 32)
			if _, ok := threads[tid]; err != nil || !ok || s.count <= 0 || s.at < 0 {
				t.Fatalf("sample %+v, threads %v", s, threads)
			}
			if name == "" || !strings.Contains(name, ";") {
				got.add(uint32(tid), frames[1:], name, s.count)
			}
		}
		if back || strings.Contains(name, ";") {
			return
		}
		if diff := cmp.Diff(referenceSums(rec.Symbols, events, nil, name, true), got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// firefoxTables contains the tables of a thread in a processed profile, as defined by the types of
// the Firefox Profiler (src/types/profile.js) at version 48.
type firefoxTables struct {
	TID     any `json:"tid"`
	Samples struct {
		Stack          []*int
		Time, Weight   []float64
		ThreadCPUDelta []int64 `json:"threadCPUDelta"`
		Length         int
	}
	StackTable struct {
		Frame  []int
		Prefix []*int
		Length int
	}
	FrameTable struct {
		Func   []int
		Length int
	}
	FuncTable struct {
		Name   []int
		Length int
	}
	StringArray []string
}

// check checks that columns have the stated length, that every index exists, that a prefix precedes
// its stack, and that times do not decrease.
func (th *firefoxTables) check(t *testing.T) {
	t.Helper()
	lengths := []struct{ want, got int }{
		{th.Samples.Length, len(th.Samples.Stack)}, {th.Samples.Length, len(th.Samples.Time)}, {th.Samples.Length, len(th.Samples.Weight)},
		{th.StackTable.Length, len(th.StackTable.Frame)}, {th.StackTable.Length, len(th.StackTable.Prefix)},
		{th.FrameTable.Length, len(th.FrameTable.Func)}, {th.FuncTable.Length, len(th.FuncTable.Name)},
	}
	for i, l := range lengths {
		if l.want != l.got {
			t.Fatalf("column %d has %d rows, want %d", i, l.got, l.want)
		}
	}
	within := func(what string, at, n int) {
		if at < 0 || at >= n {
			t.Fatalf("%s %d is out of range: %d rows", what, at, n)
		}
	}
	for _, name := range th.FuncTable.Name {
		within("string", name, len(th.StringArray))
	}
	for _, f := range th.FrameTable.Func {
		within("function", f, th.FuncTable.Length)
	}
	for i, frame := range th.StackTable.Frame {
		within("frame", frame, th.FrameTable.Length)
		if prefix := th.StackTable.Prefix[i]; prefix != nil {
			within("prefix", *prefix, i)
		}
	}
	for i, stack := range th.Samples.Stack {
		if stack != nil {
			within("stack", *stack, th.StackTable.Length)
		}
		if i > 0 && th.Samples.Time[i] < th.Samples.Time[i-1] || th.Samples.Weight[i] < 0 {
			t.Fatalf("sample %d: time %v, weight %v", i, th.Samples.Time[i], th.Samples.Weight[i])
		}
	}
}

// frames returns the names of a stack, outermost first.
func (th *firefoxTables) frames(stack *int) (names []string) {
	if stack == nil {
		return nil
	}
	name := th.StringArray[th.FuncTable.Name[th.FrameTable.Func[th.StackTable.Frame[*stack]]]]
	return append(th.frames(th.StackTable.Prefix[*stack]), name)
}

// FuzzFirefox checks that the tables of every thread are consistent, and that the weights of a
// stack sum to its time.
func FuzzFirefox(f *testing.F) {
	seedsOfSums(f)
	f.Fuzz(func(t *testing.T, in []byte, back bool, name string) {
		rec := recordingOf(name)
		events := eventsOf(in, rec.Symbols, back)
		file, _ := viewerFile(t, "firefox", rec, events, untilLastEvent)
		var doc struct{ Threads []firefoxTables }
		if err := json.Unmarshal(file, &doc); err != nil {
			t.Fatal(err)
		}
		got := sums{}
		for i := range doc.Threads {
			th := &doc.Threads[i]
			th.check(t)
			tid, err := strconv.ParseUint(fmt.Sprint(th.TID), 10, 32)
			if err != nil {
				t.Fatal(err)
			}
			for i, stack := range th.Samples.Stack {
				if frames := th.frames(stack); frames != nil {
					got.add(uint32(tid), frames, name, time.Duration(math.Round(th.Samples.Weight[i]*1e6)))
				}
			}
		}
		if back {
			return
		}
		if want := referenceSums(rec.Symbols, events, nil, name, false); !maps.Equal(want, got) {
			t.Errorf("(-want +got)\n%s", cmp.Diff(want, got))
		}
	})
}
