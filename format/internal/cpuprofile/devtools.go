package cpuprofile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
	"artifice/internal/jsonread"
	"artifice/internal/words"
	"artifice/trace"
)

// Samples is the samples in Chrome JSON, one profile for each thread: those of V8's profiler in a
// trace of Chrome's developer tools, or the object's samples with stackFrames (stackframes.go). A
// trace with samples is read in this format unless its calls (format chrome) are requested, because
// the calls are tasks of the browser and only the samples contain functions.
var Samples = kind.OfDumps(kind.Format{
	Name: "chrome-samples", About: "samples in Chrome JSON, as V8 (ProfileChunk events) and Hermes (stackFrames) write them",
}, stackdump.Format{Codec: eventCodec{}})

// ErrNoSamples is the error of a trace without samples.
var ErrNoSamples = errors.New("the trace has no samples with stacks: --input-format chrome reads its calls")

// eventCodec is the [stackdump.Codec] of traces with samples.
type eventCodec struct{}

// Detect implements [stackdump.Codec]. Package chrome finds samples, which can be anywhere in a
// trace.
func (eventCodec) Detect([]byte) bool { return false }

// Parser implements [stackdump.Codec].
func (eventCodec) Parser(in stackdump.Input, text io.Reader, cfg stackdump.ReaderConfig) stackdump.Parser {
	p := &eventParser{profiles: map[profileKey]*eventProfile{}, threads: map[threadKey]string{}, processes: map[int64]string{}}
	p.stacks = stackSamples{index: map[string]int32{}, profiles: map[threadKey]uint32{}}
	p.Init(in, text, p)
	p.cpu = stackdump.OfCPU((*cpuEvents)(p), &p.Input, cfg)
	return p
}

// eventParser reads the events of a trace. "Profile" begins a profile. Each "ProfileChunk" adds
// nodes to those of earlier chunks, and samples with the time between them. Older traces contain a
// whole profile in "CpuProfile". Source: V8's src/profiler/cpu-profiler.cc and
// profile-generator.cc, CpuProfile::StreamPendingTraceEvents.
type eventParser struct {
	stackdump.WholeJSON
	profiles  map[profileKey]*eventProfile
	order     []*eventProfile // in the order of their first events
	threads   map[threadKey]string
	processes map[int64]string
	calls     int64 // number of events of calls, which are ignored
	stacks    stackSamples
	cpu       stackdump.Parser // delivers the samples if they are of an event of the CPU
}

// profileKey identifies a profile, because several processes use the same numbers.
type profileKey struct {
	pid int64
	id  string
}

type threadKey struct{ pid, tid int64 }

// eventProfile is the profile of a thread.
type eventProfile struct {
	thread threadKey
	start  json.Number // in µs; empty until "Profile" is read
	chunks []chunk
}

// chunk is a part of a profile.
type chunk struct {
	at      time.Duration
	nodes   []listNode
	samples []int64
	deltas  []json.Number // in µs
	end     json.Number   // of the profile; empty in all chunks but the last
}

// profileEvent contains the used members of an event.
type profileEvent struct {
	Name string          `json:"name"`
	ID   jsonread.Text   `json:"id"`
	PID  quotable        `json:"pid"`
	TID  quotable        `json:"tid"`
	TS   json.Number     `json:"ts"`
	Args json.RawMessage `json:"args"`
}

// profileArgs are the arguments of an event with a part of a profile.
type profileArgs struct {
	Data struct {
		StartTime  json.Number   `json:"startTime"`
		EndTime    json.Number   `json:"endTime"`
		TimeDeltas []json.Number `json:"timeDeltas"`
		CPUProfile struct {
			Nodes      []listNode    `json:"nodes"`
			Samples    []int64       `json:"samples"`
			TimeDeltas []json.Number `json:"timeDeltas"`
			StartTime  json.Number   `json:"startTime"`
			EndTime    json.Number   `json:"endTime"`
		} `json:"cpuProfile"`
	} `json:"data"`
	Name string `json:"name"` // name of a process or thread
}

