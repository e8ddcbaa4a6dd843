package perfetto

import (
	"fmt"
	"math"
	"strings"

	"artifice/format/internal/perf"
	"artifice/format/internal/stackdump"
	"artifice/internal/encode"
	"artifice/internal/protobuf"
)

// node returns the node for a callstack of a sequence.
func (p *sampleReader) node(s *stacks, id uint64) int32 {
	if node, ok := s.nodes[id]; ok {
		return node
	}
	frames, ok := s.callstacks[id]
	if !ok {
		p.undefined.add(&p.packets)
		return p.list.Under(stackdump.NoNode, p.key(place{symbol: unknown}))
	}
	node := p.put(s, frames)
	put(&s.nodes, id, node)
	return node
}

// put returns the node of frames, the outermost first.
func (p *sampleReader) put(s *stacks, frames []uint64) int32 {
	node := int32(stackdump.NoNode)
	for _, id := range frames {
		node = p.list.Under(node, p.key(p.place(s, id)))
	}
	return node
}

// inlineStack returns the node of the stack in a sample: an InlineCallstack, whose frames have names,
// or a Callstack of interned frames. The outermost frame is the first.
func (p *sampleReader) inlineStack(s *stacks, b []byte) (node int32, err error) {
	node = stackdump.NoNode
	err = protobuf.Fields(b, func(field int, number uint64, body []byte) error {
		switch {
		case field == inlineFrame && body != nil:
			at, err := readInlineFrame(body)
			node = p.list.Under(node, p.key(at))
			return err
		case field == stackFrame:
			for _, id := range appendNumbers(nil, number, body) {
				node = p.list.Under(node, p.key(p.place(s, id)))
			}
		}
		return nil
	})
	return node, err
}

// readInlineFrame reads an InlineCallstack.Frame.
func readInlineFrame(b []byte) (at place, err error) {
	at.symbol = unknown
	err = protobuf.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case inlineName:
			at.symbol = string(body)
		case inlineSource:
			at.source = string(body)
		case inlineLine:
			at.line = int(min(number, math.MaxInt32))
		}
		return nil
	})
	return at, err
}

// unknown is the name of a frame without a name.
const unknown = "[unknown]"

// place returns the place of the frame with a number.
func (p *sampleReader) place(s *stacks, id uint64) place {
	f, ok := s.frames[id]
	if !ok {
		p.undefined.add(&p.packets)
		return place{symbol: unknown}
	}
	at := place{symbol: s.functions[f.function], path: s.path(f.mapping), source: s.sources[f.source], line: f.line}
	switch {
	case at.symbol != "":
	case at.path != "": // simpleperf uses this form
		at.symbol = fmt.Sprintf("%s[+%x]", at.path[strings.LastIndexByte(at.path, '/')+1:], f.pc)
	default:
		at.symbol = unknown
	}
	if f.kernel || at.path == "/kernel" {
		at.path = "[kernel]"
	}
	return at
}

// key returns the key of a place in the tree of stacks.
func (p *sampleReader) key(at place) uint64 {
	key, ok := p.keys[at]
	if !ok {
		key = uint64(len(p.places))
		p.places = append(p.places, at)
		p.keys[at] = key
	}
	return key
}

// framesAt returns the frames of a place. Code with a source file is named by its function only.
// Other code is named as in the text of perf, which includes the file with the code. A function
// without such a file, as those of a profiler of Python, is no machine code.
func (p *sampleReader) framesAt(at place) []stackdump.FrameID {
	switch {
	case at.symbol == encode.Toplevel:
		return nil
	case at.source != "":
		f := stackdump.Frame{Method: p.Text([]byte(at.symbol)), File: p.Text([]byte(at.source)), Line: at.line}
		return []stackdump.FrameID{p.Input.Frames.Add(f)}
	case perf.IsDex(at.path) && strings.HasPrefix(at.symbol, "("), perf.IsDex(at.path) && at.symbol == unknown:
		f := stackdump.ParseFoldedFrame(p.Text([]byte(at.symbol)))
		f.File = at.path
		return []stackdump.FrameID{p.Input.Frames.Add(f)}
	case at.path == "" && at.symbol != unknown:
		return []stackdump.FrameID{p.Input.Frames.Add(stackdump.ParseFoldedFrame(p.Text([]byte(at.symbol))))}
	case at.path == "":
		return p.FramesOf([]byte(at.symbol), false)
	}
	return p.FramesOf(fmt.Appendf(nil, "%s (%s)", at.symbol, at.path), false)
}
