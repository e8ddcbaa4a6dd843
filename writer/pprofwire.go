package writer

import (
	"bufio"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"

	"artifice/calltree"
	"artifice/internal/encode"
	"artifice/internal/profileproto"
	"artifice/trace"
)

// profileWriter writes a profile field by field, so that no list of its stacks is
// held: a trace has up to millions, each as long as it is deep. What is seen
// first comes first: samples, then the locations and functions that they used,
// then the strings.
type profileWriter struct {
	w       *bufio.Writer
	symbols *trace.Symbols
	clock   trace.Clock

	strings   *stringTable
	locations []uint64         // by method; 0 for one not yet seen
	methods   []trace.MethodID // of locations, whose ids begin with 1
	toplevel  uint64
	spreads   *spreads // of profiles with errors

	labels       encode.Message // of the current thread; empty before its first stack
	frames       frameList
	head, values encode.Message // reused
	tableRow     encode.Message // reused
}

func newProfileWriter(w io.Writer, rec *trace.Recording) *profileWriter {
	p := &profileWriter{
		w: bufio.NewWriterSize(w, 1<<16), symbols: rec.Symbols, clock: rec.Info.Clock,
		strings: newStringTable(), locations: make([]uint64, len(rec.Symbols.Methods)),
	}
	p.strings.number("") // string 0 is the empty one
	return p
}

// field writes a field of the profile. Its error comes again at Flush, so that
// only who has much left to write looks at it.
func (p *profileWriter) field(field int, b []byte) error {
	p.head = encode.AppendHead(p.head[:0], field, len(b))
	p.w.Write(p.head)
	_, err := p.w.Write(b)
	return err
}

// valueType writes what a column of numbers, or the period, means.
func (p *profileWriter) valueType(field int, typ, unit string) {
	var m encode.Message
	m.Number(profileproto.ValueTypeType, p.strings.number(typ))
	m.Number(profileproto.ValueTypeUnit, p.strings.number(unit))
	p.field(field, m)
}

// number writes a number of the profile.
func (p *profileWriter) number(field int, v int64) {
	var m encode.Message
	m.Number(field, v)
	p.w.Write(m)
}

// thread says whose stacks come next.
func (p *profileWriter) thread(id trace.ThreadID) error {
	if int(id) >= len(p.symbols.Threads) {
		return fmt.Errorf("events of thread index %d, but there are %d threads", id, len(p.symbols.Threads))
	}
	t := p.symbols.Thread(id)
	var name, tid encode.Message
	name.Number(profileproto.LabelKey, p.strings.number("thread"))
	name.Number(profileproto.LabelStr, p.strings.number(t.String()))
	tid.Number(profileproto.LabelKey, p.strings.number("tid"))
	tid.Number(profileproto.LabelNum, int64(t.TID))
	p.labels = p.labels[:0]
	p.labels.Bytes(profileproto.SampleLabel, name)
	p.labels.Bytes(profileproto.SampleLabel, tid)
	return nil
}

// stack writes a stack of the current thread as a sample, innermost frame first.
func (p *profileWriter) stack(s *calltree.Stack) error {
	p.frames.cut(s.Same)
	for _, m := range s.Frames[s.Same:] {
		id, err := p.location(m)
		if err != nil {
			return err
		}
		protowire.AppendVarint(p.frames.push(protowire.SizeVarint(id))[:0], id)
	}
	locations := p.frames.bytes()
	if len(s.Frames) == 0 {
		locations = protowire.AppendVarint(nil, p.toplevelLocation())
	}
	p.values = protowire.AppendVarint(p.values[:0], uint64(s.Count))
	if p.clock.HasWall() {
		p.values = protowire.AppendVarint(p.values, uint64(s.Self.Wall))
	}
	if p.clock.HasCPU() {
		p.values = protowire.AppendVarint(p.values, uint64(s.Self.CPU))
	}
	if p.spreads != nil {
		p.appendEnds(s.Frames, s.Self.Wall, s.Self.CPU)
	}
	size := 1 + protowire.SizeBytes(len(locations)) + 1 + protowire.SizeBytes(len(p.values)) + len(p.labels)
	b := encode.AppendHead(p.w.AvailableBuffer(), profileproto.Sample, size)
	b = append(encode.AppendHead(b, profileproto.SampleLocationID, len(locations)), locations...)
	b = append(encode.AppendHead(b, profileproto.SampleValue, len(p.values)), p.values...)
	_, err := p.w.Write(append(b, p.labels...))
	return err
}

// location returns the id of the one location that a method has: a trace knows
// in which method a thread is, not at which line.
func (p *profileWriter) location(m trace.MethodID) (uint64, error) {
	if int(m) >= len(p.locations) {
		return 0, fmt.Errorf("events of method index %d, but there are %d methods", m, len(p.locations))
	}
	if p.locations[m] == 0 {
		p.locations[m] = p.newLocation(m)
	}
	return p.locations[m], nil
}

func (p *profileWriter) toplevelLocation() uint64 {
	if p.toplevel == 0 {
		p.toplevel = p.newLocation(calltree.NoMethod)
	}
	return p.toplevel
}

func (p *profileWriter) newLocation(m trace.MethodID) uint64 {
	p.methods = append(p.methods, m)
	return uint64(len(p.methods))
}

// tables writes the mapping, the locations and their functions. A location has
// the id of its function.
func (p *profileWriter) tables(name string) {
	var m encode.Message
	m.Number(profileproto.MappingID, 1)
	m.Number(profileproto.MappingFilename, p.strings.number(name))
	for _, has := range []int{profileproto.MappingHasFunctions, profileproto.MappingHasFilenames, profileproto.MappingHasLineNumbers} {
		m.Number(has, 1)
	}
	p.field(profileproto.Mapping, m)
	for i, id := range p.methods {
		method := &trace.Method{Name: Toplevel}
		if id != calltree.NoMethod {
			method = p.symbols.Method(id)
		}
		p.function(int64(i+1), method)
	}
}

func (p *profileWriter) function(id int64, method *trace.Method) {
	first, name := int64(max(method.Line, 0)), method.FullName()
	m := p.tableRow[:0]
	location := m.Open(profileproto.Location)
	m.Number(profileproto.LocationID, id)
	m.Number(profileproto.LocationMappingID, 1)
	line := m.Open(profileproto.LocationLine)
	m.Number(profileproto.LineFunctionID, id)
	m.Number(profileproto.LineLine, first)
	m.Shut(line)
	m.Shut(location)
	function := m.Open(profileproto.Function)
	m.Number(profileproto.FunctionID, id)
	m.Number(profileproto.FunctionName, p.strings.number(name))
	m.Number(profileproto.FunctionSystemName, p.strings.number(name, method.Signature))
	m.Number(profileproto.FunctionFilename, p.strings.number(method.File))
	m.Number(profileproto.FunctionStartLine, first)
	m.Shut(function)
	p.w.Write(m)
	p.tableRow = m
}

// close writes comments and strings.
func (p *profileWriter) close(comments []string) error {
	var m encode.Message
	for _, c := range comments {
		m = protowire.AppendVarint(m, uint64(p.strings.number(c)))
	}
	if len(m) > 0 {
		p.field(profileproto.Comment, m)
	}
	p.strings.write(p.w)
	return p.w.Flush()
}
