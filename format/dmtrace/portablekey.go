package dmtrace

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// keySection returns the text in front of the records.
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
		return nil, errors.New("the trace names no thread or no method; dmtracedump needs at least one of each")
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

// threadLines lists the threads that the recording lists or has events of.
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
			p.d.notef("threads that the trace does not list are listed as %s", t.Name)
		}
		lines = append(lines, string(dmformat.AppendThreadLine(nil, &t)))
	}
	return lines, nil
}

// methodLines lists the methods in the order of their ids: those that records
// use and, of a recording that comes from a file, those that it defines.
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

// methodLine returns a method's line: 4 columns, or 6 where the source file is
// known. With 5, as ART writes, dmtracedump takes the file for a part of the
// signature.
func (p *portableWriter) methodLine(m trace.Method, id uint64) string {
	if m.Unlisted {
		name := "method_0x" + strconv.FormatUint(m.ID, 16)
		m = trace.Method{Class: "unknown", Name: name, Signature: "()V"}
		p.d.notef("methods that the trace does not define are listed, as unknown.%s", name)
	}
	if m.Class == "" || m.Name == "" || !strings.HasPrefix(m.Signature, "(") {
		was := m.String()
		m.Class, m.Name = cmp.Or(m.Class, "unknown"), cmp.Or(m.Name, "unknown")
		if !strings.HasPrefix(m.Signature, "(") {
			m.Signature = "()V"
		}
		p.d.notef("methods without class, name or signature get one: %q is %s", was, &m)
	}
	if n := len(m.DottedClass()) + len(".") + len(m.Name) + len(": ") + len(m.Signature); n > portableMaxName {
		p.d.notef("names of more than %d bytes are kept, but Perfetto cuts them: %.60q… has %d", portableMaxName, m.FullName(), n)
	}
	fields := []string{"0x" + strconv.FormatUint(id, 16), p.name(m.DottedClass()), p.name(m.Name), p.name(m.Signature)}
	if m.File != "" {
		fields = append(fields, p.name(m.File), strconv.Itoa(cmp.Or(m.Line, -1)))
	}
	return strings.Join(fields, "\t")
}

// name returns s without what a table cannot hold, as valid UTF-8 without the NUL
// that ends a name in C.
func (p *portableWriter) name(s string) string {
	clean := strings.ReplaceAll(strings.ToValidUTF8(dmformat.Clean(s), "?"), "\x00", "?")
	if clean != s {
		p.d.notef("names lose tabs, line ends, NULs and what is no UTF-8: %q is %q", s, clean)
	}
	return clean
}
