package workload

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/internal/testdata"
)

// TestHostileFiles checks that small files with large demands are accepted or rejected in bounded
// time and memory.
func TestHostileFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	testdata.Seldom(t, 10)
	const family = "a.F.f{1..65000}"
	all := map[string]string{
		"a large family that calls itself": "name: x\nmethods:\n  " + family + "()V:\n    do:\n    - self: 1us\n    - call: " + family + "\n      below: 10000\n" +
			"threads:\n- name: m\n  do:\n  - call: " + family + "\n",
		"a large family that throws at all depths": "name: x\nmethods:\n  a.E.<init>()V:\n  " + family + "()V:\n    do:\n    - throw: a.E.<init>\n      prob: 0.5\n      below: 9999\n    - call: a.E.<init>\n" +
			"threads:\n- name: m\n  do:\n  - call: " + family + "\n",
		"a large family with a large body": "name: x\nmethods:\n  a.F.g()V:\n  " + family + "()V:\n    do:\n" + strings.Repeat("    - {self: 1us}\n", 20_000) +
			"threads:\n- name: m\n  do:\n  - call: " + family + "\n",
		"a family that calls itself for ever": "name: x\nmethods:\n  a.F.f{1..65000}()V:\n    do:\n    - call: a.F.f{1..40}\nthreads:\n- name: m\n  do:\n  - call: a.F.f{1..65000}\n",
		"many calls of a large family":        "name: x\nmethods:\n  " + family + "()V:\nthreads:\n- name: m\n  do:\n" + strings.Repeat("  - call: "+family+"\n", 20_000),
		"many copies of a large thread": "name: x\nmethods:\n  a.F.g()V: {do: [{self: 1us}]}\nthreads:\n- name: m\n- name: t\n  count: 65535\n  do:\n" +
			strings.Repeat("  - {call: a.F.g}\n", 20_000),
		"many threads on a deep recursion": "name: x\nmethods:\n  a.F.g()V: {do: [{self: 1us}, {call: a.F.g, below: 10000}]}\nthreads:\n" +
			strings.Repeat("- {name: t, do: [{call: a.F.g}]}\n", 20_000),
		"calls without end in no time": "name: x\nmethods:\n  a.F.g()V:\n  a.F.p()V: {do: [{until_next: 1ms, prob: 1e-12}]}\n" +
			"threads: [{name: m, do: [{loop: forever, do: [{call: a.F.g}, {call: a.F.p}]}]}]\n",
		"loops in loops": "name: x\nmethods:\n  a.F.g()V: {do: [{self: 1ns}]}\nthreads:\n- name: m\n  do: [{call: a.F.g}" +
			strings.Repeat(", {loop: 1000000000, do: [{self: 1ns}", 20) + strings.Repeat("]}", 20) + "]\n",
	}
	for _, name := range testdata.Some(t, slices.Sorted(maps.Keys(all)), 1) {
		text := all[name]
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			p, err := ReadYAML(strings.NewReader(text), "f.yaml")
			if err == nil {
				rec := truthOf(t, p, Config{Duration: time.Millisecond})
				batch := readSome(t, rec, 100_000)
				err = fmt.Errorf("taken, %d events", batch)
			}
			runtime.ReadMemStats(&after)
			took, used := time.Since(began), after.TotalAlloc-before.TotalAlloc
			t.Logf("%d bytes, %v, %d MiB: %v", len(text), took.Round(time.Millisecond), used>>20, err)
			// The parser alone takes about 300 bytes per byte. Its duration is only logged, because
			// a busy machine would exceed any limit.
			if used > 1<<30 {
				t.Errorf("%d bytes need %d MiB of memory", len(text), used>>20)
			}
		})
	}
}
