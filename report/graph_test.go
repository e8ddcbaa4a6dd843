package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tracetext "artifice/format/text"
	"artifice/report/estimate"
	"artifice/trace"
)

// TestGraph checks that the time of an edge excludes the callee's time under other callers, and
// that recursive calls count once. By hand, in ms:
//
// main a(0..40) calls b(5..15); b calls b(8..12); a calls c(20..30), c calls b(22..25) pool
// b(0..60)
func TestGraph(t *testing.T) {
	const text = "# artifice text trace\ninfo\tclock\twall\ninfo\ttechnique\tinstrumented\nthread\t1\tmain\nthread\t2\tpool\n" +
		"method\t0x4\tp.X\ta\t()V\tF.java\t1\nmethod\t0x8\tp.Y\tb\t()V\tF.java\t1\nmethod\t0xc\tq.Z\tc\t()V\tF.java\t1\n" +
		"0 1 enter a\n0 2 enter b\n5 1 enter b\n8 1 enter b\n12 1 exit b\n15 1 exit b\n20 1 enter c\n22 1 enter b\n25 1 exit b\n30 1 exit c\n40 1 exit a\n60 2 exit b\n"
	methods := map[string]string{"a": "p.X.a()V", "b": "p.Y.b()V", "c": "q.Z.c()V"}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if f := strings.Fields(line); len(f) == 4 && methods[f[3]] != "" {
			lines[i] = fmt.Sprintf("%s000000 - %s %s %s", f[0], f[1], f[2], methods[f[3]])
		}
	}
	for _, c := range []struct {
		by    By
		cut   float64
		nodes string
		edges string
		out   int
	}{
		{ByMethod, 0, "p.Y.b 73, p.X.a 40, q.Z.c 10", "0>1 10 1, 0>2 10 1, 1>1 4 1, 2>1 3 1", 0},
		{ByMethod, 0.08, "p.Y.b 73, p.X.a 40, q.Z.c 10", "0>1 10 1, 0>2 10 1", 0}, // 8 of 100 ms
		{ByMethod, 0.2, "p.Y.b 73, p.X.a 40", "", 1},
		{ByPackage, 0, "p 100, q 10", "0>1 10 1, 1>0 3 1", 0},
	} {
		rec, err := tracetext.NewReader(strings.NewReader(strings.Join(lines, "\n")), "example")
		if err != nil {
			t.Fatal(err)
		}
		p, err := estimate.Read(rec, estimate.Config{})
		if err != nil {
			t.Fatal(err)
		}
		g := New(p, rec.Symbols, Filter{}).Graph(c.by, trace.Wall, c.cut)
		var nodes, edges []string
		place := map[string]int{"p.X.a": 0, "p.Y.b": 1, "q.Z.c": 2, "p": 0, "q": 1}
		for _, n := range g.Nodes {
			nodes = append(nodes, fmt.Sprintf("%s %d", n.Name(), n.Figures().Inclusive.Wall.Value/time.Millisecond))
		}
		for _, e := range g.Edges {
			edges = append(edges, fmt.Sprintf("%d>%d %d %d", place[g.Nodes[e.From].Name()], place[g.Nodes[e.To].Name()], e.Inclusive.Wall.Value/time.Millisecond, e.Calls.Reported))
		}
		got := [2]string{strings.Join(nodes, ", "), strings.Join(edges, ", ")}
		if got != [2]string{c.nodes, c.edges} || g.Cut != c.out || g.Total != 100*time.Millisecond {
			t.Errorf("by %d, cut %g: %v, %d left out of %v; want %q and %q, %d left out", c.by, c.cut, got, g.Cut, g.Total, c.nodes, c.edges, c.out)
		}
	}
}
