package perfetto

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"artifice/internal/decode"
	"artifice/internal/protobuf"
	"artifice/internal/words"
)

// sniff reports whether a file begins with packets: whole ones, or one that extends beyond head. A
// pprof profile begins with the same byte, but its first message cannot be a packet: field 1 is a
// number there, and a message in a packet. If that message is empty, the next fields decide.
func sniff(head []byte) bool {
	packets, contents := 0, 0
	for len(head) > 0 && head[0] == tracePacket<<3|2 {
		size, n := binary.Uvarint(head[1:])
		switch {
		case n == 0: // the length continues beyond head
			return packets > 0
		case n < 0 || size > maxPacket:
			return false
		case uint64(len(head)-1-n) < size:
			return packets > 0
		}
		packet := head[1+n : 1+n+int(size)]
		if !sniffPacket(packet) {
			return false
		}
		packets++
		contents += len(packet)
		head = head[1+n+int(size):]
	}
	return packets > 0 && (len(head) == 0 || contents > 0)
}

// sniffPacket reports whether a message can be a packet. An empty one can.
func sniffPacket(packet []byte) bool {
	known := len(packet) == 0
	err := protobuf.Fields(packet, func(field int, _ uint64, body []byte) error {
		switch {
		case body == nil && field < 6 && field != packetUID:
			return errors.New("a number instead of a message")
		case body != nil && (field == packetUID || field == packetTime || field == packetSequence || field == packetFlags):
			return errors.New("a message instead of a number")
		}
		known = known || body != nil || field == packetUID || field == packetTime || field == packetSequence || field == packetFlags || field == packetClock || field == packetPID
		return nil
	})
	return err == nil && known
}

// maxPacket is the maximum size of a packet. Perfetto's own packets have at most a few MiB.
const maxPacket = 256 << 20

// packets reads the packets of a trace, including compressed ones. It keeps the state of their
// sequences and converts their times to the trace's clock. It passes their contents to content.
type packets struct {
	in     *bufio.Reader
	offset int64 // offset of the current packet
	// number of the current packet, from 1; compressed packets have the number of the packet that
	// contains them
	number    int64
	begins    int64 // offset at which the current packet begins
	bad       badPackets
	ratio     int          // maximum ratio of decompressed to compressed bytes
	stop      func() error // called for each window; an error ends the reading
	to        content
	clocks    clocks
	sequences map[uint64]*sequence
	latest    *sequence  // the sequence of the previous packet
	large     []byte     // a packet that is larger than the buffer
	packed    int        // nesting depth of compressed packets
	lost      placed     // packets that need unknown state
	slice     plainSlice // the current packet
}

// content receives the contents of packets.
type content interface {
	// part receives data that later packets of the sequence refer to; field is its field number in
	// a packet.
	part(field int, b []byte, seq *sequence) error

	// event receives a TrackEvent, a PerfSample, a StackSample or a FrameTimelineEvent.
	event(field int, b []byte, seq *sequence, at time.Duration) error

	// slice receives a packet that is a plain slice.
	slice(s *plainSlice, seq *sequence, at time.Duration) error
}

