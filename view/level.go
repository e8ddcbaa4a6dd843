package view

import (
	"math/bits"
	"slices"
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

// levels returns the levels of a thread, the finest first; rows are its calls by
// depth.
func levels(rows [][]box) []level {
	kept := count(rows)
	var list []level
	for width := firstWidth(rows, kept); kept > fewBoxes && width > 0; width *= 2 {
		coarse := make([][]box, len(rows))
		for i, row := range rows {
			coarse[i] = gather(row, width)
		}
		rows = coarse
		if n := count(rows); n <= kept/share {
			kept, list = n, append(list, level{width, rows})
		}
	}
	return list
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
func gather(row []box, width int64) []box {
	var out []box
	for i := range row {
		b := &row[i]
		if last := len(out) - 1; last >= 0 && b.duration < width && out[last].duration < width && b.start+b.duration-out[last].start <= width {
			out[last].join(b)
			continue
		}
		out = append(out, *b)
	}
	return slices.Clip(out)
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
