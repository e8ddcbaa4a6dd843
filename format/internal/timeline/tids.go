package timeline

// uniqueTIDs gives threads of several processes different ids, as most formats have no other key of
// a thread: ids of containers, and those of other programs than kernels, are unique only in their
// process.
type uniqueTIDs struct {
	of    map[uint32]uint32 // the process of each id
	given map[uint32]bool   // ids that are not those of the file
	free  map[uint32]uint32 // by process: where the search for a free id begins
}

// unique returns the id of a new thread, or, if a thread of another process has it, a free one from
// the number of the process on. Process 0 is an unknown one, and shares the ids of all.
func (p *uniqueTIDs) unique(t Thread) (tid uint32) {
	if p.of == nil {
		p.of, p.free, p.given = map[uint32]uint32{}, map[uint32]uint32{}, map[uint32]bool{}
	}
	tid = t.Tid
	if pid, taken := p.of[tid]; taken && t.Pid != 0 && pid != 0 && (pid != t.Pid || p.given[tid]) {
		tid = max(p.free[t.Pid], t.Pid)
		for _, taken = p.of[tid]; taken; _, taken = p.of[tid] {
			tid++
		}
		p.free[t.Pid], p.given[tid] = tid+1, true
	}
	if p.of[tid] == 0 {
		p.of[tid] = t.Pid
	}
	return tid
}
