package timeline

// numbers maps numbers, such as ids of threads, to values. Those that were asked for
// lately are found without a look into the map.
type numbers[V any] struct {
	all    map[uint64]V
	recent [64]struct {
		key   uint64
		known bool
		value V
	}
}

// slot returns where a number is kept that was asked for lately.
func slot(key uint64) uint64 { return key * 0x9e3779b97f4a7c15 >> 58 } // Fibonacci hashing: to 64 slots

// get returns the value of a number.
func (n *numbers[V]) get(key uint64) (v V, ok bool) {
	r := &n.recent[slot(key)]
	if r.key == key && r.known {
		return r.value, true
	}
	if v, ok = n.all[key]; ok {
		r.key, r.known, r.value = key, true, v
	}
	return v, ok
}

// set gives a number a value.
func (n *numbers[V]) set(key uint64, v V) {
	if n.all == nil {
		n.all = map[uint64]V{}
	}
	n.all[key] = v
	r := &n.recent[slot(key)]
	r.key, r.known, r.value = key, true, v
}
