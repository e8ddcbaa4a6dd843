package stackdump

import (
	"strings"
	"testing"
	"time"
)

// Each test has a small dump sequence of one format and the trace that follows
// from it by hand: times from the dumps, exits and enters as ART's
// CompareAndUpdateStackTrace would write them.

const anrTwoDumps = `
----- pid 7 at 2023-04-04 22:06:31.000000000+0200 -----
Cmd line: com.example.app
ABI: 'arm64'
DALVIK THREADS (2):
"main" prio=5 tid=1 Native
  | group="main" sCount=1 ucsCount=0 flags=1 obj=0x7 self=0xb4
  | sysTid=7 nice=-10 cgrp=top-app sched=0/0 handle=0x7d
  | state=S schedstat=( 5000000 183300334 997 ) utm=23 stm=8 core=3 HZ=100
  | held mutexes= "mutator lock"(shared held)
  native: #00 pc 000000000009b8ec  /apex/libc.so (__epoll_pwait+20) (BuildId: 46d3)
  at android.os.MessageQueue.nativePollOnce(Native method)
  - waiting on an unknown object
  at android.os.Looper.loop(Looper.java:288)
  at com.example.Main.main(Main.java:10)

"a "quoted" name" daemon prio=5 tid=2 Waiting
  | sysTid=9 nice=0 cgrp=top-app sched=0/0 handle=0x7a
  | state=S schedstat=( 1000 1 1 ) utm=0 stm=0 core=1 HZ=100
  kernel: (couldn't read /proc/self/task/9/stack)
  at java.lang.Object.wait!(Native method)
  - waiting on <0x0284a47> (a java.lang.Object)
  at com.example.Worker.run(unavailable:-1)

----- end 7 -----

----- Waiting Channels: pid 7 at 2023-04-04 22:06:31.000000000+0200 -----
Cmd line: com.example.app

sysTid=7      do_epoll_wait

----- end 7 -----

----- pid 7 at 2023-04-04 22:06:31.020000000+0200 -----
Cmd line: com.example.app
DALVIK THREADS (1):
"main" prio=5 tid=1 Runnable
  | sysTid=7 nice=-10 cgrp=top-app sched=0/0 handle=0x7d
  | state=R schedstat=( 9000000 183300334 998 ) utm=23 stm=8 core=3 HZ=100
  at com.example.Main.work(Main.java:20)
  at com.example.Main.main(Main.java:12)

----- end 7 -----
`

func TestANR(t *testing.T) {
	s := parse(t, Config{}, anrTwoDumps)
	same(t, twin(t, s), `
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
	warned(t, s)
	if c := s.Counts(); c.NativeFrames != 1 || c.KernelFrames != 0 {
		t.Errorf("counts %+v, want 1 native and no kernel frame", c)
	}
	if s.Info.PID != 7 || s.Info.Elapsed != 20*time.Millisecond {
		t.Errorf("pid %d, elapsed %s, want 7 and 20ms", s.Info.PID, s.Info.Elapsed)
	}
}

func TestANRAllFrames(t *testing.T) {
	s := parse(t, Config{Include: AllFrames, Threads: []string{"main"}}, anrTwoDumps)
	same(t, twin(t, s), `
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

// ART prints a frame that repeats three times, then "... repeated N times"
// where N counts from 0 at the fourth (StackDumpVisitor::VisitFrame): eight
// frames are three lines and "repeated 4 times".
func TestANRRepeatedFrames(t *testing.T) {
	s := parse(t, Config{}, `
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
	if n := len(readAll(t, s)); n != 9 {
		t.Errorf("%d frames, want 8 of f and 1 of main", n)
	}
	warned(t, s)
}

// The runtime before ART, with its own header and mutex line, several processes
// in one file.
func TestDalvikTwoProcesses(t *testing.T) {
	s := parse(t, Config{}, `
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
	same(t, twin(t, s), `
thread	100	main
0 - 100 enter dalvik.system.NativeStart.main
0 - 100 enter java.lang.Object.wait
thread	50	main (system_server)
1000000000 - 50 enter dalvik.system.NativeStart.main
`)
	warned(t, s)
}

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
			same(t, twin(t, s), "thread\t42\tmain\n"+test.start+" 42 enter a.B.main\n"+test.start+" 42 enter a.B.f\n"+test.at+" 42 exit a.B.f\n")
			warned(t, s)
		})
	}
}

