package stackdump

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"artifice/diffstack"
	"artifice/internal/words"
	"artifice/trace"
)

// tracker compares the dumps of a sequence and writes the events that ART's sampler would have
// written.
type tracker struct {
	cfg       Config
	symbols   *trace.Symbols
	methods   methodTable
	dual      bool // dumps contain CPU times
	warn      *Warnings
	snapshots trace.SnapshotWriter // nil if no snapshots are requested
	sums      bool                 // samples have no times
	signed    bool                 // values are negative: times go back
	running   bool                 // samples represent CPU time
	include   Include              // frames of all processes; AutoFrames: those that choose selects
	kept      Include              // frames of the current dump; AutoFrames if it has none

	processes map[int]*process
	named     trace.Processes
	threads   map[threadKey]*thread
	order     []*thread // threads in the trace, in the order of their first dumps
	tids      map[uint32]bool
	nextTID   uint32

	dump  int64         // number of the current dump
	end   time.Duration // time of the last sample
	out   []trace.Event // events not read yet
	stack []trace.MethodID
	shown []trace.MethodID

	// For files with a tree of stacks.
	paths   paths
	tree    *Samples // the tree to which places belong
	places  []place  // by node of the tree
	climbed []int32
	filled  []int32 // node of each frame in the stack

	limits  trace.Limits
	size    func() int64 // returns the number of bytes of the files read so far
	changed int64        // number of frames that threads entered or left
	open    int64        // number of open frames of all threads
}

// stamps is an instant on a thread's two clocks.
type stamps struct{ wall, cpu time.Duration }

func newTracker(cfg Config, frames *Frames, symbols *trace.Symbols, warn *Warnings) *tracker {
	return &tracker{
		cfg: cfg, symbols: symbols, warn: warn,
		methods:   newMethodTable(frames, symbols, cfg),
		processes: map[int]*process{}, threads: map[threadKey]*thread{}, tids: map[uint32]bool{},
		paths: newPaths(), limits: cfg.Limits.OrDefault(),
	}
}

// observe compares the dump d, taken at time at, with the previous dump of its process.
func (t *tracker) observe(d *Dump, at time.Duration) error {
	t.dump++
	p := t.process(d)
	t.choose(p, d)
	t.checkBare(p, d)
	ended := p.alive
	if !d.Partial {
		p.alive, p.before = p.before[:0], p.alive
	}
	for i := range d.Threads {
		seen := &d.Threads[i]
		th, err := t.thread(d, seen)
		if err != nil {
			return err
		}
		if th.dump == t.dump {
			t.warn.Add(trace.WarnDumpThreads, d.File, seen.Line, "the dump contains a thread twice; the second is ignored", strconv.Quote(seen.Name))
			continue
		}
		th.dump = t.dump
		if !d.Partial {
			p.alive = append(p.alive, th)
		}
		if err := t.sample(th, d, seen, at); err != nil {
			return err
		}
	}
	if d.Partial {
		return nil
	}
	return t.leave(ended, at)
}

// sample compares a thread's stack with that of its previous sample.
func (t *tracker) sample(th *thread, d *Dump, seen *Thread, at time.Duration) error {
	if th.left {
		return nil
	}
	if t.running {
		var err error
		if at, err = t.idle(th, d, seen, at); err != nil {
			return err
		}
	}
	if at < th.last.wall && !t.signed {
		t.warn.Add(trace.WarnDumpTime, d.File, seen.Line, "a sample is earlier than the previous sample of its thread, and is moved to the time of that sample; difference", (th.last.wall - at).String())
		at = th.last.wall
	}
	now := stamps{at, t.cpu(th, seen)}
	next := t.next(seen)
	if leaf, any := t.leaf(th); seen.Again && any && t.same(th, next) {
		exit := trace.Event{Wall: now.wall, CPU: now.cpu, Method: t.methods.shown(leaf), Thread: th.id, Action: trace.Exit}
		again := exit
		again.Action = trace.Enter
		t.out = append(t.out, exit, again)
	}
	if err := t.compare(th, next, now, seen.Count); err != nil {
		return err
	}
	if err := t.checkFrames(d, seen); err != nil {
		return err
	}
	th.rest = stamps{seen.Ran, seen.Ran}
	if t.sums {
		th.rest = stamps{seen.Sum.Wall / time.Duration(seen.Count), seen.Sum.CPU}
		th.last.wall += seen.Sum.Wall - th.rest.wall // extend the time of its last sample
	}
	t.end = max(t.end, th.last.wall)
	return nil
}

