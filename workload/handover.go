package workload

import (
	"strings"

	"artifice/internal/yamlfile"
	"artifice/trace"
)

// handover is something for which threads wait that other threads give.
type handover struct {
	name      string
	kind      handoverKind
	get, give *yamlfile.Node // the first steps of each kind; nil: there is none

	// Methods that no tracer sees. In the truth their calls mark which thread gives and which one receives.
	got, given trace.MethodID
}

// handoverKind is what is handed over.
type handoverKind uint8

const (
	lock   handoverKind = iota // one thread has it, from lock to unlock; those that wait get it in the order of their coming
	queue                      // put adds an item, and each take takes one
	future                     // from complete on, nobody has to await it any more
)

// words of what gives, and of what is waited for, and what is wrong where that is missing.
var (
	giveWords = [...]string{"unlock", "put", "complete"}
	getWords  = [...]string{"lock", "take", "await"}
	nouns     = [...]string{"lock", "queue", "future"}
)

// readHandover reads a step of one kind on the handover that v names.
func (b *builder) readHandover(s *step, v *yamlfile.Node, kind handoverKind, does stepKind) error {
	name, err := v.String()
	if err != nil {
		return err
	}
	if len(strings.Fields(name)) != 1 || strings.Fields(name)[0] != name {
		return v.Errorf("the name of a %s is one word", nouns[kind])
	}
	p := b.program
	s.kind, s.handover = does, len(p.handovers)
	for i, h := range p.handovers {
		if h.name == name {
			s.handover = i
		}
	}
	if s.handover == len(p.handovers) {
		p.handovers = append(p.handovers, handover{name: name, kind: kind})
	}
	h := &p.handovers[s.handover]
	first := &h.get
	if does == giveStep {
		first = &h.give
	}
	if h.kind != kind {
		other := h.get
		if other == nil {
			other = h.give
		}
		return v.Errorf("%s is a %s in line %d, and a %s here; give one of both another name", name, nouns[h.kind], other.Line, nouns[kind])
	}
	if *first == nil {
		*first = v
	}
	return nil
}

// tellHandovers adds the methods whose calls tell of handovers.
func (p *Program) tellHandovers() {
	for i := range p.handovers {
		h := &p.handovers[i]
		tell := func(name string, does trace.LinkAct) trace.MethodID {
			m := trace.Method{ID: uint64(len(p.methods)) << 2, Class: "artifice.Handover", Name: name + "-" + h.name, Signature: "()V", Flags: trace.RuntimeInternal}
			m.Link = trace.Link{Does: does, Object: uint16(i)}
			p.methods = append(p.methods, method{Method: m, at: h.get})
			return trace.MethodID(len(p.methods) - 1)
		}
		takes := trace.Takes
		if h.kind == future {
			takes = trace.Sees
		}
		h.got, h.given = tell(getWords[h.kind], takes), tell(giveWords[h.kind], trace.Gives)
	}
}

// checkHandovers refuses what nobody gives, or nobody waits for, and steps that wait outside of a
// method.
func (p *Program) checkHandovers() error {
	for _, h := range p.handovers {
		switch {
		case h.give == nil && h.kind == lock:
			return h.get.Errorf("lock %s is never released: no step has unlock: %s", h.name, h.name)
		case h.give == nil:
			return h.get.Errorf("threads wait here for ever: no step has %s: %s", giveWords[h.kind], h.name)
		case h.get == nil:
			return h.give.Errorf("no step waits for this; add one with %s: %s", getWords[h.kind], h.name)
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
