package speedscope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/encode"
	"artifice/internal/jsonread"
	"artifice/trace"
)

// noFrame is the name of time without an open frame in profiles written by artifice.
const noFrame stackdump.FrameID = math.MaxUint32

// sampledParser reads the sampled profiles of speedscope's own format
// (https://www.speedscope.app/file-format-schema.json). Each is a thread. A stack lasts for its
// weight if the unit is a time, and for that number of samples if it is "none". Evented profiles
// are read by evented.go.
type sampledParser struct {
	stackdump.WholeJSON
	each    time.Duration // duration of a unit of weight
	frames  []stackdump.FrameID
	threads []sampledThread
	rows    []row
	numbers []int32 // indexes of the frames of all stacks
}

type sampledThread struct {
	name string
	tid  int64
}

// row is a stack: numbers[from:to], outermost first.
type row struct {
	at       time.Duration
	from, to int
	thread   uint32
	count    uint32 // number of samples; 0 at the end of a profile
}

// sampledCodec is the [stackdump.Codec] of sampled profiles.
type sampledCodec struct{}

// Detect implements [stackdump.Codec].
func (sampledCodec) Detect(head []byte) bool {
	return stackdump.HasJSONKeys(head, "sampled") && bytes.Contains(head, []byte("speedscope.app/file-format-schema"))
}

// Parser implements [stackdump.Codec].
func (sampledCodec) Parser(in stackdump.Input, text io.Reader, cfg stackdump.ReaderConfig) stackdump.Parser {
	p := &sampledParser{each: cfg.Interval}
	p.Init(in, text, p)
	return p
}

// NameThread implements [stackdump.Document].
func (p *sampledParser) NameThread(tid uint32, t *stackdump.Thread) {
	th := p.threads[tid]
	t.Name, t.ID = p.Text([]byte(th.name)), stackdump.ID{TID: th.tid, Number: int64(tid) + 1}
}

// ReadFile implements [stackdump.Document]. Frames may follow the stacks that contain their
// numbers.
func (p *sampledParser) ReadFile() error {
	if err := p.Object(p.member); err != nil {
		return err
	}
	for _, row := range p.rows {
		stack := int32(stackdump.NoNode)
		for _, n := range p.numbers[row.from:row.to] {
			if n < 0 || int(n) >= len(p.frames) {
				return p.Bad("a stack refers to frame %d, but the file has %d frames", n, len(p.frames))
			}
			if id := p.frames[n]; id != noFrame {
				stack = p.Samples.Under(stack, uint64(id))
			}
		}
		p.Add(row.at, -1, row.thread, stack, row.count)
	}
	p.rows, p.numbers = nil, nil
	return nil
}

// member reads a member of the document.
func (p *sampledParser) member(key string) error {
	switch key {
	case "shared":
		return p.Object(func(key string) error {
			if key != "frames" {
				return p.Skip()
			}
			return p.Array(p.frame)
		})
	case "profiles":
		return p.Array(p.profile)
	}
	return p.Skip()
}

// frame reads a frame.
func (p *sampledParser) frame() error {
	var frame struct {
		Name string `json:"name"`
		File string `json:"file"`
		Line int    `json:"line"`
	}
	if err := p.Decode(&frame); err != nil {
		return err
	}
	if frame.Name == encode.Toplevel {
		p.frames = append(p.frames, noFrame)
		return nil
	}
	f := stackdump.ParseFoldedFrame(p.Text([]byte(frame.Name)))
	f.File, f.Line = p.Text([]byte(frame.File)), max(frame.Line, 0)
	p.frames = append(p.frames, p.Input.Frames.Add(f))
	return nil
}

// units are the units of time.
var units = map[string]time.Duration{
	"nanoseconds": time.Nanosecond, "microseconds": time.Microsecond, "milliseconds": time.Millisecond, "seconds": time.Second,
}

// noUnit returns the warning of a profile whose unit is "none".
func noUnit(name string, each time.Duration) string {
	return fmt.Sprintf("profile %q has no unit of time: each count is read as %s", name, each)
}

