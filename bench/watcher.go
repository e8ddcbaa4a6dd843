package bench

import (
	"time"

	"artifice/bench/paths"
	"artifice/diffstack"
	"artifice/sampler"
	"artifice/trace"
)

// watcher follows one sampler and tallies what it reports, against the course
// of the truth. It is a [sampler.Observer].
type watcher struct {
	tally
	course  *course
	ends    diffstack.SliceEnd
	threads []watched

	// each is the time that a sample stands for, whatever its stamp; 0: until
	// the next sample
	each time.Duration
}

// watched is what a tracer has reported of one thread so far.
type watched struct {
	seen   bool
	path   paths.ID        // stack as reported last
	enters []time.Duration // stamps of its frames, outermost first
	wall   time.Duration   // stamp of the last look
	app    time.Duration   // app time of the last look
	tick   int64
}

// Look implements [sampler.Observer].
func (w *watcher) Look(l *sampler.Look) {
	w.course.advance(l.App)
	t := w.thread(l.Thread)
	if !t.seen {
		t.seen, t.wall = true, l.Wall
	} else if len(t.enters) > 0 {
		w.samples += l.Tick - t.tick
	}
	w.seen += int64(len(l.Stack) - l.Old)
	w.leave(t, l)
	for _, m := range l.Stack[l.Same:] {
		t.path = w.course.table.Child(t.path, m)
		t.enters = append(t.enters, l.Wall)
		w.line.Common -= w.course.on(t.path, l.App)
		w.call(t.path)
	}
	t.wall, t.app, t.tick = l.Wall, l.App, l.Tick
	w.line.Equal -= w.course.self(t.path, l.App)
}

// leave ends the frames that are gone, and what was reported since the last
// look. Of a time on the course between two instants the later reading is added
// here; the earlier one was taken off then.
func (w *watcher) leave(t *watched, l *sampler.Look) {
	w.line.Equal += w.course.self(t.path, l.App)
	w.line.Reported += time.Duration(len(t.enters)) * (w.course.alive(l.Thread, l.App) - w.course.alive(l.Thread, t.app))
	end := max(t.wall, w.ends.Between(l.Wall-l.Period, l.Wall))
	if w.ends != diffstack.EndNext && len(t.enters) > l.Same {
		w.endEarlier(t, l)
	}
	w.spend(t.path, w.owned(t, l, end))
	for len(t.enters) > l.Same {
		enter := t.enters[len(t.enters)-1]
		t.enters = t.enters[:len(t.enters)-1]
		w.durations.Add(end - enter)
		w.line.Common += w.course.on(t.path, l.App)
		t.path = w.course.table.Parent(t.path)
	}
	if w.each == 0 {
		w.spend(t.path, l.Wall-end)
	}
}

// endEarlier takes out of the time line what was reported of the frames that are
// gone, from their end by the watcher's rule to now: what leave counts as if they
// had ended now. The rule is applied to app time.
func (w *watcher) endEarlier(t *watched, l *sampler.Look) {
	c := w.course
	from := max(t.app, w.ends.Between(l.Last, l.App))
	kept := t.path
	for range len(t.enters) - l.Same {
		kept = c.table.Parent(kept)
	}
	gone := len(t.enters) - l.Same
	w.line.Reported -= time.Duration(gone) * max(0, c.alive(l.Thread, l.App)-c.alive(l.Thread, from))
	c.during(l.Thread, from, l.App, func(p paths.ID, d time.Duration) {
		switch p {
		case t.path:
			w.line.Equal -= d
		case kept:
			w.line.Equal += d
		}
		if common := c.table.Depth(c.table.Common(p, t.path)) - l.Same; common > 0 {
			w.line.Common -= time.Duration(common) * d
		}
	})
}

// owned is the time of the samples that saw t as it was, up to stamp end.
func (w *watcher) owned(t *watched, l *sampler.Look, end time.Duration) time.Duration {
	switch {
	case w.each == 0:
		return end - t.wall
	case t.tick == 0:
		return 0
	}
	return time.Duration(l.Tick-t.tick) * w.each
}

// Gone implements [sampler.Observer]. The frames stay open for ever, as in a
// trace file: no end of theirs is reported.
func (w *watcher) Gone(l *sampler.Look) {
	w.course.advance(l.App)
	t := w.thread(l.Thread)
	if len(t.enters) > 0 {
		w.samples += l.Tick - t.tick
	}
	w.line.Equal += w.course.self(t.path, l.App)
	w.line.Reported += time.Duration(len(t.enters)) * (w.course.alive(l.Thread, l.App) - w.course.alive(l.Thread, t.app))
	w.spend(t.path, w.owned(t, l, l.Wall))
	for len(t.enters) > 0 {
		t.enters = t.enters[:len(t.enters)-1]
		w.line.Common += w.course.on(t.path, l.App)
		t.path = w.course.table.Parent(t.path)
	}
}

func (w *watcher) thread(id trace.ThreadID) *watched {
	for int(id) >= len(w.threads) {
		w.threads = append(w.threads, watched{})
	}
	t := &w.threads[id]
	if t.path == paths.None {
		t.path = w.course.table.Root(id)
		w.course.thread(id, 0)
		t.app = w.course.threads[id].start
	}
	return t
}

// finish completes the time line by what the threads did that no sample saw,
// once the course is finished.
func (w *watcher) finish() {
	c := w.course
	for id := range c.threads {
		if c.threads[id].path == paths.None {
			continue
		}
		root := c.table.Root(trace.ThreadID(id))
		if id >= len(w.threads) || w.threads[id].path == paths.None {
			w.line.Equal += c.nodes[root].self
		}
		w.line.Thread += c.threads[id].last - c.threads[id].start
	}
	for p := range c.nodes {
		if !c.table.IsRoot(paths.ID(max(p, 1))) {
			w.line.True += c.nodes[p].on
		}
	}
	w.threads = nil
}
