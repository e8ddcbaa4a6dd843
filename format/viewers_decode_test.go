package format_test

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// fields returns the fields of a protocol buffer message: integers as uint64,
// everything else as []byte.
func fields(t *testing.T, b []byte) map[protowire.Number][]any {
	t.Helper()
	m := map[protowire.Number][]any{}
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		b = b[n:]
		var value any
		switch kind {
		case protowire.VarintType:
			value, n = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			value, n = protowire.ConsumeBytes(b)
		default:
			t.Fatalf("field %d has wire type %d", number, kind)
		}
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		m[number] = append(m[number], value)
		b = b[n:]
	}
	return m
}

// number returns an integer field, or 0 if it is absent.
func number(m map[protowire.Number][]any, field protowire.Number) uint64 {
	if len(m[field]) == 0 {
		return 0
	}
	return m[field][0].(uint64)
}

// sub returns a message field, or nil if it is absent.
func sub(t *testing.T, m map[protowire.Number][]any, field protowire.Number) map[protowire.Number][]any {
	t.Helper()
	if len(m[field]) == 0 {
		return nil
	}
	return fields(t, m[field][0].([]byte))
}

// perfettoFile is the content of a Perfetto trace. The field numbers are from Perfetto's
// protos/perfetto/trace/**.proto.
type perfettoFile struct {
	calls   openCalls
	samples []string
	tids    map[uint64]uint32    // by track
	names   [8]map[uint64]string // of interned_data: 2 event names, 5 function names
	frames  map[uint64]uint64    // function names
	stacks  map[uint64][]uint64  // frames
	tasks   map[uint64]uint64    // threads
	parent  map[uint64]uint64    // of tracks
	counts  string               // unit of the weights of samples
}

func readPerfetto(t *testing.T, file []byte) *perfettoFile {
	f := &perfettoFile{tids: map[uint64]uint32{}, frames: map[uint64]uint64{}, stacks: map[uint64][]uint64{}, tasks: map[uint64]uint64{}, parent: map[uint64]uint64{}}
	f.names[2], f.names[5] = map[uint64]string{}, map[uint64]string{}
	for i, packet := range fields(t, file)[1] {
		m := fields(t, packet.([]byte))
		if number(m, 10) != 1 {
			t.Errorf("packet %d has sequence %d", i, number(m, 10))
		}
		if i == 0 && number(m, 13) != 1 {
			t.Error("the first packet does not clear the interned data")
		}
		if track := sub(t, m, 60); track != nil {
			f.track(t, track)
		}
		f.intern(t, sub(t, m, 12))
		if defaults := sub(t, sub(t, m, 59), 100); defaults != nil {
			descriptor := sub(t, defaults, 2)
			f.counts = fmt.Sprintf("%s %s %d", defaults[1][0], descriptor[2][0], number(descriptor, 3))
		}
		at := time.Duration(number(m, 8))
		if event := sub(t, m, 11); event != nil {
			f.event(t, event, at)
		}
		if sample := sub(t, m, 66); sample != nil {
			f.sample(t, number(sample, 3), number(sample, 4), at.String())
		}
		if sample := sub(t, m, 135); sample != nil {
			f.sample(t, f.tasks[number(sample, 2)], number(sample, 6), fmt.Sprintf("%v+%v", at, time.Duration(number(sample, 11))))
		}
	}
	return f
}

func (f *perfettoFile) track(t *testing.T, track map[protowire.Number][]any) {
	uuid := number(track, 1)
	f.parent[uuid] = number(track, 5)
	if thread := sub(t, track, 4); thread != nil {
		f.tids[uuid] = uint32(number(thread, 2))
	}
	if counter := sub(t, track, 8); counter != nil && number(counter, 1) != 1 {
		t.Errorf("counter of type %d, want COUNTER_THREAD_TIME_NS", number(counter, 1))
	}
}

func (f *perfettoFile) intern(t *testing.T, interned map[protowire.Number][]any) {
	for _, field := range []protowire.Number{2, 5} {
		for _, entry := range interned[field] {
			e := fields(t, entry.([]byte))
			f.names[field][number(e, 1)] = string(e[2][0].([]byte))
		}
	}
	for _, entry := range interned[6] {
		e := fields(t, entry.([]byte))
		f.frames[number(e, 1)] = number(e, 2)
	}
	for _, entry := range interned[7] {
		e := fields(t, entry.([]byte))
		for _, frame := range e[2] {
			f.stacks[number(e, 1)] = append(f.stacks[number(e, 1)], frame.(uint64))
		}
	}
	for _, entry := range interned[2000] {
		e := fields(t, entry.([]byte))
		f.tasks[number(e, 1)] = number(e, 3)
	}
}

