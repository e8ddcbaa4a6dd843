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

// levels hands on the levels of a thread, the finest first; rows are its calls by
// depth, and are used up. A level is valid during the call.
func levels(rows [][]box, each func(*level)) {
	kept := count(rows)
	for width := firstWidth(rows, kept); kept > fewBoxes && width > 0; width *= 2 {
		for i, row := range rows {
			rows[i] = gather(row, width)
		}
		if n := count(rows); n <= kept/share {
			kept = n
			each(&level{width, rows})
		}
	}
}

func count(rows [][]box) (n int) {
	for _, row := range rows {
		n += len(row)
	}
	return n
}

// firstWidth returns the least power of two that enough of the n boxes are shorter
// than for a level to be kept.
func firstWidth(rows [][]box, n int) int64 {
	var shorter [65]int // by the number of bits
	for _, row := range rows {
		for i := range row {
			shorter[bits.Len64(uint64(row[i].duration))]++
		}
	}
	sum := 0
	for b, k := range shorter[:62] {
		if sum += k; sum >= n-n/share {
			return 1 << b
		}
	}
	return 1 << 61
}

// gather puts neighbours of a row that are shorter than width together, up to width.
// It does so in place.
func gather(row []box, width int64) []box {
	last := -1
	for i := range row {
		b := row[i]
		if last >= 0 && b.duration < width && row[last].duration < width && b.start+b.duration-row[last].start <= width {
			row[last].join(&b)
			continue
		}
		last++
		row[last] = b
	}
	return row[:last+1]
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
