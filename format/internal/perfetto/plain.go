package perfetto

import (
	"encoding/binary"
	"time"

	"artifice/internal/protobuf"
)

// plainSlice is a packet that begins or ends a slice with an interned name, and has none but the
// most frequent fields, in the order of artifice's writer or of the field numbers. In a trace of
// calls, nearly all packets are plain. They are decoded in one pass, by branches that processors
// predict well. [packets.general] decodes all other packets, and reports errors.
type plainSlice struct {
	time, sequence, flags uint64
	kind, nameID          uint64 // of the TrackEvent
	track                 uint64 // 0 if the packet does not state it
	counter, counterTrack uint64 // the extra counter; its track is 0 if the packet does not state it
	counted               bool   // the packet has an extra counter
}

// plainRoom is more than the size of a plain packet, so read checks no bounds between fields.
const plainRoom = 128

// read decodes a packet. It returns false if the packet is not plain. c[at] is the first byte of
// the tag of the next field, or whatever follows the packet.
func (s *plainSlice) read(b []byte) bool {
	if len(b) == 0 || b[0] != packetTime<<3 || cap(b) < plainRoom {
		return false
	}
	*s = plainSlice{}
	c := b[:plainRoom]
	var size int
	s.time, size = protobuf.Sevens(binary.LittleEndian.Uint64(c[1:]))
	at := 1 + size
	if c[at] == packetSequence<<3 {
		s.sequence, at = number(c, at+1)
	}
	if c[at] != packetEvent<<3|byte(bytesKind) || size > 8 {
		return false
	}
	end := at + 2 + int(c[at+1])
	if at += 2; c[at] == eventType<<3 {
		s.kind, at = number(c, at+1)
	}
	if c[at] == eventNameID<<3 {
		s.nameID, at = number(c, at+1)
	}
	if c[at] == eventTrack<<3 {
		if s.track, at = number(c, at+1); s.track == 0 {
			return false
		}
	}
	if c[at] == eventCounterValues<<3 {
		if s.counter, size = protobuf.Sevens(binary.LittleEndian.Uint64(c[at+1:])); size > 8 {
			return false
		}
		at, s.counted = at+1+size, true
	}
	if c[at] == eventTrack<<3 {
		if s.track, at = number(c, at+1); s.track == 0 {
			return false
		}
	}
	if c[at] == eventCounterTracks<<3&0x7f|0x80 && c[at+1] == eventCounterTracks>>4 {
		if s.counterTrack, at = number(c, at+2); s.counterTrack == 0 {
			return false
		}
	}
	if at != end {
		return false
	}
	if c[at] == packetFlags<<3 {
		s.flags, at = number(c, at+1)
	}
	if c[at] == packetSequence<<3 {
		s.sequence, at = number(c, at+1)
	}
	return at == len(b) && s.flags&stateCleared == 0 && (s.kind == sliceEnd || s.kind == sliceBegin && s.nameID != 0)
}

// number decodes a number. If it is invalid, end is 0, where the time begins. Nothing that follows
// a number begins with the tag of a time.
func number(b []byte, at int) (v uint64, end int) {
	v, end = uint64(b[at]), at+1
	if v >= 0x80 {
		v, end = longNumber(b, at)
	}
	return
}

// longNumber is number for more than one byte.
func longNumber(b []byte, at int) (v uint64, end int) {
	v, size := protobuf.ReadVarint(b[at:])
	if size < 0 {
		return 0, 0
	}
	return v, at + size
}

// plain processes a packet if it is plain. It returns false for other packets, and if the state of
// the sequence does not suffice.
func (p *packets) plain(b []byte) (ok bool, err error) {
	s := &p.slice
	if !s.read(b) {
		return false, nil
	}
	seq := p.latest
	if seq == nil || seq.id != s.sequence {
		if seq = p.sequences[s.sequence]; seq == nil {
			return false, nil
		}
	}
	if s.track == 0 {
		s.track = seq.track
	}
	if s.track == 0 || s.flags&stateNeeded != 0 && !seq.known {
		return false, nil
	}
	p.latest = seq
	return true, p.to.slice(s, seq, p.at(seq, 0, s.time))
}

// slice implements [content].
func (p *reader) slice(s *plainSlice, seq *sequence, at time.Duration) error {
	seq.slices = true
	cpu := time.Duration(-1)
	switch {
	case !s.counted:
	case s.counterTrack != 0:
		p.count(&cpu, s.counterTrack, s.counter)
	case len(seq.counters) > 0:
		p.count(&cpu, seq.counters[0], s.counter)
	}
	id, ok := p.tracks.Get(s.track)
	switch {
	case !ok && s.kind == sliceBegin:
		p.Async++
		return nil
	case !ok:
		return nil
	case s.kind == sliceEnd && s.nameID == 0:
		return p.Calls.EndAs(id, 0, at, cpu)
	case s.kind == sliceEnd:
		return p.end(id, s.nameID, seq, at, cpu)
	}
	method, err := seq.names.method(&p.Calls, s.nameID)
	if err != nil {
		return err
	}
	return p.Calls.BeginOf(id, method, at, cpu)
}
