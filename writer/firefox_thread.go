package writer

import (
	"fmt"
	"io"
	"time"

	"artifice/calltree"
	"artifice/internal/decimal"
	"artifice/trace"
)

// firefoxThread is a thread of a profile being written.
type firefoxThread struct {
	*firefox
	id      trace.ThreadID
	weights string // what the weights are
	cpu     bool   // whether rows have CPU times

	// rows calls row for every sample in time order.
	rows     func(row func(*firefoxRow) error) error
	contexts *calltree.Contexts
	numbers  []int32 // by context: its place in the stack table, 1 more; 0 for none
	stacks   []calltree.Node
	missing  []calltree.Node // reused
	frames   frameTable
}

// firefoxRow is a sample.
type firefoxRow struct {
	node   calltree.Node
	at     time.Duration
	weight int64         // ns until the next sample, or samples
	cpu    time.Duration // since the sample before
}

// sampleRows are the samples of stack dumps.
func (t *firefoxThread) sampleRows(row func(*firefoxRow) error) error {
	for _, s := range t.samples.of(t.id) {
		if err := row(&firefoxRow{node: s.node, at: s.at, weight: s.count}); err != nil {
			return err
		}
	}
	return nil
}

// eventRows are the stacks that events leave, each at the last event of its
// instant.
func (t *firefoxThread) eventRows(row func(*firefoxRow) error) error {
	clock := t.rec.Info.Clock
	next := firefoxRow{node: t.contexts.AddRoot(0), at: -1}
	cpu := time.Duration(-1) // of the row before
	r := t.log.Thread(t.id)
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := r.ReadEvents(batch)
		for i := range batch[:n] {
			e := &batch[i]
			at := e.Time(clock)
			if at != next.at && next.at >= 0 {
				next.weight = int64(at - next.at)
				if err := row(&next); err != nil {
					return err
				}
				next.cpu = 0
			}
			if cpu < 0 {
				cpu = e.CPU
			}
			next.at = at
			next.cpu += e.CPU - cpu
			cpu = e.CPU
			next.node, _ = t.contexts.Apply(next.node, e)
		}
		if err == nil {
			continue
		}
		if err != io.EOF {
			return err
		}
		next.weight = 0
		return row(&next)
	}
}

// write writes the thread.
func (t *firefoxThread) write() error {
	thread := t.rec.Symbols.Thread(t.id)
	t.text = append(t.text[:0], "\n{\"name\":"...)
	t.text = appendJSON(t.text, thread.String())
	t.text = fmt.Appendf(t.text, `,"isMainThread":%t,"processType":"default","processStartupTime":0,"processShutdownTime":null,`+
		`"registerTime":0,"unregisterTime":null,"pausedRanges":[],"pid":"%d","tid":%d,"samples":{`,
		t.id == 0, processID(t.rec), thread.TID)
	t.w.Write(t.text)
	if err := t.writeSamples(); err != nil {
		return err
	}
	t.writeStacks()
	t.writeFrames()
	_, err := t.w.WriteString(`"markers":{"length":0,"category":[],"data":[],"endTime":[],"name":[],"phase":[],"startTime":[]}}`)
	return err
}

// writeSamples writes the columns of the samples, in one pass over the rows.
func (t *firefoxThread) writeSamples() (err error) {
	columns := t.columns
	if !t.cpu {
		columns = columns[:3]
	}
	fmt.Fprintf(t.w, "\n%q:[", columns[0].name)
	count := 0
	err = t.rows(func(row *firefoxRow) (err error) {
		if count%firefoxFlush == 0 { // the last row's text is never flushed here
			err = columns.flush(t.w)
		}
		count++
		t.appendRow(columns, row)
		return err
	})
	if err == nil {
		columns.end()
		err = columns.flush(t.w)
	}
	for i := range columns {
		c := &columns[i]
		if c.wait != nil && err == nil {
			fmt.Fprintf(t.w, "\n%q:[", c.name)
			err = c.wait.CopyTo(t.w)
			c.wait.Reset()
		}
		t.w.WriteString("],")
	}
	fmt.Fprintf(t.w, `"weightType":%q,"length":%d},`, t.weights, count)
	return err
}

// appendRow appends what the columns have of a row, each value with a comma behind it.
func (t *firefoxThread) appendRow(columns firefoxColumns, row *firefoxRow) {
	columns[0].text = append(t.appendStack(columns[0].text, row.node), ',')
	columns[1].text = append(appendMillis(columns[1].text, row.at), ',')
	if t.weights == "samples" {
		columns[2].text = append(decimal.AppendInt(columns[2].text, row.weight), ',')
	} else {
		columns[2].text = append(appendMillis(columns[2].text, time.Duration(row.weight)), ',')
	}
	if t.cpu {
		columns[3].text = append(decimal.AppendInt(columns[3].text, int64(row.cpu)), ',')
	}
}

// appendStack appends the number of a context's stack; none is null.
func (t *firefoxThread) appendStack(b []byte, n calltree.Node) []byte {
	if i := t.stack(n); i > 0 {
		return decimal.AppendInt(b, int64(i-1))
	}
	return append(b, "null"...)
}

// stack returns 1 more than the number of a context's stack, whose callers have
// lower ones; 0 for none.
func (t *firefoxThread) stack(n calltree.Node) int32 {
	if int(n) < len(t.numbers) && t.numbers[n] > 0 {
		return t.numbers[n]
	}
	return t.addStack(n)
}

// addStack gives a context's stack, and those of its callers, the next numbers.
func (t *firefoxThread) addStack(n calltree.Node) int32 {
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
func (t *firefoxThread) writeStacks() {
	t.w.WriteString("\n\"stackTable\":{")
	t.column("frame", len(t.stacks), func(b []byte, i int) []byte {
		return decimal.AppendInt(b, int64(t.frames.number(t.contexts.Method(t.stacks[i]))))
	})
	t.column("prefix", len(t.stacks), func(b []byte, i int) []byte {
		return t.appendStack(b, t.contexts.Parent(t.stacks[i]))
	})
	t.constant("category", len(t.stacks), "0")
	t.constant("subcategory", len(t.stacks), "0")
	fmt.Fprintf(t.w, `"length":%d},`, len(t.stacks))
}

// writeFrames writes the frames, the functions and their names: one of each for a
// method, all with the method's number.
func (t *firefoxThread) writeFrames() {
	n := len(t.frames.used)
	same := func(b []byte, i int) []byte { return decimal.AppendInt(b, int64(i)) }
	method := func(i int) *trace.Method { return t.frames.method(t.frames.used[i]) }
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
		return decimal.AppendInt(b, int64(n+files-1))
	})
	t.column("lineNumber", n, func(b []byte, i int) []byte {
		if line := method(i).Line; line > 0 {
			return decimal.AppendInt(b, int64(line))
		}
		return append(b, "null"...)
	})
	t.constant("columnNumber", n, "null")
	fmt.Fprintf(t.w, "\"length\":%d},\n\"stringArray\":[", n)
	separator := "\n"
	add := func(s string) {
		t.text = appendJSON(append(t.text[:0], separator...), s)
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
func (t *firefoxThread) column(name string, n int, value func(b []byte, i int) []byte) {
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
func (t *firefoxThread) constant(name string, n int, value string) {
	t.column(name, n, func(b []byte, _ int) []byte { return append(b, value...) })
}
