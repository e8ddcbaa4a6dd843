//go:build pending

package view

import (
	"strings"
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/dmtracedump"
)

// sumOf is what a page shows of a method.
type sumOf struct {
	Exclusive, Inclusive time.Duration
	Calls, Recursive     int64
}

// sumsOf adds the calls of a page up by method, in CPU time.
func sumsOf(d *decoded) map[string]sumOf {
	all := map[string]sumOf{}
	for i := range d.Recordings[0].Threads {
		var open []readCall
		for _, c := range d.calls(&d.Recordings[0].Threads[i]) {
			open = open[:c.Depth]
			s, recursive := all[c.Method], false
			for _, o := range open {
				recursive = recursive || o.Method == c.Method
			}
			s.Exclusive += c.CPUTime
			if recursive {
				s.Recursive++
			} else {
				s.Calls++
				s.Inclusive += c.CPUTime
			}
			all[c.Method] = s
			if n := len(open); n > 0 {
				caller := all[open[n-1].Method]
				caller.Exclusive -= c.CPUTime
				all[open[n-1].Method] = caller
			}
			open = append(open, c)
		}
	}
	return all
}

// TestRealFiles holds what the page shows against dmtracedump's report of the same
// file, where it has them: of methods that took no time it says nothing. Neither file
// has an exit without an enter, of which dmtracedump makes a call from time 0.
func TestRealFiles(t *testing.T) {
	dmtracedump.Require(t)
	for _, name := range []string{"sampled-art-file.trace", "sampled-host-file.trace"} {
		t.Run(name, func(t *testing.T) {
			file := testdata.Path(t, "traces", name)
			in, err := reader.Open(file, reader.Config{})
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			r, err := Read(&in.Recording, name, Options{})
			if err != nil {
				t.Fatal(err)
			}
			theirs, _, err := dmtracedump.Run(file)
			if err != nil {
				t.Fatal(err)
			}
			ours, compared := sumsOf(pageOf(t, r)), 0
			for _, m := range theirs.Methods {
				full, _, _ := strings.Cut(m.Name, "\t")
				full = strings.Replace(full, " (", "(", 1)
				want := sumOf{m.Exclusive, m.Inclusive, m.Calls, m.Recursive}
				if full[0] == '(' || want == (sumOf{}) { // toplevel; no time
					continue
				}
				if got := ours[full]; got != want {
					t.Errorf("%s: page %+v, dmtracedump %+v", full, got, want)
				}
				compared++
			}
			if compared < 200 {
				t.Errorf("only %d methods compared", compared)
			}
			t.Logf("%d methods equal", compared)
		})
	}
}
