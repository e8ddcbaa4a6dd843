package view

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"artifice/internal/eventlog"
	"artifice/trace"
)

// magic is the beginning of the data.
const magic = "ARTVIEW1"

// encoder encodes the data of a page.
type encoder struct {
	page   *Page
	header header
	*body

	unit, start time.Duration
	methods     []map[trace.MethodID]int32 // by recording: the method's index in the page
	names       []*trace.Method            // by index in the page
	waits       []bool                     // by index in the page
	scratch     []int64                    // reused for changes
}

// encode returns the uncompressed data of a page in two parts: the header and the columns, which
// the caller must close.
func (p *Page) encode() (head []byte, columns *body, err error) {
	e := encoder{page: p, body: newBody()}
	e.header.Title, e.header.Version, e.header.Range = p.Title, p.Version, p.rangePath
	e.measure()
	e.nameMethods()
	names := p.names()
	for i, r := range p.Recordings {
		h := e.recording(r, e.methods[i])
		h.Name = names[i]
		e.header.Recordings = append(e.header.Recordings, h)
	}
	e.header.Comparison = e.comparison()
	if p.Difference != nil {
		e.header.Difference = e.difference(p.Difference)
	}
	e.flush()
	text, err := json.Marshal(e.header)
	if err = cmp.Or(e.err, err); err != nil {
		e.Close()
		return nil, nil, err
	}
	head = append(head, magic...)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	return append(head, text...), e.body, nil
}

// names returns the names of recordings.
func (p *Page) names() []string {
	files := make([]string, len(p.Recordings))
	for i, r := range p.Recordings {
		files[i] = r.Name
	}
	return ShortNames(files...)
}

// ShortNames returns the base names of files. Different files with the same base name get as many
// of their folders as distinguish them.
func ShortNames(files ...string) []string {
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = filepath.Base(file)
		for folders := 1; alike(files, file, folders) && folders < len(file); folders++ {
			names[i] = lastParts(file, folders+1)
		}
	}
	return names
}

// alike reports whether a different file has the same last parts.
func alike(files []string, file string, parts int) bool {
	return slices.ContainsFunc(files, func(f string) bool { return f != file && lastParts(f, parts) == lastParts(file, parts) })
}

// lastParts returns the last parts of a path, separated by slashes.
func lastParts(file string, n int) string {
	parts := strings.Split(strings.TrimPrefix(filepath.ToSlash(filepath.Clean(file)), "/"), "/")
	return strings.Join(parts[max(0, len(parts)-n):], "/")
}

// writePacked writes the data as gzip, at a level of package gzip.
func (p *Page) writePacked(w io.Writer, level int) error {
	head, columns, err := p.encode()
	if err != nil {
		return err
	}
	defer columns.Close()
	packed, err := gzip.NewWriterLevel(w, level)
	if err != nil {
		return err
	}
	if err := columns.stored.CopyBehind(head, packed); err != nil {
		return err
	}
	return packed.Close()
}

// WriteData writes the uncompressed data of the page in the format of the package's comment.
func (p *Page) WriteData(w io.Writer) error {
	head, columns, err := p.encode()
	if err != nil {
		return err
	}
	defer columns.Close()
	return columns.stored.CopyBehind(head, w)
}

// comparison returns the recordings shown for comparison with the first one.
func (e *encoder) comparison() *comparisonHeader {
	h := comparisonHeader{Start: e.page.first}
	for i, r := range e.page.Recordings {
		if r.comparison != nil {
			h.Observed = append(h.Observed, i)
		}
	}
	if h.Observed == nil {
		return nil
	}
	for i, m := range e.names {
		if m.Flags&trace.RuntimeInternal != 0 {
			h.Runtime = append(h.Runtime, i)
		}
	}
	return &h
}

