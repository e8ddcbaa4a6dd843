package dmtrace

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// keySection returns the text at the beginning of a classic file, or of a summary.
func (d *writer) keySection() ([]byte, error) {
	methods, completed, err := d.appendMethods(appendLines(nil, dmformat.SectionMethods))
	if err != nil {
		return nil, err
	}
	var b []byte
	if d.follow {
		b = appendLines(b, d.rec.Source.Extra...)
	}
	b = appendLines(b, dmformat.SectionVersion, strconv.Itoa(int(d.version)))
	b = appendLines(b, d.options()...)
	if text := completed.String(); text != "" {
		b = appendLines(b, dmformat.KeyCompleted+"="+text)
	}
	if b, err = d.appendThreads(appendLines(b, dmformat.SectionThreads)); err != nil {
		return nil, err
	}
	b = append(b, methods...)
	return appendLines(b, dmformat.SectionEnd), nil
}

func appendLines(b []byte, lines ...string) []byte {
	for _, l := range lines {
		b = append(append(b, l...), '\n')
	}
	return b
}

// options returns the option lines. They are those of the Source, with the number of written
// records, or those that ART and Dalvik write, in the same order.
func (d *writer) options() []string {
	if d.follow && d.rec.Source.Options != nil {
		return d.sourceOptions()
	}
	info := &d.rec.Info
	elapsed := info.Elapsed
	if d.clock.HasWall() {
		elapsed = max(elapsed, d.lastWall)
	}
	lines := []string{
		fmt.Sprintf("%s=%t", dmformat.KeyOverflow, info.Overflow),
		fmt.Sprintf("%s=%s", dmformat.KeyClock, d.clock),
		fmt.Sprintf("%s=%d", dmformat.KeyElapsed, elapsed/time.Microsecond),
	}
	if d.variant.V2 > dmformat.V2of15 {
		lines[2] = fmt.Sprintf("%s=%d", dmformat.KeyElapsedN, elapsed)
	}
	if !d.onePass() {
		lines = append(lines, fmt.Sprintf("%s=%d", dmformat.KeyRecords, d.n))
	}
	lines = append(lines,
		fmt.Sprintf("%s=%d", dmformat.KeyOverhead, info.ClockOverhead),
		fmt.Sprintf("%s=%s", dmformat.KeyVM, d.variant.VM))
	if info.PID != 0 && d.variant.VM == "art" {
		lines = append(lines, fmt.Sprintf("%s=%d", dmformat.KeyPID, info.PID))
	}
	return append(lines, d.foreignOptions()...)
}

func (d *writer) sourceOptions() []string {
	lines := slices.Clone(d.rec.Source.Options)
	for i, l := range lines {
		value, ok := strings.CutPrefix(l, dmformat.KeyRecords+"=")
		if n, err := strconv.ParseInt(value, 10, 64); ok && (err != nil || n != d.n) {
			lines[i] = fmt.Sprintf("%s=%d", dmformat.KeyRecords, d.n)
		}
	}
	return lines
}

// foreignOptions returns the Source's options that are common to the formats and have no meaning
// for artifice, such as alloc-count.
func (d *writer) foreignOptions() []string {
	if d.rec.Source == nil {
		return nil
	}
	var lines []string
	for _, l := range d.rec.Source.Options {
		if key, _, ok := strings.Cut(l, "="); ok && !slices.Contains(dmformat.Keys, key) {
			lines = append(lines, l)
		}
	}
	return lines
}

// appendThreads appends the lines of *threads: those of the Source, or all threads with a name, in
// the order of the symbols.
func (d *writer) appendThreads(b []byte) ([]byte, error) {
	if d.follow {
		return appendLines(b, d.rec.Source.Threads...), nil
	}
	for i := range d.rec.Symbols.Threads {
		id := trace.ThreadID(i)
		if d.rec.Symbols.Thread(id).Unlisted {
			continue
		}
		// also for threads without events: their tids must not be used for others
		if err := d.ids.thread(id); err != nil {
			return nil, err
		}
		t := d.ids.listed(id)
		t.Name = d.threadName(&t)
		b = append(dmformat.AppendThreadLine(b, &t), '\n')
	}
	return b, nil
}

