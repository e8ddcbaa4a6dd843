package instrument

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"artifice/internal/rhea"
	"artifice/told"
	"artifice/trace"
)

// marker is an entry of RheaTrace 1's ring.
type marker struct {
	app, wall          time.Duration // by the truth; by the record's clock
	method             trace.MethodID
	rhea.Marker[int32] // methods can share a name
}

// markers are the ring, and how its entries are named.
type markers struct {
	ring   told.Ring[marker]
	names  map[string]int32
	byName []int32 // by method: number of its name, -1 where it is not known yet
}

// name returns the number of a method's name: class without package, and method.
func (r *markers) name(id trace.MethodID, m *trace.Method) int32 {
	for int(id) >= len(r.byName) {
		r.byName = append(r.byName, -1)
	}
	if r.byName[id] < 0 {
		class := m.DottedClass()
		name := class[strings.LastIndexByte(class, '.')+1:] + ":" + m.Name
		if _, ok := r.names[name]; !ok {
			if r.names == nil {
				r.names = map[string]int32{}
			}
			r.names[name] = int32(len(r.names))
		}
		r.byName[id] = r.names[name]
	}
	return r.byName[id]
}

// mark writes a marker to the ring, which has whole microseconds.
func (t *callTracer) mark(th *calling, e *trace.Event, atStart bool) {
	kind, cost := rhea.Begin, t.cfg.Enter
	switch {
	case e.Action == trace.Unwind && th.unwound:
		return // an exception passes through
	case e.Action == trace.Unwind:
		kind, cost = rhea.Throw, t.cfg.Exit
	case e.Action == trace.Exit:
		kind, cost = rhea.End, t.cfg.Exit
	}
	r := &t.markers
	t.entries++
	wall := (th.wall + th.Late).Truncate(time.Microsecond)
	r.ring.Add(marker{th.wall, wall, e.Method, rhea.Marker[int32]{Kind: kind, Name: r.name(e.Method, t.truth.Symbols.Method(e.Method))}})
	if !atStart {
		th.Take(cost)
	}
}

// writeMarkers puts what the repair makes of the ring into the record: begins and ends in
// order of time and, where that is equal, of the repair, which writes inner calls first. An
// end closes the innermost call, whatever its name.
func (t *callTracer) writeMarkers() {
	ring := t.markers.ring.Kept()
	seen := make([]rhea.Marker[int32], len(ring))
	for i := range ring {
		seen[i] = ring[i].Marker
	}
	var all []marker
	for _, c := range rhea.Repair(seen) {
		end := ring[c.End]
		end.Kind = rhea.End
		all = append(all, ring[c.Begin], end)
	}
	slices.SortStableFunc(all, func(a, b marker) int { return cmp.Compare(a.wall, b.wall) })
	var open []trace.MethodID
	app := time.Duration(0)
	for _, m := range all {
		e := trace.Event{Wall: m.wall, Method: m.method}
		if m.Kind == rhea.Begin {
			open = append(open, m.method)
		} else {
			e.Action, e.Method = trace.Exit, open[len(open)-1]
			open = open[:len(open)-1]
		}
		app = max(app, m.app)
		t.reader.Put(e, m.wall, app)
	}
	t.markers = markers{}
}
