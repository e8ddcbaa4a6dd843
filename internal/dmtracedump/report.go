// Package dmtracedump prints the reports of Android's dmtracedump (11.0.0, as Debian builds it),
// byte for byte: a profile as text or HTML ([Report.Print], [Report.PrintHTML]), every event
// ([EventWriter]), a call graph ([Report.WriteGraph]) and the difference of two traces
// ([Report.PrintDiff]). It follows dmtracedump's rules for times and calls, which differ from those
// of packages trace/calltree and report, and reads no files: events are written to it.
package dmtracedump

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"artifice/trace"
)

// Report sums the calls of a trace by dmtracedump's rules, and prints its reports once all events
// are written. It is a [trace.Writer]. Rules that differ from artifice's:
//
//   - The clock is the first of each record: thread CPU time if there are two.
//   - Threads are identified by tid alone. All methods that the file does not list
//     are one, "(unknown)".
//   - The time before an exit belongs to the method that exits, even if the stack is
//     empty; such an exit is a call from the top level since time 0.
//   - Time in a caller that is on the stack twice or more does not count for its
//     outermost call.
type Report struct {
	rec      *trace.Recording
	toplevel *method
	unknown  *method
	methods  []*method // by trace.MethodID; nil: not used yet
	listed   []*method // in the order of their ids, with the two above
	threads  map[uint32]*thread
	total    uint64 // time of all threads in us, once the report is finished
}

// method is a method, the top level or the unknown method.
type method struct {
	id                     int64
	class, name, signature string
	nameless               bool // its line has no usable name: only class is set

	exclusive, inclusive uint64
	outermostExclusive   uint64
	calls                [2]int // of outermost activations, and of others
	callers, callees     [2]relatives
	index                int
}

// relative is the calls and time between a method and one caller or callee.
type relative struct {
	method    *method
	inclusive uint64
	calls     int
}

// relatives are in the order of their first call; the report prints the last first.
type relatives struct {
	list  []*relative
	index map[*method]*relative
}

func (r *relatives) add(m *method, elapsed uint64) {
	if r.index == nil {
		r.index = map[*method]*relative{}
	}
	entry := r.index[m]
	if entry == nil {
		entry = &relative{method: m}
		r.index[m] = entry
		r.list = append(r.list, entry)
	}
	entry.inclusive += elapsed
	entry.calls++
}

type thread struct {
	calls       []call
	open        map[*method]int // number of activations of each method on the stack
	first, last uint64
}

type call struct {
	method *method
	entry  uint64
}

// maxDepth is the maximum stack depth of dmtracedump.
const maxDepth = 10000

// New returns a report of rec's events. It reads rec's Info, Symbols and Source, but never
// rec.Events.
func New(rec *trace.Recording) *Report {
	return &Report{
		rec:      rec,
		toplevel: &method{id: -2, class: "(toplevel)", nameless: true},
		unknown:  &method{id: -1, class: "(unknown)", nameless: true},
		threads:  map[uint32]*thread{},
	}
}

// WriteEvents implements [trace.Writer]. It fails in the same cases as dmtracedump: at an exit
// from a method that is not the innermost, and beyond 10000 frames.
func (d *Report) WriteEvents(p []trace.Event) error {
	for i := range p {
		if err := d.add(&p[i]); err != nil {
			return err
		}
	}
	return nil
}

func (d *Report) add(e *trace.Event) error {
	now := d.time(e)
	tid := d.rec.Symbols.Thread(e.Thread).TID
	t := d.threads[tid]
	if t == nil {
		t = &thread{open: map[*method]int{}, first: now, last: now}
		d.threads[tid] = t
	}
	m := d.method(e.Method)
	step := now - t.last
	t.last = now
	if e.Action == trace.Enter {
		if len(t.calls) >= maxDepth {
			return fmt.Errorf("more than %d calls are open on thread %d: dmtracedump gives up here", maxDepth, tid)
		}
		caller := d.caller(t)
		caller.exclusive += step
		if t.open[caller] <= 1 {
			caller.outermostExclusive += step
		}
		t.calls = append(t.calls, call{m, now})
		t.open[m]++
		return nil
	}
	entry := uint64(0)
	if top := len(t.calls) - 1; top >= 0 {
		if t.calls[top].method != m {
			return fmt.Errorf("an exit of %s while %s is innermost: dmtracedump gives up here", m.text(), t.calls[top].method.text())
		}
		entry = t.calls[top].entry
		t.calls = t.calls[:top]
		t.open[m]--
	}
	d.called(d.caller(t), m, t.open, now-entry)
	m.exclusive += step
	if t.open[m] == 0 {
		m.outermostExclusive += step
	}
	return nil
}

