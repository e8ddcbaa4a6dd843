package view

import (
	"math/bits"
	"slices"

	"artifice/trace"
)

// box is a call on a level, or several merged short calls. Times are in the page's units.
type box struct {
	start, duration int64
	covered         int64 // time in calls
	longest         int64 // time of the method, as far as known
	method          int32 // method of the longest interval
	calls           int64
}

// level contains the boxes of a thread at a scale at which calls shorter than width are not
// visible.
type level struct {
	width int64
	rows  [][]box // by depth
}

// fewBoxes is the number of boxes of a thread up to which no further level is needed.
const fewBoxes = 1024

// share is the minimum factor by which a level has fewer boxes than the next finer one.
const share = 4

// levels passes the levels of a thread's calls on, the finest first. A level is valid during the
// call.
func (e *encoder) levels(t *thread, methods []int32, each func(*level)) {
	kept := t.len()
	if kept <= fewBoxes {
		return
	}
	l := e.firstLevel(t, methods)
	if l == nil {
		return
	}
	for {
		if n := count(l.rows); n <= kept/share {
			kept = n
			each(l)
		}
		if l.width *= 2; kept <= fewBoxes || l.width <= 0 {
			return
		}
		for i, row := range l.rows {
			l.rows[i] = gather(row, l.width)
		}
	}
}

// firstLevel returns the finest level of a thread that is kept, or nil if there is none. It
// determines that level without storing the boxes of finer levels, because boxes are large.
func (e *encoder) firstLevel(t *thread, methods []int32) *level {
	width, depth := e.firstWidth(t)
	if depth > t.len()/share { // each level has at least one box per depth
		return nil
	}
	var widths []*gatherer
	for ; width > 0; width *= 2 {
		widths = append(widths, &gatherer{width: width})
		if len(widths) < max(minWidths, openBoxes/depth) && width*2 > 0 {
			continue
		}
		e.gatherCalls(t, methods, widths)
		if i := slices.IndexFunc(widths, func(g *gatherer) bool { return g.count <= t.len()/share }); i >= 0 {
			return e.keepLevel(t, methods, widths[:i+1])
		}
		widths = nil
	}
	return nil
}

// openBoxes is the maximum number of open boxes of all gatherers, which need one for each depth and
// width. If a trace is too deep for all widths to fit, its calls are gathered several times.
const openBoxes = 1 << 18

// minWidths is the minimum number of widths gathered in one pass.
const minWidths = 4

// keepLevel returns the level of the last width.
func (e *encoder) keepLevel(t *thread, methods []int32, widths []*gatherer) *level {
	for i, g := range widths {
		widths[i] = &gatherer{width: g.width}
	}
	last := widths[len(widths)-1]
	last.keep = &level{width: last.width}
	e.gatherCalls(t, methods, widths)
	return last.keep
}

// gatherer merges adjacent boxes shorter than width, like gather, but incrementally.
type gatherer struct {
	width int64
	last  []box // by depth: the open box; it has no calls if there is none
	count int   // number of completed boxes
	next  *gatherer
	keep  *level // level that stores completed boxes; nil: they are not stored
}

// add adds the next box at a depth.
func (g *gatherer) add(depth int, b *box) {
	for len(g.last) <= depth {
		g.last = append(g.last, box{})
	}
	last := &g.last[depth]
	if last.calls > 0 && !last.takes(b, g.width) {
		g.hand(depth, last)
	}
	if last.calls > 0 {
		last.join(b)
	} else {
		*last = *b
	}
}

// hand passes a completed box on.
func (g *gatherer) hand(depth int, b *box) {
	g.count++
	if g.keep != nil {
		for len(g.keep.rows) <= depth {
			g.keep.rows = append(g.keep.rows, nil)
		}
		g.keep.rows[depth] = append(g.keep.rows[depth], *b)
	}
	if g.next != nil {
		g.next.add(depth, b)
	}
	b.calls = 0
}

func count(rows [][]box) (n int) {
	for _, row := range rows {
		n += len(row)
	}
	return n
}

// firstWidth returns the smallest power of two for which enough calls of a thread are shorter, so
// that a level is kept, and the depth of these calls.
func (e *encoder) firstWidth(t *thread) (width int64, depth int) {
	var shorter [65]int // by number of bits
	e.eachCall(t, func(d int, _ trace.MethodID, _, duration int64) {
		shorter[bits.Len64(uint64(duration))]++
		depth = max(depth, d+1)
	})
	sum, n := 0, t.len()
	for b, k := range shorter[:62] {
		if sum += k; sum >= n-n/share {
			return 1 << b, depth
		}
	}
	return 1 << 61, depth
}

// gatherCalls passes a thread's calls from each gatherer to the next.
func (e *encoder) gatherCalls(t *thread, methods []int32, all []*gatherer) {
	for i := range all[1:] {
		all[i].next = all[i+1]
	}
	e.eachCall(t, func(depth int, m trace.MethodID, start, duration int64) {
		all[0].add(depth, &box{start: start, duration: duration, covered: duration, longest: duration, method: methods[m], calls: 1})
	})
	for _, g := range all {
		for depth := range g.last {
			if b := &g.last[depth]; b.calls > 0 {
				g.hand(depth, b)
			}
		}
	}
}

// eachCall passes the calls of a thread on, ordered by their ends, in the page's units.
func (e *encoder) eachCall(t *thread, each func(depth int, m trace.MethodID, start, duration int64)) {
	var open []step
	for c := t.steps.all(); c.next(); {
		if !c.End {
			open = append(open, c.step)
			continue
		}
		start := e.at(open[c.Depth].Main)
		each(c.Depth, open[c.Depth].Method, start, e.at(c.Main)-start)
		open = open[:c.Depth]
	}
}

// gather merges adjacent boxes of a row that are shorter than width, up to a total of width. It
// works in place.
func gather(row []box, width int64) []box {
	kept := row[:0]
	for i := range row {
		if n := len(kept); n > 0 && kept[n-1].takes(&row[i], width) {
			kept[n-1].join(&row[i])
		} else {
			kept = append(kept, row[i])
		}
	}
	return kept
}

// takes reports whether a box and the next box of its row, both shorter than width, together are
// not longer than width.
func (b *box) takes(next *box, width int64) bool {
	return next.duration < width && b.duration < width && next.start+next.duration-b.start <= width
}

// join merges a later box into b.
func (b *box) join(next *box) {
	b.duration = next.start + next.duration - b.start
	b.covered += next.covered
	b.calls += next.calls
	switch {
	case b.method == next.method:
		b.longest += next.longest
	case b.longest < next.longest:
		b.method, b.longest = next.method, next.longest
	}
}

// filled returns the share of the box in calls, from 0 to 255.
func (b *box) filled() uint64 {
	if b.duration == 0 {
		return 255
	}
	return uint64(255 * b.covered / b.duration)
}
