package stackdump

import (
	"cmp"
	"io"
	"slices"
	"time"
)

// samples are stacks of single threads, each at a time, from a file that has them in
// no order or names their frames and threads at its end: they are gathered first and
// delivered by time then. A sample takes 32 bytes, and each different stack 40.
type samples struct {
	input
	pid     int
	tallies bool // cpu of a sample is what it counts of its event; 0 where the file does not tell
	list    []sample
	nodes   []node // of the tree of stacks
	index   map[node]int32
	next    int             // sample to be delivered
	ended   map[uint32]bool // threads whose latest sample was blocked

	frames func(key uint64) []FrameID  // of a key, innermost first
	thread func(tid uint32, t *Thread) // names a thread
}

// sample is a thread's stack at a time.
type sample struct {
	at, cpu time.Duration // cpu is -1 where the file does not tell it
	tid     uint32
	stack   int32  // its innermost frame's node
	blocked bool   // a call that blocked ended here
	count   uint32 // how many in a row saw the stack; 0 is 1
}

// node is a frame below others: a key of the format's, and the node of its caller.
type node struct {
	key    uint64
	caller int32
}

// noNode is the caller of the outermost frame.
const noNode = -1

// under returns the node of a frame called by another.
func (s *samples) under(caller int32, key uint64) int32 {
	n := node{key, caller}
	id, ok := s.index[n]
	if !ok {
		if s.index == nil {
			s.index = map[node]int32{}
		}
		id = int32(len(s.nodes))
		s.nodes = append(s.nodes, n)
		s.index[n] = id
	}
	return id
}

// sort puts the samples in the order of time; equal times keep the file's.
func (s *samples) sort() {
	slices.SortStableFunc(s.list, func(a, b sample) int { return cmp.Compare(a.at, b.at) })
}

// deliver fills d with the next sample. It returns io.EOF when there is none.
func (s *samples) deliver(d *Dump) error {
	if s.next == len(s.list) {
		return io.EOF
	}
	seen := s.list[s.next]
	s.next++
	d.begin(&s.input)
	d.PID, d.Partial = s.pid, true
	d.Stamp = Stamp{Uptime: seen.at, HasUptime: true}
	t := d.addThread(s.lines.line)
	t.ID.TID, t.Count = int64(seen.tid), max(int64(seen.count), 1)
	if s.tallies {
		d.tally.number = int64(seen.cpu)
	} else {
		t.CPU, t.HasCPU = seen.cpu, seen.cpu >= 0
	}
	if t.Again = s.ended[seen.tid]; t.Again != seen.blocked {
		if s.ended == nil {
			s.ended = map[uint32]bool{}
		}
		s.ended[seen.tid] = seen.blocked
	}
	s.thread(seen.tid, t)
	for n := seen.stack; n != noNode; n = s.nodes[n].caller {
		for _, f := range s.frames(s.nodes[n].key) {
			t.push(&s.input, f)
		}
	}
	return nil
}
