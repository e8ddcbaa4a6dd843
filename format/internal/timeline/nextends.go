package timeline

import (
	"math"
	"time"

	"artifice/trace"
)

// nextEnds determines the thread with the next end of a whole call. It is a tournament (Knuth's
// tree of selection): threads are its leaves, and each inner node has the thread that ends earlier
// of the two below, so a change affects the thread's own path only.
type nextEnds struct {
	at      []time.Duration  // by thread, padded to a power of two
	winners []trace.ThreadID // by inner node, the root being 1
}

// never is when calls end on a thread that has none.
const never = time.Duration(math.MaxInt64)

func newNextEnds(threads int) nextEnds {
	leaves := 2
	for leaves < threads {
		leaves *= 2
	}
	n := nextEnds{make([]time.Duration, leaves), make([]trace.ThreadID, leaves)}
	for i := range n.at {
		n.at[i] = never
	}
	for node := leaves - 1; node > 0; node-- {
		if n.winners[node] = trace.ThreadID(2*node - leaves); 2*node < leaves {
			n.winners[node] = n.winners[2*node]
		}
	}
	return n
}

// first returns the thread with the next end of a call, of those at one time the lowest.
func (n *nextEnds) first() (trace.ThreadID, time.Duration) {
	id := n.winners[1]
	return id, n.at[id]
}

// set sets when the next call of a thread ends.
func (n *nextEnds) set(id trace.ThreadID, at time.Duration) {
	n.at[id] = at
	winner := id &^ 1
	if n.at[id|1] < n.at[winner] {
		winner |= 1
	}
	for node := (len(n.at) + int(id)) / 2; ; node /= 2 {
		if n.winners[node] == winner && winner != id { // nothing has changed above
			return
		}
		n.winners[node] = winner
		if node == 1 {
			return
		}
		left, right := n.winners[node&^1], n.winners[node|1]
		if winner = left; n.at[right] < n.at[left] {
			winner = right
		}
	}
}
