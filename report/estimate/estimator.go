package estimate

import (
	"slices"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/trace/stats"
)

// Config configures the estimator. The zero value counts frames that are open at the
// end up to their thread's last event.
type Config struct {
	Until calltree.EndPolicy

	// Threads chooses the threads of the profile; nil: all.
	Threads ThreadChooser

	// Interval is the sampling interval as the user states it, which takes precedence over an
	// estimate ([Profile.Stated]). It is ignored for traces of every call. 0: not known.
	Interval time.Duration

	// MethodsOnly omits the intervals of calling contexts ([Profile.Context]), which need time and
	// memory.
	MethodsOnly bool
}

// ThreadChooser chooses the threads of a profile.
type ThreadChooser interface {
	// Choose receives the times of all threads after the last event, and returns the threads to
	// keep.
	Choose(all *calltree.Tree) (keeps func(trace.ThreadID) bool)
}

// Estimator makes a [Profile] of events, which must be in time order per thread. If snapshots are
// written to it, it uses only these: they have the information of events and the number of samples.
//
// For a sampled trace it needs up to 40 KB for each method and thread with more than one sample,
// and about 600 bytes for each calling context beyond calltree's, or 12 with Config.MethodsOnly.
type Estimator struct {
	rec *trace.Recording
	cfg Config

	head   []trace.Event // until the technique is determined
	groups stats.Groups
	begun  bool

	builder  *calltree.Builder // of traces without known samples
	sampled  *follower
	period   time.Duration
	measured time.Duration // Profile.Measured
	apart    time.Duration // maximum time between consecutive samples
	silent   silences
	late     lateSamples
	pending  []pending // by thread

	snapshots *follower
	seen      []snapshotEnd // by thread

	technique   trace.Technique
	evidence    string
	pause       time.Duration // for which a sample stops running threads
	interval    time.Duration // stated, and the period is that of this interval; 0: the period is measured
	first, last time.Duration
	used        bool // a thread used the CPU
}

// headEvents is the number of events from which the technique is determined.
const headEvents = 1 << 16

// New returns an estimator of rec's events. It reads rec's Info and Symbols, which
// may grow while events are written, and rec.Events never.
func New(rec *trace.Recording, cfg Config) *Estimator { return &Estimator{rec: rec, cfg: cfg} }

// Read reads rec to its end and returns its profile. On an error, the profile is that of the
// preceding events.
func Read(rec *trace.Recording, cfg Config) (*Profile, error) {
	e := New(rec, cfg)
	_, err := trace.Copy(e, rec.Events)
	return e.Finish(), err
}

// Exact reports whether the events so far determine that the profile will have no intervals: the
// trace is not sampled, or its samples are unknown.
func (e *Estimator) Exact() bool { return e.begun && e.sampled == nil && e.snapshots == nil }

// WriteEvents implements [trace.Writer]. It never fails.
func (e *Estimator) WriteEvents(p []trace.Event) error {
	if e.snapshots != nil {
		return nil
	}
	if len(e.head) == 0 && !e.begun && len(p) > 0 {
		e.first = p[0].Time(e.rec.Info.Clock)
	}
	for i := range p {
		e.used = e.used || p[i].CPU > 0
		at := p[i].Time(e.rec.Info.Clock)
		e.first, e.last = min(e.first, at), max(e.last, at) // threads can follow each other in the file
	}
	if e.begun {
		if e.sampled != nil {
			e.groups.WriteEvents(p)
		}
		return e.add(p)
	}
	e.groups.WriteEvents(p)
	e.head = append(e.head, p...)
	if len(e.head) >= headEvents {
		return e.begin()
	}
	return nil
}

