package timeline

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// btraceFormat is the binary file of btrace 2, rhea-atrace.bin: a header of 32
// bytes (u4 version 5, u4 process id, u8 CLOCK_BOOTTIME and u8 CLOCK_MONOTONIC when
// the library was loaded, u8 CLOCK_MONOTONIC when this trace began; little endian)
// and a record of 16 bytes for each call that returned:
//
//	u8  start << 19 | took >> 26          ns, start since the library was loaded
//	u8  took << 38 | thread << 23 | method  the low 26, 15 and 23 bits
//
// A call that an exception passed through has no record; its callees have. Records
// of 0 were reserved and never written. Methods are numbers. Thread ids from 32768
// on spoil the duration when they are written, which cannot be told.
var btraceFormat = Format{
	Name: "btrace", Description: "btrace 2's rhea-atrace.bin: a record per call",
	Sniff: func(head []byte) bool {
		return len(head) >= btraceHeader && binary.LittleEndian.Uint32(head) == 5 &&
			binary.LittleEndian.Uint32(head[4:]) < 1<<22 && // the largest process id of Linux
			binary.LittleEndian.Uint64(head[16:]) <= binary.LittleEndian.Uint64(head[24:]) &&
			binary.LittleEndian.Uint64(head[24:]) < 1<<60
	},
	Numbered: true, Binary: true,
	Read: readBtrace,
}

const btraceHeader, btraceRecord = 32, 16

func readBtrace(s *Source) error {
	var head [btraceHeader]byte
	if _, err := io.ReadFull(s.In, head[:]); err != nil {
		return io.ErrUnexpectedEOF
	}
	s.Calls.ended = true
	pid := binary.LittleEndian.Uint32(head[4:])
	loaded := binary.LittleEndian.Uint64(head[16:])
	begun := binary.LittleEndian.Uint64(head[24:])
	var record [btraceRecord]byte // not in the loop: it escapes
	for s.Offset = btraceHeader; ; s.Offset += btraceRecord {
		if err := s.Stop(); err != nil {
			return err
		}
		switch _, err := io.ReadFull(s.In, record[:]); {
		case err == io.EOF:
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("a record is cut: %w", err)
		case err != nil:
			return err
		}
		w0, w1 := binary.LittleEndian.Uint64(record[:]), binary.LittleEndian.Uint64(record[8:])
		if w1 == 0 {
			continue
		}
		took := (w0&(1<<19-1))<<26 | w1>>38
		start := loaded + w0>>19
		end := start + took
		start = max(start, begun) // a call that was open then
		t := Thread{pid, uint32(w1 >> 23 & (1<<15 - 1))}
		method, err := s.Calls.methodOfID(w1 & (1<<23 - 1))
		if err != nil {
			return err
		}
		if err := s.Calls.callOf(t, method, time.Duration(start), time.Duration(end), -1, -1); err != nil {
			return err
		}
	}
}
