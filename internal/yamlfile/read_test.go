package yamlfile

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestReadKeepsPlacesAndOrder(t *testing.T) {
	root, err := Read(strings.NewReader("# head\nb: 1\na:\n  - x\n  - {k: \"v w\", é: 2}\nt: |\n  two\n  lines\nn:\n"), "f.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		text         string
		line, column int
	}
	item := root.Pairs[1].Value.Items[1]
	for _, c := range []struct {
		node *Node
		want place
	}{
		{root, place{"", 2, 1}},
		{root.Pairs[0].Value, place{"1", 2, 4}},
		{root.Pairs[1].Key, place{"a", 3, 1}},
		{root.Pairs[1].Value.Items[0], place{"x", 4, 5}},
		{item, place{"", 5, 5}},
		{item.Pairs[0].Value, place{"v w", 5, 9}},
		{item.Pairs[1].Value, place{"2", 5, 19}},
		{root.Pairs[3].Key, place{"n", 9, 1}},
	} {
		if got := (place{c.node.Text, c.node.Line, c.node.Column}); got != c.want {
			t.Errorf("got %v, want %v", got, c.want)
		}
	}
	if got := root.Pairs[2].Value.Text; got != "two\nlines\n" {
		t.Errorf("block = %q", got)
	}
	if got := root.Pairs[3].Value.Kind; got != Null {
		t.Errorf("kind of nothing = %v", got)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", `f.yaml: empty`},
		{"tabs", "a: b\nc: \"" + strings.Repeat("\tx", 101) + "\"\n", `f.yaml:2:5: more than 100 of the character '\t' in a line`},
		{"angles", "a: " + strings.Repeat("<", 101) + "\n", `f.yaml:1:4: more than 100 of the character '<' in a line`},
		{"only a comment", "# x\n", `f.yaml: empty`},
		{"two documents", "a: 1\n---\nb: 2\n", `f.yaml:3:1: a second document: a YAML file may have only one document`},
		{"alias", "a: &x 1\nb: *x\n", `f.yaml:1:4: anchor is not supported in YAML files of artifice`},
		{"tag", "a: !!str 1\n", `f.yaml:1:4: tag is not supported in YAML files of artifice`},
		{"key twice", "a: 1\nb: 2\na: 3\n", `f.yaml:3:1: mapping key "a" already defined at [1:1]`},
		{"open bracket", "a: [1, 2\n", `f.yaml:1:4: sequence end token ']' not found`},
		{"list as key", "? [1]\n: 2\n", `f.yaml:2:1: found an invalid key for this map`},
		{"many brackets", strings.Repeat("[", 101), `f.yaml:1:101: nested more than 100 deep`},
		{"too large", strings.Repeat("a", MaxSize+1), `f.yaml: larger than 1048576 bytes; split it`},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, err := Read(strings.NewReader(c.in), "f.yaml")
			if err == nil {
				t.Fatalf("accepted as %+v", root)
			}
			if !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got  %s\nwant %s", err, c.want)
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("%T, want *Error", err)
			}
		})
	}
}

