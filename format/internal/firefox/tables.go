package firefox

import (
	"artifice/format/internal/stackdump"
	"artifice/internal/jsonread"
)

// tables are the columns that describe stacks; -1 is null.
type tables struct {
	prefix, offset, frame []int32 // columns of stacks; prefix or offset is used
	category              []int32 // column of stacks until version 52
	function, ofFrame     []int32 // columns of frames: the function, the category
	named, line           []int32 // columns of functions
	file, source          []int32 // columns of functions: a file name, or a row of sources
	sources               []int32 // column of sources: their names
	texts                 []string

	waits []bool // for each stack: threads wait in it
}

// setCallers sets the callers of stacks that have offsets of callers instead.
func (t *tables) setCallers() {
	if t.prefix != nil {
		return
	}
	for i, off := range t.offset {
		t.prefix = append(t.prefix, int32(i)-off)
		if off == 0 {
			t.prefix[i] = stackdump.NoNode
		}
	}
	t.offset = nil
}

// setWaits determines the stacks in which threads wait, from the categories in which they do. The
// category of a stack is its own (until version 52) or that of its frame, otherwise that of its
// caller, which precedes it.
func (t *tables) setWaits(waiting map[int32]bool) {
	t.waits = make([]bool, len(t.frame))
	for i := range t.waits {
		category := row(t.category, int32(i))
		if category < 0 {
			category = row(t.ofFrame, t.frame[i])
		}
		if category >= 0 {
			t.waits[i] = waiting[category]
		} else if caller := row(t.prefix, int32(i)); caller < int32(i) {
			t.waits[i] = t.waitsIn(caller)
		}
	}
}

// waitsIn reports whether threads wait in a stack.
func (t *tables) waitsIn(stack int32) bool {
	return stack >= 0 && int(stack) < len(t.waits) && t.waits[stack]
}

// table reads one of the tables that describe stacks.
func (p *parser) table(key string, t *tables) error {
	columns := map[string]*[]int32{}
	switch key {
	case "stringArray":
		return p.Array(func() error {
			s, err := p.Str()
			t.texts = append(t.texts, s)
			return err
		})
	case "stackTable":
		columns = map[string]*[]int32{"prefix": &t.prefix, "prefixOffset": &t.offset, "frame": &t.frame, "category": &t.category}
	case "frameTable":
		columns = map[string]*[]int32{"func": &t.function, "category": &t.ofFrame}
	case "funcTable":
		columns = map[string]*[]int32{"name": &t.named, "fileName": &t.file, "source": &t.source, "lineNumber": &t.line}
	case "sources":
		columns = map[string]*[]int32{"filename": &t.sources}
	default:
		return p.Skip()
	}
	return p.Object(func(key string) error {
		if to := columns[key]; to != nil {
			return p.numbers(to)
		}
		return p.Skip()
	})
}

// numbers reads a column of numbers; null is -1.
func (p *parser) numbers(to *[]int32) error {
	return p.Array(func() error {
		n, err := jsonread.Int[int32](p.Document, -1)
		*to = append(*to, n)
		return err
	})
}

// complete sets the tables that a thread lacks to those that all threads share, and checks the
// tables of its stacks.
func (p *parser) complete(t *thread) error {
	own := &t.tables
	if own.texts == nil {
		own.texts = p.shared.texts
	}
	if own.named == nil {
		own.named, own.file, own.source, own.line = p.shared.named, p.shared.file, p.shared.source, p.shared.line
	}
	shared := own.function == nil && own.frame == nil
	if own.function == nil {
		own.function, own.ofFrame = p.shared.function, p.shared.ofFrame
	}
	if own.frame == nil {
		own.frame, own.prefix, own.category = p.shared.frame, p.shared.prefix, p.shared.category
	}
	own.setCallers()
	callers := own.prefix
	if len(callers) != len(own.frame) {
		return p.Bad("thread %q has %d stacks, but callers for %d", t.name, len(own.frame), len(callers))
	}
	for i, c := range callers {
		if f := own.frame[i]; c < stackdump.NoNode || int(c) >= len(callers) || f < 0 || int(f) >= len(own.function) {
			return p.Bad("stack %d of thread %q refers to caller %d and frame %d, but the thread has %d stacks and %d frames", i, t.name, c, f, len(callers), len(own.function))
		}
	}
	if own.waits = p.shared.waits; !shared {
		own.setWaits(p.waiting)
	}
	return nil
}

// stacks returns the node of each stack of a thread's table.
func (p *parser) stacks(t *thread) ([]int32, error) {
	frames, err := p.frames(t)
	if err != nil {
		return nil, err
	}
	return p.Chains(t.prefix, func(i int32) (stackdump.FrameID, bool) { return frames[t.frame[i]], true })
}

// frames returns the frame of each row of a thread's table.
func (p *parser) frames(t *thread) ([]stackdump.FrameID, error) {
	list := make([]stackdump.FrameID, len(t.function))
	for i, f := range t.function {
		name, ok := t.text(t.named, f)
		if !ok {
			return nil, p.Bad("frame %d of thread %q has function %d, which does not exist or has no name", i, t.name, f)
		}
		frame := stackdump.ParseFoldedFrame(p.Text([]byte(name)))
		file, ok := t.text(t.file, f)
		if !ok {
			file, _ = t.text(p.shared.sources, row(t.source, f))
		}
		frame.File, frame.Line = p.Text([]byte(file)), int(max(row(t.line, f), 0))
		list[i] = p.Input.Frames.Add(frame)
	}
	return list, nil
}

// text returns the text for row i of a column of string indexes.
func (t *tables) text(column []int32, i int32) (string, bool) {
	n := row(column, i)
	if n < 0 || int(n) >= len(t.texts) {
		return "", false
	}
	return t.texts[n], true
}

// row returns row i of a column, or -1 if there is no such row.
func row(column []int32, i int32) int32 {
	if i < 0 || int(i) >= len(column) {
		return -1
	}
	return column[i]
}
