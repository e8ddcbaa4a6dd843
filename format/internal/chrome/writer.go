package chrome

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"time"

	"artifice/internal/encode"
	"artifice/trace"
	"artifice/trace/calltree"
)

// writer is a Writer of Chrome's trace event format, in its form of an object: a
// complete event (X) for every call, in the order in which they end, and metadata for the
// names of threads. The Firefox Profiler shows such an event once, but both a begin and an
// end (B, E) of a call.
//
// Times are microseconds since the start with all decimals of the recording; with
// a dual clock tts and tdur are the thread's CPU time. Within a thread no two stamps are
// equal: a stamp that is not later than the one before it becomes a nanosecond later, because
// viewers choose their own order for events of one instant, and speedscope and
// Catapult then nest calls wrongly.
//
// It streams, and keeps only the open calls in memory.
type writer struct {
	encode.Nested
	w       *bufio.Writer
	opened  bool
	names   encode.MethodTexts // the text of an event up to and including the method's name
	threads []openThread
}

// openThread is a thread with its open calls.
type openThread struct {
	ids  []byte // the text of its lines between name and time
	last time.Duration
	open []callStart
}

// callStart is when a call began.
type callStart struct{ at, cpu time.Duration }

func newWriter(w io.Writer, rec *trace.Recording, until calltree.EndPolicy) *writer {
	c := &writer{
		w: bufio.NewWriterSize(w, 1<<16),
		names: encode.MethodTexts{Symbols: rec.Symbols, Make: func(m *trace.Method) []byte {
			return encode.AppendJSON([]byte(`,`+"\n"+`{"ph":"X","name":`), m.FullName())
		}},
	}
	c.Nested = encode.Nested{Rec: rec, Until: until, To: c, ForPerfetto: true}
	return c
}

// open writes the text before the events. It always names the process, because
// speedscope and the Firefox Profiler do not open a file without an event.
func (c *writer) open() {
	if !c.opened {
		c.opened = true
		fmt.Fprintf(c.w, `{"displayTimeUnit":"ns","traceEvents":[`+"\n"+`{"ph":"M","name":"process_name","pid":%d,"tid":0,"args":{"name":"app"}}`, encode.ProcessID(c.Rec))
	}
}

// BeginThread implements [encode.Timeline]: it writes the name of a thread.
func (c *writer) BeginThread(id trace.ThreadID) error {
	c.open()
	t := c.Rec.Symbols.Thread(id)
	for int(id) >= len(c.threads) {
		c.threads = append(c.threads, openThread{})
	}
	ids := fmt.Sprintf(`,"pid":%d,"tid":%d,`, encode.ProcessID(c.Rec), t.TID)
	c.threads[id] = openThread{ids: []byte(ids + `"ts":`), last: math.MinInt64}
	_, err := fmt.Fprintf(c.w, ",\n"+`{"ph":"M","name":"thread_name"%s"args":{"name":%s}}`, ids, encode.AppendJSON(nil, t.String()))
	return err
}

// Event implements [encode.Timeline]. It stores the begin of a call, and writes the call at its
// end.
func (c *writer) Event(e *trace.Event) error {
	t := &c.threads[e.Thread]
	at := max(e.Time(c.Rec.Info.Clock), t.last+1)
	t.last = at
	if e.Action == trace.Enter {
		t.open = append(t.open, callStart{at, e.CPU})
		return nil
	}
	begin := t.open[len(t.open)-1] // the stack is not empty, because the events are nested
	t.open = t.open[:len(t.open)-1]
	b := append(c.w.AvailableBuffer(), c.names.Of(e.Method)...)
	b = encode.AppendMicros(append(b, t.ids...), begin.at)
	b = encode.AppendMicros(append(b, `,"dur":`...), at-begin.at)
	if c.Rec.Info.Clock == trace.Dual {
		b = encode.AppendMicros(append(b, `,"tts":`...), begin.cpu)
		b = encode.AppendMicros(append(b, `,"tdur":`...), e.CPU-begin.cpu)
	}
	_, err := c.w.Write(append(b, '}'))
	return err
}

// Close closes the frames that are open and completes the file.
func (c *writer) Close() error {
	if err := c.Finish(); err != nil {
		return fmt.Errorf("chrome: %w", err)
	}
	c.open()
	c.w.WriteString("\n]}\n")
	return c.w.Flush()
}
