package diff

import (
	"fmt"
	"slices"
	"strings"

	"artifice/report"
	"artifice/trace"
)

// Rename renames the methods in a style, with as much detail as distinct names need.
func (d *Diff) Rename(style report.NameStyle) {
	symbols := &trace.Symbols{}
	for i := range d.Methods {
		symbols.AddMethod(*d.Methods[i].symbol())
	}
	names := report.NewNamer(symbols, style, len(d.Methods), func(i int) trace.MethodID { return trace.MethodID(i) })
	for i := range d.Methods {
		d.Methods[i].Name = names.Method(trace.MethodID(i))
	}
}

// symbol returns the method. If only its name is known, the class is the part before the last dot.
func (c *MethodChange) symbol() *trace.Method {
	if c.method != nil {
		return c.method
	}
	m := &trace.Method{Name: c.Of.Name, Signature: c.Of.Signature}
	if i := strings.LastIndexByte(m.Name, '.'); i > 0 && i < len(m.Name)-1 {
		m.Class, m.Name = m.Name[:i], m.Name[i+1:]
	}
	return m
}

// Only restricts the comparison to one method. name is the method's current name, its full name,
// the end of its full name after a dot, or a unique part of it. The method is named before the
// test, so its p-value needs no correction for others. Totals remain those of all methods.
func (d *Diff) Only(name string) error {
	i, err := d.find(name)
	if err != nil {
		return err
	}
	d.Methods = []MethodChange{d.Methods[i]}
	d.Named = true
	d.correct()
	return nil
}

func (d *Diff) find(name string) (int, error) {
	var found, ends []int
	bare, _, _ := strings.Cut(name, "(")
	for i := range d.Methods {
		m := d.Methods[i].symbol()
		full := m.String()
		if slices.Contains([]string{d.Methods[i].Name, full, m.FullName(), m.DottedClass() + "." + m.Name}, name) {
			return i, nil
		}
		if before, _, _ := strings.Cut(m.DottedClass()+"."+m.Name, "("); strings.HasSuffix(before, "."+bare) {
			ends = append(ends, i)
		}
		if strings.Contains(full, name) {
			found = append(found, i)
		}
	}
	if len(ends) > 0 {
		found = ends
	}
	switch len(found) {
	case 0:
		where := ""
		if d.Others > 0 {
			where = fmt.Sprintf("; only methods of %s are compared, --thread %s compares all threads", d.Threads, report.AllThreads)
		}
		return 0, fmt.Errorf("no method name contains %q%s", name, where)
	case 1:
		return found[0], nil
	}
	slices.SortFunc(found, func(a, b int) int { return strings.Compare(d.Methods[a].Name, d.Methods[b].Name) })
	return 0, fmt.Errorf("%d method names contain %q, such as %s and %s: use a longer part of the name", len(found), name, d.Methods[found[0]].Name, d.Methods[found[1]].Name)
}
