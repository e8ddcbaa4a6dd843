package timeline

import "math/bits"

// byTime finds the order of entries by time: by the lowest digits of their times, then by
// the next ones (Knuth's radix list sort). Who is earlier of two cannot be foretold, so
// comparing them takes longer.
type byTime struct{ list, spare []placed }

// placed is the time of an entry since the first one, and its place.
type placed struct {
	at    uint64
	place uint32
}

// digitBits are the bits of a digit.
const digitBits = 11

// order returns the places of entries by their time. Those at one time stay as they were.
// The list is valid until the next call.
func (b *byTime) order(entries []entry) []placed {
	if len(entries) == 0 {
		return nil
	}
	first, last := entries[0].Wall, entries[0].Wall
	for i := range entries {
		first, last = min(first, entries[i].Wall), max(last, entries[i].Wall)
	}
	if len(b.list) < len(entries) {
		b.list, b.spare = make([]placed, len(entries)), make([]placed, len(entries))
	}
	list, spare := b.list[:len(entries)], b.spare[:len(entries)]
	for i := range entries {
		list[i] = placed{uint64(entries[i].Wall - first), uint32(i)}
	}
	for shift := 0; shift < bits.Len64(uint64(last-first)); shift += digitBits {
		distribute(list, spare, shift)
		list, spare = spare, list
	}
	return list
}

// distribute moves a list into another, in the order of the digit that begins at a bit.
func distribute(from, to []placed, shift int) {
	var next [1 << digitBits]uint32 // by digit: how many have it, then where the next one goes
	for i := range from {
		next[from[i].at>>shift%(1<<digitBits)]++
	}
	sum := uint32(0)
	for digit, n := range next {
		next[digit], sum = sum, sum+n
	}
	for i := range from {
		at := &next[from[i].at>>shift%(1<<digitBits)]
		to[*at] = from[i]
		*at++
	}
}
