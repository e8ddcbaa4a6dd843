package blockinfo

import (
	"io"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// parser reads BlockCanaryX's reports of a blocked main thread
// (.blockInfo): one JSON object, written by Gson, with the main thread's stacks.
// It was written from the tool's source; no real report was at hand.
type parser struct {
	stackdump.JSON
	inObject  bool          // between the braces of the object
	inSamples bool          // between two elements of stackTraceSamples
	interval  time.Duration // sampleInterval
}

// blockSample is one element of stackTraceSamples.
type blockSample struct {
	Time     *int64       `json:"time"` // ms since 1970
	Elements []blockFrame `json:"stackTraceElements"`
}

// blockFrame is Java's StackTraceElement. A native method has line -2.
type blockFrame struct {
	Class  string `json:"declaringClass"`
	Method string `json:"methodName"`
	File   string `json:"fileName"`
	Line   int    `json:"lineNumber"`
}

// Next implements parser. Each sample is a dump of the main thread.
func (p *parser) Next(d *stackdump.Dump) error {
	for {
		if p.inSamples {
			var err error
			if p.inSamples, err = p.More(']'); err != nil {
				return p.Fail(err)
			}
			if p.inSamples {
				return p.Fail(p.sample(d))
			}
		}
		if err := p.step(); err != nil {
			return err
		}
	}
}

// step reads the next member of the object, or the beginning or end of one.
func (p *parser) step() (err error) {
	if !p.inObject {
		if _, err = p.Peek(); err == io.EOF {
			return err
		}
		p.inObject, err = p.Open('{')
		return p.Fail(err)
	}
	if p.inObject, err = p.More('}'); err != nil || !p.inObject {
		return p.Fail(err)
	}
	key, err := p.Key()
	switch {
	case err != nil:
	case key == "sampleInterval":
		var ms int64
		err = p.Decode(&ms)
		p.interval = time.Duration(min(max(ms, 0), 1e9)) * time.Millisecond
	case key == "stackTraceSamples":
		p.inSamples, err = p.Open('[')
	default:
		err = p.Skip()
	}
	return p.Fail(err)
}

// sample reads one stack.
func (p *parser) sample(d *stackdump.Dump) error {
	var s blockSample
	if err := p.Decode(&s); err != nil {
		return err
	}
	p.Here()
	d.Begin(&p.Input)
	d.Interval = p.interval
	if s.Time == nil {
		p.Complain(trace.WarnDumpTime, `a sample without "time" is placed one interval after the previous one`, "")
	} else {
		d.Stamp.Date = time.UnixMilli(*s.Time)
	}
	t := d.AddThread(p.Lines.Line)
	t.Name, t.ID.Name = "main", "main"
	for _, e := range s.Elements {
		f := stackdump.Frame{Class: p.Text([]byte(e.Class)), Method: p.Text([]byte(e.Method)), File: p.Text([]byte(e.File)), Line: max(e.Line, 0), JNI: e.Line == -2}
		t.Push(&p.Input, p.Frames.Add(f))
	}
	return nil
}

// codec is the [stackdump.Codec] of reports.
type codec struct{}

// Detect reports whether a file that begins with head is of this format.
func (codec) Detect(head []byte) bool { return stackdump.HasJSONKey(head, "stackTraceSamples") }

// Parser implements [stackdump.Codec].
func (codec) Parser(in stackdump.Input, text io.Reader, _ stackdump.ReaderConfig) stackdump.Parser {
	return &parser{JSON: stackdump.NewJSON(in, text)}
}
