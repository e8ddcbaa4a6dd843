package recorder

import "artifice/trace"

// Gifts are what threads have given to others that wait for it (a lock, an item of a queue, a
// result), each with when that was: a time of the wall clock, or one for each of some tracers. The zero value
// has none.
type LatenessGifts[T any] struct{ of map[uint16]*gifts[T] }

// gifts are those of one object.
type gifts[T any] struct {
	given []T
	taken int // of given
}

// Meet takes part in what a call of a method does: it gives what when is asked for, or returns what
// was given that a thread waits for there. ok is false where nobody has given it, as the key of a lock that nobody
// has had, and where the method has no link.
func (g *LatenessGifts[T]) Meet(l trace.Link, when func() T) (given T, ok bool) {
	if l.Does < trace.Gives {
		return given, false
	}
	x := g.of[l.Object]
	if x == nil {
		if g.of == nil {
			g.of = map[uint16]*gifts[T]{}
		}
		x = &gifts[T]{}
		g.of[l.Object] = x
	}
	switch {
	case l.Does == trace.Gives:
		if x.taken > len(x.given)/2 {
			x.given, x.taken = append(x.given[:0], x.given[x.taken:]...), 0
		}
		x.given = append(x.given, when())
		return given, false
	case x.taken == len(x.given):
		return given, false
	}
	given = x.given[x.taken]
	if l.Does == trace.Takes {
		x.taken++
	}
	return given, true
}
