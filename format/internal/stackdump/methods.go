package stackdump

import (
	"hash/maphash"

	"artifice/diffstack"
	"artifice/trace"
)

// methodTable maps frames to methods of a trace.
type methodTable struct {
	frames   *Frames
	symbols  *trace.Symbols
	identity diffstack.Identity
	byFrame  []trace.MethodID // by FrameID: 1 + the method; 0 if not known yet
	seed     maphash.Seed
	// by the hash of a methodName, or the next free number after that
	byName   map[uint64]trace.MethodID
	kinds    []Kind                  // by method
	calls    map[call]trace.MethodID // numbers of call sites
	methodOf []trace.MethodID        // method by number of a call site
	showing  []trace.MethodID        // the slice returned by shownStack

	rename  func(Frame) []Frame // nil: frames keep their names
	renamed map[FrameID][]FrameID
	itself  [1]FrameID
}

// methodName identifies a method by all that dumps contain of it.
type methodName struct {
	class, method, args string
	kind                Kind
}

// call is a method and the line from which it was called.
type call struct {
	method trace.MethodID
	line   int
}

func newMethodTable(frames *Frames, symbols *trace.Symbols, cfg Config) methodTable {
	return methodTable{frames: frames, symbols: symbols, identity: cfg.Identity, rename: cfg.Rename, seed: maphash.MakeSeed(), byName: map[uint64]trace.MethodID{}, calls: map[call]trace.MethodID{}}
}

// method returns the method that a frame is in.
func (m *methodTable) method(id FrameID) trace.MethodID {
	if grow := int(id) + 1 - len(m.byFrame); grow > 0 {
		m.byFrame = append(m.byFrame, make([]trace.MethodID, max(grow, len(m.byFrame)))...)
	}
	if known := m.byFrame[id]; known != 0 {
		return known - 1
	}
	method := m.add(m.frames.Frame(id))
	m.byFrame[id] = method + 1
	return method
}

// add returns the method of a frame, and adds it to the symbols if it is new. Its id in trace files
// is a new multiple of four, like ART's ids.
func (m *methodTable) add(f *Frame) trace.MethodID {
	key := methodName{f.Class, f.Method, f.Args, f.Kind}
	hash := maphash.Comparable(m.seed, key)
	for ; ; hash++ {
		id, taken := m.byName[hash]
		if !taken {
			break
		}
		if known := m.symbols.Method(id); (methodName{known.Class, known.Name, known.Signature, m.kinds[id]}) == key {
			return id
		}
	}
	method := trace.Method{ID: uint64(len(m.symbols.Methods)+1) << 2, Class: f.Class, Name: f.Method, Signature: f.Args, File: f.File}
	if f.JNI {
		method.Flags |= trace.Native
	}
	id := m.symbols.AddMethod(method)
	m.byName[hash] = id
	m.kinds = append(m.kinds, f.Kind)
	return id
}

// stack appends the numbers by which the frames of a stack are compared to dst, outermost first.
// These are methods, or call sites.
func (m *methodTable) stack(dst []trace.MethodID, stack []FrameID, include Include) []trace.MethodID {
	line := 0 // line in the caller
	for i := len(stack) - 1; i >= 0; i-- {
		if m.frames.Frame(stack[i]).Kind != Managed && include == ManagedFrames {
			continue
		}
		for _, frame := range m.original(stack[i]) {
			id := m.method(frame)
			if m.identity == diffstack.BySite {
				id = m.call(call{id, line})
				line = m.frames.Frame(frame).Line
			}
			dst = append(dst, id)
		}
	}
	return dst
}

// original returns the original frames of a frame in a dump, outermost first. The result is valid
// until the next call.
func (m *methodTable) original(id FrameID) []FrameID {
	if m.rename == nil {
		m.itself[0] = id
		return m.itself[:]
	}
	if known, ok := m.renamed[id]; ok {
		return known
	}
	if m.renamed == nil {
		m.renamed = map[FrameID][]FrameID{}
	}
	var ids []FrameID
	for _, frame := range m.rename(*m.frames.Frame(id)) {
		ids = append(ids, m.frames.Add(frame))
	}
	m.renamed[id] = ids
	return ids
}

// call returns the number of a call site.
func (m *methodTable) call(c call) trace.MethodID {
	id, ok := m.calls[c]
	if !ok {
		id = trace.MethodID(len(m.methodOf))
		m.calls[c] = id
		m.methodOf = append(m.methodOf, c.method)
	}
	return id
}

// shownStack returns the methods of a compared stack. The result is valid until the next call.
func (m *methodTable) shownStack(stack []trace.MethodID) []trace.MethodID {
	if m.identity != diffstack.BySite {
		return stack
	}
	m.showing = m.showing[:0]
	for _, id := range stack {
		m.showing = append(m.showing, m.methodOf[id])
	}
	return m.showing
}

// shown returns the method for a number returned by stack.
func (m *methodTable) shown(id trace.MethodID) trace.MethodID {
	if m.identity == diffstack.BySite {
		return m.methodOf[id]
	}
	return id
}