// idle ends the frames of a thread if the CPU time of its last sample ended earlier than the next
// sample: the thread did not run in between. It returns the time of the new sample. For a wait,
// that is the end of the CPU time before it.
//
// The times between the samples of a running thread vary because of timer jitter. A thread with a
// sample at most one and a quarter intervals after the previous one ran all the time.
func (t *tracker) idle(th *thread, d *Dump, seen *Thread, at time.Duration) (time.Duration, error) {
	early := at < th.at
	th.at = max(th.at, at)
	end := th.end()
	covered := max(th.rest.wall, d.Interval)
	switch gap := at - th.last.wall; {
	case early: // a warning has been given
	case gap < 0: // the begin of the previous wait was moved
		at = th.last.wall
	case seen.Waits && gap < end.wall-th.last.wall:
		at = end.wall
	case !th.waits && th.rest.wall > 0 && gap > covered+covered/4:
		if err := t.compare(th, t.none(th), end, 0); err != nil {
			return 0, err
		}
		th.last, th.rest = end, stamps{}
	}
	th.waits = seen.Waits
	return at, nil
}

// cpu returns the thread's CPU time since its first sample. It never goes back.
func (t *tracker) cpu(th *thread, seen *Thread) time.Duration {
	if t.running {
		return min(th.last.cpu+th.rest.cpu, Farthest)
	}
	if !t.dual || !seen.HasCPU {
		return th.last.cpu
	}
	if !th.started {
		th.started, th.zero = true, seen.CPU
	}
	return max(th.last.cpu, seen.CPU-th.zero)
}

// next stores the stack of seen in t.stack. If the file has a tree of stacks, it returns the node
// of the stack instead.
func (t *tracker) next(seen *Thread) (node int32) {
	if seen.Tree != nil {
		return t.placeOf(seen.Tree, seen.Node).path - 1
	}
	t.stack = t.methods.stack(t.stack[:0], seen.Stack, t.kept)
	return noNode
}

// noNode means that the stack is in t.stack.
const noNode = -1

// same reports whether the next stack equals the stack of th.
func (t *tracker) same(th *thread, node int32) bool {
	if node != noNode {
		return th.node == node
	}
	return slices.Equal(th.stack, t.stack)
}

// leaf returns the innermost frame of th.
func (t *tracker) leaf(th *thread) (id trace.MethodID, any bool) {
	if th.node != 0 {
		return t.paths.list[th.node].id, true
	}
	if last := len(th.stack) - 1; last >= 0 {
		return th.stack[last], true
	}
	return 0, false
}

// depth returns the number of frames of th.
func (t *tracker) depth(th *thread) int { return len(th.stack) + int(t.paths.list[th.node].depth) }

// compare writes the events that lead from the stack of th to the next stack, which is that of a
// node, or t.stack. count is the number of samples with it at now.
func (t *tracker) compare(th *thread, node int32, now stamps, count int64) error {
	if t.same(th, node) {
		th.count += count
		th.last = now
		return nil
	}
	if err := t.snapshot(th, now.wall); err != nil {
		return err
	}
	exit := stamps{t.cfg.SliceEnd.Between(th.last.wall, now.wall), t.cfg.SliceEnd.Between(th.last.cpu, now.cpu)}
	before, events := t.depth(th), len(t.out)
	if node != noNode {
		t.follow(th, node, exit, now)
	} else {
		for a, id := range diffstack.Compare(th.stack, t.stack) {
			when := now
			if a == trace.Exit {
				when = exit
			}
			t.out = append(t.out, trace.Event{Wall: when.wall, CPU: when.cpu, Method: t.methods.shown(id), Thread: th.id, Action: a})
		}
		th.stack = append(th.stack[:0], t.stack...)
	}
	t.changed += int64(len(t.out) - events)
	t.open += int64(t.depth(th) - before)
	th.since, th.last, th.count = now, now, count
	return nil
}

