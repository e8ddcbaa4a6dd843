package jfr

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/jsonread"
	"artifice/trace"
)

// parser reads what the JDK's jfr prints of a recording:
//
//	jfr print --json --stack-depth 64 --events ExecutionSample,CPUTimeSample,ActiveSetting app.jfr
//
// jdk.CPUTimeSample (JDK 25) is a sample of a thread each time it has used samplingPeriod of CPU
// time. jdk.ExecutionSample is a sample of a thread that runs Java code. Each counts as the period
// in the recording's settings (jdk.ActiveSetting). In each period the sampler examines at most five
// such threads, so with more threads a sample should represent more time. The JSON does not state
// the event of a setting. The shortest period is used, because no other event of the JDK's own
// configurations is as frequent. If a file has samples of both kinds, those of CPU time are read.
//
// async-profiler writes samples of CPU time (STATE_DEFAULT) and of wall time (STATE_RUNNABLE,
// STATE_SLEEPING; in later versions profiler.WallClockSample) into one recording, with the settings
// interval and wall in ns. Samples of CPU time are preferred. Without them, those of wall time are
// read: a thread runs or sleeps from a sample to its next one.
//
// jdk.NativeMethodSample is a sample of a thread in native code. Such threads usually wait, so
// these samples do not represent CPU time and are ignored.
type parser struct {
	stackdump.WholeJSON
	threads  map[uint32]string
	period   time.Duration // the shortest of the JDK's settings; 0: none
	async    asyncSettings
	interval time.Duration // async-profiler's settings of CPU time and of wall time; 0: none
	wall     time.Duration
	counts   jfrCounts
	kinds    []sampleKind // kinds of the samples, in their order
	load     load
	wanted   string    // the requested event; "": CPU time, if the file has samples of it
	ofWall   bool      // samples of wall time are delivered
	first    time.Time // time of the first sample; other times count from it
}

// asyncSettings are settings of async-profiler without a number: it samples CPU time, with its
// default interval.
type asyncSettings struct{ cpu, defaultInterval bool }

// asyncInterval is the interval that async-profiler uses for CPU time by default, and states as 0
// (DEFAULT_INTERVAL in its arguments.h).
const asyncInterval = 10 * time.Millisecond

// jfrCounts are the numbers of samples of each kind.
type jfrCounts struct {
	execution, cpu, native, failed, cut int
}

// The events that the parser uses.
const (
	jfrExecution = "jdk.ExecutionSample"
	jfrCPUTime   = "jdk.CPUTimeSample"
	jfrWallClock = "profiler.WallClockSample" // written by async-profiler
	jfrNative    = "jdk.NativeMethodSample"
	jfrSetting   = "jdk.ActiveSetting"
)

type jfrEvent struct {
	Type   string          `json:"type"`
	Values json.RawMessage `json:"values"`
}

// jfrSample is a sample of CPU time or of wall time.
type jfrSample struct {
	Start   string     `json:"startTime"`
	Sampled *jfrThread `json:"sampledThread"`
	Thread  *jfrThread `json:"eventThread"` // in samples of CPU time
	Period  string     `json:"samplingPeriod"`
	State   string     `json:"state"`
	Count   uint32     `json:"samples"` // in samples of wall time: number of consecutive samples
	Stack   *struct {
		Truncated bool       `json:"truncated"`
		Frames    []jfrFrame `json:"frames"` // innermost first
	} `json:"stackTrace"`
}

type jfrThread struct {
	Name     string `json:"javaName"`
	OSName   string `json:"osName"`
	JavaID   int64  `json:"javaThreadId"` // never reused; 0 or below if it is not a Java thread
	ThreadID int64  `json:"osThreadId"`
}

type jfrFrame struct {
	Method struct {
		Type struct {
			Name string `json:"name"` // with slashes
		} `json:"type"`
		Name       string `json:"name"`
		Descriptor string `json:"descriptor"`
	} `json:"method"`
	Line int    `json:"lineNumber"` // negative: unknown
	Kind string `json:"type"`
}

// codec is the [stackdump.Codec] of recordings.
type codec struct{}

