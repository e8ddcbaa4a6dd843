package timeline

import (
	"errors"
	"fmt"
	"math"
	"time"

	"artifice/internal/eventlog"
	"artifice/trace"
)

// run is a sequence of entries of a thread in time order (a run in Knuth's sorting by merging). The
// log treats a run as a thread and merges the runs.
//
// An entry not earlier than all previous ones is added to the stream. Otherwise, an entry not
// earlier than its thread's latest entry is added to the first run of its thread. Any other entry
// is late. Late entries are collected and sorted; each is then added to the first run of its thread
// that ends before it. A file in time order therefore has no run, and a file with each thread in
// time order has one run per thread. A file with a record at the end of each call has a few more,
// in the worst case one more for each lateMost entries.
type run struct {
	thread trace.ThreadID
	latest time.Duration
}

// threadRuns are the runs of a thread. The first run contains the latest entry of all.
type threadRuns struct {
	latest time.Duration // time of the thread's latest entry
	runs   []int32
}

// lateMost is the number of late entries that are sorted at one time.
const lateMost = 1 << placeBits

// streamMost is the number of events of the stream that are added to its log at one time.
const streamMost = 256

// add adds an entry.
func (c *Calls) add(e *entry) error {
	if err := c.note(&e.Event); err != nil {
		return err
	}
	of := &c.of[e.Thread]
	switch {
	case e.Wall >= c.latest:
		c.latest, of.latest = e.Wall, e.Wall
		first, second, two := c.eventsOf(e)
		err := c.stream(&first)
		if two && err == nil {
			err = c.stream(&second)
		}
		return err
	case e.Wall >= of.latest:
		of.latest = e.Wall
		return c.put(e)
	}
	if c.late = append(c.late, *e); len(c.late) == lateMost {
		return c.putLate()
	}
	return nil
}

// addOne is add for a begin or an end. Most of these are in time order.
func (c *Calls) addOne(e *trace.Event) error {
	if e.Wall < c.latest {
		return c.add(&entry{Event: *e})
	}
	if err := c.note(e); err != nil {
		return err
	}
	c.latest, c.of[e.Thread].latest = e.Wall, e.Wall
	return c.stream(e)
}

// stream adds an event to the stream.
func (c *Calls) stream(e *trace.Event) error {
	c.pending = append(c.pending, *e)
	if len(c.pending) < streamMost {
		return nil
	}
	return c.putStream()
}

// putStream adds the collected events of the stream to its log.
func (c *Calls) putStream() error {
	err := c.inOrder.AddInOrder(c.pending)
	c.pending = c.pending[:0]
	return err
}

// note counts a begin, an end or a whole call. It returns an error if its time is invalid.
func (c *Calls) note(e *trace.Event) error {
	if err := within(e.Wall); err != nil {
		return err
	}
	c.first = min(c.first, e.Wall)
	c.cpu = c.cpu && e.CPU >= 0
	c.count++
	return nil
}

// eventsOf returns the event of an entry, and the second event if it has two.
func (c *Calls) eventsOf(e *entry) (first, second trace.Event, two bool) {
	first = e.Event
	switch {
	case e.Action != whole:
	case c.cpu:
		first.Action = wholeBegin
		return first, trace.Event{Wall: e.end, CPU: e.cpuEnd, Thread: e.Thread, Action: wholeEnd}, true
	default:
		first.CPU = e.end - e.Wall
	}
	return first, second, false
}

// within returns an error for times of more than 73 years, because their differences could
// overflow.
func within(at time.Duration) error {
	if at < -1<<61 || at > 1<<61 {
		return tooLarge(at)
	}
	return nil
}

func tooLarge(at time.Duration) error {
	return fmt.Errorf("the time of %d ns is too large to represent", at)
}

// putLate sorts the late entries and adds them to runs.
func (c *Calls) putLate() error {
	for _, place := range c.byTime.order(c.late) {
		if err := c.put(&c.late[place]); err != nil {
			return err
		}
	}
	c.late = c.late[:0]
	return nil
}

// put adds an entry to the first run of its thread that ends before it.
func (c *Calls) put(e *entry) error {
	for _, i := range c.of[e.Thread].runs {
		if c.runs[i].latest <= e.Wall {
			return c.append(i, e)
		}
	}
	if len(c.runs) > math.MaxUint16 { // the log numbers the runs like the threads of a trace
		return fmt.Errorf("the times of %d threads go back too often: sort the file by time", len(c.of))
	}
	i := int32(len(c.runs))
	c.runs = append(c.runs, run{thread: e.Thread})
	c.of[e.Thread].runs = append(c.of[e.Thread].runs, i)
	return c.append(i, e)
}

// append adds the events of an entry to the end of a run.
func (c *Calls) append(i int32, e *entry) error {
	c.runs[i].latest = e.Wall
	first, second, two := c.eventsOf(e)
	first.Thread, second.Thread = trace.ThreadID(i), trace.ThreadID(i)
	err := c.log.Add(&eventlog.Entry{Event: first, At: first.Wall})
	if two && err == nil {
		err = c.log.Add(&eventlog.Entry{Event: second, At: first.Wall})
	}
	return err
}

// close removes the temporary files.
func (c *Calls) close() error { return errors.Join(c.inOrder.Close(), c.log.Close()) }
