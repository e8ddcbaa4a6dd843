package jsonlines

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/decode"
	"artifice/trace"
)

// object is one line of the format documented in the package comment.
type object struct {
	TimeUS  json.Number `json:"time_us"`
	CPUUS   json.Number `json:"cpu_us,omitempty"`
	StopUS  json.Number `json:"stopped_us,omitempty"`
	PID     int         `json:"pid,omitempty"`
	Thread  string      `json:"thread"`
	TID     int64       `json:"tid,omitempty"`
	Partial bool        `json:"partial,omitempty"`
	Frames  []string    `json:"frames"`
}

// sample is the content of a line. Its texts are valid until the next line.
type sample struct {
	time, cpu time.Duration
	stopped   time.Duration
	hasTime   bool
	hasCPU    bool
	hasFrames bool
	partial   bool
	pid, tid  int64
	thread    []byte
	frames    [][]byte
	seen      int // bit set of the members read so far
}

// parser reads JSON lines.
type parser struct {
	stackdump.Input
	ahead     sample // the first line of the next dump
	aheadLine int    // its line number; 0 if there is none
	together  bool   // some dump had several threads
	names     map[stackdump.ID]bool
}

// Next implements parser. Consecutive lines with the same time and pid are a dump.
func (p *parser) Next(d *stackdump.Dump) error {
	if p.aheadLine == 0 && !p.readAhead() {
		return p.end()
	}
	first := p.ahead
	d.File, d.Line = p.Name, p.aheadLine
	d.PID, d.Partial, d.Stopped = int(first.pid), first.partial, first.stopped
	d.Stamp = stackdump.Stamp{Uptime: first.time, HasUptime: true}
	for {
		p.addThread(d)
		if !p.readAhead() || p.ahead.time != first.time || p.ahead.pid != first.pid || p.ahead.partial != first.partial {
			break
		}
	}
	p.note(d)
	return nil
}

// readAhead reads the next valid line into p.ahead.
func (p *parser) readAhead() bool {
	for {
		line, ok := p.Lines.Next()
		if !ok {
			p.aheadLine = 0
			return false
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if fault := p.ahead.parse(line); fault != "" {
			p.Complain(trace.WarnDumpLine, "the line is ignored", fault)
			continue
		}
		p.aheadLine = p.Lines.Line
		return true
	}
}

// parse reads a line, and describes what is wrong with it, or returns "".
func (s *sample) parse(line []byte) (fault string) {
	if !s.scan(line) {
		if err := s.decode(line); err != nil {
			return err.Error()
		}
	}
	// in both directions, so that differences of two times do not overflow
	const most = stackdump.Farthest
	switch {
	case !s.hasTime:
		return `"time_us" is missing`
	case s.time < -most || s.time > most:
		return `"time_us" is out of range`
	case len(s.thread) == 0 && s.tid == 0:
		return `"thread" and "tid" are missing: one must name the thread`
	case s.cpu < 0 || s.cpu > most:
		return `"cpu_us" is out of range`
	case s.stopped < 0 || s.stopped > most:
		return `"stopped_us" is out of range`
	case !s.hasFrames:
		return `"frames" is missing; a thread without any has "frames":[]`
	}
	return ""
}

// decode reads a line in any form that JSON permits.
func (s *sample) decode(line []byte) error {
	var l object
	if err := json.Unmarshal(line, &l); err != nil {
		return err
	}
	*s = sample{pid: int64(l.PID), tid: l.TID, partial: l.Partial, thread: []byte(l.Thread), frames: s.frames[:0]}
	s.time, s.hasTime = microseconds(string(l.TimeUS)), l.TimeUS != ""
	s.cpu, s.hasCPU = microseconds(string(l.CPUUS)), l.CPUUS != ""
	s.stopped = microseconds(string(l.StopUS))
	s.hasFrames = l.Frames != nil
	for _, f := range l.Frames {
		s.frames = append(s.frames, []byte(f))
	}
	return nil
}

// microseconds converts a JSON number of microseconds to a time with a resolution of 1 ns. A number
// beyond the valid times becomes an invalid time.
func microseconds(s string) time.Duration {
	t, ok := decode.Time([]byte(s), time.Microsecond)
	switch {
	case s == "":
		return 0
	case !ok && s[0] == '-':
		t = -math.MaxInt64
	case !ok:
		t = math.MaxInt64
	}
	return min(max(t, -beyond*time.Microsecond), beyond*time.Microsecond)
}

// beyond is a number of microseconds above all valid times.
const beyond = 3 * (stackdump.Farthest / time.Microsecond) / 2

// fromMicroseconds returns us as a time, limited to the range of times.
func fromMicroseconds(us int64) time.Duration {
	return time.Duration(min(max(us, -int64(beyond)), int64(beyond))) * time.Microsecond
}

// addThread adds the line in p.ahead to d.
func (p *parser) addThread(d *stackdump.Dump) {
	s := &p.ahead
	t := d.AddThread(p.aheadLine)
	t.Name = p.Text(s.thread)
	t.ID.TID = s.tid
	if s.tid == 0 {
		t.ID.Name = t.Name
	}
	if s.hasCPU {
		t.CPU, t.HasCPU = s.cpu, true
	}
	for _, text := range s.frames {
		t.Push(&p.Input, p.Frame(stackdump.AnySyntax, text))
	}
}

// note records whether any dump of the file has several threads.
func (p *parser) note(d *stackdump.Dump) {
	if d.Partial || len(d.Threads) > 1 {
		p.together = true
		return
	}
	p.names[d.Threads[0].ID] = true
}

// end warns about a common mistake: if the clock is read again for each thread, each line is a dump
// in which all other threads are missing.
func (p *parser) end() error {
	if err := p.Failed(); err != nil {
		return err
	}
	if !p.together && len(p.names) > 1 {
		p.Complain(trace.WarnDumpThreads, "no two threads have a line with the same time, so each sample of a thread ends the frames of the others",
			`read the time once for all threads of a dump, or write "partial":true`)
		p.together = true
	}
	return io.EOF
}

// codec is the [stackdump.Codec] of JSON lines.
type codec struct{}

// Detect reports whether one of the first lines is an object with a time of this format. The very
// first lines may be truncated, or not belong to the format.
func (codec) Detect(head []byte) bool {
	for range 20 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '{' && bytes.Contains(line, []byte(`"time_us"`)) {
			return true
		}
		head = rest
	}
	return false
}

// Parser implements [stackdump.Codec].
func (codec) Parser(in stackdump.Input, _ io.Reader, _ stackdump.ReaderConfig) stackdump.Parser {
	return &parser{Input: in, names: map[stackdump.ID]bool{}}
}
