package dmtrace

import "artifice/trace"

// methodTable has the methods of a file in format V2 by id, which is any number of 64
// bits: as a rule an address. It is a hash table of which a quarter to a half is in use,
// so that nearly always the first look finds the method; a Go map takes four times as
// long.
type methodTable struct {
	slots []methodSlot // as many as a power of two
	shift uint8        // of a hash, to be a place
	used  int
}

type methodSlot struct {
	id    uint64
	index uint32 // 1 + index; 0 for none
}

// find returns the method with that id.
func (t *methodTable) find(id uint64) (trace.MethodID, bool) {
	if t.used == 0 {
		return 0, false
	}
	s := t.slot(id)
	return trace.MethodID(s.index - 1), s.index != 0
}

// hash mixes ids, which are addresses with a stride.
func hash(id uint64) uint64 { return id * 0x9e3779b97f4a7c15 }

// slot returns where the method with that id is, or would be: the first place from
// that of its hash on which has it or none.
func (t *methodTable) slot(id uint64) *methodSlot {
	i := hash(id) >> t.shift
	for {
		s := &t.slots[i]
		if s.id == id || s.index == 0 {
			return s
		}
		i = (i + 1) & uint64(len(t.slots)-1)
	}
}

// set makes index the method with that id.
func (t *methodTable) set(id uint64, index trace.MethodID) {
	if 2*t.used >= len(t.slots) {
		t.grow()
	}
	s := t.slot(id)
	if s.index == 0 {
		t.used++
	}
	s.id, s.index = id, uint32(index)+1
}

func (t *methodTable) grow() {
	old := t.slots
	t.slots, t.shift = make([]methodSlot, 1<<10), 64-10
	for len(t.slots) < 4*t.used {
		t.slots, t.shift = make([]methodSlot, 2*len(t.slots)), t.shift-1
	}
	for _, s := range old {
		if s.index != 0 {
			*t.slot(s.id) = s
		}
	}
}
