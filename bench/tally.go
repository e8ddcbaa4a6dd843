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
// side: those of one path stand together, calls and times apart. Tracers that
// sample at about the same time see about the same paths, so the rows in use fit
// the cache, however many tracers there are.
type board struct {
	width int // tracers
	rows  []row
}

// row is what all tracers report of one path.
type row struct {
	calls []uint32 // 4 billion calls of one path would take a day
	self  []time.Duration
}

// row returns the row of a path.
func (b *board) row(p paths.ID) *row {
	if int(p) >= len(b.rows) || b.rows[p].calls == nil {
		b.add(p)
	}
	return &b.rows[p]
}

// add makes the row of a path that nobody has reported before.
func (b *board) add(p paths.ID) {
	if int(p) >= len(b.rows) {
		b.rows = append(b.rows, make([]row, int(p)+1-len(b.rows))...)
	}
	b.rows[p] = row{make([]uint32, b.width), make([]time.Duration, b.width)}
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
		if row.calls == nil {
			continue
		}
		for i := range dst {
			dst[i][p] = column{row.self[first+i], int64(row.calls[first+i])}
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

// call counts a reported call of path p.
func (t *tally) call(p paths.ID) {
	t.board.row(p).calls[t.tracer]++
	t.reported++
}

// spend adds reported time in path p as the innermost state.
func (t *tally) spend(p paths.ID, d time.Duration) {
	if d != 0 {
		t.board.row(p).self[t.tracer] += d
	}
}

// columns returns the tracer's n columns.
func (t *tally) columns(n int) []column {
	dst := make([][]column, 1)
	t.board.columns(t.tracer, dst, n)
	return dst[0]
}
