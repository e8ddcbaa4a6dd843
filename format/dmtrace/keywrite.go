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

// keySection returns the text in front of a classic file, or of a summary.
func (d *writer) keySection() ([]byte, error) {
	b := appendLines(nil, dmformat.SectionVersion, strconv.Itoa(int(d.version)))
	b = appendLines(b, d.options()...)
	b, err := d.appendThreads(appendLines(b, dmformat.SectionThreads))
	if err != nil {
		return nil, err
	}
	b, err = d.appendMethods(appendLines(b, dmformat.SectionMethods))
	if err != nil {
		return nil, err
	}
	return appendLines(b, dmformat.SectionEnd), nil
}

func appendLines(b []byte, lines ...string) []byte {
	for _, l := range lines {
		b = append(append(b, l...), '\n')
	}
	return b
}

// options returns the option lines: those of the Source, with the number of
// records as it is now, or those that ART and Dalvik write, in their order.
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

// foreignOptions returns the Source's options that the formats have in common
// but artifice gives no meaning, such as alloc-count.
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

// appendThreads appends the lines of *threads: the Source's, or all threads that
// have a name, in the order of the symbols.
func (d *writer) appendThreads(b []byte) ([]byte, error) {
	if d.follow {
		return appendLines(b, d.rec.Source.Threads...), nil
	}
	for i := range d.rec.Symbols.Threads {
		id := trace.ThreadID(i)
		if d.rec.Symbols.Thread(id).Unlisted {
			continue
		}
		if err := d.ids.thread(id); err != nil { // also without events: its tid must not pass for another's
			return nil, err
		}
		t := d.ids.listed(id)
		d.noteName(t.Name)
		b = append(dmformat.AppendThreadLine(b, &t), '\n')
	}
	return b, nil
}

// appendMethods appends the lines of *methods: the Source's, or the methods in the
// order of their ids.
func (d *writer) appendMethods(b []byte) ([]byte, error) {
	if d.follow {
		return appendLines(b, d.rec.Source.Methods...), nil
	}
	var listed []trace.MethodID
	for i := range d.rec.Symbols.Methods {
		id := trace.MethodID(i)
		if d.rec.Symbols.Method(id).Unlisted || d.ids.methods[id] == noMethod && d.rec.Source == nil {
			continue
		}
		if err := d.ids.method(id); err != nil {
			return nil, err
		}
		listed = append(listed, id)
	}
	slices.SortFunc(listed, func(a, b trace.MethodID) int { return cmp.Compare(d.ids.methods[a], d.ids.methods[b]) })
	for _, id := range listed {
		m := *d.rec.Symbols.Method(id)
		m.ID = d.ids.methods[id]
		d.noteName(m.Class, m.Name, m.Signature, m.File)
		b = append(dmformat.AppendMethodLine(b, d.variant, &m), '\n')
	}
	return b, nil
}

func (d *writer) noteName(names ...string) {
	for _, name := range names {
		if dmformat.Clean(name) != name {
			d.notef("names lose their tabs and line ends")
		}
	}
}
