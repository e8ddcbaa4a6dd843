package dmtrace

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/internal/dmformat"
	"artifice/internal/encode"
	"artifice/internal/eventlog"
	"artifice/trace"
)

// Limits that are valid for all six known readers of the classic file: dmtracedump, Traceview,
// Android Studio's perflib, androidx.benchmark, Perfetto and the Firefox Profiler.
const (
	// size of dmtracedump's array; Traceview and androidx read ids as signed numbers
	portableMaxTID    = 1<<15 - 1
	portableMinMethod = 4         // Traceview uses 0 itself
	portableMaxMethod = 1<<31 - 4 // the Firefox Profiler requires bit 31 to be clear
	// µs, exclusive; Traceview and androidx read times as signed numbers
	portableMaxTime  = 1 << 31
	portableMaxDepth = encode.PerfettoDepth
	// bytes of class, name and signature: Perfetto truncates longer ones
	portableMaxName  = 2047
	portableMaxStart = 9_200_000_000_000_000 // µs: in ns it must fit into 63 bits
)

// portableWriter writes a classic ART file that every known reader accepts and interprets
// identically: both clocks in version 3, or one in version 2 under the name wall.
//
// The readers disagree on calls without an enter or an exit, so the file contains no such calls. A
// call that began before the trace gets an enter at its thread's first event, and a frame that is
// open at the end gets an exit at its thread's last event. All ids in records are listed; ids that
// a reader would misinterpret are replaced. Problems that cannot be repaired are errors: times that
// decrease or do not fit into 31 bits of microseconds, nesting deeper than 512, the action 3, and
// an exit of a method other than the innermost.
//
// Notes describes the differences from the recording.
type portableWriter struct {
	d       *writer // keeps the records until the tables are complete
	rec     *trace.Recording
	ids     *wireIDs // assigned at the end
	used    []bool   // by method index
	stacks  trace.Stacks
	threads []portableThread
	first   time.Duration // earliest time on the main clock
	shift   int64         // µs to add to every time
	wallCut int64         // µs to subtract from every wall time
	added   struct{ enters, exits int64 }
}

// portableThread is the state of a thread that must be known before its records are written.
type portableThread struct {
	orphans []trace.MethodID // methods of exits without an enter, in the order of the exits
	// maximum number of open frames above the orphans that are still to come
	above    int
	n        int64 // number of events
	last     trace.Event
	open     []trace.MethodID
	expected int64 // events still to be copied
}

func newPortableWriter(w io.Writer, rec *trace.Recording, o Options) (*portableWriter, error) {
	// The layout does not follow the Source. A non-nil Source only means that the whole table is
	// kept.
	own := *rec
	if own.Source != nil {
		own.Source = &trace.Source{}
	}
	d, err := newWriter(w, &own, Options{Format: dmformat.ART, TempDir: o.TempDir})
	if err != nil {
		return nil, err
	}
	// The free ids are known only at the end.
	d.ids = newWireIDs(rec.Symbols, idRules{index: true}, &d.notes)
	// the records change until the end, so they do not wait in w
	d.spill = eventlog.NewDiskBuffer(o.TempDir)
	return &portableWriter{d: d, rec: rec, first: -1}, nil
}

// Notes returns sentences about the differences between the recording and the file. It is complete
// after Close.
func (p *portableWriter) Notes() []string { return p.d.Notes() }

// WriteEvents implements [trace.Writer].
func (p *portableWriter) WriteEvents(events []trace.Event) error {
	if p.d.err != nil {
		return p.d.err
	}
	p.d.ids.grow()
	for len(p.threads) < len(p.rec.Symbols.Threads) {
		p.threads = append(p.threads, portableThread{})
	}
	for len(p.used) < len(p.rec.Symbols.Methods) {
		p.used = append(p.used, false)
	}
	for i := range events {
		if err := p.check(&events[i], p.d.n+int64(i)); err != nil {
			p.d.err = fmt.Errorf("not portable: %w", err)
			return p.d.err
		}
	}
	return p.d.WriteEvents(events)
}

