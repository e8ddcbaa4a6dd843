package writer

import (
	"bufio"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"

	"artifice/calltree"
	"artifice/trace"
)

// Field numbers of the messages of profile.proto, the format of pprof.
const (
	profileSampleType    = 1
	profileSample        = 2
	profileMapping       = 3
	profileLocation      = 4
	profileFunction      = 5
	profileString        = 6
	profileTime          = 9
	profileDuration      = 10
	profilePeriodType    = 11
	profilePeriod        = 12
	profileComment       = 13
	profileDefaultSample = 14

	valueType, valueUnit = 1, 2

	sampleLocation, sampleValue, sampleLabel = 1, 2, 3
	labelKey, labelText, labelNumber         = 1, 2, 3

	mappingID, mappingFile                               = 1, 5
	mappingFunctions, mappingFilenames, mappingLines     = 7, 8, 9
	locationID, locationMapping, locationLine            = 1, 2, 4
	lineFunction, lineNumber                             = 1, 2
	functionID, functionName, functionSystem, functionIn = 1, 2, 3, 4
	functionStart                                        = 5
)

// profileWriter writes a profile field by field, so that no list of its stacks is
// held: a trace has up to millions, each as long as it is deep. What is seen
// first comes first: samples, then the locations and functions that they used,
// then the strings.
type profileWriter struct {
	w       *bufio.Writer
	symbols *trace.Symbols
	clock   trace.Clock

	strings   map[string]int64
	list      []string
	locations []uint64         // by method; 0 for one not yet seen
	methods   []trace.MethodID // of locations, whose ids begin with 1
	toplevel  uint64
	spreads   *spreads // of profiles with errors

	labels       message // of the current thread; empty before its first stack
	frames       frameList
	head, values message // reused
}

func newProfileWriter(w io.Writer, rec *trace.Recording) *profileWriter {
	p := &profileWriter{
		w: bufio.NewWriterSize(w, 1<<16), symbols: rec.Symbols, clock: rec.Info.Clock,
		strings: make(map[string]int64), locations: make([]uint64, len(rec.Symbols.Methods)),
	}
	p.text("") // string 0 is the empty one
	return p
}

// text returns the number of a string.
func (p *profileWriter) text(s string) int64 {
	n, ok := p.strings[s]
	if !ok {
		n = int64(len(p.list))
		p.strings[s] = n
		p.list = append(p.list, s)
	}
	return n
}

// field writes a field of the profile. Its error comes again at Flush, so that
// only who has much left to write looks at it.
func (p *profileWriter) field(field int, b []byte) error {
	p.head = appendHead(p.head[:0], field, len(b))
	p.w.Write(p.head)
	_, err := p.w.Write(b)
	return err
}

// valueType writes what a column of numbers, or the period, means.
func (p *profileWriter) valueType(field int, typ, unit string) {
	var m message
	m.number(valueType, p.text(typ))
	m.number(valueUnit, p.text(unit))
	p.field(field, m)
}

// number writes a number of the profile.
func (p *profileWriter) number(field int, v int64) {
	var m message
	m.number(field, v)
	p.w.Write(m)
}

// thread says whose stacks come next.
func (p *profileWriter) thread(id trace.ThreadID) error {
	if int(id) >= len(p.symbols.Threads) {
		return fmt.Errorf("events of thread index %d, but there are %d threads", id, len(p.symbols.Threads))
	}
	t := p.symbols.Thread(id)
	var name, tid message
	name.number(labelKey, p.text("thread"))
	name.number(labelText, p.text(utf8(t.String())))
	tid.number(labelKey, p.text("tid"))
	tid.number(labelNumber, int64(t.TID))
	p.labels = p.labels[:0]
	p.labels.bytes(sampleLabel, name)
	p.labels.bytes(sampleLabel, tid)
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
	b := appendHead(p.w.AvailableBuffer(), profileSample, size)
	b = append(appendHead(b, sampleLocation, len(locations)), locations...)
	b = append(appendHead(b, sampleValue, len(p.values)), p.values...)
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
	var m message
	m.number(mappingID, 1)
	m.number(mappingFile, p.text(utf8(name)))
	for _, has := range []int{mappingFunctions, mappingFilenames, mappingLines} {
		m.number(has, 1)
	}
	p.field(profileMapping, m)
	for i, id := range p.methods {
		method := &trace.Method{Name: Toplevel}
		if id != calltree.NoMethod {
			method = p.symbols.Method(id)
		}
		p.function(int64(i+1), method)
	}
}

func (p *profileWriter) function(id int64, method *trace.Method) {
	var line, location, function message
	line.number(lineFunction, id)
	line.number(lineNumber, int64(max(method.Line, 0)))
	location.number(locationID, id)
	location.number(locationMapping, 1)
	location.bytes(locationLine, line)
	p.field(profileLocation, location)
	function.number(functionID, id)
	function.number(functionName, p.text(utf8(method.FullName())))
	function.number(functionSystem, p.text(utf8(method.String())))
	function.number(functionIn, p.text(utf8(method.File)))
	function.number(functionStart, int64(max(method.Line, 0)))
	p.field(profileFunction, function)
}

// close writes comments and strings.
func (p *profileWriter) close(comments []string) error {
	var m message
	for _, c := range comments {
		m = protowire.AppendVarint(m, uint64(p.text(c)))
	}
	if len(m) > 0 {
		p.field(profileComment, m)
	}
	for _, s := range p.list {
		p.field(profileString, []byte(s))
	}
	return p.w.Flush()
}
