package eventlog

import (
	"io"
	"math"
	"math/bits"

	"artifice/trace"
)

// Merge returns a reader of all events in the order of their places, but each
// thread's as they were added. It ends with the error end. Nothing can be added
// any more; another Merge begins anew.
func (l *Log) Merge(end error) (trace.Reader, error) {
	if l.unsorted != nil {
		return l.mergeByTime(end)
	}
	l.shrink()
	m := &merge{end: end}
	for i := range l.lists {
		c := l.cursor(i)
		if err := c.advance(); err == nil {
			m.cursors = append(m.cursors, c)
		} else if err != io.EOF {
			return nil, err
		}
	}
	m.start()
	return m, nil
}

// shrink gives back the memory that only adding takes.
func (l *Log) shrink() { l.pool.free, l.scratch = nil, nil }

// merge delivers the events of all threads. It is a tournament (Knuth's tree of
// losers): the cursors are its leaves, each inner node has the loser of the match
// there, and after the winner has moved on only its own path is played again. No
// predictor guesses who wins a match, so there is no branch on it.
type merge struct {
	cursors []*cursor // with an event each, or at their end
	heads   []head    // of the cursors, and of as many more that a power of two takes
	losers  []uint32  // by inner node, the root being 1: the cursor that lost there; at 0 who won all
	left    int       // cursors that are not at their end
	end     error
}

// head is the place of a cursor's next event; at its end one behind all others.
type head struct{ at, seq uint64 }

var noHead = head{math.MaxUint64, math.MaxUint64}

func (c *coder) head() head { return head{order(c.at), c.seq} }

// before returns 1 when h comes before g, else 0.
func (h head) before(g head) uint32 {
	_, borrow := bits.Sub64(h.seq, g.seq, 0)
	_, borrow = bits.Sub64(h.at, g.at, borrow)
	return uint32(borrow)
}

// start plays all matches.
func (m *merge) start() {
	m.left = len(m.cursors)
	leaves := 1
	for leaves < m.left {
		leaves *= 2
	}
	m.heads, m.losers = make([]head, leaves), make([]uint32, leaves)
	for i := range m.heads {
		if m.heads[i] = noHead; i < m.left {
			m.heads[i] = m.cursors[i].coder.head()
		}
	}
	winners := make([]uint32, 2*leaves)
	for i := range winners[leaves:] {
		winners[leaves+i] = uint32(i)
	}
	for node := leaves - 1; node > 0; node-- {
		winners[node], m.losers[node] = winners[2*node], winners[2*node+1]
		if m.heads[m.losers[node]].before(m.heads[winners[node]]) == 1 {
			winners[node], m.losers[node] = m.losers[node], winners[node]
		}
	}
	m.losers[0] = winners[1]
}

// replay plays the matches of the cursor that had won, which has moved on.
func (m *merge) replay() {
	winner := m.losers[0]
	first := m.heads[winner]
	for node := (len(m.heads) + int(winner)) / 2; node > 0; node /= 2 {
		loser := m.losers[node]
		other := m.heads[loser]
		swap := -other.before(first)
		turn := (winner ^ loser) & swap
		winner, m.losers[node] = winner^turn, loser^turn
		wide := uint64(int64(int32(swap)))
		first.at ^= (first.at ^ other.at) & wide
		first.seq ^= (first.seq ^ other.seq) & wide
	}
	m.losers[0] = winner
}

// second returns the first head but that of the winner, who has beaten it.
func (m *merge) second() head {
	second := noHead
	for node := (len(m.heads) + int(m.losers[0])) / 2; node > 0; node /= 2 {
		if h := m.heads[m.losers[node]]; h.before(second) == 1 {
			second = h
		}
	}
	return second
}

// ReadEvents implements [trace.Reader].
func (m *merge) ReadEvents(p []trace.Event) (n int, err error) {
	before := uint32(math.MaxUint32) // the winner of the match before
	for n < len(p) && m.left > 0 {
		winner := m.losers[0]
		c := m.cursors[winner]
		most, until := 1, noHead
		if winner == before { // it may well be the next one, too
			most, until = len(p)-n, m.second()
		}
		k, err := c.read(p[n:n+most], until)
		n += k
		switch err {
		case nil:
			m.heads[winner] = c.coder.head()
		case io.EOF:
			m.heads[winner] = noHead
			m.left--
		default:
			m.left, m.end = 0, err
			return n, nil
		}
		m.replay()
		before = winner
	}
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, m.end
}

// read moves events into p that come before until, of which the first is one.
func (c *cursor) read(p []trace.Event, until head) (n int, err error) {
	p[0] = c.entry.Event
	for n = 1; n < len(p); n++ {
		if err = c.decode(&p[n]); err != nil {
			return n, err
		}
		if c.coder.head().before(until) == 0 {
			c.entry.Event = p[n]
			return n, nil
		}
	}
	return n, c.decode(&c.entry.Event)
}

// Has reports whether a thread has events.
func (l *Log) Has(id trace.ThreadID) bool {
	return int(id) < len(l.lists) && (l.lists[id].first != 0 || len(l.lists[id].blocks) > 0)
}

// Thread returns a reader of the events of one thread that has some, as they were
// added. It is valid until more are added, and ends with io.EOF.
func (l *Log) Thread(id trace.ThreadID) trace.Reader { return (*threadReader)(l.cursor(int(id))) }

// threadReader is a cursor as a trace.Reader.
type threadReader cursor

// ReadEvents implements [trace.Reader].
func (r *threadReader) ReadEvents(p []trace.Event) (int, error) {
	c := (*cursor)(r)
	for n := range p {
		if err := c.decode(&p[n]); err != nil {
			if n > 0 && err == io.EOF {
				return n, nil
			}
			return n, err
		}
	}
	return len(p), nil
}
