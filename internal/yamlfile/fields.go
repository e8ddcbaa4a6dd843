package yamlfile

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fields returns the values of a mapping one by one, by the keys of a schema. It keeps the first
// error, and every later call returns zero. So a caller reads all fields and then checks Err once,
// which also rejects keys that no call has read.
type Fields struct {
	node  *Node
	known []string
	err   error
}

// Fields returns the fields of n, which must be a mapping. A null node has no fields.
func (n *Node) Fields() *Fields {
	f := &Fields{node: n}
	if n.Kind != Mapping && n.Kind != Null {
		f.err = n.Errorf("expected a mapping (key: value), found %s", n.Kind)
	}
	return f
}

// Node returns the value of key, or nil if it is absent or null.
func (f *Fields) Node(key string) *Node {
	f.known = append(f.known, key)
	if f.err != nil {
		return nil
	}
	for _, p := range f.node.Pairs {
		if p.Key.Text == key && p.Value.Kind != Null {
			return p.Value
		}
	}
	return nil
}

// Fail records err if it is the first error.
func (f *Fields) Fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// Require makes the absence of key an error.
func (f *Fields) Require(key string) {
	if f.Node(key) == nil {
		f.Fail(f.node.Errorf("%q is missing", key))
	}
}

// Err returns the first error: that of an earlier call, or of a key that no call has read.
func (f *Fields) Err() error {
	if f.err != nil {
		return f.err
	}
	for _, p := range f.node.Pairs {
		if !slices.Contains(f.known, p.Key.Text) {
			slices.Sort(f.known)
			return p.Key.Errorf("unknown key; valid here: %s", strings.Join(slices.Compact(f.known), ", "))
		}
	}
	return nil
}

// value returns get's result for the value of key, or def if key is absent.
func value[T any](f *Fields, key string, def T, get func(*Node) (T, error)) T {
	n := f.Node(key)
	if n == nil {
		return def
	}
	v, err := get(n)
	if err != nil {
		f.Fail(err)
		return def
	}
	return v
}

// String returns the text of key, or "" if it is absent.
func (f *Fields) String(key string) string { return value(f, key, "", (*Node).String) }

// Duration returns the time at key, or def if it is absent. Negative times are rejected.
func (f *Fields) Duration(key string, def time.Duration) time.Duration {
	return value(f, key, def, (*Node).Duration)
}

// Int returns the whole number at key, which must be in [min, max], or def if it is absent.
func (f *Fields) Int(key string, def, min, max int64) int64 {
	return value(f, key, def, func(n *Node) (int64, error) { return n.Int(min, max) })
}

// Float returns the number at key, which must be in [min, max], or def if it is absent.
func (f *Fields) Float(key string, def, min, max float64) float64 {
	return value(f, key, def, func(n *Node) (float64, error) { return n.Float(min, max) })
}

// Bool returns the truth value at key, or false if it is absent.
func (f *Fields) Bool(key string) bool { return value(f, key, false, (*Node).Bool) }

// Strings returns the texts of the list at key; a single text is a list of one.
func (f *Fields) Strings(key string) []string { return value(f, key, nil, (*Node).Strings) }

// List returns the items of the list at key.
func (f *Fields) List(key string) []*Node {
	return value(f, key, nil, func(n *Node) ([]*Node, error) {
		if n.Kind != List {
			return nil, n.Errorf("expected a list, found %s", n.Kind)
		}
		return n.Items, nil
	})
}

// String returns a scalar's text.
func (n *Node) String() (string, error) {
	if n.Kind != Scalar {
		return "", n.Errorf("expected text, found %s", n.Kind)
	}
	return n.Text, nil
}

// Strings returns the texts of a list of scalars, or of one scalar.
func (n *Node) Strings() ([]string, error) {
	if n.Kind == Scalar {
		return []string{n.Text}, nil
	}
	if n.Kind != List {
		return nil, n.Errorf("expected a list of strings, found %s", n.Kind)
	}
	var texts []string
	for _, item := range n.Items {
		s, err := item.String()
		if err != nil {
			return nil, err
		}
		texts = append(texts, s)
	}
	return texts, nil
}

// Duration parses a scalar as a time in Go's notation, such as 1.5ms or 2m30s. Only 0 needs no
// unit.
func (n *Node) Duration() (time.Duration, error) {
	d, err := time.ParseDuration(n.Text)
	switch {
	case n.Kind != Scalar || err != nil:
		return 0, n.Errorf("not a time; write a time such as 500us, 1.5ms or 2s")
	case d < 0:
		return 0, n.Errorf("a negative time")
	}
	return d, nil
}

// Int parses a scalar as a whole number, which must be in [min, max].
func (n *Node) Int(min, max int64) (int64, error) {
	i, err := strconv.ParseInt(strings.ReplaceAll(n.Text, "_", ""), 10, 64)
	if n.Kind != Scalar || err != nil || i < min || i > max {
		return 0, n.Errorf("not a whole number from %d to %d", min, max)
	}
	return i, nil
}

// Float parses a scalar as a number, which must be in [min, max].
func (n *Node) Float(min, max float64) (float64, error) {
	x, err := strconv.ParseFloat(n.Text, 64)
	if n.Kind != Scalar || err != nil || math.IsNaN(x) || x < min || x > max {
		return 0, n.Errorf("not a number from %g to %g", min, max)
	}
	return x, nil
}

// Bool parses a scalar as a truth value: true or false.
func (n *Node) Bool() (bool, error) {
	if n.Kind == Scalar && (n.Text == "true" || n.Text == "false") {
		return n.Text == "true", nil
	}
	return false, n.Errorf("neither true nor false")
}
