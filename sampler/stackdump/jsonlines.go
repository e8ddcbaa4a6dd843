package stackdump

import (
	"bytes"
	"encoding/json"
	"io"
	"time"
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

// jsonParser reads JSON lines.
type jsonParser struct {
	input
	ahead     jsonLine // the first line of the next dump
	aheadLine int      // its number; 0 when there is none
	alone     int      // dumps of one thread so far
	together  bool     // whether a dump had several
	names     map[ID]bool
}

// next implements parser. Lines in a row with one time and one pid are a dump.
func (p *jsonParser) next(d *Dump) error {
	if p.aheadLine == 0 && !p.readAhead() {
		return p.end()
	}
	first := p.ahead
	d.File, d.Line = p.name, p.aheadLine
	d.PID, d.Partial = first.PID, first.Partial
	d.Stamp = Stamp{Uptime: time.Duration(*first.TimeUS) * time.Microsecond, HasUptime: true}
	for {
		p.addThread(d)
		if !p.readAhead() || *p.ahead.TimeUS != *first.TimeUS || p.ahead.PID != first.PID || p.ahead.Partial != first.Partial {
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
		p.ahead = jsonLine{}
		if fault := p.ahead.parse(line); fault != "" {
			p.complain("the line is left out", fault)
			continue
		}
		p.aheadLine = p.lines.line
		return true
	}
}

// parse reads a line and says what is wrong with it, if anything.
func (l *jsonLine) parse(line []byte) (fault string) {
	const most = int64(farthest / time.Microsecond) // each way, so that differences fit
	if err := json.Unmarshal(line, l); err != nil {
		return err.Error()
	}
	switch {
	case l.TimeUS == nil:
		return `"time_us" is missing`
	case *l.TimeUS < -most || *l.TimeUS > most:
		return `"time_us" is out of range`
	case l.Thread == "" && l.TID == 0:
		return `"thread" and "tid" are missing: one must name the thread`
	case l.CPUUS != nil && (*l.CPUUS < 0 || *l.CPUUS > most):
		return `"cpu_us" is out of range`
	}
	return ""
}

// addThread adds the line in p.ahead to d.
func (p *jsonParser) addThread(d *Dump) {
	l := &p.ahead
	t := d.addThread(p.aheadLine)
	t.Name = p.text([]byte(l.Thread))
	t.ID.TID = l.TID
	if l.TID == 0 {
		t.ID.Name = t.Name
	}
	if l.CPUUS != nil {
		t.CPU, t.HasCPU = time.Duration(*l.CPUUS)*time.Microsecond, true
	}
	for _, text := range l.Frames {
		t.push(&p.input, p.frame(anySyntax, []byte(text)))
	}
}

// note watches whether the file's dumps ever have two threads.
func (p *jsonParser) note(d *Dump) {
	if d.Partial || len(d.Threads) > 1 {
		p.together = true
		return
	}
	p.alone++
	p.names[d.Threads[0].ID] = true
}

// end warns of the one mistake that is easy to make: a time read for each thread
// anew makes each line a dump in which every other thread is missing.
func (p *jsonParser) end() error {
	if err := p.failed(); err != nil {
		return err
	}
	if !p.together && len(p.names) > 1 {
		p.complain("no two threads have a line with the same time, so each leaves its frames when another is seen",
			`read the time once for all threads of a dump, or write "partial":true`)
		p.together = true
	}
	return io.EOF
}