// Names with and without loader and module, hidden classes, every kind of place.
func TestJavaFrames(t *testing.T) {
	for _, test := range []struct {
		text string
		want Frame
	}{
		{"java.lang.Thread.run(Thread.java:748)", Frame{Class: "java.lang.Thread", Method: "run", File: "Thread.java", Line: 748}},
		{"java.lang.Thread.run(java.base@25/Thread.java:1474)", Frame{Class: "java.lang.Thread", Method: "run", File: "Thread.java", Line: 1474}},
		{"java.base@17.0.15/java.lang.Thread.run(Thread.java:840)", Frame{Class: "java.lang.Thread", Method: "run", File: "Thread.java", Line: 840}},
		{"java.base/java.lang.Object.wait(Native Method)", Frame{Class: "java.lang.Object", Method: "wait", JNI: true}},
		{"app//Phases.spin(Phases.java:57)", Frame{Class: "Phases", Method: "spin", File: "Phases.java", Line: 57}},
		{"app/com.example@1.0/com.example.Main.main(Main.java)", Frame{Class: "com.example.Main", Method: "main", File: "Main.java"}},
		{"a.B$$Lambda/0x0000380001232000.run(Unknown Source)", Frame{Class: "a.B$$Lambda/0x0000380001232000", Method: "run"}},
		{"a.B$$Lambda$2/1324119927.run(Unknown Source)", Frame{Class: "a.B$$Lambda$2/1324119927", Method: "run"}},
		{"java.lang.invoke.LambdaForm$DMH/0x00000700.invokeVirtual(java.base@25/LambdaForm$DMH)", Frame{Class: "java.lang.invoke.LambdaForm$DMH/0x00000700", Method: "invokeVirtual", File: "LambdaForm$DMH"}},
		{"java.lang.Object.wait!(Native method)", Frame{Class: "java.lang.Object", Method: "wait", JNI: true}},
		{"android.net.LocalSocketImpl.-wrap1(LocalSocketImpl.java:-1)", Frame{Class: "android.net.LocalSocketImpl", Method: "-wrap1", File: "LocalSocketImpl.java"}},
		{"rbp.run(:com.google.android.gms@14799012@14.7.99 (020408-223214910):-1)", Frame{Class: "rbp", Method: "run", File: ":com.google.android.gms@14799012@14.7.99 (020408-223214910)"}},
		{"a.B.<init>(SourceFile:71)", Frame{Class: "a.B", Method: "<init>", File: "SourceFile", Line: 71}},
		{"main(unavailable:0)", Frame{Method: "main"}},
		{"", Frame{}},
		{"(", Frame{}},
	} {
		if got := parseJavaFrame(test.text); got != test.want {
			t.Errorf("%q: %+v, want %+v", test.text, got, test.want)
		}
	}
}

func TestNativeFrames(t *testing.T) {
	for _, test := range []struct{ text, method, file string }{
		{"000000000004df5c  /apex/libc.so (syscall+28) (BuildId: 01331f)", "syscall", "/apex/libc.so"},
		{"00019efd  /system/lib/libc.so (__start_thread+6)", "__start_thread", "/system/lib/libc.so"},
		{"0000000000045f94  /system/lib64/libsurfaceflinger.so", "libsurfaceflinger.so+0x45f94", "/system/lib64/libsurfaceflinger.so"},
		{"0010  /x/base.apk (offset 0x1000) (Java_f+4)", "Java_f", "/x/base.apk"},
		{"0010  /x/libart.so (art::Thread::Run(void*, (anonymous namespace)::X)+4) (BuildId: 1)", "art::Thread::Run(void*, (anonymous namespace)::X)", "/x/libart.so"},
		{"00af18  [anon:dalvik-classes.dex extracted in memory from /d/v.jar]", "v.jar]+0xaf18", "[anon:dalvik-classes.dex extracted in memory from /d/v.jar]"},
		{"0010  /x/l.so (deleted) (f+1", "f", "/x/l.so"},
		{"", "+0x", ""},
	} {
		got := parseNativeFrame(test.text)
		want := Frame{Method: test.method, File: test.file, Kind: NativeCode}
		if got != want {
			t.Errorf("%q: %+v, want %+v", test.text, got, want)
		}
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
	same(t, twin(t, s), `
thread	37895	ForkJoinPool-1-worker-1
thread	206	virtual-206
thread	44035	GC Thread#0
0 0 37895 enter jdk.internal.vm.Continuation.run
0 0 206 enter a.B.f
`)
	warned(t, s)
}

// Numbers are strings in the format's first version and numbers in the second.
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
	s := parse(t, Config{}, dumps)
	same(t, twin(t, s), `
thread	1	main
thread	8	Reference Handler
thread	36	virtual-36
0 - 1 enter a.B.main
0 - 1 enter java.lang.Thread.run
0 - 36 enter a.B.v
250000000 - 1 exit java.lang.Thread.run
250000000 - 36 exit a.B.v
`)
	warned(t, s)
	if s.Info.PID != 63406 {
		t.Errorf("pid %d, want 63406", s.Info.PID)
	}
}

// One interval per count; a second stack comes after the first one's samples.
func TestFolded(t *testing.T) {
	s := parse(t, Config{Interval: time.Millisecond}, "# a comment\r\na;b;c 2\r\na;b 1\r\n\r\na;d 1")
	same(t, twin(t, s), `
thread	1	main
0 - 1 enter a
0 - 1 enter b
0 - 1 enter c
2000000 - 1 exit c
3000000 - 1 exit b
3000000 - 1 enter d
`)
	warned(t, s)
	if s.Info.Interval != time.Millisecond || s.Info.Elapsed != 3*time.Millisecond {
		t.Errorf("interval %s, elapsed %s, want 1ms and 3ms", s.Info.Interval, s.Info.Elapsed)
	}
}

