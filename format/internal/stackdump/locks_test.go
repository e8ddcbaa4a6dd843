package stackdump_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
)

// javacore is a javacore of OpenJ9.
const javacore = `0SECTION       TITLE subcomponent dump routine
1TIDATETIME    Date: 2018/05/18 at 13:15:15:123
1CIPROCESSID   Process ID: 4711 (0x1267)
0SECTION       THREADS subcomponent dump routine
3XMTHREADINFO      "main" J9VMThread:0x0B6B500, omrthread_t:0x7F00, java/lang/Thread:0xFFF3A2C8, state:B, prio=5
3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)
3XMTHREADINFO1            (native thread ID:0x1267, native priority:0x5, native policy:UNKNOWN, vmstate:B, vm thread flags:0x181)
3XMCPUTIME               CPU usage total: 0.268283000 secs, current category="Application"
3XMTHREADBLOCK     Blocked on: java/lang/String@0x4D8C90F8 Owned by: "W" (J9VMThread:0x41A9A900, java/lang/Thread:0x419F9500)
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at com/acme/Demo.run(Demo.java:31(Compiled Code))
3XMTHREADINFO      "W" J9VMThread:0x41A9A900, omrthread_t:0x7F01, java/lang/Thread:0x419F9500, state:CW, prio=5
4XESTACKTRACE                at com/acme/Demo$$Lambda/0x00300e8730.run(Bytecode PC:0)
5XESTACKTRACE                   (entered lock: java/lang/String@0x4D8C90F8, entry count: 1)
0SECTION       CLASSES subcomponent dump routine
`

