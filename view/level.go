package view

import (
	"math/bits"
)

// box is a call on a level, or short calls put together. Times are in the page's
// units.
type box struct {
	start, duration int64
	covered         int64 // time in calls
	longest         int64 // time of the method, as far as it is known
	method          int32 // that of the longest stretch
	calls           int64
}

// level is what is drawn of a thread where calls shorter than width are not seen.
type level struct {
	width int64
	rows  [][]box // by depth
}

// fewBoxes is how many boxes of a thread need no further level.
const fewBoxes = 1024

// share is how many times fewer boxes a level has than the one below, at least.
const share = 4

// levels hands on the levels of a thread's calls, the finest first. A level is valid during
// the call.
func (e *encoder) levels(t *Thread, methods []int32, each func(*level)) {
	kept := len(t.Calls)
	if kept <= fewBoxes {
		return
	}
	width := e.firstWidth(t)
	rows := e.gatherCalls(t, methods, width)
	for {
		if n := count(rows); n <= kept/share {
			kept = n
			each(&level{width, rows})
		}
		if width *= 2; kept <= fewBoxes || width <= 0 {
			return
		}
		for i, row := range rows {
			rows[i] = gather(row, width)
		}
	}
}

func count(rows [][]box) (n int) {
	for _, row := range rows {
		n += len(row)
	}
	return n
}

// firstWidth returns the least power of two that enough of a thread's calls are shorter than
// for a level to be kept.
func (e *encoder) firstWidth(t *Thread) int64 {
	var shorter [65]int // by the number of bits
	for i := range t.Calls {
		c := &t.Calls[i]
		shorter[bits.Len64(uint64(e.at(c.End())-e.at(c.Start)))]++
	}
	sum, n := 0, len(t.Calls)
	for b, k := range shorter[:62] {
		if sum += k; sum >= n-n/share {
			return 1 << b
		}
	}
	return 1 << 61
}

// gatherCalls returns the boxes of a thread's calls by depth. They are valid until the next
// call of it.
func (e *encoder) gatherCalls(t *Thread, methods []int32, width int64) [][]box {
	for i := range e.rows {
		e.rows[i] = e.rows[i][:0]
	}
	depths := 0
	for i := range t.Calls {
		c := &t.Calls[i]
		depths = max(depths, int(c.Depth)+1)
		for len(e.rows) < depths {
			e.rows = append(e.rows, nil)
		}
		start := e.at(c.Start)
		d := e.at(c.End()) - start
		e.rows[c.Depth] = put(e.rows[c.Depth], &box{start: start, duration: d, covered: d, longest: d, method: methods[c.Method], calls: 1}, width)
	}
	return e.rows[:depths]
}

// gather puts neighbours of a row that are shorter than width together, up to width.
// It does so in place.
func gather(row []box, width int64) []box {
	kept := row[:0]
	for i := range row {
		kept = put(kept, &row[i], width)
	}
	return kept
}

// put adds a box to the last one of a row if both are shorter than width and together they
// take no more, else after it.
func put(row []box, b *box, width int64) []box {
	if n := len(row); n > 0 && b.duration < width && row[n-1].duration < width && b.start+b.duration-row[n-1].start <= width {
		row[n-1].join(b)
		return row
	}
	return append(row, *b)
}

// join adds a box that comes later.
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
