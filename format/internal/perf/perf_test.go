package perf_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
	"artifice/trace/calltree"
)

// TestPerf checks that a sample of cpu-clock counts nanoseconds of CPU time, regardless of the time
// between samples. This includes the last sample.
func TestPerf(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `# perf's header
V8 WorkerThread 24636/25607 [000] 100.000000:     250000 cpu-clock:u:
	    7f26dc479340 f+0x1f (/lib/libfoo.so)
	    7f26cab4c0b0 main (/bin/app)

java 24636/24636 [001] 100.000500:     300000 cpu-clock:u:
	    7f26dc479340 Lorg/mozilla/Context;::call->Ljava/lang/Object;::hash (/tmp/perf-24636.map)
	ffffffff8104f45a do_sys_open ([kernel.kallsyms])

V8 WorkerThread 24636/25607 [000] 100.001000:     instructions:u:
	    7f26cab4c0b0 main (/bin/app)

V8 WorkerThread 24636/25607 [000] 100.001500:     1 cpu-clock:u:
	    7f26cab4c0b0 main (/bin/app)`)
	formattest.Same(t, formattest.Text(t, s), `
thread	25607	V8 WorkerThread
0 0 25607 enter main
0 0 25607 enter f
thread	24636	java
500000 0 24636 enter do_sys_open_[k]
500000 0 24636 enter org/mozilla/Context:::call_[j]
500000 0 24636 enter java/lang/Object:::hash_[i]
250000 250000 25607 exit f
250000 250000 25607 exit main
1500000 250000 25607 enter main
1500001 250001 25607 exit main
800000 300000 24636 exit java/lang/Object:::hash_[i]
800000 300000 24636 exit org/mozilla/Context:::call_[j]
800000 300000 24636 exit do_sys_open_[k]
`)
	formattest.Warned(t, s, "there is no empty line after the last sample: its outer frames may be missing", "samples of cpu-clock:u are read; other events are ignored: instructions:u (1 sample); --event NAME reads another event")
	if !s.Info.OfCPU || s.Info.Clock != trace.Dual || s.Info.Interval != 250000 {
		t.Errorf("%+v, want samples of CPU time", s.Info)
	}
	if c := s.Counts(); c.Frames != 2 || c.NativeFrames != 3 || c.KernelFrames != 1 {
		t.Errorf("%+v, want 2 frames of compiled Java, 3 of machine code, 1 of the kernel", c)
	}
	managed := formattest.Parse(t, stackdump.Config{Include: stackdump.ManagedFrames}, "java 1/2 1.0: 7 task-clock:\n\t1 read (/lib/libc.so)\n\t2 a.B.f (/data/app/base.odex)\n\tff sys_read ([kernel.kallsyms])\n\n")
	formattest.Same(t, formattest.Text(t, managed), "thread\t2\tjava\n0 0 2 enter a.B.f\n7 7 2 exit a.B.f\n")
}

// TestPerfCounts checks counts of events other than a clock, which are not times. They are scaled
// so that the median count is a period. The file states the period, or it is the distance of
// samples of a thread.
func TestPerfCounts(t *testing.T) {
	const f, g = "\n\t1 f (x)\n\n", "\n\t1 g (x)\n\n"
	for _, test := range []struct{ name, text, ends, warning string }{
		{"apart", "app 7 1.000: 1000 cycles:" + f + "app 7 1.002: 2000 cycles:" + g + "app 7 1.004: 3000 cycles:" + f, "1000000 3000000 6000000",
			"samples count cycles, which is not a unit of time; a typical sample counts as 2ms of CPU time (the median distance of two samples of a thread)"},
		{"-F", "# cmdline : /usr/bin/perf record -F 1000 -a -g\napp 7 1.000: 1000 cycles:" + f + "app 7 1.002: 2000 cycles:" + g + "app 7 1.004: 3000 cycles:" + f, "500000 1500000 3000000",
			"a typical sample counts as 1ms of CPU time (stated in the file)"},
		{"-F, no counts", "# cmdline : perf record -F 99\napp 7 1.0: cycles:" + f + "app 7 1.2: cycles:" + g, "10101010 20202020", "10.10101ms"},
		{"header of perf 6", "# event : name = cycles, , { sample_period, sample_freq } = 4000, freq = 1\napp 7 1.0: cycles:" + f, "250000", "250µs"},
		{"-c of cycles", "# cmdline : perf record -e cycles -c 100000000\n# event : name = cycles, , { sample_period, sample_freq } = 100000000, sample_type = IP\napp 7 1.00: cycles:" + f + "app 7 1.03: cycles:" + g,
			"30000000 60000000", "a typical sample counts as 30ms of CPU time (the median distance of two samples of a thread)"},
		{"-c of a clock", "# event : name = cpu-clock, , { sample_period, sample_freq } = 2000000, sample_type = IP\napp 7 1.00: cpu-clock:" + f + "app 7 1.03: cpu-clock:" + g,
			"2000000 4000000", "a typical sample counts as 2ms of CPU time (stated in the file)"},
		{"start of perf", "app 7 1.000: 1 cycles:" + f + "app 7 1.002: 1000 cycles:" + g + "app 7 1.004: 2000 cycles:" + f + "app 7 1.006: 1500000 cycles:" + g + "app 7 1.008: 1000 cycles:" + f, // the fourth counts as the 2 ms since the third
			"2000 2002000 6002000 8002000 10002000", "a typical sample counts as 2ms of CPU time"},
		{"a clock without counts", "app 7 1.000: cpu-clock:" + f + "app 7 1.003: cpu-clock:" + g, "3000000 6000000",
			"samples do not state the CPU time between them; a typical sample counts as 3ms"},
		{"nothing", "app 7 1.0: cycles:" + f, "10000000", "10ms of CPU time (an assumption)"},
	} {
		s := formattest.Parse(t, stackdump.Config{}, test.text)
		var ends []string
		for _, e := range tracetest.Events(t, s) {
			if e.Action == trace.Exit {
				ends = append(ends, fmt.Sprint(int64(e.CPU)))
			}
		}
		if got := strings.Join(ends, " "); got != test.ends {
			t.Errorf("%s: stacks end at %s ns of CPU time, want %s", test.name, got, test.ends)
		}
		formattest.Warned(t, s, test.warning)
	}
}

