package stackdump

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"artifice/trace"
)

// firefoxParser reads the Firefox Profiler's processed profiles, as it saves them and as
// artifice writes them: threads with a sample for each row of their columns. Where weights
// are tracing-ms, a stack stands for its weight from its time on; where they are samples,
// or there are none, until the next one. threadCPUDelta is the CPU time since the sample
// before, in the unit that meta.sampleUnits has for it.
//
// Tables of stacks, frames, functions and strings are each thread's own, or shared by all
// (profile.shared): what a thread does not have is looked for there. A stack's caller is in
// the column prefix, or, as a distance, in prefixOffset. Markers are left out.
type firefoxParser struct {
	wholeJSON
	version int
	cpuUnit string
	shared  firefoxTables
	threads []*firefoxThread
}

// firefoxOldest is the oldest version that is read. The profiler's own list of changes
// (docs-developer/CHANGELOG-formats.md) goes back to it.
const firefoxOldest = 41

// firefoxTables are what stacks are made of.
type firefoxTables struct {
	prefix, offset, frame []int32 // of stacks; prefix or offset
	function              []int32 // of frames
	named, file, line     []int32 // of functions
	texts                 []string
}

type firefoxThread struct {
	firefoxTables
	name       string
	tid        int64
	from, to   int // of its samples in the list, whose stacks are numbers of its table
	hasCPU     bool
	weightType string
	columns    firefoxColumns
}

// firefoxColumns are a thread's samples as the file has them.
type firefoxColumns struct {
	stack                     []int32
	time, delta, weights, cpu []time.Duration // weights as if all were ms; cpu as if ns
}

func isFirefox(head []byte) bool { return isJSONWith(head, "meta", "preprocessedProfileVersion") }

func newFirefox(in input, text io.Reader, _ ReaderConfig) parser {
	p := &firefoxParser{}
	p.init(in, text, p.readFile)
	p.all.thread = func(tid uint32, t *Thread) {
		th := p.threads[tid]
		t.Name, t.ID = p.text([]byte(th.name)), ID{TID: th.tid, Number: int64(tid) + 1}
	}
	return p
}

// readFile reads the profile. What stacks are made of may come behind the samples.
func (p *firefoxParser) readFile() error {
	if err := p.object(p.member); err != nil {
		return err
	}
	if p.version < firefoxOldest {
		return p.bad("a processed profile of version %d: versions from %d on are read; open it in profiler.firefox.com and save it, which writes the newest", p.version, firefoxOldest)
	}
	unit, isTime := map[string]time.Duration{"ns": 1, "us": 1000, "µs": 1000, "μs": 1000, "ms": 1_000_000}[p.cpuUnit]
	cpu := isTime
	for _, t := range p.threads {
		cpu = cpu && (t.hasCPU || t.from == t.to)
	}
	for _, t := range p.threads {
		if err := p.resolve(t, cpu, unit); err != nil {
			return err
		}
	}
	return nil
}

// member reads a member of the profile.
func (p *firefoxParser) member(key string) error {
	switch key {
	case "meta":
		var meta struct {
			Version  int          `json:"preprocessedProfileVersion"`
			Interval *json.Number `json:"interval"`
			Units    struct {
				CPU string `json:"threadCPUDelta"`
			} `json:"sampleUnits"`
		}
		if err := p.dec.Decode(&meta); err != nil {
			return err
		}
		p.version, p.cpuUnit = meta.Version, meta.Units.CPU
		if meta.Interval != nil {
			if interval, err := timeOf(*meta.Interval, time.Millisecond); err == nil {
				p.interval = max(interval, 0)
			}
		}
		return nil
	case "shared":
		return p.object(func(key string) error { return p.table(key, &p.shared) })
	case "threads":
		return p.array(p.thread)
	}
	return p.skip()
}

// thread reads a thread.
func (p *firefoxParser) thread() error {
	t := &firefoxThread{}
	err := p.object(func(key string) error {
		switch key {
		case "name":
			return p.dec.Decode(&t.name)
		case "tid":
			n, err := p.number()
			fmt.Sscan(n, &t.tid) // some are no numbers
			return err
		case "samples":
			return p.object(func(key string) error { return p.column(key, t) })
		}
		return p.table(key, &t.firefoxTables)
	})
	if err != nil {
		return err
	}
	p.threads = append(p.threads, t)
	t.from = len(p.all.list)
	err = p.place(t, uint32(len(p.threads)-1))
	t.to, t.columns = len(p.all.list), firefoxColumns{}
	return err
}

