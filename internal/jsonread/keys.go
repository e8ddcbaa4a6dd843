package jsonread

import (
	"encoding/binary"
	"slices"
)

// Keys are the keys of members that are looked for in the objects of a file. It remembers
// what stands between values: a comma, a key and a colon, which is the same in most of the
// objects, and in the same order. So [Scanner.Member] compares it with what came the last time,
// and looks at the letters where it differs.
type Keys struct {
	names []string
	begin between // of an object, where nothing stands between values
	known [keysMost]between
	used  int      // of known
	last  *between // the one that was read
}

// keysMost is how many texts between values are remembered, and betweenMost how many bytes
// they have at most.
const keysMost, betweenMost = 32, 16

// between is what stands between two values.
type between struct {
	text, mask [2]uint64 // the first byte is the lowest; mask has the bits of those there are
	length     int
	first      byte // as in Scanner.Member; 0 for what never stands there
	more       bool // it is not the end of an object
	key        int
	next       *between // what came behind the value behind it, the last time
}

// NewKeys returns Keys that looks for names, the first of which is key 1.
func NewKeys(names ...string) *Keys {
	k := &Keys{names: names}
	k.begin.next, k.last = &k.begin, &k.begin
	return k
}

// key returns the number of a key, 0 for one that is not looked for.
func (k *Keys) key(name []byte) int {
	return 1 + slices.IndexFunc(k.names, func(s string) bool { return s == string(name) })
}

// begins reports whether b begins with k and k is what is between values where first is first.
func (k *between) begins(first byte, b *[betweenMost]byte) bool {
	return k.first == first && binary.LittleEndian.Uint64(b[:])&k.mask[0] == k.text[0] && binary.LittleEndian.Uint64(b[8:])&k.mask[1] == k.text[1]
}

// find returns what is known and b begins with, nil if there is none, and expects it from
// now on.
func (k *Keys) find(first byte, b *[betweenMost]byte) *between {
	for i := range k.known[:k.used] {
		if known := &k.known[i]; known.begins(first, b) {
			k.expect(known)
			return known
		}
	}
	return nil
}

// expect makes a text what comes behind the last one.
func (k *Keys) expect(b *between) { k.last.next, k.last = b, b }

// add remembers a text. Where there are too many, all others are forgotten.
func (k *Keys) add(first byte, text []byte, key int, more bool) {
	if k.used == keysMost {
		k.used = 0
	}
	known := &k.known[k.used]
	k.used++
	*known = between{length: len(text), first: first, more: more, key: key, next: &k.begin}
	var b, mask [betweenMost]byte
	for i := range copy(b[:], text) {
		mask[i] = 0xff
	}
	for i := range known.text {
		known.text[i], known.mask[i] = binary.LittleEndian.Uint64(b[8*i:]), binary.LittleEndian.Uint64(mask[8*i:])
	}
	k.expect(known)
}