// begin determines the technique and processes the events so far.
func (e *Estimator) begin() error {
	e.begun = true
	e.technique, e.evidence = e.groups.TechniqueOf(&e.rec.Info)
	period, known := e.groups.Period()
	known = known && period.Gaps >= minSteps // otherwise the shortest distances may be due to chance
	maybe := !e.rec.Info.Quantity.IsSet() && (e.technique == trace.Sampled || e.technique == trace.UnknownTechnique) && e.rec.Info.Clock.HasWall()
	switch {
	case maybe && e.cfg.Interval > 0:
		if known {
			e.measured = period.Median
		}
		e.interval, e.technique, e.evidence = e.cfg.Interval, trace.Sampled, "as stated; "+e.evidence
	case e.technique == trace.Sampled && !known && e.rec.Info.OfCPU:
		// A few samples of CPU time have intervals, as in the dumps that such a trace was made of. With
		// as few samples of wall time, too many intervals would not contain the truth.
		e.interval = e.rec.Info.SamplingInterval()
	}
	if e.interval > 0 {
		period, known = e.groups.PeriodAt(e.interval), true
	}
	if e.technique == trace.Sampled && known && e.rec.Info.Clock.HasWall() {
		e.period, e.apart = period.Median, period.Longest
		e.sampled = newFollower(!e.cfg.MethodsOnly)
		sorted, ordered := inTimeOrder(e.head, e.period)
		e.sampled.period = e.period
		e.sampled.setPause(idleTimes(e.head, e.rec.Info.Clock, period.Limit), walkTime(sorted, e.period), period.Low)
		e.sampled.steady = max(clockStep, e.sampled.paused/4, e.period/200)
		e.sampled.waiting = &waitingMethods{symbols: e.rec.Symbols}
		e.sampled.running = e.rec.Info.OfCPU
		e.silent = newSilences(sorted, e.period, ordered)
		e.late = newLateSamples(sorted, e.period, e.silent.least, anyWaits(e.head, e.rec.Info.Clock, e.sampled.idle, e.period))
		e.silent.grid = e.late.grid
		if !ordered {
			e.late.look(sorted)
		}
		e.sampled.late = e.late.some
	} else {
		e.builder = calltree.NewBuilder()
	}
	head := e.head
	e.head = nil
	return e.add(head)
}

func (e *Estimator) add(p []trace.Event) error {
	if e.builder != nil {
		return e.builder.WriteEvents(p)
	}
	for i := range p {
		e.addSampled(&p[i])
	}
	return nil
}

// pending is a group of events of equal stamps: one sample of a thread.
type pending struct {
	at        calltree.Node // the stack after its events so far
	from      calltree.Node // the stack before its events
	before    calltree.Node // the stack before a gap that the group ends, in samples of CPU time; NoNode if it ends none
	wall, cpu time.Duration
	late      time.Duration // time since the previous sample, if this one is late
}

func (e *Estimator) addSampled(ev *trace.Event) {
	for int(ev.Thread) >= len(e.pending) {
		e.pending = append(e.pending, pending{})
	}
	f, g := e.sampled, &e.pending[ev.Thread]
	switch {
	case g.at == calltree.NoNode:
		t := f.thread(ev.Thread)
		t.now = stamp{point: point{wall: ev.Wall, cpu: ev.CPU}}
		*g = pending{at: t.at, from: t.at, wall: ev.Wall, cpu: ev.CPU, late: e.late.sample(ev.Wall)}
		e.silent.sample(ev.Wall)
	case ev.Wall != g.wall || ev.CPU != g.cpu:
		before := calltree.NoNode
		if f.running && ev.CPU == g.cpu {
			f.wait(&f.threads[ev.Thread], g.at, ev.Wall-g.wall)
			if f.tree.IsRoot(g.at) {
				before = g.from
			}
		} else {
			e.flush(ev.Thread)
		}
		g.before, g.from = before, g.at
		g.wall, g.cpu, g.late = ev.Wall, ev.CPU, e.late.sample(ev.Wall)
		e.silent.sample(ev.Wall)
	}
	to, effect := f.tree.Apply(g.at, ev)
	if effect == trace.Pushed && (g.before == calltree.NoNode || f.tree.Common(g.before, to) != to) {
		f.tree.At(to).Count++
	}
	g.at = to
}

// flush adds the pending group of a thread as a sample.
func (e *Estimator) flush(id trace.ThreadID) {
	g, t := &e.pending[id], &e.sampled.threads[id]
	at := stamp{point: point{wall: g.wall - t.waited, cpu: g.cpu}}
	if e.sampled.running {
		at.sample = t.now.sample
		if g.cpu > t.now.cpu {
			at.sample += e.samplesIn(g.cpu - t.now.cpu)
		}
		e.sampled.change(t, g.at, at)
		return
	}
	since := g.wall - t.now.wall
	if e.late.from == 0 {
		e.silent.find(g.wall, since, g.cpu-t.now.cpu, e.sampled.stops(t.at))
	}
	at.silence = e.silent.between(t.now.wall, g.wall)
	if silent := e.silent.before(g.wall); silent > 0 && silent <= since { // else the thread began in between
		at.silent = silent
		at.silentCPU = time.Duration(float64(g.cpu-t.now.cpu) * float64(silent) / float64(since))
		since -= silent - e.period
	}
	if g.late > 0 && g.late <= since {
		at.late = e.late.misplaced(g.late)
		at.lateCPU = time.Duration(float64(g.cpu-t.now.cpu) * float64(at.late) / float64(since))
	}
	at.sample = t.now.sample + e.samplesIn(since)
	e.sampled.change(t, g.at, at)
}

