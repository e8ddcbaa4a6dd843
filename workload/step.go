package workload

import (
	"artifice/internal/yamlfile"
	"artifice/trace"
	"artifice/workload/internal/dist"
)

// stepKind is what a step of a body does.
type stepKind uint8

const (
	selfStep    stepKind = iota // pass time in the method itself
	callStep                    // call a method, or one of a family
	loopStep                    // repeat steps
	chooseStep                  // take one of several branches
	throwStep                   // make an exception and leave by it
	untilStep                   // pass time up to the next multiple of a period
	getStep                     // wait for what another thread gives
	giveStep                    // give what others wait for
	foreverStep                 // repeat steps without end; last of a thread's body
)

// step is one step of a method's or thread's body, as the file states it.
type step struct {
	kind stepKind
	at   *yamlfile.Node // for messages

	prob  float64 // the step is taken with this probability
	below int     // only while fewer frames are on the stack; 0: always
	from  int     // only when at least so many frames are

	time     dist.Time      // selfStep; untilStep: its fixed period
	atOnce   bool           // untilStep: one that comes too late goes on at once
	handover int            // getStep, giveStep: index of the program's
	callee   trace.MethodID // callStep, throwStep: the method, or the first of a family
	site     trace.Site     // callStep, throwStep: which of its body's; set by compile
	weights  []float64      // callStep on a family: cumulative, last 1; nil for one method
	catch    bool           // callStep: an exception out of the callee ends here
	times    dist.Count     // loopStep
	body     []step         // loopStep, foreverStep
	branches []branch       // chooseStep
}

// branch is one way a chooseStep can go.
type branch struct {
	upTo float64 // cumulative probability, last 1
	body []step
}

// enabled reports whether the step's depth conditions hold with depth frames on
// the stack.
func (s *step) enabled(depth int) bool {
	return (s.below == 0 || depth < s.below) && depth >= s.from
}

// family returns how many methods a callStep chooses from.
func (s *step) family() int { return max(len(s.weights), 1) }

// walkSteps calls visit for every step, those inside others too.
func walkSteps(steps []step, visit func(*step)) {
	for i := range steps {
		s := &steps[i]
		visit(s)
		walkSteps(s.body, visit)
		for j := range s.branches {
			walkSteps(s.branches[j].body, visit)
		}
	}
}

// eachStep calls visit for every step of p, once for a body that several
// methods or threads share.
func (p *Program) eachStep(visit func(*step)) {
	seen := map[*yamlfile.Node]bool{}
	for i := range p.methods {
		if m := &p.methods[i]; !seen[m.at] {
			seen[m.at] = true
			walkSteps(m.body, visit)
		}
	}
	for i := range p.threads {
		if t := &p.threads[i]; !seen[t.at] {
			seen[t.at] = true
			for _, steps := range t.body {
				walkSteps(steps, visit)
			}
		}
	}
}
