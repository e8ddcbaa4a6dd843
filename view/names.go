package view

import (
	"cmp"
	"slices"
	"strings"

	"artifice/trace"
)

// nameMethods numbers the methods of all recordings, those with the most calls first:
// their numbers are short. Methods of two recordings are one when they have the same
// name and signature; of a single recording they stay apart, unless the other one does
// not tell overloads apart ([trace.Naming]).
func (e *encoder) nameMethods() {
	type key struct {
		name  string
		again int // which of those of the name
	}
	var symbols []*trace.Symbols
	for _, r := range e.page.Recordings {
		symbols = append(symbols, r.Symbols)
	}
	nameOf, joined := trace.Naming(symbols...)
	var calls []int64
	index := map[key]int32{}
	var methods []map[trace.MethodID]int32
	for _, r := range e.page.Recordings {
		of, again := map[trace.MethodID]int32{}, map[string]int{}
		for i, n := range r.callsByMethod() {
			if n == 0 {
				continue
			}
			m := r.Symbols.Method(trace.MethodID(i))
			k := key{name: nameOf(m)}
			if !joined {
				k.again = again[k.name]
				again[k.name]++
			}
			id, ok := index[k]
			if !ok {
				id = int32(len(e.names))
				index[k], e.names, calls = id, append(e.names, m), append(calls, 0)
			}
			of[trace.MethodID(i)] = id
			calls[id] += n
		}
		methods = append(methods, of)
	}
	order := make([]int32, len(e.names)) // index by rank
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(calls[b], calls[a]) })
	rank, names := make([]int32, len(order)), make([]*trace.Method, len(order))
	for i, id := range order {
		rank[id], names[i] = int32(i), e.names[id]
	}
	for _, of := range methods {
		for m, id := range of {
			of[m] = rank[id]
		}
	}
	e.names, e.methods = names, methods
	long := make([]string, len(names))
	for i, m := range names {
		long[i] = nameOf(m)
	}
	e.header.Methods = e.texts(long)
	e.header.Short = parts{
		From:  e.column(len(names), func(i int) uint64 { return uint64(packageLength(names[i])) }),
		Bytes: e.column(len(names), func(i int) uint64 { return uint64(len(names[i].FullName()) - packageLength(names[i])) }),
	}
}

// callsByMethod returns how many calls each method has.
func (r *Recording) callsByMethod() []int64 {
	n := make([]int64, len(r.Symbols.Methods))
	if r.Short > 0 { // not all of them are among the calls
		for i := range r.Profile.Methods {
			n[r.Profile.Methods[i].ID] += r.Profile.Methods[i].Calls.Reported
		}
	}
	for i := range r.Threads {
		for j := range r.Threads[i].Calls {
			n[r.Threads[i].Calls[j].Method]++
		}
	}
	return n
}

// packageLength returns how many bytes of a method's name are the package of its
// class.
func packageLength(m *trace.Method) int {
	if m.Unlisted || m.Name == "" {
		return 0
	}
	return strings.LastIndexAny(m.Class, "./") + 1
}
