package timeline

import (
	"time"

	"artifice/internal/decode"
	"artifice/trace"
)

// threadDescriptor is Perfetto's ThreadDescriptor.
type threadDescriptor struct {
	thread
	name      string
	wall, cpu time.Duration // what times of events count from
}

func readThreadDescriptor(b []byte) (d threadDescriptor, err error) {
	err = decode.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case 1:
			d.pid = uint32(number)
		case 2:
			d.tid = uint32(number)
		case 5:
			d.name = string(body)
		case 6:
			d.wall = time.Duration(number) * time.Microsecond
		case 7:
			d.cpu = time.Duration(number) * time.Microsecond
		}
		return nil
	})
	return d, err
}

// sequenceThread is the thread that wrote a sequence, in Chrome's older form: events
// that name no track are of it, and their times can count from its descriptor on.
type sequenceThread struct {
	thread
	known, timed bool
	wall, cpu    time.Duration // of the event before
}

// threadOf takes in the ThreadDescriptor of a sequence.
func (p *perfetto) threadOf(b []byte, seq *sequence) error {
	d, err := readThreadDescriptor(b)
	if err != nil {
		return err
	}
	seq.setThread(&d)
	if d.name == "" {
		return nil
	}
	return p.marks.nameOf(d.thread, d.name)
}

func (seq *sequence) setThread(d *threadDescriptor) {
	seq.thread = sequenceThread{thread: d.thread, known: true, timed: true, wall: d.wall, cpu: d.cpu}
}

// counter is a track of a counter.
type counter struct {
	threadTime  bool // it is the CPU time of a thread
	unit        int64
	incremental bool
	value       int64
}

// cpuTime is COUNTER_THREAD_TIME_NS.
const cpuTime = 1

// descriptor takes in a TrackDescriptor.
func (p *perfetto) descriptor(b []byte, seq *sequence) error {
	var uuid uint64
	var thread, count []byte
	var name string
	err := decode.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case 1:
			uuid = number
		case 2:
			name = string(body)
		case 4:
			thread = body
		case 8:
			count = body
		}
		return nil
	})
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

// threadTrack takes in the track of a thread, which is that of the sequence, too, for
// events of the older form.
func (p *perfetto) threadTrack(uuid uint64, b []byte, name string, seq *sequence) error {
	d, err := readThreadDescriptor(b)
	if err != nil {
		return err
	}
	if seq.known {
		seq.setThread(&d)
	}
	id, err := p.marks.threadID(d.thread)
	if err != nil {
		return err
	}
	p.tracks.set(uuid, id)
	if d.name != "" {
		name = d.name
	}
	return p.marks.nameOf(d.thread, name)
}

// counterTrack takes in the track of a counter.
func (p *perfetto) counterTrack(uuid uint64, b []byte) error {
	c := &counter{unit: 1}
	err := decode.Fields(b, func(field int, number uint64, _ []byte) error {
		switch field {
		case 1:
			c.threadTime = number == cpuTime
		case 4:
			c.unit = max(1, int64(number))
		case 5:
			c.incremental = number != 0
		}
		return nil
	})
	p.counters[uuid] = c
	return err
}

// defaults takes in TracePacketDefaults.
func (p *perfetto) defaults(b []byte, seq *sequence) error {
	return decode.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case packetClock:
			seq.clock = number
		case packetEvent:
			seq.counters = nil
			return decode.Fields(body, func(field int, number uint64, packed []byte) error {
				switch field {
				case 11:
					seq.track = number
				case 31:
					seq.counters = appendNumbers(seq.counters, number, packed)
				}
				return nil
			})
		}
		return nil
	})
}

// processes takes in a ProcessTree: names of threads.
func (p *perfetto) processes(b []byte) error {
	return decode.Fields(b, func(field int, _ uint64, body []byte) error {
		if field != 2 {
			return nil
		}
		var t thread
		var name string
		err := decode.Fields(body, func(field int, number uint64, body []byte) error {
			switch field {
			case 1:
				t.tid = uint32(number)
			case 2:
				name = string(body)
			case 3:
				t.pid = uint32(number)
			}
			return nil
		})
		p.marks.told(t, name)
		return err
	})
}

// threadOfTrack returns the thread of an event that names a track, or of its sequence.
func (p *perfetto) threadOfTrack(e *trackEvent, seq *sequence) (id trace.ThreadID, ok bool, err error) {
	track := seq.track
	if e.hasTrack {
		track = e.track
	}
	if track != 0 {
		id, ok = p.tracks.get(track)
		return id, ok, nil
	}
	t := seq.thread
	// As trace_processor has it: the thread of the sequence, where the event names no
	// track, or names 0 and is of the older form.
	fallsBack := t.known && (!e.hasTrack || !e.hasType || e.hasTID)
	if e.hasPID {
		t.thread, fallsBack = thread{e.pid, 1<<32 - 1}, true
	}
	if e.hasTID {
		t.tid = e.tid
	}
	if !fallsBack {
		return 0, false, nil
	}
	id, err = p.marks.threadID(t.thread)
	return id, err == nil, err
}