// number reads a number, or a text of one.
func (p *firefoxParser) number() (string, error) {
	var raw json.RawMessage
	err := p.dec.Decode(&raw)
	return strings.Trim(string(raw), `"`), err
}

// table reads a table of which stacks are made.
func (p *firefoxParser) table(key string, t *firefoxTables) error {
	columns := map[string]*[]int32{}
	switch key {
	case "stringArray":
		return p.dec.Decode(&t.texts)
	case "stackTable":
		columns = map[string]*[]int32{"prefix": &t.prefix, "prefixOffset": &t.offset, "frame": &t.frame}
	case "frameTable":
		columns = map[string]*[]int32{"func": &t.function}
	case "funcTable":
		columns = map[string]*[]int32{"name": &t.named, "fileName": &t.file, "lineNumber": &t.line}
	default:
		return p.skip()
	}
	return p.object(func(key string) error {
		if to := columns[key]; to != nil {
			return p.numbers(to)
		}
		return p.skip()
	})
}

// numbers reads a column of numbers; null is -1.
func (p *firefoxParser) numbers(to *[]int32) error {
	return p.array(func() error {
		var n *int32
		if err := p.dec.Decode(&n); err != nil {
			return err
		}
		if n == nil {
			*to = append(*to, -1)
		} else {
			*to = append(*to, *n)
		}
		return nil
	})
}

// column reads a column of a thread's samples.
func (p *firefoxParser) column(key string, t *firefoxThread) error {
	c := &t.columns
	switch key {
	case "stack":
		return p.numbers(&c.stack)
	case "time":
		return p.times(&c.time, time.Millisecond)
	case "timeDeltas":
		return p.times(&c.delta, time.Millisecond)
	case "weight":
		return p.times(&c.weights, time.Millisecond)
	case "threadCPUDelta":
		t.hasCPU = true
		return p.times(&c.cpu, time.Nanosecond)
	case "weightType":
		return p.dec.Decode(&t.weightType)
	}
	return p.skip()
}

// times reads a column of times; null is 0.
func (p *firefoxParser) times(to *[]time.Duration, unit time.Duration) error {
	return p.array(func() error {
		n := json.Number("0")
		if err := p.dec.Decode(&n); err != nil {
			return err
		}
		at, err := timeOf(orZero(n), unit)
		if err != nil {
			return p.bad("%v", err)
		}
		*to = append(*to, at)
		return nil
	})
}

// place adds the samples of a thread. Their stacks are numbers of its table yet.
func (p *firefoxParser) place(t *firefoxThread, thread uint32) error {
	c := &t.columns
	at := time.Duration(0)
	for _, d := range c.delta {
		if at += d; at > farthest {
			return p.bad("thread %q has samples beyond what is believed", t.name)
		}
		c.time = append(c.time, at)
	}
	n := len(c.stack)
	if len(c.time) != n || len(c.weights) != n && len(c.weights) > 0 || len(c.cpu) != n && len(c.cpu) > 0 {
		return p.bad("thread %q has %d stacks, %d times, %d weights and %d threadCPUDeltas", t.name, n, len(c.time), len(c.weights), len(c.cpu))
	}
	t.hasCPU = len(c.cpu) > 0
	timed := t.weightType == "tracing-ms" && len(c.weights) > 0
	if !timed && len(c.weights) > 0 && t.weightType != "samples" && t.weightType != "" {
		p.complain(trace.WarnDumpLeftOut, fmt.Sprintf("a thread is left out: its samples are weighed in %q, which is no time", t.weightType), t.name)
		return nil
	}
	used := time.Duration(0)
	for i, at := range c.time {
		if i > 0 && at < c.time[i-1] {
			return p.bad("sample %d of thread %q is at %s, before the one before it", i, t.name, at)
		}
		if t.hasCPU {
			used += c.cpu[i]
		}
		weight := time.Millisecond
		if len(c.weights) > 0 {
			weight = c.weights[i]
		}
		if at < -farthest || at > farthest || weight < 0 || weight > farthest || used < -farthest || used > farthest {
			return p.bad("sample %d of thread %q is at %s with the weight %s and %s of CPU time, which is not believed", i, t.name, at, weight, used)
		}
		count := uint32(1)
		if !timed {
			count = uint32(min(max(weight/time.Millisecond, 1), 1<<31-1))
		}
		p.add(at, used, thread, c.stack[i], count)
		// Sums of binary fractions are not exact: a gap is of more than 1 us.
		switch last := i == n-1; {
		case timed && last:
			p.add(at+weight, used, thread, noNode, 0)
		case timed && at+weight+time.Microsecond < c.time[i+1]:
			next := used
			if t.hasCPU {
				next += c.cpu[i+1]
			}
			p.add(at+weight, next, thread, noNode, 0)
		}
	}
	return nil
}