// ReadFile implements [stackdump.Document].
func (p *eventParser) ReadFile() error {
	c, err := p.Peek()
	if err != nil {
		return err
	}
	if c == '[' {
		err = p.Array(p.event)
	} else {
		err = p.Object(p.member)
	}
	// if the program dies, the end of the array is missing
	if (err == io.EOF || err == io.ErrUnexpectedEOF) && len(p.order) > 0 {
		p.Warn.Add(trace.WarnNoSummary, p.Name, 0, "the array of events has no end; the last samples may be missing", "")
		err = nil
	}
	if err != nil {
		return err
	}
	if p.calls > 0 {
		p.Warn.Add(trace.WarnDumpLeftOut, p.Name, 0, "events of calls are ignored, because the file has samples; --input-format chrome reads the calls instead; number of events", fmt.Sprint(p.calls))
	}
	return p.place()
}

// member reads a member of the object.
func (p *eventParser) member(key string) error {
	switch key {
	case "traceEvents":
		return p.Array(p.event)
	case "samples":
		return p.Array(p.stackSample)
	case "stackFrames":
		return p.Object(p.stackFrame)
	}
	return p.Skip()
}

// event reads an event.
func (p *eventParser) event() error {
	text, err := p.Value()
	if err != nil {
		return err
	}
	if !bytes.Contains(text, []byte("Profile")) && !bytes.Contains(text, []byte(`_name"`)) {
		p.other(text)
		return nil
	}
	var e profileEvent
	if err := json.Unmarshal(text, &e); err != nil {
		if p.other(text) { // an ignored kind of event
			return nil
		}
		return err
	}
	switch e.Name {
	case "Profile", "ProfileChunk", "CpuProfile", "thread_name", "process_name":
	default:
		p.other(text)
		return nil
	}
	var args profileArgs
	if len(e.Args) > 0 {
		if err := json.Unmarshal(e.Args, &args); err != nil {
			return p.Bad("the arguments of an event %s: %v", e.Name, err)
		}
	}
	switch e.Name {
	case "thread_name":
		p.threads[threadKey{int64(e.PID), int64(e.TID)}] = p.Text([]byte(args.Name))
	case "process_name":
		p.processes[int64(e.PID)] = p.Text([]byte(args.Name))
	default:
		return p.part(&e, &args)
	}
	return nil
}

// other reports whether an event contains no part of a profile. It counts the event if it is of a
// call.
func (p *eventParser) other(text []byte) bool {
	call := isCall(text)
	if call {
		p.calls++
	}
	return call
}

// isCall reports whether the text of an event has the phase of a call's begin, of its end, or of a
// whole call. Hermes marks each thread with a call of duration 0, which is not counted.
func isCall(text []byte) bool {
	phase := valueOf(text, `"ph"`)
	if len(phase) < 3 || phase[0] != '"' || phase[2] != '"' || bytes.IndexByte([]byte("BEX"), phase[1]) < 0 {
		return false
	}
	took := valueOf(text, `"dur"`)
	return phase[1] != 'X' || len(took) < 2 || took[0] != '0' || took[1] != ',' && took[1] != '}'
}

// valueOf returns the text of an event from the value of its first member with this key on.
func valueOf(text []byte, key string) []byte {
	_, rest, _ := bytes.Cut(text, []byte(key))
	return bytes.TrimLeft(rest, " \t\r\n:")
}

// part adds the part of a profile that an event contains.
func (p *eventParser) part(e *profileEvent, args *profileArgs) error {
	at, err := stackdump.TimeOf(cmp.Or(e.TS, "0"), time.Microsecond)
	if err != nil {
		return p.Bad("ts: %v", err)
	}
	thread := threadKey{int64(e.PID), int64(e.TID)}
	key := profileKey{thread.pid, string(e.ID)}
	if e.Name == "CpuProfile" {
		key.id = fmt.Sprint("whole ", len(p.order)) // each event is a whole profile
	}
	profile := p.profiles[key]
	if profile == nil {
		profile = &eventProfile{thread: thread}
		p.profiles[key] = profile
		p.order = append(p.order, profile)
	}
	data := &args.Data
	if start := cmp.Or(data.StartTime, data.CPUProfile.StartTime); start != "" {
		profile.start = start
	}
	if e.Name == "Profile" { // the thread that writes chunks is the profiler's
		profile.thread = thread
	}
	deltas := data.TimeDeltas
	if len(deltas) == 0 {
		deltas = data.CPUProfile.TimeDeltas
	}
	if len(deltas) != len(data.CPUProfile.Samples) {
		return p.Bad("%d samples, but %d timeDeltas", len(data.CPUProfile.Samples), len(deltas))
	}
	profile.chunks = append(profile.chunks, chunk{at, data.CPUProfile.Nodes, data.CPUProfile.Samples, deltas, cmp.Or(data.EndTime, data.CPUProfile.EndTime)})
	return nil
}

