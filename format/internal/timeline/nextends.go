package timeline

import (
	"math"
	"time"

	"artifice/trace"
)

// nextEnds determines the thread with the next end of a whole call. It is a tournament tree
// (Knuth's tree of selection). Threads are its leaves, and each inner node contains the thread with
// the earlier end of its two children. A change therefore affects only the path from the thread to
// the root.
type nextEnds struct {
	at      []time.Duration  // by thread, padded to a power of two
	winners []trace.ThreadID // by inner node; the root is 1
}

// never is the time of the next end for a thread without open whole calls.
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

// first returns the thread with the earliest end of a call; of threads with equal times it returns
// the lowest.
func (n *nextEnds) first() (trace.ThreadID, time.Duration) {
	id := n.winners[1]
	return id, n.at[id]
}

// set sets the time at which the next call of a thread ends.
func (n *nextEnds) set(id trace.ThreadID, at time.Duration) {
	n.at[id] = at
	winner := id &^ 1
	if n.at[id|1] < n.at[winner] {
		winner |= 1
	}
	for node := (len(n.at) + int(id)) / 2; ; node /= 2 {
		if n.winners[node] == winner && winner != id { // the nodes above are unchanged
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
