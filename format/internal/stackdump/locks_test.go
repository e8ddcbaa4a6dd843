package stackdump_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/format/formattest"
	"artifice/format/internal/stackdump"
)

// TestLocks: lines as ART (monitor.cc, Monitor::DescribeWait; thread.cc, StackDumpVisitor) and
// HotSpot (javaVFrame::print_lock_info_on) write them.
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
			"Unnamed": {State: "WaitingForGcToComplete (still starting up)", Waits: &stackdump.Lock{How: stackdump.ToEnter}},
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
		formattest.DumptestEvents(t, s)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}
