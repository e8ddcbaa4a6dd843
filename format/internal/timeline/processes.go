package timeline

import "artifice/trace"

// processes gives threads of several processes different ids, as most formats have no other key of a thread: ids of
// containers, and those of other programs than kernels, are unique only in their process.
type processes struct {
	of    map[uint32]uint32         // the process of each id
	given map[uint32]bool           // ids that are not those of the file
	free  map[uint32]uint32         // by process: where the search for a free id begins
	moved map[trace.ThreadID]uint32 // the processes of threads that got another id
}

// unique returns the id of a new thread, or, if a thread of another process has it, a free one from the number of the
// process on. Process 0 is an unknown one, and shares the ids of all.
func (p *processes) unique(t Thread) (tid uint32, moved bool) {
	if p.of == nil {
		p.of, p.free, p.given, p.moved = map[uint32]uint32{}, map[uint32]uint32{}, map[uint32]bool{}, map[trace.ThreadID]uint32{}
	}
	tid = t.Tid
	if pid, taken := p.of[tid]; taken && t.Pid != 0 && pid != 0 && (pid != t.Pid || p.given[tid]) {
		tid, moved = max(p.free[t.Pid], t.Pid), true
		for _, taken = p.of[tid]; taken; _, taken = p.of[tid] {
			tid++
		}
		p.free[t.Pid], p.given[tid] = tid+1, true
	}
	if p.of[tid] == 0 {
		p.of[tid] = t.Pid
	}
	return tid, moved
}
