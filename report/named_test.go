package report

import (
	"math"
	"testing"
)

// TestNamed: the q of one test is its p; the others are no longer there. A name stands for one method.
func TestNamed(t *testing.T) {
	diff := func() *Diff {
		d := &Diff{Tested: 3}
		for i, name := range []string{"a.B.run()V", "a.B.run(I)V", "a.C.runAll()V", "a.D.e()V"} {
			c := Change{P: 0.01 * float64(i+1), Q: 0.5}
			if i == 3 {
				c.P, c.Q = math.NaN(), math.NaN()
			}
			d.Methods = append(d.Methods, MethodChange{Name: name, Exclusive: c, Inclusive: c})
		}
		return d
	}
	for name, want := range map[string]int{"a.C.runAll()V": 2, "a.C.runAll": 2, "C.runAll": 2, "runAll": 2, "unAl": 2, "a.B.run(I)V": 1, "D.e": 3, "a/D.e": 3} {
		d, all := diff(), diff().Methods
		if name == "a/D.e" { // as Dalvik writes classes
			d.Methods[3].Name, all[3].Name = "a/D.e()V", "a/D.e()V"
		}
		err := d.Named(name)
		tested := 1
		if want == 3 {
			tested = 0
		}
		if err != nil || len(d.Methods) != 1 || d.Methods[0].Name != all[want].Name || d.Tested != tested ||
			tested == 1 && (d.Methods[0].Exclusive.Q != all[want].Exclusive.P || d.Methods[0].Inclusive.Q != all[want].Inclusive.P) {
			t.Errorf("%s: %v, %d tested, %+v", name, err, d.Tested, d.Methods)
		}
	}
	for _, name := range []string{"a.B.run", "run", "nothing"} {
		if d := diff(); d.Named(name) == nil || len(d.Methods) != 4 {
			t.Errorf("%s stands for one method", name)
		}
	}
}
