package eventlog

import (
	"cmp"
	"io"
	"math"
	"math/bits"
	"slices"
	"time"

	"artifice/trace"
)

// runMerge delivers the events of runs by time. Events with equal times come in the order of the
// runs, which is the order of adding (see runs.place).
//
// Some events of each run are decoded ahead. If the first run has many events before those of all
// other runs, they are delivered without sorting. Otherwise all events that certainly precede the
// undecoded ones are sorted at once, by radix sort on their times. Finding the next one of 100
// runs by comparison takes seven comparisons, each an unpredictable branch.
type runMerge struct {
	events []trace.Event // decoded ahead, by run
	heap   Heap[*ahead]  // of the runs that have events, ordered by the time of the next event and the run's number
	drawn  []*ahead      // runs outside the heap, because their events have been sorted
	usual  int           // moving average: consecutive events of the first run

	sorted      []uint64 // events to be delivered: time since the first one, index in events
	keys, spare []uint64 // memory for that
	end         error
}

// ahead is a run with its decoded events.
type ahead struct {
	*cursor
	room  []trace.Event
	first int           // index of the room in runMerge.events
	next  []trace.Event // part of room: events not delivered yet
	ended bool          // no more events
}

const (
	aheadEvents = 1 << 14 // of all runs together, if there are few runs
	minAhead    = 4       // minimum of one run
	maxAhead    = 1 << 12
	indexBits   = 18                    // bits of an event's index when [trace.MaxThreads] runs have minAhead each
	longestSort = 1<<(64-indexBits) - 1 // ns, from the first event sorted at once to the last
	worthACopy  = 16                    // consecutive events of one run
)

// mergeRuns returns a reader of the events of all lists, which are runs. It ends with the error
// end. No events can be added afterwards. Another reader begins with the first event again.
func (l *Log) mergeRuns(end error) (*runMerge, error) {
	l.shrink()
	each := min(max(aheadEvents/max(1, len(l.lists)), minAhead), maxAhead)
	m := &runMerge{events: make([]trace.Event, each*len(l.lists)), end: end}
	m.keys, m.spare = make([]uint64, len(m.events)), make([]uint64, len(m.events))
	for i := range l.lists {
		a := &ahead{cursor: l.cursor(i), room: m.events[i*each : (i+1)*each : (i+1)*each], first: i * each}
		if err := m.put(a); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// decode decodes the given number of events of a run, or the remaining ones if there are fewer.
func (a *ahead) decode(events int) error {
	n := copy(a.room, a.next)
	k, err := a.decodeRun(a.room[n:events], math.MaxInt64)
	a.next = a.room[:n+k]
	if err == io.EOF {
		a.ended, err = true, nil
	}
	return err
}

// put adds a run to the heap if it has events.
func (m *runMerge) put(a *ahead) error {
	if len(a.next) == 0 && !a.ended {
		if err := a.decode(1); err != nil {
			return err
		}
	}
	if len(a.next) > 0 {
		m.heap.Push(Item[*ahead]{a.next[0].Wall, uint64(a.list), a})
	}
	return nil
}

// ReadEvents implements [trace.Reader].
func (m *runMerge) ReadEvents(p []trace.Event) (n int, err error) {
	for n < len(p) && err == nil {
		if len(m.sorted) > 0 {
			n += m.deliver(p[n:])
			continue
		}
		for _, a := range m.drawn {
			err = cmp.Or(err, m.put(a))
		}
		m.drawn = m.drawn[:0]
		if err != nil || len(m.heap) == 0 {
			break
		}
		k := 0
		k, err = m.inARow(p[n:])
		n, m.usual = n+k, (m.usual+k)/2
		if err == nil && m.usual < worthACopy && n < len(p) && len(m.heap) > 1 {
			err = m.sort()
		}
	}
	if err != nil {
		m.heap, m.drawn, m.end = nil, nil, err
	}
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, m.end
}

// deliver copies sorted events to p and returns their number.
func (m *runMerge) deliver(p []trace.Event) int {
	n := min(len(m.sorted), len(p))
	for i, key := range m.sorted[:n] {
		p[i] = m.events[key&(1<<indexBits-1)]
	}
	m.sorted = m.sorted[n:]
	return n
}

// inARow copies events of the first run that precede those of all others to p, and returns their
// number.
func (m *runMerge) inARow(p []trace.Event) (n int, err error) {
	a, until := m.heap[0].Value, time.Duration(math.MaxInt64)
	if second := m.heap.Second(); second != nil {
		until = a.until(*second)
	}
	n = copy(p, a.next[:upTo(a.next, until)])
	a.next = a.next[n:]
	if len(a.next) == 0 && !a.ended {
		var k int
		k, err = a.decodeRun(p[n:], until)
		n += k
		if a.ended = err == io.EOF; a.ended {
			err = nil
		}
	}
	m.heap.Pop()
	return n, cmp.Or(err, m.put(a))
}

// until returns the latest time at which a's events precede the given place.
func (a *ahead) until(place Item[*ahead]) time.Duration {
	if uint64(a.list) > place.Tie {
		return place.At - 1
	}
	return place.At
}

// upTo returns the number of events at or before a time.
func upTo(events []trace.Event, at time.Duration) int {
	n, _ := slices.BinarySearchFunc(events, at, func(e trace.Event, at time.Duration) int {
		if e.Wall <= at {
			return -1
		}
		return 1
	})
	return n
}

// sort sorts the events that precede all undecoded ones.
func (m *runMerge) sort() error {
	base := m.heap[0].At
	last := Item[*ahead]{At: max(base, base+longestSort), Tie: math.MaxUint64} // of them
	for len(m.heap) > 0 && m.heap[0].Before(&last) {
		a := m.heap.Pop().Value
		m.drawn = append(m.drawn, a)
		if len(a.next) <= len(a.room)/2 && !a.ended {
			if err := a.decode(len(a.room)); err != nil {
				return err
			}
		}
		if end := (Item[*ahead]{At: a.next[len(a.next)-1].Wall, Tie: uint64(a.list)}); !a.ended && end.Before(&last) {
			last = end
		}
	}
	slices.SortFunc(m.drawn, func(a, b *ahead) int { return cmp.Compare(a.list, b.list) })
	keys, all := m.keys[:0], uint64(0)
	for _, a := range m.drawn {
		n, until := 0, a.until(last)
		index := a.first + cap(a.room) - cap(a.next)
		for ; n < len(a.next) && a.next[n].Wall <= until; n++ {
			key := uint64(a.next[n].Wall-base)<<indexBits | uint64(index+n)
			keys = append(keys, key)
			all |= key
		}
		a.next = a.next[n:]
	}
	m.sorted = SortKeys(keys, m.spare[:len(keys)], indexBits, indexBits+uint(bits.Len64(all>>indexBits)))
	return nil
}
