package view

import (
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"

	"artifice/estimate"
	"artifice/trace"
)

// magic begins the data.
const magic = "ARTVIEW1"

// encoder makes the data of a page.
type encoder struct {
	page   *Page
	header header
	body   []byte

	unit, start time.Duration
	methods     []map[trace.MethodID]int32 // by recording: the method's index in the page
	names       []*trace.Method            // by that index
	boxes       []box                      // scratch of rows
}

// encode returns the data of a page, not packed, in two parts.
func (p *Page) encode() (head, columns []byte, err error) {
	e := encoder{page: p}
	calls := 0
	for _, r := range p.Recordings {
		for i := range r.Threads {
			calls += len(r.Threads[i].Calls)
		}
	}
	e.body = make([]byte, 0, bytesPerCall*calls)
	e.header.Title, e.header.Version, e.header.Range = p.Title, p.Version, p.rangePath
	e.measure()
	e.nameMethods()
	for i, r := range p.Recordings {
		e.header.Recordings = append(e.header.Recordings, e.recording(r, e.methods[i]))
	}
	e.header.Beside = p.beside()
	if p.Difference != nil {
		e.header.Difference = e.difference(p.Difference)
	}
	text, err := json.Marshal(e.header)
	if err != nil {
		return nil, nil, err
	}
	head = append(head, magic...)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	return append(head, text...), e.body, nil
}

// bytesPerCall is about what a call comes to with its share of the levels.
const bytesPerCall = 9

// writePacked writes the data as gzip, at a level of package compress/gzip.
func (p *Page) writePacked(w io.Writer, level int) error {
	head, columns, err := p.encode()
	if err != nil {
		return err
	}
	packed, err := gzip.NewWriterLevel(w, level)
	if err != nil {
		return err
	}
	if _, err := packed.Write(head); err != nil {
		return err
	}
	if _, err := packed.Write(columns); err != nil {
		return err
	}
	return packed.Close()
}

// beside returns which recordings are shown beside the first.
func (p *Page) beside() *besideHeader {
	h := besideHeader{Start: p.First}
	for i, r := range p.Recordings {
		if r.Comparison != nil {
			h.Observed = append(h.Observed, i)
		}
	}
	if h.Observed == nil {
		return nil
	}
	return &h
}

// measure finds the unit and the extent of all times.
func (e *encoder) measure() {
	unit, first, last := time.Microsecond, time.Duration(-1), time.Duration(0)
	for _, r := range e.page.Recordings {
		for i := range r.Threads {
			t := &r.Threads[i]
			if first < 0 || t.first.main < first {
				first = t.first.main
			}
			last = max(last, t.last.main)
			for j := range t.Calls {
				c := &t.Calls[j]
				last = max(last, c.End())
				if unit > 1 && (c.Start%unit|c.Duration%unit|c.CPUStart%unit|c.CPU%unit) != 0 {
					unit = 1
				}
			}
		}
	}
	first = max(0, first) / unit * unit
	e.unit, e.start = unit, first
	e.header.Unit, e.header.Start, e.header.Span = int64(unit), int64(first), int64((last-first)/unit)
}

// units returns a stretch of time in the page's units.
func (e *encoder) units(d time.Duration) int64 { return int64(max(0, d) / e.unit) }

// at returns a time in the page's units.
func (e *encoder) at(t time.Duration) int64 { return e.units(t - e.start) }

// nameMethods numbers the methods of all recordings, those with the most calls first:
// their numbers are short. Methods of two recordings are one when they have the same
// name and signature; of a single recording they stay apart.
func (e *encoder) nameMethods() {
	type key struct {
		name  string
		again int // which of those of the name
	}
	var calls []int64
	index := map[key]int32{}
	var methods []map[trace.MethodID]int32
	for _, r := range e.page.Recordings {
		of, again := map[trace.MethodID]int32{}, map[string]int{}
		for i, n := range r.callsByMethod() {
			if n == 0 {
				continue
			}
			m := r.Symbols.Method(trace.MethodID(i))
			k := key{m.String(), again[m.String()]}
			again[k.name]++
			id, ok := index[k]
			if !ok {
				id = int32(len(e.names))
				index[k], e.names, calls = id, append(e.names, m), append(calls, 0)
			}
			of[trace.MethodID(i)] = id
			calls[id] += n
		}
		methods = append(methods, of)
	}
	order := make([]int32, len(e.names)) // index by rank
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(calls[b], calls[a]) })
	rank, names := make([]int32, len(order)), make([]*trace.Method, len(order))
	for i, id := range order {
		rank[id], names[i] = int32(i), e.names[id]
	}
	for _, of := range methods {
		for m, id := range of {
			of[m] = rank[id]
		}
	}
	e.names, e.methods = names, methods
	long := make([]string, len(names))
	for i, m := range names {
		long[i] = m.String()
	}
	e.header.Methods = e.texts(long)
	e.header.Short = parts{
		From:  e.column(len(names), func(i int) uint64 { return uint64(packageLength(names[i])) }),
		Bytes: e.column(len(names), func(i int) uint64 { return uint64(len(names[i].FullName()) - packageLength(names[i])) }),
	}
}