// Detect implements [stackdump.Codec].
func (codec) Detect(head []byte) bool { return stackdump.HasJSONKeys(head, "recording", "events") }

// Parser implements [stackdump.Codec].
func (codec) Parser(in stackdump.Input, text io.Reader, cfg stackdump.ReaderConfig) stackdump.Parser {
	p := &parser{threads: map[uint32]string{}, wanted: cfg.Event}
	// other names denote events of Linux profilers
	if cfg.Event == wallEvent || cfg.Event == "cpu" {
		cfg.Event = ""
	}
	p.Init(in, text, p)
	p.Samples.Tallies = true
	c := &choice{parser: p}
	c.cpu = stackdump.OfCPU((*replay)(c), &p.Input, cfg)
	return c
}

// NameThread implements [stackdump.Document].
func (p *parser) NameThread(tid uint32, t *stackdump.Thread) { t.Name = p.threads[tid] }

// Next implements parser.
func (p *parser) Next(d *stackdump.Dump) error {
	if err := p.WholeJSON.Next(d); err != nil {
		return err
	}
	if p.ofWall {
		return nil
	}
	if d.Tally.Period = p.period; p.interval > 0 {
		d.Tally.Period = p.interval
	}
	if p.counts.cpu > 0 {
		d.Tally.Event, d.Tally.OnCPU = "cpu-clock", true // counts are ns of CPU time
	}
	return nil
}

// ReadFile implements [stackdump.Document].
func (p *parser) ReadFile() error {
	err := p.Object(func(key string) error {
		if key != "recording" {
			return p.Skip()
		}
		return p.Object(func(key string) error {
			if key != "events" {
				return p.Skip()
			}
			return p.Array(p.event)
		})
	})
	if err != nil {
		return err
	}
	if p.async.cpu && p.async.defaultInterval && p.interval == 0 {
		p.interval = asyncInterval
	}
	if err := p.choose(); err != nil {
		return err
	}
	n := &p.counts
	for _, c := range []struct {
		n    int
		code trace.WarningCode
		what string
	}{
		{n.native, trace.WarnDumpLeftOut, "samples of threads in native code are ignored, because these can be waiting"},
		{n.failed, trace.WarnDumpHead, "samples have no stack: their time belongs to no method"},
		{n.cut, trace.WarnDumpCut, "stacks are truncated: their outermost frames are missing (record with -XX:FlightRecorderOptions=stackdepth=256, print with --stack-depth 256)"},
	} {
		if c.n > 0 {
			p.Warn.Add(c.code, p.Name, 0, fmt.Sprintf("%d %s", c.n, c.what), "")
		}
	}
	if n.cpu > 0 && n.execution > 0 {
		p.Warn.Add(trace.WarnDumpLeftOut, p.Name, 0, fmt.Sprintf("%d samples of %s are ignored, because there are %d samples of CPU time", n.execution, jfrExecution, n.cpu), "")
	}
	return nil
}

// event processes an event.
func (p *parser) event() error {
	var e jfrEvent
	if err := p.Decode(&e); err != nil {
		return err
	}
	switch e.Type {
	case jfrNative:
		p.counts.native++
	case jfrSetting:
		return p.setting(e.Values)
	case jfrCPULoad, jfrCPUInformation:
		if err := p.load.add(&e); err != nil {
			return p.Bad("invalid %s event: %v", e.Type, err)
		}
	case jfrExecution, jfrCPUTime, jfrWallClock:
		var s jfrSample
		if err := jsonread.Unmarshal(e.Values, &s); err != nil {
			return p.Bad("invalid %s event: %v", e.Type, err)
		}
		return p.sample(&s, e.Type)
	}
	return nil
}

