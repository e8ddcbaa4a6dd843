package workload

import (
	"math"
	"time"

	"artifice/internal/yamlfile"
	"artifice/trace"
)

// opcode is what one instruction of a compiled body does.
type opcode uint8

const (
	opSelf   opcode = iota // pass a drawn time
	opCall                 // enter method arg
	opPick                 // enter one of a family that begins with method arg
	opLoop                 // draw the rounds; none: go to
	opAgain                // another round: go to; else drop the counter
	opJump                 // go to
	opProb                 // with probability 1-p: go to
	opBelow                // unless fewer than arg frames: go to
	opFrom                 // unless at least arg frames: go to
	opChoose               // go to one of targets
	opUntil                // pass time up to the next multiple of period
	opGet                  // wait for what handover arg has
	opGive                 // give handover arg something
	opThrow                // leave frames up to one that catches
	opReturn               // leave the method
	opLeave                // leave a frame of the thread's stack
	opEnd                  // the thread's body is done
)

// instr is one instruction. Bodies are compiled to a flat list of them, so that
// a thread's whole state is a program counter, frames and loop counters, and
// its events can be made in batches of any length.
type instr struct {
	op     opcode
	catch  bool       // opCall, opPick: the caller catches
	site   trace.Site // opCall, opPick
	to     int32
	arg    int32
	p      uint64 // opProb: taken when a random 64-bit number is below
	period time.Duration
	atOnce bool // opUntil
	dist   dist
	times  count
	upTo   []float64      // opPick, opChoose: cumulative probabilities
	target []int32        // opChoose
	at     *yamlfile.Node // opGet, opGive: for messages
}

// compile turns all bodies into code. The members of a family share theirs, and
// so do the copies of a thread.
func (p *Program) compile() {
	for i := range p.methods {
		if i > 0 && p.methods[i].at == p.methods[i-1].at {
			p.methods[i].entry = p.methods[i-1].entry
			continue
		}
		p.methods[i].entry = p.here()
		numberSites(p.methods[i].body)
		p.compileSteps(p.methods[i].body)
		p.emit(instr{op: opReturn})
	}
	entries := map[*yamlfile.Node]int32{}
	for i := range p.threads {
		t := &p.threads[i]
		if entry, ok := entries[t.at]; ok {
			t.entry = entry
			continue
		}
		t.entry = p.here()
		entries[t.at] = t.entry
		numberSites(t.body...)
		for returned, steps := range p.threads[i].body {
			if returned > 0 {
				p.emit(instr{op: opLeave})
			}
			p.compileSteps(steps)
		}
		p.emit(instr{op: opEnd})
	}
}

func (p *Program) here() int32 { return int32(len(p.code)) }

func (p *Program) emit(i instr) (at int32) {
	p.code = append(p.code, i)
	return p.here() - 1
}

func (p *Program) compileSteps(steps []step) {
	for i := range steps {
		s := &steps[i]
		var guards []int32
		if s.below > 0 {
			guards = append(guards, p.emit(instr{op: opBelow, arg: int32(s.below)}))
		}
		if s.from > 0 {
			guards = append(guards, p.emit(instr{op: opFrom, arg: int32(s.from)}))
		}
		if s.prob < 1 {
			guards = append(guards, p.emit(instr{op: opProb, p: uint64(s.prob * math.MaxUint64)}))
		}
		p.compileStep(s)
		for _, g := range guards {
			p.code[g].to = p.here()
		}
	}
}

func (p *Program) compileStep(s *step) {
	switch s.kind {
	case selfStep:
		p.emit(instr{op: opSelf, dist: s.time})
	case callStep:
		p.compileCall(s)
	case throwStep:
		p.emit(instr{op: opCall, arg: int32(s.callee), site: s.site})
		p.emit(instr{op: opThrow})
	case untilStep:
		p.emit(instr{op: opUntil, period: s.time.value, atOnce: s.atOnce})
	case getStep:
		p.emit(instr{op: opGet, arg: int32(s.handover), at: s.at})
		p.emit(instr{op: opCall, arg: int32(p.handovers[s.handover].got)})
	case giveStep:
		p.emit(instr{op: opCall, arg: int32(p.handovers[s.handover].given)})
		p.emit(instr{op: opGive, arg: int32(s.handover), at: s.at})
	case foreverStep:
		top := p.here()
		p.compileSteps(s.body)
		p.emit(instr{op: opJump, to: top})
	case loopStep:
		loop := p.emit(instr{op: opLoop, times: s.times})
		p.compileSteps(s.body)
		p.emit(instr{op: opAgain, to: loop + 1})
		p.code[loop].to = p.here()
	case chooseStep:
		p.compileChoice(s)
	}
}

func (p *Program) compileCall(s *step) {
	if s.weights == nil {
		p.emit(instr{op: opCall, arg: int32(s.callee), catch: s.catch, site: s.site})
		return
	}
	p.emit(instr{op: opPick, arg: int32(s.callee), catch: s.catch, site: s.site, upTo: s.weights})
}

func (p *Program) compileChoice(s *step) {
	at := p.emit(instr{op: opChoose})
	var ends []int32
	for i := range s.branches {
		b := &s.branches[i]
		p.code[at].upTo = append(p.code[at].upTo, b.upTo)
		p.code[at].target = append(p.code[at].target, p.here())
		p.compileSteps(b.body)
		ends = append(ends, p.emit(instr{op: opJump}))
	}
	for _, e := range ends {
		p.code[e].to = p.here()
	}
}

// waits reports whether time in method m passes without using the CPU.
func (p *Program) waits(m trace.MethodID) bool { return p.methods[m].Wait != trace.Running }