// check checks event n against the limits, and records what is needed to complete its thread's
// calls.
func (p *portableWriter) check(e *trace.Event, n int64) error {
	switch {
	case int(e.Thread) >= len(p.threads) || int(e.Method) >= len(p.used):
		return p.d.badEvent(e)
	case e.Action > trace.Unwind:
		return fmt.Errorf("event %d has the action %d, which three readers reject and others treat as an enter or an exit", n, e.Action)
	}
	p.used[e.Method] = true
	t := &p.threads[e.Thread]
	if t.n > 0 && (e.Wall < t.last.Wall || e.CPU < t.last.CPU) {
		return fmt.Errorf("event %d of thread %s goes back in time, from wall %s, CPU %s to wall %s, CPU %s",
			n, p.rec.Symbols.Thread(e.Thread), t.last.Wall, t.last.CPU, e.Wall, e.CPU)
	}
	if at := e.Time(p.d.clock); p.first < 0 || at < p.first {
		p.first = at
	}
	t.n++
	t.last = *e
	open := p.stacks.Of(e.Thread)
	switch p.stacks.Apply(*e) {
	case trace.Orphan:
		t.orphans = append(t.orphans, e.Method)
	case trace.Mismatch:
		return fmt.Errorf("event %d of thread %s is an exit of %s, but the innermost call is %s; readers stop at this exit, or disagree about its effect",
			n, p.rec.Symbols.Thread(e.Thread), p.rec.Symbols.Method(e.Method), p.rec.Symbols.Method(open[len(open)-1]))
	}
	t.above = max(t.above, len(p.stacks.Of(e.Thread))-len(t.orphans))
	return p.checkDepth(e.Thread)
}

// checkDepth returns an error if the nesting is already too deep. All orphans are open at the
// thread's first event.
func (p *portableWriter) checkDepth(id trace.ThreadID) error {
	t := &p.threads[id]
	if depth := len(t.orphans) + max(t.above, 0); depth > portableMaxDepth {
		return fmt.Errorf("thread %s nests %d calls; Perfetto loses calls beyond depth %d, and Android Studio's reader fails at about 4000",
			p.rec.Symbols.Thread(id), depth, portableMaxDepth)
	}
	return nil
}

// Close writes the file. It does not close the underlying writer.
func (p *portableWriter) Close() error {
	d := p.d
	if d.closed {
		return d.err
	}
	d.closed = true
	defer d.spill.Close()
	if d.err == nil {
		if err := p.finish(); err != nil {
			d.err = err
		}
	}
	return d.err
}

func (p *portableWriter) finish() error {
	d := p.d
	d.rec.Info = p.rec.Info // complete by now
	p.ids = newWireIDs(p.rec.Symbols, idRules{tidMin: 1, tidMax: portableMaxTID,
		methodMin: portableMinMethod, methodMax: portableMaxMethod, methodMask: dmformat.ActionMask}, &d.notes)
	p.ids.grow()
	if err := d.flush(); err != nil {
		return err
	}
	for i := range p.threads {
		t := &p.threads[i]
		t.open = slices.Clone(p.stacks.Of(trace.ThreadID(i)))
		t.expected = t.n
		p.added.enters += int64(len(t.orphans))
		p.added.exits += int64(len(t.open))
	}
	d.n += p.added.enters + p.added.exits
	if err := p.chooseTimes(); err != nil {
		return fmt.Errorf("not portable: %w", err)
	}
	p.moveInfo()
	p.note()
	key, err := p.keySection()
	if err != nil {
		return fmt.Errorf("not portable: %w", err)
	}
	out := bufio.NewWriterSize(d.w, flushSize)
	out.Write(key)
	out.Write(p.d.header())
	if err := p.copyRecords(out); err != nil {
		return err
	}
	return out.Flush()
}

