package firefox

import (
	"fmt"
	"time"

	"artifice/internal/encode"
	"artifice/trace"
	"artifice/trace/calltree"
)

// writtenThread is a thread of a profile.
type writtenThread struct {
	*writer
	contexts *calltree.Contexts
	counts   bool // weights are numbers of samples
	cpu      bool // rows have CPU times

	next    sampleRow     // the incomplete row, for the instant of the latest event
	began   bool          // next is set
	lastCPU time.Duration // the CPU time at the previous row
	columns sampleColumns

	numbers []int32 // by context: 1 + its index in the stack table; 0 if it is not in the table
	stacks  []calltree.Node
	missing []calltree.Node // reused
	frames  encode.FrameTable
}

// sampleRow is a sample.
type sampleRow struct {
	node   calltree.Node
	at     time.Duration
	weight int64         // ns until the next sample, or samples
	cpu    time.Duration // since the sample before
}

// addSamples adds the samples of a thread of stack dumps, and the end of the last one.
func (t *writtenThread) addSamples(id trace.ThreadID) error {
	rows := t.samples.Of(id)
	cpu := rows[0].CPU
	for i, s := range rows {
		if err := t.add(&sampleRow{node: s.Node, at: s.At, weight: t.samples.Weight(id, i), cpu: s.CPU - cpu}); err != nil {
			return err
		}
		cpu = s.CPU
	}
	end := t.samples.Ends[id]
	if t.counts {
		return nil
	}
	return t.add(&sampleRow{node: end.Node, at: end.At, cpu: end.CPU - cpu})
}

// change processes an event. A row contains the stack after the last event of an instant.
func (t *writtenThread) change(e *trace.Event) error {
	at := e.Time(t.Rec.Info.Clock)
	if !t.began {
		t.began, t.next.node, t.lastCPU = true, t.contexts.AddRoot(0), e.CPU
	} else if at != t.next.at {
		t.next.weight = int64(at - t.next.at)
		if err := t.add(&t.next); err != nil {
			return err
		}
		t.next.cpu = 0
	}
	t.next.at = at
	t.next.cpu += e.CPU - t.lastCPU
	t.lastCPU = e.CPU
	t.next.node, _ = t.contexts.Apply(t.next.node, e)
	return nil
}

// add appends a row to the columns, each value with a comma after it.
func (t *writtenThread) add(row *sampleRow) error {
	err := t.columns.begin(t.each, t.wait)
	latest := &t.columns.latest
	latest[0] = append(t.appendStack(latest[0], row.node), ',')
	latest[1] = append(encode.AppendMillis(latest[1], row.at), ',')
	if t.counts {
		latest[2] = append(encode.AppendInt(latest[2], row.weight), ',')
	} else {
		latest[2] = append(encode.AppendMillis(latest[2], time.Duration(row.weight)), ',')
	}
	if t.cpu {
		latest[3] = append(encode.AppendInt(latest[3], int64(row.cpu)), ',')
	}
	return err
}

// write writes the thread.
func (t *writtenThread) write(id trace.ThreadID) error {
	t.frames.Symbols = t.Rec.Symbols
	thread := t.Rec.Symbols.Thread(id)
	t.text = append(t.text[:0], "\n{\"name\":"...)
	t.text = encode.AppendJSON(t.text, thread.String())
	t.text = fmt.Appendf(t.text, `,"isMainThread":%t,"processType":"default","processStartupTime":0,"processShutdownTime":null,`+
		`"registerTime":0,"unregisterTime":null,"pausedRanges":[],"pid":"%d","tid":%d,"samples":{`,
		id == 0, encode.ProcessID(t.Rec), thread.TID)
	t.w.Write(t.text)
	if err := t.writeSamples(); err != nil {
		return err
	}
	t.writeStacks()
	t.writeFrames()
	_, err := t.w.WriteString(`"markers":{"length":0,"category":[],"data":[],"endTime":[],"name":[],"phase":[],"startTime":[]}}`)
	return err
}

// writeSamples writes the columns of the samples.
func (t *writtenThread) writeSamples() error {
	names, weights := columnNames[:], "tracing-ms"
	if !t.cpu {
		names = names[:3]
	}
	if t.counts {
		weights = "samples"
	}
	for i, name := range names {
		fmt.Fprintf(t.w, "\n%q:[", name)
		if err := t.columns.copyTo(t.w, i, t.wait); err != nil {
			return err
		}
		t.w.WriteString("],")
	}
	fmt.Fprintf(t.w, `"weightType":%q,"length":%d},`, weights, t.columns.rows)
	return nil
}

