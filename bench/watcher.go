package bench

import (
	"math"
	"time"

	"artifice/bench/paths"
	"artifice/diffstack"
	"artifice/sampler"
	"artifice/trace"
)

// watcher follows one sampler and tallies what it reports, against the course
// of the truth. It is a [sampler.Observer].
//
// What a look has to ask the course it asks at once; what it reports of paths
// and durations it only notes down. Many watchers look in turn, and each has
// columns of its own, far more than fit the cache: so a watcher opens its
// columns ([ledger]) only when its page is full of notes.
type watcher struct {
	course *course
	paths  []paths.ID // by thread: stack as reported last; None before its first look
	page   page       // not yet in the ledger

	// each is the time that a sample stands for, whatever its stamp; 0: until
	// the next sample
	each time.Duration
	ends diffstack.SliceEnd

	// looked is the app time of the last look, where the rule for ends asks for
	// what was before
	looked time.Duration

	// compares is whether frames are the same that show the same method; else
	// the sampler's word counts
	compares bool

	tally
	ledger ledger
}

// note is what a look reports of one thread.
type note struct {
	at   time.Duration // stamp; where a sample stands for a time of its own, the sum of these
	path paths.ID      // stack seen
	kept paths.ID      // what is left in it of the one before; None: the thread is gone
}

// cpuNote is the CPU time of a note.
type cpuNote struct {
	at   time.Duration // stamp
	last time.Duration // what it was at least in the sample before
}

// page is notes in the order of the looks.
type page struct {
	notes []note
	ends  []time.Duration // by note: stamp of the end of the frames that are gone; nil: the note's
	cpu   []cpuNote       // by note; nil: nobody asks
}

// notesPerPage is so many that opening the columns costs little per note.
const notesPerPage = 1 << 12

// Sample implements [sampler.Observer].
func (w *watcher) Sample(l *sampler.Sample) {
	w.course.advance(l.App)
	most := l.Same
	if w.compares {
		most = math.MaxInt
	}
	old := w.last(l.Thread)
	path, kept := w.move(l, old, len(l.Stack), most)
	if w.ends != diffstack.EndNext {
		w.endEarlier(old, kept, l)
		w.looked = l.App
	}
	w.line.Equal -= w.course.self(&w.course.threads[l.Thread], path, w.course.alive(l.Thread, l.App))
	w.seen += int64(len(l.Stack) - min(l.Old, w.course.table.Depth(kept)))
	w.note(l, note{path: path, kept: kept})
}

// Gone implements [sampler.Observer]. The frames stay open for ever, as in a
// trace file: no end of theirs is reported.
func (w *watcher) Gone(l *sampler.Sample) {
	w.course.advance(l.App)
	root, _ := w.move(l, w.last(l.Thread), 0, 0)
	w.note(l, note{path: root})
}

// move takes the time line from the stack reported last to the one seen now, of
// so many frames. It returns the latter, and what is left of the former: the
// frames that both begin with, and so many at most. Of a time on the course
// between two instants the later reading is added, when a stack or frame was
// reported up to here; the earlier one is taken off, when it is from here on. What
// is added and taken off may wrap around; the difference does not.
func (w *watcher) move(l *sampler.Sample, old paths.ID, depth, most int) (path, kept paths.ID) {
	c := w.course
	t, now := &c.threads[l.Thread], c.alive(l.Thread, l.App)
	path = t.stack[depth].path
	w.paths[l.Thread] = path
	w.line.Equal += c.self(t, old, now)
	left := c.table.Depth(old)
	if left > 0 {
		w.samples += l.Tick
	}
	if depth > 0 {
		w.samples -= l.Tick
	}
	w.line.Reported += time.Duration(left-depth) * now
	kept = old
	for most = min(most, depth); left > most || t.stack[left].path != kept; left-- {
		w.line.Common += c.on(kept, now)
		kept = c.table.Parent(kept)
	}
	w.line.Common -= t.stack[depth].on - t.stack[left].on + time.Duration(depth-left)*now
	return path, kept
}

// endEarlier takes out of the time line what was reported of the frames that are
// gone, from their end by the watcher's rule to now: move takes them to end now.
// The rule is applied to app time.
func (w *watcher) endEarlier(old, kept paths.ID, l *sampler.Sample) {
	if old == kept {
		return
	}
	c := w.course
	from, to := w.ends.Between(l.Last, l.App), c.alive(l.Thread, l.App)
	left := c.table.Depth(kept)
	gone := c.table.Depth(old) - left
	w.line.Reported -= time.Duration(gone) * max(0, to-c.alive(l.Thread, from))
	c.moves.during(l.Thread, from, to, func(p paths.ID, d time.Duration) {
		switch p {
		case old:
			w.line.Equal -= d
		case kept:
			w.line.Equal += d
		}
		if common := c.table.Depth(c.table.Common(p, old)) - left; common > 0 {
			w.line.Common -= time.Duration(common) * d
		}
	})
}

// note stamps a note and writes it down.
func (w *watcher) note(l *sampler.Sample, n note) {
	n.at = l.Wall
	if w.each > 0 {
		n.at = time.Duration(l.Tick) * w.each
	}
	p := &w.page
	if w.ends != diffstack.EndNext {
		p.ends = append(p.ends, w.ends.Between(l.Wall-l.Period, l.Wall))
	}
	if w.columns.cpu != nil {
		p.cpu = append(p.cpu, cpuNote{l.CPU, l.CPU - (l.App - l.Last)})
	}
	p.notes = append(p.notes, n)
	if len(p.notes) == notesPerPage {
		w.post()
	}
}

// post enters the notes in the ledger.
func (w *watcher) post() {
	w.ledger.enter(&w.tally, &w.course.table, &w.page, w.ends)
	w.page = page{w.page.notes[:0], w.page.ends[:0], w.page.cpu[:0]}
}

// last returns what was reported last of a thread.
func (w *watcher) last(id trace.ThreadID) paths.ID {
	for int(id) >= len(w.paths) {
		w.paths = append(w.paths, paths.None)
	}
	if w.paths[id] == paths.None {
		w.paths[id] = w.course.table.Root(id)
		w.course.thread(id, 0)
	}
	return w.paths[id]
}

// finish completes the tally once the course is finished: the notes, and of the
// time line what the threads did that no sample saw.
func (w *watcher) finish() {
	w.post()
	c := w.course
	for id := range c.threads {
		if !c.threads[id].began() {
			continue
		}
		root := c.table.Root(trace.ThreadID(id))
		if id >= len(w.paths) || w.paths[id] == paths.None {
			w.line.Equal += c.nodes[root].self
		}
	}
	w.line.Thread, w.line.True = c.lived()
	w.paths, w.page, w.ledger = nil, page{}, ledger{}
}
