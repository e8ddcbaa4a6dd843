package jsonlines_test

import (
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
)

func TestJSONLines(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `{"time_us":5000,"cpu_us":10,"thread":"main","tid":3,"frames":["a.B.f(B.java:1)","a.B.main(B.java:9)"]}
{"time_us":5000,"thread":"w","frames":["x"]}

{"time_us":7500,"cpu_us":1010,"thread":"main","tid":3,"frames":["a.B.main(B.java:9)"],"extra":null}
`)
	formattest.Same(t, formattest.Text(t, s), `
thread	3	main
thread	1	w
0 0 3 enter a.B.main
0 0 3 enter a.B.f
0 0 1 enter x
2500000 1000000 3 exit a.B.f
2500000 0 1 exit x
`)
	formattest.Warned(t, s)
}

// TestJSONLinesPartial checks lines of threads that are sampled one by one, which state "partial".
func TestJSONLinesPartial(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `{"time_us":0,"thread":"a","frames":["x"],"partial":true}
{"time_us":1,"thread":"b","frames":["y"],"partial":true}
{"time_us":2,"thread":"a","frames":[],"partial":true}
`)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	a
0 - 1 enter x
thread	2	b
1000 - 2 enter y
2000 - 1 exit x
`)
	formattest.Warned(t, s)
}

// TestJSONLinesLargeNumbers checks thread numbers. A thread keeps a number of at most 32 bits, as
// on Linux. A replacement for a larger number differs from all kept ones.
func TestJSONLinesLargeNumbers(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `{"time_us":0,"thread":"large","tid":4294967303,"frames":["x"]}
{"time_us":0,"thread":"seventh","tid":7,"frames":["y"]}
{"time_us":1,"thread":"large","tid":4294967303,"frames":[]}
`)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	large
thread	7	seventh
0 - 1 enter x
0 - 7 enter y
1000 - 1 exit x
1000 - 7 exit y
`)
}

// TestJSONLinesDumps checks that lines with one time form one dump only if they belong to one
// process and are all partial or all complete. CPU time does not go back.
func TestJSONLinesDumps(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `{"time_us":0,"pid":1,"thread":"a","frames":["x"]}
{"time_us":0,"pid":2,"thread":"a","frames":["y"]}
{"time_us":0,"pid":2,"thread":"b","frames":["z"],"partial":true}
{"time_us":1,"pid":1,"thread":"a","frames":["x"]}
`)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	a
0 - 1 enter x
thread	2	a (pid 2)
0 - 2 enter y
thread	3	b
0 - 3 enter z
`)
	if c := s.Counts(); c.Dumps != 4 || c.Processes != 2 {
		t.Errorf("%d dumps of %d processes, want 4 of 2", c.Dumps, c.Processes)
	}
	s = formattest.Parse(t, stackdump.Config{}, `{"time_us":0,"cpu_us":50,"thread":"a","frames":["x"]}
{"time_us":1,"cpu_us":70,"thread":"a","frames":["y"]}
{"time_us":2,"cpu_us":60,"thread":"a","frames":["x"]}
`)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	a
0 0 1 enter x
1000 20000 1 exit x
1000 20000 1 enter y
2000 20000 1 exit y
2000 20000 1 enter x
`)
}

// TestJSONLinesTimePerThread checks the warning of an obvious mistake: a different time in the line
// of each thread.
func TestJSONLinesTimePerThread(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `{"time_us":0,"thread":"a","frames":["x"]}
{"time_us":1,"thread":"b","frames":["y"]}
{"time_us":10,"thread":"a","frames":["x"]}
`)
	tracetest.Events(t, s)
	formattest.Warned(t, s, `no two threads have a line with the same time`)
}

// TestJSONLinesFractions checks times with fractions, signs and exponents, which are rounded to a
// nanosecond.
func TestJSONLinesFractions(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `{"time_us":1700000000000000.25,"cpu_us":1.5,"thread":"m","frames":["f","a.B.main(B.java:1)"]}
{"time_us":1700000000001000.75,"cpu_us":2.0009,"thread":"m","frames":["a.B.main(B.java:1)"]}
{"time_us":1.700000000002e15,"cpu_us":3,"thread":"m","frames":[]}
`)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	m
0 0 1 enter a.B.main
0 0 1 enter f
1000500 501 1 exit f
1999750 1500 1 exit a.B.main
`)
	formattest.Warned(t, s)
}
