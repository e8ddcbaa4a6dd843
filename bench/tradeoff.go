package bench

import (
	"fmt"

	"artifice/internal/words"
)

// chooseBest chooses, for a sweep without a goal, the row that is at least as accurate as every other
// one and costs no more. Most sweeps have none, because a shorter interval costs more and shows more.
func (a *Advice) chooseBest() {
	if a.comparableRows() < 2 {
		return
	}
	for i := range a.Ways {
		w := &a.Ways[i]
		for _, row := range w.rows {
			if w.comparable() && a.bestOfAll(row) {
				w.At, w.Reached, w.Fits, a.Best = row, true, true, i
				return
			}
		}
	}
}

// comparable reports whether accuracy and cost of a mode can be compared with those of others.
func (w *Way) comparable() bool { return w.advisable() && !w.blind }

// comparableRows returns the number of rows between which a sweep chooses.
func (a *Advice) comparableRows() (n int) {
	for i := range a.Ways {
		if w := &a.Ways[i]; w.comparable() {
			n += len(w.rows)
		}
	}
	return n
}

// bestOfAll reports whether no comparable row is more accurate than row or costs less.
func (a *Advice) bestOfAll(row Row) bool {
	for i := range a.Ways {
		for _, other := range a.Ways[i].rows {
			if a.Ways[i].comparable() && other.Key() != row.Key() && !row.noWorse(other) {
				return false
			}
		}
	}
	return true
}

// noWorse reports whether a row is at least as accurate as another and costs no more, in the digits
// of the table.
func (row Row) noWorse(other Row) bool {
	return row.Mean[OverlapRunning] >= other.Mean[OverlapRunning] && row.added() <= other.added()+digits/2
}

// better returns a comparable row of another mode that is no worse than all rows of the mode i; nil:
// there is none.
func (a *Advice) better(i int) (best *Row) {
	for k := range a.Ways {
		w := &a.Ways[k]
		if k == i || !w.comparable() {
			continue
		}
		for r := range w.rows {
			row := &w.rows[r]
			if row.worseNowhere(a.Ways[i].rows) && (best == nil || row.added() < best.added()) {
				best = row
			}
		}
	}
	return best
}

// worseNowhere reports whether a row is no worse than each of others.
func (row *Row) worseNowhere(others []Row) bool {
	for _, other := range others {
		if !row.noWorse(other) {
			return false
		}
	}
	return true
}

// tradeoff states the range of accuracy and cost of the mode i.
func (a *Advice) tradeoff(i int) string {
	w := &a.Ways[i]
	s := w.Mode
	if n := len(w.rows); n == 1 {
		s = tracerOf(w.rows[0]) + w.unadvised() + w.clock() + ": " + a.point(w.rows[0])
	} else {
		first, last := w.rows[0], w.rows[n-1]
		s += fmt.Sprintf(" at %s to %s%s: %s to %s %s correctly attributed, slowdown %s to %s", words.Duration(first.Interval), words.Duration(last.Interval), w.unadvised()+w.clock(),
			inPercent(first.Mean[OverlapRunning]), inPercent(last.Mean[OverlapRunning]), "of "+a.timeOf(first), first.slowdown(), last.slowdown())
	}
	if better := a.better(i); better != nil && w.comparable() {
		s += fmt.Sprintf("; %s is at least as accurate and costs no more", tracerOf(*better))
	}
	return s + "."
}

// clock states that a mode cannot be compared by CPU time.
func (w *Way) clock() string {
	if w.blind {
		return " (no CPU clock)"
	}
	return ""
}
