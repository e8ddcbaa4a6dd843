package anr_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
	"artifice/trace/filter"
)

// Each test has a small sequence of dumps in one format, and the trace derived from it by hand.
// Times are those of the dumps. Exits and enters are those that ART's CompareAndUpdateStackTrace
// would write.

func TestANR(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, formattest.ANR)
	formattest.Same(t, formattest.Text(t, s), `
thread	7	main
thread	9	a "quoted" name
0 0 7 enter com.example.Main.main
0 0 7 enter android.os.Looper.loop
0 0 7 enter android.os.MessageQueue.nativePollOnce
0 0 9 enter com.example.Worker.run
0 0 9 enter java.lang.Object.wait
20000000 4000000 7 exit android.os.MessageQueue.nativePollOnce
20000000 4000000 7 exit android.os.Looper.loop
20000000 4000000 7 enter com.example.Main.work
20000000 0 9 exit java.lang.Object.wait
20000000 0 9 exit com.example.Worker.run
`)
	formattest.Warned(t, s)
	if c := s.Counts(); c.NativeFrames != 1 || c.KernelFrames != 0 {
		t.Errorf("counts %+v, want 1 native and no kernel frame", c)
	}
	if s.Info.PID != 7 || s.Info.Elapsed != 20*time.Millisecond {
		t.Errorf("pid %d, elapsed %s, want 7 and 20ms", s.Info.PID, s.Info.Elapsed)
	}
}

func TestANRAllFrames(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{Include: stackdump.AllFrames, Part: filter.Part{Threads: []string{"main"}}}, formattest.ANR)
	formattest.Same(t, formattest.Text(t, s), `
thread	7	main
0 0 7 enter com.example.Main.main
0 0 7 enter android.os.Looper.loop
0 0 7 enter android.os.MessageQueue.nativePollOnce
0 0 7 enter __epoll_pwait
20000000 4000000 7 exit __epoll_pwait
20000000 4000000 7 exit android.os.MessageQueue.nativePollOnce
20000000 4000000 7 exit android.os.Looper.loop
20000000 4000000 7 enter com.example.Main.work
`)
}

// TestANRRepeatedFrames checks repeated frames: ART prints a frame three times, then "... repeated
// N times". N counts from 0 at the fourth frame (StackDumpVisitor::VisitFrame), so eight frames are
// three lines and "repeated 4 times".
func TestANRRepeatedFrames(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `
----- pid 7 at 2023-04-04 22:06:31 -----
DALVIK THREADS (1):
"main" prio=5 tid=1 Native
  | sysTid=7 nice=0
  at a.B.f(B.java:1)
  at a.B.f(B.java:1)
  at a.B.f(B.java:1)
  ... repeated 4 times
  at a.B.main(B.java:9)

----- end 7 -----
`)
	if n := len(tracetest.Events(t, s)); n != 9 {
		t.Errorf("%d frames, want 8 of f and 1 of main", n)
	}
	formattest.Warned(t, s)
}

// TestDalvikTwoProcesses checks dumps of Dalvik, the runtime before ART, which have a different
// header and a line of mutexes. One file contains several processes.
func TestDalvikTwoProcesses(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `
----- pid 100 at 2012-05-01 10:00:00 -----
Cmd line: com.example.app

DALVIK THREADS:
(mutexes: tll=0 tsl=0 tscl=0 ghl=0)

"main" prio=5 tid=1 NATIVE
  | group="main" sCount=1 dsCount=0 obj=0x4001f1a8 self=0xce48
  | sysTid=100 nice=0 sched=0/0 cgrp=default handle=-1345006528
  at java.lang.Object.wait(Native Method)
  - waiting on <0x4050> (a java.lang.Object)
  at dalvik.system.NativeStart.main(Native Method)

----- end 100 -----

----- pid 50 at 2012-05-01 10:00:01 -----
Cmd line: system_server

DALVIK THREADS:
"main" prio=5 tid=1 RUNNABLE
  | sysTid=50 nice=0 sched=0/0 cgrp=default handle=-1
  at dalvik.system.NativeStart.main(Native Method)

----- end 50 -----
`)
	formattest.Same(t, formattest.Text(t, s), `
thread	100	main
0 - 100 enter dalvik.system.NativeStart.main
0 - 100 enter java.lang.Object.wait
thread	50	main (system_server)
1000000000 - 50 enter dalvik.system.NativeStart.main
`)
	formattest.Warned(t, s)
}

// TestANRWithoutCPUTime checks a dump of a kernel that does not count CPU time and prints zeros.
// Such a dump has no CPU clock.
func TestANRWithoutCPUTime(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{Include: stackdump.AllFrames}, `
----- pid 7 at 2023-04-04 22:06:31 -----
DALVIK THREADS (1):
"main" prio=5 tid=1 Native
  | sysTid=7 nice=0
  | state=S schedstat=( 0 0 0 ) utm=0 stm=0 core=0 HZ=100
  kernel: read+0x1/0x2
  native: #00 pc 000000000009b8ec  /apex/libc.so (read+20)

----- end 7 -----
`)
	formattest.Same(t, formattest.Text(t, s), "thread\t7\tmain\n0 - 7 enter read\n0 - 7 enter read\t#2\n")
	if n := len(s.Symbols.Methods); n != 2 {
		t.Errorf("%d methods, want 2: the kernel's read is not the library's", n)
	}
}