// TestPerfIdle checks that the idle task, which has tid 0 on every CPU, is a separate thread on
// each CPU.
func TestPerfIdle(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, "swapper     0 [000] 1.000000: 9 cpu-clock:\n\t40 f (x)\n\nswapper     0 [001] 1.001000: 9 cpu-clock:\n\t40 g (x)\n\n")
	formattest.Same(t, formattest.Text(t, s), "thread\t1\tswapper\n0 0 1 enter f\nthread\t2\tswapper\n1000000 0 2 enter g\n9 9 1 exit f\n1000009 9 2 exit g\n")
}

// TestPerfForms checks that a sample without a stack has its frame in the header line, and that a
// line without leading blanks contains no frame.
func TestPerfForms(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, "     ab   9  1.000010:    20000 cpu-clock:u:   40 f (/bin/ab)\n     ab   9  1.000030:    20000 cpu-clock:u:   41 g+0x2 (/bin/ab)\n")
	formattest.Same(t, formattest.Text(t, s), `
thread	9	ab
0 0 9 enter f
20000 20000 9 exit f
20000 20000 9 enter g
40000 40000 9 exit g
`)
	formattest.Warned(t, s)
	s = formattest.Parse(t, stackdump.Config{}, "ab 8/9 cpu-clock: \n4000f0 f (/bin/ab)\n400100 main (/bin/ab)\n\nab 8/9 cpu-clock: \n400100 main (/bin/ab)\n\n")
	formattest.Same(t, formattest.Text(t, s), `
thread	9	ab
0 0 9 enter main
0 0 9 enter f
10000000 10000000 9 exit f
20000000 20000000 9 exit main
`)
}

// TestPerfWithoutTimes checks header lines without times, as in old versions of perf: consecutive
// samples are an interval apart. Two threads of one command are named after their processes.
func TestPerfWithoutTimes(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, "ab 8/9 cpu-clock: \n\t40 f (/bin/ab)\n\nab 10/11 cpu-clock: \n\t40 g (/bin/ab)\n\nab 8/9 cpu-clock: \n\t40 h (/bin/ab)\n\n")
	formattest.Same(t, formattest.Text(t, s), `
thread	9	ab
0 0 9 enter f
thread	11	ab (pid 10)
10000000 0 11 enter g
10000000 10000000 9 exit f
20000000 10000000 9 enter h
30000000 20000000 9 exit h
20000000 10000000 11 exit g
`)
	formattest.Warned(t, s, "samples do not state the CPU time between them; a typical sample counts as 10ms")
}

// TestRealPerfTotals compares the CPU time by innermost function with the samples that awk counts
// in a real file. perf ran with -F 99, so each sample is 1/99 s.
func TestRealPerfTotals(t *testing.T) {
	path := testdata.Path(t, "other/perf-java-stacks-01.txt")
	awk := `/^[^ \t#]/ {new=1; next} new && NF {sub(/\+0x[0-9a-f]+$/, "", $2); print $2; new=0}`
	out, err := exec.Command("awk", awk, path).Output()
	if err != nil {
		t.Skipf("no awk to count with: %v", err)
	}
	want := map[string]time.Duration{}
	for name := range strings.Lines(string(out)) {
		name = strings.TrimPrefix(strings.TrimSpace(name), "L")
		name = strings.ReplaceAll(name, ";", ":") // as stackcollapse-perf.pl does
		want[name] += time.Second / 99
	}
	s := formattest.OpenDumps(t, stackdump.Config{}, path)
	stacks := calltree.NewSnapshotBuilder()
	s.SnapshotsTo(stacks)
	tracetest.Events(t, s)
	got := map[string]time.Duration{}
	for _, m := range stacks.Tree().Methods() {
		if m.Exclusive.CPU > 0 {
			name, _, _ := strings.Cut(s.Symbols.Method(m.Method).Name, "_[")
			got[name] += m.Exclusive.CPU
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 20 {
		t.Errorf("CPU time by innermost function (-awk +read):\n%s", diff)
	}
}
