package stackdump

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"artifice/internal/decode"
	"artifice/internal/foldfile"
	"artifice/trace"
)

// simpleperfProtoParser reads what simpleperf report-sample --protobuf writes, as
// cmd_report_sample.proto in Android's sources says: the letters SIMPLEPERF, u2
// version 1, and records of u4 length and a message Record; a length of 0 is the
// end. Frames, threads and events are numbers, which other records name, most of
// them after the samples. Names are those of the text that simpleperf writes
// without --protobuf, and of them the parser of that makes frames.
type simpleperfProtoParser struct {
	perfParser
	all     samples
	file    *bufio.Reader
	read    bool
	offset  int64
	eventID uint64 // the first sample's; others are left out
	skipped int
	lost    uint64
	events  []string
	files   map[uint64]*simpleperfFile
	threads map[uint32]simpleperfThread
	places  []simpleperfPlace // by key of a node
	keys    map[simpleperfPlace]uint64
}

// simpleperfFile is a library with its symbols.
type simpleperfFile struct {
	path    string
	symbols []string
}

type simpleperfThread struct {
	pid  int
	name string
}

// simpleperfPlace is where a frame is: in a symbol of a file, or at an address
// there when symbol is -1.
type simpleperfPlace struct {
	file, address uint64
	symbol        int32
}

const (
	simpleperfMagic  = "SIMPLEPERF"
	simpleperfRecord = 64 << 20 // most bytes of one that is believed
)

func isSimpleperfProto(head []byte) bool {
	return len(head) >= 12 && bytes.HasPrefix(head, []byte(simpleperfMagic+"\x01\x00"))
}

func newSimpleperfProto(in input, file io.Reader, cfg ReaderConfig) parser {
	p := &simpleperfProtoParser{
		perfParser: perfParserOf(in), all: samples{input: in, tallies: true}, file: bufio.NewReader(file),
		files: map[uint64]*simpleperfFile{}, threads: map[uint32]simpleperfThread{}, keys: map[simpleperfPlace]uint64{},
	}
	known := map[uint64][]FrameID{}
	p.all.frames = func(key uint64) []FrameID {
		ids, ok := known[key]
		if !ok {
			ids = p.framesAt(p.places[key])
			known[key] = ids
		}
		return ids
	}
	p.all.thread = func(tid uint32, t *Thread) {
		if t.Name = p.threads[tid].name; t.Name == "" {
			t.Name = fmt.Sprintf("thread-%d", tid)
		}
		t.ID.Name = t.Name
	}
	return ofCPU(p, &p.input, cfg)
}

// framesAt returns the frames of a place. Nothing here is the name of a process, which is
// in parentheses in the text of perf: such symbols are those of a virtual machine, or what
// our own files call the time in which no frame is open.
func (p *simpleperfProtoParser) framesAt(place simpleperfPlace) []FrameID {
	if f := p.files[place.file]; f != nil && place.symbol >= 0 && int(place.symbol) < len(f.symbols) {
		switch name := f.symbols[place.symbol]; {
		case name == foldfile.Toplevel:
			return nil
		case (name[:min(1, len(name))] == "(" || name == "[unknown]") && dexModule(f.path):
			frame := parseFoldedFrame(p.text([]byte(name)))
			frame.File = f.path
			return []FrameID{p.input.frames.add(frame)}
		}
	}
	return p.perfFrame(p.symbol(place), false)
}

// symbol returns a frame as simpleperf's text has it: symbol and file. A place
// without a symbol is named as simpleperf does: file[+address].
func (p *simpleperfProtoParser) symbol(place simpleperfPlace) []byte {
	file := p.files[place.file]
	if file == nil {
		file = &simpleperfFile{path: "unknown"}
	}
	if place.symbol >= 0 && int(place.symbol) < len(file.symbols) {
		return fmt.Appendf(nil, "%s (%s)", file.symbols[place.symbol], file.path)
	}
	return fmt.Appendf(nil, "%s[+%x] (%s)", file.path[strings.LastIndexByte(file.path, '/')+1:], place.address, file.path)
}

// next implements parser. Each sample is a dump of its thread.
func (p *simpleperfProtoParser) next(d *Dump) error {
	if !p.read {
		p.read = true
		if err := p.readAll(); err != nil {
			return &trace.FormatError{Name: p.name, Offset: p.offset, Err: err}
		}
		p.all.sort()
		if p.skipped > 0 {
			p.warn.add(trace.WarnDumpLeftOut, p.name, 0, fmt.Sprintf("%d samples of events other than %s are left out, because mixing them would mislead", p.skipped, p.eventName()), "")
		}
		if p.lost > 0 {
			p.warn.add(trace.WarnDumpLeftOut, p.name, 0, fmt.Sprintf("simpleperf lost %d samples", p.lost), "")
		}
	}
	err := p.all.deliver(d)
	if err == nil {
		d.tally.event = p.eventName()
		d.PID = p.threads[uint32(d.Threads[0].ID.TID)].pid
	}
	return err
}

