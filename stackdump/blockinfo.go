package stackdump

import (
	"encoding/json"
	"io"
	"time"

	"artifice/trace"
)

// blockInfoParser reads BlockCanaryX's reports of a blocked main thread
// (.blockInfo): one JSON object, written by Gson, with the main thread's stacks.
// It was written from the tool's source; no real report was at hand.
type blockInfoParser struct {
	jsonInput
	inObject  bool          // between { and }
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

// next implements parser. Each sample is a dump of the main thread.
func (p *blockInfoParser) next(d *Dump) error {
	for {
		if p.inSamples {
			if p.dec.More() {
				return p.fail(p.sample(d))
			}
			p.inSamples = false
			if _, err := p.delim(']'); err != nil {
				return p.fail(err)
			}
		}
		if done, err := p.step(); done || err != nil {
			return err
		}
	}
}

// step reads the next member of the object, or the beginning or end of one.
func (p *blockInfoParser) step() (done bool, err error) {
	token, err := p.dec.Token()
	if err == io.EOF && !p.inObject {
		return true, io.EOF
	}
	if err != nil {
		return true, p.fail(err)
	}
	switch token {
	case json.Delim('{'), json.Delim('}'):
		p.inObject = token == json.Delim('{')
		return false, nil
	case "sampleInterval":
		var ms int64
		err = p.dec.Decode(&ms)
		p.interval = time.Duration(min(max(ms, 0), 1e9)) * time.Millisecond
	case "stackTraceSamples":
		p.inSamples, err = p.delim('[')
	default:
		err = p.skip()
	}
	return false, p.fail(err)
}

// sample reads one stack.
func (p *blockInfoParser) sample(d *Dump) error {
	var s blockSample
	if err := p.dec.Decode(&s); err != nil {
		return err
	}
	p.here()
	d.begin(&p.input)
	d.Interval = p.interval
	if s.Time == nil {
		p.complain(trace.WarnDumpTime, `a sample without "time" is placed one interval after the previous one`, "")
	} else {
		d.Stamp.Date = time.UnixMilli(*s.Time)
	}
	t := d.addThread(p.lines.line)
	t.Name, t.ID.Name = "main", "main"
	for _, e := range s.Elements {
		f := Frame{Class: p.text([]byte(e.Class)), Method: p.text([]byte(e.Method)), File: p.text([]byte(e.File)), Line: max(e.Line, 0), JNI: e.Line == -2}
		t.push(&p.input, p.frames.add(f))
	}
	return nil
}

// isBlockInfo reports whether a file that begins with head is of this format.
func isBlockInfo(head []byte) bool { return hasJSONKey(head, "stackTraceSamples") }

func newBlockInfo(in input, text io.Reader, _ ReaderConfig) parser {
	return &blockInfoParser{jsonInput: newJSONInput(in, text)}
}
