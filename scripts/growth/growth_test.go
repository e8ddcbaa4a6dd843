package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"testing"

	"artifice/trace"
)

// TestShape: a thread opens frames up to the depth, and has as many calling contexts
// with the deepest frame as the shape says. They are counted here by their stacks.
func TestShape(t *testing.T) {
	for _, s := range []shape{
		{depth: 1, methods: 3, contexts: 3}, {depth: 2, methods: 5, contexts: 3}, {depth: 7, methods: 10, contexts: 95},
	} {
		contexts, deepest := map[string]bool{}, 0
		var th thread
		for range 20 * s.contexts {
			m, action := s.next(&th)
			if action == trace.Exit {
				if n := len(th.open) - 1; th.open[n] != m {
					t.Fatalf("%+v: an exit of method %d in %v", s, m, th.open)
				}
				th.open = th.open[:len(th.open)-1]
				continue
			}
			th.open = append(th.open, m)
			if deepest = max(deepest, len(th.open)); len(th.open) == s.depth {
				key := ""
				for _, m := range th.open {
					key += string(rune('a' + m))
				}
				contexts[key] = true
			}
		}
		if deepest != s.depth || len(contexts) != s.contexts {
			t.Errorf("%+v: %d contexts of at most %d frames", s, len(contexts), deepest)
		}
	}
}

// TestDraw: the axes are whole powers of ten, and a figure is well-formed.
func TestDraw(t *testing.T) {
	a := axisOf([]float64{20, 3000, 10})
	if a != (axis{1, 4}) || a.place(1000) < 0.66 || a.place(1000) > 0.67 {
		t.Errorf("axis %v, place %v", a, a.place(1000))
	}
	for e, want := range map[float64]string{-1: "0.1", 3: "1000", 5: "100,000", 7: "10 M"} {
		if got := power(e); got != want {
			t.Errorf("10^%v is %q, want %q", e, got, want)
		}
	}
	line := []point{{1, 30, 20}, {1000, 40, 25}}
	figure := draw(&sweep{axis: "threads"}, [][]point{line, line})
	for d := xml.NewDecoder(bytes.NewReader(figure)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
