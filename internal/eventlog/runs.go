package eventlog

import (
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

// place returns the run of the next event: that with the latest last event that is
// not behind it, or a new one.
func (r *runs) place(at time.Duration) int {
	i := r.recent
	if i >= len(r.last) || at < r.last[i] || i > 0 && at >= r.last[i-1] {
		i = sort.Search(len(r.last), func(i int) bool { return r.last[i] <= at })
		if i == len(r.last) {
			r.last = append(r.last, at)
		}
		r.recent = i
	}
	r.last[i] = at
	return i
}
