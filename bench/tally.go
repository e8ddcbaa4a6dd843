package bench

import (
	"time"

	"artifice/bench/metric"
	"artifice/bench/paths"
)

// column is what one tracer reports of one path.
type column struct {
	self  time.Duration // reported time as the innermost state
	calls int64         // reported calls
}

// board holds the columns of several tracers that watch the same truth side by
// side: those of one path stand together. Tracers that sample at about the same
// time see about the same paths, so the rows in use fit the cache, however many
// tracers there are.
type board struct {
	width int // tracers
	rows  [][]column
}

// at returns the column of a path for one of the tracers. It is valid for good.
func (b *board) at(p paths.ID, tracer int) *column {
	if int(p) < len(b.rows) {
		if row := b.rows[p]; row != nil {
			return &row[tracer]
		}
	}
	return b.add(p, tracer)
}

// add makes the row of a path that nobody has reported before.
func (b *board) add(p paths.ID, tracer int) *column {
	if int(p) >= len(b.rows) {
		b.rows = append(b.rows, make([][]column, int(p)+1-len(b.rows))...)
	}
	b.rows[p] = make([]column, b.width)
	return &b.rows[p][tracer]
}

// columns gathers those of some tracers, from the first on, into as many
// slices of n.
func (b *board) columns(first int, dst [][]column, n int) {
	for i := range dst {
		if cap(dst[i]) < n {
			dst[i] = make([]column, n)
		}
		dst[i] = dst[i][:n]
		clear(dst[i])
	}
	for p, row := range b.rows[:min(n, len(b.rows))] {
		if row == nil {
			continue
		}
		for i := range dst {
			dst[i][p] = row[first+i]
		}
	}
}

// tally is what one tracer reports in all.
type tally struct {
	board     *board
	tracer    int // its place on the board
	durations metric.Durations
	samples   int64 // samples of a thread that found it in a method
	seen      int64 // true calls that a sample fell into
	reported  int64 // calls
	line      metric.Timeline
}

// path returns the column of a path.
func (t *tally) path(p paths.ID) *column { return t.board.at(p, t.tracer) }

// columns returns the tracer's n columns.
func (t *tally) columns(n int) []column {
	dst := make([][]column, 1)
	t.board.columns(t.tracer, dst, n)
	return dst[0]
}