// TestMissingThreads checks a dump that states more threads than it contains.
func TestMissingThreads(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, strings.Replace(formattest.ANR, "THREADS (1)", "THREADS (2)", 1))
	tracetest.Events(t, s)
	formattest.Warned(t, s, "threads are missing from the dump: it states 2 and has 1")
}

// playConsole and crashlytics are dumps as these sites show them, without their first and last
// lines.
const (
	playConsole = `"main" tid=1 Native
  #00  pc 0x000000000004f0b8  /apex/com.android.runtime/lib64/bionic/libc.so (syscall+28)
  at com.example.Main.work (Native method)
  at com.example.Main.run (Main.java:3)

"pool-1" tid=12 Waiting
  at com.example.Pool.take (Pool.java:9)
`
	crashlytics = `  main (timed waiting):tid=1 systid=9317 
#00  pc 0x4f0b8 libc.so (syscall + 28)
       at com.example.Main.work(Native method)
       at com.example.Main.run(Main.java:3)

  pool (1) (waiting):tid=22 systid=9344
       at com.example.Pool.take(Pool.java:9)
`
)

// TestSites checks the threads, frames and numbers of dumps from web sites. Crashlytics states the
// kernel's thread ids.
func TestSites(t *testing.T) {
	for _, c := range []struct{ text, threads, main, pool string }{
		{playConsole, "thread\t1\tmain\nthread\t12\tpool-1\n", "1", "12"},
		{crashlytics, "thread\t9317\tmain\nthread\t9344\tpool (1)\n", "9317", "9344"},
		{strings.ReplaceAll(crashlytics, "):tid=", "): tid="), "thread\t9317\tmain\nthread\t9344\tpool (1)\n", "9317", "9344"},
	} {
		s := formattest.Parse(t, stackdump.Config{Include: stackdump.AllFrames}, c.text)
		formattest.Same(t, formattest.Text(t, s), "\n"+c.threads+strings.NewReplacer("MAIN", c.main, "POOL", c.pool).Replace(`0 - MAIN enter com.example.Main.run
0 - MAIN enter com.example.Main.work
0 - MAIN enter syscall
0 - POOL enter com.example.Pool.take
`))
	}
}

// TestIndented checks that a dump that a text contains with indentation is read like the dump
// itself.
func TestIndented(t *testing.T) {
	text := "The app hangs:\n\n    " + strings.ReplaceAll(strings.TrimRight(formattest.ANR, "\n"), "\n", "\n    ") + "\n"
	s, want := formattest.Parse(t, stackdump.Config{}, text), formattest.Parse(t, stackdump.Config{}, formattest.ANR)
	formattest.Same(t, formattest.Text(t, s), "\n"+formattest.Text(t, want))
	formattest.Warned(t, s)
}

// TestRepeatedHeads checks that two heads of a thread in consecutive lines, as in reports copied from
// Play Console, are one thread. Threads without a stack stay apart.
func TestRepeatedHeads(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `"main" tid=1 Waiting
"main" prio=5 tid=1 Waiting
  | sysTid=22700 nice=0 cgrp=default sched=0/0 handle=0x793b8a14f0
  at java.lang.Object.wait (Native method)
- waiting on <0x0ca0760f> (a java.lang.Object)
"pool" prio=5 tid=2 Native
"other" prio=5 tid=3 Native
  at a.B.f (B.java:1)
`)
	formattest.Same(t, formattest.Text(t, s), `
thread	22700	main
thread	2	pool
thread	3	other
0 - 22700 enter java.lang.Object.wait
0 - 3 enter a.B.f
`)
}

// TestLogged checks a dump in a log with a time and a tag before each line.
func TestLogged(t *testing.T) {
	var log strings.Builder
	for i, line := range strings.Split(strings.TrimRight(formattest.ANR, "\n"), "\n") {
		fmt.Fprintf(&log, "04-10 10:00:%02d.000   500   512 I DropBox: %s\n", i%60, line)
	}
	s, want := formattest.Parse(t, stackdump.Config{}, log.String()), formattest.Parse(t, stackdump.Config{}, formattest.ANR)
	formattest.Same(t, formattest.Text(t, s), "\n"+formattest.Text(t, want))
	formattest.Warned(t, s)
}

