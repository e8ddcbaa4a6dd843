package expect

import (
	"slices"
	"strings"

	"artifice/trace"
	"artifice/trace/calltree"
)

// stacks contains the calling contexts of all threads together, with names. Context 0 is the empty
// stack.
type stacks struct {
	names    []string
	nameOf   map[string]int32
	parents  []int32 // by context; a caller's number is lower than its callees'
	methods  []int32 // by context: index of names; -1 for context 0
	children map[child]int32
}

// child identifies a context by its caller's and its method.
type child struct{ parent, method int32 }

func newStacks() *stacks {
	return &stacks{nameOf: map[string]int32{}, parents: []int32{-1}, methods: []int32{-1}, children: map[child]int32{}}
}

// name returns the index of a name, and adds it if necessary.
func (s *stacks) name(name string) int32 {
	id, ok := s.nameOf[name]
	if !ok {
		id = int32(len(s.names))
		s.names, s.nameOf[name] = append(s.names, name), id
	}
	return id
}

// child returns the context of a method called in a context, and adds it if necessary.
func (s *stacks) child(parent, method int32) int32 {
	key := child{parent, method}
	at, ok := s.children[key]
	if !ok {
		at = int32(len(s.parents))
		s.parents, s.methods, s.children[key] = append(s.parents, parent), append(s.methods, method), at
	}
	return at
}

// add adds the contexts of other, and returns their numbers.
func (s *stacks) add(other *stacks) []int32 {
	at := make([]int32, len(other.parents))
	for i := 1; i < len(at); i++ {
		at[i] = s.child(at[other.parents[i]], s.name(other.names[other.methods[i]]))
	}
	return at
}

// path returns the names of a stack, the outermost first, joined by semicolons as in folded stacks.
func (s *stacks) path(at int32) string {
	var names []string
	for ; at > 0; at = s.parents[at] {
		names = append(names, s.names[s.methods[at]])
	}
	slices.Reverse(names)
	return strings.Join(names, ";")
}

// depth returns the number of frames of each context.
func (s *stacks) depth() []int32 {
	depth := make([]int32, len(s.parents))
	for i := 1; i < len(depth); i++ {
		depth[i] = depth[s.parents[i]] + 1
	}
	return depth
}

// numbering maps the contexts of a recording to their numbers in stacks.
type numbering struct {
	to      *stacks
	symbols *trace.Symbols
	from    calltree.Contexts // contexts of thread 0, which represents all threads
	numbers []int32           // by context of from; -1: not yet known
	names   []int32           // by method of the recording; -1: not yet known
	path    []calltree.Node   // scratch memory for of
}

// root returns the context without a frame.
func (n *numbering) root() calltree.Node { return n.from.AddRoot(0) }

// of returns the number of a context.
func (n *numbering) of(at calltree.Node) int32 {
	for len(n.numbers) < n.from.Len() {
		n.numbers = append(n.numbers, -1)
	}
	n.path = n.path[:0]
	for ; !n.from.IsRoot(at) && n.numbers[at] < 0; at = n.from.Parent(at) {
		n.path = append(n.path, at)
	}
	number := max(0, n.numbers[at])
	for i := len(n.path) - 1; i >= 0; i-- {
		number = n.to.child(number, n.method(n.from.Method(n.path[i])))
		n.numbers[n.path[i]] = number
	}
	return number
}

// method returns the index of the name of a method.
func (n *numbering) method(id trace.MethodID) int32 {
	for len(n.names) <= int(id) {
		n.names = append(n.names, -1)
	}
	if n.names[id] < 0 {
		n.names[id] = n.to.name(n.symbols.Method(id).FullName())
	}
	return n.names[id]
}
