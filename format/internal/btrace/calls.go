package btrace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"artifice/format/internal/timeline"
)

func isCalls(head []byte) bool {
	return len(head) >= headerSize && binary.LittleEndian.Uint32(head) == 5 &&
		binary.LittleEndian.Uint32(head[4:]) < 1<<22 && // the largest process id of Linux
		binary.LittleEndian.Uint64(head[16:]) <= binary.LittleEndian.Uint64(head[24:]) &&
		binary.LittleEndian.Uint64(head[24:]) < 1<<60
}

const headerSize, recordSize = 32, 16

func readCalls(s *timeline.Source) error {
	var head [headerSize]byte
	if _, err := io.ReadFull(s.In, head[:]); err != nil {
		return io.ErrUnexpectedEOF
	}
	s.Calls.Ended = true
	pid := binary.LittleEndian.Uint32(head[4:])
	loaded := binary.LittleEndian.Uint64(head[16:])
	begun := binary.LittleEndian.Uint64(head[24:])
	var record [recordSize]byte // declared outside the loop, because it escapes
	for s.Offset = headerSize; ; s.Offset += recordSize {
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
		start = max(start, begun) // a call that was open at the start of the trace
		t := timeline.Thread{Pid: pid, Tid: uint32(w1 >> 23 & (1<<15 - 1))}
		method, err := s.Calls.Numbered(w1 & (1<<23 - 1))
		if err != nil {
			return err
		}
		if err := s.Calls.Whole(t, method, time.Duration(start), time.Duration(end), -1, -1); err != nil {
			return err
		}
	}
}
