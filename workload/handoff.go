package workload

import (
	"strings"

	"artifice/internal/yamlfile"
	"artifice/trace"
	"artifice/workload/internal/machine"
)

// Keys of the giving and the waiting steps, by kind of handoff.
var (
	giveWords = [...]string{"unlock", "put", "complete"}
	getWords  = [...]string{"lock", "take", "await"}
)

// readHandoff reads a step of one kind for the handoff named by v.
func (b *builder) readHandoff(s *step, v *yamlfile.Node, kind machine.HandoffKind, does stepKind) error {
	name, err := v.String()
	if err != nil {
		return err
	}
	if len(strings.Fields(name)) != 1 || strings.Fields(name)[0] != name {
		return v.Errorf("the name of a %s must be one word", machine.Nouns[kind])
	}
	p := b.program
	s.kind, s.handoff = does, len(p.code.Handoffs)
	for i, h := range p.code.Handoffs {
		if h.Name == name {
			s.handoff = i
		}
	}
	if s.handoff == len(p.code.Handoffs) {
		p.code.Handoffs = append(p.code.Handoffs, machine.Handoff{Name: name, Kind: kind, Giver: machine.NoGiver})
	}
	h := &p.code.Handoffs[s.handoff]
	first := &h.Get
	if does == giveStep {
		first = &h.Give
	}
	if h.Kind != kind {
		other := h.Get
		if other == nil {
			other = h.Give
		}
		return v.Errorf("%s is a %s in line %d, and a %s here; rename one of them", name, machine.Nouns[h.Kind], other.Line, machine.Nouns[kind])
	}
	if *first == nil {
		*first = s.at
	}
	return nil
}

// addHandoffMethods adds the methods that mark handoffs by their calls.
func (p *Program) addHandoffMethods() {
	for i := range p.code.Handoffs {
		h := &p.code.Handoffs[i]
		add := func(name string, does trace.LinkAct) trace.MethodID {
			m := trace.Method{ID: uint64(len(p.methods)) << 2, Class: "artifice.Handover", Name: name + "-" + h.Name, Signature: "()V", Flags: trace.RuntimeInternal}
			m.Link = trace.Link{Does: does, Object: uint16(i)}
			p.methods = append(p.methods, method{Method: m, at: h.Get})
			return trace.MethodID(len(p.methods) - 1)
		}
		takes := trace.Takes
		if h.Kind == machine.Future {
			takes = trace.Sees
		}
		h.Got, h.Given = add(getWords[h.Kind], takes), add(giveWords[h.Kind], trace.Gives)
	}
}

// findGivers determines the handoffs that only one thread can give.
func (p *Program) findGivers() {
	givers := make([]int, len(p.code.Handoffs))
	given := map[*yamlfile.Node][]bool{} // by thread: copies share their body
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
				p.code.Handoffs[k].Giver = machine.NoGiver
			} else {
				p.code.Handoffs[k].Giver = int32(i)
			}
		}
	}
}

// gives reports, for each handoff, whether a thread has steps that give it, in its body or in its
// callees.
func (p *Program) gives(t *thread) []bool {
	given := make([]bool, len(p.code.Handoffs))
	s := search{p: p, seen: make([]bool, len(p.methods))}
	var pending []trace.MethodID
	for steps := allSteps(t.body...); ; {
		for x := range steps {
			if x.kind == giveStep {
				given[x.handoff] = true
			}
			pending = s.callees(pending, x)
		}
		if len(pending) == 0 {
			return given
		}
		steps = allSteps(p.methods[pending[len(pending)-1]].body)
		pending = pending[:len(pending)-1]
	}
}

// checkHandoffs rejects handoffs that no step gives, or no step waits for, and steps that wait
// outside of a method.
func (p *Program) checkHandoffs() error {
	for _, h := range p.code.Handoffs {
		switch {
		case h.Give == nil && h.Kind == machine.Lock:
			return h.Get.Errorf("lock %s is never released: no step has unlock: %s", h.Name, h.Name)
		case h.Give == nil:
			return h.Get.Errorf("threads wait here forever: no step has %s: %s", giveWords[h.Kind], h.Name)
		case h.Get == nil:
			return h.Give.Errorf("no step waits for this step; add a step with %s: %s", getWords[h.Kind], h.Name)
		}
	}
	for i := range p.threads {
		for s := range allSteps(p.threads[i].body...) {
			if s.kind == getStep {
				return s.at.Errorf("only a method with a wait can have this step: define a method with a wait, such as wait: lock, and call the method")
			}
		}
	}
	return nil
}