// place sets the times of the samples of all profiles. Samples with stackFrames are read if there
// are none of V8's profiler.
func (p *eventParser) place() error {
	var steps []time.Duration
	total, missed := 0, 0
	for i, profile := range p.order {
		n, lost, own, err := p.placeProfile(uint32(i), profile)
		if err != nil {
			return err
		}
		total, missed = total+n, missed+lost
		steps = append(steps, own...)
	}
	switch n := len(p.stacks.list); {
	case total == 0:
		return p.placeStacks()
	case n > 0:
		p.Warn.Add(trace.WarnDumpLeftOut, p.Name, 0, "the samples of V8's profiler are read, not the samples with stackFrames", words.Count(n, "sample"))
	}
	p.Interval = medianStep(steps)
	return checkStacks(&p.WholeJSON, missed, total)
}

// placeProfile sets the times of a profile's samples. number is the profile's index in p.order. It
// returns the number of samples, of those without a stack, and the times between all samples.
func (p *eventParser) placeProfile(number uint32, profile *eventProfile) (count, missed int, steps []time.Duration, err error) {
	slices.SortStableFunc(profile.chunks, func(a, b chunk) int { return cmp.Compare(a.at, b.at) })
	nodes := newNodes(&p.WholeJSON)
	for _, c := range profile.chunks {
		for i := range c.nodes {
			if err := nodes.add(&c.nodes[i]); err != nil {
				return 0, 0, nil, err
			}
		}
		count += len(c.samples)
	}
	if count == 0 {
		return 0, 0, nil, nil
	}
	if err = nodes.link(); err != nil {
		return 0, 0, nil, err
	}
	at, end := profile.chunks[0].at, time.Duration(0)
	if profile.start != "" {
		if at, err = stackdump.TimeOf(profile.start, time.Microsecond); err != nil {
			return 0, 0, nil, p.Bad("startTime: %v", err)
		}
	}
	latest := at
	for _, c := range profile.chunks {
		for i, id := range c.samples {
			step, err := stackdump.TimeOf(c.deltas[i], time.Microsecond)
			if err != nil {
				return 0, 0, nil, p.Bad("timeDeltas: %v", err)
			}
			at += step
			steps = append(steps, step)
			if at < -stackdump.Farthest || at > stackdump.Farthest {
				return 0, 0, nil, p.Bad("a sample has the implausible time %s", at)
			}
			p.Add(at, -1, number, nodes.stackOf(id), 1)
			latest = max(latest, at)
		}
		if c.end != "" {
			if end, err = stackdump.TimeOf(c.end, time.Microsecond); err != nil {
				return 0, 0, nil, p.Bad("endTime: %v", err)
			}
		}
	}
	if end < latest { // without an end, the last sample lasts for the median duration
		end = latest + medianStep(steps)
	}
	p.Add(end, -1, number, stackdump.NoNode, 0)
	return count, nodes.missed, steps, nil
}

// NameThread implements [stackdump.Document].
func (p *eventParser) NameThread(number uint32, t *stackdump.Thread) {
	key := p.order[number].thread
	t.ID = stackdump.ID{TID: key.tid}
	t.Name = cmp.Or(p.threads[key], fmt.Sprintf("thread-%d", key.tid))
	t.PID, t.Process = int(key.pid), p.processes[key.pid]
	for _, other := range p.order {
		if other.thread == key && other != p.order[number] { // two profiles have the same thread
			t.ID.Number = int64(number) + 1
		}
	}
}
