package jvm_test

import (
	"fmt"
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/jvm"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
)

// twoJRockits contains two dumps of JRockit, 27 s apart. In the second, the thread main has lost a
// frame. The first is in the form of Java 6, the second in that of Java 1.4.
const twoJRockits = `
===== FULL THREAD DUMP ===============
Wed Nov 14 05:29:50 2007
BEA JRockit(R) R27.6.5-32_o-121899-1.6.0_14-20091001-2113-linux-x86_64

"Main Thread" id=1 idx=0x4 tid=27878 prio=5 alive, in native, waiting
    -- Waiting for notification on: a/b/Queue@0x6f28838[fat lock]
    at jrockit/vm/Threads.waitForNotifySignal(JLjava/lang/Object;)Z(Native Method)
    ^-- Lock released while waiting: a/b/Queue@0x6f28838[fat lock]
    at a/b/Queue.<init>([Ljava/lang/String;I)V(Queue.java:12)
    ^-- Holding lock: java/lang/Object@0x11[recursive]
    -- end of trace

"(GC Worker Thread 1)" id=? idx=0x10 tid=27881 prio=5 alive, in native, daemon

"ExecuteThread: '0'" id=9 idx=0x20 tid=27890 prio=5 alive, blocked, native_blocked, daemon
    -- Blocked trying to get lock: java/lang/Object@0x11[fat lock]
    at jrockit/vm/Locks.monitorEnter(Ljava/lang/Object;)Ljava/lang/Object;(Unknown Source)
    -- end of trace

Blocked lock chains
===================
Chain 2:
"ExecuteThread: '0'" id=9 idx=0x20 tid=27890 waiting for java/lang/Object@0x11 held by:

===== END OF THREAD DUMP ===============
===== FULL THREAD DUMP ===============
Wed Nov 14 05:30:17 2007

"Main Thread" prio=5 id=0x1 tid=0x6ce6 waiting
    at a/b/Queue.<init>(Queue.java:12)@0x17138F04
    --- End of stack trace

===== END OF THREAD DUMP ===============
`

func TestJRockit(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, twoJRockits)
	formattest.Same(t, formattest.Text(t, s), `
thread	27878	Main Thread
thread	27881	(GC Worker Thread 1)
thread	27890	ExecuteThread: '0'
0 - 27878 enter a.b.Queue.<init>
0 - 27878 enter jrockit.vm.Threads.waitForNotifySignal
0 - 27890 enter jrockit.vm.Locks.monitorEnter
27000000000 - 27878 exit jrockit.vm.Threads.waitForNotifySignal
27000000000 - 27890 exit jrockit.vm.Locks.monitorEnter
`)
	formattest.Warned(t, s)
	if c := s.Counts(); c.Dumps != 2 || c.Format != jvm.Format.Dumps {
		t.Errorf("%+v, want 2 dumps of the JVM", c)
	}
}

// TestJRockitLocks checks states, and the locks that threads hold and wait for.
func TestJRockitLocks(t *testing.T) {
	var got []string
	s, err := formattest.New(strings.NewReader(twoJRockits), "x", stackdump.Config{Watch: func(d *stackdump.Dump, _ *stackdump.Frames) {
		for i := range d.Threads {
			l := &d.Threads[i].Locks
			got = append(got, fmt.Sprintf("%s %v %v", l.State, l.Waits, l.Holds))
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	tracetest.Events(t, s)
	want := `WAITING &{<0x6f28838> a.b.Queue 0 2} [{<0x11> java.lang.Object 0 0}]
RUNNABLE <nil> []
BLOCKED &{<0x11> java.lang.Object 0 0} []
WAITING <nil> []`
	if got := strings.Join(got, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestCutJRockit(t *testing.T) { formattest.CutDumps(t, jvm.Format, twoJRockits) }
