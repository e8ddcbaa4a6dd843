package report

import (
	"fmt"
	"strings"
)

// Named leaves of a difference the method of a name, or of a part of one that no other has, as the only
// one that was tested: what is named before it is looked at needs no correction for others. The
// name is a full one or begins with the class, with or without parameters.
func (d *Diff) Named(name string) error {
	bare, _, _ := strings.Cut(name, "(")
	ways := []func(string) bool{
		func(full string) bool { return full == name },
		func(full string) bool { before, _, _ := strings.Cut(full, "("); return before == bare },
		func(full string) bool {
			before, _, _ := strings.Cut(full, "(")
			return strings.HasSuffix(before, "."+bare)
		},
		func(full string) bool { return strings.Contains(full, bare) },
	}
	for _, is := range ways {
		var found []MethodChange
		for _, m := range d.Methods {
			if is(strings.ReplaceAll(m.Name, "/", ".")) || is(m.Name) {
				found = append(found, m)
			}
		}
		switch len(found) {
		case 0:
			continue
		case 1:
			found[0].Exclusive.Q, found[0].Inclusive.Q = found[0].Exclusive.P, found[0].Inclusive.P
			d.Methods, d.Tested = found, 0
			if p := found[0].Exclusive.P; p == p {
				d.Tested = 1
			}
			return nil
		}
		return fmt.Errorf("%d methods are called %s, such as %s and %s: give the full name", len(found), name, found[0].Name, found[1].Name)
	}
	return fmt.Errorf("no method's name has %q", name)
}