func TestFields(t *testing.T) {
	root, err := Read(strings.NewReader("s: word\nd: 1.5ms\ni: 1_000\nf: 0.25\nb: true\nl: [x, y]\none: z\nnil: ~\n"), "f.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f := root.Fields()
	f.Require("s")
	if got := f.String("s"); got != "word" {
		t.Errorf("String = %q", got)
	}
	if got := f.Duration("d", 0); got != 1500*time.Microsecond {
		t.Errorf("Duration = %v", got)
	}
	if got := f.Int("i", 0, 0, 1e6); got != 1000 {
		t.Errorf("Int = %v", got)
	}
	if got := f.Float("f", 0, 0, 1); got != 0.25 {
		t.Errorf("Float = %v", got)
	}
	if !f.Bool("b") {
		t.Error("Bool = false")
	}
	if got := f.Strings("l"); len(got) != 2 || got[1] != "y" {
		t.Errorf("Strings = %q", got)
	}
	if got := f.Strings("one"); len(got) != 1 || got[0] != "z" {
		t.Errorf("Strings = %q", got)
	}
	if got := f.Duration("nil", time.Second); got != time.Second {
		t.Errorf("default = %v", got)
	}
	if err := f.Err(); err != nil {
		t.Error(err)
	}
}

func TestFieldsRefuse(t *testing.T) {
	for _, c := range []struct {
		in   string
		take func(*Fields)
		want string
	}{
		{"a: 1\ntpyo: 2\n", func(f *Fields) { f.Int("a", 0, 0, 9); f.Int("typo", 0, 0, 9) }, `f.yaml:2:1: unknown key; valid here: a, typo: "tpyo"`},
		{"a: -3ms", func(f *Fields) { f.Duration("a", 0) }, `f.yaml:1:4: a negative time: "-3ms"`},
		{"a: 3", func(f *Fields) { f.Duration("a", 0) }, `f.yaml:1:4: not a time; write a time such as 500us, 1.5ms or 2s: "3"`},
		{"a: 10", func(f *Fields) { f.Int("a", 0, 0, 9) }, `f.yaml:1:4: not a whole number from 0 to 9: "10"`},
		{"a: .nan", func(f *Fields) { f.Float("a", 0, 0, 1) }, `f.yaml:1:4: not a number from 0 to 1: ".nan"`},
		{"a: yes", func(f *Fields) { f.Bool("a") }, `f.yaml:1:4: neither true nor false: "yes"`},
		{"a: {b: 1}", func(f *Fields) { f.String("a") }, `f.yaml:1:4: expected text, found a mapping`},
		{"a: x", func(f *Fields) { f.List("a") }, `f.yaml:1:4: expected a list, found a value: "x"`},
		{"a: [x, [y]]", func(f *Fields) { f.Strings("a") }, `f.yaml:1:8: expected text, found a list`},
		{"a: x", func(f *Fields) { f.String("a"); f.Require("b") }, `f.yaml:1:1: "b" is missing`},
		{"- a", func(f *Fields) { f.String("a") }, `f.yaml:1:1: expected a mapping (key: value), found a list`},
	} {
		root, err := Read(strings.NewReader(c.in), "f.yaml")
		if err != nil {
			t.Fatal(err)
		}
		f := root.Fields()
		c.take(f)
		if err := f.Err(); err == nil || err.Error() != c.want {
			t.Errorf("%q:\ngot  %v\nwant %s", c.in, err, c.want)
		}
	}
}

func TestLongTextIsShortened(t *testing.T) {
	root, err := Read(strings.NewReader("a: "+strings.Repeat("é", 1000)), "f.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := root.Pairs[0].Value.Bool(); len(err.Error()) > 200 {
		t.Errorf("message of %d bytes: %s", len(err.Error()), err)
	}
}

// FuzzRead checks that Read returns a tree with positions inside the text, or an *Error, for any
// text.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"a: 1\n", "- x\n- {y: [z, 'q']}\n", "t: |\n  block\n", "? a\n: b\n", "a: &x [*x]\n", "\t", "a:\r\n - b\r\n", "--- {}\n...\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		root, err := Read(strings.NewReader(text), "f.yaml")
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || root != nil {
				t.Fatalf("%T %v with %v", err, err, root)
			}
			return
		}
		lines := strings.Count(text, "\n") + strings.Count(text, "\r") + 1
		var walk func(*Node)
		walk = func(n *Node) {
			if n.Line < 1 || n.Line > lines || n.Column < 1 {
				t.Errorf("node %+v outside %d lines", n, lines)
			}
			for _, i := range n.Items {
				walk(i)
			}
			for _, p := range n.Pairs {
				walk(p.Key)
				walk(p.Value)
			}
		}
		walk(root)
	})
}