// Threads have clocks of their own: the time of a line is that of its thread's
// samples so far.
func TestFoldedThreads(t *testing.T) {
	for _, test := range []struct {
		first    FirstFrame
		main, gc string // tids in the trace
		text     string
	}{
		{first: AutoFirst, main: "11", gc: "12", text: "[main tid=11];com.example.A.f 1\n[GC tid=12];g 3\n[main tid=11] 1\n[GC tid=12] 1\n"},
		{first: ThreadFirst, main: "1", gc: "2", text: "main;com.example.A.f 1\nGC;g 3\nmain 1\nGC 1\n"},
	} {
		s := parse(t, Config{Interval: time.Millisecond, First: test.first}, test.text)
		same(t, twin(t, s), strings.NewReplacer("MAIN", test.main, "OTHER", test.gc).Replace(`
thread	MAIN	main
0 - MAIN enter com.example.A.f
thread	OTHER	GC
0 - OTHER enter g
1000000 - MAIN exit com.example.A.f
3000000 - OTHER exit g
`))
		warned(t, s)
	}
}

func TestPerf(t *testing.T) {
	s := parse(t, Config{}, `# perf's header
V8 WorkerThread 24636/25607 [000] 100.000000:     235 cycles:u:
	    7f26dc479340 f+0x1f (/lib/libfoo.so)
	    7f26cab4c0b0 main (/bin/app)

java 24636/24636 [001] 100.000500:     235 cycles:u:
	    7f26dc479340 Lorg/mozilla/Context;::call->Ljava/lang/Object;::hash (/tmp/perf-24636.map)
	ffffffff8104f45a do_sys_open ([kernel.kallsyms])

V8 WorkerThread 24636/25607 [000] 100.001000:     instructions:u:
	    7f26cab4c0b0 main (/bin/app)

V8 WorkerThread 24636/25607 [000] 100.001500:     1 cycles:u:
	    7f26cab4c0b0 main (/bin/app)

`)
	same(t, twin(t, s), `
thread	25607	V8_WorkerThread
0 - 25607 enter main
0 - 25607 enter f
thread	24636	java
500000 - 24636 enter do_sys_open_[k]
500000 - 24636 enter org/mozilla/Context:::call_[j]
500000 - 24636 enter java/lang/Object:::hash_[i]
1500000 - 25607 exit f
`)
	warned(t, s, "1 samples of other events than cycles:u are left out")
}

func TestBlockInfo(t *testing.T) {
	s := parse(t, Config{}, `{"startTime":1000,"endTime":1300,"dispatchFinish":true,"sampleInterval":50,"stackTraceSamples":[
{"time":1050,"stackTraceElements":[{"declaringClass":"java.lang.Thread","methodName":"sleep","fileName":"Thread.java","lineNumber":-2},{"declaringClass":"a.B","methodName":"m","fileName":"B.java","lineNumber":12}]},
{"time":1100,"stackTraceElements":[{"declaringClass":"a.B","methodName":"m","lineNumber":13}]}]}`)
	same(t, twin(t, s), `
thread	1	main
0 - 1 enter a.B.m
0 - 1 enter java.lang.Thread.sleep
50000000 - 1 exit java.lang.Thread.sleep
`)
	warned(t, s)
	if s.Info.Interval != 50*time.Millisecond {
		t.Errorf("interval %s, want the report's 50ms", s.Info.Interval)
	}
}

func TestJSONLines(t *testing.T) {
	s := parse(t, Config{}, `{"time_us":5000,"cpu_us":10,"thread":"main","tid":3,"frames":["a.B.f(B.java:1)","a.B.main(B.java:9)"]}
{"time_us":5000,"thread":"w","frames":["x"]}

{"time_us":7500,"cpu_us":1010,"thread":"main","tid":3,"frames":["a.B.main(B.java:9)"],"extra":null}
`)
	same(t, twin(t, s), `
thread	3	main
thread	1	w
0 0 3 enter a.B.main
0 0 3 enter a.B.f
0 0 1 enter x
2500000 1000000 3 exit a.B.f
2500000 0 1 exit x
`)
	warned(t, s)
}

// Threads that are sampled one by one say so.
func TestJSONLinesPartial(t *testing.T) {
	s := parse(t, Config{}, `{"time_us":0,"thread":"a","frames":["x"],"partial":true}
{"time_us":1,"thread":"b","frames":["y"],"partial":true}
{"time_us":2,"thread":"a","frames":[],"partial":true}
`)
	same(t, twin(t, s), `
thread	1	a
0 - 1 enter x
thread	2	b
1000 - 2 enter y
2000 - 1 exit x
`)
	warned(t, s)
}
