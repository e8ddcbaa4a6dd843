package firefox

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/jsonread"
	"artifice/internal/words"
	"artifice/trace"
)

// parser reads the Firefox Profiler's processed profiles, as it saves them and as artifice writes
// them: threads with a sample for each row of their columns. If weights are tracing-ms, a stack
// lasts for its weight from its time on; if they are samples, or there are none, until the next
// one. threadCPUDelta is the CPU time since the previous sample, in the unit of meta.sampleUnits.
// Without CPU times, a thread waits in stacks of the category Idle, and of Vernier's Stalled.
//
// Tables of stacks, frames, functions and strings are each thread's own, or shared by all
// (profile.shared), where missing tables of a thread are looked up. A stack's caller is in
// the column prefix, or, as a distance, in prefixOffset. Markers are skipped.
//
// The whole profile is in memory before the first sample is delivered: a sample takes 32 bytes
// besides its row of the columns, which together is at most 12 bytes for each byte of the file.
type parser struct {
	stackdump.WholeJSON
	version int
	cpuUnit string
	waiting map[int32]bool // categories of stacks in which threads wait
	shared  tables
	threads []*thread
}

// oldestVersion is the oldest version that is read, the first in the profiler's own list of changes
// (docs-developer/CHANGELOG-formats.md). newestVersion is the newest version that was tested, that
// of profiler-cli 0.10.0.
const oldestVersion, newestVersion = 41, 75

type thread struct {
	tables
	name       string
	tid        int64
	pid        int
	process    string
	from, to   int // its samples' range in the list; their stacks are indexes of its own table
	hasCPU     bool
	weightType string
	columns    columns
}

// codec is the [stackdump.Codec] of profiles.
type codec struct{}

// Detect implements [stackdump.Codec].
func (codec) Detect(head []byte) bool {
	return stackdump.HasJSONKeys(head, "meta", "preprocessedProfileVersion")
}

// Parser implements [stackdump.Codec].
func (codec) Parser(in stackdump.Input, text io.Reader, _ stackdump.ReaderConfig) stackdump.Parser {
	p := &parser{}
	p.Init(in, text, p)
	return p
}

// NameThread implements [stackdump.Document].
func (p *parser) NameThread(tid uint32, t *stackdump.Thread) {
	th := p.threads[tid]
	t.Name, t.ID = p.Text([]byte(th.name)), stackdump.ID{TID: th.tid, Number: int64(tid) + 1}
	t.PID, t.Process = th.pid, p.Text([]byte(th.process))
}

// ReadFile implements [stackdump.Document]. The parts of stacks may follow the samples.
func (p *parser) ReadFile() error {
	if err := p.Object(p.member); err != nil {
		return err
	}
	if p.version < oldestVersion {
		return p.Bad("a processed profile of version %d, but only versions from %d on are read; open it in profiler.firefox.com and save it again, which writes the newest version", p.version, oldestVersion)
	}
	if p.version > newestVersion {
		p.Complain(trace.WarnDumpHead, fmt.Sprintf("a processed profile of version %d; the newest version tested is %d", p.version, newestVersion), "")
	}
	if len(p.Samples.List) == 0 {
		return stackdump.BadLine(p.Name, 0, fmt.Sprintf("a processed profile without samples, only %s: markers are not read", words.Count(len(p.threads), "thread")), nil)
	}
	unit, cpu := p.cpuTimes()
	p.shared.setCallers()
	p.shared.setWaits(p.waiting)
	waits := false // some sample waits
	for _, t := range p.threads {
		if err := p.complete(t); err != nil {
			return err
		}
		waits = waits || slices.ContainsFunc(p.Samples.List[t.from:t.to], func(s stackdump.Sample) bool { return t.waitsIn(s.Stack) })
	}
	for _, t := range p.threads {
		switch {
		case cpu:
			if err := p.scale(t, unit); err != nil {
				return err
			}
		default:
			p.clock(t, waits)
		}
		if err := p.resolve(t); err != nil {
			return err
		}
	}
	return nil
}

