package stackdump

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"artifice/internal/words"
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
//
// The whole profile is in memory before the first sample is delivered: a sample takes 32 bytes
// besides its row of the columns, which together is at most 12 bytes for each byte of the file.
type firefoxParser struct {
	wholeJSON
	version int
	cpuUnit string
	shared  firefoxTables
	threads []*firefoxThread
}

// firefoxOldest is the oldest version that is read: the profiler's own list of changes
// (docs-developer/CHANGELOG-formats.md) goes back to it. firefoxNewest is the newest that
// was tried, as profiler-cli 0.10.0 has it.
const firefoxOldest, firefoxNewest = 41, 75

type firefoxThread struct {
	firefoxTables
	name       string
	tid        int64
	from, to   int // of its samples in the list, whose stacks are numbers of its table
	hasCPU     bool
	weightType string
	columns    firefoxColumns
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

// readFile reads the profile. What stacks are made of may come after the samples.
func (p *firefoxParser) readFile() error {
	if err := p.object(p.member); err != nil {
		return err
	}
	if p.version < firefoxOldest {
		return p.bad("a processed profile of version %d: versions from %d on are read; open it in profiler.firefox.com and save it, which writes the newest", p.version, firefoxOldest)
	}
	if p.version > firefoxNewest {
		p.complain(trace.WarnDumpHead, fmt.Sprintf("a processed profile of version %d: the newest that was tried is %d", p.version, firefoxNewest), "")
	}
	if len(p.all.list) == 0 {
		return formatError(p.name, 0, fmt.Sprintf("no sample in a processed profile with %s: markers are not read", words.Count(len(p.threads), "thread")), nil)
	}
	unit, cpu := p.cpuTimes()
	for _, t := range p.threads {
		if err := p.resolve(t, cpu, unit); err != nil {
			return err
		}
	}
	return nil
}

// cpuTimes returns the unit of the CPU times, and whether they are read: all threads with
// samples must have them, for one clock is that of all. What is left out is told.
func (p *firefoxParser) cpuTimes() (unit time.Duration, ok bool) {
	with, without := 0, ""
	for _, t := range p.threads {
		switch {
		case t.from == t.to:
		case t.hasCPU:
			with++
		default:
			without = t.name
		}
	}
	unit, isTime := map[string]time.Duration{"ns": 1, "us": 1000, "µs": 1000, "μs": 1000, "ms": 1_000_000}[p.cpuUnit]
	switch {
	case with == 0:
	case !isTime:
		p.complain(trace.WarnDumpLeftOut, fmt.Sprintf("the threads' CPU times are in %q, which is no unit of time, and are left out", p.cpuUnit), "")
	case without != "":
		p.complain(trace.WarnDumpLeftOut, fmt.Sprintf("thread %q has no CPU times: those of %s are left out", without, words.Count(with, "other")), "")
	default:
		return unit, true
	}
	return 0, false
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
