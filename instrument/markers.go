package instrument

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"artifice/internal/eventlog"
	"artifice/internal/rhea"
	"artifice/trace"
)

// marker is an entry of RheaTrace 1's ring.
type marker struct {
	thread             trace.ThreadID
	app, wall          time.Duration // app is in the truth's time, wall by the record's clock
	method             trace.MethodID
	rhea.Marker[int32] // its Name is a number: methods can share a name
}

// markers is the ring, shared by all threads, and the names of its entries.
type markers struct {
	ring   eventlog.Heap[marker] // the last markers, earliest first
	most   int64                 // capacity; 0: unlimited
	added  uint64
	names  map[string]int32
	byName []int32 // by method: number of its name, or -1 if not known yet
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

// add adds a marker that a thread writes at a time of the record.
func (r *markers) add(at time.Duration, m marker) {
	r.added++
	r.ring.Push(eventlog.Item[marker]{At: at, Tie: r.added, Value: m})
	if r.most > 0 && int64(len(r.ring)) > r.most {
		r.ring.Pop()
	}
}

// byThread returns the markers of each thread in their order.
func (r *markers) byThread(threads int) [][]marker {
	of := make([][]marker, threads)
	for len(r.ring) > 0 {
		m := r.ring.Pop().Value
		of[m.thread] = append(of[m.thread], m)
	}
	return of
}

// mark writes a marker to the ring, in whole microseconds.
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
	at := th.wall + th.Late
	r.add(at, marker{e.Thread, th.wall, at.Truncate(time.Microsecond), e.Method, rhea.Marker[int32]{Kind: kind, Name: r.name(e.Method, t.truth.Symbols.Method(e.Method))}})
	if !atStart {
		th.Take(cost)
	}
}

// writeMarkers writes the repaired markers of each thread in the ring to the record: begins and
// ends in order of time. Ties are ordered by thread, then as the repair writes them, inner calls
// first. An end closes the innermost call of its thread, whatever its name.
func (t *callTracer) writeMarkers() {
	var all []marker
	for _, kept := range t.markers.byThread(len(t.threads)) {
		seen := make([]rhea.Marker[int32], len(kept))
		for i := range kept {
			seen[i] = kept[i].Marker
		}
		for _, c := range rhea.Repair(seen) {
			end := kept[c.End]
			end.Kind = rhea.End
			all = append(all, kept[c.Begin], end)
		}
	}
	slices.SortStableFunc(all, func(a, b marker) int { return cmp.Compare(a.wall, b.wall) })
	open := make([][]trace.MethodID, len(t.threads))
	app := time.Duration(0)
	for _, m := range all {
		e := trace.Event{Wall: m.wall, Method: m.method, Thread: m.thread}
		if of := &open[m.thread]; m.Kind == rhea.Begin {
			*of = append(*of, m.method)
		} else {
			e.Action, e.Method = trace.Exit, (*of)[len(*of)-1]
			*of = (*of)[:len(*of)-1]
		}
		app = max(app, m.app)
		t.reader.Put(e, m.wall, app)
	}
	t.markers = markers{}
}
