package eventlog

import (
	"time"

	"artifice/trace"
)

// Ordered is a reader of the events of a recording merged over all threads by
// wall time. Events with equal times come in the order in which they were added,
// and so do those of one thread in any case: an event that lies before its
// predecessor is put at the time of that one.
type Ordered struct {
	Ends      []time.Duration // by thread: the latest wall time of its events
	End       error           // what ended the events, io.EOF at a proper end; the last read returns it
	StepsBack int64           // events that lay before their predecessors

	log  *Log
	runs runs
	cpu  []time.Duration // by thread: that of its latest event
	next trace.Reader
}

// Order reads all events of src. They are kept in Memory bytes and beyond that in
// a temporary file in dir. It fails when they cannot be kept; where reading fails,
// the events before that are there.
func Order(src trace.Reader, dir string) (*Ordered, error) {
	o := &Ordered{log: NewLog(dir, Memory)}
	o.log.inRuns = true
	err := o.collect(src)
	if err == nil {
		err = o.Rewind()
	}
	if err != nil {
		o.log.Close()
		return nil, err
	}
	return o, nil
}

// collect puts all events of src into the log, each at the latest wall time that
// its thread has had so far.
func (o *Ordered) collect(src trace.Reader) error {
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, end := src.ReadEvents(batch)
		if n == 0 {
			o.End = end
			return nil
		}
		o.prepare(batch[:n])
		first, run := 0, 0 // the first event that is not in the log, and where it goes
		for i := range batch[:n] {
			next := o.runs.place(batch[i].Wall)
			if next == run {
				continue
			}
			if err := o.log.addToRun(run, batch[first:i]); err != nil {
				return err
			}
			first, run = i, next
		}
		if err := o.log.addToRun(run, batch[first:n]); err != nil {
			return err
		}
	}
}

// prepare puts events that lie before their predecessors at the time of those, and
// makes CPU times what they are more than those of the predecessors.
func (o *Ordered) prepare(events []trace.Event) {
	for i := range events {
		e := &events[i]
		for int(e.Thread) >= len(o.Ends) {
			o.Ends, o.cpu = append(o.Ends, 0), append(o.cpu, 0)
		}
		if end := &o.Ends[e.Thread]; e.Wall < *end {
			e.Wall = *end
			o.StepsBack++
		} else {
			*end = e.Wall
		}
		cpu := &o.cpu[e.Thread]
		*cpu, e.CPU = e.CPU, e.CPU-*cpu
	}
}

// ReadEvents implements [trace.Reader].
func (o *Ordered) ReadEvents(p []trace.Event) (int, error) {
	n, err := o.next.ReadEvents(p)
	for i := range p[:n] {
		cpu := &o.cpu[p[i].Thread]
		*cpu += p[i].CPU
		p[i].CPU = *cpu
	}
	return n, err
}

// Rewind makes o deliver the events from the first one on again. What is kept is
// read, and not the source.
func (o *Ordered) Rewind() (err error) {
	clear(o.cpu)
	o.next, err = o.log.Merge(o.End)
	return err
}

// Close removes what is kept.
func (o *Ordered) Close() error { return o.log.Close() }