func (f *perfettoFile) event(t *testing.T, event map[protowire.Number][]any, at time.Duration) {
	tid, known := f.tids[number(event, 11)]
	if !known {
		t.Fatalf("event on track %d, which belongs to no thread", number(event, 11))
	}
	cpu := time.Duration(0)
	if len(event[12]) > 0 {
		cpu = time.Duration(number(event, 12))
		if f.parent[number(event, 31)] != number(event, 11) {
			t.Errorf("the CPU time is on track %d, which does not belong to the thread", number(event, 31))
		}
	}
	switch number(event, 9) {
	case 1:
		name, known := f.names[2][number(event, 10)]
		if !known {
			t.Fatalf("name %d is not interned", number(event, 10))
		}
		f.calls.begin(tid, name, at, cpu)
	case 2:
		f.calls.end(t, tid, "", at, cpu)
	default:
		t.Errorf("unexpected event of type %d", number(event, 9))
	}
}

// sample adds a sample: its thread, time, weight and stack.
func (f *perfettoFile) sample(t *testing.T, tid, stack uint64, at string) {
	var names []string
	for _, frame := range f.stacks[stack] {
		name := f.names[5][f.frames[frame]]
		names = append(names, name[strings.LastIndexByte(name, '.')+1:])
	}
	if len(names) == 0 {
		t.Errorf("the sample's stack %d is not interned", stack)
	}
	f.samples = append(f.samples, fmt.Sprint(tid, " ", at, " ", strings.Join(names, ";")))
}

func perfettoCalls(t *testing.T, file []byte) []call {
	t.Helper()
	f := readPerfetto(t, file)
	return f.calls.all(t)
}

func perfettoSamples(t *testing.T, file []byte) []string { return readPerfetto(t, file).samples }

// chromeCalls returns the calls without the nanoseconds that the writer adds to make the timestamps
// of a thread distinct.
func chromeCalls(t *testing.T, file []byte) []call {
	t.Helper()
	var doc struct {
		TraceEvents []struct {
			Ph, Name           string
			TID                uint32
			TS, Dur, TTS, TDur float64
		}
	}
	if err := json.Unmarshal(file, &doc); err != nil {
		t.Fatal(err)
	}
	var calls []call
	stamps := map[uint32]map[time.Duration]bool{}
	ns := func(us float64) time.Duration { return time.Duration(math.Round(us * 1000)) }
	for _, e := range doc.TraceEvents {
		if e.Ph == "M" {
			continue
		} else if e.Ph != "X" || e.Dur <= 0 {
			t.Errorf("unexpected event of phase %q with a duration of %v us", e.Ph, e.Dur)
		}
		c := call{e.TID, e.Name, ns(e.TS), ns(e.TS + e.Dur), [2]time.Duration{ns(e.TTS), ns(e.TTS + e.TDur)}}
		if stamps[e.TID] == nil {
			stamps[e.TID] = map[time.Duration]bool{}
		}
		for _, at := range []*time.Duration{&c.begin, &c.end} {
			if stamps[e.TID][*at] {
				t.Errorf("%s: duplicate timestamp %v", e.Name, *at)
			}
			stamps[e.TID][*at] = true
			*at = at.Truncate(time.Microsecond)
		}
		calls = append(calls, c)
	}
	return calls
}

// speedscopeFile is the part of speedscope's schema that the writer uses.
type speedscopeFile struct {
	Schema string `json:"$schema"`
	Shared struct {
		Frames []struct{ Name string }
	}
	Profiles []struct {
		Type, Name, Unit     string
		StartValue, EndValue time.Duration
		Events               []struct {
			Type  string
			At    time.Duration
			Frame int
		}
		Samples [][]int
		Weights []int64
	}
}

func readSpeedscope(t *testing.T, file []byte) (f speedscopeFile) {
	t.Helper()
	if err := json.Unmarshal(file, &f); err != nil {
		t.Fatal(err)
	}
	if f.Schema != "https://www.speedscope.app/file-format-schema.json" {
		t.Errorf("schema %q", f.Schema)
	}
	return f
}