// notTime describes why a profile without a unit of time is not read, with advice.
func notTime(unit string) string {
	if len(unit) > 30 {
		unit = unit[:30] + "…"
	}
	return fmt.Sprintf("profiles in %s are not read: read the profile that the file was made from, as pprof or OTLP", unit)
}

// profile reads a profile. Its members come in any order.
func (p *sampledParser) profile() error {
	kind, name, unit, start := "", "", "none", json.Number("0")
	var weights []json.Number
	first, from := len(p.rows), len(p.numbers)
	err := p.Object(func(key string) error {
		switch key {
		case "type":
			return p.Decode(&kind)
		case "name":
			return p.Decode(&name)
		case "unit":
			return p.Decode(&unit)
		case "startValue":
			return p.Decode(&start)
		case "samples":
			return p.Array(p.stack)
		case "weights":
			return p.Array(func() error {
				n, err := p.Number()
				weights = append(weights, json.Number(n))
				return err
			})
		}
		return p.Skip()
	})
	if err != nil {
		return err
	}
	each, isTime := units[unit]
	p.Here()
	switch {
	case kind != "sampled":
		p.Complain(trace.WarnDumpLeftOut, "a profile of another type than sampled is ignored; --input-format speedscope reads the evented ones", fmt.Sprintf("%q, %q", name, kind))
	case !isTime && unit != "none":
		p.Complain(trace.WarnDumpLeftOut, "a profile is ignored: "+notTime(unit), name)
	default:
		p.threads = append(p.threads, threadOf(name))
		return p.place(first, weights, start, each)
	}
	p.rows, p.numbers = p.rows[:first], p.numbers[:from]
	return nil
}

// stack reads a stack.
func (p *sampledParser) stack() error {
	row := row{from: len(p.numbers)}
	err := p.Array(func() error {
		n, err := jsonread.Int[int32](p.Document, 0)
		p.numbers = append(p.numbers, n)
		return err
	})
	row.to = len(p.numbers)
	p.rows = append(p.rows, row)
	return err
}

// place sets the times of a profile's samples, the rows from first on: each lasts for its weight in
// units of each, or in samples if each is 0. Without a unit a weight of 0 is no sample.
func (p *sampledParser) place(first int, weights []json.Number, start json.Number, each time.Duration) error {
	rows := p.rows[first:]
	if len(weights) != len(rows) {
		return p.Bad("%d samples, but %d weights", len(rows), len(weights))
	}
	counted := each == 0
	if counted {
		p.Unclocked = true
		p.Warn.Add(trace.WarnDumpTime, p.Name, 0, noUnit(p.threads[len(p.threads)-1].name, p.each), "")
		each, start = p.each, "0"
	}
	at, err := stackdump.TimeOf(start, max(each, 1))
	if err != nil {
		return p.Bad("startValue: %v", err)
	}
	thread := uint32(len(p.threads) - 1)
	kept := rows[:0]
	for i, r := range rows {
		weight, err := stackdump.TimeOf(weights[i], each)
		n := int64(1)
		if counted {
			n = int64(math.Round(float64(weight) / float64(each)))
		}
		if err != nil || weight < 0 || n > math.MaxInt32 {
			return p.Bad("the weight of sample %d, %.30q, is negative, too large or no number", i, weights[i])
		}
		if !counted || weight > 0 {
			r.at, r.thread, r.count = at, thread, uint32(max(n, 1))
			kept = append(kept, r)
		}
		if at += weight; at > stackdump.Farthest {
			return p.Bad("sample %d ends at the implausible time %s", i, at)
		}
	}
	p.rows = p.rows[:first+len(kept)]
	if len(rows) > 0 {
		p.rows = append(p.rows, row{at: at, thread: thread})
	}
	return nil
}

// threadOf returns the thread of a profile with this name. A number in parentheses at its end is
// the tid, as artifice and others write it.
func threadOf(name string) sampledThread {
	if i := strings.LastIndex(name, " ("); i >= 0 && strings.HasSuffix(name, ")") {
		if tid, err := strconv.ParseUint(name[i+2:len(name)-1], 10, 32); err == nil && tid > 0 {
			return sampledThread{name[:i], int64(tid)}
		}
	}
	return sampledThread{name: name}
}
