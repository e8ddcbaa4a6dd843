package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Print writes the report as dmtracedump does without options. It is called once,
// after the last event.
func (d *Dmtracedump) Print(out io.Writer) error {
	w := bufio.NewWriter(out)
	total := d.finish()
	slices.SortStableFunc(d.listed, byInclusive)
	for i, m := range d.listed {
		m.index = i
	}
	d.printExclusive(w, float64(total))
	d.printInclusive(w, float64(total))
	d.printClasses(w, float64(total))
	return w.Flush()
}

var dmRuler = "\n" + strings.Repeat("=", 70) + "\n"

func (d *Dmtracedump) printExclusive(w io.Writer, total float64) {
	slices.SortStableFunc(d.listed, byExclusive)
	fmt.Fprintf(w, "%sTotal cycles: %.0f\n\n", dmRuler, total)
	fmt.Fprint(w, "Exclusive elapsed times for each method, not including time spent in\nchildren, sorted by exclusive time.\n\n    Usecs  self %  sum %  Method\n")
	sum := 0.0
	for _, m := range d.listed {
		if m.exclusive == 0 {
			break
		}
		sum += float64(m.exclusive)
		fmt.Fprintf(w, "%9d  %6.2f %6.2f  [%d] %s\n", m.exclusive, 100*float64(m.exclusive)/total, 100*sum/total, m.index, m.text())
	}
}

func (d *Dmtracedump) printInclusive(w io.Writer, total float64) {
	slices.SortStableFunc(d.listed, byInclusive)
	fmt.Fprint(w, dmRuler, "\nInclusive elapsed times for each method and its parents and children,\nsorted by inclusive time.\n\nindex  %/total %/self  index     calls         usecs name\n")
	for i, m := range d.listed {
		if m.inclusive == 0 {
			break
		}
		fmt.Fprintln(w, strings.Repeat("-", 52))
		m.printRelatives(w, &m.callers, m.calls[0]+m.calls[1])
		fmt.Fprintf(w, "%-6s %5.1f%%   %5s %6s %6d+%-6d %9d %s\n", fmt.Sprintf("[%d]", i), 100*float64(m.inclusive)/total, "", "", m.calls[0], m.calls[1], m.inclusive, m.text())
		fmt.Fprintf(w, "%6s %5s   %5.1f%% %6s %6s %6s %9d\n", "", "", 100*float64(m.outermostExclusive)/float64(m.inclusive), "excl", "", "", m.outermostExclusive)
		m.printRelatives(w, &m.callees, 0)
	}
}

// printRelatives prints callers or callees: of outermost activations, then of the
// others, which have no share.
func (m *dmMethod) printRelatives(w io.Writer, of *[2]dmRelatives, calls int) {
	for recursive := range of {
		list := slices.Clone(of[recursive].list)
		slices.Reverse(list)
		slices.SortStableFunc(list, func(a, b *dmRelative) int {
			return cmp.Or(cmp.Compare(b.inclusive, a.inclusive), byName(a.method, b.method))
		})
		if recursive == 1 && len(list) > 0 {
			fmt.Fprintf(w, "%15s%s\n", "", strings.Repeat("+", 25))
		}
		for _, r := range list {
			share := fmt.Sprintf("%5.1f%%", 100*float64(r.inclusive)/float64(m.inclusive))
			if recursive == 1 {
				share = ""
			}
			all := calls
			if all == 0 {
				all = r.method.calls[0] + r.method.calls[1]
			}
			fmt.Fprintf(w, "%6s %5s   %6s %6s %6d/%-6d %9d %s\n", "", "", share, fmt.Sprintf("[%d]", r.method.index), r.calls, all, r.inclusive, r.method.text())
		}
	}
}

// dmGroup is the methods of a class, or of a name.
type dmGroup struct {
	name      string
	methods   []*dmMethod
	exclusive uint64
	calls     [2]int
}

// groups gathers methods that have names by key, which listed is sorted by.
func (d *Dmtracedump) groups(key func(*dmMethod) string) []*dmGroup {
	var groups []*dmGroup
	for _, m := range d.listed {
		if m.nameless {
			continue
		}
		if len(groups) == 0 || groups[len(groups)-1].name != key(m) {
			groups = append(groups, &dmGroup{name: key(m)})
		}
		g := groups[len(groups)-1]
		g.methods = append(g.methods, m)
		g.exclusive += m.exclusive
		g.calls[0] += m.calls[0]
		g.calls[1] += m.calls[1]
	}
	for _, g := range groups {
		slices.SortStableFunc(g.methods, byExclusive)
	}
	slices.SortStableFunc(groups, func(a, b *dmGroup) int {
		return cmp.Or(cmp.Compare(b.exclusive, a.exclusive), strings.Compare(a.methods[0].class, b.methods[0].class), cmp.Compare(a.methods[0].id, b.methods[0].id))
	})
	return groups
}

func (d *Dmtracedump) printClasses(w io.Writer, total float64) {
	byClass := func(a, b *dmMethod) int {
		return cmp.Or(strings.Compare(a.class, b.class), cmp.Compare(a.id, b.id))
	}
	slices.SortStableFunc(d.listed, byClass)
	classes := d.groups(func(m *dmMethod) string { return m.class })
	fmt.Fprint(w, dmRuler)
	if len(classes) == 0 {
		fmt.Fprint(w, "\nNo classes.\n")
		return
	}
	fmt.Fprint(w, "\nExclusive elapsed time for each class, summed over all the methods\nin the class.\n\n   Cycles %/total Cumul.%  Calls+Recur  Class\n")
	printGroups(w, classes, total, func(m *dmMethod) string { return m.name + " " + m.signature })

	slices.SortStableFunc(d.listed, func(a, b *dmMethod) int {
		if a.nameless || b.nameless {
			return byClass(a, b)
		}
		return cmp.Or(strings.Compare(a.name, b.name), byClass(a, b))
	})
	fmt.Fprint(w, dmRuler, "\nExclusive elapsed time for each method, summed over all the classes\nthat contain a method with the same name.\n\n   Cycles %/total Cumul.%  Calls+Recur  Method\n")
	printGroups(w, d.groups(func(m *dmMethod) string { return m.name }), total, (*dmMethod).text)
}

func printGroups(w io.Writer, groups []*dmGroup, total float64, text func(*dmMethod) string) {
	sum := 0.0
	for _, g := range groups {
		if g.exclusive == 0 {
			break
		}
		sum += float64(g.exclusive)
		fmt.Fprintln(w, strings.Repeat("-", 45))
		fmt.Fprintf(w, "%9d %7.1f %7.1f %6d+%-6d %s\n", g.exclusive, 100*float64(g.exclusive)/total, 100*sum/total, g.calls[0], g.calls[1], g.name)
		own := 0.0
		for _, m := range g.methods {
			own += float64(m.exclusive)
			fmt.Fprintf(w, "%9d %9d %7.1f %7.1f %6d+%-6d [%d] %s\n", m.exclusive, m.inclusive, 100*float64(m.exclusive)/float64(g.exclusive), 100*own/float64(g.exclusive), m.calls[0], m.calls[1], m.index, text(m))
		}
	}
}
