package writer

import (
	"bufio"
	"fmt"
	"io"

	"artifice/calltree"
	"artifice/trace"
)

var chromeFormat = Format{
	Name: "chrome", Description: "Chrome JSON: begin and end events, for chrome://tracing, Perfetto and many others", Endings: []string{".json"}, Until: true,
	Open: func(w io.Writer, rec *trace.Recording, o Options) (Writer, error) {
		return newChrome(w, rec, o.Until), nil
	},
}

// chrome is a Writer of Chrome's trace event format, in its form of an object: a
// duration event (B, E) for every enter and exit, and metadata for the names of
// threads. Times are microseconds since the start with as many decimals as the
// recording has; with a dual clock tts is the thread's CPU time. It streams.
type chrome struct {
	nested
	w       *bufio.Writer
	pid     int64       // 0 before the first line
	begins  methodTexts // the beginning of the line of a begin
	ends    methodTexts // and of an end
	threads [][]byte    // by thread: what its lines have up to the time
}

func newChrome(w io.Writer, rec *trace.Recording, until calltree.EndPolicy) *chrome {
	c := &chrome{
		w:      bufio.NewWriterSize(w, 1<<16),
		begins: methodTexts{symbols: rec.Symbols, make: func(m *trace.Method) []byte { return chromeLine("B", m) }},
		ends:   methodTexts{symbols: rec.Symbols, make: func(m *trace.Method) []byte { return chromeLine("E", m) }},
	}
	c.nested = nested{rec: rec, until: until, begin: c.thread, event: c.slice}
	return c
}

// chromeLine returns the beginning of the line of an event of a method. The name of an
// end may be left out (Trace Event Format, Duration Events), but speedscope then takes
// the end for another call's and drops it.
func chromeLine(phase string, m *trace.Method) []byte {
	return appendJSON([]byte(",\n{\"ph\":\""+phase+"\",\"name\":"), m.FullName())
}

// open writes what stands in front of the events.
func (c *chrome) open() {
	c.pid = int64(processID(c.rec))
	c.w.WriteString(`{"displayTimeUnit":"ns","traceEvents":[`)
}

// thread writes the name of a thread.
func (c *chrome) thread(id trace.ThreadID) error {
	separator := ","
	if c.pid == 0 {
		c.open()
		separator = ""
	}
	t := c.rec.Symbols.Thread(id)
	for int(id) >= len(c.threads) {
		c.threads = append(c.threads, nil)
	}
	ids := fmt.Sprintf(`,"pid":%d,"tid":%d,`, c.pid, t.TID)
	c.threads[id] = []byte(ids + `"ts":`)
	_, err := fmt.Fprintf(c.w, "%s\n"+`{"ph":"M","name":"thread_name"%s"args":{"name":%s}}`, separator, ids, appendJSON(nil, t.String()))
	return err
}

// slice writes the begin or end of a call.
func (c *chrome) slice(e *trace.Event) error {
	line := &c.begins
	if e.Action != trace.Enter {
		line = &c.ends
	}
	b := append(c.w.AvailableBuffer(), line.of(e.Method)...)
	b = append(b, c.threads[e.Thread]...)
	b = appendMicros(b, e.Time(c.rec.Info.Clock))
	if c.rec.Info.Clock == trace.Dual {
		b = append(b, `,"tts":`...)
		b = appendMicros(b, e.CPU)
	}
	_, err := c.w.Write(append(b, '}'))
	return err
}

// Close closes the frames that are open and completes the file.
func (c *chrome) Close() error {
	if err := c.finish(); err != nil {
		return fmt.Errorf("chrome: %w", err)
	}
	if c.pid == 0 {
		c.open()
		c.w.WriteByte('\n')
	}
	c.w.WriteString("\n]}\n")
	return c.w.Flush()
}
