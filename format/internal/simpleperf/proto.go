package simpleperf

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

	"artifice/format/internal/perf"
	"artifice/format/internal/stackdump"
	"artifice/internal/decode"
	"artifice/internal/encode"
	"artifice/internal/protobuf"
	"artifice/trace"
)

// protoParser reads the output of simpleperf report-sample --protobuf, according to
// cmd_report_sample.proto in Android's sources: the letters SIMPLEPERF, u2 version 1, and records
// of u4 length and a message Record; a length of 0 is the end. Frames, threads and events are
// numbers. Other records, most of them after the samples, contain their names. Names are written as
// in simpleperf's text output; its parser converts them to frames.
type protoParser struct {
	perf.Base
	all     stackdump.Samples
	file    *bufio.Reader
	read    bool
	offset  int64
	lost    uint64
	onCPU   bool // the meta data state that no sample was taken off the CPU
	events  []string
	files   map[uint64]*library
	threads map[uint32]thread
	places  []place // by the key of a node
	keys    map[place]uint64
}

// library is a file of machine code with its symbols.
type library struct {
	path    string
	symbols []string
}

type thread struct {
	pid  int
	name string
}

// place is the location of a frame: a symbol of a file, or an address in the file if symbol is -1.
type place struct {
	file, address uint64
	symbol        int32
}

const (
	magic     = "SIMPLEPERF"
	maxRecord = 64 << 20 // maximum size of a valid record, in bytes
)

// protoCodec is the [stackdump.Codec] of report-sample's messages.
type protoCodec struct{}

// Detect implements [stackdump.Codec].
func (protoCodec) Detect(head []byte) bool {
	return len(head) >= 12 && bytes.HasPrefix(head, []byte(magic+"\x01\x00"))
}

// Parser implements [stackdump.Codec].
func (protoCodec) Parser(in stackdump.Input, stream io.Reader, cfg stackdump.ReaderConfig) stackdump.Parser {
	p := &protoParser{
		Base: perf.NewBase(in), file: bufio.NewReader(stream),
		files: map[uint64]*library{}, threads: map[uint32]thread{}, keys: map[place]uint64{},
	}
	p.all = stackdump.NewSamples(in, p)
	p.all.Tallies = true
	return stackdump.OfCPU(p, &p.Input, cfg)
}

// Resolve implements [stackdump.SampleNames].
func (p *protoParser) Resolve(key uint64) []stackdump.FrameID { return p.framesAt(p.places[key]) }

// NameThread implements [stackdump.SampleNames].
func (p *protoParser) NameThread(tid uint32, t *stackdump.Thread) {
	if t.Name = p.threads[tid].name; t.Name == "" {
		t.Name = fmt.Sprintf("thread-%d", tid)
	}
	t.ID.Name = t.Name
}

// framesAt returns the frames of a place. In the text of perf, a symbol in parentheses is the name
// of a process. Here it is a symbol of a virtual machine, or the name of time without an open frame
// in artifice's own files.
func (p *protoParser) framesAt(place place) []stackdump.FrameID {
	if f := p.files[place.file]; f != nil && place.symbol >= 0 && int(place.symbol) < len(f.symbols) {
		switch name := f.symbols[place.symbol]; {
		case name == encode.Toplevel:
			return nil
		case (name[:min(1, len(name))] == "(" || name == "[unknown]") && perf.IsDex(f.path):
			frame := stackdump.ParseFoldedFrame(p.Text([]byte(name)))
			frame.File = f.path
			return []stackdump.FrameID{p.Input.Frames.Add(frame)}
		}
	}
	return p.FramesOf(p.symbol(place), false)
}

// symbol returns a frame in the form of simpleperf's text: symbol and file. A place without a
// symbol is named as in simpleperf: file[+address].
func (p *protoParser) symbol(place place) []byte {
	file := p.files[place.file]
	if file == nil {
		file = &library{path: "unknown"}
	}
	if place.symbol >= 0 && int(place.symbol) < len(file.symbols) {
		return fmt.Appendf(nil, "%s (%s)", file.symbols[place.symbol], file.path)
	}
	return fmt.Appendf(nil, "%s[+%x] (%s)", file.path[strings.LastIndexByte(file.path, '/')+1:], place.address, file.path)
}

// Next implements parser. Each sample is a dump of its thread.
func (p *protoParser) Next(d *stackdump.Dump) error {
	if !p.read {
		p.read = true
		if err := p.readAll(); err != nil {
			return &trace.FormatError{Name: p.Name, Offset: p.offset, Err: err}
		}
		p.all.Sort()
		if p.lost > 0 {
			p.Warn.Add(trace.WarnDumpLeftOut, p.Name, 0, fmt.Sprintf("simpleperf lost %d samples", p.lost), "")
		}
	}
	err := p.all.Deliver(d)
	if err == nil {
		d.Tally.Event, d.Tally.OnCPU = p.eventName(d.Tally.EventID), p.onCPU
		d.PID = p.threads[uint32(d.Threads[0].ID.TID)].pid
		d.Process = p.threads[uint32(d.PID)].name
	}
	return err
}

