package stackdump

import (
	"testing"
	"time"
)

// jvmDump is a dump of one thread by HotSpot of a release.
func jvmDump(date, header, stack string) string {
	return date + "\nFull thread dump OpenJDK 64-Bit Server VM (x mixed mode):\n\n" + header + "\n   java.lang.Thread.State: RUNNABLE\n" + stack + "\nJNI global references: 5\n\n"
}

// TestJVMReleases has the header lines of each release, with the time that
// each tells: JDK 6 to 8 know only the date.
func TestJVMReleases(t *testing.T) {
	const first, second = "\tat a.B.f(B.java:1)\n\tat a.B.main(B.java:9)\n", "\tat a.B.main(B.java:9)\n"
	const dateOnly, both = "0 -", "0 0" // stamps at the start, without and with CPU time
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
		s := parse(t, Config{}, jvmDump("2025-12-22 16:10:17", test.head1, first)+"GC log line\n"+jvmDump("2025-12-22 16:10:19", test.head2, second))
		t.Run("JDK "+test.release, func(t *testing.T) {
			same(t, textOf(t, s), "thread\t42\tmain\n"+test.start+" 42 enter a.B.main\n"+test.start+" 42 enter a.B.f\n"+test.at+" 42 exit a.B.f\n")
			warned(t, s)
		})
	}
}

// A virtual thread is a thread of its own, beside its carrier; a thread of the
// VM has no frames.
func TestJVMVirtualThreads(t *testing.T) {
	s := parse(t, Config{}, jvmDump("2025-12-22 16:10:17",
		`"ForkJoinPool-1-worker-1" #67 [37895] daemon prio=5 os_prio=31 cpu=3.10ms elapsed=15.79s tid=0x000000013d86e000  [0x0]`,
		`   Carrying virtual thread #206
	at jdk.internal.vm.Continuation.run(java.base@25/Continuation.java:251)
   Mounted virtual thread #206
	at a.B.f(B.java:1)

   Locked ownable synchronizers:
	- None

"GC Thread#0" os_prio=31 cpu=3.00ms elapsed=15.00s tid=0x000000014e424600 nid=44035 runnable  
`))
	same(t, textOf(t, s), `
thread	37895	ForkJoinPool-1-worker-1
thread	206	virtual-206
thread	44035	GC Thread#0
0 0 37895 enter jdk.internal.vm.Continuation.run
0 0 206 enter a.B.f
`)
	warned(t, s)
}

// 2.01 ms and 2.03 s are a little less in binary.
func TestDuration(t *testing.T) {
	line := []byte(`"x" cpu=2.01ms elapsed=2.03s tid=0x1 bad=1e300s worse=xs last=1`)
	for _, test := range []struct {
		key, unit string
		one, want time.Duration
		ok        bool
	}{
		{" cpu=", "ms ", time.Millisecond, 2010 * time.Microsecond, true},
		{" elapsed=", "s ", time.Second, 2030 * time.Millisecond, true},
		{" bad=", "s ", time.Second, 0, false},
		{" worse=", "s ", time.Second, 0, false},
		{" last=", "s ", time.Second, 0, false},
		{" absent=", "s ", time.Second, 0, false},
	} {
		if got, ok := duration(line, test.key, test.unit, test.one); got != test.want || ok != test.ok {
			t.Errorf("%s: %s %t, want %s %t", test.key, got, ok, test.want, test.ok)
		}
	}
}

// jcmd Thread.dump_to_file: two dumps in one file, virtual threads, a state
// behind the name as newer releases have it.
func TestJVMText(t *testing.T) {
	s := parse(t, Config{}, `63406
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

`)
	same(t, textOf(t, s), `
thread	1	main
thread	22	virtual-22
0 - 1 enter a.B.main
0 - 1 enter java.lang.Thread.sleep0
0 - 22 enter java.lang.VirtualThread.run
0 - 22 enter a.B.v
250000000 - 1 exit java.lang.Thread.sleep0
250000000 - 22 exit a.B.v
250000000 - 22 exit java.lang.VirtualThread.run
`)
	warned(t, s)
	if c := s.Counts(); s.Info.PID != 63406 || c.Dumps != 2 || c.Threads != 3 {
		t.Errorf("pid %d, %+v, want 63406, 2 dumps and 3 threads", s.Info.PID, c)
	}
}
