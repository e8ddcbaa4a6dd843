package perfetto

import (
	"fmt"
	"slices"

	"artifice/format/internal/timeline"
	"artifice/trace"
)

// interned are the names of a sequence by their numbers, which are mostly small.
type interned struct {
	low  []internedName // by number; others are in high
	high map[uint64]*internedName
	sets int
}

type internedName struct {
	text   []byte // nil where there is none
	used   bool   // method is known
	method trace.MethodID
}

// set gives a name, which is not nil, to a number.
func (n *interned) set(id uint64, text []byte) {
	n.sets++
	if most := uint64(16 + 8*n.sets); id < most { // so memory is in proportion
		if id >= uint64(len(n.low)) {
			n.low = slices.Grow(n.low, int(id)+1-len(n.low))[:id+1]
		}
		n.low[id] = internedName{text: text}
		return
	}
	if n.high == nil {
		n.high = map[uint64]*internedName{}
	}
	n.high[id] = &internedName{text: text}
}

// method returns the method of the name with a number, a made-up one where nothing has
// given it a name.
func (n *interned) method(c *timeline.Calls, id uint64) (m trace.MethodID, err error) {
	var name *internedName
	if id < uint64(len(n.low)) && n.low[id].text != nil {
		name = &n.low[id]
	} else if name = n.high[id]; name == nil {
		return c.Method(fmt.Appendf(nil, "name_%d", id))
	}
	if !name.used {
		if name.method, err = c.Method(name.text); err != nil {
			return 0, err
		}
		name.used = true
	}
	return name.method, nil
}
