package timeline

// uniqueTIDs assigns different ids to the threads of several processes, because the id is the only
// key of a thread in most formats. In containers, and in traces by programs other than a kernel,
// ids are unique only within their process.
type uniqueTIDs struct {
	of    map[uint32]uint32 // the process of each id
	given map[uint32]bool   // ids that differ from the id in the file
	free  map[uint32]uint32 // by process: start of the search for a free id
}

// unique returns the id of a new thread. If a thread of another process has the id, it returns a
// free id, searching from the number of the process on. Process 0 means an unknown process; its
// threads share the ids of all processes.
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
