package workload

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"time"

	"artifice/internal/yamlfile"
	"artifice/trace"
	"artifice/workload/internal/machine"
)

// ReadYAML reads a program; the package comment describes the schema. Errors state name, line,
// column and the offending text. They cover the syntax, and programs that cannot be executed (a
// recursion without end, a loop that takes no time, a stack over 10,000 frames, more threads than
// ids).
func ReadYAML(r io.Reader, name string) (*Program, error) {
	source, err := io.ReadAll(io.LimitReader(r, yamlfile.MaxSize+1))
	if err != nil {
		return nil, &yamlfile.Error{Name: name, Msg: "reading failed", Err: err}
	}
	root, err := yamlfile.Read(bytes.NewReader(source), name)
	if err != nil {
		return nil, err
	}
	b := &builder{program: &Program{source: source}, byName: map[string][]trace.MethodID{}, families: map[string]family{}}
	if err := b.build(root); err != nil {
		return nil, err
	}
	return b.program, nil
}

// builder builds a program from a file's nodes.
type builder struct {
	program  *Program
	byName   map[string][]trace.MethodID // by class.name and class.name(signature)
	families map[string]family           // by the text before the braces
	weights  int                         // number of probabilities stored for calls of families
}

// family is a run of methods written with a range, as in m{1..50}.
type family struct {
	first  trace.MethodID
	least  int64
	most   int64
	suffix string // the text after the braces
}

func (b *builder) build(root *yamlfile.Node) error {
	p := b.program
	f := root.Fields()
	f.Require("name")
	f.Require("threads")
	p.Name = f.String("name")
	p.Description = f.String("description")
	p.Duration = f.Duration("duration", defaultDuration)
	if n := f.Node("duration"); n != nil && (p.Duration == 0 || p.Duration > maxDuration) {
		f.Fail(n.Errorf("a truth must last from 1ns to %v", maxDuration))
	}
	methods, threads := f.Node("methods"), f.List("threads")
	b.readCores(f)
	if err := f.Err(); err != nil {
		return err
	}
	if err := b.addMethods(methods); err != nil {
		return err
	}
	for _, n := range threads {
		if err := b.addThreads(n); err != nil {
			return err
		}
	}
	if len(p.threads) == 0 {
		return root.Errorf("no thread")
	}
	if p.threads[0].Start > 0 {
		return p.threads[0].at.Errorf("the first thread is main, which exists before the trace; leave out its start")
	}
	slices.SortStableFunc(p.threads, func(x, y thread) int { return cmp.Compare(x.Start, y.Start) })
	if err := p.checkTIDs(); err != nil {
		return err
	}
	if err := p.checkHandoffs(); err != nil {
		return err
	}
	p.findGivers()
	p.addHandoffMethods()
	if err := p.checkEnds(); err != nil {
		return err
	}
	p.compile()
	return nil
}

// addThreads adds the thread described by n, and its copies.
func (b *builder) addThreads(n *yamlfile.Node) error {
	f := n.Fields()
	f.Require("name")
	t := thread{at: n, Thread: machine.Thread{Name: f.String("name")}}
	t.Before = f.Node("start") == nil
	t.Start = f.Duration("start", 0)
	t.End = f.Duration("end", 0)
	t.Cpu = f.Duration("cpu", startCPU)
	t.Prio = int(f.Int("priority", machine.DefaultPriority, 0, machine.LastPriority))
	if n := f.Node("priority"); n != nil && len(b.program.code.Cores) == 0 {
		f.Fail(n.Errorf("priorities apply to threads that share cores: add the key cores to the file"))
	}
	t.TID = uint32(f.Int("tid", int64(b.nextTID()), 1, maxTID))
	copies := f.Int("count", 1, 0, trace.MaxThreads)
	every := f.Duration("every", 0)
	sameTID := f.Bool("reuse_tid")
	frames := f.List("stack")
	do := f.Node("do")
	b.checkLife(f, &t, every)
	if err := f.Err(); err != nil {
		return err
	}
	if err := b.readBody(&t, frames, do); err != nil {
		return err
	}
	return b.addCopies(t, copies, every, sameTID)
}

