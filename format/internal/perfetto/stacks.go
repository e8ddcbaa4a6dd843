package perfetto

import (
	"strings"

	"artifice/internal/protobuf"
)

// stacks contains the interned stacks of a sequence, by the sequence's own numbers, and the meaning
// of its samples (InternedData, TracePacketDefaults). An entry may precede the entries that it
// refers to, so a stack is assembled at its first sample.
type stacks struct {
	functions, paths, sources map[uint64]string
	mappings                  map[uint64][]uint64 // components of a path
	frames                    map[uint64]frame
	callstacks                map[uint64][]uint64 // frames, outermost first
	tasks                     map[uint64]task
	counters                  map[uint64]counted

	nodes map[uint64]int32 // callstacks with samples: their nodes in the tree of all stacks

	perf   counted // event counted by PerfSamples
	weight counted // event counted by the weights of StackSamples that do not state it
}

// frame is a frame; it refers to other entries by number.
type frame struct {
	function, mapping, pc, source uint64
	line                          int
	kernel                        bool
}

// task identifies the thread of a sample.
type task struct{ pid, tid uint32 }

// put sets a value of a map, and allocates the map if necessary.
func put[V any](m *map[uint64]V, id uint64, v V) {
	if *m == nil {
		*m = map[uint64]V{}
	}
	(*m)[id] = v
}

// intern processes an InternedData.
func (s *stacks) intern(b []byte) error {
	m := protobuf.NewReader(b)
	for m.Next() {
		var err error
		switch m.Field {
		case internedFunctions:
			err = internText(&s.functions, m.Body)
		case internedPaths:
			err = internText(&s.paths, m.Body)
		case internedSources:
			err = internText(&s.sources, m.Body)
		case internedMapping:
			err = s.internMapping(m.Body)
		case internedFrames:
			err = s.internFrame(m.Body)
		case internedStacks:
			err = s.internStack(m.Body)
		case internedTasks:
			var id uint64
			var t task
			if id, t, err = readTask(m.Body); err == nil {
				put(&s.tasks, id, t)
			}
		case internedDescriptors:
			var id uint64
			var c counted
			if id, c, err = readDescriptor(m.Body); err == nil {
				put(&s.counters, id, c)
			}
		}
		if err != nil {
			return err
		}
	}
	return m.Err()
}

// internText processes an InternedString.
func internText(texts *map[uint64]string, b []byte) error {
	id, text, err := readInterned(b)
	put(texts, id, string(text))
	return err
}

// readInterned reads an InternedString.
func readInterned(b []byte) (id uint64, text []byte, err error) {
	err = protobuf.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case internedID:
			id = number
		case internedText:
			text = body
		}
		return nil
	})
	return id, text, err
}

// internMapping processes a Mapping: a file that contains code of frames.
func (s *stacks) internMapping(b []byte) error {
	var id uint64
	var path []uint64
	err := protobuf.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case internedID:
			id = number
		case mappingPath:
			path = appendNumbers(path, number, body)
		}
		return nil
	})
	put(&s.mappings, id, path)
	return err
}

// internFrame processes a Frame.
func (s *stacks) internFrame(b []byte) error {
	var id uint64
	var f frame
	err := protobuf.Fields(b, func(field int, number uint64, _ []byte) error {
		switch field {
		case internedID:
			id = number
		case frameFunction:
			f.function = number
		case frameMapping:
			f.mapping = number
		case framePC:
			f.pc = number
		case frameSource:
			f.source = number
		case frameLine:
			f.line = int(int32(number))
		case frameKind:
			f.kernel = number == kindKernel
		}
		return nil
	})
	put(&s.frames, id, f)
	return err
}

// internStack processes a Callstack.
func (s *stacks) internStack(b []byte) error {
	id, frames, err := readCallstack(b)
	put(&s.callstacks, id, frames)
	delete(s.nodes, id)
	return err
}

// readCallstack reads a Callstack: its number, and its frames, outermost first.
func readCallstack(b []byte) (id uint64, frames []uint64, err error) {
	err = protobuf.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case stackID:
			id = number
		case stackFrame:
			frames = appendNumbers(frames, number, body)
		}
		return nil
	})
	return id, frames, err
}

// readTask reads a TaskContext. If it does not state the thread, it is the first thread of the
// process, which has the number of the process.
func readTask(b []byte) (id uint64, t task, err error) {
	err = protobuf.Fields(b, func(field int, number uint64, _ []byte) error {
		switch field {
		case internedID:
			id = number
		case taskPID:
			t.pid = uint32(number)
		case taskTID:
			t.tid = uint32(number)
		}
		return nil
	})
	if t.tid == 0 {
		t.tid = t.pid
	}
	return id, t, err
}

// path returns the file of a mapping, or "" if it has none.
func (s *stacks) path(mapping uint64) string {
	var path strings.Builder
	for _, part := range s.mappings[mapping] {
		if path.Len() > 0 || len(s.mappings[mapping]) > 1 {
			path.WriteByte('/')
		}
		path.WriteString(strings.TrimPrefix(s.paths[part], "/"))
	}
	if len(s.mappings[mapping]) == 1 { // a path, or a name such as [vdso] that is not a file
		return s.paths[s.mappings[mapping][0]]
	}
	return path.String()
}