// eventName returns the name of an event.
func (p *protoParser) eventName(id uint16) string {
	if int(id) < len(p.events) {
		return p.events[id]
	}
	return stackdump.UnnamedEvent(id)
}

// readAll reads all records.
func (p *protoParser) readAll() error {
	if _, err := p.file.Discard(len(magic) + 2); err != nil {
		return io.ErrUnexpectedEOF
	}
	p.offset = int64(len(magic) + 2)
	for {
		var length [4]byte
		_, err := io.ReadFull(p.file, length[:])
		size := binary.LittleEndian.Uint32(length[:])
		switch {
		case err == nil && size == 0:
			return nil
		case size > maxRecord:
			return fmt.Errorf("a record of %d bytes", size)
		case err == nil:
			err = p.record(int(size))
		}
		if (err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF)) && len(p.all.List) > 0 {
			p.Warn.Add(trace.WarnDumpCut, p.Name, 0, "the file is truncated; names of its frames may be missing", "")
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

// record reads a Record of size bytes.
func (p *protoParser) record(size int) error {
	b, err := decode.ReadN(p.file, nil, size)
	if err != nil {
		return err
	}
	return protobuf.Fields(b, func(field int, _ uint64, body []byte) error {
		if body == nil {
			return nil
		}
		switch field {
		case recordSample:
			return p.sample(body)
		case recordLost:
			return protobuf.Fields(body, func(field int, n uint64, _ []byte) error {
				if field == lostLost {
					p.lost += n
				}
				return nil
			})
		case recordFile:
			return p.addLibrary(body)
		case recordThread:
			return p.nameThread(body)
		case recordMeta:
			return protobuf.Fields(body, func(field int, n uint64, text []byte) error {
				switch field {
				case metaEvent:
					p.events = append(p.events, string(text))
				case metaOffCPU:
					p.onCPU = n == 0
				}
				return nil
			})
		}
		return nil
	})
}

// sample processes a Sample. Its call chain is innermost first.
func (p *protoParser) sample(b []byte) error {
	var at, event, count uint64
	var tid uint32
	var chain []uint64
	err := protobuf.Fields(b, func(field int, n uint64, body []byte) error {
		switch field {
		case sampleTime:
			at = n
		case sampleThread:
			tid = uint32(n)
		case sampleFrame:
			key, err := p.place(body)
			chain = append(chain, key)
			return err
		case sampleCount:
			count = n
		case sampleEvent:
			event = n
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case at > math.MaxInt64: // such a clock may count from 1970
		return fmt.Errorf("a sample at %d ns", at)
	case count > math.MaxInt64:
		return fmt.Errorf("a sample with an event count of %d", count)
	case event > math.MaxUint16:
		return fmt.Errorf("a sample of event %d", event)
	}
	caller := int32(stackdump.NoNode)
	for i := len(chain) - 1; i >= 0; i-- {
		caller = p.all.Under(caller, chain[i])
	}
	p.all.List = append(p.all.List, stackdump.Sample{At: time.Duration(at), CPU: time.Duration(count), TID: tid, Stack: caller, Event: uint16(event)})
	return nil
}

// place returns the key for the frame of a CallChainEntry.
func (p *protoParser) place(b []byte) (uint64, error) {
	var at place
	err := protobuf.Fields(b, func(field int, n uint64, _ []byte) error {
		switch field {
		case entryAddress:
			at.address = n
		case entryFile:
			at.file = n
		case entrySymbol:
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

// addLibrary processes a File.
func (p *protoParser) addLibrary(b []byte) error {
	var id uint64
	file := &library{}
	err := protobuf.Fields(b, func(field int, n uint64, body []byte) error {
		switch field {
		case fileID:
			id = n
		case filePath:
			file.path = string(body)
		case fileSymbol:
			file.symbols = append(file.symbols, string(body))
		}
		return nil
	})
	p.files[id] = file
	return err
}

// nameThread processes a Thread.
func (p *protoParser) nameThread(b []byte) error {
	var tid uint32
	var th thread
	err := protobuf.Fields(b, func(field int, n uint64, body []byte) error {
		switch field {
		case threadID:
			tid = uint32(n)
		case threadPID:
			th.pid = int(int32(n))
		case threadName:
			th.name = string(body)
		}
		return nil
	})
	p.threads[tid] = th
	return err
}