// TestAbort checks the log of a runtime that aborts. It dumps the aborting thread, then all threads.
func TestAbort(t *testing.T) {
	const head = "\"main\" prio=5 tid=1 Runnable\n  | sysTid=321 nice=0\n  at a.B.main(B.java:10)\n"
	text := "Runtime aborting...\nAborting thread:\n" + head + "Dumping all threads without mutator lock held\nAll threads:\nDALVIK THREADS (2):\n" + head +
		"\n\"Daemon\" daemon prio=5 tid=3 Native (still starting up)\n  | sysTid=322 nice=0\n  at a.C.run(C.java:1)\nDumpLatencyMs: 0.2\n"
	for name, prefix := range map[string]string{"logcat": "09-19 10:02:41.610 321 321 F app_process: runtime.cc:558] ", "Android Studio": "    art/runtime/runtime.cc:422] "} {
		t.Run(name, func(t *testing.T) {
			var dumps []*stackdump.Dump
			s := formattest.Parse(t, stackdump.Config{Watch: func(d *stackdump.Dump, _ *stackdump.Frames) {
				for i := range d.Threads {
					if i == 1 && d.Threads[i].Locks.State != "Native" {
						t.Errorf("state %q, want Native", d.Threads[i].Locks.State)
					}
				}
				dumps = append(dumps, d)
			}}, prefix+strings.ReplaceAll(text, "\n", "\n"+prefix))
			formattest.Same(t, formattest.Text(t, s), "\nthread\t321\tmain\nthread\t322\tDaemon\n0 - 321 enter a.B.main\n0 - 322 enter a.C.run\n")
			formattest.Warned(t, s, "a dump has no first line")
			if len(dumps) != 1 {
				t.Errorf("%d dumps, want 1", len(dumps))
			}
		})
	}
}

// TestFramesOfEachProcess checks that the frames of processes do not depend on the order of their
// dumps: those of the runtime in a process of ART, and all frames of a native process.
func TestFramesOfEachProcess(t *testing.T) {
	managed := "----- pid 7 at 2023-04-04 22:06:31 -----\nCmd line: app\n\n\"main\" prio=5 tid=1 Native\n  | sysTid=7 nice=0\n  native: #00 pc 0000000000001000  /apex/libc.so (read+20)\n  at a.B.f(B.java:1)\n\n----- end 7 -----\n"
	native := "----- pid 9 at 2023-04-04 22:06:31 -----\nCmd line: mediaserver\n\n\"media\" sysTid=9\n  #00 pc 0000000000002000  /apex/libc.so (wait4+8)\n\n----- end 9 -----\n"
	later := strings.Replace(native, ":31", ":32", 1)
	bare := strings.NewReplacer(":31", ":32", "  at a.B.f(B.java:1)\n", "").Replace(managed)
	for _, c := range []struct{ name, text, want, warning string }{
		{"ART first", managed + native, "thread\t7\tmain\n0 - 7 enter a.B.f\nthread\t9\tmedia\n0 - 9 enter wait4\n", ""},
		{"native first", native + managed, "thread\t9\tmedia\n0 - 9 enter wait4\nthread\t7\tmain\n0 - 7 enter a.B.f\n", ""},
		{"series", managed + native + later, "thread\t7\tmain\n0 - 7 enter a.B.f\nthread\t9\tmedia\n0 - 9 enter wait4\n", ""},
		{"ART without a managed frame later", managed + bare, "thread\t7\tmain\n0 - 7 enter a.B.f\n1000000000 - 7 exit a.B.f\n", "the dump has only native frames, which ART's sampler does not record; use --frames all to keep them"},
		{"ART without a managed frame first", strings.Replace(bare, ":32", ":30", 1) + managed, "thread\t7\tmain\n0 - 7 enter read\n1000000000 - 7 exit read\n1000000000 - 7 enter a.B.f\n", ""},
	} {
		s := formattest.Parse(t, stackdump.Config{}, c.text)
		formattest.Same(t, formattest.Text(t, s), c.want)
		if c.warning == "" {
			formattest.Warned(t, s)
		} else {
			formattest.Warned(t, s, c.warning)
		}
	}
}

// TestHead: a first line without pid or date is a warning.
func TestHead(t *testing.T) {
	for head, want := range map[string][]string{
		"7 at 2023-04-04 22:06:31": {},
		"7 at noon":                {"no date in the first line of a dump"},
		"x at noon":                {"no pid in the first line of a dump", "no date in the first line of a dump"},
	} {
		_, rest, _ := strings.Cut(formattest.ANR[1:], "\n")
		first, _, _ := strings.Cut(rest, "----- pid") // of two dumps
		s := formattest.Parse(t, stackdump.Config{}, "----- pid "+head+" -----\n"+first)
		tracetest.Events(t, s)
		var got []string
		for _, w := range s.Warnings {
			if strings.Contains(w.Text, "first line of a dump") {
				got = append(got, w.Text)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: warnings %q, want %q", head, got, want)
			continue
		}
		for i := range want {
			if !strings.Contains(got[i], want[i]) {
				t.Errorf("%s: warning %q, want %q", head, got[i], want[i])
			}
		}
	}
}