// follow is [diffstack.Compare] for the stack of th and that of a node. Its cost is proportional to
// the number of frames in which they differ.
func (t *tracker) follow(th *thread, node int32, exit, now stamps) {
	list := t.paths.list
	common := t.paths.common(th.node, node)
	for at := th.node; at != common; at = list[at].caller {
		t.out = append(t.out, trace.Event{Wall: exit.wall, CPU: exit.cpu, Method: t.methods.shown(list[at].id), Thread: th.id, Action: trace.Exit})
	}
	first := len(t.out)
	for at := node; at != common; at = list[at].caller {
		t.out = append(t.out, trace.Event{Wall: now.wall, CPU: now.cpu, Method: t.methods.shown(list[at].id), Thread: th.id, Action: trace.Enter})
	}
	slices.Reverse(t.out[first:])
	th.node, th.common = node, min(th.common, list[common].depth)
}

// Limits of frames. Threads may enter and leave the number of frames in [trace.Limits], plus
// framesPerByte for each byte of the files. Of this number, one frame in openPart may be open at
// the same time. A tree of stacks may have one calling context for contextPart frames of the limit,
// plus one for bytesPerContext bytes: the formats describe a new context with several bytes.
const (
	framesPerByte   = 8
	openPart        = 16
	contextPart     = 64
	bytesPerContext = 2
)

// checkFrames limits the number of frames that threads enter and leave, which take time, and the
// numbers of open frames and of calling contexts, which take memory. Without these limits, a small
// file that refers to stacks by number could cause any number of frames.
func (t *tracker) checkFrames(d *Dump, seen *Thread) error {
	size := t.size()
	most := int64(t.limits.Frames) + size*framesPerByte
	contexts := int64(t.limits.Frames)/contextPart + size/bytesPerContext
	what := "frames that samples enter and exit"
	switch {
	case t.open > most/openPart:
		most, what = most/openPart, "frames open at the same time"
	case int64(len(t.paths.list)) > contexts:
		most, what = contexts, "calling contexts"
	case t.changed <= most:
		return nil
	}
	return BadLine(d.File, seen.Line, "too many frames", &trace.LimitError{Limit: "frames", Most: int(most), What: what})
}

// leave closes the frames of threads that are missing in the dump at time at.
func (t *tracker) leave(threads []*thread, at time.Duration) error {
	for _, th := range threads {
		if th.left || th.dump == t.dump {
			continue
		}
		if err := t.compare(th, t.none(th), stamps{max(at, th.last.wall), th.last.cpu}, 0); err != nil {
			return err
		}
	}
	return nil
}

// none makes the next stack of th the empty stack.
func (t *tracker) none(th *thread) (node int32) {
	t.stack = t.stack[:0]
	if th.node != 0 {
		return 0
	}
	return noNode
}

// snapshot writes the snapshot of a run of equal samples, which ends at until with a different
// sample. Stacks without a frame are not samples. They only end the previous snapshot, which then
// gets no CPU time after that point.
func (t *tracker) snapshot(th *thread, until time.Duration) error {
	if t.snapshots == nil {
		return nil
	}
	if t.depth(th) == 0 {
		if !t.dual || !th.shown {
			return nil
		}
		return t.snapshots.WriteSnapshot(&trace.Snapshot{Thread: th.id, Wall: th.since.wall, CPU: th.since.cpu, Until: th.since.wall, Sum: t.sums})
	}
	th.shown = true
	same := 0
	if th.node != 0 {
		t.shown, t.filled = t.paths.fill(t.shown, t.filled, th.node)
		same, th.common = int(th.common), t.paths.list[th.node].depth
	} else {
		t.shown, t.filled = append(t.shown[:0], th.stack...), t.filled[:0]
	}
	return t.snapshots.WriteSnapshot(&trace.Snapshot{
		Thread: th.id, Wall: th.since.wall, CPU: th.since.cpu, Until: until, Count: th.count, Stack: t.methods.shownStack(t.shown), Same: same, Sum: t.sums,
	})
}

// finish writes the last snapshot of every thread, and ends the thread's frames if [Config.Ends] is
// set. Runs of CPU samples are always ended, so that the last sample gets its time like the others.
func (t *tracker) finish() error {
	for _, th := range t.order {
		end := th.end()
		var err error
		idle := t.depth(th) == 0
		if t.cfg.Ends || t.running {
			err = t.compare(th, t.none(th), end, 0)
		}
		if err == nil && (idle || !t.cfg.Ends && !t.running) {
			err = t.snapshot(th, end.wall)
		}
		if t.snapshots != nil && t.dual && err == nil { // CPU time at the end of the last stack
			err = t.snapshots.WriteSnapshot(&trace.Snapshot{Thread: th.id, Wall: end.wall, CPU: end.cpu, Until: end.wall, Sum: t.sums})
		}
		if err != nil {
			return err
		}
		t.end = max(t.end, th.last.wall)
	}
	t.named.Finish(t.symbols)
	return nil
}

