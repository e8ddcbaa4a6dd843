// Package rhea repairs the markers of RheaTrace 1 as its own scripts do.
//
// RheaTrace 1 writes a marker where a method begins, where it returns, and where it throws. A
// method that an exception only passes through has a begin and no end. The scripts of 1.0.2 guess
// such ends off-line: repair_rhea_lines_nosort and search_end_trace in trace_doctor.py. This
// package reimplements them for markers read from a file and for those of an emulated ring.
// research/internal/reference has a second implementation to verify this one.
package rhea

import "slices"

// CrashTag is the suffix that RheaTrace 1.0.2 writes after the name of a call with a guessed end.
const CrashTag = ": CrashTag"

// Kind is the kind of a marker.
type Kind uint8

const (
	Begin Kind = iota // "B:", at a method's begin
	End               // "E:", before each return
	Throw             // "T:", before each athrow of the method
)

// Marker contains the fields of a marker that the repair needs. Methods can share a name.
type Marker[Name comparable] struct {
	Kind Kind
	Name Name
}

// Call is a repaired call: the index of its begin, and that of the marker that states the time of
// its end. For a call of length 0 that is the begin itself.
type Call struct {
	Begin, End int
	Guessed    bool // no end was found: the script writes ": CrashTag" after the name
}

// Repair reconstructs the calls of a thread from its markers. It processes them from the last to
// the first:
//
//   - Begins directly before an end of another name end there.
//   - Throws directly before an end of their own name are dropped.
//   - An end is matched with the begin directly before it, if that has the same name. Otherwise
//     the end waits, together with the end or throw directly before it. If the last waiting marker
//     has its name, it waits alone.
//   - A begin is matched with a waiting end of its name. If there is none, it ends at once.
//   - Other throws and unmatched ends are dropped.
//
// So a call that an exception passes through ends with the enclosing call if it makes no calls after
// the exception. Otherwise its length is 0. Of directly recursive calls only the innermost has a
// length: it ends with the outermost. Without an enclosing call, the outermost has its own length,
// too. The calls come in the order of the script's output for equal times: inner calls
// first.
func Repair[Name comparable](markers []Marker[Name]) []Call {
	r := repair[Name]{all: markers, left: len(markers), waits: map[Name]int{}}
	for r.left > 0 {
		switch i := r.pop(); markers[i].Kind {
		case Begin:
			r.begin(i)
		case End:
			r.end(i)
		}
	}
	return r.calls
}

// repair is the state of Repair. Markers are represented by their indices.
type repair[Name comparable] struct {
	all     []Marker[Name]
	left    int          // number of markers not yet processed
	waiting []int        // ends, and throws treated as ends; the next one last
	waits   map[Name]int // number of waiting markers by name
	calls   []Call
}

func (r *repair[Name]) pop() int {
	r.left--
	return r.left
}

// next returns the next marker if it is of the given kind.
func (r *repair[Name]) next(kind Kind) *Marker[Name] {
	if r.left > 0 && r.all[r.left-1].Kind == kind {
		return &r.all[r.left-1]
	}
	return nil
}

func (r *repair[Name]) wait(i int) {
	r.waiting = append(r.waiting, i)
	r.waits[r.all[i].Name]++
}

func (r *repair[Name]) begin(i int) {
	if r.waits[r.all[i].Name] == 0 {
		r.calls = append(r.calls, Call{i, i, true})
		return
	}
	r.calls = append(r.calls, Call{i, r.takeEnd(r.all[i].Name), false})
}

func (r *repair[Name]) end(i int) {
	name := r.all[i].Name
	for m := r.next(Begin); m != nil && m.Name != name; m = r.next(Begin) {
		r.calls = append(r.calls, Call{r.pop(), i, true})
	}
	for m := r.next(Throw); m != nil && m.Name == name; m = r.next(Throw) {
		r.pop()
	}
	if n := len(r.waiting); n > 0 && r.all[r.waiting[n-1]].Name == name {
		r.wait(i)
		return
	}
	if r.next(Throw) != nil {
		r.wait(i)
		r.wait(r.pop())
	}
	if r.next(End) != nil { // after a throw, it waits twice
		r.wait(i)
		r.wait(r.pop())
	} else if m := r.next(Begin); m != nil && m.Name == name {
		r.calls = append(r.calls, Call{r.pop(), i, false})
	}
}

// takeEnd removes the last waiting end of a name. If several are adjacent, it returns the first,
// and the others are lost; but this search never reaches the first of all (search_end_trace).
func (r *repair[Name]) takeEnd(name Name) int {
	last := len(r.waiting) - 1
	for r.all[r.waiting[last]].Name != name {
		last--
	}
	first := last
	for first-1 > 0 && r.all[r.waiting[first-1]].Name == name {
		first--
	}
	end := r.waiting[first]
	r.waits[name] -= last - first + 1
	r.waiting = slices.Delete(r.waiting, first, last+1)
	return end
}
