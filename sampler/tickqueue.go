package sampler

import "time"

// tickTime is one tick of a sampler whose threads have delays.
type tickTime struct {
	Wall    time.Duration // when it begins
	PerTick time.Duration // what it takes before the first thread
	Pause   time.Duration // and in all, until the app runs again
}

// EndedBy reports whether it has begun and ended by a time of the wall clock.
func (t tickTime) EndedBy(wall time.Duration) bool { return t.Wall < wall && t.Wall+t.Pause <= wall }

// tickQueue are ticks one after the other, which come and go at its end and leave at its
// beginning. A thread that is late by minutes has met all ticks of these minutes, which the others
// have still to meet; so a tick takes 8 bytes, as walks that follow each other mostly take the same.
type tickQueue struct {
	perTick time.Duration // of each tick, where it is the same for all
	varies  bool          // each has a perTick of its own
	pieces  []tickPiece
	from    int // place of the first tick in the first piece
	n       int // how many there are
}

const pieceTicks = 256

// tickPiece are up to so many ticks.
type tickPiece struct {
	walls    *[pieceTicks]time.Duration
	perTicks *[pieceTicks]time.Duration // nil where it does not vary
	stops    []stopFrom                 // in order of place
}

// stopFrom is what the ticks from a place in their piece on take for their walk.
type stopFrom struct {
	place int
	stop  time.Duration
}

// At returns the i-th of the ticks, from 0.
func (q *tickQueue) At(i int) tickTime {
	piece, place := q.place(i)
	tick := tickTime{Wall: piece.walls[place], PerTick: q.perTick}
	if q.varies {
		tick.PerTick = piece.perTicks[place]
	}
	last := len(piece.stops) - 1
	for piece.stops[last].place > place {
		last--
	}
	tick.Pause = tick.PerTick + piece.stops[last].stop
	return tick
}

func (q *tickQueue) place(i int) (*tickPiece, int) {
	i += q.from
	return &q.pieces[i/pieceTicks], i % pieceTicks
}

// Push puts a tick behind the last one.
func (q *tickQueue) Push(tick tickTime) {
	if q.from+q.n == len(q.pieces)*pieceTicks {
		piece := tickPiece{walls: new([pieceTicks]time.Duration)}
		if q.varies {
			piece.perTicks = new([pieceTicks]time.Duration)
		}
		q.pieces = append(q.pieces, piece)
	}
	q.n++
	piece, place := q.place(q.n - 1)
	piece.walls[place] = tick.Wall
	if q.varies {
		piece.perTicks[place] = tick.PerTick
	}
	stop, last := tick.Pause-tick.PerTick, len(piece.stops)-1
	for last >= 0 && piece.stops[last].place >= place { // of ticks that have been popped
		last--
	}
	piece.stops = piece.stops[:last+1]
	if last < 0 || piece.stops[last].stop != stop {
		piece.stops = append(piece.stops, stopFrom{place, stop})
	}
}

// Pop takes the last tick out.
func (q *tickQueue) Pop() tickTime {
	tick := q.At(q.n - 1)
	q.n--
	return tick
}

// Drop takes the first n ticks out.
func (q *tickQueue) Drop(n int) {
	q.from, q.n = q.from+n, q.n-n
	if whole := q.from / pieceTicks; whole > 0 {
		q.from %= pieceTicks
		left := copy(q.pieces, q.pieces[whole:])
		clear(q.pieces[left:])
		q.pieces = q.pieces[:left]
	}
}

// Delay lets all ticks begin later.
func (q *tickQueue) Delay(by time.Duration) {
	for i := range q.n {
		piece, place := q.place(i)
		piece.walls[place] += by
	}
}

// Search returns the first of the ticks from the k-th on that has not ended at a time of the wall
// clock, or how many there are. It is mostly near: the step doubles until it has been passed.
func (q *tickQueue) Search(k int, wall time.Duration) int {
	step := 1
	for k+step <= q.n && q.At(k+step-1).EndedBy(wall) {
		k += step
		step *= 2
	}
	for end := min(k+step-1, q.n); k < end; {
		if mid := (k + end) / 2; q.At(mid).EndedBy(wall) {
			k = mid + 1
		} else {
			end = mid
		}
	}
	return k
}
