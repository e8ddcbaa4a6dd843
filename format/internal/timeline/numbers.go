package timeline

import (
	"encoding/binary"

	"artifice/internal/jsonread"
	"artifice/trace"
)

// Numbers maps numbers, such as ids of threads, to values. Recently used numbers are found without
// a map lookup.
type Numbers[V any] struct {
	all    map[uint64]V
	recent [64]struct {
		key   uint64
		known bool
		value V
	}
}

// slot returns the cache slot of a number.
func slot(key uint64) uint64 { return key * 0x9e3779b97f4a7c15 >> 58 } // Fibonacci hashing: to 64 slots

// Get returns the value for a number.
func (n *Numbers[V]) Get(key uint64) (v V, ok bool) {
	r := &n.recent[slot(key)]
	if r.key == key && r.known {
		return r.value, true
	}
	if v, ok = n.all[key]; ok {
		r.key, r.known, r.value = key, true, v
	}
	return v, ok
}

// Set sets the value for a number.
func (n *Numbers[V]) Set(key uint64, v V) {
	if n.all == nil {
		n.all = map[uint64]V{}
	}
	n.all[key] = v
	r := &n.recent[slot(key)]
	r.key, r.known, r.value = key, true, v
}

// names maps names to methods. Recently used names are found without a map lookup.
type names struct {
	all    map[string]*named
	recent [1024]*named
}

type named struct {
	name  string
	id    trace.MethodID
	plain bool // as jsonread.Plain
}

// slot returns the cache slot of a name. It depends on the length and the last 16 bytes of the
// name, because the first bytes are those of a package.
func (n *names) slot(name []byte) **named {
	var short [16]byte
	last := name
	if len(name) < len(short) {
		copy(short[:], name)
		last = short[:]
	}
	last = last[len(last)-len(short):]
	x := binary.LittleEndian.Uint64(last)*0x9e3779b97f4a7c15 ^ binary.LittleEndian.Uint64(last[8:])*0xc2b2ae3d27d4eb4f
	return &n.recent[(x+uint64(len(name)))*0x9e3779b97f4a7c15>>54]
}

// cached returns the method with a name if the name is [jsonread.Plain] and was looked up recently.
func (n *names) cached(name []byte) (id trace.MethodID, ok bool) {
	if r := *n.slot(name); r != nil && r.plain && r.name == string(name) {
		return r.id, true
	}
	return 0, false
}

// get returns the method with a name, or nil if there is none.
func (n *names) get(name []byte) *named {
	recent := n.slot(name)
	if r := *recent; r != nil && r.name == string(name) {
		return r
	}
	r := n.all[string(name)] // does not allocate
	if r != nil {
		*recent = r
	}
	return r
}

// set sets the method for a name.
func (n *names) set(name []byte, id trace.MethodID) *named {
	if n.all == nil {
		n.all = map[string]*named{}
	}
	r := &named{string(name), id, jsonread.Plain(name)}
	n.all[r.name] = r
	*n.slot(name) = r
	return r
}
