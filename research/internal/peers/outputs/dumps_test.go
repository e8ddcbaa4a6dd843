package outputs_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	formatpkg "artifice/format"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/outputs"
)

// lostOfDumps contains, by format, the reason why files made of dumps lose times of threads: wall,
// CPU.
var lostOfDumps = map[string][2]string{
	"art-longrun-2025-02": {"", "it has no CPU time"},
	"art-longrun-16":      {"only methods that run long are in it", "it has no CPU time"},
	"folded":              {"threads are merged", "it has one value"},
	"speedscope":          {"", "it has one value"},
	"ftrace":              {"threads have the kernel's names, of 15 bytes", "it has no CPU time"},
	"atrace":              {"threads have the kernel's names, of 15 bytes", "it has no CPU time"},
	"simpleperf-proto":    {"it has running time only", ""},
	"dalvik1":             {"", "it has one clock"},
	"dalvik2":             {"", "it has one clock"},
}

// TestDumpsRoundTrip: report prints the same time for each thread of a file converted from
// thread dumps or CPU samples as for the input. Times are compared to 1 µs, the resolution of most
// formats; Chrome's JSON loses 1 ns per event. Samples of CPU time have no wall time: a file that has
// some is right only if convert says that it is derived.
func TestDumpsRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	p := outputs.Build(t)
	// The dates of the first and the last of jstack's files are 9 s apart.
	first, err := reported(p, testdata.Path(t, "jstack", "cpu-hotspot"))
	if err != nil || first["main"][0] != 9*time.Second {
		t.Fatalf("main has %v, %v", first["main"], err)
	}
	lost := map[string]int{} // dumps that lose it
	inputs := []string{testdata.Path(t, "jstack", "cpu-hotspot"), testdata.Path(t, "other", "perf-java-stacks-01.txt")}
	for _, in := range inputs {
		want, err := reported(p, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range testdata.Some(t, formatpkg.Written(), 2) {
			file := filepath.Join(t.TempDir(), "x."+f.Name)
			said := p.Run(t, "convert", in, "-o", file, "--format", f.Name)
			got, err := reported(p, file)
			for i, clock := range []string{"wall", "CPU"} {
				same, why := err == nil && near(want, got, i), lostOfDumps[f.Name][i]
				derived := clock == "wall" && strings.Contains(said, "its wall times are derived from the CPU times")
				switch {
				case same:
				case derived && want.lacks(i) && !got.lacks(i):
				case why == "":
					t.Errorf("%s as %s: %s time differs, %v\nwant %v\ngot  %v", filepath.Base(in), f.Name, clock, err, want, got)
				default:
					lost[f.Name+" "+clock]++
				}
			}
		}
	}
	stale(t, lostOfDumps, lost)
}

// stale fails for a listed loss that did not occur in any file, if all are tried.
func stale(t *testing.T, said map[string][2]string, lost map[string]int) {
	t.Helper()
	if !testdata.Exhaustive() {
		return
	}
	for format, why := range said {
		for i, clock := range []string{"wall", "CPU"} {
			if why[i] != "" && lost[format+" "+clock] == 0 {
				t.Errorf("%s: %s time is preserved in all files, but listed as lost: %s", format, clock, why[i])
			}
		}
	}
}

// lacks reports whether no thread has a time on a clock.
func (m times) lacks(clock int) bool {
	for _, t := range m {
		if t[clock] != 0 {
			return false
		}
	}
	return true
}

// near compares one of the clocks, to a microsecond.
func near(want, got times, clock int) bool {
	for name := range want {
		if d := (want[name][clock] - got[strings.TrimSpace(name)][clock]).Abs(); d > time.Microsecond {
			return false
		}
	}
	return true
}
