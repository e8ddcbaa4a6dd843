package yamlfile

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fields takes a mapping's values one by one under the names a schema gives
// them. The first mistake is kept and every later call returns zero, so a
// caller asks for all its fields and then looks at Err once, which also refuses
// the keys that nobody asked for.
type Fields struct {
	node  *Node
	known []string
	err   error
}

// Fields returns the fields of n, which has to be a mapping. A null node has no
// fields.
func (n *Node) Fields() *Fields {
	f := &Fields{node: n}
	if n.Kind != Mapping && n.Kind != Null {
		f.err = n.Errorf("expected a mapping (key: value), found %s", n.Kind)
	}
	return f
}

// Node returns the value of key, or nil when it is absent or null.
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

// Fail keeps err when it is the first mistake.
func (f *Fields) Fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// Require makes the absence of key a mistake.
func (f *Fields) Require(key string) {
	if f.Node(key) == nil {
		f.Fail(f.node.Errorf("%q is missing", key))
	}
}

// Err returns the first mistake: one of an earlier call, or a key that no call
// asked for.
func (f *Fields) Err() error {
	if f.err != nil {
		return f.err
	}
	for _, p := range f.node.Pairs {
		if !slices.Contains(f.known, p.Key.Text) {
			slices.Sort(f.known)
			return p.Key.Errorf("unknown key; known here: %s", strings.Join(slices.Compact(f.known), ", "))
		}
	}
	return nil
}

// value returns what get makes of the value of key, or def when it is absent.
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

// String returns the text of key, "" when it is absent.
func (f *Fields) String(key string) string { return value(f, key, "", (*Node).String) }

// Duration returns the time at key, def when it is absent. Negative times are
// refused.
func (f *Fields) Duration(key string, def time.Duration) time.Duration {
	return value(f, key, def, (*Node).Duration)
}

// Int returns the whole number at key, which must be in [min, max]; def when it
// is absent.
func (f *Fields) Int(key string, def, min, max int64) int64 {
	return value(f, key, def, func(n *Node) (int64, error) { return n.Int(min, max) })
}

// Float returns the number at key, which must be in [min, max]; def when it is
// absent.
func (f *Fields) Float(key string, def, min, max float64) float64 {
	return value(f, key, def, func(n *Node) (float64, error) { return n.Float(min, max) })
}

// Bool returns the truth value at key, false when it is absent.
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
		return nil, n.Errorf("expected a list of texts, found %s", n.Kind)
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

// Duration returns the time a scalar states in Go's notation, such as 1.5ms or
// 2m30s. Only 0 needs no unit.
func (n *Node) Duration() (time.Duration, error) {
	d, err := time.ParseDuration(n.Text)
	switch {
	case n.Kind != Scalar || err != nil:
		return 0, n.Errorf("not a time; write one like 500us, 1.5ms or 2s")
	case d < 0:
		return 0, n.Errorf("a negative time")
	}
	return d, nil
}

// Int returns the whole number a scalar states, which must be in [min, max].
func (n *Node) Int(min, max int64) (int64, error) {
	i, err := strconv.ParseInt(strings.ReplaceAll(n.Text, "_", ""), 10, 64)
	if n.Kind != Scalar || err != nil || i < min || i > max {
		return 0, n.Errorf("not a whole number from %d to %d", min, max)
	}
	return i, nil
}

// Float returns the number a scalar states, which must be in [min, max].
func (n *Node) Float(min, max float64) (float64, error) {
	x, err := strconv.ParseFloat(n.Text, 64)
	if n.Kind != Scalar || err != nil || math.IsNaN(x) || x < min || x > max {
		return 0, n.Errorf("not a number from %g to %g", min, max)
	}
	return x, nil
}

// Bool returns the truth value a scalar states: true or false.
func (n *Node) Bool() (bool, error) {
	if n.Kind == Scalar && (n.Text == "true" || n.Text == "false") {
		return n.Text == "true", nil
	}
	return false, n.Errorf("neither true nor false")
}
