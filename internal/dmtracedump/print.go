package dmtracedump

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Print writes the report like dmtracedump without options.
func (d *Report) Print(out io.Writer) error { return d.print(out, textMarkup{}) }

// PrintHTML writes the report as a page, like dmtracedump -h: the same text with the same links
// between methods. The head and scripts differ, and classes unfold without a script. The prefix of
// -s precedes the name of the script sortable.js; if it is empty, the page has no script.
func (d *Report) PrintHTML(out io.Writer, sortable string) error {
	return d.print(out, htmlMarkup{sortable})
}

// print writes the report. It can be written more than once, after the last event.
func (d *Report) print(out io.Writer, form markup) error {
	w := bufio.NewWriter(out)
	total := float64(d.index())
	form.begin(w)
	d.printExclusive(w, form, total)
	d.printInclusive(w, form, total)
	d.printClasses(w, form, total)
	form.end(w)
	return w.Flush()
}

// index ends the open calls and numbers the methods. It returns the time of all threads in us.
func (d *Report) index() (total uint64) {
	total = d.finish()
	slices.SortStableFunc(d.listed, byInclusive)
	for i, m := range d.listed {
		m.index = i
	}
	return total
}

func (d *Report) printExclusive(w io.Writer, form markup, total float64) {
	slices.SortStableFunc(d.listed, byExclusive)
	form.section(w, "exclusive")
	fmt.Fprintf(w, "Total cycles: %.0f\n\n", total)
	fmt.Fprint(w, "Exclusive elapsed times for each method, not including time spent in\nchildren, sorted by exclusive time.\n\n")
	form.beginTable(w)
	fmt.Fprint(w, "    Usecs  self %  sum %  Method\n")
	defer form.endTable(w)
	sum := 0.0
	for _, m := range d.listed {
		if m.exclusive == 0 {
			break
		}
		sum += float64(m.exclusive)
		fmt.Fprintf(w, "%9d  %6.2f %6.2f  %s %s\n", m.exclusive, 100*float64(m.exclusive)/total, 100*sum/total, form.index(m, 0), form.text(m.text()))
	}
}

func (d *Report) printInclusive(w io.Writer, form markup, total float64) {
	slices.SortStableFunc(d.listed, byInclusive)
	form.section(w, "inclusive")
	fmt.Fprint(w, "\nInclusive elapsed times for each method and its parents and children,\nsorted by inclusive time.\n\n")
	form.beginTable(w)
	fmt.Fprint(w, "index  %/total %/self  index     calls         usecs name\n")
	defer form.endTable(w)
	for i, m := range d.listed {
		if m.inclusive == 0 {
			break
		}
		form.target(w, m)
		fmt.Fprintln(w, strings.Repeat("-", 52))
		m.printRelatives(w, form, &m.callers, m.calls[0]+m.calls[1])
		fmt.Fprintf(w, "%-6s %5.1f%%   %5s %6s %6d+%-6d %9d %s\n", fmt.Sprintf("[%d]", i), 100*float64(m.inclusive)/total, "", "", m.calls[0], m.calls[1], m.inclusive, form.text(m.text()))
		fmt.Fprintf(w, "%6s %5s   %5.1f%% %6s %6s %6s %9d\n", "", "", 100*float64(m.outermostExclusive)/float64(m.inclusive), "excl", "", "", m.outermostExclusive)
		m.printRelatives(w, form, &m.callees, 0)
	}
}

// printRelatives prints callers or callees: first those of outermost activations, then the others,
// without a share.
func (m *method) printRelatives(w io.Writer, form markup, of *[2]relatives, calls int) {
	for recursive := range of {
		list := slices.Clone(of[recursive].list)
		slices.Reverse(list)
		slices.SortStableFunc(list, func(a, b *relative) int {
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
			fmt.Fprintf(w, "%6s %5s   %6s %s %6d/%-6d %9d %s\n", "", "", share, form.index(r.method, 6), r.calls, all, r.inclusive, form.text(r.method.text()))
		}
	}
}

// group is the methods of a class, or with the same name.
type group struct {
	name      string
	methods   []*method
	exclusive uint64
	calls     [2]int
}

// groups groups methods with names by key. listed must be sorted by key.
func (d *Report) groups(key func(*method) string) []*group {
	var groups []*group
	for _, m := range d.listed {
		if m.nameless {
			continue
		}
		if len(groups) == 0 || groups[len(groups)-1].name != key(m) {
			groups = append(groups, &group{name: key(m)})
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
	slices.SortStableFunc(groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(b.exclusive, a.exclusive), strings.Compare(a.methods[0].class, b.methods[0].class), cmp.Compare(a.methods[0].id, b.methods[0].id))
	})
	return groups
}

func (d *Report) printClasses(w io.Writer, form markup, total float64) {
	byClass := func(a, b *method) int {
		return cmp.Or(strings.Compare(a.class, b.class), cmp.Compare(a.id, b.id))
	}
	slices.SortStableFunc(d.listed, byClass)
	classes := d.groups(func(m *method) string { return m.class })
	form.section(w, "class")
	if len(classes) == 0 {
		fmt.Fprint(w, "\nNo classes.\n")
		return
	}
	fmt.Fprint(w, "\nExclusive elapsed time for each class, summed over all the methods\nin the class.\n\n")
	printGroups(w, form, "Class", classes, total, func(m *method) string { return m.name + " " + m.signature })

	slices.SortStableFunc(d.listed, func(a, b *method) int {
		if a.nameless || b.nameless {
			return byClass(a, b)
		}
		return cmp.Or(strings.Compare(a.name, b.name), byClass(a, b))
	})
	form.section(w, "method")
	fmt.Fprint(w, "\nExclusive elapsed time for each method, summed over all the classes\nthat contain a method with the same name.\n\n")
	printGroups(w, form, "Method", d.groups(func(m *method) string { return m.name }), total, (*method).text)
}

func printGroups(w io.Writer, form markup, of string, groups []*group, total float64, text func(*method) string) {
	form.beginTable(w)
	defer form.endTable(w)
	fmt.Fprintf(w, "   Cycles %%/total Cumul.%%  Calls+Recur  %s\n", of)
	sum := 0.0
	for _, g := range groups {
		if g.exclusive == 0 {
			break
		}
		sum += float64(g.exclusive)
		form.beginGroup(w, fmt.Sprintf("%9d %7.1f %7.1f %6d+%-6d %s", g.exclusive, 100*float64(g.exclusive)/total, 100*sum/total, g.calls[0], g.calls[1], form.text(g.name)))
		own := 0.0
		for _, m := range g.methods {
			own += float64(m.exclusive)
			fmt.Fprintf(w, "%9d %9d %7.1f %7.1f %6d+%-6d %s %s\n", m.exclusive, m.inclusive, 100*float64(m.exclusive)/float64(g.exclusive), 100*own/float64(g.exclusive), m.calls[0], m.calls[1], form.index(m, 0), form.text(text(m)))
		}
		form.endGroup(w)
	}
}