// end returns the time at which the latest sample of th ends.
func (th *thread) end() stamps {
	return stamps{min(th.last.wall+th.rest.wall, Farthest), min(th.last.cpu+th.rest.cpu, Farthest)}
}

// threadKey is a thread of a process.
type threadKey struct {
	pid int
	id  ID
}

// process is the tracker's state of a process.
type process struct {
	alive  []*thread // threads in its last complete dump
	before []*thread // threads in the dump before that; kept to reuse the memory
	bare   bool      // a warning stated that a dump has native frames only
	chosen Include   // frames that [AutoFrames] selects; AutoFrames before its first frame
}

// thread is the tracker's state of a thread.
type thread struct {
	id      trace.ThreadID
	left    bool // the thread is not selected and has no id
	dump    int64
	stack   []trace.MethodID // as compared, outermost first; empty if node is set
	node    int32            // node of the stack, if the file has a tree of stacks; 0: no frame
	common  int32            // outermost frames common to all its stacks since the last snapshot
	since   stamps           // first sample with the stack
	last    stamps           // latest sample
	count   int64            // number of samples with the stack
	zero    time.Duration    // CPU time at the thread's first sample
	started bool
	shown   bool   // a snapshot of it was written
	rest    stamps // end of the time of its latest sample; 0 if the next sample determines it

	// For samples of CPU time.
	at    time.Duration // time of its latest sample in the file
	waits bool          // that sample was a wait
}

// process returns the process of d.
func (t *tracker) process(d *Dump) *process {
	if p, ok := t.processes[d.PID]; ok {
		return p
	}
	p := &process{}
	t.processes[d.PID] = p
	return p
}

// choose selects the frames of a dump.
func (t *tracker) choose(p *process, d *Dump) {
	if t.kept = t.include; t.include != AutoFrames {
		return
	}
	p.chosen = d.Choice(t.methods.frames, p.chosen)
	t.kept = p.chosen
}

// checkBare warns about a dump of a process without any selected frame.
func (t *tracker) checkBare(p *process, d *Dump) {
	if t.kept == AllFrames || p.bare {
		return
	}
	frames := int64(0)
	for i := range d.Threads {
		counts := t.kindsOf(&d.Threads[i])
		if counts[Managed] > 0 {
			return
		}
		frames += counts[NativeCode] + counts[Kernel]
	}
	if frames > 0 {
		p.bare = true
		t.warn.Add(trace.WarnDumpNative, d.File, d.Line, "the dump has only native frames, which ART's sampler does not record; use --frames all to keep them",
			fmt.Sprintf("pid %d %s, %s", d.PID, d.Process, words.Count(len(d.Threads), "thread")))
	}
}

// thread returns the tracker's thread for the dump's thread seen. A new thread gets a unique name
// and tid in the trace.
func (t *tracker) thread(d *Dump, seen *Thread) (*thread, error) {
	key := threadKey{cmp.Or(seen.PID, d.PID), seen.ID}
	if th, ok := t.threads[key]; ok {
		return th, nil
	}
	th := &thread{left: !t.cfg.Part.HasThread(seen.Name, cmp.Or(seen.ID.TID, -1))}
	t.threads[key] = th
	if th.left {
		return th, nil
	}
	var err error
	th.id, err = t.symbols.AddThread(trace.Thread{TID: t.freeTID(seen.ID), Name: seen.Name})
	if err != nil {
		return nil, BadLine(d.File, seen.Line, "too many threads; select one of them", err)
	}
	t.named.Name(uint32(key.pid), cmp.Or(seen.Process, d.Process))
	t.named.Add(t.symbols, th.id, uint32(key.pid))
	t.order = append(t.order, th)
	return th, nil
}

// freeTID returns a tid that no other thread of the trace has: the thread's own if possible.
func (t *tracker) freeTID(id ID) uint32 {
	own := id.TID
	if own == 0 {
		own = id.Number
	}
	tid := uint32(own)
	if own <= 0 || own > 1<<32-1 || t.tids[tid] {
		for t.nextTID++; t.tids[t.nextTID]; t.nextTID++ {
		}
		tid = t.nextTID
	}
	t.tids[tid] = true
	return tid
}