// cpuTimes returns the unit of the CPU times, and whether they are read. They are read only if all
// threads with samples have them, because all threads of a recording have the same clocks. cpuTimes
// warns if they are skipped.
func (p *parser) cpuTimes() (unit time.Duration, ok bool) {
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
		p.Complain(trace.WarnDumpLeftOut, fmt.Sprintf("the threads' CPU times are ignored: %q is not a unit of time", p.cpuUnit), "")
	case without != "":
		p.Complain(trace.WarnDumpLeftOut, fmt.Sprintf("thread %q has no CPU times: those of %s are ignored", without, words.Count(with, "other")), "")
	default:
		return unit, true
	}
	return 0, false
}

// member reads a member of the profile.
func (p *parser) member(key string) error {
	switch key {
	case "meta":
		var meta struct {
			Version  int          `json:"preprocessedProfileVersion"`
			Interval *json.Number `json:"interval"`
			Units    struct {
				CPU string `json:"threadCPUDelta"`
			} `json:"sampleUnits"`
			Categories []struct {
				Name string `json:"name"`
			} `json:"categories"`
		}
		if err := p.Decode(&meta); err != nil {
			return err
		}
		p.version, p.cpuUnit = meta.Version, meta.Units.CPU
		p.waiting = map[int32]bool{}
		for i, c := range meta.Categories {
			p.waiting[int32(i)] = c.Name == "Idle" || c.Name == "Stalled"
		}
		if meta.Interval != nil {
			if interval, err := stackdump.TimeOf(*meta.Interval, time.Millisecond); err == nil {
				p.Interval = max(interval, 0)
			}
		}
		return nil
	case "shared":
		return p.Object(func(key string) error { return p.table(key, &p.shared) })
	case "threads":
		return p.Array(p.thread)
	}
	return p.Skip()
}

// thread reads a thread.
func (p *parser) thread() error {
	t := &thread{}
	err := p.Object(func(key string) error {
		switch key {
		case "name":
			return p.Decode(&t.name)
		case "processName":
			return p.Decode(&t.process)
		case "pid":
			var pid jsonread.Text
			err := p.Decode(&pid)
			fmt.Sscan(string(pid), &t.pid)
			return err
		case "tid":
			var tid jsonread.Text
			err := p.Decode(&tid)
			fmt.Sscan(string(tid), &t.tid) // some tids are not numbers
			return err
		case "samples":
			return p.Object(func(key string) error { return p.column(key, t) })
		}
		return p.table(key, &t.tables)
	})
	if err != nil {
		return err
	}
	p.threads = append(p.threads, t)
	t.from = len(p.Samples.List)
	err = p.place(t, uint32(len(p.threads)-1))
	t.to, t.columns = len(p.Samples.List), columns{}
	return err
}

// resolve sets the stacks of a thread's samples, as nodes of the common tree.
func (p *parser) resolve(t *thread) error {
	stacks, err := p.stacks(t)
	if err != nil {
		return err
	}
	list := p.Samples.List[t.from:t.to]
	for i := range list {
		if s := &list[i]; s.Stack != stackdump.NoNode {
			if s.Stack < 0 || int(s.Stack) >= len(stacks) {
				return p.Bad("a sample of thread %q refers to stack %d, but the thread has %d stacks", t.name, s.Stack, len(stacks))
			}
			s.Stack = stacks[s.Stack]
		}
	}
	t.tables = tables{}
	return nil
}

// scale converts the CPU times of a thread's samples from their unit.
func (p *parser) scale(t *thread, unit time.Duration) error {
	list := p.Samples.List[t.from:t.to]
	for i := range list {
		s := &list[i]
		if s.CPU > stackdump.Farthest/unit || s.CPU < -stackdump.Farthest/unit {
			return p.Bad("thread %q has used an implausible %d %s of CPU time", t.name, int64(s.CPU), p.cpuUnit)
		}
		s.CPU *= unit
	}
	return nil
}

// clock sets the CPU times of a thread's samples without such times: if some sample of the file
// waits, the CPU time advances in all others; otherwise it is unknown.
func (p *parser) clock(t *thread, waits bool) {
	list := p.Samples.List[t.from:t.to]
	cpu := time.Duration(0)
	for i := range list {
		s := &list[i]
		if s.CPU = -1; !waits {
			continue
		}
		s.CPU = cpu
		if i+1 < len(list) && s.Stack != stackdump.NoNode && !t.waitsIn(s.Stack) {
			cpu += list[i+1].At - s.At
		}
	}
}