// measure determines the unit and the range of all times.
func (e *encoder) measure() {
	unit, first, last := time.Microsecond, time.Duration(-1), time.Duration(0)
	for _, r := range e.page.Recordings {
		begin := time.Duration(math.MaxInt64)
		for i := range r.threads {
			t := r.threads[i]
			begin = min(begin, t.first.Main)
			if first < 0 || t.first.Main < first {
				first = t.first.Main
			}
			last = max(last, t.last.Main)
			for c := t.steps.all(); c.next(); {
				last = max(last, c.Main)
				if unit > 1 && (c.Main%unit|c.CPU%unit) != 0 {
					unit = 1
				}
			}
		}
		if r.comparison == nil && r.Profile != nil && len(r.threads) > 0 {
			last = max(last, begin+r.Profile.Span)
		}
	}
	first = max(0, first) / unit * unit
	e.unit, e.start = unit, first
	e.header.Unit, e.header.Start, e.header.Span = int64(unit), int64(first), int64((last-first)/unit)
}

// units converts a duration to the page's units.
func (e *encoder) units(d time.Duration) int64 { return int64(max(0, d) / e.unit) }

// at converts a time to the page's units.
func (e *encoder) at(t time.Duration) int64 { return e.units(t - e.start) }

func (e *encoder) recording(r *Recording, methods map[trace.MethodID]int32) recordingHeader {
	h := recordingHeader{
		Technique: r.technique().String(), Interval: int64(cmp.Or(r.info.SamplingInterval(), r.Profile.Period)), Apart: int64(r.Profile.Apart),
		Events: r.events, RunningBy: r.Profile.RunningBy().String(), Notes: r.notes, ShortCalls: int64(r.Short), Estimates: e.estimates(r, methods), MainEstimates: e.mainEstimates(r, methods),
	}
	quantity := r.Profile.Quantity
	e.header.Running = (e.header.Running || r.Lists != nil) && !quantity.IsSet()
	if quantity.IsSet() && quantity.Unit != trace.Nanoseconds {
		e.header.Amounts = quantity.Unit
	}
	e.header.Quantity = quantity.Name
	if e.clock(r).HasWall() {
		h.Clocks = append(h.Clocks, "wall")
	}
	if e.clock(r).HasCPU() {
		h.Clocks = append(h.Clocks, "cpu")
	}
	of := make([]int32, len(r.Symbols.Methods))
	for m, id := range methods {
		of[m] = id
	}
	h.Threads = e.threads(r, of)
	for i := range r.threads {
		if r.Lists != nil && r.Lists.Part() && r.Lists.Keeps(r.threads[i].id) {
			h.Lists = append(h.Lists, i)
		}
	}
	if r.ticks != nil {
		c := e.differences(len(r.ticks), func(i int) int64 { return e.at(r.ticks[i]) })
		h.Ticks = &c
	}
	return h
}

// clock returns the clocks of the recording's times on the page. Sums of CPU time have no wall time;
// next to another recording, their times are on its main clock.
func (e *encoder) clock(r *Recording) trace.Clock {
	if r.info.OfCPU && r.sums && len(e.page.Recordings) == 1 {
		return trace.ThreadCPU
	}
	return r.info.Clock
}

// threads adds the columns of the threads, then their headers.
func (e *encoder) threads(r *Recording, methods []int32) jsonText {
	list := eventlog.NewDiskBuffer("")
	defer list.Close()
	add := func(text []byte, err error) {
		if err == nil {
			_, err = list.Write(text)
		}
		e.err = cmp.Or(e.err, err)
	}
	add([]byte("["), nil)
	for i := range r.threads {
		if i > 0 {
			add([]byte(","), nil)
		}
		add(json.Marshal(e.thread(r, i, methods)))
	}
	add([]byte("]"), nil)
	e.flush()
	h := jsonText{At: e.size(), Bytes: list.Size()}
	e.err = cmp.Or(e.err, list.CopyTo(e.stored))
	return h
}

