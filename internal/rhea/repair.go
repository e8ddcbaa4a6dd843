// Package rhea repairs the markers of RheaTrace 1 as its own scripts do.
//
// RheaTrace 1 marks where a method begins, where it returns, and where it throws. A
// method that an exception merely passes through has a begin and no end. The scripts of
// 1.0.2 guess such ends off-line: repair_rhea_lines_nosort and search_end_trace in
// trace_doctor.py. What these do stands here once, for markers that are read from a file
// and for those of an emulated ring. research/internal/reference has it a second time, to check this.
package rhea

import "slices"

// CrashTag is what RheaTrace 1.0.2 writes after the name of a call whose end it has
// guessed.
const CrashTag = ": CrashTag"

// Kind is what a marker stands for.
type Kind uint8

const (
	Begin Kind = iota // "B:", at a method's begin
	End               // "E:", before each return
	Throw             // "T:", before each athrow of the method
)

// Marker is what the repair looks at of a marker. Methods can share a name.
type Marker[Name comparable] struct {
	Kind Kind
	Name Name
}

// Call is a call that the repair makes of markers: the index of its begin, and that of
// the marker at whose time it ends, which is the begin itself for a call of no length.
type Call struct {
	Begin, End int
	Guessed    bool // no end was found: the script writes ": CrashTag" behind the name
}

// Repair makes calls of the markers of a thread. It goes through them from the last to
// the first:
//
//   - begins right before an end of another name end there,
//   - throws right before an end of their own name are dropped,
//   - an end takes the begin right before it, if that has its name; otherwise it waits
//     together with the end or throw right before it, or, behind one that waits and has its
//     name, alone,
//   - a begin takes an end that waits for its name; if there is none, it ends at once,
//   - other throws are dropped, and so are ends that wait in vain.
//
// So a call that an exception has passed through ends with the call around it if nothing
// was called after it, and has no length if something was. Of calls of a method right in
// each other only the innermost has a length, and it is that of the outermost; where no
// call is around them, the outermost has its length too. The calls come in the order in which the script
// writes them, which is that of equal times in its output: inner calls first.
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

// repair is a repair under way. Markers stand for themselves by their indices.
type repair[Name comparable] struct {
	all     []Marker[Name]
	left    int          // how many are to come
	waiting []int        // ends, and throws that are taken for such, the next one last
	waits   map[Name]int // how many of them have a name
	calls   []Call
}

func (r *repair[Name]) pop() int {
	r.left--
	return r.left
}

// next returns the marker that is to come next, if it is of a kind.
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
	if r.next(End) != nil { // then it waits twice, if there was a throw as well
		r.wait(i)
		r.wait(r.pop())
	} else if m := r.next(Begin); m != nil && m.Name == name {
		r.calls = append(r.calls, Call{r.pop(), i, false})
	}
}

// takeEnd takes the last end of a name out of those that wait. Of several in a row it is the
// first, and the others are lost; but the very first of all is never reached so
// (search_end_trace).
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