// appendStack appends the index of a context's stack, or null if the context has no frame.
func (t *writtenThread) appendStack(b []byte, n calltree.Node) []byte {
	if i := t.stack(n); i > 0 {
		return encode.AppendInt(b, int64(i-1))
	}
	return append(b, "null"...)
}

// stack returns 1 + the index of a context's stack, which is above the indexes of its callers; 0
// for no stack.
func (t *writtenThread) stack(n calltree.Node) int32 {
	if int(n) < len(t.numbers) && t.numbers[n] > 0 {
		return t.numbers[n]
	}
	return t.addStack(n)
}

// addStack assigns the next indexes to a context's stack and to those of its callers.
func (t *writtenThread) addStack(n calltree.Node) int32 {
	if int(n) >= len(t.numbers) {
		t.numbers = append(t.numbers, make([]int32, max(t.contexts.Len(), int(n)+1)-len(t.numbers))...)
	}
	missing := t.missing[:0]
	for at := n; !t.contexts.IsRoot(at) && t.numbers[at] == 0; at = t.contexts.Parent(at) {
		missing = append(missing, at)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		t.stacks = append(t.stacks, missing[i])
		t.numbers[missing[i]] = int32(len(t.stacks))
	}
	t.missing = missing
	return t.numbers[n]
}

// writeStacks writes the stack table. Every stack has the category Other.
func (t *writtenThread) writeStacks() {
	t.w.WriteString("\n\"stackTable\":{")
	t.column("frame", len(t.stacks), func(b []byte, i int) []byte {
		return encode.AppendInt(b, int64(t.frames.Number(t.contexts.Method(t.stacks[i]))))
	})
	t.column("prefix", len(t.stacks), func(b []byte, i int) []byte {
		return t.appendStack(b, t.contexts.Parent(t.stacks[i]))
	})
	t.constant("category", len(t.stacks), "0")
	t.constant("subcategory", len(t.stacks), "0")
	fmt.Fprintf(t.w, `"length":%d},`, len(t.stacks))
}

// writeFrames writes the frames, the functions and their names. Each method has one frame, one
// function and one name, all with the method's number.
func (t *writtenThread) writeFrames() {
	n := len(t.frames.Used)
	same := func(b []byte, i int) []byte { return encode.AppendInt(b, int64(i)) }
	method := func(i int) *trace.Method { return t.frames.Method(t.frames.Used[i]) }
	t.w.WriteString("\n\"frameTable\":{")
	t.column("func", n, same)
	t.constant("address", n, "-1")
	t.constant("inlineDepth", n, "0")
	for _, name := range []string{"category", "subcategory", "nativeSymbol", "innerWindowID", "implementation", "line", "column"} {
		t.constant(name, n, "null")
	}
	fmt.Fprintf(t.w, "\"length\":%d},\n\"funcTable\":{", n)
	t.column("name", n, same)
	t.constant("isJS", n, "false")
	t.constant("relevantForJS", n, "false")
	t.constant("resource", n, "-1")
	files := 0
	t.column("fileName", n, func(b []byte, i int) []byte {
		if method(i).File == "" {
			return append(b, "null"...)
		}
		files++
		return encode.AppendInt(b, int64(n+files-1))
	})
	t.column("lineNumber", n, func(b []byte, i int) []byte {
		if line := method(i).Line; line > 0 {
			return encode.AppendInt(b, int64(line))
		}
		return append(b, "null"...)
	})
	t.constant("columnNumber", n, "null")
	fmt.Fprintf(t.w, "\"length\":%d},\n\"stringArray\":[", n)
	separator := "\n"
	add := func(s string) {
		t.text = encode.AppendJSON(append(t.text[:0], separator...), s)
		separator = ",\n"
		t.w.Write(t.text)
	}
	for i := range n {
		add(method(i).FullName())
	}
	for i := range n {
		if file := method(i).File; file != "" {
			add(file)
		}
	}
	t.w.WriteString("],\n" + `"resourceTable":{"length":0,"lib":[],"name":[],"host":[],"type":[]},` +
		`"nativeSymbols":{"length":0,"address":[],"functionSize":[],"libIndex":[],"name":[]},` + "\n")
}

// column writes a column of n numbers.
func (t *writtenThread) column(name string, n int, value func(b []byte, i int) []byte) {
	fmt.Fprintf(t.w, "%q:[", name)
	for i := range n {
		t.text = t.text[:0]
		if i > 0 {
			t.text = append(t.text, ',')
		}
		t.text = value(t.text, i)
		t.w.Write(t.text)
	}
	t.w.WriteString("],\n")
}

// constant writes a column of n equal values.
func (t *writtenThread) constant(name string, n int, value string) {
	t.column(name, n, func(b []byte, _ int) []byte { return append(b, value...) })
}