// time returns the first time of a record, in us.
func (d *Report) time(e *trace.Event) uint64 {
	if d.rec.Info.Clock.HasCPU() {
		return uint64(e.CPU / time.Microsecond)
	}
	return uint64(e.Wall / time.Microsecond)
}

func (d *Report) caller(t *thread) *method {
	if len(t.calls) == 0 {
		return d.toplevel
	}
	return t.calls[len(t.calls)-1].method
}

// called adds a call that has ended, with the stack below it.
func (d *Report) called(caller, m *method, open map[*method]int, elapsed uint64) {
	recursive, callerRecursive := 0, 0
	if open[m] > 0 {
		recursive = 1
	} else {
		m.inclusive += elapsed
	}
	if open[caller] > 1 {
		callerRecursive = 1
	}
	m.calls[recursive]++
	caller.callees[callerRecursive].add(m, elapsed)
	m.callers[recursive].add(caller, elapsed)
}

// method returns the method of an index.
func (d *Report) method(id trace.MethodID) *method {
	for int(id) >= len(d.methods) {
		d.methods = append(d.methods, nil)
	}
	if d.methods[id] == nil {
		if d.rec.Symbols.Method(id).Unlisted {
			d.methods[id] = d.unknown
		} else {
			d.methods[id] = &method{}
			d.name(d.methods[id], id)
		}
	}
	return d.methods[id]
}

// name sets the names of a method as dmtracedump parses them from its line. In a line of five
// columns, which ART writes, the file is a part of the signature.
func (d *Report) name(to *method, id trace.MethodID) {
	m := d.rec.Symbols.Method(id)
	to.id = int64(m.ID)
	if s := d.rec.Source; s == nil || int(id) >= len(s.Methods) {
		to.class, to.name, to.signature = m.Class, m.Name, m.Signature
		if to.nameless = m.Class == "" || m.Name == ""; to.nameless {
			to.class = m.FullName()
		}
		return
	}
	_, line, _ := strings.Cut(strings.TrimRight(d.rec.Source.Methods[id], "\n"), "\t")
	fields := strings.SplitN(line, "\t", 3)
	if len(fields) < 3 || fields[0] == "" || fields[1] == "" {
		to.class, to.nameless = line, true
		return
	}
	to.class, to.name, to.signature = fields[0], fields[1], fields[2]
	if rest := strings.Split(fields[2], "\t"); len(rest) >= 3 && rest[0] != "" && rest[1] != "" {
		to.signature = rest[0]
	}
}

func (m *method) text() string {
	if m.nameless {
		return m.class
	}
	return m.class + "." + m.name + " " + m.signature
}

// member returns the name of a method without its signature, as dmtracedump prints it in places
// where it does not check for a name.
func (m *method) member() string {
	if m.nameless {
		return m.class + ".(null)"
	}
	return m.class + "." + m.name
}

// finish ends the open calls on its first call, and returns the time of all threads in us.
func (d *Report) finish() uint64 {
	if d.listed != nil {
		return d.total
	}
	var tids []uint32
	for tid := range d.threads {
		tids = append(tids, tid)
	}
	slices.Sort(tids)
	for _, tid := range tids {
		t := d.threads[tid]
		d.total += t.last - t.first
		open := map[*method]int{}
		caller := d.toplevel
		for _, c := range t.calls {
			d.called(caller, c.method, open, t.last-c.entry)
			open[c.method]++
			caller = c.method
		}
	}
	d.toplevel.inclusive = d.total
	d.listed = append(d.listed, d.toplevel, d.unknown)
	for id := range d.rec.Symbols.Methods {
		if m := d.method(trace.MethodID(id)); m != d.unknown {
			d.listed = append(d.listed, m)
		}
	}
	slices.SortStableFunc(d.listed, func(a, b *method) int { return cmp.Compare(a.id, b.id) })
	return d.total
}

// byName is the order of methods of equal times.
func byName(a, b *method) int {
	if c := strings.Compare(a.class, b.class); c != 0 {
		return c
	}
	if a.nameless || b.nameless {
		return cmp.Compare(a.id, b.id)
	}
	return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.signature, b.signature))
}

func byInclusive(a, b *method) int {
	return cmp.Or(cmp.Compare(b.inclusive, a.inclusive), byName(a, b))
}

func byExclusive(a, b *method) int {
	return cmp.Or(cmp.Compare(b.exclusive, a.exclusive), byName(a, b))
}
