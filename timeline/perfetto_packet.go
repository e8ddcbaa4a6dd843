package timeline

import (
	"bytes"
	"fmt"
	"time"

	"artifice/internal/decode"
)

// descriptor takes in a TrackDescriptor.
func (p *perfetto) descriptor(b []byte, _ *sequence) error {
	var uuid uint64
	var of []byte
	var name string
	err := decode.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case 1:
			uuid = number
		case 2:
			name = string(body)
		case 4:
			of = body
		}
		return nil
	})
	if err != nil || of == nil {
		return err
	}
	t, threadName, err := threadDescriptor(of)
	if err != nil {
		return err
	}
	p.tracks[uuid] = t
	if threadName != "" {
		name = threadName
	}
	return p.calls.name(t, []byte(name))
}

// threadDescriptor reads a ThreadDescriptor.
func threadDescriptor(b []byte) (t thread, name string, err error) {
	err = decode.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case 1:
			t.pid = uint32(number)
		case 2:
			t.tid = uint32(number)
		case 5:
			name = string(body)
		}
		return nil
	})
	return t, name, err
}

// defaults takes in TracePacketDefaults.
func (p *perfetto) defaults(b []byte, seq *sequence) error {
	return decode.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case packetClock:
			seq.clock = number
		case packetEvent:
			return decode.Fields(body, func(field int, number uint64, _ []byte) error {
				if field == 11 {
					seq.track = number
				}
				return nil
			})
		}
		return nil
	})
}

// intern takes in the names of slices that packets have as numbers.
func (p *perfetto) intern(b []byte, seq *sequence) error {
	return decode.Fields(b, func(field int, _ uint64, body []byte) error {
		if field != 2 {
			return nil
		}
		var id uint64
		var name string
		err := decode.Fields(body, func(field int, number uint64, body []byte) error {
			switch field {
			case 1:
				id = number
			case 2:
				name = string(body)
			}
			return nil
		})
		seq.names[id] = name
		return err
	})
}

// event takes in a TrackEvent.
func (p *perfetto) event(b []byte, seq *sequence, at time.Duration) error {
	var kind, nameID uint64
	var name string
	var cpu time.Duration = -1
	track := seq.track
	err := decode.Fields(b, func(field int, number uint64, body []byte) error {
		switch field {
		case 9:
			kind = number
		case 10:
			nameID = number
		case 11:
			track = number
		case 12:
			cpu = time.Duration(number) // the thread's time where that is the one counter, as in our files
		case 16:
			at = time.Duration(number) * time.Microsecond
		case 17:
			cpu = time.Duration(number) * time.Microsecond
		case 23:
			name = string(body)
		}
		return nil
	})
	t, ok := p.tracks[track]
	if err != nil || !ok || kind != 1 && kind != 2 {
		return err
	}
	if kind == 2 {
		return p.calls.end(t, nil, at, cpu)
	}
	if nameID != 0 {
		if name, ok = seq.names[nameID]; !ok {
			name = fmt.Sprintf("name_%d", nameID)
		}
	}
	return p.calls.begin(t, []byte(name), at, cpu)
}

// processes takes in a ProcessTree: names of threads.
func (p *perfetto) processes(b []byte) error {
	return decode.Fields(b, func(field int, _ uint64, body []byte) error {
		if field != 2 {
			return nil
		}
		var tid, pid uint64
		var name string
		err := decode.Fields(body, func(field int, number uint64, body []byte) error {
			switch field {
			case 1:
				tid = number
			case 2:
				name = string(body)
			case 3:
				pid = number
			}
			return nil
		})
		p.marks.pids[uint32(tid)], p.marks.names[uint32(tid)] = uint32(pid), name
		return err
	})
}

// ftrace takes in an FtraceEventBundle: of its events the prints.
func (p *perfetto) ftrace(b []byte) error {
	return decode.Fields(b, func(field int, _ uint64, body []byte) error {
		if field != 2 {
			return nil
		}
		var mark ftraceMark
		err := decode.Fields(body, func(field int, number uint64, body []byte) error {
			switch field {
			case 1:
				mark.at = time.Duration(number)
			case 2:
				mark.tid = uint32(number)
			case 3:
				return decode.Fields(body, func(field int, _ uint64, body []byte) error {
					if field == 2 {
						mark.text = bytes.TrimRight(body, "\n\x00")
					}
					return nil
				})
			}
			return nil
		})
		if err != nil {
			return err
		}
		mark.comm = []byte(p.marks.names[mark.tid])
		return p.marks.add(&mark)
	})
}