func speedscopeCalls(t *testing.T, file []byte) []call {
	t.Helper()
	f := readSpeedscope(t, file)
	var calls []call
	for _, p := range f.Profiles {
		var tid uint32
		if _, err := fmt.Sscanf(p.Name[strings.LastIndexByte(p.Name, '('):], "(%d)", &tid); err != nil || p.Type != "evented" || p.Unit != "nanoseconds" {
			t.Errorf("profile %q has type %s and unit %s", p.Name, p.Type, p.Unit)
		}
		var o openCalls
		for _, e := range p.Events {
			if e.At < p.StartValue || e.At > p.EndValue {
				t.Errorf("%s: an event at %v is not within %v to %v", p.Name, e.At, p.StartValue, p.EndValue)
			}
			if e.Type == "O" {
				o.begin(tid, f.Shared.Frames[e.Frame].Name, e.At, 0)
			} else {
				o.end(t, tid, f.Shared.Frames[e.Frame].Name, e.At, 0)
			}
		}
		calls = append(calls, o.all(t)...)
	}
	return calls
}

func speedscopeSamples(t *testing.T, file []byte) (lines []string) {
	t.Helper()
	f := readSpeedscope(t, file)
	for _, p := range f.Profiles {
		line := p.Name
		for i, stack := range p.Samples {
			var names []string
			for _, frame := range stack {
				name := f.Shared.Frames[frame].Name
				names = append(names, name[strings.LastIndexByte(name, '.')+1:])
			}
			line += fmt.Sprintf(" %vx%d", names, p.Weights[i])
		}
		lines = append(lines, line)
	}
	return lines
}

// firefoxSamples returns the samples of a processed profile: thread, time in ms,
// stack and weight.
func firefoxSamples(t *testing.T, file []byte) (lines []string) {
	t.Helper()
	var doc struct {
		Threads []struct {
			Name    string
			Samples struct {
				Stack      []*int
				Time       []float64
				Weight     []float64
				CPU        []int64 `json:"threadCPUDelta"`
				WeightType string
				Length     int
			}
			StackTable struct {
				Frame  []int
				Prefix []*int
			}
			FrameTable  struct{ Func []int }
			FuncTable   struct{ Name []int }
			StringArray []string
		}
	}
	if err := json.Unmarshal(file, &doc); err != nil {
		t.Fatal(err)
	}
	for _, th := range doc.Threads {
		if th.Samples.Length > 0 && th.Samples.WeightType != "tracing-ms" || th.Samples.Length != len(th.Samples.Stack) {
			t.Errorf("%s: %d samples with weight type %s", th.Name, th.Samples.Length, th.Samples.WeightType)
		}
		for i, at := range th.Samples.Stack {
			stack := ""
			for ; at != nil; at = th.StackTable.Prefix[*at] {
				name := th.StringArray[th.FuncTable.Name[th.FrameTable.Func[th.StackTable.Frame[*at]]]]
				stack = name[strings.LastIndexByte(name, '.')+1:] + ";" + stack
			}
			if stack == "" {
				stack = "null;"
			}
			lines = append(lines, fmt.Sprint(th.Name, " ", th.Samples.Time[i], " ", stack[:len(stack)-1], " x", th.Samples.Weight[i], " cpu ", th.Samples.CPU[i]))
		}
	}
	return lines
}

// ftraceLine is a line of ftrace text with TGID and flags, as Catapult and
// Perfetto read it.
var ftraceLine = regexp.MustCompile(`^ *(.{1,16})-(\d+) +\( *(\d+)\) \[000\] \.\.\.1 (\d+)\.(\d{6}): tracing_mark_write: (B|E)\|(\d+)(?:\|(.*))?$`)

func ftraceCalls(t *testing.T, file []byte) []call {
	t.Helper()
	if !bytes.HasPrefix(file, []byte("# tracer: nop\n")) {
		t.Error("no header")
	}
	var o openCalls
	for s := bufio.NewScanner(bytes.NewReader(file)); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		m := ftraceLine.FindStringSubmatch(s.Text())
		if m == nil {
			t.Fatalf("invalid line: %s", s.Text())
		}
		tid, _ := strconv.Atoi(m[2])
		seconds, _ := strconv.Atoi(m[4])
		micros, _ := strconv.Atoi(m[5])
		at := time.Duration(seconds)*time.Second + time.Duration(micros)*time.Microsecond
		if m[3] != m[7] {
			t.Errorf("process %s in a line of process %s", m[7], m[3])
		}
		if m[6] == "B" {
			o.begin(uint32(tid), m[8], at, 0)
		} else {
			o.end(t, uint32(tid), "", at, 0)
		}
	}
	return o.all(t)
}

func atraceCalls(t *testing.T, file []byte) []call {
	t.Helper()
	packed, ok := bytes.CutPrefix(file, []byte("TRACE:\n"))
	if !ok {
		t.Fatal("the file does not begin with TRACE:")
	}
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return ftraceCalls(t, text)
}
