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

// ReadYAML reads a program. Errors state name, line, column and the offending text.
//
// A file is one YAML mapping. Times are Go durations (500us, 1.5ms, 2s). Keys that are not listed
// here are rejected.
//
//	name: feed                      # one word
//	description: one line           # optional
//	duration: 10s                   # of a truth, unless the caller sets it; default 10s
//	methods:                        # keys: class.name(signature), default signature ()V
//	  com.example.Feed.bind(I)V:
//	    file: Feed.kt               # default: outermost class with .java
//	    line: 31                    # default: unknown
//	    flags: [native, leaf]       # any of the flags below
//	    wait: io                    # the method's own time is waiting, not running
//	    do: [ … ]                   # steps; default: returns at once
//	  com.example.Row.get{1..50}()I:  # a family: get1 to get50, all equal
//	    do: [{self: 5us}]
//	threads:                        # the first is main
//	  - name: main
//	    tid: 12001                  # default: one above the highest so far
//	    stack: [ … ]                # frames under the body, outermost first
//	    do: [ … ]                   # steps; default: idles until its end
//	  - name: pool-1-thread-%d      # %d: number of the copy, from 1
//	    count: 8                    # copies of the thread; default 1
//	    start: 20ms                 # when it is attached; default: before the trace
//	    end: 2s                     # when it ends, in any state; default: when its body ends
//	    every: 5ms                  # delay of the start (and end) of each copy after the one before
//	    reuse_tid: true             # each copy has the tid of the one before, which has ended by then
//	    cpu: 250us                  # CPU time used at birth; default 100us, at least 1us
//	    priority: 110               # on cores: 0 is the most urgent, 139 the least; default 120
//	cores:                          # shared by the threads; default: each has its own
//	  - count: 4                    # of this kind; default 1, maximum 64 in total
//	    speed: 0.5                  # work per unit of time; default 1
//	    mhz: [600, 1200, 1800]      # its clocks, or one; speed refers to the highest
//	    ramp: 4ms                   # busy time before the next clock; default 4ms
//	slice: 4ms                      # time slice if threads of equal priority wait; default 4ms
//
// The stack of a thread that exists before the trace is open at its start. The stack of any other
// thread is entered when it starts. When the body ends, or at end, the thread leaves all frames and
// ends. A frame of the stack can continue after its callee has returned: {frame:
// android.os.Looper.loop, then: [ … ]} instead of the method alone.
//
// With cores, self times refer to a core of speed 1, and only a thread that has a core makes
// progress: wall time consists of CPU time, waiting, and time in which the thread is runnable
// without a core. The most urgent threads have the cores; threads of equal priority take turns of a
// slice (Linux's SCHED_RR). A switch takes no time. A thread that waits for a core has the frame
// artifice.Cores.runnable()V on its stack. The method has the flag runtime, so that no tracer
// reports it, and waits. A core that has idled for its ramp begins at its lowest clock. The thread
// of a tracer that stops all others (ART's sampling thread) also needs one of the cores, and waits
// for it like the others, with the priority of the first thread.
//
// Truths contain the scheduling on the cores ([trace.SchedSource]).
//
// Flags of a method:
//   - native: JNI; it continues to run while a sampler stops managed code
//   - runtime: internal to ART, never sampled
//   - inlined: by the compiler, into its callers
//   - leaf: compiled, without call or loop; never the innermost frame of a stack sampled at suspend
//     points
//   - proxy: of java.lang.reflect.Proxy
//   - collector: the garbage collector runs while the method is on a stack
//   - interpreted: the others are compiled
//
// Kinds of wait: sleep, lock, io, binder, gc.
//
// A step is a mapping with one of these keys:
//
//	self: exp 2ms                   # time in the method itself
//	call: com.example.Feed.bind     # the signature is optional if the name is unique
//	  catch: true                   # an exception out of the call ends here
//	call: com.example.Row.get{1..50}  # one of the family (or of a part of it)
//	  zipf: 1                       # member i with probability ~ 1/i^1; default 0: all equal
//	loop: 10                        # iterations: a number, uniform 2..5, or forever
//	  do: [ … ]                     #   (forever: last step of a thread only)
//	choose:                         # one branch, by weight
//	  - {weight: 3, do: [ … ]}
//	throw: java.io.IOException.<init>  # calls it, then unwinds up to a call with catch,
//	                                # or else the whole thread
//	until_next: 16666667ns          # time up to the next multiple of a period since the start
//	  missed: at once               # if too late for a tick: continues; default next: waits for the next one
//	lock: cache                     # waits until no other thread has the lock, and takes it
//	unlock: cache                   # gives it to the thread that has waited longest
//	put: frames                     # an item into a queue
//	take: frames                    # waits until there is one, and takes it
//	complete: ready                 # from now on await returns immediately
//	await: ready                    # waits until it is complete
//
// and any of these conditions:
//
//	prob: 0.1                       # taken with this probability
//	below: 20                       # only while fewer frames than this are on the stack
//	from: 20                        # only while at least this many frames are
//
// Distributions of times: 2ms (fixed), uniform 1ms..3ms, exp MEAN, lognormal
// MEDIAN SIGMA, pareto LEAST ALPHA. Drawn times are rounded to whole ns.
//
// The event that ends a wait determines how the wait changes if a tracer delays its thread (package
// internal/recorder). In a method that waits (key wait) and has a step until_next, a wait ends at
// an instant, and its thread is on time again. Other waits (self) keep their duration. A method
// therefore has waits of one kind. The steps lock, take and await wait for an action of another
// thread; only methods that wait, and have no other waits, can have them.
//
// Every call and throw of a body is a separate call site ([trace.Site]), numbered from 1 in the
// order of the text; from the 255th on, all share the last number. A loop therefore calls from one
// site, like a line of source in a loop, and a family's members are called from the site of their
// step. The frames of a thread's stack have no site. Neither have the calls of a tree, which does
// not contain their positions.
//
// A file is rejected, with line and column, if it cannot be executed: a recursion that does not
// certainly end, a loop that takes no time, a stack over 10,000 frames, more threads than a trace
// has ids, a tid that two threads have at the same time, a lock that no step releases, a queue or
// future that no step fills. An error that occurs only when threads run ends the truth with an
// error of the same form: a thread that ends while it holds a lock, a deadlock, threads that all
// wait forever.
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
		f.Fail(n.Errorf("a duration must be from 1ns to %v", maxDuration))
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
		f.Fail(n.Errorf("the end must be after the start of the thread, %v", t.Start))
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
			return then.Errorf("the innermost frame has no callee, so its steps belong under the key \"do\" of the thread")
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
