package workload

import (
	"math"
	"strings"

	"artifice/internal/yamlfile"
	"artifice/workload/internal/dist"
	"artifice/workload/internal/machine"
)

// steps reads a list of steps. Only a thread's own body may end in a loop
// without end.
func (b *builder) steps(nodes []*yamlfile.Node, ofThread bool) ([]step, error) {
	var steps []step
	for i, n := range nodes {
		s, err := b.step(n)
		if err != nil {
			return nil, err
		}
		if s.kind == foreverStep && (!ofThread || i != len(nodes)-1 || s.prob < 1 || s.below > 0 || s.from > 0) {
			return nil, n.Errorf("an endless loop must be the last step of a thread, and cannot have conditions")
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// readers returns the keys that determine the kind of a step, in the order of messages.
func (b *builder) readers(s *step, f *yamlfile.Fields) []keyReader {
	return []keyReader{
		{"self", func(v *yamlfile.Node) error { return s.readSelf(v) }},
		{"call", func(v *yamlfile.Node) error { return b.readCall(s, v, f) }},
		{"loop", func(v *yamlfile.Node) error { return b.readLoop(s, v, f) }},
		{"choose", func(v *yamlfile.Node) error { return b.readChoose(s, v) }},
		{"throw", func(v *yamlfile.Node) error { return b.readThrow(s, v) }},
		{"until_next", func(v *yamlfile.Node) error { return s.readUntil(v, f) }},
		{"lock", func(v *yamlfile.Node) error { return b.readHandoff(s, v, machine.Lock, getStep) }},
		{"unlock", func(v *yamlfile.Node) error { return b.readHandoff(s, v, machine.Lock, giveStep) }},
		{"put", func(v *yamlfile.Node) error { return b.readHandoff(s, v, machine.Queue, giveStep) }},
		{"take", func(v *yamlfile.Node) error { return b.readHandoff(s, v, machine.Queue, getStep) }},
		{"complete", func(v *yamlfile.Node) error { return b.readHandoff(s, v, machine.Future, giveStep) }},
		{"await", func(v *yamlfile.Node) error { return b.readHandoff(s, v, machine.Future, getStep) }},
	}
}

// keyReader reads the value of one key.
type keyReader struct {
	key  string
	read func(*yamlfile.Node) error
}

func (b *builder) step(n *yamlfile.Node) (step, error) {
	f := n.Fields()
	s := step{at: n}
	s.prob = f.Float("prob", 1, 0, 1)
	s.below = int(f.Int("below", 0, 1, machine.MaxDepth))
	s.from = int(f.Int("from", 0, 1, machine.MaxDepth))
	found := 0
	for _, k := range b.readers(&s, f) {
		if v := f.Node(k.key); v != nil {
			if found++; found > 1 {
				return s, n.Errorf("a step has one action, but this step has two")
			}
			if err := k.read(v); err != nil {
				return s, err
			}
		}
	}
	if err := f.Err(); err != nil {
		return s, err
	}
	if found == 0 {
		return s, n.Errorf("a step has one of the keys self, call, loop, choose, throw, until_next, lock, unlock, put, take, complete, await")
	}
	return s, nil
}

func (s *step) readSelf(v *yamlfile.Node) error {
	text, err := v.String()
	if err != nil {
		return err
	}
	s.kind = selfStep
	if s.time, err = dist.Parse(text); err != nil {
		return v.Errorf("%v", err)
	}
	return nil
}

func (s *step) readUntil(v *yamlfile.Node, f *yamlfile.Fields) error {
	if n := f.Node("missed"); n != nil {
		if s.atOnce = n.Text == "at once"; !s.atOnce && n.Text != "next" {
			return n.Errorf("the action after a missed tick must be next (wait for the next tick; the default) or at once")
		}
	}
	period, err := v.Duration()
	if err != nil {
		return err
	}
	if period == 0 || period > dist.MaxDraw {
		return v.Errorf("a period must be above 0 and at most %v", dist.MaxDraw)
	}
	s.kind, s.time = untilStep, dist.Time{Kind: dist.Fixed, Value: period}
	return nil
}

func (b *builder) readCall(s *step, v *yamlfile.Node, f *yamlfile.Fields) error {
	s.kind, s.catch = callStep, f.Bool("catch")
	zipf := f.Node("zipf")
	exponent := f.Float("zipf", 0, 0, 100)
	first, members, err := b.callees(v)
	if err != nil {
		return err
	}
	s.callee = first
	if !strings.Contains(v.Text, "{") {
		if zipf != nil {
			return zipf.Errorf("zipf applies only to a call of a family, name{1..50}")
		}
		return nil
	}
	if b.weights += members; b.weights > maxWeights {
		return v.Errorf("the zipf calls choose among more than %d methods in total; call families of fewer methods", maxWeights)
	}
	s.weights = zipfWeights(members, exponent)
	return nil
}

// maxWeights is the maximum number of probabilities for a program's calls of families.
const maxWeights = 1 << 20

// zipfWeights returns the cumulative probabilities of n members. The i-th member has weight 1/i^s;
// with s = 0 all are equal.
func zipfWeights(n int, s float64) []float64 {
	upTo := make([]float64, n)
	sum := 0.0
	for i := range upTo {
		sum += math.Pow(float64(i+1), -s)
		upTo[i] = sum
	}
	for i := range upTo {
		upTo[i] /= sum
	}
	upTo[n-1] = 1
	return upTo
}

func (b *builder) readLoop(s *step, v *yamlfile.Node, f *yamlfile.Fields) (err error) {
	text, err := v.String()
	if err != nil {
		return err
	}
	s.kind = loopStep
	if text == "forever" {
		s.kind = foreverStep
	} else if s.times, err = dist.ParseCount(text); err != nil {
		return v.Errorf("%v", err)
	}
	f.Require("do")
	s.body, err = b.steps(f.List("do"), false)
	return err
}

func (b *builder) readThrow(s *step, v *yamlfile.Node) (err error) {
	s.kind = throwStep
	s.callee, err = b.method(v)
	return err
}

func (b *builder) readChoose(s *step, v *yamlfile.Node) error {
	s.kind = chooseStep
	if v.Kind != yamlfile.List || len(v.Items) == 0 {
		return v.Errorf("choose takes a list of branches, each with the keys weight and do")
	}
	sum := 0.0
	for _, item := range v.Items {
		f := item.Fields()
		f.Require("weight")
		sum += f.Float("weight", 0, 0, 1e12)
		do := f.List("do")
		if err := f.Err(); err != nil {
			return err
		}
		body, err := b.steps(do, false)
		if err != nil {
			return err
		}
		s.branches = append(s.branches, branch{upTo: sum, body: body})
	}
	if sum == 0 {
		return v.Errorf("no branch has a weight above 0")
	}
	for i := range s.branches {
		s.branches[i].upTo /= sum
	}
	s.branches[len(s.branches)-1].upTo = 1
	return nil
}
