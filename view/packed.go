package view

import (
	"encoding/binary"
	"math/bits"
	"time"
)

// spans are intervals of time in order, in packed form with some 4 bytes each.
type spans struct {
	// all but the last: the time from the previous one's begin to its own, and its length
	packed []byte
	before time.Duration
	last   span
	count  int
}

// add adds the interval between two times. If it begins at the end of the last interval, it extends
// that one.
func (s *spans) add(from, to time.Duration) {
	end := s.last.Start + s.last.Duration
	if s.count > 0 && from == end {
		s.last.Duration = to - s.last.Start
		return
	}
	if s.count > 0 {
		s.packed = binary.AppendVarint(s.packed, int64(s.last.Start-s.before))
		s.packed = binary.AppendVarint(s.packed, int64(s.last.Duration))
		s.before = end
	}
	s.last = span{from, to - from}
	s.count++
}

// list returns the intervals.
func (s *spans) list() []span {
	if s.count == 0 {
		return nil
	}
	list, at := make([]span, 0, s.count), time.Duration(0)
	for b := s.packed; len(b) > 0; {
		after, n := binary.Varint(b)
		duration, m := binary.Varint(b[n:])
		b = b[n+m:]
		list = append(list, span{at + time.Duration(after), time.Duration(duration)})
		at += time.Duration(after + duration)
	}
	return append(list, s.last)
}

// bitSet is a set of indexes.
type bitSet []uint64

func newBitSet(n int) bitSet { return make(bitSet, (n+63)/64) }

func (b bitSet) add(i int) { b[i/64] |= 1 << (i % 64) }

// list returns the indexes in ascending order.
func (b bitSet) list() (list []int32) {
	for i, word := range b {
		for ; word != 0; word &= word - 1 {
			list = append(list, int32(64*i+bits.TrailingZeros64(word)))
		}
	}
	return list
}