// setting reads a setting if it is a period, such as "20 ms", or an interval of async-profiler, in
// ns.
func (p *parser) setting(values json.RawMessage) error {
	var s struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	if err := jsonread.Unmarshal(values, &s); err != nil {
		return p.Bad("invalid %s event: %v", jfrSetting, err)
	}
	switch {
	case s.Name == "interval" && s.Value == "0":
		p.async.defaultInterval = true
	case s.Name == "event":
		p.async.cpu = slices.Contains([]string{"cpu", "cpu-clock", "itimer", "ctimer"}, s.Value)
	}
	if ns, err := strconv.ParseInt(s.Value, 10, 64); err == nil && ns > 0 {
		switch s.Name {
		case "interval":
			p.interval = time.Duration(ns)
		case "wall":
			p.wall = time.Duration(ns)
		}
	}
	number, unit, _ := strings.Cut(s.Value, " ")
	if s.Name != "period" || unit == "" {
		return nil // such as everyChunk, beginChunk, endChunk
	}
	if d, err := time.ParseDuration(number + unit); err == nil && d > 0 && (p.period == 0 || d < p.period) {
		p.period = d
	}
	return nil
}

// sample processes a sample.
func (p *parser) sample(s *jfrSample, event string) error {
	cpu := event == jfrCPUTime
	if !cpu {
		if p.counts.execution++; p.counts.cpu > 0 {
			return nil
		}
	} else if p.counts.cpu++; p.counts.cpu == 1 {
		p.Samples.List, p.kinds = p.Samples.List[:0], p.kinds[:0] // drop the samples of other kinds
	}
	start, err := time.Parse(time.RFC3339Nano, s.Start)
	if err != nil {
		return p.Bad("the startTime %.40q is not a date and time", s.Start)
	}
	if p.first.IsZero() {
		p.first = start
	}
	at := start.Sub(p.first)
	if at < -stackdump.Farthest || at > stackdump.Farthest {
		return p.Bad("the startTime %.40q is %s from that of the first sample", s.Start, at)
	}
	number := time.Duration(0)
	if cpu {
		if number, err = parseISODuration(s.Period); err != nil {
			return p.Bad("the samplingPeriod %.40q is not a duration", s.Period)
		}
	}
	p.Add(at, number, p.threadOf(s), p.stackOf(s), max(s.Count, 1))
	p.kinds = append(p.kinds, kindOf(event, s.State))
	return nil
}

// threadOf returns the id of a sample's thread, and remembers its name.
func (p *parser) threadOf(s *jfrSample) uint32 {
	t := s.Sampled
	if t == nil {
		t = s.Thread
	}
	if t == nil {
		t = &jfrThread{}
	}
	id, name := uint32(t.JavaID), t.Name
	if t.JavaID <= 0 {
		id, name = uint32(t.ThreadID), t.OSName
	}
	if _, known := p.threads[id]; !known {
		p.threads[id] = p.Text([]byte(name))
	}
	return id
}

// stackOf returns the innermost node of a sample's stack.
func (p *parser) stackOf(s *jfrSample) int32 {
	stack := int32(stackdump.NoNode)
	if s.Stack == nil {
		p.counts.failed++
		return stack
	}
	if s.Stack.Truncated {
		p.counts.cut++
	}
	for i := len(s.Stack.Frames) - 1; i >= 0; i-- {
		f := &s.Stack.Frames[i]
		m := &f.Method
		id := p.Input.Frames.Add(stackdump.Frame{
			Class: jfrClass(p.Text([]byte(m.Type.Name))), Method: p.Text([]byte(m.Name)),
			Args: p.Text([]byte(m.Descriptor)), Line: max(f.Line, 0), JNI: f.Kind == "Native",
		})
		stack = p.Samples.Under(stack, uint64(id))
	}
	return stack
}

// parseISODuration parses a duration below a minute as printed by java.time.Duration, such as
// "PT0.02S".
func parseISODuration(s string) (time.Duration, error) {
	seconds, begins := strings.CutPrefix(s, "PT")
	seconds, ends := strings.CutSuffix(seconds, "S")
	if !begins || !ends {
		return 0, strconv.ErrSyntax
	}
	return time.ParseDuration(seconds + "s")
}

// jfrClass returns a class with dots. The name of a hidden class, for example of a lambda, ends in
// its address in memory, which differs from run to run.
func jfrClass(name string) string {
	name, _, _ = strings.Cut(name, "+0x")
	return strings.ReplaceAll(name, "/", ".")
}
