// Package yamlfile reads YAML strictly, for files written by hand: workloads and devices. Every
// value keeps its position, so that an error states file, line and column and quotes the offending
// text, even if it is detected long after parsing.
//
// It is not a general YAML decoder: it supports one document, mappings with plain keys, lists and
// scalars. It rejects anchors, aliases, tags and merge keys, so that a small file cannot expand to
// a large one. It is the only package that imports the YAML library.
package yamlfile

import (
	"fmt"
	"strings"
)

// Kind is the kind of a node.
type Kind uint8

const (
	Null    Kind = iota // empty, null or ~
	Scalar              // text: a word, a number, a quoted string, a block
	List                // a sequence of nodes
	Mapping             // keys with values, in the order of the file
)

// String returns the name of the kind for messages.
func (k Kind) String() string {
	return [...]string{"nothing", "a value", "a list", "a mapping"}[k]
}

// Node is one value of a file with its position.
type Node struct {
	Kind   Kind
	Text   string  // of a scalar, quotes and escapes resolved
	Items  []*Node // of a list
	Pairs  []Pair  // of a mapping, keys unique
	Line   int     // of its first character, from 1
	Column int     // of its first character, from 1
	name   string  // of the file
}

// Pair is one entry of a mapping.
type Pair struct{ Key, Value *Node }

// Error is an error in a YAML file with its position.
type Error struct {
	Name         string // of the file
	Line, Column int    // from 1; 0: unknown
	Text         string // the offending text, shortened
	Msg          string // what is wrong and what to do
	Err          error  // cause, if any
}

// Error returns "name:line:column: what: \"text\"".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Name)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": " + e.Msg)
	if e.Text != "" {
		fmt.Fprintf(&b, ": %q", e.Text)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an [Error] at the node's place that quotes its text.
func (n *Node) Errorf(format string, args ...any) error {
	return &Error{Name: n.name, Line: n.Line, Column: n.Column, Text: shorten(n.Text), Msg: fmt.Sprintf(format, args...)}
}

// maxQuoted is the maximum number of bytes of an offending text in a message.
const maxQuoted = 60

func shorten(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if len(s) > maxQuoted {
		return strings.ToValidUTF8(s[:maxQuoted], "") + "…"
	}
	return s
}
