package dmtracedump

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// DefaultThreshold is the threshold of a graph, in percent, if the option -t is missing or not
// from 0 to 99.
const DefaultThreshold = 20

// WriteGraph writes the call graph in the language of Graphviz, as dmtracedump -g creates it and -k
// keeps it. A method is drawn below a caller if its inclusive time over all its calls is at least
// threshold percent of the caller's. A method that is hot below one caller is therefore drawn below
// all its callers. Times are whole ms; calls exclude recursive ones.
//
// There is one deviation: names with special characters of Graphviz labels, such as "<init>", are
// escaped. dmtracedump draws nodes without text for them.
func (d *Report) WriteGraph(out io.Writer, threshold int) error {
	if threshold < 0 || threshold >= 100 {
		threshold = DefaultThreshold
	}
	d.index()
	w := bufio.NewWriter(out)
	fmt.Fprint(w, "digraph g {\nnode [shape = record,height=.1];\n")
	d.walkGraph(threshold, func(m *method) {
		fmt.Fprintf(w, "node%d[label = \"[%d] %s (%d, %d, %d)\"]\n", m.index, m.index, labelText.Replace(m.member()), m.inclusive/1000, m.exclusive/1000, m.calls[0])
	}, func(*method, *method) {})
	d.walkGraph(threshold, func(*method) {}, func(from, to *method) {
		fmt.Fprintf(w, "node%d -> node%d\n", from.index, to.index)
	})
	fmt.Fprint(w, "}")
	return w.Flush()
}

// labelText escapes the special characters of Graphviz's record labels.
var labelText = strings.NewReplacer("<", `\<`, ">", `\>`, "{", `\{`, "}", `\}`, "|", `\|`, `"`, `\"`, `\`, `\\`)

// walkGraph visits the methods that are drawn, from the top level down, each once. It calls edge
// before it visits the methods below the callee. It follows the calls from outermost activations,
// the most recently added callee first.
func (d *Report) walkGraph(threshold int, node func(*method), edge func(from, to *method)) {
	type step struct {
		m    *method
		next int // counts down through its callees
	}
	visited := map[*method]bool{d.toplevel: true}
	node(d.toplevel)
	stack := []step{{d.toplevel, len(d.toplevel.callees[0].list)}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		top.next--
		from, to := top.m, top.m.callees[0].list[top.next].method
		if from.inclusive == 0 || int64(float64(to.inclusive)/float64(from.inclusive)*100) < int64(threshold) {
			continue
		}
		edge(from, to)
		if !visited[to] {
			visited[to] = true
			node(to)
			stack = append(stack, step{to, len(to.callees[0].list)})
		}
	}
}
