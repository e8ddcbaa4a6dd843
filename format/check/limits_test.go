package check_test

import (
	"fmt"
	"slices"
	"testing"
)

// TestLimits checks values at and beyond the limits in the explanations of rules, for example a
// length below the time of the last event (1030 us in goodFile), or more than 3000 frames.
func TestLimits(t *testing.T) {
	elapsed := func(us int) func(f *madeFile) {
		return func(f *madeFile) { f.option("elapsed-time-usec", fmt.Sprint("elapsed-time-usec=", us)) }
	}
	frames := func(n int) func(f *madeFile) {
		return func(f *madeFile) {
			f.option("num-method-calls", fmt.Sprint("num-method-calls=", n))
			f.records = slices.Repeat(f.records[:1], n)
		}
	}
	for _, c := range []struct {
		name   string
		change func(f *madeFile)
		rule   string
		broken bool
	}{
		{"length below the last event", elapsed(1029), "W123", true},
		{"length of the last event", elapsed(1030), "W123", false},
		{"3000 frames", frames(3000), "W128", false},
		{"3001 frames", frames(3001), "W128", true},
	} {
		f := goodFile()
		c.change(f)
		r := checkBytes(t, f.bytes())
		if r.Has(c.rule) != c.broken {
			t.Errorf("%s: %s found: %t\n%v", c.name, c.rule, !c.broken, r.Findings)
		}
	}
}
