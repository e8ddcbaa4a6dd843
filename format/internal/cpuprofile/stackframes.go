package cpuprofile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/jsonread"
)

// stackSamples are the samples of the member "samples" of Chrome JSON, and the frames of the member
// "stackFrames". Hermes, the JavaScript engine of React Native, writes them, and the documented
// "JSON Object Format" of trace events has them for samples of Linux's perf.
//
// The stack of a sample lasts until the next sample of its thread, as in React Native's
// hermes-profile-transformer and in speedscope; the last one lasts for the sampling interval. The
// outermost frame [root] of Hermes (category root) is no frame: a sample of it alone is a thread
// that runs no JavaScript. Samples that count a clock or the cycles of the CPU have its time, as
// those of perf: a thread without samples did not run.
type stackSamples struct {
	list     []stackSample
	index    map[string]int32 // by the id of a frame, which samples or other frames can refer to first
	frames   []stackFrame
	events   []string             // names of events of the CPU
	profiles map[threadKey]uint32 // index of the profile of each thread with samples
}

// stackSample is a sample.
type stackSample struct {
	at      time.Duration
	profile uint32 // index of its thread's profile
	frame   int32  // innermost frame
	event   uint16
	onCPU   bool // it counts an event of the CPU
	weight  int64
}

// stackFrame is a frame.
type stackFrame struct {
	call           cpuCallFrame
	parent         int32 // -1: none
	defined, shown bool
}

// quotable is a whole number that some programs quote.
type quotable int64

// UnmarshalJSON implements [json.Unmarshaler].
func (q *quotable) UnmarshalJSON(b []byte) error {
	if len(b) > 2 && b[0] == '"' {
		b = b[1 : len(b)-1]
	}
	return json.Unmarshal(b, (*int64)(q))
}

// sampleMembers are the used members of a sample.
type sampleMembers struct {
	CPU    jsonread.Text `json:"cpu"` // absent or negative: not stated
	Name   string        `json:"name"`
	TS     jsonread.Text `json:"ts"`
	PID    *quotable     `json:"pid"`
	TID    quotable      `json:"tid"`
	Weight jsonread.Text `json:"weight"`
	Frame  jsonread.Text `json:"sf"`
}

// noPID is the process of samples that state none.
const noPID = math.MinInt64

// maxEvents is the maximum number of events of samples that are distinguished.
const maxEvents = 100

// stackSample reads a sample. Other elements of the array are skipped.
func (p *eventParser) stackSample() error {
	text, err := p.Value()
	if err != nil || !bytes.Contains(text, []byte(`"sf"`)) {
		return err
	}
	var in sampleMembers
	if err := json.Unmarshal(text, &in); err != nil {
		return p.Bad("a sample: %v", err)
	}
	at, err := stackdump.TimeOf(in.TS, time.Microsecond)
	if err != nil {
		return p.Bad("ts of a sample: %v", err)
	}
	weight, err := strconv.ParseFloat(cmp.Or(string(in.Weight), "1"), 64)
	if err != nil || !(weight >= 0 && weight <= math.MaxInt64/2) {
		return p.Bad("the weight of a sample, %.30q, is negative, too large or no number", in.Weight)
	}
	thread := threadKey{noPID, int64(in.TID)}
	if in.PID != nil {
		thread.pid = int64(*in.PID)
	}
	s := stackSample{at: at, profile: p.profileOf(thread), frame: p.stacks.frame(string(in.Frame)), weight: int64(math.Round(weight))}
	if in.CPU != "" && in.CPU[0] != '-' && stackdump.MeasuresCPU(in.Name) {
		s.event, s.onCPU = p.stacks.event(in.Name)
	}
	p.stacks.list = append(p.stacks.list, s)
	return nil
}

// profileOf returns the index of a thread's profile.
func (p *eventParser) profileOf(thread threadKey) uint32 {
	i, ok := p.stacks.profiles[thread]
	if !ok {
		i = uint32(len(p.order))
		p.order = append(p.order, &eventProfile{thread: thread})
		p.stacks.profiles[thread] = i
	}
	return i
}

// event returns the number of an event; ok is false if there are too many.
func (s *stackSamples) event(name string) (number uint16, ok bool) {
	i := slices.Index(s.events, name)
	if i < 0 && len(s.events) < maxEvents {
		i = len(s.events)
		s.events = append(s.events, name)
	}
	return uint16(max(i, 0)), i >= 0
}

// frame returns the index of the frame with this id.
func (s *stackSamples) frame(id string) int32 {
	i, ok := s.index[id]
	if !ok {
		i = int32(len(s.frames))
		s.frames = append(s.frames, stackFrame{parent: -1})
		s.index[id] = i
	}
	return i
}

// stackFrame reads the frame with this id.
func (p *eventParser) stackFrame(id string) error {
	var in struct {
		Name     string        `json:"name"`
		Category string        `json:"category"`
		Parent   jsonread.Text `json:"parent"`
		Line     jsonread.Text `json:"line"`
	}
	if err := p.Decode(&in); err != nil {
		return err
	}
	f := stackFrame{parent: -1, defined: true, shown: in.Category != "root" && in.Name != "[root]"}
	if in.Parent != "" && in.Parent != "null" {
		f.parent = p.stacks.frame(string(in.Parent))
	}
	line, _ := strconv.ParseInt(string(in.Line), 10, 32)
	f.call = cpuCallFrame{Name: in.Name, Line: line - 1}
	f.call.Name, f.call.URL = cutPosition(in.Name)
	p.stacks.frames[p.stacks.frame(id)] = f
	return nil
}