// eventName returns the name of the event whose samples are taken.
func (p *simpleperfProtoParser) eventName() string {
	if p.eventID < uint64(len(p.events)) {
		return p.events[p.eventID]
	}
	return fmt.Sprintf("event %d", p.eventID)
}

// readAll reads all records.
func (p *simpleperfProtoParser) readAll() error {
	if _, err := p.file.Discard(len(simpleperfMagic) + 2); err != nil {
		return io.ErrUnexpectedEOF
	}
	p.offset = int64(len(simpleperfMagic) + 2)
	for {
		var length [4]byte
		_, err := io.ReadFull(p.file, length[:])
		size := binary.LittleEndian.Uint32(length[:])
		switch {
		case err == nil && size == 0:
			return nil
		case size > simpleperfRecord:
			return fmt.Errorf("a record of %d bytes", size)
		case err == nil:
			err = p.record(int(size))
		}
		if (err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF)) && len(p.all.list) > 0 {
			p.warn.add(trace.WarnDumpCut, p.name, 0, "the file is cut off; names of its frames may be missing", "")
			return nil
		}
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		p.offset += int64(size) + 4
	}
}

// record reads a Record of so many bytes.
func (p *simpleperfProtoParser) record(size int) error {
	b, err := decode.ReadN(p.file, nil, size)
	if err != nil {
		return err
	}
	return decode.Fields(b, func(field int, _ uint64, body []byte) error {
		if body == nil {
			return nil
		}
		switch field {
		case 1:
			return p.sample(body)
		case 2:
			return decode.Fields(body, func(field int, n uint64, _ []byte) error {
				if field == 2 {
					p.lost += n
				}
				return nil
			})
		case 3:
			return p.library(body)
		case 4:
			return p.nameThread(body)
		case 5:
			return decode.Fields(body, func(field int, _ uint64, text []byte) error {
				if field == 1 {
					p.events = append(p.events, string(text))
				}
				return nil
			})
		}
		return nil
	})
}

// sample takes a Sample in. Its call chain is innermost first.
func (p *simpleperfProtoParser) sample(b []byte) error {
	var at, event, count uint64
	var tid uint32
	var chain []uint64
	err := decode.Fields(b, func(field int, n uint64, body []byte) error {
		switch field {
		case 1:
			at = n
		case 2:
			tid = uint32(n)
		case 3:
			key, err := p.place(body)
			chain = append(chain, key)
			return err
		case 4:
			count = n
		case 5:
			event = n
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case at > math.MaxInt64: // the clock may be one since 1970
		return fmt.Errorf("a sample at %d ns", at)
	case count > math.MaxInt64:
		return fmt.Errorf("a sample that counts %d of its event", count)
	case len(p.all.list) == 0:
		p.eventID = event
	case event != p.eventID:
		p.skipped++
		return nil
	}
	caller := int32(noNode)
	for i := len(chain) - 1; i >= 0; i-- {
		caller = p.all.under(caller, chain[i])
	}
	p.all.list = append(p.all.list, sample{at: time.Duration(at), cpu: time.Duration(count), tid: tid, stack: caller})
	return nil
}

// place returns the key of the frame of a CallChainEntry.
func (p *simpleperfProtoParser) place(b []byte) (uint64, error) {
	var at simpleperfPlace
	err := decode.Fields(b, func(field int, n uint64, _ []byte) error {
		switch field {
		case 1:
			at.address = n
		case 2:
			at.file = n
		case 3:
			at.symbol = int32(n)
		}
		return nil
	})
	if at.symbol >= 0 {
		at.address = 0
	}
	key, ok := p.keys[at]
	if !ok {
		key = uint64(len(p.places))
		p.places = append(p.places, at)
		p.keys[at] = key
	}
	return key, err
}

// library takes a File in.
func (p *simpleperfProtoParser) library(b []byte) error {
	var id uint64
	file := &simpleperfFile{}
	err := decode.Fields(b, func(field int, n uint64, body []byte) error {
		switch field {
		case 1:
			id = n
		case 2:
			file.path = string(body)
		case 3:
			file.symbols = append(file.symbols, string(body))
		}
		return nil
	})
	p.files[id] = file
	return err
}

// nameThread takes a Thread in.
func (p *simpleperfProtoParser) nameThread(b []byte) error {
	var tid uint32
	var th simpleperfThread
	err := decode.Fields(b, func(field int, n uint64, body []byte) error {
		switch field {
		case 1:
			tid = uint32(n)
		case 2:
			th.pid = int(int32(n))
		case 3:
			th.name = string(body)
		}
		return nil
	})
	p.threads[tid] = th
	return err
}
