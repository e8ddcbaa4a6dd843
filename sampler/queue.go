package sampler

import "time"

// due is a sampler's next tick. Of ticks at the same time any can come first:
// samplers do not see each other.
type due struct {
	at      time.Duration
	sampler int32 // index among the samplers of the pass
}

// tickQueue is a binary heap of ticks, the earliest first. It has at most one
// per sampler.
type tickQueue []due

func (q *tickQueue) push(d due) {
	h := append(*q, d)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if d.at >= h[parent].at {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = d
	*q = h
}

// pop removes the earliest tick.
func (q *tickQueue) pop() {
	h := *q
	last := h[len(h)-1]
	*q = h[:len(h)-1]
	if len(*q) > 0 {
		q.replace(last)
	}
}

// replace puts d in the place of the earliest tick.
func (q *tickQueue) replace(d due) {
	h := *q
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if right := child + 1; right < len(h) {
			// Which of the two is earlier cannot be foretold: a sum is faster than
			// a branch. Times are not negative.
			child += int(uint64(h[right].at-h[child].at) >> 63)
		}
		if d.at <= h[child].at {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = d
}
