package stackdump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"artifice/internal/foldfile"
	"artifice/trace"
)

// noFrame stands for what our own profiles call the time in which no frame is open.
const noFrame FrameID = math.MaxUint32

// speedscopeParser reads the sampled profiles of speedscope's own format
// (https://www.speedscope.app/file-format-schema.json). Each is a thread. A stack stands
// for its weight where the unit is a time; where it is "none", for as many samples.
// Evented profiles are package timeline's.
type speedscopeParser struct {
	wholeJSON
	each    time.Duration // of a sample whose weight is a count
	frames  []FrameID
	threads []speedscopeThread
	rows    []speedscopeRow
	numbers []int32 // of frames, of all stacks
}

type speedscopeThread struct {
	name string
	tid  int64
}

// speedscopeRow is a stack: numbers[from:to], outermost first.
type speedscopeRow struct {
	at       time.Duration
	from, to int
	thread   uint32
	count    uint32 // 0 at the end of a profile
}

func isSpeedscope(head []byte) bool {
	return isJSONWith(head, "sampled") && bytes.Contains(head, []byte("speedscope.app/file-format-schema"))
}

func newSpeedscope(in input, text io.Reader, cfg ReaderConfig) parser {
	p := &speedscopeParser{each: cfg.Interval}
	p.init(in, text, p.readFile)
	p.all.thread = func(tid uint32, t *Thread) {
		th := p.threads[tid]
		t.Name, t.ID = p.text([]byte(th.name)), ID{TID: th.tid, Number: int64(tid) + 1}
	}
	return p
}

// readFile reads the document; frames may come after the stacks that have their numbers.
func (p *speedscopeParser) readFile() error {
	if err := p.object(p.member); err != nil {
		return err
	}
	for _, row := range p.rows {
		stack := int32(noNode)
		for _, n := range p.numbers[row.from:row.to] {
			if n < 0 || int(n) >= len(p.frames) {
				return p.bad("a stack has frame %d, of %d frames", n, len(p.frames))
			}
			if id := p.frames[n]; id != noFrame {
				stack = p.all.under(stack, uint64(id))
			}
		}
		p.add(row.at, -1, row.thread, stack, row.count)
	}
	p.rows, p.numbers = nil, nil
	return nil
}

// member reads a member of the document.
func (p *speedscopeParser) member(key string) error {
	switch key {
	case "shared":
		return p.object(func(key string) error {
			if key != "frames" {
				return p.skip()
			}
			return p.array(p.frame)
		})
	case "profiles":
		return p.array(p.profile)
	}
	return p.skip()
}

// frame reads a frame.
func (p *speedscopeParser) frame() error {
	var frame struct {
		Name string `json:"name"`
		File string `json:"file"`
		Line int    `json:"line"`
	}
	if err := p.dec.Decode(&frame); err != nil {
		return err
	}
	if frame.Name == foldfile.Toplevel {
		p.frames = append(p.frames, noFrame)
		return nil
	}
	f := parseFoldedFrame(p.text([]byte(frame.Name)))
	f.File, f.Line = p.text([]byte(frame.File)), max(frame.Line, 0)
	p.frames = append(p.frames, p.input.frames.add(f))
	return nil
}

// speedscopeUnits are the units that are times.
var speedscopeUnits = map[string]time.Duration{
	"nanoseconds": time.Nanosecond, "microseconds": time.Microsecond, "milliseconds": time.Millisecond, "seconds": time.Second,
}

// profile reads a profile, whose members come in any order.
func (p *speedscopeParser) profile() error {
	kind, name, unit, start := "", "", "none", json.Number("0")
	var weights []json.Number
	first, from := len(p.rows), len(p.numbers)
	err := p.object(func(key string) error {
		switch key {
		case "type":
			return p.dec.Decode(&kind)
		case "name":
			return p.dec.Decode(&name)
		case "unit":
			return p.dec.Decode(&unit)
		case "startValue":
			return p.dec.Decode(&start)
		case "samples":
			return p.array(p.stack)
		case "weights":
			return p.dec.Decode(&weights)
		}
		return p.skip()
	})
	if err != nil {
		return err
	}
	each, isTime := speedscopeUnits[unit]
	p.here()
	switch {
	case kind != "sampled":
		p.complain(trace.WarnDumpLeftOut, "a profile of another type than sampled is left out; as speedscope the evented ones are read", fmt.Sprintf("%q, %q", name, kind))
	case !isTime && unit != "none":
		p.complain(trace.WarnDumpLeftOut, fmt.Sprintf("a profile is left out: it counts %q, which is no time", unit), name)
	default:
		p.threads = append(p.threads, speedscopeThreadOf(name))
		return p.place(p.rows[first:], weights, start, each)
	}
	p.rows, p.numbers = p.rows[:first], p.numbers[:from]
	return nil
}

// stack reads a stack.
func (p *speedscopeParser) stack() error {
	row := speedscopeRow{from: len(p.numbers)}
	err := p.array(func() error {
		var n int32
		err := p.dec.Decode(&n)
		p.numbers = append(p.numbers, n)
		return err
	})
	row.to = len(p.numbers)
	p.rows = append(p.rows, row)
	return err
}

// place gives the samples of a profile their times: each stands for its weight, in units,
// or in samples where each is 0.
func (p *speedscopeParser) place(rows []speedscopeRow, weights []json.Number, start json.Number, each time.Duration) error {
	if len(weights) != len(rows) {
		return p.bad("%d samples and %d weights", len(rows), len(weights))
	}
	counted := each == 0
	if counted {
		each, start = p.each, "0"
	}
	at, err := timeOf(start, max(each, 1))
	if err != nil {
		return p.bad("startValue: %v", err)
	}
	thread := uint32(len(p.threads) - 1)
	for i := range rows {
		rows[i].at, rows[i].thread, rows[i].count = at, thread, 1
		var weight time.Duration
		if n, err := strconv.ParseUint(string(weights[i]), 10, 31); counted && err == nil && n > 0 {
			rows[i].count, weight = uint32(n), time.Duration(n)*min(each, farthest>>31)
		} else if weight, err = timeOf(weights[i], each); err != nil || counted || weight < 0 {
			return p.bad("sample %d has the weight %.30q", i, weights[i])
		}
		if at += weight; at > farthest {
			return p.bad("sample %d ends after %s, beyond what is believed", i, at)
		}
	}
	if len(rows) > 0 {
		p.rows = append(p.rows, speedscopeRow{at: at, thread: thread})
	}
	return nil
}

// speedscopeThreadOf returns the thread that a profile of a name is of. Where that ends in
// a number in parentheses, as artifice and others write it, it is the thread's tid.
func speedscopeThreadOf(name string) speedscopeThread {
	if i := strings.LastIndex(name, " ("); i >= 0 && strings.HasSuffix(name, ")") {
		if tid, err := strconv.ParseUint(name[i+2:len(name)-1], 10, 32); err == nil && tid > 0 {
			return speedscopeThread{name[:i], int64(tid)}
		}
	}
	return speedscopeThread{name: name}
}