// appendMethods appends the lines of *methods: those of the Source, or all methods in the order of
// their ids.
func (d *writer) appendMethods(b []byte) (lines []byte, parts completed, err error) {
	if d.follow {
		return appendLines(b, d.rec.Source.Methods...), parts, nil
	}
	var listed []trace.MethodID
	for i := range d.rec.Symbols.Methods {
		id := trace.MethodID(i)
		if d.rec.Symbols.Method(id).Unlisted || d.ids.methods[id] == noMethod && d.rec.Source == nil {
			continue
		}
		if err := d.ids.method(id); err != nil {
			return nil, parts, err
		}
		listed = append(listed, id)
	}
	slices.SortFunc(listed, func(a, b trace.MethodID) int { return cmp.Compare(d.ids.methods[a], d.ids.methods[b]) })
	for _, id := range listed {
		from := d.rec.Symbols.Method(id)
		m := d.named(from)
		parts.compare(from, &m)
		m.ID = d.ids.methods[id]
		b = append(dmformat.AppendMethodLine(b, d.variant, &m), '\n')
	}
	return b, parts, nil
}

// named returns the method with the names that are written.
func (d *writer) named(m *trace.Method) trace.Method {
	named := *m
	// other files have the methods before the option that lists the missing parts
	if d.complete && d.v2 == nil && !d.variant.Streaming {
		named = complete(named)
	}
	if named != *m {
		d.notef("names are completed for Perfetto and Android Studio, which require class, name and signature: %q becomes %s; --exact keeps names unchanged", m, &named)
	}
	d.noteName(named.Class, named.Name, named.Signature, named.File)
	return named
}

// threadName returns the name of a thread to write.
func (d *writer) threadName(t *trace.Thread) string {
	name := t.Name
	if d.complete {
		name = t.String()
	}
	d.noteName(name)
	return name
}

func (d *writer) noteName(names ...string) {
	for _, name := range names {
		if dmformat.Clean(name) != name {
			d.notef("names lose their tabs and line ends")
		}
	}
}

// complete returns m with the parts that readers of a method's line require.
func complete(m trace.Method) trace.Method {
	m.Class, m.Name = cmp.Or(m.Class, dmformat.UnknownClass), cmp.Or(m.Name, dmformat.UnknownName)
	m.Signature = cmp.Or(m.Signature, dmformat.EmptySignature)
	return m
}

// completed records, for each part that complete adds, whether the added text always replaces a
// missing part. Otherwise a reader cannot remove it.
type completed struct{ class, signature part }

// part is one part of the methods.
type part struct {
	missing   bool // some method lacks the part
	ambiguous bool // some method has the text that complete adds
}

// compare processes a method of the recording and the same method as written.
func (c *completed) compare(from, written *trace.Method) {
	c.class.compare(from.Class, written.Class, dmformat.UnknownClass)
	c.signature.compare(from.Signature, written.Signature, dmformat.EmptySignature)
}

func (p *part) compare(from, written, text string) {
	p.missing = p.missing || from == "" && written == text
	p.ambiguous = p.ambiguous || from == text
}

// String returns the value of [dmformat.KeyCompleted], empty if the option is to be omitted.
func (c completed) String() string {
	var parts []string
	if c.class.missing && !c.class.ambiguous {
		parts = append(parts, "class")
	}
	if c.signature.missing && !c.signature.ambiguous {
		parts = append(parts, "signature")
	}
	return strings.Join(parts, ",")
}

// restore removes from a method the parts that complete added, according to the option
// [dmformat.KeyCompleted].
func (f *File) restore(m *trace.Method) {
	if f.noClass && m.Class == dmformat.UnknownClass {
		m.Class = ""
	}
	if f.noSignature && m.Signature == dmformat.EmptySignature {
		m.Signature = ""
	}
}
