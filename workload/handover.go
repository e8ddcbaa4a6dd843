package workload

import (
	"strings"

	"artifice/internal/yamlfile"
	"artifice/trace"
	"artifice/workload/internal/machine"
)

// words of what gives, and of what is waited for, by kind of handover.
var (
	giveWords = [...]string{"unlock", "put", "complete"}
	getWords  = [...]string{"lock", "take", "await"}
)

// readHandover reads a step of one kind on the handover that v names.
func (b *builder) readHandover(s *step, v *yamlfile.Node, kind machine.HandoverKind, does stepKind) error {
	name, err := v.String()
	if err != nil {
		return err
	}
	if len(strings.Fields(name)) != 1 || strings.Fields(name)[0] != name {
		return v.Errorf("the name of a %s is one word", machine.Nouns[kind])
	}
	p := b.program
	s.kind, s.handover = does, len(p.code.Handovers)
	for i, h := range p.code.Handovers {
		if h.Name == name {
			s.handover = i
		}
	}
	if s.handover == len(p.code.Handovers) {
		p.code.Handovers = append(p.code.Handovers, machine.Handover{Name: name, Kind: kind, Giver: machine.NoGiver})
	}
	h := &p.code.Handovers[s.handover]
	first := &h.Get
	if does == giveStep {
		first = &h.Give
	}
	if h.Kind != kind {
		other := h.Get
		if other == nil {
			other = h.Give
		}
		return v.Errorf("%s is a %s in line %d, and a %s here; give one of both another name", name, machine.Nouns[h.Kind], other.Line, machine.Nouns[kind])
	}
	if *first == nil {
		*first = s.at
	}
	return nil
}

// tellHandovers adds the methods whose calls tell of handovers.
func (p *Program) tellHandovers() {
	for i := range p.code.Handovers {
		h := &p.code.Handovers[i]
		tell := func(name string, does trace.LinkAct) trace.MethodID {
			m := trace.Method{ID: uint64(len(p.methods)) << 2, Class: "artifice.Handover", Name: name + "-" + h.Name, Signature: "()V", Flags: trace.RuntimeInternal}
			m.Link = trace.Link{Does: does, Object: uint16(i)}
			p.methods = append(p.methods, method{Method: m, at: h.Get})
			return trace.MethodID(len(p.methods) - 1)
		}
		takes := trace.Takes
		if h.Kind == machine.Future {
			takes = trace.Sees
		}
		h.Got, h.Given = tell(getWords[h.Kind], takes), tell(giveWords[h.Kind], trace.Gives)
	}
}

// findGivers notes which thread alone can give what others wait for.
func (p *Program) findGivers() {
	givers := make([]int, len(p.code.Handovers))
	given := map[*yamlfile.Node][]bool{} // by thread: copies are alike
	for i := range p.threads {
		t := &p.threads[i]
		if given[t.at] == nil {
			given[t.at] = p.gives(t)
		}
		for k, gives := range given[t.at] {
			if !gives {
				continue
			}
			if givers[k]++; givers[k] > 1 {
				p.code.Handovers[k].Giver = machine.NoGiver
			} else {
				p.code.Handovers[k].Giver = int32(i)
			}
		}
	}
}

// gives reports which handovers a thread has steps to give, in its body or in what that calls.
func (p *Program) gives(t *thread) []bool {
	given := make([]bool, len(p.code.Handovers))
	s := search{p: p, seen: make([]bool, len(p.methods))}
	var pending []trace.MethodID
	visit := func(x *step) {
		if x.kind == giveStep {
			given[x.handover] = true
		}
		pending = s.callees(pending, x)
	}
	for _, steps := range t.body {
		walkSteps(steps, visit)
	}
	for len(pending) > 0 {
		m := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		walkSteps(p.methods[m].body, visit)
	}
	return given
}

// checkHandovers refuses what nobody gives, or nobody waits for, and steps that wait outside of a
// method.
func (p *Program) checkHandovers() error {
	for _, h := range p.code.Handovers {
		switch {
		case h.Give == nil && h.Kind == machine.Lock:
			return h.Get.Errorf("lock %s is never released: no step has unlock: %s", h.Name, h.Name)
		case h.Give == nil:
			return h.Get.Errorf("threads wait here for ever: no step has %s: %s", giveWords[h.Kind], h.Name)
		case h.Get == nil:
			return h.Give.Errorf("no step waits for this; add one with %s: %s", getWords[h.Kind], h.Name)
		}
	}
	for i := range p.threads {
		var err error
		for _, steps := range p.threads[i].body {
			walkSteps(steps, func(s *step) {
				if s.kind == getStep && err == nil {
					err = s.at.Errorf("a thread waits here for another one; put the step into a method with a wait, as wait: lock, and call that")
				}
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
