package jsonread

import (
	"encoding/binary"
	"slices"
)

// Keys are the object keys that a reader of a file uses. Keys caches the text between values: a
// comma, a key and a colon. Most objects have the same keys in the same order, so [Scanner.Member]
// first compares the text with the one that followed the last time. It parses the text only if it
// differs.
type Keys struct {
	names []string
	begin between // of an object without white space
	known [keysMax]between
	used  int      // number of known texts in use
	last  *between // the text read last
}

// keysMax is the number of cached texts, and betweenMax the maximum length of one in bytes.
const keysMax, betweenMax = 32, 16

// between is a text between two values.
type between struct {
	text, mask [2]uint64 // the first byte is the lowest; mask covers the bytes of the text
	length     int
	first      byte // as in Scanner.Member; 0 for a text that never occurs
	more       bool // false at the end of an object
	key        int
	next       *between // the text that followed the next value the last time
}

// NewKeys returns the Keys of names. The first name is key 1.
func NewKeys(names ...string) *Keys {
	k := &Keys{names: names}
	k.begin.next, k.last = &k.begin, &k.begin
	return k
}

// key returns the number of a key, 0 for a key that is not used.
func (k *Keys) key(name []byte) int {
	return 1 + slices.IndexFunc(k.names, func(s string) bool { return s == string(name) })
}

// begins reports whether b begins with k, a text that begins with the character first.
func (k *between) begins(first byte, b *[betweenMax]byte) bool {
	return k.first == first && binary.LittleEndian.Uint64(b[:])&k.mask[0] == k.text[0] && binary.LittleEndian.Uint64(b[8:])&k.mask[1] == k.text[1]
}

// find returns the cached text that b begins with and expects it from now on. It returns nil if
// there is none.
func (k *Keys) find(first byte, b *[betweenMax]byte) *between {
	for i := range k.known[:k.used] {
		if known := &k.known[i]; known.begins(first, b) {
			k.expect(known)
			return known
		}
	}
	return nil
}

// expect makes b the successor of the last text.
func (k *Keys) expect(b *between) { k.last.next, k.last = b, b }

// add caches a text. A full cache is emptied first.
func (k *Keys) add(first byte, text []byte, key int, more bool) {
	if k.used == keysMax {
		k.used = 0
	}
	known := &k.known[k.used]
	k.used++
	*known = between{length: len(text), first: first, more: more, key: key, next: &k.begin}
	var b, mask [betweenMax]byte
	for i := range copy(b[:], text) {
		mask[i] = 0xff
	}
	for i := range known.text {
		known.text[i], known.mask[i] = binary.LittleEndian.Uint64(b[8*i:]), binary.LittleEndian.Uint64(mask[8*i:])
	}
	k.expect(known)
}
