package matrix

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"artifice/format/internal/timeline"
	"artifice/trace"
)

// word is an entry of the buffer: a begin or an end.
type word uint64

func (w word) begins() bool        { return w>>63 != 0 }
func (w word) method() uint32      { return uint32(w >> 43 & 0xfffff) }
func (w word) time() time.Duration { return time.Duration(w&(1<<43-1)) * time.Millisecond }

// orderOf returns the byte order of the buffer that begins with head. It returns nil for other
// files: their bytes, read as words, have times that often decrease or span years.
func orderOf(head []byte) binary.ByteOrder {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		words, begins, back := 0, 0, 0
		last, first := time.Duration(0), time.Duration(-1)
		for b := head; len(b) >= 8; b = b[8:] {
			w := word(order.Uint64(b))
			if w == 0 {
				continue
			}
			if first < 0 {
				first = w.time()
			}
			if words++; w.time() < last {
				back++
			}
			if w.begins() {
				begins++
			}
			last = w.time()
		}
		const day = 24 * time.Hour
		if words >= 2 && begins > 0 && back <= 1 && first < 365*day && last < 365*day && len(head)%8 == 0 {
			return order
		}
	}
	return nil
}

func readBuffer(s *timeline.Source) error {
	head, _ := s.In.Peek(timeline.SniffLen)
	order := orderOf(head[:len(head)&^7])
	if order == nil {
		return errors.New("not a buffer of Matrix: its times go back, or no call begins")
	}
	words, err := readWords(s, order)
	if err != nil {
		return err
	}
	main := timeline.Thread{Tid: 1}
	if err := s.Calls.Name(main, []byte("main")); err != nil {
		return err
	}
	last := words[len(words)-1].time()
	open, lost := match(words)
	if lost > 0 {
		s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnNesting, s.Name, "%d begins without an end and ends without a begin are ignored, as Matrix does", lost))
	}
	id, err := s.Calls.Thread(main)
	if err != nil {
		return err
	}
	for _, w := range words {
		switch {
		case w == 0:
		case w.begins():
			var method trace.MethodID
			if method, err = s.Calls.Numbered(uint64(w.method())); err == nil {
				err = s.Calls.BeginOf(id, method, w.time(), -1)
			}
		default:
			err = s.Calls.End(main, nil, w.time(), -1)
		}
		if err != nil {
			return err
		}
	}
	for range open {
		if err := s.Calls.End(main, nil, last, -1); err != nil {
			return err
		}
	}
	return nil
}

// match clears the words that Matrix ignores, and returns the number of calls that are open at
// the end and the number of words that it cleared.
func match(words []word) (open, lost int) {
	var stack []int
	leaveOut := func(indexes ...int) {
		for _, i := range indexes {
			words[i] = 0
			lost++
		}
	}
	for i, w := range words {
		dispatches := w.method() == timeline.DispatchMessage
		switch {
		case w.begins() && dispatches: // a new message begins: the end of the previous one is lost
			leaveOut(stack...)
			stack = append(stack[:0], i)
		case w.begins() && len(stack) > 0:
			stack = append(stack, i)
		case w.begins():
			leaveOut(i)
		default:
			at := len(stack) - 1
			for at >= 0 && words[stack[at]].method() != w.method() {
				at--
			}
			if at < 0 {
				leaveOut(i)
				break
			}
			leaveOut(stack[at+1:]...)
			stack = stack[:at]
		}
	}
	return len(stack), lost
}

// readWords reads all words, the oldest first.
func readWords(s *timeline.Source, order binary.ByteOrder) ([]word, error) {
	var words []word
	turn := 0 // index of the first word of the ring
	var b [8]byte
	for {
		if err := s.Stop(); err != nil {
			return nil, err
		}
		switch _, err := io.ReadFull(s.In, b[:]); {
		case err == io.EOF:
			return append(words[turn:], words[:turn]...), nil
		case err != nil:
			return nil, fmt.Errorf("a word is cut: %w", err)
		}
		s.Offset += 8
		w := word(order.Uint64(b[:]))
		if w == 0 {
			continue
		}
		if n := len(words); n > 0 && w.time() < words[n-1].time() {
			if turn > 0 {
				return nil, errors.New("the times decrease twice; those of a ring buffer decrease at most once")
			}
			turn = n
		}
		words = append(words, w)
		if turn > 0 && w.time() > words[0].time() {
			return nil, errors.New("times decrease, but not as in a ring buffer that wrapped")
		}
	}
}
