package main

import (
	"fmt"
	"io"

	"artifice/internal/cli"
	"artifice/trace"
	"artifice/trace/stats"
)

// bars show how far a source is, one at a time: the bytes while it is read from
// its file, and when that has been done before, or there is none, the time of its
// events. Elsewhere than on a terminal there are none, and the functions that
// show something are nil.
type bars struct {
	bytes func(done, total int64) // shows the bytes read
	time  func(done, total int64) // shows the time, in us

	hideBytes, hideTime func()
}

func newBars(w io.Writer, what string) bars {
	var b bars
	b.bytes, b.hideBytes = cli.NewByteBar(w, what)
	b.time, b.hideTime = cli.NewBar(w, what)
	return b
}

// hide takes the bar away, until there is something to show again.
func (b *bars) hide() {
	b.hideBytes()
	b.hideTime()
}

// showTime returns a reader of r that shows how much of the source's time has
// passed.
func (s *source) showTime(r trace.Reader) trace.Reader {
	if s.bars.time == nil {
		return r
	}
	return &timeShower{r, s}
}

// timeShower is a Reader of a source that shows the time of its events.
type timeShower struct {
	trace.Reader
	s *source
}

// ReadEvents implements [trace.Reader]. When two sources are read side by side,
// which is when they are read again, the truth alone shows its time.
func (t *timeShower) ReadEvents(p []trace.Event) (int, error) {
	n, err := t.Reader.ReadEvents(p)
	if n > 0 && (t.s.readings < 2 || t.s.order == asTruth) {
		t.s.bars.time(p[n-1].Wall.Microseconds(), t.s.length())
	}
	return n, err
}

// length returns the time of the source's end, in us: when it was stopped, else
// of its last event, as far as that is known.
func (s *source) length() int64 {
	length := s.Info.Elapsed
	if length == 0 {
		for _, t := range s.Symbols.Threads {
			length = max(length, t.End)
		}
	}
	return length.Microseconds()
}

// doubt passes on the events of a trace that a command takes for the truth, and
// tells when they look sampled: then calls are missing in the truth already.
type doubt struct {
	trace.Reader
	name   string
	groups stats.Groups
	done   bool // enough was seen, or all
}

// doubtEvents is how many events are looked at: enough for any judgement.
const doubtEvents = 1 << 18

// ReadEvents implements trace.Reader.
func (d *doubt) ReadEvents(p []trace.Event) (int, error) {
	n, err := d.Reader.ReadEvents(p)
	if !d.done {
		d.groups.WriteEvents(p[:n])
		d.done = n == 0 || d.groups.Events >= doubtEvents
	}
	return n, err
}

// Offset implements [trace.Locator].
func (d *doubt) Offset(event int64) int64 {
	if l, ok := d.Reader.(trace.Locator); ok {
		return l.Offset(event)
	}
	return -1
}

// print prints the doubt, if there is one.
func (d *doubt) print(w io.Writer) {
	if d == nil {
		return
	}
	if technique, _ := d.groups.Technique(); technique != trace.Sampled {
		return
	}
	every := ""
	if p, ok := d.groups.Period(); ok {
		every = fmt.Sprintf(" (about every %s)", p.Median)
	}
	fmt.Fprintf(w, "artifice: warning: %s looks sampled%s: what its sampler missed is missing in the result, too\n", d.name, every)
}
