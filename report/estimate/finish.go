package estimate

import (
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// Finish ends the trace and returns its profile. It must be called once, after all events are
// written and the recording's Info is complete.
func (e *Estimator) Finish() *Profile {
	info := &e.rec.Info
	if e.snapshots != nil {
		p := e.sampledProfile(e.snapshots, func(id trace.ThreadID, t *thread) (stamp, openEnd) {
			last := &e.seen[id]
			if e.snapshots.running {
				return last.running.end(e.snapshots, t), openEnd{at: t.at}
			}
			return stamp{point: point{wall: last.until, cpu: t.now.cpu, sample: t.now.sample + last.count}}, openEnd{at: t.at}
		})
		p.Technique, p.Evidence = trace.Sampled, "it consists of samples"
		if info.Technique == trace.UnknownTechnique { // sums of times without samples
			p.NoSamples, p.Samples, p.Evidence = true, 0, "it is a profile without a sampling period"
		}
		if p.Samples > 0 {
			p.Period = p.Tree.Total().Wall / time.Duration(p.Samples)
			if p.OfCPU {
				p.Period = p.Tree.Total().CPU / time.Duration(p.Samples)
			}
		}
		return p
	}
	if !e.begun {
		e.begin()
	}
	if e.sampled == nil {
		return e.exactProfile()
	}
	for id := range e.pending {
		if e.pending[id].at != calltree.NoNode {
			e.flush(trace.ThreadID(id))
		}
	}
	lives := trace.NewLifetimes(e.rec, e.technique, e.last)
	return e.sampledProfile(e.sampled, func(id trace.ThreadID, t *thread) (stamp, openEnd) {
		last := t.now.wall + t.waited
		end, latest := e.cfg.Until.End(lives, id, last)
		after := openEnd{at: t.at, counted: end - last, left: latest - end, after: latest - last}
		if e.cfg.Until == calltree.UntilStop {
			certain, _ := lives.End(id, last, true)
			after.left = end - certain // counted although it is uncertain
		}
		return stamp{point: point{wall: end - t.waited, cpu: t.now.cpu, sample: t.now.sample + e.samplesIn(end-last)}}, after
	})
}

// keep removes threads that are not selected from a tree.
func (e *Estimator) keep(t *calltree.Tree) {
	if e.cfg.Threads != nil {
		t.Keep(e.cfg.Threads.Choose(t))
	}
}

// profile returns a profile with the fields that do not depend on the technique.
func (e *Estimator) profile(tree *calltree.Tree) *Profile {
	p := &Profile{
		Technique: e.technique, Evidence: e.evidence, Clock: e.rec.Info.Clock, OfCPU: e.rec.Info.OfCPU, Clocks: e.rec.Info.Clocks(), Period: e.period, Measured: e.measured, Apart: e.apart, Stated: e.interval > 0 && e.interval == e.cfg.Interval,
		Span: e.span(), Tree: tree, Quantity: e.rec.Info.Quantity,
	}
	e.measureAgain(p)
	return p
}

// span returns the length of the recording, from its first event to its stop.
func (e *Estimator) span() time.Duration {
	if !e.rec.Info.Clock.HasWall() || e.cfg.Until == calltree.UntilLastEvent {
		return e.last - e.first
	}
	return e.rec.Stop(e.last) - e.first
}

// measureAgain replaces the profile's period, which begin has from the first events, by that of all
// events: other commands state that one.
func (e *Estimator) measureAgain(p *Profile) {
	if e.sampled == nil || e.period == 0 {
		return
	}
	period, known := e.groups.Period()
	switch {
	case e.interval > 0:
		if known && e.measured > 0 {
			p.Measured = period.Median
		}
		period = e.groups.PeriodAt(e.interval)
	case !known:
		return
	}
	p.Period, p.Apart = period.Median, period.Longest
}

// exactProfile returns the profile of a trace without known samples: a trace of every call, or one
// too short to determine its technique.
func (e *Estimator) exactProfile() *Profile {
	tree, _ := e.builder.Finish(e.rec, e.technique, e.cfg.Until)
	e.keep(tree)
	p := e.profile(tree)
	p.NoSamples = p.Quantity.IsSet()
	for id := range tree.Threads() {
		if id := trace.ThreadID(id); tree.Root(id) != calltree.NoNode {
			p.LeftOut += e.builder.LeftOut(id)
		}
	}
	p.exact = tree.Methods()
	p.activity = e.newActivity(p, nil)
	return p
}

// sampledProfile returns the profile of the runs of a follower.
func (e *Estimator) sampledProfile(f *follower, end func(trace.ThreadID, *thread) (stamp, openEnd)) *Profile {
	open := f.finish(end)
	if e.cfg.Threads != nil {
		e.keep(&f.tree)
		open = f.keep(open)
	}
	f.findCycles()
	p := e.profile(&f.tree)
	p.Samples, p.Silence, p.Late, p.followed = f.samples, e.silent.summary(), e.late.summary(), true
	if p.Interval = e.period - f.stopped; e.interval > 0 {
		p.Interval = e.interval
	}
	f.silentTime = p.Silence.Total
	f.walkEnds = endingWalks(e.rec.Symbols)
	uncertain := newUncertainty(f, open, e.cfg.Until == calltree.UntilStop)
	for _, o := range open {
		p.LeftOut += o.left
	}
	for n, wall := range f.offCPU {
		if f.tree.Root(f.tree.Thread(calltree.Node(n))) != calltree.NoNode {
			p.OffCPU += wall
		}
	}
	p.NativeEnds = f.equalResets()
	p.Unsampled = f.beyondRunning(uncertain)
	p.Hidden = uncertain.ended.shown
	e.methods(p, f, uncertain)
	if f.contexts {
		contexts(p, f, uncertain)
	}
	e.subtractPauses(p, f, open)
	p.activity = e.newActivity(p, f)
	f.release()
	return p
}

// total is the sum of all slots of one method.
type total struct {
	exclusive, inclusive           sum
	cycleExclusive, cycleInclusive *Cycle
	threads                        int
}

// methods sums the slots by method.
func (e *Estimator) methods(p *Profile, f *follower, d *uncertainty) {
	met := f.tree.Methods() // ascending ids, and the calls as the trace has them
	place := places(met)
	totals := make([]total, len(met))
	for s := range f.selected() {
		t := &totals[place[s.method]]
		t.threads++
		on := &f.threads[s.thread]
		own, all := d.stopped.method(s.method)
		s.exclusive.addTo(&t.exclusive, &t.cycleExclusive, on, own)
		s.inclusive.addTo(&t.inclusive, &t.cycleInclusive, on, all)
	}
	margins := d.methods(place, len(met))
	p.sampled = make([]Method, len(met))
	var seenOnce, all time.Duration
	for i, m := range met {
		t := &totals[i]
		entry := Method{ID: m.Method}
		entry.Calls = Calls{m.Calls + m.Recursive, m.Recursive, true, t.inclusive.thin.begins()}
		entry.Exclusive = t.exclusive.share(margins[i].exclusive)
		margins[i].inclusive.threads = t.threads
		entry.Inclusive = t.inclusive.share(margins[i].inclusive)
		entry.Exclusive.Cycle, entry.Inclusive.Cycle = t.cycleExclusive, t.cycleInclusive
		p.sampled[i] = entry
		own := t.exclusive.wall
		if p.OfCPU {
			own = t.exclusive.cpu
		}
		all += own
		if t.exclusive.samples == 1 {
			seenOnce += own
		}
	}
	if all > 0 {
		p.Unseen = float64(seenOnce) / float64(all)
	}
}

// places returns the index of each method in a list, by trace.MethodID.
func places(list []calltree.MethodTotal) []int32 {
	if len(list) == 0 {
		return nil
	}
	place := make([]int32, list[len(list)-1].Method+1)
	for i, m := range list {
		place[m.Method] = int32(i)
	}
	return place
}

// addTo adds the runs to a sum, and keeps the cycle with the largest factor.
func (t *track) addTo(s *sum, cycle **Cycle, on *thread, paused float64) {
	own := t.judged(t.alike, on, paused)
	if c := t.cycle; c != nil && (*cycle == nil || c.Alike > (*cycle).Alike) {
		*cycle = c
	}
	s.add(&own)
}

// judged returns the sum with its variance scaled by the variance ratio of its runs and the factor
// alike of equal errors. It is at most that of windows, unless errors of distant samples can be
// equal. That of wall times is multiplied by paused (type stopped).
func (r *runs) judged(alike float64, on *thread, paused float64) sum {
	factor := r.varianceRatio()
	switch {
	case alike > 1:
		factor *= alike
	case !on.dependent:
		factor = min(factor, r.windowRatio(on.now.sample))
	}
	s := r.widened(factor)
	s.varWall *= paused
	return s
}

// contexts computes the estimates of the calling contexts.
func contexts(p *Profile, f *follower, d *uncertainty) {
	p.contexts = make([]Figures, f.tree.Len())
	for n := calltree.Node(1); int(n) < f.tree.Len(); n++ {
		if f.tree.IsRoot(n) || f.tree.Root(f.tree.Thread(n)) == calltree.NoNode {
			continue
		}
		slot := f.slots[f.slotOf[n]]
		on := &f.threads[slot.thread]
		pausedOwn, pausedAll := d.stopped.context(n)
		own, all := f.exclusive.get(n).judged(slot.exclusive.alike, on, pausedOwn), f.inclusive.get(n).judged(slot.inclusive.alike, on, pausedAll)
		entry := Figures{Calls: Calls{Reported: f.tree.At(n).Count, AtLeast: true}}
		exclusive, inclusive := d.context(n)
		inclusive.threads = 1
		entry.Exclusive, entry.Inclusive = own.share(exclusive), all.share(inclusive)
		entry.Exclusive.Cycle, entry.Inclusive.Cycle = slot.exclusive.cycle, slot.inclusive.cycle
		p.contexts[n] = entry
	}
}
