package protobuf

import "encoding/binary"

// Slots maps the tags of integer fields with numbers below 128 to indexes from 1 to 15. Tags of
// other fields map to 0.
type Slots [1024]uint8

// NewSlots returns the slots of a message: field numbers[i] has slot i+1.
func NewSlots(numbers ...int) *Slots {
	var s Slots
	for i, number := range numbers {
		s[uint64(number)<<3|Varint] = uint8(i + 1)
	}
	return &s
}

// Integers are the values of the integer fields of a message, by slot.
type Integers struct {
	Value [16]uint64
	has   uint32 // a bit for each slot with a value
}

// Has reports whether the message has the field of a slot.
func (n *Integers) Has(slot uint) bool { return n.has>>slot&1 != 0 }

// Read decodes the fields of the message b from the offset at, until b ends or a field begins that
// has no slot, repeats one or is not plainly encoded. It returns the end of the last decoded field,
// where [Next] continues. A message of a few integers is decoded faster than by [Next], because no
// branch depends on the order of its fields.
func (n *Integers) Read(s *Slots, b []byte, at int) (end int) {
	all, has := b[:cap(b)], n.has // all as in Next
	for at < len(b) && at <= len(all)-maxShort {
		tag, i := uint64(all[at]), at+1
		if tag >= 0x80 {
			tag = tag&0x7f | uint64(all[i])<<7
			i++
		}
		if tag >= uint64(len(s)) {
			break
		}
		slot := s[tag] & 15
		value, size := uint64(all[i]), 1
		if value >= 0x80 {
			value, size = Sevens(binary.LittleEndian.Uint64(all[i : i+8]))
		}
		if slot == 0 || has>>slot&1 != 0 || size > 8 || i+size > len(b) {
			break
		}
		n.Value[slot] = value
		has |= 1 << slot
		at = i + size
	}
	n.has = has
	return at
}

// Set stores the value of a field that [Next] decoded, if the field has a slot.
func (n *Integers) Set(s *Slots, tag, value uint64) {
	if tag < uint64(len(s)) && s[tag] != 0 {
		n.Value[s[tag]&15] = value
		n.has |= 1 << s[tag]
	}
}