func (e *encoder) thread(r *Recording, i int, methods []int32) threadHeader {
	t := r.threads[i]
	symbol := r.Symbols.Thread(t.id)
	h := threadHeader{TID: symbol.TID, Name: symbol.String(), Process: symbol.Process, Calls: e.calls(r, t, methods), Before: t.before}
	e.levels(t, methods, func(l *level) { h.Levels = append(h.Levels, e.level(l)) })
	if r.comparison != nil {
		e.compared(&h, &r.comparison.threads[i])
	}
	if r.technique() == trace.Sampled && r.ticks == nil {
		times := t.samples()
		c := e.differences(len(times), func(i int) int64 { return e.at(times[i]) })
		h.Samples = &c
	}
	if t.extended {
		last := e.at(t.last.Main)
		h.Last = &last
	}
	if len(t.gaps) > 0 {
		h.Gaps = e.spans(t.gaps)
	}
	if len(t.late) > 0 {
		h.Late = e.spans(t.late)
	}
	return h
}

// compared adds the comparison of a thread with the truth's thread.
func (e *encoder) compared(h *threadHeader, c *comparedThread) {
	mark, list := e.column(len(c.marks), func(i int) uint64 { return uint64(c.marks[i]) }), c.seenCalls()
	seen := e.differences(len(list), func(i int) int64 { return int64(list[i]) })
	h.Of, h.Calls.Mark, h.Seen, h.Wrong = &c.of, &mark, &seen, e.spans(c.wrongSpans())
}

func (e *encoder) calls(r *Recording, t *thread, methods []int32) (h callColumns) {
	n, c := t.len(), t.steps.all()
	h.Method = e.column(n, func(int) uint64 { c.nextBegin(); return uint64(methods[c.Method]) })
	c = t.steps.all()
	h.Depth = e.signed(n, func(int) int64 { c.nextBegin(); return int64(c.Depth) })
	h.Begin, h.End = e.changes(t, func(s *step) int64 { return e.at(s.Main) }, func(n int64) uint64 { return uint64(n) })
	if e.clock(r) == trace.Dual {
		begin, end := e.changes(t, func(s *step) int64 { return e.at(s.Main) - e.units(s.CPU) }, zigzag)
		h.BeginLag, h.EndLag = &begin, &end
	}
	return h
}

// changes adds the change of a value since the previous step, for the begin and the end of each
// call.
func (e *encoder) changes(t *thread, value func(*step) int64, code func(int64) uint64) (begin, end column) {
	c, last := t.steps.all(), int64(0)
	if cap(e.scratch) < t.len() {
		e.scratch = make([]int64, t.len())
	}
	ends, begun := e.scratch[:t.len()], int32(0)
	var open []int32
	change := func() int64 {
		now := value(&c.step)
		d := now - last
		last = now
		return d
	}
	shut := func() {
		ends[open[c.Depth]] = change()
		open = open[:c.Depth]
	}
	begin = e.column(len(ends), func(int) uint64 {
		for c.next() && c.End {
			shut()
		}
		open = append(open, begun)
		begun++
		return code(change())
	})
	for c.next() {
		shut()
	}
	end = e.column(len(ends), func(i int) uint64 { return code(ends[i]) })
	return begin, end
}

func (e *encoder) level(l *level) levelColumns {
	h := levelColumns{
		Width:    l.width,
		Rows:     e.column(len(l.rows), func(i int) uint64 { return uint64(len(l.rows[i])) }),
		Duration: e.boxes(l, func(b *box) uint64 { return uint64(b.duration) }),
		Method:   e.boxes(l, func(b *box) uint64 { return uint64(b.method) }),
		Calls:    e.boxes(l, func(b *box) uint64 { return uint64(b.calls) }),
		Filled:   e.boxes(l, (*box).filled),
	}
	h.Start = column{At: e.size(), Count: h.Duration.Count}
	for _, row := range l.rows {
		h.Start.Bytes += e.differences(len(row), func(i int) int64 { return row[i].start }).Bytes
	}
	return h
}

// boxes adds one number for each box of a level, row by row.
func (e *encoder) boxes(l *level, value func(*box) uint64) column {
	c := column{At: e.size()}
	for _, row := range l.rows {
		part := e.column(len(row), func(i int) uint64 { return value(&row[i]) })
		c.Count, c.Bytes = c.Count+part.Count, c.Bytes+part.Bytes
	}
	return c
}