// samplesIn returns the length of a time in samples, at least 1.
func (e *Estimator) samplesIn(d time.Duration) int64 {
	return max(1, int64((d+e.period/2)/e.period))
}

// snapshotEnd is where the last snapshot of a thread ended.
type snapshotEnd struct {
	at    calltree.Node // its stack
	until time.Duration
	count int64
	began bool

	running runningSamples // in samples of CPU time
}

// WriteSnapshot implements [trace.SnapshotWriter]. It never fails.
func (e *Estimator) WriteSnapshot(s *trace.Snapshot) error {
	if e.snapshots == nil {
		e.snapshots = newFollower(!e.cfg.MethodsOnly)
		e.first = s.Wall
		e.snapshots.sums, e.snapshots.running = s.Sum, e.rec.Info.OfCPU
	}
	e.used = e.used || s.CPU > 0 || s.Sum
	for int(s.Thread) >= len(e.seen) {
		e.seen = append(e.seen, snapshotEnd{})
	}
	f, last := e.snapshots, &e.seen[s.Thread]
	t := f.thread(s.Thread)
	e.last = max(e.last, s.Until)
	if f.running {
		last.running.add(f, t, s)
		return nil
	}
	root := f.tree.Root(s.Thread)
	if !last.began {
		last.at = root
		t.now = stamp{point: point{wall: s.Wall, cpu: s.CPU}}
	} else if s.Wall > last.until { // the thread was absent in between
		f.change(t, root, stamp{point: point{wall: last.until, cpu: s.CPU, sample: t.now.sample + last.count}})
		last.count = 1
	}
	to := f.tree.Reach(last.at, s.Same, s.Stack)
	common := f.tree.Common(t.at, to)
	for n := to; n != common; n = f.tree.Parent(n) {
		f.tree.At(n).Count++
	}
	f.change(t, to, stamp{point: point{wall: s.Wall, cpu: s.CPU, sample: t.now.sample + last.count}})
	*last = snapshotEnd{at: to, until: s.Until, count: s.Count, began: true}
	return nil
}

// endingWalks returns the methods that mark incomplete stacks; nil if there are none.
func endingWalks(symbols *trace.Symbols) map[trace.MethodID]bool {
	ends := map[trace.MethodID]bool{}
	for i := range symbols.Methods {
		if symbols.Methods[i].WalkEnd() != "" {
			ends[trace.MethodID(i)] = true
		}
	}
	if len(ends) == 0 {
		return nil
	}
	return ends
}

// waitingMethods is the set of waiting methods, by name. It looks up each method once.
type waitingMethods struct {
	symbols *trace.Symbols
	waits   []bool // of the first methods
}

// has reports whether a method waits.
func (w *waitingMethods) has(id trace.MethodID) bool {
	for len(w.waits) <= int(id) {
		w.waits = append(w.waits, w.symbols.Method(trace.MethodID(len(w.waits))).Waits())
	}
	return w.waits[id]
}

// clockStep is the maximum difference of two clocks with a resolution of a microsecond each.
const clockStep = 2 * time.Microsecond

// beyondUsual returns the part of a period beyond the longest usual sampling interval (1, 2 or 5
// times a power of ten) that fits in it. The sleep lasts at least the interval, so this is an upper
// bound of the pause. It is the only evidence of the pause if all threads wait in nearly every
// period.
func beyondUsual(period time.Duration) time.Duration {
	longest := time.Duration(0)
	for decade := 10 * time.Microsecond; decade <= period; decade *= 10 {
		for _, usual := range []time.Duration{decade, 2 * decade, 5 * decade} {
			if usual <= period {
				longest = usual
			}
		}
	}
	return period - longest
}

