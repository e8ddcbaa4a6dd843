package perfetto

import (
	"time"

	"artifice/format/internal/timeline"
	"artifice/internal/protobuf"
	"artifice/trace"
)

// threadDescriptor is Perfetto's ThreadDescriptor.
type threadDescriptor struct {
	timeline.Thread
	name      string
	wall, cpu time.Duration // reference of the events' times
}

func readThreadDescriptor(b []byte) (d threadDescriptor, err error) {
	err = protobuf.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case threadPID:
			d.Pid = uint32(number)
		case threadTID:
			d.Tid = uint32(number)
		case threadName:
			d.name = string(body)
		case threadWall:
			d.wall = time.Duration(number) * time.Microsecond
		case threadCPU:
			d.cpu = time.Duration(number) * time.Microsecond
		}
		return nil
	})
	return d, err
}

// sequenceThread is the thread that wrote a sequence, in Chrome's older form. Events without a
// track belong to this thread, and their times can be relative to its descriptor.
type sequenceThread struct {
	timeline.Thread
	known, timed bool
	wall, cpu    time.Duration // times of the previous event
}

// threadOf processes the ThreadDescriptor of a sequence.
func (p *reader) threadOf(b []byte, seq *sequence) error {
	d, err := readThreadDescriptor(b)
	if err != nil {
		return err
	}
	seq.setThread(&d)
	if d.name == "" {
		return nil
	}
	return p.marks.NameOf(d.Thread, d.name)
}

func (seq *sequence) setThread(d *threadDescriptor) {
	seq.thread = sequenceThread{Thread: d.Thread, known: true, timed: true, wall: d.wall, cpu: d.cpu}
}

// counter is a counter track.
type counter struct {
	threadTime  bool // the counter is the CPU time of a thread
	unit        int64
	incremental bool
	value       int64
}

// descriptor processes a TrackDescriptor.
func (p *reader) descriptor(b []byte, seq *sequence) error {
	var uuid uint64
	var thread, process, count []byte
	var name string
	err := protobuf.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case trackUUID:
			uuid = number
		case trackName:
			name = string(body)
		case trackThread:
			thread = body
		case trackProcess:
			process = body
		case trackCounter:
			count = body
		}
		return nil
	})
	if err == nil && process != nil {
		err = p.processTrack(process)
	}
	switch {
	case err != nil:
		return err
	case thread != nil:
		return p.threadTrack(uuid, thread, name, seq)
	case count != nil:
		return p.counterTrack(uuid, count)
	}
	return nil
}

// processTrack processes the ProcessDescriptor of a track: the name of a process.
func (p *reader) processTrack(b []byte) error {
	var pid uint32
	var name string
	err := protobuf.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case processPID:
			pid = uint32(number)
		case processName:
			name = string(body)
		}
		return nil
	})
	p.marks.Calls.NameProcess(pid, name)
	return err
}

// threadTrack processes the track of a thread. For events of the older form, that thread is also
// the thread of the sequence.
func (p *reader) threadTrack(uuid uint64, b []byte, name string, seq *sequence) error {
	d, err := readThreadDescriptor(b)
	if err != nil {
		return err
	}
	if seq.known {
		seq.setThread(&d)
	}
	id, err := p.marks.ThreadID(d.Thread)
	if err != nil {
		return err
	}
	p.tracks.Set(uuid, id)
	if d.name != "" {
		name = d.name
	}
	return p.marks.NameOf(d.Thread, name)
}

// counterTrack processes a counter track.
func (p *reader) counterTrack(uuid uint64, b []byte) error {
	c := &counter{unit: 1}
	err := protobuf.Fields(b, func(field int, number uint64, _ []byte) error {
		switch field {
		case counterType:
			c.threadTime = number == counterThreadTime
		case counterUnit:
			c.unit = max(1, int64(number))
		case counterIncremental:
			c.incremental = number != 0
		}
		return nil
	})
	p.counters.Set(uuid, c)
	return err
}

// defaults processes TracePacketDefaults: the default track of events, and the default tracks of
// their extra counters.
func (p *reader) defaults(b []byte, seq *sequence) error {
	return protobuf.Fields(b, func(field int, _ uint64, body []byte) error {
		switch field {
		case defaultsPerf, defaultsStackSample:
			return seq.stacks.defaults(b)
		case packetEvent:
		default:
			return nil
		}
		seq.counters = nil
		return protobuf.Fields(body, func(field int, number uint64, packed []byte) error {
			switch field {
			case eventTrack:
				seq.track = number
			case eventCounterTracks:
				seq.counters = appendNumbers(seq.counters, number, packed)
			}
			return nil
		})
	})
}

// processes reads a ProcessTree: names of threads and processes.
func (p *reader) processes(b []byte) error {
	return eachOfTree(b, func(field int, t timeline.Thread, name string) {
		if field == treeThread {
			p.marks.DescribeThread(t, name)
		} else {
			p.marks.Calls.NameProcess(t.Pid, name)
		}
	})
}

// eachOfTree calls found for the threads of a ProcessTree, with field treeThread, and for its
// processes, with treeProcess, the command as name and the first thread.
func eachOfTree(b []byte, found func(field int, t timeline.Thread, name string)) error {
	return protobuf.Fields(b, func(field int, _ uint64, body []byte) error {
		if field != treeThread && field != treeProcess {
			return nil
		}
		var t timeline.Thread
		var name string
		err := protobuf.Fields(body, func(of int, number uint64, body []byte) error {
			switch {
			case field == treeProcess && of == treeProcessPID:
				t.Pid, t.Tid = uint32(number), uint32(number)
			case field == treeProcess && of == treeProcessCommand && name == "":
				name = string(body)
			case field == treeProcess:
			case of == treeThreadTID:
				t.Tid = uint32(number)
			case of == treeThreadName:
				name = string(body)
			case of == treeThreadPID:
				t.Pid = uint32(number)
			}
			return nil
		})
		found(field, t, name)
		return err
	})
}

// threadOfTrack returns the thread of an event's track, or the thread of its sequence.
func (p *reader) threadOfTrack(e *slice, seq *sequence) (id trace.ThreadID, ok bool, err error) {
	track := seq.track
	if e.Has(slotTrack) {
		track = e.Value[slotTrack]
	}
	if track != 0 {
		id, ok = p.tracks.Get(track)
		return id, ok, nil
	}
	t := seq.thread
	// As in trace_processor, the event belongs to the thread of the sequence if it has no track, or
	// if it has the older form and its track is 0.
	fallsBack := t.known && (!e.Has(slotTrack) || !e.Has(slotType) || e.hasTID)
	if e.hasPID {
		t.Thread, fallsBack = timeline.Thread{Pid: e.pid, Tid: 1<<32 - 1}, true
	}
	if e.hasTID {
		t.Tid = e.tid
	}
	if !fallsBack {
		return 0, false, nil
	}
	id, err = p.marks.ThreadID(t.Thread)
	return id, err == nil, err
}
