package score

import "artifice/trace/calltree"

// commonPath tells how much of one stack a thread's true stack has as it changes. A
// step to a caller or to a callee costs the same at any depth; to look for the common
// context anew costs a step for each frame that differs.
type commonPath struct {
	contexts *calltree.Contexts
	stack    calltree.Node
	at       calltree.Node   // the true stack; NoNode before the first
	common   calltree.Node   // the innermost context that both go through
	rest     []calltree.Node // those of stack beyond it, the innermost first
	searches int             // that were not a step to a caller or a callee
}

// begin takes another stack to compare with.
func (c *commonPath) begin(contexts *calltree.Contexts, stack calltree.Node) {
	*c = commonPath{contexts: contexts, stack: stack, rest: c.rest[:0]}
}

// move changes the true stack, and returns the innermost context that both go through.
func (c *commonPath) move(to calltree.Node) calltree.Node {
	n := len(c.rest)
	switch from := c.at; {
	case from == calltree.NoNode:
		c.search(to)
	case c.contexts.Parent(from) == to:
		if c.common == from {
			c.common, c.rest = to, append(c.rest, from)
		}
	case c.contexts.Parent(to) == from:
		if c.common == from && n > 0 && c.rest[n-1] == to {
			c.common, c.rest = to, c.rest[:n-1]
		}
	case from != to:
		c.search(to)
	}
	c.at = to
	return c.common
}

// search finds the common context without what is known of the true stack before.
func (c *commonPath) search(to calltree.Node) {
	c.common, c.rest = c.contexts.Common(to, c.stack), c.rest[:0]
	c.searches++
	for n := c.stack; n != c.common; n = c.contexts.Parent(n) {
		c.rest = append(c.rest, n)
	}
}
