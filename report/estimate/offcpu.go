package estimate

import (
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// runningSamples follows the snapshots of a thread in samples of CPU time. A stretch without CPU
// time is a wait or, if the thread has no frame, a gap. Neither ends a run: the samples before and
// after are consecutive on the thread's CPU clock. Each wait was recorded, so its wall time is no
// estimate.
type runningSamples struct {
	began bool
	at    calltree.Node // the latest stack with a frame
	stamp point         // its beginning
	until time.Duration // its end
	open  bool          // it is not yet added to the follower, because its CPU time is unknown
	taken int64         // samples since thread.now
}

// add adds a snapshot.
func (r *runningSamples) add(f *follower, t *thread, s *trace.Snapshot) {
	if !r.began {
		r.began, r.at, r.until = true, f.tree.Root(s.Thread), s.Wall
		t.now = stamp{point: point{wall: s.Wall, cpu: s.CPU}}
	}
	r.close(f, t, s.CPU)
	t.waited += max(0, s.Wall-r.until)
	if s.IsEnd() {
		t.waited += s.Until - s.Wall
		r.until, r.stamp.cpu = s.Until, s.CPU
		return
	}
	to := f.tree.Reach(r.at, s.Same, s.Stack)
	for n, common := to, f.tree.Common(r.at, to); n != common; n = f.tree.Parent(n) {
		f.tree.At(n).Count++
	}
	r.at, r.until, r.open = to, s.Until, true
	r.stamp = point{wall: s.Wall, cpu: s.CPU, sample: s.Count}
}

// close adds the open stretch. cpu is the CPU time of the thread at its end.
func (r *runningSamples) close(f *follower, t *thread, cpu time.Duration) {
	if !r.open {
		return
	}
	r.open = false
	if cpu <= r.stamp.cpu {
		f.wait(t, r.at, r.until-r.stamp.wall)
		return
	}
	f.change(t, r.at, stamp{point: point{wall: r.stamp.wall - t.waited, cpu: r.stamp.cpu, sample: t.now.sample + r.taken}})
	r.taken = r.stamp.sample
}

// end returns the end of the thread.
func (r *runningSamples) end(f *follower, t *thread) stamp {
	if r.open { // its CPU time is unknown
		r.close(f, t, r.stamp.cpu+1)
	}
	return stamp{point: point{wall: r.until - t.waited, cpu: max(r.stamp.cpu, t.now.cpu), sample: t.now.sample + r.taken}}
}

// wait adds wall time without CPU time to a stack, in samples of CPU time.
func (f *follower) wait(t *thread, at calltree.Node, wall time.Duration) {
	t.waited += wall
	f.tree.At(at).Self.Wall += wall
	if f.tree.IsRoot(at) {
		return
	}
	if int(f.tree.Len()) > len(f.slotOf) {
		f.grow()
	}
	f.waits++
	f.offCPU[at] += wall
	f.slots[f.slotOf[at]].exclusive.wall += wall
	if f.contexts {
		f.exclusive.at(at).wall += wall
	}
	for n := at; !f.tree.IsRoot(n); n = f.tree.Parent(n) {
		if f.contexts {
			f.inclusive.at(n).wall += wall
		}
		if s := f.slots[f.slotOf[n]]; s.waits != f.waits { // each method once
			s.waits = f.waits
			s.inclusive.wall += wall
		}
	}
}
