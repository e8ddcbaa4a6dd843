package perf

import (
	"io"

	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// Base is what the parsers of perf's and of simpleperf's samples share: it chooses the event
// whose samples are taken, and names frames.
type Base struct {
	stackdump.Input
	event      string                         // the first sample's; others are left out
	others     int                            // samples of other events
	frames     map[string][]stackdump.FrameID // by the text of a stack line
	javaFrames map[string][]stackdump.FrameID // the same of a process called java
}

// NewBase returns the Base of a parser that reads in.
func NewBase(in stackdump.Input) Base {
	return Base{Input: in, frames: map[string][]stackdump.FrameID{}, javaFrames: map[string][]stackdump.FrameID{}}
}

// End warns of the samples that were left out. It returns the error of a stream that broke off,
// io.EOF at a proper end.
func (p *Base) End() error {
	if err := p.Failed(); err != nil {
		return err
	}
	if p.others > 0 {
		p.Complain(trace.WarnDumpLeftOut, stackdump.OtherEvents(p.others, p.event), "")
		p.others = 0
	}
	return io.EOF
}

// Accept reports whether samples of this event are taken: only those of the
// first sample's event are.
func (p *Base) Accept(event string) bool {
	if p.event == "" {
		p.event = event
	}
	if event != p.event {
		p.others++
	}
	return event == p.event
}

// FramesOf returns the frames that "symbol (module)" stands for, innermost first. java
// says that the process is called java.
func (p *Base) FramesOf(text []byte, java bool) []stackdump.FrameID {
	known := p.frames
	if java {
		known = p.javaFrames
	}
	if ids, ok := known[string(text)]; ok { // does not allocate
		return ids
	}
	ids := []stackdump.FrameID{}
	clean := p.Input.Frames.Clean(text)
	p.CheckText(text)
	for _, f := range parseFrame(clean, java) {
		ids = append(ids, p.Input.Frames.Add(f))
	}
	known[string(text)] = ids
	return ids
}
