package pprof

import (
	"io"

	"artifice/internal/encode"
	"artifice/internal/profileproto"
	"artifice/internal/protobuf"
	"artifice/trace"
	"artifice/trace/calltree"
)

// profileFile writes the profile of a recording in the order of first use: samples, then their
// locations and functions, then the strings.
type profileFile struct {
	w       *profileproto.Writer
	symbols *trace.Symbols
	clock   trace.Clock
	counts  string // type of the counts of stacks; "": they are not written

	quantity trace.Quantity // written in place of times and counts

	locations []uint64         // by method; 0 if the method has no location yet
	methods   []trace.MethodID // by location; locations have the ids from 1 on
	toplevel  uint64
	intervals Intervals // nil: no limits are written

	labels   protobuf.Message // labels of the current thread; empty before its first stack
	frames   encode.FrameList
	values   protobuf.Message // reused
	tableRow protobuf.Message // reused
}

// newProfile returns a writer of a recording's profile on w, with times on the given clocks. counts
// is the sample type of the counts of stacks; "" omits them.
func newProfile(w io.Writer, rec *trace.Recording, clock trace.Clock, counts string) *profileFile {
	if rec.Info.Quantity.IsSet() {
		counts = ""
	}
	return &profileFile{w: profileproto.NewWriter(w), symbols: rec.Symbols, clock: clock, counts: counts, quantity: rec.Info.Quantity,
		locations: make([]uint64, len(rec.Symbols.Methods))}
}

// thread sets the thread of the following stacks.
func (p *profileFile) thread(id trace.ThreadID) error {
	if int(id) >= len(p.symbols.Threads) {
		return encode.UnknownThread(id, p.symbols)
	}
	t := p.symbols.Thread(id)
	var name, tid protobuf.Message
	name.Number(profileproto.LabelKey, p.w.Text("thread"))
	name.Number(profileproto.LabelStr, p.w.Text(t.String()))
	tid.Number(profileproto.LabelKey, p.w.Text("tid"))
	tid.Number(profileproto.LabelNum, int64(t.TID))
	p.labels = p.labels[:0]
	p.labels.Bytes(profileproto.SampleLabel, name)
	p.labels.Bytes(profileproto.SampleLabel, tid)
	return nil
}

// stack writes a stack of the current thread as a sample, innermost frame first.
func (p *profileFile) stack(s *calltree.Stack) error {
	p.frames.Cut(s.Same)
	for _, m := range s.Frames[s.Same:] {
		id, err := p.location(m)
		if err != nil {
			return err
		}
		protobuf.AppendVarint(p.frames.Push(protobuf.SizeVarint(id))[:0], id)
	}
	locations := p.frames.Bytes()
	if len(s.Frames) == 0 {
		locations = protobuf.AppendVarint(nil, p.toplevelLocation())
	}
	p.values = p.values[:0]
	if p.counts != "" {
		p.values = protobuf.AppendVarint(p.values, uint64(s.Count))
	}
	if p.clock.HasWall() {
		p.values = protobuf.AppendVarint(p.values, uint64(s.Self.Wall))
	}
	if p.clock.HasCPU() {
		p.values = protobuf.AppendVarint(p.values, uint64(s.Self.CPU))
	}
	if p.intervals != nil {
		p.appendLimits(s.Frames, s.Self.Wall, s.Self.CPU)
	}
	size := 1 + protobuf.SizeBytes(len(locations)) + 1 + protobuf.SizeBytes(len(p.values)) + len(p.labels)
	b := protobuf.AppendHead(p.w.AvailableBuffer(), profileproto.Sample, size)
	b = append(protobuf.AppendHead(b, profileproto.SampleLocationID, len(locations)), locations...)
	b = append(protobuf.AppendHead(b, profileproto.SampleValue, len(p.values)), p.values...)
	_, err := p.w.Write(append(b, p.labels...))
	return err
}

// location returns the id of a method's location. A method has one location, because a trace
// contains no lines of frames.
func (p *profileFile) location(m trace.MethodID) (uint64, error) {
	if int(m) >= len(p.locations) {
		return 0, encode.UnknownMethod(m, p.symbols)
	}
	if p.locations[m] == 0 {
		p.locations[m] = p.newLocation(m)
	}
	return p.locations[m], nil
}

func (p *profileFile) toplevelLocation() uint64 {
	if p.toplevel == 0 {
		p.toplevel = p.newLocation(calltree.NoMethod)
	}
	return p.toplevel
}

func (p *profileFile) newLocation(m trace.MethodID) uint64 {
	p.methods = append(p.methods, m)
	return uint64(len(p.methods))
}

// tables writes the mapping, the locations and their functions. A location has
// the id of its function.
func (p *profileFile) tables(name string) {
	var m protobuf.Message
	m.Number(profileproto.MappingID, 1)
	m.Number(profileproto.MappingFilename, p.w.Text(name))
	for _, has := range []int{profileproto.MappingHasFunctions, profileproto.MappingHasFilenames, profileproto.MappingHasLineNumbers} {
		m.Number(has, 1)
	}
	p.w.Field(profileproto.Mapping, m)
	for i, id := range p.methods {
		method := &trace.Method{Name: encode.Toplevel}
		if id != calltree.NoMethod {
			method = p.symbols.Method(id)
		}
		p.function(int64(i+1), method)
	}
}

func (p *profileFile) function(id int64, method *trace.Method) {
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
	m.Number(profileproto.FunctionName, p.w.Text(name))
	m.Number(profileproto.FunctionSystemName, p.w.Text(name, method.Signature))
	m.Number(profileproto.FunctionFilename, p.w.Text(method.File))
	m.Number(profileproto.FunctionStartLine, first)
	m.Shut(function)
	p.w.Write(m)
	p.tableRow = m
}

// close writes comments and strings.
func (p *profileFile) close(comments []string) error {
	var m protobuf.Message
	for _, c := range comments {
		m = protobuf.AppendVarint(m, uint64(p.w.Text(c)))
	}
	if len(m) > 0 {
		p.w.Field(profileproto.Comment, m)
	}
	return p.w.Close()
}
