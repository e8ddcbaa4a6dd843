package sampler

import "time"

// tickTime is one tick of a sampler with delayed threads.
type tickTime struct {
	Wall    time.Duration // when the tick begins
	PerTick time.Duration // from Wall to the walk of the first thread
	Pause   time.Duration // from Wall until the app resumes
}

// EndedBy reports whether the tick has begun and ended by a wall time.
func (t tickTime) EndedBy(wall time.Duration) bool { return t.Wall < wall && t.Wall+t.Pause <= wall }

// tickQueue is a queue of consecutive ticks. Ticks are added and removed at its end and dropped at
// its beginning. A thread with a delay of minutes has met all ticks of these minutes, and the other
// threads have not. A tick therefore takes only 8 bytes: consecutive walks mostly take the same
// time, which is stored once.
type tickQueue struct {
	perTick time.Duration // of each tick, unless it varies
	varies  bool          // each tick has its own perTick
	pieces  []tickPiece
	from    int // place of the first tick in the first piece
	n       int // ticks
}

const pieceTicks = 256

// tickPiece holds up to pieceTicks ticks.
type tickPiece struct {
	walls    *[pieceTicks]time.Duration
	perTicks *[pieceTicks]time.Duration // nil unless it varies
	stops    []stopFrom                 // in order of place
}

// stopFrom is the time that walks take, starting at a place of the piece.
type stopFrom struct {
	place int
	stop  time.Duration
}

// At returns the i-th tick, from 0.
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

// Push adds a tick at the end.
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
	for last >= 0 && piece.stops[last].place >= place { // for ticks that have been popped
		last--
	}
	piece.stops = piece.stops[:last+1]
	if last < 0 || piece.stops[last].stop != stop {
		piece.stops = append(piece.stops, stopFrom{place, stop})
	}
}

// Pop removes the last tick.
func (q *tickQueue) Pop() tickTime {
	tick := q.At(q.n - 1)
	q.n--
	return tick
}

// Drop removes the first n ticks.
func (q *tickQueue) Drop(n int) {
	q.from, q.n = q.from+n, q.n-n
	if whole := q.from / pieceTicks; whole > 0 {
		q.from %= pieceTicks
		left := copy(q.pieces, q.pieces[whole:])
		clear(q.pieces[left:])
		q.pieces = q.pieces[:left]
	}
}

// Delay delays all ticks.
func (q *tickQueue) Delay(by time.Duration) {
	for i := range q.n {
		piece, place := q.place(i)
		piece.walls[place] += by
	}
}

// Search returns the index of the first tick, starting at the k-th, that has not ended by a wall
// time, or the number of ticks. The tick is usually near: the step doubles until it is passed.
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
