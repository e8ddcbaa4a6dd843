package instrument

import (
	"cmp"
	"slices"
	"time"

	"artifice/trace"
)

// marker is an entry of RheaTrace 1's ring.
type marker struct {
	app, wall time.Duration // by the truth; by the record's clock
	method    trace.MethodID
	name      int // as the marker has it; methods can share one
	kind      markerKind
}

type markerKind uint8

const (
	beginMarker markerKind = iota // B: at a method's begin
	endMarker                     // E: before each return
	throwMarker                   // T: before each athrow of the method
)

// markers are the ring, and how its entries are named.
type markers struct {
	ring   []marker // the last ones, up to twice as many as are kept
	names  map[string]int
	byName []int // by method: number of its name, -1 where it is not known yet
}

// name returns the number of a method's name: class without package, and method.
func (r *markers) name(id trace.MethodID, m *trace.Method) int {
	for int(id) >= len(r.byName) {
		r.byName = append(r.byName, -1)
	}
	if r.byName[id] < 0 {
		class := m.DottedClass()
		name := class[lastDot(class)+1:] + ":" + m.Name
		if _, ok := r.names[name]; !ok {
			if r.names == nil {
				r.names = map[string]int{}
			}
			r.names[name] = len(r.names)
		}
		r.byName[id] = r.names[name]
	}
	return r.byName[id]
}

func lastDot(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return i
		}
	}
	return -1
}

// mark writes a marker to the ring, which has whole microseconds.
func (t *CallsReader) mark(th *calling, e *trace.Event) {
	kind, cost := beginMarker, t.cfg.Enter
	switch {
	case e.Action == trace.Unwind && th.unwound:
		return // an exception passes through
	case e.Action == trace.Unwind:
		kind, cost = throwMarker, t.cfg.Exit
	case e.Action == trace.Exit:
		kind, cost = endMarker, t.cfg.Exit
	}
	r := &t.markers
	t.entries++
	wall := (th.wall + th.taken).Truncate(time.Microsecond)
	r.ring = append(r.ring, marker{th.wall, wall, e.Method, r.name(e.Method, t.truth.Symbols.Method(e.Method)), kind})
	if n := int(t.cfg.Ring); n > 0 && len(r.ring) >= 2*n {
		r.ring = append(r.ring[:0:0], r.ring[len(r.ring)-n:]...)
	}
	th.taken += cost
}

// marked is a call as the repair writes it: a begin and an end.
type marked struct{ begin, end marker }

// repair makes calls of markers as RheaTrace 1.0.2 does (repair_rhea_lines_nosort in
// trace_doctor.py). It goes through them from the last to the first:
//
//   - begins right before an end of another name end there,
//   - an end takes the begin right before it, if that has its name; otherwise it waits, as
//     does a throw right before it,
//   - a begin takes an end that waits for its name; if there is none, it ends at once,
//   - other throws are dropped, and so are ends that wait in vain.
//
// So a call that an exception has passed through ends with the call around it if nothing
// was called after it, and has no length if something was; of three calls of a method
// in each other one has no length.
func repair(rest []marker) (calls []marked) {
	var waiting []marker
	waits := map[int]int{} // by name: how many
	wait := func(m marker) {
		waiting = append(waiting, m)
		waits[m.name]++
	}
	pop := func() (m marker) {
		m, rest = rest[len(rest)-1], rest[:len(rest)-1]
		return m
	}
	before := func(kind markerKind) *marker {
		if n := len(rest); n > 0 && rest[n-1].kind == kind {
			return &rest[n-1]
		}
		return nil
	}
	for len(rest) > 0 {
		m := pop()
		switch m.kind {
		case throwMarker:
			continue
		case beginMarker:
			end := m
			if waits[m.name] > 0 {
				end, waiting = takeEnd(waiting, waits, m.name)
			}
			calls = append(calls, marked{m, end})
			continue
		}
		for b := before(beginMarker); b != nil && b.name != m.name; b = before(beginMarker) {
			calls = append(calls, marked{pop(), m})
		}
		for b := before(throwMarker); b != nil && b.name == m.name; b = before(throwMarker) {
			pop()
		}
		if n := len(waiting); n > 0 && waiting[n-1].name == m.name {
			wait(m)
			continue
		}
		if before(throwMarker) != nil {
			wait(m)
			wait(pop())
		}
		if before(endMarker) != nil {
			wait(m)
			wait(pop())
		} else if b := before(beginMarker); b != nil && b.name == m.name {
			calls = append(calls, marked{pop(), m})
		}
	}
	return calls
}

// takeEnd takes the last end of a name out of those that wait. Of several in a row it is the
// first, and the others are lost; but the very first of all is never reached so
// (search_end_trace).
func takeEnd(waiting []marker, waits map[int]int, name int) (marker, []marker) {
	i := len(waiting) - 1
	for waiting[i].name != name {
		i--
	}
	first := i
	for first-1 > 0 && waiting[first-1].name == name {
		first--
	}
	end := waiting[first]
	waits[name] -= i - first + 1
	return end, slices.Delete(waiting, first, i+1)
}

// writeMarkers puts what the repair makes of the ring into the record: begins and ends in
// order of time and, where that is equal, of the repair, which writes inner calls first. An
// end closes the innermost call, whatever its name.
func (t *CallsReader) writeMarkers() {
	ring := t.markers.ring
	if n := int(t.cfg.Ring); n > 0 {
		ring = ring[max(0, len(ring)-n):]
	}
	var all []marker
	for _, c := range repair(ring) {
		c.end.kind = endMarker
		all = append(all, c.begin, c.end)
	}
	slices.SortStableFunc(all, func(a, b marker) int { return cmp.Compare(a.wall, b.wall) })
	var open []trace.MethodID
	app := time.Duration(0)
	for _, m := range all {
		e := trace.Event{Wall: m.wall, Method: m.method}
		if m.kind == beginMarker {
			open = append(open, m.method)
		} else {
			e.Action, e.Method = trace.Exit, open[len(open)-1]
			open = open[:len(open)-1]
		}
		at := m.wall
		if app = max(app, m.app); t.cfg.Observer != nil {
			at = app
		}
		t.sorter.Push(e, at)
	}
	t.markers = markers{}
}
