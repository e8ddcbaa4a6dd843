package workload

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"artifice/trace"
)

// Slowed returns the same app with the times that pass in some methods themselves multiplied by
// factor, which is above 0. What they call and wait for is not changed. It fails where no method is
// chosen that has such a time.
func (p *Program) Slowed(chosen func(*trace.Method) bool, factor float64) (*Program, error) {
	if !(factor > 0) || math.IsInf(factor, 1) {
		return nil, fmt.Errorf("workload %s: times multiplied by %v: must be above 0", p.Name, factor)
	}
	slow, err := ReadYAML(bytes.NewReader(p.source), p.Name)
	if err != nil {
		return nil, err
	}
	found := false
	for i := range slow.methods {
		m := &slow.methods[i]
		if !chosen(&m.Method) {
			continue
		}
		own := *m.at // a family has one body
		m.at, m.body = &own, copied(m.body)
		walkSteps(m.body, func(s *step) {
			if s.kind == selfStep {
				s.time.Multiply(factor)
				found = true
			}
		})
	}
	if !found {
		return nil, fmt.Errorf("workload %s: no method that was chosen has a time of its own", p.Name)
	}
	slow.compile()
	return slow, nil
}

// copied returns steps that share none with steps.
func copied(steps []step) []step {
	steps = slices.Clone(steps)
	for i := range steps {
		s := &steps[i]
		s.body, s.branches = copied(s.body), slices.Clone(s.branches)
		for j := range s.branches {
			s.branches[j].body = copied(s.branches[j].body)
		}
	}
	return steps
}