// cutPosition cuts the name of a frame that Hermes writes as "name(file:line:column)".
func cutPosition(text string) (name, file string) {
	name, position, ok := strings.Cut(text, "(")
	parts := strings.Split(strings.TrimSuffix(position, ")"), ":")
	n := len(parts)
	if !ok || n < 3 || !isNumber(parts[n-1]) || !isNumber(parts[n-2]) {
		return text, ""
	}
	return name, strings.Join(parts[:n-2], ":")
}

func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 32)
	return err == nil
}

// placeStacks adds the samples with stackFrames.
func (p *eventParser) placeStacks() error {
	s := &p.stacks
	if len(s.list) == 0 || !slices.ContainsFunc(s.frames, func(f stackFrame) bool { return f.defined }) {
		return ErrNoSamples
	}
	named := p.namedProcesses()
	for thread, i := range s.profiles {
		if thread.pid == noPID { // 0 if it has no name either
			p.order[i].thread.pid = max(0, named[thread.tid])
		}
	}
	stacks, err := p.linkFrames()
	if err != nil {
		return err
	}
	missed := 0
	stackOf := func(frame int32) int32 {
		if !s.frames[frame].defined {
			missed++
			return stackdump.NoNode
		}
		return stacks[frame]
	}
	if slices.ContainsFunc(s.list, func(s stackSample) bool { return !s.onCPU }) {
		p.addByTime(stackOf)
	} else {
		p.addByCPU(stackOf)
	}
	return checkStacks(&p.WholeJSON, missed, len(s.list))
}

// namedProcesses returns the process of each tid that exactly one process has named, and 0 for the
// tids that several have named.
func (p *eventParser) namedProcesses() map[int64]int64 {
	of := map[int64]int64{}
	for thread := range p.threads {
		if _, again := of[thread.tid]; again {
			of[thread.tid] = 0
		} else {
			of[thread.tid] = thread.pid
		}
	}
	return of
}

// linkFrames returns the stack of each frame.
func (p *eventParser) linkFrames() ([]int32, error) {
	nodes := newNodes(&p.WholeJSON)
	for i, f := range p.stacks.frames {
		frame := cpuFrame{}
		if f.shown {
			frame = nodes.frameOf(&f.call)
		}
		if f.parent >= 0 && !p.stacks.frames[f.parent].defined {
			nodes.orphans = append(nodes.orphans, int32(i))
			f.parent = -1
		}
		nodes.frames, nodes.callers = append(nodes.frames, frame), append(nodes.callers, f.parent)
	}
	err := nodes.link()
	return nodes.paths, err
}

// addByTime adds samples with stacks that last until the thread's next sample. A weight is a number
// of samples.
func (p *eventParser) addByTime(stackOf func(frame int32) int32) {
	list := p.stacks.list
	slices.SortStableFunc(list, func(a, b stackSample) int {
		return cmp.Or(cmp.Compare(a.profile, b.profile), cmp.Compare(a.at, b.at))
	})
	var steps []time.Duration
	var ends []int // indexes of the last samples of threads
	for i, s := range list {
		p.Add(s.at, -1, s.profile, stackOf(s.frame), uint32(min(s.weight, math.MaxInt32)))
		if i+1 < len(list) && list[i+1].profile == s.profile {
			steps = append(steps, list[i+1].at-s.at)
		} else {
			ends = append(ends, i)
		}
	}
	p.Interval = medianStep(steps)
	for _, i := range ends {
		p.Add(list[i].at+p.Interval, -1, list[i].profile, stackdump.NoNode, 0)
	}
}

// addByCPU adds samples of events of the CPU. A weight is the event's count, unless all are 1.
func (p *eventParser) addByCPU(stackOf func(frame int32) int32) {
	p.Samples.Tallies = true
	counted := slices.ContainsFunc(p.stacks.list, func(s stackSample) bool { return s.weight != 1 })
	for _, s := range p.stacks.list {
		if !counted {
			s.weight = 0
		}
		p.Samples.List = append(p.Samples.List, stackdump.Sample{At: s.at, CPU: time.Duration(s.weight), TID: s.profile, Stack: stackOf(s.frame), Event: s.event})
	}
}

// Next implements [stackdump.Parser].
func (p *eventParser) Next(d *stackdump.Dump) error {
	if err := p.Load(); err != nil {
		return err
	}
	if p.Samples.Tallies {
		return p.cpu.Next(d)
	}
	return p.WholeJSON.Next(d)
}

// cpuEvents delivers samples with the names of their events.
type cpuEvents eventParser

// Next implements [stackdump.Parser].
func (c *cpuEvents) Next(d *stackdump.Dump) error {
	err := c.WholeJSON.Next(d)
	if err == nil {
		d.Tally.Event = c.stacks.events[d.Tally.EventID]
	}
	return err
}
