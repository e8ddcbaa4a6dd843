package eventlog

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sort"
	"time"

	"artifice/trace"
)

// runs chooses the list of a Log for each event. Every list is in time order (a run, in Knuth's
// terms). The number of lists is the minimum possible: the length of the longest subsequence of
// events in which each is earlier than the previous one (patience sorting). A file in the order of
// time has one long run, however many threads it has, and a few short ones. A file with a block for
// each thread has one run for each of the threads that overlap.
type runs struct {
	last   []time.Duration // by run: time of the last event, the latest first
	recent int             // run of the previous event
}

// place returns the run for the next event. Of the runs whose last event is not later than the new
// event, it is the one with the latest last event; if there is none, it is a new run. It also
// returns the time of that last event, 0 in a new run.
//
// Of events with equal times, the later one goes to the same run or to a following one: the last
// events of the preceding runs are later, and remain so.
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

// until returns the time from which an event belongs to a run before the recent one.
func (r *runs) until() time.Duration {
	if r.recent == 0 {
		return math.MaxInt64
	}
	return r.last[r.recent-1]
}

const (
	maxRuns     = trace.MaxThreads // of a Log
	maxUnsorted = 1 << 14          // events of AddByTime; in the worst case, each batch of this size needs one more run
)

var errRuns = errors.New("the times go back too often: sort the file by time")

// addToRun adds an event to its run, at a wall time that can differ from its own, with cpu in
// place of its CPU time.
func (l *Log) addToRun(e *trace.Event, wall, cpu time.Duration) error {
	run, before := l.runs.place(wall)
	if run >= maxRuns {
		return errRuns
	}
	t := l.list(run)
	if t.full() {
		if err := l.extend(t); err != nil {
			return err
		}
	}
	b := t.tail()
	*b = appendPacked(*b, e, before, wall, cpu)
	return nil
}

// AddByTime adds an event; events can come in any order. [Log.Merge] delivers them by wall time,
// and those with equal times in the order of adding. All events of such a Log are added by
// AddByTime.
func (l *Log) AddByTime(e *trace.Event) error {
	if l.unsorted = append(l.unsorted, *e); len(l.unsorted) < maxUnsorted {
		return nil
	}
	return l.addUnsorted()
}

// addUnsorted adds the waiting events to the runs. It creates at most one new run.
func (l *Log) addUnsorted() error {
	slices.SortStableFunc(l.unsorted, func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) })
	for i := range l.unsorted {
		e := &l.unsorted[i]
		if err := l.addToRun(e, e.Wall, e.CPU); err != nil {
			return err
		}
	}
	l.unsorted = l.unsorted[:0]
	return nil
}

// mergeByTime returns a reader of the events of AddByTime.
func (l *Log) mergeByTime(end error) (trace.Reader, error) {
	if err := l.addUnsorted(); err != nil {
		return nil, err
	}
	return l.mergeRuns(end)
}