// callsByMethod returns how many calls each method has.
func (r *Recording) callsByMethod() []int64 {
	n := make([]int64, len(r.Symbols.Methods))
	if r.Short > 0 { // not all of them are among the calls
		for i := range r.Profile.Methods {
			n[r.Profile.Methods[i].ID] += r.Profile.Methods[i].Calls.Reported
		}
	}
	for i := range r.Threads {
		for j := range r.Threads[i].Calls {
			n[r.Threads[i].Calls[j].Method]++
		}
	}
	return n
}

// packageLength returns how many bytes of a method's name are the package of its
// class.
func packageLength(m *trace.Method) int {
	if m.Unlisted || m.Name == "" {
		return 0
	}
	return strings.LastIndexAny(m.Class, "./") + 1
}

func (e *encoder) recording(r *Recording, methods map[trace.MethodID]int32) recordingHeader {
	h := recordingHeader{
		Name: r.Name, Technique: r.technique().String(), Interval: int64(cmp.Or(r.Info.Interval, r.Profile.Period)),
		Events: r.Events, Notes: r.Notes, ShortCalls: int64(r.Short), Estimates: e.estimates(r, methods),
	}
	if r.Info.Clock.HasWall() {
		h.Clocks = append(h.Clocks, "wall")
	}
	if r.Info.Clock.HasCPU() {
		h.Clocks = append(h.Clocks, "cpu")
	}
	of := make([]int32, len(r.Symbols.Methods))
	for m, id := range methods {
		of[m] = id
	}
	for i := range r.Threads {
		h.Threads = append(h.Threads, e.thread(r, i, of))
	}
	if r.ticks != nil {
		c := e.differences(len(r.ticks), func(i int) int64 { return e.at(r.ticks[i]) })
		h.Ticks = &c
	}
	return h
}

func (e *encoder) thread(r *Recording, i int, methods []int32) threadHeader {
	t := &r.Threads[i]
	symbol := r.Symbols.Thread(t.ID)
	h := threadHeader{TID: symbol.TID, Name: symbol.String(), Calls: e.calls(r, t, methods), Before: t.before}
	levels(e.rows(t, methods), func(l *level) { h.Levels = append(h.Levels, e.level(l)) })
	if r.Comparison != nil {
		e.compared(&h, &r.Comparison.Threads[i])
	}
	if r.technique() == trace.Sampled && r.ticks == nil {
		times := t.samples()
		c := e.differences(len(times), func(i int) int64 { return e.at(times[i]) })
		h.Samples = &c
	}
	if len(t.Gaps) > 0 {
		h.Gaps = e.spans(t.Gaps)
	}
	return h
}

// compared adds what a thread has beside the truth's.
func (e *encoder) compared(h *threadHeader, c *Compared) {
	mark := e.column(len(c.Marks), func(i int) uint64 { return uint64(c.Marks[i]) })
	seen := e.differences(len(c.Seen), func(i int) int64 { return int64(c.Seen[i]) })
	h.Of, h.Calls.Mark, h.Seen, h.Wrong = &c.Of, &mark, &seen, e.spans(c.Wrong)
}

func (e *encoder) calls(r *Recording, t *Thread, methods []int32) (h callColumns) {
	n := len(t.Calls)
	h.Method = e.column(n, func(i int) uint64 { return uint64(methods[t.Calls[i].Method]) })
	h.Depth = e.signed(n, func(i int) int64 { return int64(t.Calls[i].Depth) })
	h.Start = e.differences(n, func(i int) int64 { return e.at(t.Calls[i].Start) })
	h.Duration = e.column(n, func(i int) uint64 { return uint64(e.at(t.Calls[i].End()) - e.at(t.Calls[i].Start)) })
	if r.Info.Clock == trace.Dual {
		lag := e.signed(n, func(i int) int64 { return e.at(t.Calls[i].Start) - e.units(t.Calls[i].CPUStart) })
		wait := e.column(n, func(i int) uint64 { return zigzag(e.units(t.Calls[i].Duration) - e.units(t.Calls[i].CPU)) })
		h.Lag, h.Wait = &lag, &wait
	}
	return h
}

// rows returns the calls of a thread by depth, until it is called for the next.
func (e *encoder) rows(t *Thread, methods []int32) [][]box {
	var sizes []int
	for i := range t.Calls {
		for int(t.Calls[i].Depth) >= len(sizes) {
			sizes = append(sizes, 0)
		}
		sizes[t.Calls[i].Depth]++
	}
	if cap(e.boxes) < len(t.Calls) {
		e.boxes = make([]box, len(t.Calls))
	}
	rows, all := make([][]box, len(sizes)), e.boxes
	for i, n := range sizes {
		rows[i], all = all[:0:n], all[n:]
	}
	for i := range t.Calls {
		c := &t.Calls[i]
		start := e.at(c.Start)
		d := e.at(c.End()) - start
		rows[c.Depth] = append(rows[c.Depth], box{start: start, duration: d, covered: d, longest: d, method: methods[c.Method], calls: 1})
	}
	return rows
}

