package timeline

import (
	"bytes"
	"errors"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"artifice/internal/decode"
	"artifice/trace"
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
	id, err := p.calls.thread(t)
	if err != nil {
		return err
	}
	p.tracks.set(uuid, id)
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
	m := decode.NewMessage(b)
	for m.Next() {
		if m.Field != 2 {
			continue
		}
		var id uint64
		var name []byte
		entry := decode.NewMessage(m.Body)
		for entry.Next() {
			switch entry.Field {
			case 1:
				id = entry.Number
			case 2:
				name = entry.Body
			}
		}
		if err := entry.Err(); err != nil {
			return err
		}
		seq.names.set(id, bytes.Clone(name))
	}
	return m.Err()
}

// event takes in a TrackEvent.
func (p *perfetto) event(b []byte, seq *sequence, at time.Duration) error {
	var kind, nameID uint64
	var name []byte
	var cpu time.Duration = -1
	track := seq.track
	for end := 0; end < len(b); {
		var n int
		if n, end = decode.ReadFields(b, end, p.fields[:]); end < 0 {
			return protowire.ParseError(end)
		}
		for _, f := range p.fields[:n] {
			switch f.Tag {
			case 9<<3 | varintKind:
				kind = f.Value
			case 10<<3 | varintKind:
				nameID = f.Value
			case 11<<3 | varintKind:
				track = f.Value
			case 12<<3 | varintKind:
				cpu = time.Duration(f.Value) // the thread's time where that is the one counter, as in our files
			case 16<<3 | varintKind:
				at = time.Duration(f.Value) * time.Microsecond
			case 17<<3 | varintKind:
				cpu = time.Duration(f.Value) * time.Microsecond
			case 23<<3 | bytesKind:
				name = f.Body(b)
			}
		}
	}
	if kind != 1 && kind != 2 {
		return nil
	}
	t, ok := p.tracks.get(track)
	switch {
	case !ok:
		return nil
	case kind == 2:
		return p.calls.endOf(t, name, at, cpu)
	}
	var method trace.MethodID
	var err error
	if nameID != 0 {
		method, err = seq.names.method(&p.calls, nameID)
	} else {
		method, err = p.calls.method(name)
	}
	if err != nil {
		return err
	}
	return p.calls.beginOf(t, method, at, cpu)
}

// processes takes in a ProcessTree: names of threads.
func (p *perfetto) processes(b []byte, _ *sequence) error {
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
		task := p.marks.task(uint32(tid))
		task.pid, task.name = uint32(pid), name
		return err
	})
}

// ftrace takes in an FtraceEventBundle: of its events the prints.
func (p *perfetto) ftrace(b []byte, _ *sequence) error {
	bundle := decode.NewMessage(b)
	for bundle.Next() {
		if bundle.Field != 2 {
			continue
		}
		var mark ftraceMark
		var text decode.Message
		event := decode.NewMessage(bundle.Body)
		for event.Next() {
			switch event.Field {
			case 1:
				mark.at = time.Duration(event.Number)
			case 2:
				mark.tid = uint32(event.Number)
			case 3:
				text = decode.NewMessage(event.Body)
			}
		}
		for text.Next() {
			if text.Field == 2 {
				mark.text = bytes.TrimRight(text.Body, "\n\x00")
			}
		}
		if err := errors.Join(event.Err(), text.Err()); err != nil {
			return err
		}
		if err := p.marks.add(&mark); err != nil {
			return err
		}
	}
	return bundle.Err()
}