// checkLife rejects a thread with inconsistent start and end.
func (b *builder) checkLife(f *yamlfile.Fields, t *thread, every time.Duration) {
	if n := f.Node("cpu"); n != nil && t.Cpu < time.Microsecond {
		f.Fail(n.Errorf("must be at least 1us of CPU time (ART takes 0 for a clock that was never read)"))
	}
	if n := f.Node("end"); n != nil && t.End <= t.Start {
		f.Fail(n.Errorf("the thread starts at %v, and its end has passed by then", t.Start))
	}
	for _, key := range []string{"start", "end", "every"} {
		if n := f.Node(key); n != nil && max(t.Start, t.End, every) > maxDuration {
			f.Fail(n.Errorf("later than %v", maxDuration))
		}
	}
}

// readBody reads the frames in which a thread runs, outermost first, the steps of the innermost,
// and those of each frame after its callee has returned.
func (b *builder) readBody(t *thread, frames []*yamlfile.Node, do *yamlfile.Node) error {
	if len(frames) > machine.MaxDepth {
		return frames[machine.MaxDepth].Errorf("%d frames; a stack has at most %d", len(frames), machine.MaxDepth)
	}
	parts := make([]*yamlfile.Node, max(len(frames), 1)) // by number of frames that have returned
	for i, n := range frames {
		m, then, err := b.frame(n)
		if err != nil {
			return err
		}
		if then != nil && i == len(frames)-1 {
			return then.Errorf("the innermost frame has no callee, so its steps belong under the thread's key do")
		}
		t.Stack = append(t.Stack, m)
		parts[len(frames)-1-i] = then
	}
	parts[0] = do
	return b.readParts(t, parts)
}

// frame reads one item of a stack: a method, or {frame: method, then: steps}.
func (b *builder) frame(n *yamlfile.Node) (m trace.MethodID, then *yamlfile.Node, err error) {
	if n.Kind == yamlfile.Mapping {
		f := n.Fields()
		f.Require("frame")
		method := f.Node("frame")
		then = f.Node("then")
		if err := f.Err(); err != nil {
			return 0, nil, err
		}
		n = method
	}
	m, err = b.method(n)
	return m, then, err
}

// readParts reads the steps of parts. Only the last part with steps may end in a loop without end.
func (b *builder) readParts(t *thread, parts []*yamlfile.Node) error {
	last := -1
	for i, n := range parts {
		if n != nil {
			last = i
		}
	}
	for i, n := range parts[:last+1] {
		var steps []step
		if n != nil {
			if n.Kind != yamlfile.List {
				return n.Errorf("expected a list of steps, found %s", n.Kind)
			}
			var err error
			if steps, err = b.steps(n.Items, i == last); err != nil {
				return err
			}
		}
		t.body = append(t.body, steps)
	}
	if last == 0 && len(t.body[0]) == 0 {
		t.body = nil // "do: []" is no body, too
	}
	return nil
}

// firstTID is main's default thread id: a plausible process id.
const firstTID = 12001

func (b *builder) nextTID() uint32 {
	next := uint32(firstTID)
	for i := range b.program.threads {
		next = max(next, b.program.threads[i].TID+1)
	}
	return min(next, maxTID)
}

func (b *builder) addCopies(t thread, copies int64, every time.Duration, sameTID bool) error {
	name, tid := t.Name, t.TID
	for i := range copies {
		if len(b.program.threads) >= trace.MaxThreads {
			return t.at.Errorf("too many threads: a trace can distinguish %d", trace.MaxThreads)
		}
		t.Name = numbered(name, i+1)
		if !sameTID {
			t.TID = tid + uint32(i)
		}
		if t.TID > maxTID {
			return t.at.Errorf("too many threads: tid %d is above %d", t.TID, maxTID)
		}
		b.program.threads = append(b.program.threads, t)
		if i+1 == copies {
			break
		}
		if t.Start += every; t.Start > maxDuration {
			return t.at.Errorf("copy %d of the thread begins later than %v", i+2, maxDuration)
		}
		if t.End > 0 {
			t.End += every
		}
	}
	return nil
}
