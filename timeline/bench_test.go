package timeline_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"artifice/format/registry"
	"artifice/internal/testdata"
	"artifice/reader"
	"artifice/timeline"
	"artifice/trace"
	"artifice/writer"
)

// BenchmarkRead reads a real trace, ten times over in a row, in every format of this
// package: as package writer writes it, and what that does not write as the comments of
// the formats describe it.
func BenchmarkRead(b *testing.B) {
	in, err := reader.Open(testdata.Path(b, "traces", "instrumented-art-file.trace"), reader.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	var all trace.Buffer
	if _, err := trace.Copy(&all, in.Events); err != nil {
		b.Fatal(err)
	}
	events := closed(testdata.Repeat(all.Events, 10))
	for _, f := range []struct {
		name, format string
		write        func(testing.TB, *trace.Recording, []trace.Event) []byte
	}{
		{"perfetto", "perfetto", written("perfetto")},
		{"chrome", "chrome", written("chrome")},
		{"chrome-calls", "chrome", chromeCalls},
		{"ftrace", "ftrace", written("ftrace")},
		{"atrace", "ftrace", written("atrace")},
		{"rhea", "rhea", rheaMarks},
		{"nanoscope", "nanoscope", nanoscopeLines},
		{"btrace", "btrace", btraceRecords},
		{"matrix", "matrix", matrixItems},
		{"matrix-buffer", "matrix-buffer", matrixRing},
	} {
		b.Run(f.name, func(b *testing.B) { benchmarkRead(b, f.format, f.write(b, &in.Recording, events)) })
	}
}

// benchmarkRead reads a file to its events.
func benchmarkRead(b *testing.B, name string, file []byte) {
	f := format(b, file)
	if f.Name != name {
		b.Fatalf("taken for %s, want %s", f.Name, name)
	}
	events := int64(0)
	for b.Loop() {
		rec, err := timeline.Read(bytes.NewReader(file), name, -1, f, timeline.Config{})
		if err != nil {
			b.Fatal(err)
		}
		n, err := trace.Copy(trace.Discard, rec.Events)
		rec.Close()
		if err != nil {
			b.Fatal(err)
		}
		events += n
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
}

// written returns a function that writes a recording's events as package writer does.
func written(name string) func(testing.TB, *trace.Recording, []trace.Event) []byte {
	return func(t testing.TB, rec *trace.Recording, events []trace.Event) []byte {
		var file bytes.Buffer
		w, err := registry.ByName(name).Write(&file, rec, writer.Options{})
		if err == nil {
			err = errors.Join(w.WriteEvents(events), w.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		return file.Bytes()
	}
}

// eachCall calls use with the enter and the exit of each call, in the order of their ends.
func eachCall(events []trace.Event, use func(begin, end trace.Event)) {
	open := map[trace.ThreadID][]trace.Event{}
	for _, e := range events {
		stack := open[e.Thread]
		if e.Action == trace.Enter {
			open[e.Thread] = append(stack, e)
			continue
		}
		use(stack[len(stack)-1], e)
		open[e.Thread] = stack[:len(stack)-1]
	}
}

// chromeCalls has an event for each call, in the order of their ends.
func chromeCalls(_ testing.TB, rec *trace.Recording, events []trace.Event) []byte {
	file := []byte("[\n")
	eachCall(events, func(begin, e trace.Event) {
		file = fmt.Appendf(file, `{"name":%q,"cat":"java","ph":"X","ts":%.3f,"dur":%.3f,"pid":%d,"tid":%d},`+"\n", rec.Symbols.Method(e.Method).FullName(),
			float64(begin.Wall)/1000, float64(e.Wall-begin.Wall)/1000, rec.Info.PID, rec.Symbols.Thread(e.Thread).TID)
	})
	return append(bytes.TrimSuffix(file, []byte(",\n")), "]\n"...)
}

// rheaMarks has a mark of RheaTrace 1 for each event.
func rheaMarks(_ testing.TB, rec *trace.Recording, events []trace.Event) []byte {
	file := fmt.Appendf(nil, "1|TRACE_START|0|%d|2147483647|2|x\n", rec.Info.PID)
	for _, e := range events {
		file = fmt.Appendf(file, "%d.%06d %d: B|%d|%c:%s\n", e.Wall/1e9, e.Wall%1e9/1e3, rec.Symbols.Thread(e.Thread).TID, rec.Info.PID, "BE"[e.Action&1], rec.Symbols.Method(e.Method).FullName())
	}
	return file
}

// longest returns the events of the thread that has most.
func longest(events []trace.Event) (of []trace.Event) {
	byThread := map[trace.ThreadID][]trace.Event{}
	for _, e := range events {
		byThread[e.Thread] = append(byThread[e.Thread], e)
		if len(byThread[e.Thread]) > len(of) {
			of = byThread[e.Thread]
		}
	}
	return of
}

// nanoscopeLines has a line for each event of a thread.
func nanoscopeLines(_ testing.TB, rec *trace.Recording, events []trace.Event) (file []byte) {
	for _, e := range longest(events) {
		if e.Action != trace.Enter {
			file = fmt.Appendf(file, "%d:POP\n", e.Wall)
			continue
		}
		m := rec.Symbols.Method(e.Method)
		file = fmt.Appendf(file, "%d:void %s.%s()\n", e.Wall, m.Class, m.Name)
	}
	return file
}

// btraceRecords has a record for each call, in the order of their ends.
func btraceRecords(_ testing.TB, rec *trace.Recording, events []trace.Event) []byte {
	var calls []btraceCall
	eachCall(events, func(begin, e trace.Event) {
		calls = append(calls, btraceCall{uint64(begin.Wall), uint64(e.Wall - begin.Wall), uint64(rec.Symbols.Thread(e.Thread).TID), uint64(e.Method)})
	})
	return btraceFile(calls...)
}

// matrixItems has a line for each call of a thread.
func matrixItems(_ testing.TB, _ *trace.Recording, events []trace.Event) (file []byte) {
	type item struct {
		depth int
		trace.Event
	}
	var items []item
	var open []int
	for _, e := range longest(events) {
		if e.Action == trace.Enter {
			items = append(items, item{len(open), e})
			open = append(open, len(items)-1)
			continue
		}
		last := len(open) - 1
		items[open[last]].Wall = e.Wall - items[open[last]].Wall
		open = open[:last]
	}
	for _, i := range items {
		file = fmt.Appendf(file, "%d,%d,1,%d\n", i.depth, i.Method, i.Wall.Milliseconds())
	}
	return file
}

// matrixRing has a word for each event of a thread, within one message.
func matrixRing(_ testing.TB, _ *trace.Recording, events []trace.Event) []byte {
	one := longest(events)
	words := []uint64{in(dispatch, uint64(one[0].Wall.Milliseconds()))}
	for _, e := range one {
		word := out(uint64(e.Method), uint64(e.Wall.Milliseconds()))
		if e.Action == trace.Enter {
			word |= 1 << 63
		}
		words = append(words, word)
	}
	return matrixBuffer(binary.LittleEndian, words...)
}
