package stackdump

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"artifice/internal/decode"
	"artifice/trace"
)

// jsonLine is one line of our own form, documented in the package comment.
type jsonLine struct {
	TimeUS  json.Number `json:"time_us"`
	CPUUS   json.Number `json:"cpu_us,omitempty"`
	StopUS  json.Number `json:"stopped_us,omitempty"`
	PID     int         `json:"pid,omitempty"`
	Thread  string      `json:"thread"`
	TID     int64       `json:"tid,omitempty"`
	Partial bool        `json:"partial,omitempty"`
	Frames  []string    `json:"frames"`
}

// jsonSample is what a line says. Its texts are valid until the next line.
type jsonSample struct {
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
	d.PID, d.Partial, d.Stopped = int(first.pid), first.partial, first.stopped
	d.Stamp = Stamp{Uptime: first.time, HasUptime: true}
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
	const most = farthest // each way, so that differences fit
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
func (s *jsonSample) decode(line []byte) error {
	var l jsonLine
	if err := json.Unmarshal(line, &l); err != nil {
		return err
	}
	*s = jsonSample{pid: int64(l.PID), tid: l.TID, partial: l.Partial, thread: []byte(l.Thread), frames: s.frames[:0]}
	s.time, s.hasTime = microseconds(string(l.TimeUS)), l.TimeUS != ""
	s.cpu, s.hasCPU = microseconds(string(l.CPUUS)), l.CPUUS != ""
	s.stopped = microseconds(string(l.StopUS))
	s.hasFrames = l.Frames != nil
	for _, f := range l.Frames {
		s.frames = append(s.frames, []byte(f))
	}
	return nil
}

// microseconds reads a number of JSON as microseconds, to the nanosecond. What
// no dump can have becomes a time far beyond.
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
const beyond = 3 * (farthest / time.Microsecond) / 2

// fromMicroseconds returns us, bounded so that it is a time.
func fromMicroseconds(us int64) time.Duration {
	return time.Duration(min(max(us, -int64(beyond)), int64(beyond))) * time.Microsecond
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
		t.CPU, t.HasCPU = s.cpu, true
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
		p.complain(trace.WarnDumpThreads, "no two threads have a line with the same time, so each leaves its frames when another one is seen",
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
	line := jsonLine{TimeUS: jsonTime(m.at), Thread: thread.String(), TID: int64(thread.TID), Frames: []string{}}
	if m.clock.HasCPU() && len(t.stack) > 0 {
		line.CPUUS = jsonTime(t.cpu)
	}
	for _, id := range slices.Backward(t.stack) {
		line.Frames = append(line.Frames, javaFrame(m.symbols.Method(id)))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // <init>
	enc.Encode(line)         // fails only as w does, which remembers it
}

func jsonTime(d time.Duration) json.Number {
	return json.Number(strconv.FormatInt(int64(d/time.Microsecond), 10))
}

func (j *jsonEncoder) end(*bufio.Writer) {}
