package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"artifice/trace"
)

// TestShape checks the maximum depth of a thread, and the number of calling contexts with the
// deepest frame, by counting distinct stacks.
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
			t.Errorf("%+v: %d contexts with at most %d frames", s, len(contexts), deepest)
		}
	}
}

// TestNumber checks the formatting of numbers at axes.
func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0.1: "0.1", 1000: "1000", 1e5: "100,000", 1e7: "10 M"} {
		if got := number(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}

// TestDraw: a sweep has two figures, each with a curve for each command and a mark with a tooltip
// for each point. Vertical axes extend to whole powers of ten: 30 to 400 ns have the ticks 10, 100
// and 1000 of a logarithmic axis.
func TestDraw(t *testing.T) {
	dir := t.TempDir()
	const mib = 1 << 20
	lines := [][]point{
		{{1, 1000, 30_000, 20 * mib}, {1000, 1000, 40_000, 25 * mib}},
		{{1, 1000, 300_000, 20 * mib}, {1000, 1000, 400_000, 25 * mib}},
	}
	if err := draw(&sweep{name: "threads", axis: "threads"}, lines, dir); err != nil {
		t.Fatal(err)
	}
	for name, parts := range map[string][]string{
		"threads-time.svg":   {">10<", ">100<", ">1000<", ">record --interval 1ms: 400 (CPU time of an event, ns) at 1000 threads<"},
		"threads-memory.svg": {">10<", ">20<", ">50<", ">100<", ">convert to .pb.gz: 25 (most memory, MiB) at 1000 threads<"},
	} {
		svg, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(svg), "data-mark"); n != 4 {
			t.Errorf("%s has %d marks, want 4", name, n)
		}
		for _, part := range parts {
			if !strings.Contains(string(svg), part) {
				t.Errorf("%s does not contain %s", name, part)
			}
		}
	}
}

// TestLaw: three points on the line 7 + 3x give that line. Points a tenth below and a fifth above
// it deviate by at most a fifth.
func TestLaw(t *testing.T) {
	cost := func(p point) float64 { return p.ns }
	exact := []point{{x: 1, ns: 10}, {x: 10, ns: 37}, {x: 1000, ns: 3007}}
	l := lawOf(exact, cost)
	if math.Abs(l.base-7) > 1e-9 || math.Abs(l.each-3) > 1e-9 || l.off(exact, cost) > 1e-9 {
		t.Errorf("%+v, %v off; want 7 and 3", l, l.off(exact, cost))
	}
	if off := (law{7, 3}).off([]point{{x: 1, ns: 9}, {x: 1000, ns: 3007 * 1.2}}, cost); math.Abs(off-0.2) > 1e-9 {
		t.Errorf("deviation %v, want 0.2: the maximum of 9 for 10 and 1.2 for 1", off)
	}
}
