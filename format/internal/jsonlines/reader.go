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

// object is one line of our own form, documented in the package comment.
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
	seen      int // members so far, a bit each
}

// parser reads JSON lines.
type parser struct {
	stackdump.Input
	ahead     sample // the first line of the next dump
	aheadLine int    // its number; 0 when there is none
	together  bool   // whether a dump had several
	names     map[stackdump.ID]bool
}

// Next implements parser. Lines in a row with one time and one pid are a dump.
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

// readAhead reads the next good line into p.ahead.
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

// parse reads a line and returns what is wrong with it, if anything.
func (s *sample) parse(line []byte) (fault string) {
	if !s.scan(line) {
		if err := s.decode(line); err != nil {
			return err.Error()
		}
	}
	const most = stackdump.Farthest // each way, so that differences fit
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

// decode reads a line of any form that JSON allows.
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

// microseconds reads a number of JSON as microseconds, to the nanosecond. A time
// that no dump can have becomes one that is far beyond.
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

// beyond is a number of microseconds that no dump is given.
const beyond = 3 * (stackdump.Farthest / time.Microsecond) / 2

// fromMicroseconds returns us, bounded so that it is a time.
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

// note watches whether the file's dumps ever have two threads.
func (p *parser) note(d *stackdump.Dump) {
	if d.Partial || len(d.Threads) > 1 {
		p.together = true
		return
	}
	p.names[d.Threads[0].ID] = true
}

// end warns of the mistake that is easy to make: where the clock is read again for each thread,
// each line is a dump in which every other thread is missing.
func (p *parser) end() error {
	if err := p.Failed(); err != nil {
		return err
	}
	if !p.together && len(p.names) > 1 {
		p.Complain(trace.WarnDumpThreads, "no two threads have a line with the same time, so each leaves its frames when another one is seen",
			`read the time once for all threads of a dump, or write "partial":true`)
		p.together = true
	}
	return io.EOF
}

// codec is the [stackdump.Codec] of JSON lines.
type codec struct{}

// Detect reports whether one of the first lines is an object with one of our times.
// The very first lines may be cut, or come from something else.
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
