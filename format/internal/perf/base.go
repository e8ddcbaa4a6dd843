package perf

import (
	"io"

	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// Base is the common part of the parsers of perf's and of simpleperf's samples: it selects the event of the
// samples, and names frames.
type Base struct {
	stackdump.Input
	event      string                         // the first sample's; samples of others are skipped
	others     int                            // samples of other events
	frames     map[string][]stackdump.FrameID // by the text of a stack line
	javaFrames map[string][]stackdump.FrameID // the same of a process called java
}

// NewBase returns the Base of a parser that reads in.
func NewBase(in stackdump.Input) Base {
	return Base{Input: in, frames: map[string][]stackdump.FrameID{}, javaFrames: map[string][]stackdump.FrameID{}}
}

// End warns of skipped samples. It returns the error of a stream that broke off, io.EOF at a proper end.
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

// FramesOf returns the frames of "symbol (module)", innermost first. java reports that the process is named
// java.
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