// anyWaits reports whether some thread of an app waits between its events: in more than waitShare
// of the time, beyond the pauses of samples. Without both clocks threads may wait.
func anyWaits(events []trace.Event, clock trace.Clock, pause, period time.Duration) bool {
	if clock != trace.Dual {
		return true
	}
	type ends struct{ first, last trace.Event }
	var threads []ends
	for i := range events {
		ev := &events[i]
		for int(ev.Thread) >= len(threads) {
			threads = append(threads, ends{first: trace.Event{Wall: -1}})
		}
		t := &threads[ev.Thread]
		if t.first.Wall < 0 {
			t.first = *ev
		}
		t.last = *ev
	}
	for _, t := range threads {
		wall, cpu := t.last.Wall-t.first.Wall, t.last.CPU-t.first.CPU
		if t.first.Wall < 0 || wall == 0 {
			continue
		}
		pauses := float64(wall) * float64(pause) / float64(period)
		if float64(wall-cpu)-pauses > waitShare*float64(wall) {
			return true
		}
	}
	return false
}

// waitShare is the share of its time up to which a thread counts as one that does not wait.
const waitShare = 0.02

// idleTimes returns wall time less CPU time, ascending, of the periods in which a thread ran.
func idleTimes(events []trace.Event, clock trace.Clock, limit time.Duration) (idle []time.Duration) {
	if clock != trace.Dual {
		return nil
	}
	var last []trace.Event
	for i := range events {
		ev := &events[i]
		for int(ev.Thread) >= len(last) {
			last = append(last, trace.Event{Wall: -1})
		}
		l := &last[ev.Thread]
		wall, cpu := ev.Wall-l.Wall, ev.CPU-l.CPU
		if l.Wall >= 0 && wall > 0 && wall < limit && cpu > 0 {
			idle = append(idle, max(0, wall-cpu))
		}
		*l = *ev
	}
	slices.Sort(idle)
	return idle
}

// setPause sets the pause of a sample, given the idle times of periods, a lower bound of the pause
// ([walkTime]), and the 1 % quantile of the period; 0: not known.
func (f *follower) setPause(idle []time.Duration, walk, lowPeriod time.Duration) {
	most := beyondUsual(f.period)
	if equal, ok := equalPause(idle); ok && walk > 0 && equal <= most {
		f.idle, f.paused = equal, equal
	} else {
		f.idle = idleTime(idle, most)
		f.paused = min(f.idle, most)
		if lowPeriod > 0 {
			f.paused = min(f.paused, beyondUsual(lowPeriod))
		}
	}
	f.stopped = min(f.idle, max(f.paused, walk))
}

// equalPause returns the pause of a sample if native code hides it from [idleTime]: if some idle
// times of periods are shorter, because native code continues or ends in pauses, and half of those
// that are not 0 are within a tenth of each other, unlike most waits. If a thread waits for most of a
// long period, its waits are as close to each other, but exceed any pause.
func equalPause(idle []time.Duration) (pause time.Duration, ok bool) {
	first, _ := slices.BinarySearch(idle, clockStep+1)
	all, idle := idle, idle[first:]
	half := (len(idle) + 1) / 2
	if half < minSteps {
		return 0, false
	}
	best := 0
	for i := range len(idle) - half + 1 {
		if idle[i+half-1]-idle[i] < idle[best+half-1]-idle[best] {
			best = i
		}
	}
	pause = idle[best+half/2]
	shorter, _ := slices.BinarySearch(all, idle[best]*9/10)
	return pause, shorter >= minSteps && idle[best+half-1]-idle[best] <= pause/10
}

// idleTime returns the part of a period in which even a busy thread does not run, the pause of a
// sample: the lower quartile of the idle times of periods.
//
// Samples do not stop native code. If the lower quartile is native code, idleTime returns the median
// of the other periods with at most the given idle time, if they are nearly equal, as pauses are.
func idleTime(idle []time.Duration, most time.Duration) time.Duration {
	if len(idle) == 0 {
		return 0
	}
	if usual := idle[len(idle)/4]; usual > clockStep {
		return usual
	}
	stopped := slices.DeleteFunc(idle, func(d time.Duration) bool { return d <= clockStep || d > most })
	if n := len(stopped); n >= minSteps && stopped[n*3/4] <= stopped[n/2]*5/4 {
		return stopped[n/2]
	}
	return 0
}
