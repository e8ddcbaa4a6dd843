package estimate

import (
	"iter"
	"slices"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// follower follows the threads of a sampled trace from stack to stack and keeps
// the runs of every context, and of every method on each thread.
type follower struct {
	tree    calltree.Tree
	threads []thread

	exclusive, inclusive []runs          // by context; nil where methods are all that is asked for
	misattributed        []time.Duration // by context: CPU time as the innermost state that may be another's
	misattributedOnExit  []time.Duration // by context: the same as it was left, so that it may be of what is not below it
	slotOf               []int32         // by context: its method on its thread
	slots                []*slot
	index                map[slotKey]int32

	contexts bool // keep the runs of contexts, too
	sums     bool // samples have no order
	running  bool // samples were taken by CPU time, so that it is known whose it is

	period     time.Duration           // between samples; 0: not known
	begins     []openEnd               // the threads' first stacks, with how long each may have been there unseen
	silent     []time.Duration         // by context: for how long no samples were taken while it was innermost
	taken      []int64                 // by context: samples that showed it innermost
	ended      []int64                 // by context: how often a stretch of work between two waits ended in it
	once       []int64                 // by context: how often one did that a single sample had met
	waited     []int64                 // by context: how often it was the wait after one
	waiting    *waitingMethods         // nil: it is not known
	walkEnds   map[trace.MethodID]bool // methods that stand for the error in which a walk of the stack ended; nil: none
	shown      []shown                 // by method
	paused     time.Duration           // at least so much of it is the pause; a thread that misses more has waited
	steady     time.Duration           // by how much more it may be for no wait
	silentTime time.Duration           // in silences, all together
	stopped    time.Duration           // for how long a sample stops what runs
	late       bool                    // samples may have come late: some are between one period and two apart
	idle       time.Duration           // wall time between two samples in which a busy thread does not run: the pause
	samples    int64                   // that showed a frame
}

// shown is what samples that showed a method innermost tell of it.
type shown struct {
	ran, waited time.Duration // for how long at least, while several samples in a row did
	samples     int64         // all
	going       int64         // those whose pauses its thread did not stand still for
}

type slotKey struct {
	thread trace.ThreadID
	method trace.MethodID
}

// slot is a method on one thread.
type slot struct {
	slotKey
	exclusive, inclusive track
	depth                int32 // frames of it on the stack
	excluded             bool  // its thread was not asked for
}

// track is the runs of a method, and where they begin.
type track struct {
	runs
	begins *steps // nil until there are some runs
	cycle  *Cycle // once the trace has ended
}

// thread is where one thread is.
type thread struct {
	met bool          // it has had a stack
	at  calltree.Node // the stack that samples showed since now; NoNode before the first
	now stamp

	worked   int64  // samples since its last wait, or its first
	changes  begins // samples at which its stack changed
	nChanges int64
	balance  balance
}

func newFollower(contexts bool) *follower {
	return &follower{index: map[slotKey]int32{}, contexts: contexts}
}

func (f *follower) thread(id trace.ThreadID) *thread {
	for int(id) >= len(f.threads) {
		f.threads = append(f.threads, thread{})
	}
	t := &f.threads[id]
	if t.at == calltree.NoNode {
		t.at = f.tree.AddRoot(id)
	}
	return t
}

// grow gives every context its columns.
func (f *follower) grow() {
	for n := calltree.Node(len(f.slotOf)); int(n) < f.tree.Len(); n++ {
		if f.contexts {
			f.exclusive = append(f.exclusive, runs{})
			f.inclusive = append(f.inclusive, runs{})
		}
		f.misattributed, f.misattributedOnExit = append(f.misattributed, 0), append(f.misattributedOnExit, 0)
		f.silent, f.taken = append(f.silent, 0), append(f.taken, 0)
		f.ended, f.once, f.waited = append(f.ended, 0), append(f.once, 0), append(f.waited, 0)
		slot := int32(-1)
		if n != calltree.NoNode && !f.tree.IsRoot(n) {
			slot = f.slot(slotKey{f.tree.Thread(n), f.tree.Method(n)})
		}
		f.slotOf = append(f.slotOf, slot)
	}
}

func (f *follower) slot(k slotKey) int32 {
	i, ok := f.index[k]
	if !ok {
		i = int32(len(f.slots))
		f.index[k] = i
		f.slots = append(f.slots, &slot{slotKey: k})
	}
	return i
}

// change takes the first sample of a thread that showed stack to, at a stamp.
func (f *follower) change(t *thread, to calltree.Node, at stamp) {
	from := t.at
	at.sum = f.sums
	if int(f.tree.Len()) > len(f.slotOf) {
		f.grow()
	}
	self := f.tree.At(from)
	self.Self.Wall += at.wall - t.now.wall
	self.Self.CPU += at.cpu - t.now.cpu
	if !f.tree.IsRoot(from) {
		f.samples += at.sample - t.now.sample
		f.taken[from] += at.sample - t.now.sample
		f.silent[from] += at.silent
		t.worked += at.sample - t.now.sample
	}
	if from == to {
		// The run goes on; only the clocks moved.
		t.now = at
		return
	}
	if !at.sum && !f.running { // else its CPU time is known
		f.addMisattributed(t, to, at)
	}
	if !at.sum {
		f.endStretch(t, to)
		f.addBalance(t, at)
	}
	if !t.met && !f.tree.IsRoot(to) {
		t.met = true
		f.begins = append(f.begins, openEnd{to, min(at.wall, f.period), min(at.wall, f.period)})
	}
	if !at.sum {
		t.changes.add(t.nChanges, begin{at.wall, at.sample})
		t.nChanges++
	}
	common := f.tree.Common(from, to)
	for n := to; n != common; n = f.tree.Parent(n) {
		f.open(n, at)
	}
	for n := from; n != common; n = f.tree.Parent(n) {
		f.close(n, at)
	}
	f.innermost(from, to, at)
	t.at, t.now = to, at
}

// addMisattributed notes how much of the CPU time of the stack that ends now may belong to
// others that no sample met. The thread waited besides, longer than the sampler
// held it up, and whose the CPU time is that was used around the waiting, a
// sample before and after it does not tell: it may all be another's, as what a thread does that a
// sample found in a wait and that woke up after it.
//
// A stack that several samples show in a row ran itself while they came, where the thread waited for no more than a
// period: only the last period may be another's then. Two or three in a row can be calls apart.
func (f *follower) addMisattributed(t *thread, to calltree.Node, at stamp) {
	wall, cpu, samples := at.wall-t.now.wall, at.cpu-t.now.cpu, time.Duration(max(1, at.sample-t.now.sample))
	waited := wall - cpu - samples*f.paused
	if samples > 1 && !f.tree.IsRoot(t.at) {
		s := f.shownOf(t.at)
		last := wall/samples - f.paused // what the last period has may be of what came after
		s.ran += max(0, cpu-last)
		s.waited += max(0, waited-last)
	}
	ofWait := f.waiting != nil && !f.tree.IsRoot(t.at) && f.waiting.has(f.tree.Method(t.at))
	misattributed := cpu
	switch {
	case ofWait:
	case waited <= samples*f.steady:
		misattributed = 0
	case samples >= fewInARow && waited <= f.period:
		misattributed = min(cpu, f.period-f.paused-waited)
	case samples >= fewInARow && cpu > wall/2: // it is held up again and again, as where cores are short
		misattributed = min(cpu, waited, cpu/samples)
	}
	misattributed = max(0, misattributed)
	f.misattributed[t.at] += misattributed
	common := f.tree.Common(t.at, to)
	for n := t.at; n != common && misattributed > 0; n = f.tree.Parent(n) {
		f.misattributedOnExit[n] += misattributed
	}
}

// shownOf returns what samples tell of the method of a context.
func (f *follower) shownOf(n calltree.Node) *shown {
	m := int(f.tree.Method(n))
	for len(f.shown) <= m {
		f.shown = append(f.shown, shown{})
	}
	return &f.shown[m]
}

// fewInARow is how many samples in a row show that a stack was there all the while.
const fewInARow = 4

// endStretch notes that a stretch of work between two waits may have ended.
//
// A thread that wants to go on while a sample stops the app does so when that has ended, and is a
// whole interval X away from the next sample then. So a stretch of D is met by k samples with the mean
// D/T + ⌊D/X⌋ P/T, for a pause P and T = X + P from sample to sample, and takes D + k P. That is more than
// the k T that the samples say, by P/T (D mod X) on average: by up to a pause for each stretch that was met, which the
// wait has instead.
func (f *follower) endStretch(t *thread, to calltree.Node) {
	from := t.at
	if f.waiting == nil || f.tree.IsRoot(from) || f.tree.IsRoot(to) {
		return
	}
	if f.waitsIn(from) {
		t.worked = 0
		return
	}
	if !f.waitsIn(to) {
		return
	}
	f.ended[from]++
	f.waited[to]++
	if t.worked == 1 {
		f.once[from]++
	}
}

// waitsIn reports whether threads wait in a context: as the name of its method says or, where that says nothing, as they did
// most of the time for which samples have shown the method so far.
func (f *follower) waitsIn(n calltree.Node) bool { return f.waitsWithin(f.tree.Method(n)) }

// waitsWithin reports the same of a method.
func (f *follower) waitsWithin(m trace.MethodID) bool {
	return f.waiting.has(m) || int(m) < len(f.shown) && f.shown[m].waited > f.shown[m].ran
}

// kindOf returns what samples show a thread doing that find it in a context. Time without frames counts as running. A method
// whose name does not say that it waits may run as long as its thread's CPU clock goes on.
func (f *follower) kindOf(n calltree.Node) kind {
	switch {
	case f.waiting == nil || f.tree.IsRoot(n) || !f.waitsIn(n):
		return runningKind
	case f.waiting.has(f.tree.Method(n)) || f.late:
		return waitingKind
	}
	return unknownKind
}

// addBalance adds the stretch of a stack that ends now. A thread that runs stands still while samples are taken, but for native
// code, which goes on: it shows by CPU time that leaves no room for the pauses.
func (f *follower) addBalance(t *thread, at stamp) {
	wall, cpu, samples := at.wall-t.now.wall, at.cpu-t.now.cpu, at.sample-t.now.sample
	each := f.period
	if f.tree.IsRoot(t.at) && !t.met {
		return // the thread begins
	}
	if !f.tree.IsRoot(t.at) {
		s := f.shownOf(t.at)
		if s.samples += samples; wall-cpu < time.Duration(samples)*f.stopped*3/4 {
			s.going += samples
		}
		if s.going*goingShare < s.samples {
			each -= f.stopped
		}
	}
	does := f.kindOf(t.at)
	if at.silence {
		does = silentKind
	}
	t.balance.add(does, cpu, time.Duration(samples)*each, samples, f.period)
}

// goingShare: where one in so many samples of a method did not stop it, samples do not.
const goingShare = 20

// open begins the inclusive runs of context n and of its method.
func (f *follower) open(n calltree.Node, at stamp) {
	if f.contexts {
		f.inclusive[n].begin(at)
	}
	s := f.slots[f.slotOf[n]]
	if s.depth++; s.depth == 1 {
		s.inclusive.begin(at)
	}
}

// close ends them. It comes after all that the same sample opens: a method that is
// closed in one place and opened in another has not been away.
func (f *follower) close(n calltree.Node, at stamp) {
	if f.contexts {
		f.inclusive[n].end(at)
	}
	s := f.slots[f.slotOf[n]]
	if s.depth--; s.depth == 0 {
		s.inclusive.end(at)
	}
}

// innermost ends the exclusive runs of one stack and begins those of the next.
func (f *follower) innermost(from, to calltree.Node, at stamp) {
	same := f.slotOf[from] == f.slotOf[to]
	if s := f.slotOf[from]; s >= 0 {
		if f.contexts {
			f.exclusive[from].end(at)
		}
		if !same {
			f.slots[s].exclusive.end(at)
		}
	}
	if s := f.slotOf[to]; s >= 0 {
		if f.contexts {
			f.exclusive[to].begin(at)
		}
		if !same {
			f.slots[s].exclusive.begin(at)
		}
	}
}

// begin begins a run and notes where.
func (t *track) begin(at stamp) {
	t.runs.begin(at)
	if at.sum {
		return
	}
	if t.begins == nil {
		if t.single+t.longer < 2 {
			return
		}
		t.begins = &steps{}
	}
	t.begins.add(begin{at.wall, at.sample})
}

// openEnd is a thread's stack at its last event, or at its first.
type openEnd struct {
	at    calltree.Node
	left  time.Duration // wall time after the last event, or before the first, for which the stack is uncertain
	after time.Duration // wall time there in which the thread may have run
}

// finish ends the open runs of all threads and returns them. end returns the stamp
// up to which the last stack of a thread counts, and what is uncertain after its last event.
func (f *follower) finish(end func(trace.ThreadID, *thread) (stamp, openEnd)) (open []openEnd) {
	for i := range f.threads {
		id, t := trace.ThreadID(i), &f.threads[i]
		if t.at == calltree.NoNode || f.tree.IsRoot(t.at) {
			continue
		}
		at, after := end(id, t)
		open = append(open, after)
		f.change(t, f.tree.Root(id), at)
	}
	f.grow()
	return open
}

// keep leaves out what is of threads that the tree has no more, and returns which of the
// open ends are of those that it has.
func (f *follower) keep(open []openEnd) []openEnd {
	excluded := func(id trace.ThreadID) bool { return f.tree.Root(id) == calltree.NoNode }
	ended := func(o openEnd) bool { return excluded(f.tree.Thread(o.at)) }
	f.begins, f.samples = slices.DeleteFunc(f.begins, ended), 0
	for n := calltree.Node(1); int(n) < f.tree.Len(); n++ {
		if excluded(f.tree.Thread(n)) {
			f.misattributed[n], f.misattributedOnExit[n], f.silent[n], f.taken[n], f.ended[n], f.once[n], f.waited[n] = 0, 0, 0, 0, 0, 0, 0
		}
	}
	for _, s := range f.slots {
		if s.excluded = excluded(s.thread); !s.excluded {
			f.samples += s.exclusive.samples
		}
	}
	return slices.DeleteFunc(open, ended)
}

// asked are the slots of the threads that were asked for.
func (f *follower) asked() iter.Seq[*slot] {
	return func(yield func(*slot) bool) {
		for _, s := range f.slots {
			if !s.excluded && !yield(s) {
				return
			}
		}
	}
}

// findCycles looks for methods that are in step with the sampler: by themselves,
// and then as others on their thread are.
func (f *follower) findCycles() {
	strongest, scratch := map[trace.ThreadID]*Cycle{}, new(lags)
	tracks := func(look func(*slot, *track)) {
		for s := range f.asked() {
			look(s, &s.exclusive)
			look(s, &s.inclusive)
		}
	}
	rhythms := f.rhythms(scratch)
	tracks(func(s *slot, t *track) {
		t.cycle = t.begins.counted(scratch).cycle(rhythms[s.thread], float64(f.period))
		if best := strongest[s.thread]; t.cycle != nil && (best == nil || t.cycle.Alike > best.Alike) {
			strongest[s.thread] = t.cycle
		}
	})
	tracks(func(s *slot, t *track) {
		if thread := strongest[s.thread]; thread != nil {
			t.cycle = t.begins.counted(scratch).with(thread, t.cycle, rhythms[s.thread], float64(f.period))
		}
	})
}

// rhythms returns by thread how the app repeats itself there, as that method shows it that comes
// most often.
func (f *follower) rhythms(scratch *lags) map[trace.ThreadID]*rhythm {
	often := map[trace.ThreadID]*steps{}
	for s := range f.asked() {
		for _, b := range []*steps{s.exclusive.begins, s.inclusive.begins} {
			if best := often[s.thread]; b != nil && (best == nil || b.n > best.n) {
				often[s.thread] = b
			}
		}
	}
	all := map[trace.ThreadID]*rhythm{}
	for id, best := range often {
		all[id] = newRhythm(best.counted(scratch), &f.threads[id].changes, f.idle)
	}
	return all
}

// release gives back what a profile does not need any more: it has the tree.
func (f *follower) release() { *f = follower{tree: f.tree} }