// chooseTimes computes how times must be shifted to be within their limits.
func (p *portableWriter) chooseTimes() error {
	if p.d.n == 0 {
		return nil
	}
	first, last := p.first.Microseconds(), p.d.last.Microseconds()
	switch {
	case p.d.clock.HasWall() && last >= portableMaxTime && last-first < portableMaxTime-1:
		p.wallCut = first - 1
		p.d.notef("wall times start at the first event: %d us are subtracted from all wall times", p.wallCut)
	case last+1 >= portableMaxTime:
		return fmt.Errorf("the events span %d us; readers that treat times as signed need less than 2^31 (35 min 47 s)", last-first)
	case first == 0:
		p.shift = 1
		p.d.notef("1 us is added to all times, because the Firefox Profiler loses the stack of a thread that begins at 0")
	}
	return nil
}

// moveInfo adjusts the properties of the whole trace to the shifted times. The start time must be
// positive and within the limit.
func (p *portableWriter) moveInfo() {
	cut := time.Duration(p.wallCut) * time.Microsecond
	p.d.last += time.Duration(p.shift)*time.Microsecond - cut
	p.d.lastWall += time.Duration(p.shift)*time.Microsecond - cut
	info := &p.d.rec.Info
	info.Elapsed = max(0, info.Elapsed-cut)
	if us := (info.Start + cut).Microseconds(); us >= 1 && us <= portableMaxStart {
		info.Start += cut
	} else {
		p.d.notef("the start time %d us becomes 1 us: readers require a positive start time below 9.2e15", us)
		info.Start = time.Microsecond
	}
}

func (p *portableWriter) note() {
	if n := p.added.enters; n > 0 {
		p.d.notef("%d calls that began before the trace are entered at their thread's first event", n)
	}
	if n := p.added.exits; n > 0 {
		p.d.notef("%d calls that are open at the end now end at their thread's last event", n)
	}
	if p.d.clock == trace.ThreadCPU {
		p.d.notef("the times are thread CPU times but are labelled wall, because Perfetto refuses clock=thread-cpu")
	}
	p.d.noteTimes()
}

// copyRecords copies the spilled records to out, and adds the records that complete the calls.
func (p *portableWriter) copyRecords(out *bufio.Writer) error {
	in := bufio.NewReaderSize(p.d.spill.Reader(), flushSize)
	b := make([]byte, p.d.layout.Size)
	for {
		if _, err := io.ReadFull(in, b); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		t := &p.threads[binary.LittleEndian.Uint16(b)]
		p.finalize(b)
		if t.expected == t.n {
			p.add(out, b, t.orphans, trace.Enter)
		}
		if _, err := out.Write(b); err != nil {
			return err
		}
		if t.expected--; t.expected == 0 {
			p.add(out, b, t.open, trace.Exit)
		}
	}
}

// finalize replaces the ids and times of a record by the final ones.
func (p *portableWriter) finalize(b []byte) {
	binary.LittleEndian.PutUint16(b, uint16(p.ids.threads[binary.LittleEndian.Uint16(b)]))
	word := binary.LittleEndian.Uint32(b[2:])
	binary.LittleEndian.PutUint32(b[2:], uint32(p.ids.methods[word>>2])|word&dmformat.ActionMask)
	add := func(at int, us int64) {
		binary.LittleEndian.PutUint32(b[at:], uint32(int64(binary.LittleEndian.Uint32(b[at:]))+us))
	}
	if p.d.clock == trace.Dual {
		add(6, p.shift)
		add(10, p.shift-p.wallCut)
	} else {
		add(6, p.shift-p.wallCut)
	}
}

// add writes a copy of record b for each method, from the last to the first. The orphan that exits
// last is the outermost, and the frame opened last is the innermost.
func (p *portableWriter) add(out *bufio.Writer, b []byte, methods []trace.MethodID, a trace.Action) {
	record := slices.Clone(b)
	for _, m := range slices.Backward(methods) {
		binary.LittleEndian.PutUint32(record[2:], uint32(p.ids.methods[m])|uint32(a))
		out.Write(record)
	}
}

