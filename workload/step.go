package workload

import (
	"iter"

	"artifice/internal/yamlfile"
	"artifice/trace"
	"artifice/workload/internal/dist"
)

// stepKind is the kind of a step of a body.
type stepKind uint8

const (
	selfStep    stepKind = iota // pass time in the method itself
	callStep                    // call a method, or one of a family
	loopStep                    // repeat steps
	chooseStep                  // take one of several branches
	throwStep                   // throw an exception
	untilStep                   // pass time up to the next multiple of a period
	getStep                     // wait for a handoff from another thread
	giveStep                    // give a handoff
	foreverStep                 // repeat steps without end; last of a thread's body
)

// step is one step of a method's or thread's body, as written in the file.
type step struct {
	kind stepKind
	at   *yamlfile.Node // for messages

	prob  float64 // the step is taken with this probability
	below int     // only while fewer frames are on the stack; 0: always
	from  int     // only with at least this many frames; 0: always

	time     dist.Time      // selfStep; untilStep: its fixed period
	atOnce   bool           // untilStep: a thread too late for a tick continues immediately
	handoff  int            // getStep, giveStep: index of the program's
	callee   trace.MethodID // callStep, throwStep: the method, or the first of a family
	site     trace.Site     // callStep, throwStep: its number in the body; set by compile
	weights  []float64      // callStep on a family: cumulative, last 1; nil for one method
	catch    bool           // callStep: an exception out of the callee ends here
	times    dist.Count     // loopStep
	body     []step         // loopStep, foreverStep
	branches []branch       // chooseStep
}

// branch is one branch of a chooseStep.
type branch struct {
	upTo float64 // cumulative probability, last 1
	body []step
}

// enabled reports whether the step's depth conditions hold with depth frames on the stack.
func (s *step) enabled(depth int) bool {
	return (s.below == 0 || depth < s.below) && depth >= s.from
}

// family returns the number of methods from which a callStep chooses.
func (s *step) family() int { return max(len(s.weights), 1) }

// allSteps yields the steps of bodies, each followed by the steps inside it.
func allSteps(bodies ...[]step) iter.Seq[*step] {
	return func(yield func(*step) bool) {
		for _, steps := range bodies {
			if !eachStep(steps, yield) {
				return
			}
		}
	}
}

// eachStep yields the steps of a body until yield returns false, which it returns.
func eachStep(steps []step, yield func(*step) bool) bool {
	for i := range steps {
		s := &steps[i]
		if !yield(s) || !eachStep(s.body, yield) {
			return false
		}
		for j := range s.branches {
			if !eachStep(s.branches[j].body, yield) {
				return false
			}
		}
	}
	return true
}

// allSteps yields the steps of p. It yields a body that several methods or threads share only once.
func (p *Program) allSteps() iter.Seq[*step] {
	return func(yield func(*step) bool) {
		seen := map[*yamlfile.Node]bool{}
		for i := range p.methods {
			if m := &p.methods[i]; !seen[m.at] {
				seen[m.at] = true
				if !eachStep(m.body, yield) {
					return
				}
			}
		}
		for i := range p.threads {
			if t := &p.threads[i]; !seen[t.at] {
				seen[t.at] = true
				for _, steps := range t.body {
					if !eachStep(steps, yield) {
						return
					}
				}
			}
		}
	}
}

// numberSites assigns call sites to the steps of a body that call methods, including those inside
// loops and branches: 1 to the first in the order of the text, and so on. A step has one site
// regardless of its executions and of the family member it calls, like a line of source. A thread's
// body is in parts, one for each frame of its stack that continues; they are numbered as one.
func numberSites(parts ...[]step) {
	last := trace.Site(0)
	for s := range allSteps(parts...) {
		if s.kind == callStep || s.kind == throwStep {
			last = min(last, trace.MaxSite-1) + 1
			s.site = last
		}
	}
}
