package timeline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"artifice/internal/eventlog"
	"artifice/trace"
)

// run is entries of a thread in the order of time: what the log takes for a thread
// and merges with others (a run of Knuth's sorting by merging).
//
// An entry that is no earlier than its thread's latest goes into the first run of its
// thread. What is earlier waits with others such; sorted, each goes into the first run of
// its thread that ends before it. So a file has as many runs as it has threads where it
// is in order, few where calls come when they end, and one more for each lateMost
// entries at the very worst.
type run struct {
	thread trace.ThreadID
	latest time.Duration
}

// lateMost is how many entries are sorted at a time.
const lateMost = 1 << 16

// add adds an entry.
func (c *calls) add(e *entry) error {
	if err := within(e.Wall); err != nil {
		return err
	}
	c.first = min(c.first, e.Wall)
	c.cpu = c.cpu && e.CPU >= 0
	c.count++
	runs := c.of[e.Thread]
	switch {
	case len(runs) == 0:
		return c.put(e)
	case e.Wall >= c.runs[runs[0]].latest:
		return c.append(runs[0], e)
	}
	if c.late = append(c.late, *e); len(c.late) == lateMost {
		return c.putLate()
	}
	return nil
}

// within refuses times of more than 73 years, whose differences might overflow.
func within(at time.Duration) error {
	if at < -1<<61 || at > 1<<61 {
		return fmt.Errorf("the time of %d ns is beyond what can be represented", at)
	}
	return nil
}

// putLate sorts what waits.
func (c *calls) putLate() error {
	slices.SortStableFunc(c.late, func(a, b entry) int { return cmp.Compare(a.Wall, b.Wall) })
	for i := range c.late {
		if err := c.put(&c.late[i]); err != nil {
			return err
		}
	}
	c.late = c.late[:0]
	return nil
}

// put adds an entry to the first run of its thread that ends before it.
func (c *calls) put(e *entry) error {
	for _, i := range c.of[e.Thread] {
		if c.runs[i].latest <= e.Wall {
			return c.append(i, e)
		}
	}
	if len(c.runs) > math.MaxUint16 { // the log numbers them as a trace does its threads
		return fmt.Errorf("the times of %d threads go back too often: sort the file by time", len(c.of))
	}
	i := int32(len(c.runs))
	c.runs = append(c.runs, run{thread: e.Thread})
	c.of[e.Thread] = append(c.of[e.Thread], i)
	return c.append(i, e)
}

// append adds an entry behind the others of a run.
func (c *calls) append(i int32, e *entry) error {
	c.runs[i].latest = e.Wall
	in := eventlog.Entry{Event: e.Event, At: e.Wall}
	in.Event.Thread = trace.ThreadID(i)
	err := c.log.Add(&in)
	if e.Action == wholeBegin && err == nil {
		in.Event.Wall, in.Event.CPU, in.Event.Action = e.end, e.cpuEnd, wholeEnd
		err = c.log.Add(&in)
	}
	return err
}
