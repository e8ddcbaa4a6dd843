package eventlog

import (
	"sort"
	"time"
)

// lanes says which list of a Log each event of a stream goes to, so that every list
// is in the order of time, and they are few: as many as the longest row of events in
// the stream that has each later than the next (patience sorting). So a file that
// was written as things happened, of whatever many threads, has one long list and a
// few events beside it, which merge in no time. A file with a block of each thread
// has as many lists as threads overlap.
type lanes struct {
	last   []time.Duration // the time of each one's last event, the latest first
	recent int             // where the event before went
}

// place returns the lane of the next event: that with the latest last event that is
// not behind it, or a new one.
func (l *lanes) place(at time.Duration) int {
	i := l.recent
	if i >= len(l.last) || at < l.last[i] || i > 0 && at >= l.last[i-1] {
		i = sort.Search(len(l.last), func(i int) bool { return l.last[i] <= at })
		if i == len(l.last) {
			l.last = append(l.last, at)
		}
		l.recent = i
	}
	l.last[i] = at
	return i
}
