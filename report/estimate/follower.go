package estimate

import (
	"iter"
	"slices"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// follower follows the stacks of the threads of a sampled trace. It keeps the runs of every calling
// context, and of every method on each thread.
type follower struct {
	tree    calltree.Tree
	threads []thread

	exclusive, inclusive contextRuns     // empty for profiles of methods only
	misattributed        []time.Duration // by context: CPU time in self time that may belong to another context
	misattributedOnExit  []time.Duration // by context: the part of it at its end, which may belong to a context that it does not call
	slotOf               []int32         // by context: its method on its thread
	slots                []*slot
	index                map[slotKey]int32

	contexts bool // keep the runs of contexts, too
	sums     bool // samples have no order
	running  bool // samples are of CPU time, so its owner is known

	period     time.Duration           // between samples; 0: not known
	begins     []openEnd               // the threads' first stacks, with the time before their first samples
	silent     []time.Duration         // by context: time without samples while it was innermost
	taken      []int64                 // by context: samples with it innermost
	ended      []int64                 // by context: number of stretches of work between two waits that ended in it
	once       []int64                 // by context: number of these with a single sample
	waited     []int64                 // by context: number of these that were followed by a wait in it
	resumed    []int64                 // by context: number of waits after which it was sampled first
	shifted    []int64                 // by context: samples in stretches of work after a wait that ended in a pause
	spread     []int64                 // by context: samples in stretches after other waits
	waiting    *waitingMethods         // nil: not known
	walkEnds   map[trace.MethodID]bool // methods that mark incomplete stacks; nil: none
	shown      []shown                 // by method
	paused     time.Duration           // lower bound of the pause in a period; a thread with more idle time has waited
	steady     time.Duration           // additional idle time that is no evidence of a wait
	silentTime time.Duration           // total time in silences
	stopped    time.Duration           // duration for which a sample stops running threads
	late       bool                    // samples may be late: some gaps are between one period and two
	idle       time.Duration           // wall time between samples in which a busy thread does not run: the pause
	samples    int64                   // samples with a frame
	waits      int64                   // waits so far, in samples of CPU time
	offCPU     []time.Duration         // by context: wall time in waits, in samples of CPU time
	natives    natives
}

// shown sums the samples that show a method innermost.
type shown struct {
	waited     time.Duration // lower bound, from consecutive samples
	longRan    time.Duration // lower bound, from runs of at least fewInARow samples
	longWaited time.Duration // the part of waited in such runs
	inARow     int64         // samples in such runs
	samples    int64         // all
	going      int64         // samples with pauses that did not stop its thread
	gaps       int64         // stretches
	goingGaps  int64         // number of these during which no pause stopped the thread
}

// waits reports whether threads wait in a method without the name of a waiting method: in most of
// the time of its long runs, if these have most of its samples.
//
// Consecutive samples can also show separate calls with waits in between, but such runs are short:
// a method in which a thread runs has at most the share p of independent samples for which the
// thread uses the CPU. The share of these in runs of 4 and more is p³(4 − 3p), at most 5/16 for a
// thread that waits for half of its time.
func (s *shown) waits() bool { return s.longWaited > s.longRan && 2*s.inARow > s.samples }

// idle reports whether threads use hardly any CPU during the method's long runs. Otherwise the
// method may run at each sample and wait elsewhere in between, such as in an app whose period is
// the sampling interval.
func (s *shown) idle() bool { return 10*s.longRan < s.longWaited }

type slotKey struct {
	thread trace.ThreadID
	method trace.MethodID
}

// slot is a method on one thread.
type slot struct {
	slotKey
	exclusive, inclusive track
	depth                int32 // number of its frames on the stack
	waits                int64 // number of the last wait with a frame of it
	excluded             bool  // its thread is not selected
}

// track is the runs of a method, and where they begin.
type track struct {
	runs
	begins *steps // nil for the first runs
	begun  *begun // nil if none has begun after a reset

	// These are set when the trace has ended.
	cycle *Cycle  // nil: not aliased
	alike float64 // factor by which equal errors multiply the variance; 0 and 1: errors are independent
}

// thread is the state of a thread.
type thread struct {
	met bool          // it has had a stack with frames
	at  calltree.Node // the stack since now; NoNode before the first
	now stamp

	waited time.Duration // wall time without CPU time so far, in samples of CPU time; it is not in wall times of stamps

	worked    int64 // samples since its last wait
	stretch   stretch
	dependent bool    // errors of distant samples can be equal: it is periodic or aliased, or its native code ends in pauses
	resets    *resets // nil: none
	changes   begins  // samples at which its stack changed
	nChanges  int64
	balance   balance
}

func newFollower(contexts bool) *follower {
	return &follower{index: map[slotKey]int32{}, natives: natives{}, contexts: contexts}
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

// grow extends the columns to all contexts.
func (f *follower) grow() {
	length := f.tree.Len()
	if f.contexts {
		f.exclusive.of, f.inclusive.of = lengthen(f.exclusive.of, length), lengthen(f.inclusive.of, length)
	}
	for _, column := range []*[]time.Duration{&f.misattributed, &f.misattributedOnExit, &f.silent, &f.offCPU} {
		*column = lengthen(*column, length)
	}
	for _, column := range []*[]int64{&f.taken, &f.ended, &f.once, &f.waited, &f.resumed, &f.shifted, &f.spread} {
		*column = lengthen(*column, length)
	}
	first := calltree.Node(len(f.slotOf))
	f.slotOf = lengthen(f.slotOf, length)
	for n := first; int(n) < length; n++ {
		f.slotOf[n] = -1
		if n != calltree.NoNode && !f.tree.IsRoot(n) {
			f.slotOf[n] = f.slot(slotKey{f.tree.Thread(n), f.tree.Method(n)})
		}
	}
}

// lengthen appends zeros to a column until it has n entries.
func lengthen[T any](column []T, n int) []T { return append(column, make([]T, n-len(column))...) }

func (f *follower) slot(k slotKey) int32 {
	i, ok := f.index[k]
	if !ok {
		i = int32(len(f.slots))
		f.index[k] = i
		f.slots = append(f.slots, &slot{slotKey: k})
	}
	return i
}

// change adds the first sample of a thread that shows the stack to.
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
		// The run continues; only the clocks advance.
		t.now = at
		return
	}
	if !at.sum && !f.running { // otherwise the owner of the CPU time is known
		f.addMisattributed(t, to, at)
	}
	if !at.sum {
		f.endStretch(t, to, at)
		f.addBalance(t, at)
		f.addNative(t, to, at)
		at.after = t.resets.after(at.sample)
	}
	if !t.met && !f.tree.IsRoot(to) {
		t.met = true
		f.begins = append(f.begins, openEnd{at: to, left: min(at.wall, f.period), after: min(at.wall, f.period)})
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

// addMisattributed adds the CPU time of the ending stack that may belong to contexts without a
// sample. If the thread waited longer than the pauses of samples, the samples before and after the
// wait do not determine the owner of the CPU time around it. All of it may belong to another
// context: that of a thread that was sampled in a wait and woke up afterwards.
//
// A stack in several consecutive samples ran itself between them, if the thread waited for at most
// one period: only the last period may then belong to another context. Two or three samples in a
// row can be separate calls.
func (f *follower) addMisattributed(t *thread, to calltree.Node, at stamp) {
	wall, cpu, samples := at.wall-t.now.wall, at.cpu-t.now.cpu, time.Duration(max(1, at.sample-t.now.sample))
	waited := wall - cpu - samples*f.paused
	if samples > 1 && !f.tree.IsRoot(t.at) {
		s := f.shownOf(t.at)
		last := wall/samples - f.paused // the CPU time of the last period may belong to the next stack
		ran, waited := max(0, cpu-last), max(0, waited-last)
		s.waited += waited
		if samples >= fewInARow {
			s.longRan, s.longWaited = s.longRan+ran, s.longWaited+waited
			s.inARow += int64(samples)
		}
	}
	ofWait := f.waiting != nil && !f.tree.IsRoot(t.at) && f.waiting.has(f.tree.Method(t.at))
	misattributed := cpu
	switch {
	case ofWait:
	case waited <= samples*f.steady:
		misattributed = 0
	case samples >= fewInARow && waited <= f.period:
		misattributed = min(cpu, f.period-f.paused-waited)
	case samples >= fewInARow && cpu > wall/2: // it is interrupted repeatedly, as under CPU contention
		misattributed = min(cpu, waited, cpu/samples)
	}
	misattributed = max(0, misattributed)
	f.misattributed[t.at] += misattributed
	common := f.tree.Common(t.at, to)
	for n := t.at; n != common && misattributed > 0; n = f.tree.Parent(n) {
		f.misattributedOnExit[n] += misattributed
	}
}

// shownOf returns the sums for the method of a context.
func (f *follower) shownOf(n calltree.Node) *shown {
	m := int(f.tree.Method(n))
	for len(f.shown) <= m {
		f.shown = append(f.shown, shown{})
	}
	return &f.shown[m]
}

// stretch is the place of samples in a stretch of work.
type stretch uint8

const (
	otherStretch   stretch = iota // it did not begin after a wait
	spreadStretch                 // its first sample is at a random distance from its beginning, less than X
	shiftedStretch                // the wait ended in a pause: samples are at X, 2X and so on from its beginning
)

// beginStretch returns the stretch after a wait, given the CPU time from the wait to the first
// sample of the work: X if the wait ended in a pause. The interval X varies, and waits that end
// shortly after the pause are nearly the same, so X may be off by a quarter of the pause.
func (f *follower) beginStretch(cpu time.Duration) stretch {
	if off := f.period - f.stopped - cpu; off.Abs() > f.stopped/4 {
		return spreadStretch
	}
	return shiftedStretch
}

// fewInARow is the number of consecutive samples from which on a stack counts as uninterrupted.
const fewInARow = 4

// endStretch counts the end of a stretch of work between two waits, if this is one.
//
// A thread that wakes up while a sample stops the app continues when the sample has ended, a whole
// interval X before the next sample. So the mean number of samples in a stretch of length D is k =
// D/T + ⌊D/X⌋ P/T, for a pause P and a period T = X + P, and the stretch takes D + kP of wall time.
// That exceeds the k T of its samples by P/T (D mod X) on average, at most one pause for each
// sampled stretch. The wait has that time instead.
func (f *follower) endStretch(t *thread, to calltree.Node, at stamp) {
	from := t.at
	if f.waiting == nil || f.tree.IsRoot(from) || f.tree.IsRoot(to) {
		return
	}
	if f.waitsIn(from) {
		if t.worked = 0; !f.waitsIn(to) {
			f.resumed[to]++
			t.stretch = f.beginStretch(at.cpu - t.now.cpu)
		}
		return
	}
	switch samples := at.sample - t.now.sample; t.stretch {
	case shiftedStretch:
		f.shifted[from] += samples
	case spreadStretch:
		f.spread[from] += samples
	}
	if !f.waitsIn(to) {
		wall, cpu, samples := at.wall-t.now.wall, at.cpu-t.now.cpu, time.Duration(max(1, at.sample-t.now.sample))
		if wall-cpu-samples*f.stopped > f.steady { // it waited in between, without a sample
			f.resumed[to]++
			t.stretch = spreadStretch
		}
		return
	}
	f.ended[from]++
	f.waited[to]++
	if t.worked == 1 {
		f.once[from]++
	}
}

// waitsIn reports whether threads wait in a context: by the name of its method or, if the name is
// not that of a waiting method, by the idle time in the method's long runs so far (shown.waits).
func (f *follower) waitsIn(n calltree.Node) bool { return f.waitsWithin(f.tree.Method(n)) }

// waitsWithin reports the same for a method.
func (f *follower) waitsWithin(m trace.MethodID) bool {
	return f.waiting.has(m) || int(m) < len(f.shown) && f.shown[m].waits()
}

// kindOf returns the activity of a thread in a context. Time without frames counts as running. A
// method with another name than that of a waiting method may run while its thread's CPU clock
// advances.
func (f *follower) kindOf(n calltree.Node) kind {
	switch {
	case f.waiting == nil || f.tree.IsRoot(n) || !f.waitsIn(n):
		return runningKind
	case f.waiting.has(f.tree.Method(n)) || f.late:
		return waitingKind
	}
	return unknownKind
}

// addBalance adds the ending stack to the thread's balance. Samples stop a running thread, except
// in native code; native code is recognized by CPU time that leaves no time for pauses.
func (f *follower) addBalance(t *thread, at stamp) {
	wall, cpu, samples := at.wall-t.now.wall, at.cpu-t.now.cpu, at.sample-t.now.sample
	each := f.period
	if f.tree.IsRoot(t.at) && !t.met {
		return // the thread begins
	}
	if !f.tree.IsRoot(t.at) {
		s := f.shownOf(t.at)
		s.gaps++
		if wall-cpu < f.stopped*3/4 {
			s.goingGaps++
		}
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

// stops returns the pause of a sample that shows a context, 0 if it may not stop the thread: in
// native code, which the stretches show that not even one pause stopped.
func (f *follower) stops(n calltree.Node) time.Duration {
	if f.tree.IsRoot(n) || f.stopped < minPause {
		return 0
	}
	if s := f.shownOf(n); goingShare*s.goingGaps >= s.gaps {
		return 0
	}
	return f.stopped
}

// minPause is the minimum pause that distinguishes the samples that stopped a thread from others.
const minPause = 10 * clockStep

// goingShare: if at least one in goingShare samples of a method did not stop it, samples do not
// stop the method.
const goingShare = 20

// open begins the inclusive runs of context n and of its method.
func (f *follower) open(n calltree.Node, at stamp) {
	if f.contexts {
		f.inclusive.at(n).begin(at)
	}
	s := f.slots[f.slotOf[n]]
	if s.depth++; s.depth == 1 {
		s.inclusive.begin(at)
	}
}

// close ends these runs. It follows all calls of open for the same sample, so that a method that
// moves to another place of the stack keeps its run.
func (f *follower) close(n calltree.Node, at stamp) {
	if f.contexts {
		f.inclusive.at(n).end(at)
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
			f.exclusive.at(from).end(at)
		}
		if !same {
			f.slots[s].exclusive.end(at)
		}
	}
	if s := f.slotOf[to]; s >= 0 {
		if f.contexts {
			f.exclusive.at(to).begin(at)
		}
		if !same {
			f.slots[s].exclusive.begin(at)
		}
	}
}

// begin begins a run and adds its beginning.
func (t *track) begin(at stamp) {
	t.runs.begin(at)
	if at.sum {
		return
	}
	if at.after > 0 {
		if t.begun == nil {
			t.begun = &begun{}
		}
		t.begun[at.after]++
	}
	if t.begins == nil {
		if t.single+t.longer < 2 {
			return
		}
		t.begins = &steps{}
	}
	t.begins.add(begin{at.wall, at.sample})
}

// openEnd is the stack at a thread's last event, or at its first.
type openEnd struct {
	at      calltree.Node
	counted time.Duration // wall time after the last event that counts
	left    time.Duration // wall time after the last event, or before the first, for which the stack is uncertain
	after   time.Duration // wall time there in which the thread may have run
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

// keep removes the data of threads that were removed from the tree, and returns the open ends of
// the others.
func (f *follower) keep(open []openEnd) []openEnd {
	excluded := func(id trace.ThreadID) bool { return f.tree.Root(id) == calltree.NoNode }
	ended := func(o openEnd) bool { return excluded(f.tree.Thread(o.at)) }
	f.begins, f.samples = slices.DeleteFunc(f.begins, ended), 0
	for n := calltree.Node(1); int(n) < f.tree.Len(); n++ {
		if excluded(f.tree.Thread(n)) {
			f.misattributed[n], f.misattributedOnExit[n], f.silent[n], f.taken[n], f.ended[n], f.once[n], f.waited[n], f.resumed[n], f.shifted[n], f.spread[n] = 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
		}
	}
	for _, s := range f.slots {
		if s.excluded = excluded(s.thread); !s.excluded {
			f.samples += s.exclusive.samples
		}
	}
	return slices.DeleteFunc(open, ended)
}

// selected returns the slots of the selected threads.
func (f *follower) selected() iter.Seq[*slot] {
	return func(yield func(*slot) bool) {
		for _, s := range f.slots {
			if !s.excluded && !yield(s) {
				return
			}
		}
	}
}

// findCycles finds methods that are aliased with the sampling interval: by their own runs, then
// with the cycles of other methods on their thread. Resets can make errors equal, too.
func (f *follower) findCycles() {
	strongest, scratch := map[trace.ThreadID]*Cycle{}, new(lags)
	tracks := func(look func(*slot, *track)) {
		for s := range f.selected() {
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
	for id := range f.threads {
		id := trace.ThreadID(id)
		f.threads[id].dependent = rhythms[id] != nil || strongest[id] != nil
	}
	for id := range f.threads {
		if t := &f.threads[id]; t.resets != nil {
			t.dependent = true
			t.resets.close(t.now.sample)
		}
	}
	tracks(func(s *slot, t *track) {
		if thread := strongest[s.thread]; thread != nil {
			t.cycle = t.begins.counted(scratch).with(thread, t.cycle, rhythms[s.thread], float64(f.period))
		}
		if t.cycle != nil {
			t.alike = t.cycle.Alike
		}
		if r := f.threads[s.thread].resets; t.begun != nil {
			factor, equal := t.begun.alike(r, &t.sum)
			t.alike, r.equal = max(t.alike, factor), r.equal || equal
		}
	})
}

// rhythms returns the rhythm of each thread, judged by its method with the most runs.
func (f *follower) rhythms(scratch *lags) map[trace.ThreadID]*rhythm {
	often := map[trace.ThreadID]*steps{}
	for s := range f.selected() {
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
