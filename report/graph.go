package report

import (
	"cmp"
	"slices"
	"time"

	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// Graph is a call graph of methods, classes or packages, with the times of nodes and edges.
type Graph struct {
	Nodes []Row         // nodes, in descending order of inclusive time
	Edges []Edge        // edges, in descending order of time
	Total time.Duration // inclusive time of all threads, on the clock
	Cut   int           // number of nodes omitted by the limit
}

// Edge represents the calls of one node by another. A recursive method has an edge to itself. For
// classes and packages, such edges are omitted.
type Edge struct {
	From, To  int            // indexes in Graph.Nodes
	Inclusive estimate.Share // total time of To when From called it, outermost calls only
	Calls     estimate.Calls
}

// Graph returns the graph of methods, classes or packages, without the nodes and
// edges that have less than the share cut of all inclusive time on the clock.
func (v *View) Graph(by By, clock trace.Clock, cut float64) *Graph {
	v.columns()
	g := &Graph{}
	for _, t := range v.threads(func(calltree.Node) time.Duration { return 0 }) {
		g.Total += t.share.On(clock).Value
	}
	least := max(1, time.Duration(cut*float64(g.Total)))
	of, names := v.nodes(by)
	place := g.addNodes(v, of, names, clock, least)
	g.addEdges(v, by, of, place, clock, least)
	return g
}

// nodes returns the index of each method's node, and the names of nodes.
func (v *View) nodes(by By) (of []int, names []string) {
	methods := make([]string, len(v.Symbols.Methods)) // methods without calls are not drawn
	for i, row := range v.methods() {
		methods[v.Profile.MethodID(i)] = row.Name()
	}
	index := map[string]int{}
	of = make([]int, len(methods))
	for i, name := range methods {
		if by != ByMethod {
			if name = v.Symbols.Methods[i].DottedClass(); by == ByPackage {
				name = packageOf(name)
			}
		}
		node, ok := index[name]
		if !ok {
			node = len(names)
			index[name] = node
			names = append(names, name)
		}
		of[i] = node
	}
	return of, names
}

// addNodes adds the nodes that have enough time, and returns the index of each; none for omitted
// nodes.
func (g *Graph) addNodes(v *View, of []int, names []string, clock trace.Clock, least time.Duration) (place []int) {
	sums := v.sums(func(n calltree.Node) int { return of[v.Profile.Tree.Method(n)] })
	var kept []int
	place = make([]int, len(names))
	for i := range place {
		place[i] = none
		switch {
		case i < len(sums) && sums[i].inclusive.share().On(clock).Value >= least:
			kept = append(kept, i)
		case i < len(sums) && sums[i].inclusive.share().On(clock).Value > 0:
			g.Cut++
		}
	}
	slices.SortStableFunc(kept, func(a, b int) int {
		return cmp.Compare(sums[b].inclusive.share().On(clock).Value, sums[a].inclusive.share().On(clock).Value)
	})
	for _, i := range kept {
		place[i] = len(g.Nodes)
		g.Nodes = append(g.Nodes, sums[i].row(v, names[i]))
	}
	return place
}

// addEdges adds the edges between the nodes of the graph.
func (g *Graph) addEdges(v *View, by By, of, place []int, clock trace.Clock, least time.Duration) {
	t := v.Profile.Tree
	index := map[[2]int]int{}
	var ends [][2]int
	sums := v.sums(func(n calltree.Node) int {
		caller := t.Parent(n)
		if t.IsRoot(caller) {
			return none
		}
		from, to := place[of[t.Method(caller)]], place[of[t.Method(n)]]
		if from == none || to == none || from == to && by != ByMethod {
			return none
		}
		i, ok := index[[2]int{from, to}]
		if !ok {
			i = len(ends)
			index[[2]int{from, to}] = i
			ends = append(ends, [2]int{from, to})
		}
		return i
	})
	for i := range sums {
		row := sums[i].row(v, "")
		if f := row.Figures(); f.Inclusive.On(clock).Value >= least {
			g.Edges = append(g.Edges, Edge{ends[i][0], ends[i][1], f.Inclusive, f.Calls})
		}
	}
	slices.SortStableFunc(g.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(b.Inclusive.On(clock).Value, a.Inclusive.On(clock).Value), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
}
