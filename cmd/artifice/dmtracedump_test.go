package main

import (
	"slices"
	"testing"
)

// TestDmtracedumpMode checks that the program behaves as dmtracedump if it has this name, and with
// --compat.
func TestDmtracedumpMode(t *testing.T) {
	for name, want := range map[string]bool{"/usr/bin/dmtracedump": true, "dmtracedump.exe": true, "/usr/bin/artifice": false, "dmtracedump2": false} {
		if got := isDmtracedump(name); got != want {
			t.Errorf("isDmtracedump(%s) = %v, want %v", name, got, want)
		}
	}
	for _, c := range []struct{ args, want []string }{
		{[]string{"report", "a", "--compat", "dmtracedump", "-h"}, []string{"dmtracedump", "a", "-h"}},
		{[]string{"report", "--compat=dmtracedump", "a"}, []string{"dmtracedump", "a"}},
		{[]string{"report", "a", "--compat", "gprof"}, []string{"report", "a", "--compat", "gprof"}},
		{[]string{"report", "--compat"}, []string{"report", "--compat"}},
		{[]string{"diff", "a", "--to", "b", "--compat", "dmtracedump"}, []string{"diff", "a", "--to", "b", "--compat", "dmtracedump"}},
		{nil, nil},
	} {
		if got := asDmtracedump(c.args); !slices.Equal(got, c.want) {
			t.Errorf("%q becomes %q, want %q", c.args, got, c.want)
		}
	}
}
