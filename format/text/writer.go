package text

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"time"

	"artifice/internal/encode"
	"artifice/trace"
)

// Writer writes the text format. It prints symbols when they appear, so that a streaming source can
// be written while it is read.
type Writer struct {
	w       *bufio.Writer
	clock   trace.Clock
	symbols *trace.Symbols
	info    *trace.Info
	said    map[string]string // info lines printed
	threads []string          // text for each thread in events: TID or TID#n
	ends    []time.Duration   // the end of each thread as printed
	methods []string          // text for each method in events, escaped, with its #n
	tids    map[uint32]int
	texts   map[string]int
}

// NewWriter returns a writer of rec as text to w, and writes the lines of rec.Info and of rec's
// current symbols. Close flushes; WriteEvents and Close return errors of w.
func NewWriter(w io.Writer, rec *trace.Recording) *Writer {
	t := &Writer{
		w: bufio.NewWriterSize(w, 1<<16), clock: rec.Info.Clock, symbols: rec.Symbols,
		info: &rec.Info, said: map[string]string{},
		tids: map[uint32]int{}, texts: map[string]int{},
	}
	t.w.WriteString(textHeader)
	t.writeInfo()
	t.writeSymbols()
	return t
}

// WriteEvents implements [trace.Writer].
func (t *Writer) WriteEvents(p []trace.Event) error {
	t.writeSymbols()
	for i := range p {
		e := &p[i]
		b := appendTime(t.w.AvailableBuffer(), e.Wall, t.clock.HasWall())
		b = append(appendTime(append(b, ' '), e.CPU, t.clock.HasCPU()), ' ')
		b = append(append(b, t.threads[e.Thread]...), ' ')
		b = append(append(b, e.Action.String()...), ' ')
		b = append(b, t.methods[e.Method]...)
		if e.Site != 0 && e.Action == trace.Enter {
			b = encode.AppendUint(append(b, siteMark...), uint64(e.Site))
		}
		if _, err := t.w.Write(append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// Close writes the symbols that no event used and the properties that a streaming source set at its
// end. Then it flushes.
func (t *Writer) Close() error {
	t.writeSymbols()
	for i, tid := range t.threads {
		if state := t.symbols.Thread(trace.ThreadID(i)).AtStop; state != trace.NotStated {
			fmt.Fprintf(t.w, "stop\t%s\t%s\n", tid, state)
		}
	}
	t.writeInfo()
	return t.w.Flush()
}

func appendTime(b []byte, d time.Duration, present bool) []byte {
	if !present {
		return append(b, '-')
	}
	return encode.AppendInt(b, int64(d))
}

// writeInfo prints the info lines that differ from those printed before.
func (t *Writer) writeInfo() {
	for _, f := range infoFields(t.info) {
		if v := f.value.String(); v != "" && v != t.said[f.key] {
			fmt.Fprintf(t.w, "info\t%s\t%s\n", f.key, v)
			t.said[f.key] = v
		}
	}
}

// writeSymbols prints the symbols added since its last call.
func (t *Writer) writeSymbols() {
	for i, end := range t.ends {
		if th := t.symbols.Thread(trace.ThreadID(i)); th.End != end {
			fmt.Fprintf(t.w, "end\t%s\t%d\n", t.threads[i], th.End)
			t.ends[i] = th.End
		}
	}
	for _, th := range t.symbols.Threads[len(t.threads):] {
		tid := strconv.FormatUint(uint64(th.TID), 10)
		t.tids[th.TID]++
		t.threads = append(t.threads, tid+nth("#", t.tids[th.TID]))
		t.ends = append(t.ends, th.End)
		t.writeThread(tid, &th)
	}
	for i := len(t.methods); i < len(t.symbols.Methods); i++ {
		m := &t.symbols.Methods[i]
		text := escape(m.String())
		t.texts[text]++
		t.methods = append(t.methods, text+nth("\t#", t.texts[text]))
		t.writeMethod(m)
	}
}

func (t *Writer) writeThread(tid string, th *trace.Thread) {
	fmt.Fprintf(t.w, "thread\t%s", tid)
	if !th.Unlisted {
		fmt.Fprintf(t.w, "\t%s", escape(th.Name))
	}
	if th.Start != 0 || th.End != 0 || th.Open != 0 {
		fmt.Fprintf(t.w, "\t%d\t%d\t%d", th.Start, th.End, th.Open)
	}
	t.w.WriteByte('\n')
}

func (t *Writer) writeMethod(m *trace.Method) {
	if m.Unlisted {
		fmt.Fprintf(t.w, "method\t0x%x\n", m.ID)
		return
	}
	line := m.Line
	if line == 0 {
		line = -1
	}
	fmt.Fprintf(t.w, "method\t0x%x\t%s\t%s\t%s\t%s\t%d", m.ID, escape(m.Class), escape(m.Name),
		escape(m.Signature), escape(m.File), line)
	if traits := traits(m); traits != "" {
		fmt.Fprintf(t.w, "\t%s", traits)
	}
	t.w.WriteByte('\n')
}

// nth returns the suffix of the n-th symbol with the same name.
func nth(mark string, n int) string {
	if n < 2 {
		return ""
	}
	return mark + strconv.Itoa(n)
}
