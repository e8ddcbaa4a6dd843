package stackdump

import (
	"cmp"
	"io"
	"slices"
	"time"
)

// Samples are stacks of single threads with their times. They serve files in which samples are
// unordered, or in which the names of frames and threads are at the end: the samples are gathered
// first, then delivered in time order. A sample takes 32 bytes, and each distinct stack 40.
type Samples struct {
	Input
	PID     int
	Tallies bool // the CPU value of a sample is its count of the event; 0 if the file does not state it
	List    []Sample
	Nodes   []Node // nodes of the tree of stacks
	index   map[Node]int32
	next    int             // index of the sample to be delivered next
	ended   map[uint32]bool // threads that were blocked at their latest sample
	names   SampleNames
}

// SampleNames maps the numbers in samples to names.
type SampleNames interface {
	// Resolve returns the frames of a key, innermost first.
	Resolve(key uint64) []FrameID
	// NameThread sets the name and identity of a thread.
	NameThread(tid uint32, t *Thread)
}

// NewSamples returns an empty list of samples. It resolves each key once.
func NewSamples(in Input, names SampleNames) Samples {
	return Samples{Input: in, names: &resolvedKeys{names, map[uint64][]FrameID{}}}
}

// resolvedKeys is a SampleNames that resolves each key once.
type resolvedKeys struct {
	SampleNames
	known map[uint64][]FrameID
}

// Resolve implements [SampleNames].
func (r *resolvedKeys) Resolve(key uint64) []FrameID {
	ids, ok := r.known[key]
	if !ok {
		ids = r.SampleNames.Resolve(key)
		r.known[key] = ids
	}
	return ids
}

// Sample is a thread's stack at a point in time.
type Sample struct {
	At, CPU time.Duration // CPU is -1 if the file does not state it
	TID     uint32
	Stack   int32  // node of its innermost frame
	Blocked bool   // a call that blocked ended at this sample
	Event   uint16 // number of its event, if Tallies is set
	Count   uint32 // number of consecutive samples with the stack; 0 means 1
}

// Node is a frame of a stack: a key defined by the format, and the node of its caller.
type Node struct {
	Key    uint64
	caller int32
}

// NoNode is the caller of the outermost frame.
const NoNode = -1

// Under returns the node of a frame called by another.
func (s *Samples) Under(caller int32, key uint64) int32 {
	n := Node{key, caller}
	id, ok := s.index[n]
	if !ok {
		if s.index == nil {
			s.index = map[Node]int32{}
		}
		id = int32(len(s.Nodes))
		s.Nodes = append(s.Nodes, n)
		s.index[n] = id
	}
	return id
}

// Sort sorts the samples by time; samples with equal times stay in the file's order.
func (s *Samples) Sort() {
	slices.SortStableFunc(s.List, func(a, b Sample) int { return cmp.Compare(a.At, b.At) })
}

// Deliver stores the next sample in d. It returns io.EOF after the last one.
func (s *Samples) Deliver(d *Dump) error {
	if s.next == len(s.List) {
		return io.EOF
	}
	s.next++
	s.Put(d, s.List[s.next-1])
	return nil
}

// Put stores a sample in d.
func (s *Samples) Put(d *Dump, seen Sample) {
	d.Begin(&s.Input)
	d.PID, d.Partial = s.PID, true
	d.Stamp = Stamp{Uptime: seen.At, HasUptime: true}
	t := d.AddThread(s.Lines.Line)
	t.ID.TID, t.Count = int64(seen.TID), max(int64(seen.Count), 1)
	if s.Tallies {
		d.Tally.Number, d.Tally.EventID = int64(seen.CPU), seen.Event
	} else {
		t.CPU, t.HasCPU = seen.CPU, seen.CPU >= 0
	}
	if t.Again = s.ended[seen.TID]; t.Again != seen.Blocked {
		if s.ended == nil {
			s.ended = map[uint32]bool{}
		}
		s.ended[seen.TID] = seen.Blocked
	}
	s.names.NameThread(seen.TID, t)
	t.Tree, t.Node = s, seen.Stack
}

// Expand fills the Stack of those threads of d that have a node of a tree.
func (d *Dump) Expand() {
	for i := range d.Threads {
		t := &d.Threads[i]
		if t.Tree == nil {
			continue
		}
		for n := t.Node; n != NoNode; n = t.Tree.Nodes[n].caller {
			for _, f := range t.Tree.names.Resolve(t.Tree.Nodes[n].Key) {
				t.Push(&t.Tree.Input, f)
			}
		}
		t.Tree = nil
	}
}
