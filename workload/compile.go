package workload

import (
	"math"

	"artifice/internal/yamlfile"
	"artifice/workload/internal/machine"
)

// compile compiles all bodies. The members of a family share their code, as do the copies of a
// thread.
func (p *Program) compile() {
	c := &p.code
	c.Instrs, c.Methods, c.Threads = nil, nil, nil
	for i := range p.methods {
		m := &p.methods[i]
		entry := p.here()
		if i > 0 && m.at == p.methods[i-1].at {
			entry = c.Methods[i-1].Entry
		} else {
			numberSites(m.body)
			p.compileSteps(m.body)
			p.emit(machine.Instr{Op: machine.OpReturn})
		}
		c.Methods = append(c.Methods, machine.Method{Method: m.Method, Entry: entry})
	}
	entries := map[*yamlfile.Node]int32{}
	for i := range p.threads {
		t := &p.threads[i]
		entry, ok := entries[t.at]
		if !ok {
			entry = p.compileThread(t)
			entries[t.at] = entry
		}
		life := t.Thread
		life.Entry, life.Idle = entry, len(t.body) == 0
		c.Threads = append(c.Threads, life)
	}
}

// compileThread compiles the body of a thread.
func (p *Program) compileThread(t *thread) (entry int32) {
	entry = p.here()
	numberSites(t.body...)
	for returned, steps := range t.body {
		if returned > 0 {
			p.emit(machine.Instr{Op: machine.OpLeave})
		}
		p.compileSteps(steps)
	}
	p.emit(machine.Instr{Op: machine.OpEnd})
	return entry
}

func (p *Program) here() int32 { return int32(len(p.code.Instrs)) }

func (p *Program) emit(i machine.Instr) (at int32) {
	p.code.Instrs = append(p.code.Instrs, i)
	return p.here() - 1
}

func (p *Program) compileSteps(steps []step) {
	for i := range steps {
		s := &steps[i]
		var guards []int32
		if s.below > 0 {
			guards = append(guards, p.emit(machine.Instr{Op: machine.OpBelow, Arg: int32(s.below)}))
		}
		if s.from > 0 {
			guards = append(guards, p.emit(machine.Instr{Op: machine.OpFrom, Arg: int32(s.from)}))
		}
		if s.prob < 1 {
			guards = append(guards, p.emit(machine.Instr{Op: machine.OpProb, P: uint64(s.prob * math.MaxUint64)}))
		}
		p.compileStep(s)
		for _, g := range guards {
			p.code.Instrs[g].To = p.here()
		}
	}
}

func (p *Program) compileStep(s *step) {
	switch s.kind {
	case selfStep:
		p.emit(machine.Instr{Op: machine.OpSelf, Dist: s.time})
	case callStep:
		p.compileCall(s)
	case throwStep:
		p.emit(machine.Instr{Op: machine.OpCall, Arg: int32(s.callee), Site: s.site})
		p.emit(machine.Instr{Op: machine.OpThrow})
	case untilStep:
		p.emit(machine.Instr{Op: machine.OpUntil, Period: s.time.Value, AtOnce: s.atOnce})
	case getStep:
		p.emit(machine.Instr{Op: machine.OpGet, Arg: int32(s.handoff), At: s.at})
		p.emit(machine.Instr{Op: machine.OpCall, Arg: int32(p.code.Handoffs[s.handoff].Got)})
	case giveStep:
		p.emit(machine.Instr{Op: machine.OpCall, Arg: int32(p.code.Handoffs[s.handoff].Given)})
		p.emit(machine.Instr{Op: machine.OpGive, Arg: int32(s.handoff), At: s.at})
	case foreverStep:
		top := p.here()
		p.compileSteps(s.body)
		p.emit(machine.Instr{Op: machine.OpJump, To: top})
	case loopStep:
		loop := p.emit(machine.Instr{Op: machine.OpLoop, Times: s.times})
		p.compileSteps(s.body)
		p.emit(machine.Instr{Op: machine.OpAgain, To: loop + 1})
		p.code.Instrs[loop].To = p.here()
	case chooseStep:
		p.compileChoice(s)
	}
}

func (p *Program) compileCall(s *step) {
	if s.weights == nil {
		p.emit(machine.Instr{Op: machine.OpCall, Arg: int32(s.callee), Catch: s.catch, Site: s.site})
		return
	}
	p.emit(machine.Instr{Op: machine.OpPick, Arg: int32(s.callee), Catch: s.catch, Site: s.site, UpTo: s.weights})
}

func (p *Program) compileChoice(s *step) {
	at := p.emit(machine.Instr{Op: machine.OpChoose})
	var ends []int32
	for i := range s.branches {
		b := &s.branches[i]
		p.code.Instrs[at].UpTo = append(p.code.Instrs[at].UpTo, b.upTo)
		p.code.Instrs[at].Target = append(p.code.Instrs[at].Target, p.here())
		p.compileSteps(b.body)
		ends = append(ends, p.emit(machine.Instr{Op: machine.OpJump}))
	}
	for _, e := range ends {
		p.code.Instrs[e].To = p.here()
	}
}