// TestLocks checks lines in the forms of ART (monitor.cc, Monitor::DescribeWait; thread.cc,
// StackDumpVisitor) and HotSpot (javaVFrame::print_lock_info_on).
func TestLocks(t *testing.T) {
	for name, c := range map[string]struct {
		dump string
		want map[string]stackdump.Locks
	}{
		"ART": {`----- pid 7 at 2024-01-01 00:00:00 -----
Cmd line: app
DALVIK THREADS (3):
"main" prio=5 tid=1 Blocked
  | sysTid=7 nice=0
  at a.A.run(A.java:1)
  - waiting to lock <0x0d3a2f0a> (a java.lang.Object) held by thread 5
  - locked <0x01> (a a.A)
"Unnamed" prio=5 tid=4 WaitingForGcToComplete (still starting up)
  | sysTid=8
  at a.A.gc(A.java:2)
  - waiting to lock an unknown object
"W" prio=5 tid=5 TimedWaiting
  | sysTid=9
  at java.lang.Object.wait(Native method)
  - waiting on <0x02> (a java.lang.Object)
  at a.A.hold(A.java:2)
  - locked <0x02> (a java.lang.Object)
  - locked <0x0d3a2f0a> (a java.lang.Object)
----- end 7 -----
`, map[string]stackdump.Locks{
			"main":    {State: "Blocked", Waits: &stackdump.Lock{"<0x0d3a2f0a>", "java.lang.Object", 5, stackdump.ToEnter}, Holds: []stackdump.Lock{{Object: "<0x01>", Class: "a.A"}}},
			"Unnamed": {State: "WaitingForGcToComplete", Waits: &stackdump.Lock{How: stackdump.ToEnter}},
			"W":       {State: "TimedWaiting", Waits: &stackdump.Lock{"<0x02>", "java.lang.Object", 0, stackdump.ToWake}, Holds: []stackdump.Lock{{Object: "<0x02>", Class: "java.lang.Object"}, {Object: "<0x0d3a2f0a>", Class: "java.lang.Object"}}},
		}},
		"HotSpot": {`2024-01-01 00:00:00
Full thread dump OpenJDK 64-Bit Server VM (21):

"main" #1 prio=5 os_prio=0 tid=0x1 nid=0x7 waiting for monitor entry  [0x1]
   java.lang.Thread.State: BLOCKED (on object monitor)
	at a.A.run(A.java:1)
	- waiting to lock <0x00000005> (a java.lang.Object)
	- eliminated <owner is scalar replaced> (a a.B)

"W" #2 prio=5 os_prio=0 tid=0x2 nid=0x8 waiting on condition  [0x1]
   java.lang.Thread.State: WAITING (parking)
	at jdk.internal.misc.Unsafe.park(Native Method)
	- parking to wait for  <0x00000006> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
	at a.A.hold(A.java:2)
	- locked <0x00000005> (a java.lang.Object)

   Locked ownable synchronizers:
	- <0x00000007> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)

JNI global refs: 1
`, map[string]stackdump.Locks{
			"main": {State: "BLOCKED", Waits: &stackdump.Lock{"<0x00000005>", "java.lang.Object", 0, stackdump.ToEnter}},
			"W": {State: "WAITING", Waits: &stackdump.Lock{"<0x00000006>", "java.util.concurrent.locks.ReentrantLock$NonfairSync", 0, stackdump.Parked},
				Holds: []stackdump.Lock{{Object: "<0x00000005>", Class: "java.lang.Object"}, {Object: "<0x00000007>", Class: "java.util.concurrent.locks.ReentrantLock$NonfairSync"}}},
		}},
		"java.lang.management": {`"main" prio=5 Id=1 BLOCKED on java.lang.Object@2d1ef81a owned by "W" Id=13
	at a.A.run(A.java:1)
	-  blocked on java.lang.Object@2d1ef81a
	-  locked a.A@1b2c

"W" daemon prio=5 Id=13 TIMED_WAITING on java.util.concurrent.locks.ReentrantLock$NonfairSync@7 owned by "main" Id=1
	at jdk.internal.misc.Unsafe.park(Native Method)
	-  waiting on java.util.concurrent.locks.ReentrantLock$NonfairSync@7

	Number of locked synchronizers = 1
	- java.util.concurrent.locks.ReentrantLock$NonfairSync@8
`, map[string]stackdump.Locks{
			"main": {State: "BLOCKED", Waits: &stackdump.Lock{"<0x2d1ef81a>", "java.lang.Object", 13, stackdump.ToEnter}, Holds: []stackdump.Lock{{Object: "<0x1b2c>", Class: "a.A"}}},
			"W":    {State: "TIMED_WAITING", Waits: &stackdump.Lock{"<0x7>", "java.util.concurrent.locks.ReentrantLock$NonfairSync", 1, stackdump.Parked}, Holds: []stackdump.Lock{{Object: "<0x8>", Class: "java.util.concurrent.locks.ReentrantLock$NonfairSync"}}},
		}},
		"Spring Boot": {`2021-08-05 08:50:53
Full thread dump OpenJDK 64-Bit Server VM (17+35-LTS mixed mode):

"main" - Thread t@1
   java.lang.Thread.State: BLOCKED
	at a.A.run(A.java:1)
	- waiting to lock <3351cd6e> (a java.lang.Object) owned by "W" t@17

   Locked ownable synchronizers:
	- Locked <5a8> (a java.util.concurrent.ThreadPoolExecutor$Worker)

`, map[string]stackdump.Locks{
			"main": {State: "BLOCKED", Waits: &stackdump.Lock{"<3351cd6e>", "java.lang.Object", 17, stackdump.ToEnter}, Holds: []stackdump.Lock{{Object: "<5a8>", Class: "java.util.concurrent.ThreadPoolExecutor$Worker"}}},
		}},
		"JDK 5": {`Full thread dump Java HotSpot(TM) Client VM (1.5.0_11-b03 mixed mode):

"W" prio=6 tid=0x03 nid=0x1a waiting for monitor entry [0x03..0x04]
	at a.B.f(B.java:1)
	- waiting to lock <0x01> (a java.lang.Object)

"main" prio=6 tid=0x04 nid=0x1b in Object.wait() [0x03..0x04]
	at java.lang.Object.wait(Native Method)
	- locked <0x01> (a java.lang.Object)

"R" daemon prio=6 tid=0x04 nid=0x1c runnable [0x03..0x04]
	at a.B.h(B.java:3)

"S" prio=6 tid=0x04 nid=0x1d waiting on condition [0x03..0x04]
	at java.lang.Thread.sleep(Native Method)

"VM Thread" prio=10 tid=0x05 nid=0x1e runnable

`, map[string]stackdump.Locks{
			"W":         {State: "BLOCKED", Waits: &stackdump.Lock{"<0x01>", "java.lang.Object", 0, stackdump.ToEnter}},
			"main":      {State: "WAITING", Holds: []stackdump.Lock{{Object: "<0x01>", Class: "java.lang.Object"}}},
			"R":         {State: "RUNNABLE"},
			"S":         {State: "WAITING"},
			"VM Thread": {},
		}},
		"dump_to_file": {`7
2025-06-10T00:49:22.000000Z
25+36

#1 "main" BLOCKED 2025-06-10T00:49:22.250100Z
    at a.B.main(B.java:11)
    - locked <a.B@1>
    - waiting to lock <java.lang.Object@5b21>

#5 "W" virtual WAITING 2025-06-10T00:49:22.250100Z
    at a.B.run(B.java:7)
    - parking to wait for <java.util.concurrent.locks.ReentrantLock$NonfairSync@a2>, owner #1
    at a.B.v(B.java:3)
    - lock is eliminated
    - locked <java.lang.Object@5b21>

`, map[string]stackdump.Locks{
			"main": {State: "BLOCKED", Waits: &stackdump.Lock{"<0x5b21>", "java.lang.Object", 0, stackdump.ToEnter}, Holds: []stackdump.Lock{{Object: "<0x1>", Class: "a.B"}}},
			"W": {State: "WAITING", Waits: &stackdump.Lock{"<0xa2>", "java.util.concurrent.locks.ReentrantLock$NonfairSync", 1, stackdump.Parked},
				Holds: []stackdump.Lock{{Object: "<0x5b21>", Class: "java.lang.Object"}}},
		}},
		"jstack -F": {"Thread 42: (state = BLOCKED)\n - a.B.main() @bci=2, line=9 (Compiled frame)\n", map[string]stackdump.Locks{
			"Thread 42": {State: stackdump.BlockedInVM},
		}},
		"Dalvik": {`----- pid 7 at 2012-01-01 00:00:00 -----
Cmd line: app
DALVIK THREADS:
"main" prio=5 tid=1 MONITOR
  | sysTid=7 nice=0
  at a.A.run(A.java:1)
  - waiting to lock <0x41891850> (a java.lang.Object) held by threadid=12 (Thread-10)
"Thread-10" prio=5 tid=12 TIMED_WAIT
  | sysTid=8 nice=0
  at java.lang.VMThread.sleep(Native Method)
----- end 7 -----
`, map[string]stackdump.Locks{
			"main":      {State: "MONITOR", Waits: &stackdump.Lock{"<0x41891850>", "java.lang.Object", 12, stackdump.ToEnter}},
			"Thread-10": {State: "TIMED_WAIT"},
		}},
		"OpenJ9": {javacore, map[string]stackdump.Locks{
			"main": {State: "BLOCKED", Waits: &stackdump.Lock{"<0x4D8C90F8>", "java.lang.String", 2, stackdump.ToEnter}},
			"W":    {State: "WAITING", Holds: []stackdump.Lock{{Object: "<0x4D8C90F8>", Class: "java.lang.String"}}},
		}},
		"JDK 25": {`{"threadDump":{"threadContainers":[{"threads":[
{"tid":"1","name":"main","state":"BLOCKED","stack":["a.A.run(A.java:1)"],"blockedOn":"java.lang.Object@2d1e"},
{"tid":"9","name":"W","state":"WAITING","stack":["a.A.hold(A.java:2)"],"parkBlocker":{"object":"a.Lock@7","owner":"1"},"monitorsOwned":[{"depth":0,"locks":["java.lang.Object@2d1e"]}]}]}]}}`, map[string]stackdump.Locks{
			"main": {State: "BLOCKED", Waits: &stackdump.Lock{"<0x2d1e>", "java.lang.Object", 0, stackdump.ToEnter}},
			"W":    {State: "WAITING", Waits: &stackdump.Lock{"<0x7>", "a.Lock", 1, stackdump.Parked}, Holds: []stackdump.Lock{{Object: "<0x2d1e>", Class: "java.lang.Object"}}},
		}},
	} {
		got := map[string]stackdump.Locks{}
		s, err := formattest.New(strings.NewReader(c.dump), name, stackdump.Config{Watch: func(d *stackdump.Dump, _ *stackdump.Frames) {
			for i := range d.Threads {
				got[d.Threads[i].Name] = d.Threads[i].Locks
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		tracetest.Events(t, s)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}
