package perf

import "artifice/format/internal/stackdump"

// Base is the common part of the parsers of perf's and simpleperf's samples. It converts their
// names to frames.
type Base struct {
	stackdump.Input
	frames     map[string][]stackdump.FrameID // by the text of a stack line
	javaFrames map[string][]stackdump.FrameID // the same for processes named java
	offsets    bool                           // symbols and modules end in offsets, as in perf script's text
}

// NewBase returns the Base of a parser that reads in.
func NewBase(in stackdump.Input) Base {
	return Base{Input: in, frames: map[string][]stackdump.FrameID{}, javaFrames: map[string][]stackdump.FrameID{}}
}

// FramesOf returns the frames of "symbol (module)", innermost first. java reports that the process
// is named java.
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
	for _, f := range parseFrame(clean, java, p.offsets) {
		ids = append(ids, p.Input.Frames.Add(f))
	}
	known[string(text)] = ids
	return ids
}
