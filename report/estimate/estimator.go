package estimate

import (
	"cmp"
	"slices"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/trace/stats"
)

// Config says how to estimate. The zero value counts frames that are open at the
// end up to their thread's last event, and subtracts nothing.
type Config struct {
	Until calltree.EndPolicy

	// EventCost is what the tracer took for each event it was told of, which is
	// subtracted from an instrumented trace: once for the call itself, once for
	// its caller. 0 subtracts nothing.
	EventCost time.Duration

	// Threads chooses the threads of the profile; nil: all.
	Threads ThreadChooser

	// Interval is what was asked of the sampler, of a trace that does not tell how often it was sampled for
	// it is short or shows an idle app. It is not looked at where the trace does, or was not sampled ([Profile.Stated]).
	// 0: not known.
	Interval time.Duration

	// MethodsOnly leaves out the intervals of calling contexts ([Profile.Context]), which
	// take time and memory.
	MethodsOnly bool
}

// ThreadChooser chooses the threads of a profile.
type ThreadChooser interface {
	// Choose receives the times of all threads, once all events were read, and returns which to keep.
	Choose(all *calltree.Tree) (keeps func(trace.ThreadID) bool)
}

// Estimator makes a [Profile] of events, which come in time order per thread.
// Where snapshots are written to it, it is made of these alone: they tell the
// same as events, and the number of samples with it.
//
// Of a sampled trace it needs up to 40 KB for each method on each thread that samples
// met more than once, and some 600 bytes for each calling context beyond calltree's, or
// 12 with Config.MethodsOnly.
type Estimator struct {
	rec *trace.Recording
	cfg Config

	head   []trace.Event // until it is known how they were recorded
	groups stats.Groups
	begun  bool

	builder *calltree.Builder // of traces whose samples are not known
	sampled *follower
	period  time.Duration
	apart   time.Duration // the longest that two samples which follow each other are apart
	silent  silences
	late    lateSamples
	pending []pending // by thread

	snapshots *follower
	seen      []snapshotEnd // by thread

	technique   trace.Technique
	evidence    string
	pause       time.Duration // that a sample took from what ran
	stated      bool          // the period is of Config.Interval
	first, last time.Duration
}

// headEvents is how many events are looked at to tell how a trace was recorded.
const headEvents = 1 << 16

// New returns an estimator of rec's events. It reads rec's Info and Symbols, which
// may grow while events are written, and rec.Events never.
func New(rec *trace.Recording, cfg Config) *Estimator { return &Estimator{rec: rec, cfg: cfg} }

// Read reads rec to its end and returns its profile. Where that fails, the
// profile is of what came before.
func Read(rec *trace.Recording, cfg Config) (*Profile, error) {
	e := New(rec, cfg)
	_, err := trace.Copy(e, rec.Events)
	return e.Finish(), err
}

// Exact reports whether enough was written to tell that the trace was not sampled, or that its
// samples are not known: its profile will have no intervals.
func (e *Estimator) Exact() bool { return e.begun && e.sampled == nil && e.snapshots == nil }

// SetEventCost sets Config.EventCost, before Finish: a stream states the cost of its
// clock at its end.
func (e *Estimator) SetEventCost(d time.Duration) { e.cfg.EventCost = d }

// WriteEvents implements [trace.Writer]. It never fails.
func (e *Estimator) WriteEvents(p []trace.Event) error {
	if e.snapshots != nil {
		return nil
	}
	for i := range p {
		e.last = max(e.last, p[i].Time(e.rec.Info.Clock))
	}
	if e.begun {
		return e.add(p)
	}
	if len(e.head) == 0 && len(p) > 0 {
		e.first = p[0].Time(e.rec.Info.Clock)
	}
	e.groups.WriteEvents(p)
	e.head = append(e.head, p...)
	if len(e.head) >= headEvents {
		return e.begin()
	}
	return nil
}

