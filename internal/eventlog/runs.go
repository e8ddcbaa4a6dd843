package eventlog

import (
	"math"
	"sort"
	"time"
)

// runs says which list of a Log each event of a recording goes to, so that every list
// is in the order of time (a run of Knuth's sorting by merging), and they are few: as
// many as the longest row of events in the recording that has each later than the next
// (patience sorting). So a file that was written as things happened, of whatever many
// threads, has one long run and a few events beside it, which merge in no time. A file
// with a block of each thread has as many runs as threads overlap.
type runs struct {
	last   []time.Duration // the time of each one's last event, the latest first
	recent int             // where the event before went
}

// place returns the run of the next event, that with the latest last event that is not
// behind it, or a new one; and when that last event is, 0 in a new one.
//
// Of events with equal times the later one goes to the same run or to one behind it,
// since the last events of those in front are later, and stay so.
func (r *runs) place(at time.Duration) (run int, before time.Duration) {
	i := r.recent
	if i >= len(r.last) || at < r.last[i] || i > 0 && at >= r.last[i-1] {
		i = sort.Search(len(r.last), func(i int) bool { return r.last[i] <= at })
		if i == len(r.last) {
			r.last = append(r.last, 0)
		}
		r.recent = i
	}
	before, r.last[i] = r.last[i], at
	return i, before
}

// until returns when an event would be put into a run in front of the recent one.
func (r *runs) until() time.Duration {
	if r.recent == 0 {
		return math.MaxInt64
	}
	return r.last[r.recent-1]
}
