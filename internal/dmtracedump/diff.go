package dmtracedump

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// PrintDiff writes the difference of two traces as "dmtracedump -d old now" does. It is called
// after the last event of both.
//
// Two lists of the methods of both traces come first, by exclusive and by inclusive time, the
// largest increase first, then the methods of only one trace. There is no separator between lists.
// Percentages are relative to the old time. As in dmtracedump (createDiff of tracedump.cc), a
// method without time in the old trace has the difference 0, names are escaped as in HTML, and a
// decrease is an unsigned number of 64 bits, for example 18446744073709551615 for −1.
func (d *Report) PrintDiff(out io.Writer, old *Report) error {
	w := bufio.NewWriter(out)
	diff := d.compare(old)
	for _, kind := range timeKinds {
		for _, c := range diff.changes(kind) {
			fmt.Fprintf(w, "%s\n%s\n%s\n", strings.Join(c[:5], " "), c[5], c[6])
		}
	}
	for _, m := range append(diff.onlyOld, diff.onlyNew...) {
		fmt.Fprintln(w, strings.Join(m.alone(), " "))
	}
	return w.Flush()
}

// PrintDiffHTML writes the same as a page, like dmtracedump -h -d, with the names of the two
// files. The prefix of -s precedes the name of the script sortable.js; if it is empty, the page
// has no script.
func (d *Report) PrintDiffHTML(out io.Writer, old *Report, oldName, name, sortable string) error {
	w := bufio.NewWriter(out)
	diff := d.compare(old)
	beginPage(w, sortable, "Difference of two method traces")
	fmt.Fprint(w, "<h3>Table of Contents</h3>\n<ul>\n")
	for _, kind := range timeKinds {
		fmt.Fprintf(w, "<li><a href=\"#%s\">%s</a></li>\n", strings.ToLower(string(kind)), kind)
	}
	fmt.Fprintf(w, "</ul>\n<p>Run 1: %s<br>\nRun 2: %s</p>\n", escapeHTML(oldName), escapeHTML(name))
	for _, kind := range timeKinds {
		fmt.Fprintf(w, "<h3 id=\"%s\">%s</h3>\n", strings.ToLower(string(kind)), kind)
		printTable(w, []string{"Method", "Run 1 (us)", "Run 2 (us)", "Diff (us)", "Diff (%)", "1: # calls", "2: # calls"}, diff.changes(kind))
	}
	for i, only := range [][]*method{diff.onlyOld, diff.onlyNew} {
		fmt.Fprintf(w, "<h3>Run %d methods not found in Run %d</h3>\n", i+1, 2-i)
		var rows [][]string
		for _, m := range only {
			rows = append(rows, m.alone())
		}
		printTable(w, []string{"Method", "Exclusive", "Inclusive", "# calls"}, rows)
	}
	fmt.Fprint(w, "</body>\n</html>\n")
	return w.Flush()
}

// printTable writes rows of escaped cells.
func printTable(w io.Writer, head []string, rows [][]string) {
	fmt.Fprintf(w, "<table class=\"sortable\">\n<tr><th>%s</th></tr>\n", strings.Join(head, "</th><th>"))
	for _, row := range rows {
		fmt.Fprintf(w, "<tr><td>%s</td></tr>\n", strings.Join(row, "</td><td>"))
	}
	fmt.Fprintln(w, "</table>")
}

// timeKind is a kind of time to compare; its value is the title.
type timeKind string

const (
	exclusiveTime timeKind = "Exclusive"
	inclusiveTime timeKind = "Inclusive"
)

// timeKinds are the kinds in the order of their lists.
var timeKinds = []timeKind{exclusiveTime, inclusiveTime}

// of returns the time of a method.
func (k timeKind) of(m *method) uint64 {
	if k == exclusiveTime {
		return m.exclusive
	}
	return m.inclusive
}

// difference returns the new time of a method minus its old one, or 0 if the old one is 0. Lists
// are sorted by it as a signed number, and contain it as an unsigned one.
func (k timeKind) difference(pair [2]*method) int64 {
	if k.of(pair[0]) == 0 {
		return 0
	}
	return int64(k.of(pair[1]) - k.of(pair[0]))
}

// comparison is a comparison of two traces.
type comparison struct {
	both             [][2]*method
	onlyOld, onlyNew []*method
}

func (d *Report) compare(old *Report) *comparison {
	old.index()
	d.index()
	var diff comparison
	diff.both, diff.onlyOld, diff.onlyNew = matchMethods(old.listed, d.listed)
	return &diff
}

// changes returns a row for each method of both traces, the largest increase first: name, the two
// times in us, their difference as in PrintDiff, percentage and the two numbers of calls.
func (d *comparison) changes(kind timeKind) (rows [][]string) {
	slices.SortStableFunc(d.both, func(a, b [2]*method) int {
		return cmp.Compare(kind.difference(b), kind.difference(a))
	})
	for _, pair := range d.both {
		share := 0.0
		if before := kind.of(pair[0]); before > 0 {
			share = float64(kind.of(pair[1])) / float64(before) * 100
		}
		rows = append(rows, []string{
			pair[0].htmlName(), fmt.Sprint(kind.of(pair[0])), fmt.Sprint(kind.of(pair[1])), fmt.Sprint(uint64(kind.difference(pair))),
			fmt.Sprintf("%.2f", share), fmt.Sprint(pair[0].calls[0]), fmt.Sprint(pair[1].calls[0]),
		})
	}
	return rows
}

// alone returns the row of a method of only one trace: name, times and calls.
func (m *method) alone() []string {
	return []string{m.htmlName(), fmt.Sprint(m.exclusive), fmt.Sprint(m.inclusive), fmt.Sprint(m.calls[0])}
}

// methodKey identifies a method in both traces.
type methodKey struct {
	class, name, signature string
	id                     int64 // of methods without a name
}

func (m *method) key() methodKey {
	if m.nameless {
		return methodKey{class: m.class, id: m.id}
	}
	return methodKey{m.class, m.name, m.signature, 0}
}

// matchMethods pairs methods. If several have the same name, it uses the first.
func matchMethods(old, now []*method) (both [][2]*method, onlyOld, onlyNew []*method) {
	byKey := map[methodKey][]*method{}
	for _, m := range now {
		byKey[m.key()] = append(byKey[m.key()], m)
	}
	paired := map[*method]bool{}
	for _, m := range old {
		others := byKey[m.key()]
		if len(others) == 0 {
			onlyOld = append(onlyOld, m)
			continue
		}
		byKey[m.key()] = others[1:]
		both = append(both, [2]*method{m, others[0]})
		paired[others[0]] = true
	}
	for _, m := range now {
		if !paired[m] {
			onlyNew = append(onlyNew, m)
		}
	}
	return both, onlyOld, onlyNew
}

// htmlName returns the name as dmtracedump prints it in a difference, even in text.
func (m *method) htmlName() string {
	return escapeHTML(m.member())
}
