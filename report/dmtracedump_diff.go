package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// PrintDiff writes the difference of two traces as "dmtracedump -d old now" does. It
// is called once, after the last event of both.
//
// Two lists of the methods that both have come first, by exclusive and by inclusive
// time, those that became longest in front, then the methods of one trace only.
// Nothing says where one list ends. Percentages are of the old time. A method that
// took no time in the old trace has the difference 0, and names have the form that
// they have in HTML, as there. In one thing it differs: what became shorter has a
// minus sign, where dmtracedump prints 18446744073709551615 for −1.
func (d *Dmtracedump) PrintDiff(out io.Writer, old *Dmtracedump) error {
	w := bufio.NewWriter(out)
	for _, side := range []*Dmtracedump{old, d} {
		side.finish()
		slices.SortStableFunc(side.listed, byInclusive)
	}
	both, onlyOld, onlyNew := matchMethods(old.listed, d.listed)
	for _, kind := range []func(*dmMethod) uint64{
		func(m *dmMethod) uint64 { return m.exclusive },
		func(m *dmMethod) uint64 { return m.inclusive },
	} {
		slices.SortStableFunc(both, func(a, b [2]*dmMethod) int {
			return cmp.Compare(dmDifference(b, kind), dmDifference(a, kind))
		})
		for _, pair := range both {
			printPair(w, pair, kind)
		}
	}
	for _, m := range append(onlyOld, onlyNew...) {
		fmt.Fprintf(w, "%s %d %d %d\n", m.htmlName(), m.exclusive, m.inclusive, m.calls[0])
	}
	return w.Flush()
}

// dmKey is what a method of another trace is found by.
type dmKey struct {
	class, name, signature string
	id                     int64 // of methods without a name
}

func (m *dmMethod) key() dmKey {
	if m.nameless {
		return dmKey{class: m.class, id: m.id}
	}
	return dmKey{m.class, m.name, m.signature, 0}
}

// matchMethods pairs methods, of several with one name those that come first.
func matchMethods(old, now []*dmMethod) (both [][2]*dmMethod, onlyOld, onlyNew []*dmMethod) {
	byKey := map[dmKey][]*dmMethod{}
	for _, m := range now {
		byKey[m.key()] = append(byKey[m.key()], m)
	}
	paired := map[*dmMethod]bool{}
	for _, m := range old {
		others := byKey[m.key()]
		if len(others) == 0 {
			onlyOld = append(onlyOld, m)
			continue
		}
		byKey[m.key()] = others[1:]
		both = append(both, [2]*dmMethod{m, others[0]})
		paired[others[0]] = true
	}
	for _, m := range now {
		if !paired[m] {
			onlyNew = append(onlyNew, m)
		}
	}
	return both, onlyOld, onlyNew
}

func dmDifference(pair [2]*dmMethod, of func(*dmMethod) uint64) int64 {
	if of(pair[0]) == 0 {
		return 0
	}
	return int64(of(pair[1]) - of(pair[0]))
}

func printPair(w io.Writer, pair [2]*dmMethod, of func(*dmMethod) uint64) {
	share := 0.0
	if before := of(pair[0]); before > 0 {
		share = float64(of(pair[1])) / float64(before) * 100
	}
	fmt.Fprintf(w, "%s %d %d %d %.2f\n%d\n%d\n", pair[0].htmlName(), of(pair[0]), of(pair[1]), dmDifference(pair, of), share, pair[0].calls[0], pair[1].calls[0])
}

// htmlName is a name as dmtracedump prints it in a difference, also as text.
func (m *dmMethod) htmlName() string {
	name := m.name
	if m.nameless {
		name = "(null)"
	}
	return strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;").Replace(m.class + "." + name)
}
