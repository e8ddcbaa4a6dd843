package trace

import "fmt"

// Processes assigns the threads of a trace to processes. In a trace of several processes it sets
// [Thread.Process]. If threads of two processes share a name, it adds the process to the name of
// the later one, so that a reader of any format shows "main" and "main (com.example)". The zero
// value is empty and ready to use. Process 0 is unknown.
type Processes struct {
	names  map[uint32]string   // as the source states them
	taken  map[string]uint32   // names of processes, with the first process
	owners map[string]uint32   // names of threads, with the process of the first such thread
	of     map[ThreadID]uint32 // the process of each thread
	ids    map[uint32]bool     // the different processes
}

// Name sets the name of a process. Only the first name of a process counts.
func (p *Processes) Name(pid uint32, name string) {
	if p.names == nil {
		p.names, p.taken = map[uint32]string{}, map[string]uint32{}
	}
	if name == "" || p.names[pid] != "" {
		return
	}
	p.names[pid] = name
	if _, taken := p.taken[name]; !taken {
		p.taken[name] = pid
	}
}

// label returns the name of a process, its id if it has none, and both if another process has the
// name.
func (p *Processes) label(pid uint32) string {
	switch name := p.names[pid]; {
	case pid == 0: // unknown
		return name
	case name == "":
		return fmt.Sprintf("pid %d", pid)
	case p.taken[name] != pid:
		return fmt.Sprintf("%s, pid %d", name, pid)
	default:
		return name
	}
}

// Add assigns a named thread to a process. If a thread of another process has the name, the
// process is added to it.
func (p *Processes) Add(s *Symbols, id ThreadID, pid uint32) {
	if p.of == nil {
		p.of, p.ids, p.owners = map[ThreadID]uint32{}, map[uint32]bool{}, map[string]uint32{}
	}
	label, t := p.label(pid), s.Thread(id)
	if label == "" {
		return
	}
	p.of[id], p.ids[pid] = pid, true
	owner, met := p.owners[t.Name]
	switch {
	case t.Name == "":
	case !met:
		p.owners[t.Name] = pid
	case owner != pid:
		t.Name = fmt.Sprintf("%s (%s)", t.Name, label)
	}
}

// Finish sets the processes of all threads, once the names of processes are complete. In a trace of
// one process they remain empty.
func (p *Processes) Finish(s *Symbols) {
	if len(p.ids) < 2 {
		return
	}
	for id, pid := range p.of {
		s.Thread(id).Process = p.label(pid)
	}
}
