package sampler

import "time"

// tickTime is one tick of a sampler whose threads have delays.
type tickTime struct {
	wall    time.Duration // when it begins
	perTick time.Duration // what it takes before the first thread
	pause   time.Duration // and in all, until the app runs again
}

// tickQueue are ticks one after the other, which come and go at its end and leave at its
// beginning. A thread that is late by minutes has met all ticks of these minutes, which the others
// have still to meet; so a tick takes 8 bytes, as walks that follow each other mostly take the same.
type tickQueue struct {
	perTick time.Duration // of each tick, where it is the same for all
	varies  bool          // each has a perTick of its own
	pieces  []tickPiece
	from    int // place of the first tick in the first piece
	n       int
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

// at returns the i-th of the ticks, from 0.
func (q *tickQueue) at(i int) tickTime {
	piece, place := q.place(i)
	tick := tickTime{wall: piece.walls[place], perTick: q.perTick}
	if q.varies {
		tick.perTick = piece.perTicks[place]
	}
	last := len(piece.stops) - 1
	for piece.stops[last].place > place {
		last--
	}
	tick.pause = tick.perTick + piece.stops[last].stop
	return tick
}

func (q *tickQueue) place(i int) (*tickPiece, int) {
	i += q.from
	return &q.pieces[i/pieceTicks], i % pieceTicks
}

// push puts a tick behind the last one.
func (q *tickQueue) push(tick tickTime) {
	if q.from+q.n == len(q.pieces)*pieceTicks {
		piece := tickPiece{walls: new([pieceTicks]time.Duration)}
		if q.varies {
			piece.perTicks = new([pieceTicks]time.Duration)
		}
		q.pieces = append(q.pieces, piece)
	}
	q.n++
	piece, place := q.place(q.n - 1)
	piece.walls[place] = tick.wall
	if q.varies {
		piece.perTicks[place] = tick.perTick
	}
	stop, last := tick.pause-tick.perTick, len(piece.stops)-1
	for last >= 0 && piece.stops[last].place >= place { // of ticks that have been popped
		last--
	}
	piece.stops = piece.stops[:last+1]
	if last < 0 || piece.stops[last].stop != stop {
		piece.stops = append(piece.stops, stopFrom{place, stop})
	}
}

// pop takes the last tick out.
func (q *tickQueue) pop() tickTime {
	tick := q.at(q.n - 1)
	q.n--
	return tick
}

// drop takes the first n ticks out.
func (q *tickQueue) drop(n int) {
	q.from, q.n = q.from+n, q.n-n
	if whole := q.from / pieceTicks; whole > 0 {
		q.from %= pieceTicks
		left := copy(q.pieces, q.pieces[whole:])
		clear(q.pieces[left:])
		q.pieces = q.pieces[:left]
	}
}

// delay lets all ticks begin later.
func (q *tickQueue) delay(by time.Duration) {
	for i := range q.n {
		piece, place := q.place(i)
		piece.walls[place] += by
	}
}

// search returns the first of the ticks from the k-th on that has not ended at a time of the wall
// clock, or how many there are. It is mostly near: the step doubles until it has been passed.
func (q *tickQueue) search(k int, wall time.Duration) int {
	open := func(i int) bool {
		tick := q.at(i)
		return tick.wall >= wall || tick.wall+tick.pause > wall
	}
	step := 1
	for k+step <= q.n && !open(k+step-1) {
		k += step
		step *= 2
	}
	for end := min(k+step-1, q.n); k < end; {
		if mid := (k + end) / 2; open(mid) {
			end = mid
		} else {
			k = mid + 1
		}
	}
	return k
}
