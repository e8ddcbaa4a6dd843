package eventlog

import (
	"encoding/binary"
	"time"

	"artifice/trace"
)

// Ordered is a reader of the events of a recording, merged over all threads by wall time. Events
// with equal times keep the order of adding. So do the events of one thread: an event earlier than
// its predecessor is placed at the predecessor's time.
type Ordered struct {
	Ends      []time.Duration // by thread: the latest wall time of its events
	Open      []int32         // by thread: the number of open frames after its events
	End       error           // the error that ended the events, io.EOF at a regular end; returned by the last read
	StepsBack int64           // events earlier than their predecessors

	log  *Log
	cpu  []time.Duration // by thread: CPU time of its latest event
	next *runMerge
}

// Order reads all events of src. It keeps them in Memory bytes and, beyond that, in a temporary
// file in dir. It fails if they cannot be stored. If reading fails, it keeps the events before the
// error.
func Order(src trace.Reader, dir string) (*Ordered, error) {
	o := &Ordered{log: NewLog(dir, Memory)}
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

// collect adds all events of src to the log, each at the latest wall time of its thread so far.
func (o *Ordered) collect(src trace.Reader) error {
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, end := src.ReadEvents(batch)
		if n == 0 {
			o.End = end
			return nil
		}
		for events := batch[:n]; len(events) > 0; {
			events = events[o.pack(events):]
			if len(events) == 0 {
				break
			}
			if err := o.packOne(&events[0]); err != nil {
				return err
			}
			events = events[1:]
		}
	}
}

// pack adds events to the run of the previous event and returns their number. It stops at an event
// that needs packOne: another run, a full block, a new thread, a step back in a thread, or a long
// entry.
func (o *Ordered) pack(events []trace.Event) (n int) {
	if len(o.log.runs.last) == 0 {
		return 0
	}
	run, until := o.log.runs.recent, o.log.runs.until()
	blocks := o.log.lists[run].blocks
	if len(blocks) == 0 { // they were moved to the file
		return 0
	}
	block, last := &blocks[len(blocks)-1], o.log.runs.last[run]
	room := (*block)[len(*block):cap(*block)]
	ends, cpus, open := o.Ends, o.cpu[:len(o.Ends)], o.Open[:len(o.Ends)]
	for n = range events {
		e := &events[n]
		thread := int(e.Thread)
		if thread >= len(ends) || len(room) < longBytes {
			break
		}
		cpu := e.CPU - cpus[thread]
		word, ok := brief(e, e.Wall-last, cpu)
		if !ok || e.Wall < max(last, ends[thread]) || e.Wall >= until {
			break
		}
		binary.LittleEndian.PutUint64(room, word)
		binary.LittleEndian.PutUint32(room[8:], uint32(cpu))
		room = room[briefBytes:]
		last, ends[thread], cpus[thread] = e.Wall, e.Wall, e.CPU
		open[thread] = trace.OpenAfter(open[thread], e.Action)
	}
	n = (cap(*block) - len(*block) - len(room)) / briefBytes
	*block = (*block)[:cap(*block)-len(room)]
	o.log.runs.last[run] = last
	return n
}

// packOne adds any event to its run.
func (o *Ordered) packOne(e *trace.Event) error {
	for int(e.Thread) >= len(o.Ends) {
		o.Ends, o.cpu, o.Open = append(o.Ends, 0), append(o.cpu, 0), append(o.Open, 0)
	}
	wall, cpu := e.Wall, e.CPU-o.cpu[e.Thread]
	if end := o.Ends[e.Thread]; wall < end {
		wall = end
		o.StepsBack++
	}
	o.Ends[e.Thread], o.cpu[e.Thread] = wall, e.CPU
	o.Open[e.Thread] = trace.OpenAfter(o.Open[e.Thread], e.Action)
	return o.log.addToRun(e, wall, cpu)
}

// ReadEvents implements [trace.Reader].
func (o *Ordered) ReadEvents(p []trace.Event) (int, error) {
	n, err := o.next.ReadEvents(p)
	sumCPU(p[:n], o.cpu)
	return n, err
}

// Rewind makes o deliver the events from the first again. It reads the stored events, not the
// source.
func (o *Ordered) Rewind() (err error) {
	clear(o.cpu)
	o.next, err = o.log.mergeRuns(o.End)
	return err
}

// Close removes the stored events.
func (o *Ordered) Close() error { return o.log.Close() }
