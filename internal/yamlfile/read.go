package yamlfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// MaxSize is the maximum size of a file in bytes. It limits memory, because the parser reads the
// whole file.
const MaxSize = 1 << 20

// MaxNesting is the maximum nesting depth of lists and mappings. The parser is recursive.
const MaxNesting = 100

// maxRepeated is the maximum number of tabs, and of "<", in a line. The parser scans the rest of
// the line for each.
const maxRepeated = 100

// Read parses the single document of r. Errors are of type [Error] and contain the file name.
func Read(r io.Reader, name string) (root *Node, err error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return nil, &Error{Name: name, Msg: "reading failed", Err: err}
	}
	if len(text) > MaxSize {
		return nil, &Error{Name: name, Msg: fmt.Sprintf("larger than %d bytes; split it", MaxSize)}
	}
	if err := cmp.Or(checkNesting(text, name), checkRepeated(text, name)); err != nil {
		return nil, err
	}
	// Several releases of the library panic on malformed text. Such a text is an error of the
	// user, not a reason to crash.
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, &Error{Name: name, Msg: fmt.Sprintf("not valid YAML (%v)", p)}
		}
	}()
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, syntaxError(err, name)
	}
	return document(file, name)
}

// checkNesting rejects text that could exhaust the stack of a recursive parser: too many open
// brackets, or too deep an indentation.
func checkNesting(text []byte, name string) error {
	line, column, open, indent, inIndent := 1, 0, 0, 0, true
	for _, c := range text {
		column++
		switch {
		case c == '\n':
			line, column, indent, inIndent = line+1, 0, 0, true
			continue
		case c == '[' || c == '{':
			open++
		case c == ']' || c == '}':
			open = max(open-1, 0)
		}
		// "- - - x" nests one level per dash without any deeper line.
		if inIndent = inIndent && (c == ' ' || c == '-' || c == '?'); inIndent {
			indent++
		}
		if open > MaxNesting || indent > 4*MaxNesting {
			return &Error{Name: name, Line: line, Column: column, Msg: fmt.Sprintf("nested more than %d deep", MaxNesting)}
		}
	}
	return nil
}

// checkRepeated rejects text for which the parser would take quadratic time.
func checkRepeated(text []byte, name string) error {
	line := 0
	for l := range bytes.Lines(text) {
		line++
		for _, c := range []byte{'\t', '<'} {
			if bytes.Count(l, []byte{c}) > maxRepeated {
				return &Error{Name: name, Line: line, Column: bytes.IndexByte(l, c) + 1, Msg: fmt.Sprintf("more than %d of the character %q in a line", maxRepeated, c)}
			}
		}
	}
	return nil
}

func syntaxError(err error, name string) error {
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil {
		tk := at.GetToken()
		return &Error{Name: name, Line: tk.Position.Line, Column: tk.Position.Column, Text: shorten(tk.Value), Msg: at.GetMessage()}
	}
	return &Error{Name: name, Msg: "not YAML", Err: err}
}

func document(file *ast.File, name string) (*Node, error) {
	var body ast.Node
	for _, d := range file.Docs {
		if d.Body == nil || d.Body.Type() == ast.CommentType || d.Body.Type() == ast.CommentGroupType {
			continue
		}
		if body != nil {
			return nil, nodeAt(d.Body, name).Errorf("a second document: a YAML file may have only one document")
		}
		body = d.Body
	}
	if body == nil {
		return nil, &Error{Name: name, Msg: "empty"}
	}
	return convert(body, name, 0)
}

// nodeAt returns an empty node at the position of n.
func nodeAt(n ast.Node, name string) *Node {
	node := &Node{name: name, Line: 1, Column: 1}
	// The token of a block mapping is its first colon; users expect the position of its key.
	switch m := n.(type) {
	case *ast.MappingNode:
		if !m.IsFlowStyle && len(m.Values) > 0 {
			n = m.Values[0].Key
		}
	case *ast.MappingValueNode:
		n = m.Key
	}
	if tk := n.GetToken(); tk != nil && tk.Position != nil {
		node.Line, node.Column = tk.Position.Line, tk.Position.Column
	}
	return node
}

func convert(n ast.Node, name string, depth int) (*Node, error) {
	node := nodeAt(n, name)
	if depth > MaxNesting {
		return nil, node.Errorf("nested more than %d deep", MaxNesting)
	}
	switch n := n.(type) {
	case *ast.NullNode:
		return node, nil
	case *ast.MappingNode:
		return node.addPairs(n.Values, depth)
	case *ast.MappingValueNode:
		return node.addPairs([]*ast.MappingValueNode{n}, depth)
	case *ast.SequenceNode:
		return node.addItems(n.Values, depth)
	case *ast.LiteralNode:
		node.Kind, node.Text = Scalar, n.Value.Value
		return node, nil
	case *ast.StringNode:
		node.Kind, node.Text = Scalar, n.Value
		return node, nil
	case *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		node.Kind, node.Text = Scalar, n.GetToken().Value
		return node, nil
	}
	return nil, node.Errorf("%s is not supported in YAML files of artifice", n.Type().YAMLName())
}

func (n *Node) addItems(values []ast.Node, depth int) (*Node, error) {
	n.Kind = List
	for _, v := range values {
		item, err := convert(v, n.name, depth+1)
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, item)
	}
	return n, nil
}

func (n *Node) addPairs(values []*ast.MappingValueNode, depth int) (*Node, error) {
	n.Kind = Mapping
	seen := make(map[string]int, len(values))
	for _, v := range values {
		key, err := convert(v.Key, n.name, depth+1)
		if err != nil {
			return nil, err
		}
		if key.Kind != Scalar {
			return nil, key.Errorf("a key must be plain text, not %s", key.Kind)
		}
		if line, ok := seen[key.Text]; ok {
			return nil, key.Errorf("duplicate key, first used in line %d", line)
		}
		seen[key.Text] = key.Line
		value, err := convert(v.Value, n.name, depth+1)
		if err != nil {
			return nil, err
		}
		if value.Kind == Null && v.Value.GetToken() == nil {
			value.Line, value.Column = key.Line, key.Column
		}
		n.Pairs = append(n.Pairs, Pair{key, value})
	}
	return n, nil
}
