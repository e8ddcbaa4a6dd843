package dmtracedump

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"artifice/trace"
)

// EventWriter prints each event as dmtracedump -o does: the thread, ent, xit or unr, the first
// time of the record in us, a dot for each open frame, and the method. It is a trace.Writer that
// streams: Close prints the remaining output.
type EventWriter struct {
	d     *Report // for the names and the clock
	w     *bufio.Writer
	begun bool
	depth map[uint32]int // by tid
}

// NewEventWriter returns a writer of rec's events to out. It reads rec's Info, Symbols and Source,
// but never rec.Events.
func NewEventWriter(out io.Writer, rec *trace.Recording) *EventWriter {
	return &EventWriter{d: New(rec), w: bufio.NewWriter(out), depth: map[uint32]int{}}
}

// actions are the words of actions.
var actions = [...]string{trace.Enter: "ent", trace.Exit: "xit", trace.Unwind: "unr"}

// firstDepth is the initial depth of a thread: dmtracedump reserves two frames for returns from
// methods that started the trace.
const firstDepth = 2

// WriteEvents implements [trace.Writer].
func (e *EventWriter) WriteEvents(p []trace.Event) error {
	e.begin()
	for i := range p {
		if err := e.print(&p[i]); err != nil {
			return err
		}
	}
	return nil
}

// Close prints the remaining output. It does not close out.
func (e *EventWriter) Close() error {
	e.begin()
	return e.w.Flush()
}

// begin prints the head: the version, and the threads by tid.
func (e *EventWriter) begin() {
	if e.begun {
		return
	}
	e.begun = true
	fmt.Fprintf(e.w, "VERSION: %d\n", version(e.d.rec))
	threads := slices.Clone(e.d.rec.Symbols.Threads)
	slices.SortStableFunc(threads, func(a, b trace.Thread) int { return cmp.Compare(a.TID, b.TID) })
	fmt.Fprintf(e.w, "Threads (%d):\n", len(threads))
	for _, t := range threads {
		fmt.Fprintf(e.w, "%2d %s\n", t.TID, t.Name)
	}
	fmt.Fprint(e.w, "Trace (threadID action usecs class.method signature):\n")
}

func (e *EventWriter) print(event *trace.Event) error {
	tid := e.d.rec.Symbols.Thread(event.Thread).TID
	depth, known := e.depth[tid]
	if !known {
		depth = firstDepth
	}
	if event.Action == trace.Enter {
		depth++
	}
	note := ' '
	switch {
	case depth < 0:
		note = '-'
	case depth > maxDepth:
		note = '+'
	}
	name := e.d.method(event.Method).text()
	if id := e.d.rec.Symbols.Method(event.Method); id.Unlisted {
		name = fmt.Sprintf("???.??? methodId: %#x", id.ID)
	}
	_, err := fmt.Fprintf(e.w, "%2d %s  %8d%c%s%s\n", tid, actions[event.Action], e.d.time(event), note, strings.Repeat(".", min(max(depth, 0), maxDepth)), name)
	if event.Action != trace.Enter {
		depth--
	}
	e.depth[tid] = depth
	return err
}

// version returns the version of the file from which a recording was read. If the file is not a
// method trace, it returns the version that artifice would write.
func version(rec *trace.Recording) int {
	switch {
	case rec.Source != nil && len(rec.Source.Header) > 4:
		return int(rec.Source.Header[4])
	case rec.Info.Clock == trace.Dual:
		return 3
	}
	return 2
}
