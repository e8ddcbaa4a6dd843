package timeline

import (
	"fmt"

	"artifice/trace"
)

// interned are the names of a sequence by their numbers, which tracing services count
// from 1 up.
type interned struct {
	low  []internedName // by number
	high map[uint64]*internedName
}

type internedName struct {
	text   []byte
	used   bool // method is known
	method trace.MethodID
}

// set gives a name to a number.
func (n *interned) set(id uint64, text []byte) {
	if len(n.low) == 0 {
		n.low = make([]internedName, 1, 16) // 0 stands for none
	}
	switch {
	case id < uint64(len(n.low)):
		n.low[id] = internedName{text: text}
	case id == uint64(len(n.low)):
		n.low = append(n.low, internedName{text: text})
	default:
		if n.high == nil {
			n.high = map[uint64]*internedName{}
		}
		n.high[id] = &internedName{text: text}
	}
}

// method returns the method of the name with a number, a made-up one where nothing has
// given it a name.
func (n *interned) method(c *calls, id uint64) (m trace.MethodID, err error) {
	var name *internedName
	if id < uint64(len(n.low)) {
		name = &n.low[id]
	} else if name = n.high[id]; name == nil {
		return c.method(fmt.Appendf(nil, "name_%d", id))
	}
	if !name.used {
		if name.method, err = c.method(name.text); err != nil {
			return 0, err
		}
		name.used = true
	}
	return name.method, nil
}