// begin decides how the trace was recorded and takes up the events so far.
func (e *Estimator) begin() error {
	e.begun = true
	e.technique, e.evidence = e.groups.TechniqueOf(&e.rec.Info)
	period, known := e.groups.Period()
	known = known && period.Gaps >= minSteps // else the shortest distances are as rare as chance makes them
	if maybe := e.technique == trace.Sampled || e.technique == trace.UnknownTechnique; maybe && e.cfg.Interval > 0 && e.rec.Info.Clock.HasWall() && !(e.technique == trace.Sampled && known) {
		e.stated, known = true, true
		e.technique, e.evidence = trace.Sampled, "as stated; "+e.evidence
		period.Median = e.groups.PeriodAt(e.cfg.Interval)
		period.Limit = period.Median + period.Median/2
	}
	if e.technique == trace.Sampled && known && e.rec.Info.Clock.HasWall() {
		e.period, e.apart = period.Median, period.Limit
		e.sampled = newFollower(!e.cfg.MethodsOnly)
		e.sampled.idle = idleTime(e.head, e.rec.Info.Clock, period.Limit)
		e.sampled.period = e.period
		e.sampled.paused = min(e.sampled.idle, beyondUsual(e.period))
		if period.Low > 0 {
			e.sampled.paused = min(e.sampled.paused, beyondUsual(period.Low))
		}
		e.sampled.steady = max(clockStep, e.sampled.paused/4, e.period/200)
		e.sampled.waiting = &waitingMethods{symbols: e.rec.Symbols}
		e.sampled.running = e.rec.Info.OfCPU
		sorted, ordered := inTimeOrder(e.head, e.period)
		e.silent = newSilences(sorted, e.period, ordered)
		e.late = newLateSamples(sorted, e.period, e.silent.least)
		if !ordered {
			e.late.look(sorted)
		}
		e.sampled.late = e.late.some
		e.sampled.stopped = min(e.sampled.idle, max(e.sampled.paused, walkTime(sorted, e.period)))
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
	wall, cpu time.Duration
	late      time.Duration // so long after the sample before, if it came late
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
		*g = pending{t.at, ev.Wall, ev.CPU, e.late.sample(ev.Wall)}
		e.silent.sample(ev.Wall)
	case ev.Wall != g.wall || ev.CPU != g.cpu:
		e.flush(ev.Thread)
		g.wall, g.cpu, g.late = ev.Wall, ev.CPU, e.late.sample(ev.Wall)
		e.silent.sample(ev.Wall)
	}
	to, effect := f.tree.Apply(g.at, ev)
	if effect == trace.Pushed {
		f.tree.At(to).Count++
	}
	g.at = to
}

// flush takes the pending group of a thread as a sample.
func (e *Estimator) flush(id trace.ThreadID) {
	g, t := &e.pending[id], &e.sampled.threads[id]
	at := stamp{point: point{wall: g.wall, cpu: g.cpu}}
	if e.sampled.running { // a thread that waits is not sampled
		at.sample = t.now.sample + e.samplesIn(g.cpu-t.now.cpu)
		e.sampled.change(t, g.at, at)
		return
	}
	since := g.wall - t.now.wall
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

// samplesIn returns how many samples a time is long, at least one.
func (e *Estimator) samplesIn(d time.Duration) int64 {
	return max(1, int64((d+e.period/2)/e.period))
}

// snapshotEnd is where the last snapshot of a thread ended.
type snapshotEnd struct {
	at    calltree.Node // its stack
	until time.Duration
	count int64
	began bool
}

// WriteSnapshot implements [trace.SnapshotWriter]. It never fails.
func (e *Estimator) WriteSnapshot(s *trace.Snapshot) error {
	if e.snapshots == nil {
		e.snapshots = newFollower(!e.cfg.MethodsOnly)
		e.first = s.Wall
		e.snapshots.sums, e.snapshots.running = s.Sum, e.rec.Info.OfCPU
	}
	for int(s.Thread) >= len(e.seen) {
		e.seen = append(e.seen, snapshotEnd{})
	}
	f, last := e.snapshots, &e.seen[s.Thread]
	t := f.thread(s.Thread)
	root := f.tree.Root(s.Thread)
	if !last.began {
		last.at = root
		t.now = stamp{point: point{wall: s.Wall, cpu: s.CPU}}
	} else if s.Wall > last.until { // the thread was not there for a while
		f.change(t, root, stamp{point: point{wall: last.until, cpu: s.CPU, sample: t.now.sample + last.count}})
		last.count = 1
	}
	to := f.tree.Reach(last.at, s.Same, s.Stack)
	common := f.tree.Common(t.at, to)
	for n := to; n != common; n = f.tree.Parent(n) {
		f.tree.At(n).Count++
	}
	f.change(t, to, stamp{point: point{wall: s.Wall, cpu: s.CPU, sample: t.now.sample + last.count}})
	*last = snapshotEnd{to, s.Until, s.Count, true}
	e.last = max(e.last, s.Until)
	return nil
}

// endingWalks returns the methods that stand for callers that a walk did not find; nil: there are none.
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

// waitingMethods is the set of the methods that wait, by their names; each is looked up once.
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

// clockStep is by how much times of two clocks can differ that step by a microsecond each.
const clockStep = 2 * time.Microsecond

// beyondUsual returns what is left of a period beyond the longest interval that people ask for and that is not longer: the
// sleep lasts as long as it was asked to at least, so that the pause is no more. Where all threads wait in
// nearly every period, nothing else tells a pause from a wait.
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

// idleTime returns how much of a period even a busy thread does not run, the pause
// of a sample: the lower quartile of wall less CPU time, over the periods in which
// the thread ran.
func idleTime(events []trace.Event, clock trace.Clock, limit time.Duration) time.Duration {
	if clock != trace.Dual {
		return 0
	}
	var last []trace.Event
	var idle []time.Duration
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
	if len(idle) == 0 {
		return 0
	}
	slices.SortFunc(idle, cmp.Compare)
	return idle[len(idle)/4]
}
