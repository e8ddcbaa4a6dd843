package view

import (
	"cmp"
	"slices"
	"strings"

	"artifice/trace"
)

// nameMethods numbers the methods of all recordings. Methods with the most calls come first, so
// that their numbers are short. Methods of two recordings with the same name and signature are
// merged. Methods of a single recording are merged only if another recording does not distinguish
// overloads ([trace.Naming]).
func (e *encoder) nameMethods() {
	var symbols []*trace.Symbols
	for _, r := range e.page.Recordings {
		symbols = append(symbols, r.Symbols)
	}
	naming, joined := trace.Naming(symbols...)
	nameOf := func(m *trace.Method) string { return naming(m.Dotted()) }
	met := metMethods{nameOf: nameOf, joined: joined, index: map[metName]int32{}}
	for _, r := range e.page.Recordings {
		e.methods = append(e.methods, met.add(r))
	}
	rank := met.rank()
	for _, of := range e.methods {
		for m, id := range of {
			of[m] = rank[id]
		}
	}
	e.names, e.waits = make([]*trace.Method, len(rank)), make([]bool, len(rank))
	for id, place := range rank {
		e.names[place], e.waits[place] = met.methods[id], met.waits[id]
	}
	e.writeNames(nameOf)
}

// writeNames writes the names, the part of each name after the package, and the methods in which
// threads wait.
func (e *encoder) writeNames(nameOf func(*trace.Method) string) {
	long := make([]string, len(e.names))
	for i, m := range e.names {
		e.names[i] = m.Dotted()
		long[i] = nameOf(m)
	}
	e.header.Methods = e.texts(long)
	e.header.Short = textParts{
		From:  e.column(len(e.names), func(i int) uint64 { return uint64(packageLength(e.names[i])) }),
		Bytes: e.column(len(e.names), func(i int) uint64 { return uint64(len(e.names[i].FullName()) - packageLength(e.names[i])) }),
	}
	e.header.Waits = e.column(len(e.names), func(i int) uint64 {
		if e.waits[i] {
			return 1
		}
		return 0
	})
}

// metMethods are the distinct methods of several recordings, in the order in which they were met.
type metMethods struct {
	nameOf  func(*trace.Method) string
	joined  bool // methods with the same name are merged, even in a single recording
	index   map[metName]int32
	methods []*trace.Method
	calls   []int64
	waits   []bool // as in the first recording that calls the method
}

// metName is the key of a method.
type metName struct {
	name  string
	again int // occurrence of the name in its recording
}

// add adds the methods that a recording calls, and returns their indexes.
func (met *metMethods) add(r *Recording) map[trace.MethodID]int32 {
	of, again := map[trace.MethodID]int32{}, map[string]int{}
	for i, n := range r.callsByMethod() {
		if n == 0 {
			continue
		}
		m := r.Symbols.Method(trace.MethodID(i))
		k := metName{name: met.nameOf(m)}
		if !met.joined {
			k.again = again[k.name]
			again[k.name]++
		}
		id, ok := met.index[k]
		if !ok {
			id = int32(len(met.methods))
			met.index[k], met.methods, met.calls = id, append(met.methods, m), append(met.calls, 0)
			met.waits = append(met.waits, r.Profile.Waits(trace.MethodID(i)))
		}
		of[trace.MethodID(i)] = id
		met.calls[id] += n
	}
	return of
}

// rank returns each method's index after sorting by descending number of calls.
func (met *metMethods) rank() []int32 {
	order := make([]int32, len(met.methods)) // index by rank
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(met.calls[b], met.calls[a]) })
	rank := make([]int32, len(order))
	for i, id := range order {
		rank[id] = int32(i)
	}
	return rank
}

// callsByMethod returns the number of calls of each method.
func (r *Recording) callsByMethod() []int64 {
	n := make([]int64, len(r.Symbols.Methods))
	if r.Short > 0 { // merged calls are not among the calls
		for m := range r.Profile.Methods() {
			n[m.ID] += m.Calls.Reported
		}
	}
	for i := range r.threads {
		for c := r.threads[i].steps.all(); c.nextBegin(); {
			n[c.Method]++
		}
	}
	return n
}

// packageLength returns the length in bytes of the package in a method's name.
func packageLength(m *trace.Method) int {
	if m.Unlisted || m.Name == "" {
		return 0
	}
	return strings.LastIndexAny(m.Class, "./") + 1
}
