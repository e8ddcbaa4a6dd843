package jvm_test

import (
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
)

// TestJVMReleases checks the header lines of each release, and the times that they state: JDK 6 to
// 8 state only the date.
func TestJVMReleases(t *testing.T) {
	const first, second = "\tat a.B.f(B.java:1)\n\tat a.B.main(B.java:9)\n", "\tat a.B.main(B.java:9)\n"
	const dateOnly, both = "0 -", "0 0" // times of the first dump, without and with CPU time
	for _, test := range []struct{ release, start, head1, head2, at string }{
		{"6", dateOnly, `"main" prio=10 tid=0x00002aaab5d89800 nid=0x2a runnable [0x0000000058753000]`,
			`"main" prio=10 tid=0x00002aaab5d89800 nid=0x2a runnable [0x0000000058753000]`, "2000000000 -"},
		{"8", dateOnly, `"main" #1 prio=5 os_prio=0 tid=0x0000000002abe800 nid=0x2a waiting on condition [0x0000000000000000]`,
			`"main" #1 prio=5 os_prio=0 tid=0x0000000002abe800 nid=0x2a runnable [0x0000000000000000]`, "2000000000 -"},
		{"11", both, `"main" #1 prio=5 os_prio=31 cpu=12.90ms elapsed=5.65s tid=0x00007fc8a705f000 nid=0x2a runnable  [0x0000000000000000]`,
			`"main" #1 prio=5 os_prio=31 cpu=13.00ms elapsed=7.70s tid=0x00007fc8a705f000 nid=0x2a runnable  [0x0000000000000000]`, "2050000000 100000"},
		{"17", both, `"main" #1 prio=5 os_prio=0 cpu=12.90ms elapsed=5.65s tid=0x00007fc8a705f000 nid=0x2a runnable  [0x0]`,
			`"main" #1 prio=5 os_prio=0 cpu=13.00ms elapsed=7.70s tid=0x00007fc8a705f000 nid=0x2a runnable  [0x0]`, "2050000000 100000"},
		{"21", both, `"main" #1 [42] prio=5 os_prio=31 cpu=12.90ms elapsed=5.65s tid=0x000000014e00ce00 nid=42 runnable  [0x0]`,
			`"main" #1 [42] prio=5 os_prio=31 cpu=13.00ms elapsed=7.70s tid=0x000000014e00ce00 nid=42 runnable  [0x0]`, "2050000000 100000"},
		{"25", both, `"main" #3 [42] prio=5 os_prio=31 cpu=12.90ms elapsed=5.65s allocated=79130K defined_classes=2030 tid=0x000000014e00ce00 nid=42 runnable  [0x0]`,
			`"main" #3 [42] prio=5 os_prio=31 cpu=13.00ms elapsed=7.70s allocated=79130K defined_classes=2030 tid=0x000000014e00ce00  [0x0]`, "2050000000 100000"},
	} {
		s := formattest.Parse(t, stackdump.Config{}, formattest.JVM("2025-12-22 16:10:17", test.head1, first)+"GC log line\n"+formattest.JVM("2025-12-22 16:10:19", test.head2, second))
		t.Run("JDK "+test.release, func(t *testing.T) {
			formattest.Same(t, formattest.Text(t, s), "thread\t42\tmain\n"+test.start+" 42 enter a.B.main\n"+test.start+" 42 enter a.B.f\n"+test.at+" 42 exit a.B.f\n")
			formattest.Warned(t, s)
		})
	}
}

// TestJVMVirtualThreads checks that a virtual thread is separate from its carrier, and that a
// thread of the VM has no frames.
func TestJVMVirtualThreads(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, formattest.JVM("2025-12-22 16:10:17",
		`"ForkJoinPool-1-worker-1" #67 [37895] daemon prio=5 os_prio=31 cpu=3.10ms elapsed=15.79s tid=0x000000013d86e000  [0x0]`,
		`   Carrying virtual thread #206
	at jdk.internal.vm.Continuation.run(java.base@25/Continuation.java:251)
   Mounted virtual thread #206
	at a.B.f(B.java:1)

   Locked ownable synchronizers:
	- None

"GC Thread#0" os_prio=31 cpu=3.00ms elapsed=15.00s tid=0x000000014e424600 nid=44035 runnable  
`))
	formattest.Same(t, formattest.Text(t, s), `
thread	37895	ForkJoinPool-1-worker-1
thread	206	virtual-206
thread	44035	GC Thread#0
0 0 37895 enter jdk.internal.vm.Continuation.run
0 0 206 enter a.B.f
`)
	formattest.Warned(t, s)
}