// takeAll processes all packets.
func (p *packets) takeAll() error {
	p.sequences = map[uint64]*sequence{}
	for {
		if err := p.stop(); err != nil {
			return err
		}
		n, err := p.window()
		p.in.Discard(n)
		p.offset += int64(n)
		if err == nil {
			err = p.next()
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// packetsLost states the number of skipped packets, and the position of the first.
const packetsLost = "ignored %s, because earlier packets of the same sequence are missing (the first is %s)"

// window processes the complete packets in the buffer, and returns their total length in bytes.
func (p *packets) window() (n int, err error) {
	all, _ := p.in.Peek(p.in.Buffered())
	for len(all)-n > 1 && all[n] == tracePacket<<3|byte(protobuf.Bytes) {
		size, end := uint64(all[n+1]), n+2+int(all[n+1])
		if size >= 0x80 || end > len(all) { // a longer number, or a packet that continues beyond all
			if _, size, end = protobuf.Next(all, n); end < 0 {
				break
			}
		}
		if err = p.whole(all[end-int(size):end], int64(n)); err != nil {
			break
		}
		n = end
	}
	return n, err
}

// whole processes a complete packet, which begins the given number of bytes after the offset. A
// damaged packet is skipped, because its end is known.
func (p *packets) whole(b []byte, behind int64) error {
	p.number++
	p.begins = p.offset + behind
	if err := p.packet(b); err != nil {
		return p.leaveOut(err)
	}
	return nil
}

// leaveOut records an error of a damaged packet. It returns other errors.
func (p *packets) leaveOut(err error) error {
	var bad damaged
	if !errors.As(err, &bad) {
		return err
	}
	if p.bad.n == 0 {
		p.bad.err = fmt.Errorf("%s: %w", p.place(), bad.error)
	}
	p.bad.n++
	return nil
}

// placed counts occurrences of a problem, and contains the position of the first one.
type placed struct {
	n     int64
	first string
}

// add counts an occurrence in the current packet.
func (l *placed) add(p *packets) {
	if l.n == 0 {
		l.first = p.place()
	}
	l.n++
}

// place returns the position of the current packet.
func (p *packets) place() string { return fmt.Sprintf("packet %d, at byte %d", p.number, p.begins) }

// damaged is an error in the contents of a packet. It affects only that packet.
type damaged struct{ error }

func (d damaged) Unwrap() error { return d.error }

// badPackets are the skipped damaged packets.
type badPackets struct {
	n   int64
	err error // error of the first one
}

func (b badPackets) String() string {
	return fmt.Sprintf("ignored %s; the first: %v", words.Count(b.n, "damaged packet"), b.err)
}

// next processes a packet of any length; it returns io.EOF at the end of the file.
func (p *packets) next() error {
	tag, err := p.in.ReadByte()
	if err != nil {
		return err
	}
	size, n, err := uvarint(p.in)
	if err != nil {
		return err
	}
	if tag != tracePacket<<3|byte(protobuf.Bytes) || size > maxPacket {
		return fmt.Errorf("packet %d: expected tag 0xa and a length, found tag %#x and the length %d", p.number+1, tag, size)
	}
	if p.large, err = decode.ReadN(p.in, p.large[:0], int(size)); err != nil {
		return fmt.Errorf("packet %d: a packet of %d bytes is truncated: %w", p.number+1, size, err)
	}
	if err := p.whole(p.large, 0); err != nil {
		return err
	}
	p.offset += int64(1 + n + int(size))
	return nil
}

// uvarint decodes a number and returns its length in bytes.
func uvarint(in *bufio.Reader) (v uint64, n int, err error) {
	for shift := uint(0); shift < 64; shift += 7 {
		b, err := in.ReadByte()
		if err != nil {
			return 0, n, io.ErrUnexpectedEOF
		}
		n++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v, n, nil
		}
	}
	return 0, n, errors.New("a varint is longer than 64 bits")
}

// sequence is the state of a sequence of packets.
type sequence struct {
	id       uint64
	known    bool // the state that packets with stateNeeded require is known
	names    interned
	track    uint64   // default track of events
	counters []uint64 // default tracks of an event's extra counters
	clock    uint64   // default clock; 0 if there is none
	thread   sequenceThread
	clocks   []*clock // its own clocks, from firstSequenceClock on
	stacks   stacks
	slices   bool  // the sequence has track events
	samples  int64 // number of stack samples
}

// header contains the integer fields of a packet.
type header struct {
	protobuf.Integers
	snapshot bool
	event    int // field number of the packet's event
}

// Slots of the integers of a packet.
const (
	slotTime = iota + 1
	slotClock
	slotSequence
	slotFlags
	slotCleared
	slotLost
)

var packetSlots = protobuf.NewSlots(packetTime, packetClock, packetSequence, packetFlags, packetCleared, packetLost, packetUID, packetPID)

// packet processes a packet of any kind.
func (p *packets) packet(b []byte) error {
	if ok, err := p.plain(b); ok {
		return err
	}
	return p.general(b)
}

// general decodes and processes a packet of any kind.
func (p *packets) general(b []byte) error {
	var h header
	var hasMore bool
	var event []byte
	for end := h.Read(packetSlots, b, 0); end < len(b); end = h.Read(packetSlots, b, end) {
		var tag, value uint64
		if tag, value, end = protobuf.Next(b, end); end < 0 {
			return damaged{protobuf.Err(end)}
		}
		switch tag {
		case packetEvent<<3 | bytesKind, packetPerf<<3 | bytesKind, packetStackSample<<3 | bytesKind, packetFrame<<3 | bytesKind:
			event, h.event = b[end-int(value):end], int(tag>>3)
		case packetClocks<<3 | bytesKind:
			h.snapshot, hasMore = true, true
		case packetTrack<<3 | bytesKind, packetDefaults<<3 | bytesKind, packetThread<<3 | bytesKind,
			packetInterned<<3 | bytesKind, packetProcesses<<3 | bytesKind, packetFtrace<<3 | bytesKind,
			packetDeflated<<3 | bytesKind, packetZstd<<3 | bytesKind:
			hasMore = true
		default:
			h.Set(packetSlots, tag, value)
		}
	}
	seq := p.sequence(&h)
	if h.Value[slotFlags]&stateNeeded != 0 && !seq.known {
		p.lost.add(p)
		return nil
	}
	if hasMore {
		if err := p.more(b, seq); err != nil {
			return malformed(err)
		}
	}
	// An incremental clock advances with each packet that has a time.
	var at time.Duration
	if h.Has(slotTime) && !h.snapshot {
		at = p.at(seq, h.Value[slotClock], h.Value[slotTime])
	}
	if event == nil {
		return nil
	}
	return malformed(p.to.event(h.event, event, seq, at))
}

// malformed converts a protocol-buffer error to an error that affects only its packet.
func malformed(err error) error {
	if err != nil && protobuf.Malformed(err) {
		return damaged{err}
	}
	return err
}

// moreFields are the fields besides an event that a packet can have, in the order of processing.
var moreFields = [...]int{packetClocks, packetThread, packetTrack, packetDefaults, packetInterned, packetProcesses, packetFtrace, packetDeflated, packetZstd}

// more processes the fields of a packet besides its event.
func (p *packets) more(b []byte, seq *sequence) (err error) {
	var parts [len(moreFields)][]byte
	m := protobuf.NewReader(b)
	for m.Next() {
		for i, field := range moreFields {
			if field == m.Field {
				parts[i] = m.Body
			}
		}
	}
	for i, part := range parts {
		if part != nil && err == nil {
			err = p.take(moreFields[i], part, seq)
		}
	}
	return err
}

// take processes one of moreFields.
func (p *packets) take(field int, b []byte, seq *sequence) error {
	switch field {
	case packetClocks:
		return p.snapshot(b, seq)
	case packetDeflated:
		return p.deflated(b)
	case packetZstd:
		return p.zstd(b)
	case packetDefaults:
		if err := seq.defaultClock(b); err != nil {
			return err
		}
	}
	return p.to.part(field, b, seq)
}

// defaultClock reads from TracePacketDefaults the clock of packets that do not state one.
func (seq *sequence) defaultClock(b []byte) error {
	return protobuf.Fields(b, func(field int, number uint64, _ []byte) error {
		if field == packetClock {
			seq.clock = number
		}
		return nil
	})
}

// sequence returns the sequence of a packet. It resets the sequence if the packet states a restart.
func (p *packets) sequence(h *header) *sequence {
	seq, id := p.latest, h.Value[slotSequence]
	if seq == nil || seq.id != id {
		seq = p.sequences[id]
	}
	cleared := h.Value[slotCleared] != 0 || h.Value[slotFlags]&stateCleared != 0
	if seq == nil || cleared {
		fresh := &sequence{id: id, known: cleared}
		if seq != nil {
			fresh.thread, fresh.clocks = seq.thread, seq.clocks
		}
		seq = fresh
		p.sequences[id] = seq
	}
	if h.Value[slotLost] != 0 && !cleared {
		seq.known, seq.thread.timed = false, false
	}
	p.latest = seq
	return seq
}