// resolve gives the samples of a thread the stacks of all, and their CPU times.
func (p *firefoxParser) resolve(t *firefoxThread, cpu bool, unit time.Duration) error {
	stacks, err := p.stacks(t)
	if err != nil {
		return err
	}
	for i := t.from; i < t.to; i++ {
		s := &p.all.list[i]
		if s.stack != noNode {
			if s.stack < 0 || int(s.stack) >= len(stacks) {
				return p.bad("a sample of thread %q has stack %d, of %d stacks", t.name, s.stack, len(stacks))
			}
			s.stack = stacks[s.stack]
		}
		switch {
		case !cpu:
			s.cpu = -1
		case s.cpu > farthest/unit || s.cpu < -farthest/unit:
			return p.bad("thread %q has used %d %s of CPU time, which is not believed", t.name, int64(s.cpu), p.cpuUnit)
		default:
			s.cpu *= unit
		}
	}
	t.firefoxTables = firefoxTables{}
	return nil
}

// stacks returns the node of each stack of a thread's table.
func (p *firefoxParser) stacks(t *firefoxThread) ([]int32, error) {
	own := &t.firefoxTables
	if own.texts == nil {
		own.texts = p.shared.texts
	}
	if own.named == nil {
		own.named, own.file, own.line = p.shared.named, p.shared.file, p.shared.line
	}
	if own.function == nil {
		own.function = p.shared.function
	}
	if own.frame == nil {
		own.frame, own.prefix, own.offset = p.shared.frame, p.shared.prefix, p.shared.offset
	}
	callers := own.prefix
	if callers == nil {
		for i, off := range own.offset {
			callers = append(callers, int32(i)-off)
			if off == 0 {
				callers[i] = noNode
			}
		}
	}
	if len(callers) != len(own.frame) {
		return nil, p.bad("thread %q has %d stacks and %d callers of them", t.name, len(own.frame), len(callers))
	}
	for i, c := range callers {
		if f := own.frame[i]; c < noNode || int(c) >= len(callers) || f < 0 || int(f) >= len(own.function) {
			return nil, p.bad("stack %d of thread %q has the caller %d and the frame %d, of %d stacks and %d frames", i, t.name, c, f, len(callers), len(own.function))
		}
	}
	frames, err := p.frames(t)
	if err != nil {
		return nil, err
	}
	return p.chains(callers, func(i int32) (FrameID, bool) { return frames[own.frame[i]], true })
}

// frames returns the frame of each row of a thread's table.
func (p *firefoxParser) frames(t *firefoxThread) ([]FrameID, error) {
	list := make([]FrameID, len(t.function))
	for i, f := range t.function {
		if f < 0 || int(f) >= len(t.named) || t.named[f] < 0 || int(t.named[f]) >= len(t.texts) {
			return nil, p.bad("frame %d of thread %q has function %d, which is none or has no name", i, t.name, f)
		}
		frame := parseFoldedFrame(p.text([]byte(t.texts[t.named[f]])))
		if int(f) < len(t.file) && t.file[f] >= 0 && int(t.file[f]) < len(t.texts) {
			frame.File = p.text([]byte(t.texts[t.file[f]]))
		}
		if int(f) < len(t.line) {
			frame.Line = int(max(t.line[f], 0))
		}
		list[i] = p.input.frames.add(frame)
	}
	return list, nil
}