func (e *encoder) level(l *level) levelHeader {
	var all []box
	for _, row := range l.rows {
		all = append(all, row...)
	}
	h := levelHeader{
		Width:    l.width,
		Rows:     e.column(len(l.rows), func(i int) uint64 { return uint64(len(l.rows[i])) }),
		Duration: e.column(len(all), func(i int) uint64 { return uint64(all[i].duration) }),
		Method:   e.column(len(all), func(i int) uint64 { return uint64(all[i].method) }),
		Calls:    e.column(len(all), func(i int) uint64 { return uint64(all[i].calls) }),
		Filled:   e.column(len(all), func(i int) uint64 { return all[i].filled() }),
	}
	h.Start = column{At: int64(len(e.body)), Count: int64(len(all))}
	for _, row := range l.rows {
		h.Start.Bytes += e.differences(len(row), func(i int) int64 { return row[i].start }).Bytes
	}
	return h
}

// column adds n numbers.
func (e *encoder) column(n int, value func(int) uint64) column {
	c := column{At: int64(len(e.body)), Count: int64(n)}
	for i := range n {
		e.body = binary.AppendUvarint(e.body, value(i))
	}
	c.Bytes = int64(len(e.body)) - c.At
	return c
}

// differences adds n numbers that do not fall, each as its difference to the one
// before.
func (e *encoder) differences(n int, value func(int) int64) column {
	last := int64(0)
	return e.column(n, func(i int) uint64 {
		now := value(i)
		step := now - last
		last = now
		return uint64(step)
	})
}

// signed adds n numbers, each as its signed difference to the one before.
func (e *encoder) signed(n int, value func(int) int64) column {
	last := int64(0)
	return e.column(n, func(i int) uint64 {
		now := value(i)
		step := now - last
		last = now
		return zigzag(step)
	})
}

// zigzag returns a signed number as a short unsigned one.
func zigzag(n int64) uint64 { return uint64(n<<1) ^ uint64(n>>63) }

func (e *encoder) spans(spans []Span) *spanColumns {
	return &spanColumns{
		Start:    e.differences(len(spans), func(i int) int64 { return e.at(spans[i].Start) }),
		Duration: e.column(len(spans), func(i int) uint64 { return uint64(e.units(spans[i].Duration)) }),
	}
}

func (e *encoder) texts(list []string) (t texts) {
	t.Lengths = e.column(len(list), func(i int) uint64 { return uint64(len(list[i])) })
	t.At = int64(len(e.body))
	for _, s := range list {
		e.body = append(e.body, s...)
	}
	t.Bytes = int64(len(e.body)) - t.At
	return t
}

// estimates adds what a recording tells of its methods; nil where calls tell it.
func (e *encoder) estimates(r *Recording, methods map[trace.MethodID]int32) *estimateColumns {
	if !r.Profile.Sampled() && r.Short == 0 {
		return nil
	}
	var rows []estimate.Method
	for _, m := range r.Profile.Methods {
		if _, ok := methods[m.ID]; ok {
			rows = append(rows, m)
		}
	}
	n := len(rows)
	return &estimateColumns{
		Method:    e.column(n, func(i int) uint64 { return uint64(methods[rows[i].ID]) }),
		Exclusive: e.shares(n, r.Profile, func(i int) *estimate.Share { return &rows[i].Exclusive }),
		Inclusive: e.shares(n, r.Profile, func(i int) *estimate.Share { return &rows[i].Inclusive }),
		Calls:     e.column(n, func(i int) uint64 { return uint64(rows[i].Calls.Reported) }),
		Recursive: e.column(n, func(i int) uint64 { return uint64(rows[i].Calls.Recursive) }),
		AtLeast:   r.Profile.Sampled(),
	}
}

func (e *encoder) shares(n int, p *estimate.Profile, of func(int) *estimate.Share) shareColumn {
	c := shareColumn{
		Samples: e.column(n, func(i int) uint64 { return uint64(of(i).Runs.Samples) }),
		Doubts:  e.column(n, func(i int) uint64 { return doubts(of(i), p) }),
	}
	if p.Clock.HasWall() {
		c.Wall = e.times(n, func(i int) estimate.Time { return of(i).Wall })
	}
	if p.Clock.HasCPU() {
		c.CPU = e.times(n, func(i int) estimate.Time { return of(i).CPU })
	}
	return c
}

// doubts says what the interval of a share of p lacks.
func doubts(s *estimate.Share, p *estimate.Profile) (sum uint64) {
	if !p.Sampled() {
		return 0
	}
	if p.Period == 0 || !s.Runs.Enough() {
		sum += few
	}
	if s.NoCPU {
		sum += noCPU
	}
	if s.Cycle != nil {
		sum += inStep
	}
	return sum
}

func (e *encoder) times(n int, of func(int) estimate.Time) *timeColumn {
	return &timeColumn{
		Value: e.column(n, func(i int) uint64 { return uint64(of(i).Value) }),
		Below: e.column(n, func(i int) uint64 { return uint64(of(i).Value - of(i).Low) }),
		Above: e.column(n, func(i int) uint64 { return uint64(of(i).High - of(i).Value) }),
	}
}