// keySection returns the text before the records.
func (p *portableWriter) keySection() ([]byte, error) {
	threads, err := p.threadLines()
	if err != nil {
		return nil, err
	}
	methods, err := p.methodLines()
	if err != nil {
		return nil, err
	}
	if len(threads) == 0 || len(methods) == 0 {
		return nil, errors.New("the trace lists no thread or no method; dmtracedump requires at least one of each")
	}
	options := p.d.options()
	for i, l := range options {
		if l == dmformat.KeyClock+"="+trace.ThreadCPU.String() {
			options[i] = dmformat.KeyClock + "=" + trace.Wall.String()
		}
	}
	lines := []string{dmformat.SectionVersion, strconv.Itoa(int(p.d.version))}
	lines = append(append(lines, options...), dmformat.SectionThreads)
	lines = append(append(lines, threads...), dmformat.SectionMethods)
	lines = append(append(lines, methods...), dmformat.SectionEnd, "")
	return []byte(strings.Join(lines, "\n")), nil
}

// threadLines returns the lines of the threads that the recording lists or that have events.
func (p *portableWriter) threadLines() ([]string, error) {
	var lines []string
	for i := range p.rec.Symbols.Threads {
		id := trace.ThreadID(i)
		used := i < len(p.threads) && p.threads[i].n > 0
		if p.rec.Symbols.Thread(id).Unlisted && !used {
			continue
		}
		if err := p.ids.thread(id); err != nil {
			return nil, err
		}
		t := p.ids.listed(id)
		t.Name = p.name(t.String())
		if p.rec.Symbols.Thread(id).Unlisted {
			p.d.notef("threads that the trace does not list are added as %s", t.Name)
		}
		lines = append(lines, string(dmformat.AppendThreadLine(nil, &t)))
	}
	return lines, nil
}

// methodLines returns the lines of the methods in the order of their ids: those used by records
// and, if the recording comes from a file, those that it defines.
func (p *portableWriter) methodLines() ([]string, error) {
	var listed []trace.MethodID
	for i, m := range p.rec.Symbols.Methods {
		if used := i < len(p.used) && p.used[i]; used || !m.Unlisted && p.rec.Source != nil {
			listed = append(listed, trace.MethodID(i))
		}
	}
	for _, id := range listed {
		if err := p.ids.method(id); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(listed, func(a, b trace.MethodID) int { return cmp.Compare(p.ids.methods[a], p.ids.methods[b]) })
	lines := make([]string, len(listed))
	for i, id := range listed {
		lines[i] = p.methodLine(*p.rec.Symbols.Method(id), p.ids.methods[id])
	}
	return lines, nil
}

// methodLine returns a method's line: 4 columns, or 6 where the source file is known. With 5
// columns, as ART writes them, dmtracedump takes the source file for a part of the signature.
func (p *portableWriter) methodLine(m trace.Method, id uint64) string {
	if m.Unlisted {
		name := "method_0x" + strconv.FormatUint(m.ID, 16)
		m = trace.Method{Class: "unknown", Name: name, Signature: "()V"}
		p.d.notef("methods that the trace does not define are listed as unknown.%s", name)
	}
	if m.Class == "" || m.Name == "" || !strings.HasPrefix(m.Signature, "(") {
		was := m.String()
		if !strings.HasPrefix(m.Signature, "(") {
			m.Signature = ""
		}
		m = complete(m)
		p.d.notef("missing classes, names and signatures are added: %q becomes %s", was, &m)
	}
	if n := len(m.DottedClass()) + len(".") + len(m.Name) + len(": ") + len(m.Signature); n > portableMaxName {
		p.d.notef("names of more than %d bytes are kept, but Perfetto truncates them: %.60q… has %d", portableMaxName, m.FullName(), n)
	}
	fields := []string{"0x" + strconv.FormatUint(id, 16), p.name(m.DottedClass()), p.name(m.Name), p.name(m.Signature)}
	if m.File != "" {
		fields = append(fields, p.name(m.File), strconv.Itoa(cmp.Or(m.Line, -1)))
	}
	return strings.Join(fields, "\t")
}

// name returns s as valid UTF-8, without characters that a table cannot contain, and without NUL,
// which ends a name in C.
func (p *portableWriter) name(s string) string {
	clean := strings.ReplaceAll(strings.ToValidUTF8(dmformat.Clean(s), "?"), "\x00", "?")
	if clean != s {
		p.d.notef("tabs, line ends, NULs and invalid UTF-8 are removed from names: %q becomes %q", s, clean)
	}
	return clean
}
