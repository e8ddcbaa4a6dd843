package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The lines have the form of go test's output: testing.BenchmarkResult.String and MemString.
func TestParse(t *testing.T) {
	const output = `goos: linux
cpu: some
BenchmarkRead-2            	       4	  25000000 ns/op	        10.10 ns/event	 1234 B/op	       7 allocs/op
BenchmarkRun/ideal/samplers=1 	       1	  9 ns/op	        31.5 ns/event	         0.25 changed/event
BenchmarkSkipped
--- SKIP: BenchmarkSkipped
BenchmarkRead-2            	       5	  24000000 ns/op	         9.70 ns/event	 1234 B/op	       7 allocs/op
PASS
`
	got := measures{}
	if err := got.parse(strings.NewReader(output), "reader"); err != nil {
		t.Fatal(err)
	}
	want := measures{
		"reader.Read": 9.7, "reader.Read ns/op": 24e6, "reader.Read B/op": 1234, "reader.Read allocs/op": 7,
		"reader.Run/ideal/samplers=1": 31.5, "reader.Run/ideal/samplers=1 ns/op": 9, "reader.Run/ideal/samplers=1 changed/event": 0.25,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The goal is 3 times a cost of 20 ns, plus 40 ns times 0.5 changes per event: 60 + 20 = 80 ns, 4
// times the cost.
func TestJudge(t *testing.T) {
	m := measures{"one": 20, "many changed/event": 0.5}
	g := &goal{measure: "many", of: "one", times: 3, plus: []term{{"many changed/event", 40}}}
	for ns, want := range map[float64]string{80: "4 times, met", 81: "4 times, not met"} {
		if got := m.judge(g, ns/20); got != want {
			t.Errorf("%v ns: %q, want %q", ns, got, want)
		}
	}
	for ns, want := range map[float64]string{25: "25 ns, met", 26: "25 ns, not met"} {
		if got := m.judge(&goal{of: "one", ns: 25}, ns/20); got != want {
			t.Errorf("%v ns: %q, want %q", ns, got, want)
		}
	}
	if got := m.judge(&goal{times: 1. / 8}, 1./7.5); got != "1/8, not met" {
		t.Errorf("%q", got)
	}
}
