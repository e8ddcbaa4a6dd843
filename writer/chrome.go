package writer

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"time"

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
	w     *bufio.Writer
	pid   int64
	names jsonNames
	line  []byte
}

func newChrome(w io.Writer, rec *trace.Recording, until calltree.EndPolicy) *chrome {
	c := &chrome{w: bufio.NewWriterSize(w, 1<<16), names: jsonNames{symbols: rec.Symbols}}
	c.nested = nested{rec: rec, until: until, begin: c.thread, event: c.slice}
	return c
}

// open writes what stands in front of the events, or the comma behind one.
func (c *chrome) open() {
	if c.pid != 0 {
		c.line = append(c.line[:0], ",\n"...)
		return
	}
	c.pid = int64(processID(c.rec))
	c.line = append(c.line[:0], `{"displayTimeUnit":"ns","traceEvents":[`...)
	c.line = append(c.line, '\n')
}

// thread writes the name of a thread.
func (c *chrome) thread(id trace.ThreadID) error {
	t := c.rec.Symbols.Thread(id)
	c.open()
	c.line = append(c.line, `{"ph":"M","name":"thread_name"`...)
	c.ids(id)
	c.line = append(c.line, `,"args":{"name":`...)
	c.line = appendJSON(c.line, t.String())
	c.line = append(c.line, "}}"...)
	_, err := c.w.Write(c.line)
	return err
}

func (c *chrome) ids(id trace.ThreadID) {
	c.line = append(c.line, `,"pid":`...)
	c.line = strconv.AppendInt(c.line, c.pid, 10)
	c.line = append(c.line, `,"tid":`...)
	c.line = strconv.AppendUint(c.line, uint64(c.rec.Symbols.Thread(id).TID), 10)
}

// slice writes the begin or end of a call.
func (c *chrome) slice(e *trace.Event) error {
	c.open()
	if e.Action == trace.Enter {
		c.line = append(c.line, `{"ph":"B","name":`...)
		c.line = append(c.line, c.names.of(e.Method)...)
	} else {
		c.line = append(c.line, `{"ph":"E"`...)
	}
	c.ids(e.Thread)
	c.line = append(c.line, `,"ts":`...)
	c.line = appendUnits(c.line, time.Microsecond, e.Time(c.rec.Info.Clock))
	if c.rec.Info.Clock == trace.Dual {
		c.line = append(c.line, `,"tts":`...)
		c.line = appendUnits(c.line, time.Microsecond, e.CPU)
	}
	c.line = append(c.line, '}')
	_, err := c.w.Write(c.line)
	return err
}

// Close closes the frames that are open and completes the file.
func (c *chrome) Close() error {
	if err := c.finish(); err != nil {
		return fmt.Errorf("chrome: %w", err)
	}
	if c.pid == 0 {
		c.open()
		c.w.Write(c.line)
	}
	c.w.WriteString("\n]}\n")
	return c.w.Flush()
}
