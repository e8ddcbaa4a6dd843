package profileproto

import (
	"bufio"
	"bytes"
	"hash/maphash"
	"unicode/utf8"

	"artifice/internal/protobuf"
)

// stringTable contains the distinct strings of a profile, numbered in the order of their first
// use. In memory they have the form of the profile: consecutive fields. A million methods have two
// million strings, and the garbage collector would have to follow each pointer of a map and a
// list.
type stringTable struct {
	seed   maphash.Seed
	places []stringPlace // by number
	blocks [][]byte      // of complete fields
	slots  []stringSlot  // open addressing by hash; a slot with number 0 is free
	plain  []byte        // reused
	field  []byte        // reused
}

// stringPlace is the position of a field.
type stringPlace struct{ block, offset uint32 }

// stringSlot is a slot of the hash table. The hash distinguishes most strings without reading
// them.
type stringSlot struct {
	hash   uint32
	number uint32 // the string's number plus 1
}

// stringBlock is the size of a block in bytes, unless one field is longer.
const stringBlock = 1 << 16

func newStringTable() *stringTable {
	return &stringTable{seed: maphash.MakeSeed(), slots: make([]stringSlot, 1<<10)}
}

// number implements [Writer.Text].
func (t *stringTable) number(parts ...string) int64 {
	t.plain = t.plain[:0]
	for _, s := range parts {
		t.plain = append(t.plain, s...)
	}
	if !utf8.Valid(t.plain) {
		t.plain = bytes.ToValidUTF8(t.plain, []byte("\uFFFD"))
	}
	t.field = append(protobuf.AppendHead(t.field[:0], StringTable, len(t.plain)), t.plain...)
	if 4*len(t.places) >= 3*len(t.slots) {
		t.grow()
	}
	slot := stringSlot{hash: uint32(maphash.Bytes(t.seed, t.field))}
	at := t.find(slot.hash, t.field)
	if t.slots[at].number == 0 {
		t.places = append(t.places, t.keep(t.field))
		slot.number = uint32(len(t.places))
		t.slots[at] = slot
	}
	return int64(t.slots[at].number - 1)
}

// find returns the slot of a field, or the free slot for it. A field begins with its length, so no
// field is a prefix of another.
func (t *stringTable) find(hash uint32, field []byte) int {
	mask := len(t.slots) - 1
	for at := int(hash) & mask; ; at = (at + 1) & mask {
		s := t.slots[at]
		if s.number == 0 {
			return at
		}
		if p := t.places[s.number-1]; s.hash == hash && bytes.HasPrefix(t.blocks[p.block][p.offset:], field) {
			return at
		}
	}
}

// grow doubles the hash table.
func (t *stringTable) grow() {
	old := t.slots
	t.slots = make([]stringSlot, 2*len(old))
	mask := len(t.slots) - 1
	for _, s := range old {
		if s.number == 0 {
			continue
		}
		at := int(s.hash) & mask
		for t.slots[at].number != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = s
	}
}

// keep appends a copy of a field.
func (t *stringTable) keep(field []byte) stringPlace {
	last := len(t.blocks) - 1
	if last < 0 || len(t.blocks[last])+len(field) > cap(t.blocks[last]) {
		t.blocks = append(t.blocks, make([]byte, 0, max(stringBlock, len(field))))
		last++
	}
	offset := len(t.blocks[last])
	t.blocks[last] = append(t.blocks[last], field...)
	return stringPlace{uint32(last), uint32(offset)}
}

// write writes the fields in the order of their numbers. Flush returns an error of w.
func (t *stringTable) write(w *bufio.Writer) {
	for _, b := range t.blocks {
		w.Write(b)
	}
}
