package stackdump

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"time"

	"artifice/trace"
)

// jsonLine is one line of our own form, documented in the package comment.
type jsonLine struct {
	TimeUS  *int64   `json:"time_us"`
	CPUUS   *int64   `json:"cpu_us,omitempty"`
	PID     int      `json:"pid,omitempty"`
	Thread  string   `json:"thread"`
	TID     int64    `json:"tid,omitempty"`
	Partial bool     `json:"partial,omitempty"`
	Frames  []string `json:"frames"`
}

// jsonSample is what a line says. Its texts are valid until the next line.
type jsonSample struct {
	time, cpu int64 // us
	hasTime   bool
	hasCPU    bool
	partial   bool
	pid, tid  int64
	thread    []byte
	frames    [][]byte
}

// jsonParser reads JSON lines.
type jsonParser struct {
	input
	ahead     jsonSample // the first line of the next dump
	aheadLine int        // its number; 0 when there is none
	together  bool       // whether a dump had several
	names     map[ID]bool
}

// next implements parser. Lines in a row with one time and one pid are a dump.
func (p *jsonParser) next(d *Dump) error {
	if p.aheadLine == 0 && !p.readAhead() {
		return p.end()
	}
	first := p.ahead
	d.File, d.Line = p.name, p.aheadLine
	d.PID, d.Partial = int(first.pid), first.partial
	d.Stamp = Stamp{Uptime: time.Duration(first.time) * time.Microsecond, HasUptime: true}
	for {
		p.addThread(d)
		if !p.readAhead() || p.ahead.time != first.time || p.ahead.pid != first.pid || p.ahead.partial != first.partial {
			break
		}
	}
	p.note(d)
	return nil
}

// readAhead reads the next good line into p.ahead.
func (p *jsonParser) readAhead() bool {
	for {
		line, ok := p.lines.next()
		if !ok {
			p.aheadLine = 0
			return false
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if fault := p.ahead.parse(line); fault != "" {
			p.complain(trace.WarnDumpLine, "the line is left out", fault)
			continue
		}
		p.aheadLine = p.lines.line
		return true
	}
}

// parse reads a line and says what is wrong with it, if anything.
func (s *jsonSample) parse(line []byte) (fault string) {
	if !s.scan(line) {
		if err := s.decode(line); err != nil {
			return err.Error()
		}
	}
	const most = int64(farthest / time.Microsecond) // each way, so that differences fit
	switch {
	case !s.hasTime:
		return `"time_us" is missing`
	case s.time < -most || s.time > most:
		return `"time_us" is out of range`
	case len(s.thread) == 0 && s.tid == 0:
		return `"thread" and "tid" are missing: one must name the thread`
	case s.cpu < 0 || s.cpu > most:
		return `"cpu_us" is out of range`
	}
	return ""
}

// decode reads a line of any form that JSON allows.
func (s *jsonSample) decode(line []byte) error {
	var l jsonLine
	if err := json.Unmarshal(line, &l); err != nil {
		return err
	}
	*s = jsonSample{pid: int64(l.PID), tid: l.TID, partial: l.Partial, thread: []byte(l.Thread), frames: s.frames[:0]}
	if l.TimeUS != nil {
		s.time, s.hasTime = *l.TimeUS, true
	}
	if l.CPUUS != nil {
		s.cpu, s.hasCPU = *l.CPUUS, true
	}
	for _, f := range l.Frames {
		s.frames = append(s.frames, []byte(f))
	}
	return nil
}

// addThread adds the line in p.ahead to d.
func (p *jsonParser) addThread(d *Dump) {
	s := &p.ahead
	t := d.addThread(p.aheadLine)
	t.Name = p.text(s.thread)
	t.ID.TID = s.tid
	if s.tid == 0 {
		t.ID.Name = t.Name
	}
	if s.hasCPU {
		t.CPU, t.HasCPU = time.Duration(s.cpu)*time.Microsecond, true
	}
	for _, text := range s.frames {
		t.push(&p.input, p.frame(anySyntax, text))
	}
}

// note watches whether the file's dumps ever have two threads.
func (p *jsonParser) note(d *Dump) {
	if d.Partial || len(d.Threads) > 1 {
		p.together = true
		return
	}
	p.names[d.Threads[0].ID] = true
}

// end warns of the one mistake that is easy to make: a time read for each thread
// anew makes each line a dump in which every other thread is missing.
func (p *jsonParser) end() error {
	if err := p.failed(); err != nil {
		return err
	}
	if !p.together && len(p.names) > 1 {
		p.complain(trace.WarnDumpThreads, "no two threads have a line with the same time, so each leaves its frames when another is seen",
			`read the time once for all threads of a dump, or write "partial":true`)
		p.together = true
	}
	return io.EOF
}

// isJSONLines reports whether one of the first lines is an object with a time of
// ours. A program's first lines may be cut, or be another's.
func isJSONLines(head []byte) bool {
	for range 20 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '{' && bytes.Contains(line, []byte(`"time_us"`)) {
			return true
		}
		head = rest
	}
	return false
}

func newJSONLines(in input, _ io.Reader, _ ReaderConfig) parser {
	return &jsonParser{input: in, names: map[ID]bool{}}
}

// jsonEncoder writes our own JSON lines. A dump in which no thread has a frame
// would have no line and not be there: it shows one without frames, the threads
// that have just left theirs or else the first of the trace.
type jsonEncoder struct {
	seen map[trace.ThreadID]bool // threads with frames in the last dump
}

func (j *jsonEncoder) dump(w *bufio.Writer, m *moment) {
	now := map[trace.ThreadID]bool{}
	for _, t := range m.threads {
		now[t.id] = true
		delete(j.seen, t.id)
		writeJSONLine(w, m, t)
	}
	gone := make([]trace.ThreadID, 0, len(j.seen))
	for id := range j.seen {
		gone = append(gone, id)
	}
	slices.Sort(gone)
	if len(now)+len(gone) == 0 && len(m.symbols.Threads) > 0 {
		gone = append(gone, 0)
	}
	for _, id := range gone {
		writeJSONLine(w, m, running{id: id})
	}
	j.seen = now
}

func writeJSONLine(w *bufio.Writer, m *moment, t running) {
	thread := m.symbols.Thread(t.id)
	us := int64(m.at / time.Microsecond)
	line := jsonLine{TimeUS: &us, Thread: thread.String(), TID: int64(thread.TID), Frames: []string{}}
	if cpu := int64(t.cpu / time.Microsecond); m.clock.HasCPU() && len(t.stack) > 0 {
		line.CPUUS = &cpu
	}
	for _, id := range slices.Backward(t.stack) {
		line.Frames = append(line.Frames, javaFrame(m.symbols.Method(id)))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // <init>
	enc.Encode(line)         // fails only as w does, which remembers it
}

func (j *jsonEncoder) end(*bufio.Writer) {}
