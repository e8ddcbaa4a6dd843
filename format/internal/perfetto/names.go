package perfetto

import (
	"fmt"
	"slices"

	"artifice/format/internal/timeline"
	"artifice/trace"
)

// interned are the names of a sequence by number. Most numbers are small.
type interned struct {
	low  []internedName // by number; larger numbers are in high
	high map[uint64]*internedName
	sets int
}

type internedName struct {
	text   []byte // nil if the number has no name
	used   bool   // method has been set
	method trace.MethodID
}

// set sets the name of a number; the name must not be nil.
func (n *interned) set(id uint64, text []byte) {
	n.sets++
	// this keeps the memory proportional to the number of names
	if most := uint64(16 + 8*n.sets); id < most {
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

// get returns the name with a number, or nil if the number has no name.
func (n *interned) get(id uint64) *internedName {
	if id < uint64(len(n.low)) && n.low[id].text != nil {
		return &n.low[id]
	}
	return n.high[id]
}

// method returns the method for the name with a number. It makes up a method if the number has no
// name.
func (n *interned) method(c *timeline.Calls, id uint64) (m trace.MethodID, err error) {
	name := n.get(id)
	if name == nil {
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
