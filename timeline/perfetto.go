package timeline

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"artifice/internal/decode"
	"artifice/trace"
)

// perfettoFormat is Perfetto's trace: slices of track events that belong to a
// thread, and marks of android.os.Trace in ftrace packets. Slices of other tracks
// (asynchronous ones, counters, GPU) are no calls and are left out, and so are
// kernel events. Times of all clocks but those that count from a snapshot on are
// taken for one.
var perfettoFormat = Format{
	Name: "perfetto", Description: "Perfetto's trace: slices of threads, tracing marks",
	Sniff: sniffPerfetto, binary: true,
	read: readPerfetto,
}

// Field numbers under protos/perfetto/trace in Perfetto's sources.
const (
	tracePacket = 1

	packetFtrace, packetProcesses, packetClocks   = 1, 2, 6
	packetTime, packetSequence, packetEvent       = 8, 10, 11
	packetInterned, packetFlags, packetThread     = 12, 13, 44
	packetClock, packetDefaults, packetDescriptor = 58, 59, 60
)

// Kinds of fields in their tags.
const varintKind, bytesKind = uint64(protowire.VarintType), uint64(protowire.BytesType)

// sniffPerfetto reports whether a file begins with whole packets that have fields
// of a packet. A pprof profile begins with the same byte, and a message that no
// packet can be: of its two numbers the first has field 1, which is a message in a
// packet.
func sniffPerfetto(head []byte) bool {
	packets := 0
	for len(head) > 0 && head[0] == tracePacket<<3|2 {
		size, n := binary.Uvarint(head[1:])
		if n <= 0 || size > 1<<30 {
			return false
		}
		if uint64(len(head)-1-n) < size {
			return packets > 0
		}
		packet := head[1+n : 1+n+int(size)]
		known := size == 0
		err := decode.Fields(packet, func(field int, _ uint64, body []byte) error {
			if field < 6 && body == nil {
				return errors.New("a number where a packet has a message")
			}
			known = known || field == packetTime || field == packetSequence || field == packetFlags || field > 10 && field < 130 || body != nil && field < 8
			return nil
		})
		if err != nil || !known {
			return false
		}
		packets++
		head = head[1+n+int(size):]
	}
	return packets > 0
}

// maxPacket bounds a packet; Perfetto's own are at most a few MiB.
const maxPacket = 256 << 20

func readPerfetto(s *source) error {
	p := perfetto{source: s, sequences: map[uint64]*sequence{}, marks: marks{source: s}}
	for {
		n, err := p.window()
		s.in.Discard(n)
		s.offset += int64(n)
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

// window takes in the packets that the buffer has whole, and returns how many bytes
// these have.
func (p *perfetto) window() (n int, err error) {
	all, _ := p.in.Peek(p.in.Buffered())
	for len(all)-n > 1 && all[n] == tracePacket<<3|byte(protowire.BytesType) {
		_, end := decode.ReadFields(all, n, p.fields[:1])
		if end < 0 {
			break
		}
		if err = p.stop(); err == nil {
			err = p.packet(p.fields[0].Body(all))
		}
		if err != nil {
			break
		}
		n = end
	}
	return n, err
}

// next takes in a packet, wherever it ends; io.EOF at the end of the file.
func (p *perfetto) next() error {
	tag, err := p.in.ReadByte()
	if err != nil {
		return err
	}
	size, n, err := uvarint(p.in)
	if err != nil {
		return err
	}
	if tag != tracePacket<<3|byte(protowire.BytesType) || size > maxPacket {
		return fmt.Errorf("a packet has tag 0xa and a length; this is tag %#x with %d", tag, size)
	}
	if p.large, err = decode.ReadN(p.in, p.large[:0], int(size)); err != nil {
		return fmt.Errorf("a packet of %d bytes is cut: %w", size, err)
	}
	if err := p.packet(p.large); err != nil {
		return err
	}
	p.offset += int64(1 + n + int(size))
	return p.stop()
}

// uvarint reads a number and returns how many bytes it has.
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
	return 0, n, errors.New("a number of more than 64 bits")
}

// perfetto is the state of the reading.
type perfetto struct {
	*source
	tracks    numbers[trace.ThreadID] // by uuid
	sequences map[uint64]*sequence
	latest    *sequence        // the one of the packet before
	large     []byte           // a packet that the buffer has not whole
	fields    [16]decode.Field // of what is being taken in
	marks     marks
}

// sequence is what a sequence of packets has said so far.
type sequence struct {
	id     uint64
	names  interned
	track  uint64 // default
	clock  uint64 // default; 0 for none
	thread *thread
	clocks map[uint64]*clock // its own ones
}

// packet takes in a packet.
func (p *perfetto) packet(b []byte) error {
	var at, clock, id, flags uint64
	var hasTime, hasMore bool
	var event []byte
	for end := 0; end < len(b); {
		var n int
		if n, end = decode.ReadFields(b, end, p.fields[:]); end < 0 {
			return protowire.ParseError(end)
		}
		for _, f := range p.fields[:n] {
			switch f.Tag {
			case packetTime<<3 | varintKind:
				at, hasTime = f.Value, true
			case packetClock<<3 | varintKind:
				clock = f.Value
			case packetSequence<<3 | varintKind:
				id = f.Value
			case packetFlags<<3 | varintKind:
				flags = f.Value
			case packetEvent<<3 | bytesKind:
				event = f.Body(b)
			case packetClocks<<3 | bytesKind, packetDescriptor<<3 | bytesKind, packetDefaults<<3 | bytesKind,
				packetInterned<<3 | bytesKind, packetProcesses<<3 | bytesKind, packetFtrace<<3 | bytesKind:
				hasMore = true
			}
		}
	}
	seq := p.sequence(id, flags)
	if hasMore {
		if err := p.more(b, seq); err != nil {
			return err
		}
	}
	if event == nil {
		return nil
	}
	when := time.Duration(at)
	if hasTime {
		when = seq.at(clock, at)
	}
	return p.event(event, seq, when)
}

// more takes in what a packet can have besides an event, in the order of takers.
func (p *perfetto) more(b []byte, seq *sequence) (err error) {
	var parts [len(takers)][]byte
	m := decode.NewMessage(b)
	for m.Next() {
		for i := range takers {
			if takers[i].field == m.Field {
				parts[i] = m.Body
			}
		}
	}
	for i := range takers {
		if parts[i] != nil && err == nil {
			err = takers[i].take(p, parts[i], seq)
		}
	}
	return err
}

var takers = [...]struct {
	field int
	take  func(*perfetto, []byte, *sequence) error
}{
	{packetClocks, (*perfetto).snapshot},
	{packetDescriptor, (*perfetto).descriptor},
	{packetDefaults, (*perfetto).defaults},
	{packetInterned, (*perfetto).intern},
	{packetProcesses, (*perfetto).processes},
	{packetFtrace, (*perfetto).ftrace},
}

// sequence returns a sequence, which begins anew where the flags say so.
func (p *perfetto) sequence(id, flags uint64) *sequence {
	seq := p.latest
	if seq == nil || seq.id != id {
		seq = p.sequences[id]
	}
	if seq == nil || flags&1 != 0 {
		fresh := &sequence{id: id, clocks: map[uint64]*clock{}}
		if seq != nil {
			fresh.thread, fresh.clocks = seq.thread, seq.clocks
		}
		seq = fresh
		p.sequences[id] = seq
	}
	p.latest = seq
	return seq
}