// TestJVMText checks three dumps of jcmd Thread.dump_to_file in one file, with virtual threads, with a
// state after the name as in newer releases, and with "at " before the frames as in JDK 25.
func TestJVMText(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `63406
2025-06-10T00:49:22.000000Z
21.0.1+12

#1 "main"
      java.base/java.lang.Thread.sleep0(Native Method)
      a.B.main(B.java:9)

#22 "" virtual
      a.B.v(B.java:3)
      java.base/java.lang.VirtualThread.run(VirtualThread.java:309)

63406
2025-06-10T00:49:22.250000Z
21.0.1+12

#1 "main" RUNNABLE 2025-06-10T00:49:22.250100Z
      a.B.main(B.java:10)
      - locked <java.lang.Object@1>

63406
2025-06-10T00:49:22.500000Z
25+36

#1 "main" RUNNABLE 2025-06-10T00:49:22.250100Z
    at java.base/java.lang.Thread.sleep0(Native Method)
    - locked <java.lang.Object@1>
    at a.B.main(B.java:11)

`)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	main
thread	22	virtual-22
0 - 1 enter a.B.main
0 - 1 enter java.lang.Thread.sleep0
0 - 22 enter java.lang.VirtualThread.run
0 - 22 enter a.B.v
250000000 - 1 exit java.lang.Thread.sleep0
250000000 - 22 exit a.B.v
250000000 - 22 exit java.lang.VirtualThread.run
500000000 - 1 enter java.lang.Thread.sleep0
`)
	formattest.Warned(t, s)
	if c := s.Counts(); s.Info.PID != 63406 || c.Dumps != 3 || c.Threads != 4 {
		t.Errorf("pid %d, %+v, want 63406, 3 dumps and 4 threads", s.Info.PID, c)
	}
}

// TestJVMJSON checks both versions of the format: numbers are strings in the first and numbers in
// the second.
func TestJVMJSON(t *testing.T) {
	const dumps = `{
  "threadDump": {
    "processId": "63406",
    "time": "2025-06-10T00:49:22.000000Z",
    "runtimeVersion": "25",
    "threadContainers": [
      {"container": "<root>", "parent": null, "owner": null,
       "threads": [
         {"tid": "1", "name": "main", "stack": ["java.base\/java.lang.Thread.run(Thread.java:1)", "a.B.main(B.java:9)"]},
         {"tid": "8", "name": "Reference Handler", "stack": []}
       ], "threadCount": "2"},
      {"container": "ForkJoinPool-1", "threads": [
         {"tid": "36", "name": "", "virtual": true, "stack": ["a.B.v(B.java:3)"]}
       ]}
    ]
  }
}
{"threadDump": {"formatVersion": 2, "processId": 63406, "time": "2025-06-10T00:49:22.250000Z",
  "threadContainers": [{"container": "<root>", "threads": [{"tid": 1, "name": "main", "stack": ["a.B.main(B.java:9)"]}]}]}}
`
	s := formattest.Parse(t, stackdump.Config{}, dumps)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	main
thread	8	Reference Handler
thread	36	virtual-36
0 - 1 enter a.B.main
0 - 1 enter java.lang.Thread.run
0 - 36 enter a.B.v
250000000 - 1 exit java.lang.Thread.run
250000000 - 36 exit a.B.v
`)
	formattest.Warned(t, s)
	if s.Info.PID != 63406 {
		t.Errorf("pid %d, want 63406", s.Info.PID)
	}
}

// TestHotSpotDepthLimit checks the warning for a stack of 1024 frames, where HotSpot truncates, so
// that its root is missing.
func TestHotSpotDepthLimit(t *testing.T) {
	stack := strings.Repeat("\tat a.B.f(B.java:1)\n", 1024)
	s := formattest.Parse(t, stackdump.Config{}, formattest.JVM("2025-12-22 16:10:17", `"main" #1 prio=5 tid=0x01 nid=0x2a runnable`, stack))
	tracetest.Events(t, s)
	formattest.Warned(t, s, "a stack has exactly 1024 frames, where HotSpot truncates")
}
