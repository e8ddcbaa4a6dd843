package jvm_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"artifice/format/internal/formattest"
	"artifice/format/internal/jvm"
	"artifice/format/internal/stackdump"
)

// twoJavacores contains javacores in the form of OpenJ9's documentation. The second is 1.5 s later
// and has another current thread.
const twoJavacores = `0SECTION       TITLE subcomponent dump routine
NULL           ===============================
1TISIGINFO     Dump Event "user" (00004000) received
1TIDATETIME    Date: 2018/05/18 at 13:15:15:250
1CIPROCESSID   Process ID: 4711 (0x1267)
0SECTION       THREADS subcomponent dump routine
1XMCURTHDINFO  Current thread
3XMTHREADINFO      "main" J9VMThread:0x0B6B500, omrthread_t:0x7F00, java/lang/Thread:0xFFF3A2C8, state:R, prio=5
4XESTACKTRACE                at a/b/Twice.f(Twice.java:1)
1XMTHDINFO     Thread Details
3XMTHREADINFO      "main" J9VMThread:0x0B6B500, omrthread_t:0x7F00, java/lang/Thread:0xFFF3A2C8, state:R, prio=5
3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)
3XMTHREADINFO1            (native thread ID:0x1267, native priority:0x5, native policy:UNKNOWN, vmstate:R, vm thread flags:0x181)
3XMCPUTIME               CPU usage total: 0.250000000 secs, user: 0.2 secs, system: 0.05 secs, current category="Application"
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at com/acme/Demo.run(Demo.java:31(Compiled Code))
4XESTACKTRACE                at com/acme/Demo.main(Demo.java:99)
3XMTHREADINFO3           Native callstack:
4XENATIVESTACK               __psynch_cvwait+0xa (0x00007FFF905E9132 [libsystem_kernel.dylib+0x11132])
3XMTHREADINFO      Anonymous native thread
3XMTHREADINFO1            (native thread ID:0x1271, native priority: 0x0, native policy:UNKNOWN)
0SECTION       CLASSES subcomponent dump routine
1CLTEXTCLLOS           Classloader summaries
0SECTION       TITLE subcomponent dump routine
1TIDATETIME    Date: 2018/05/18 at 13:15:16:750
1CIPROCESSID   Process ID: 4711 (0x1267)
0SECTION       THREADS subcomponent dump routine
3XMTHREADINFO      "main" J9VMThread:0x0B6B500, omrthread_t:0x7F00, java/lang/Thread:0xFFF3A2C8, state:R, prio=5
3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)
3XMTHREADINFO1            (native thread ID:0x1267, native priority:0x5, native policy:UNKNOWN, vmstate:R, vm thread flags:0x181)
3XMCPUTIME               CPU usage total: 0.750000000 secs, current category="Application"
4XESTACKTRACE                at com/acme/Demo.main(Demo.java:99)
0SECTION       CLASSES subcomponent dump routine
`

func TestJavacore(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, twoJavacores)
	formattest.Same(t, formattest.Text(t, s), `
thread	4711	main
0 0 4711 enter com.acme.Demo.main
0 0 4711 enter com.acme.Demo.run
1500000000 500000000 4711 exit com.acme.Demo.run
`)
	formattest.Warned(t, s)
	if s.Info.PID != 4711 || s.Info.Elapsed != 1500*time.Millisecond || s.Counts().Format != jvm.Javacore.Dumps {
		t.Errorf("pid %d, elapsed %s, %+v", s.Info.PID, s.Info.Elapsed, s.Counts())
	}
}

// TestJavacoreCPU checks that CPU times are rounded to nanoseconds: the floating-point product of
// 4.000000006 and 10^9 is slightly less than 4000000006.
func TestJavacoreCPU(t *testing.T) {
	text := strings.NewReplacer("0.250000000 secs", "0.000000000 secs", "0.750000000 secs", "4.000000006 secs").Replace(twoJavacores)
	events := formattest.Text(t, formattest.Parse(t, stackdump.Config{}, text))
	if !strings.Contains(events, " 4000000006 4711 exit com.acme.Demo.run") {
		t.Errorf("events without the CPU time 4.000000006 s:\n%s", events)
	}
}

// TestJavacoreLocks checks that a thread with an unknown kind of wait neither waits for the object
// nor holds it. A warning states this.
func TestJavacoreLocks(t *testing.T) {
	for how, want := range map[string]stackdump.Locks{
		"Blocked": {State: "RUNNABLE", Waits: &stackdump.Lock{Object: "<0x4D8C90F8>", Class: "java.lang.String"}},
		"Parked":  {State: "RUNNABLE", Waits: &stackdump.Lock{Object: "<0x4D8C90F8>", Class: "java.lang.String", How: stackdump.Parked}},
		"Spun":    {State: "RUNNABLE"},
	} {
		text := strings.Replace(twoJavacores, "3XMCPUTIME ", "3XMTHREADBLOCK     "+how+" on: java/lang/String@0x4D8C90F8 Owned by: <unowned>\n3XMCPUTIME ", 1)
		first := true
		s := formattest.Parse(t, stackdump.Config{Watch: func(d *stackdump.Dump, _ *stackdump.Frames) {
			if got := d.Threads[0].Locks; first && !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v, want %+v", how, got, want)
			}
			first = false
		}}, text)
		formattest.Text(t, s)
		if how == "Spun" {
			formattest.Warned(t, s, "test.txt:14: a line about a lock is ignored: the thread is neither blocked, parked nor waiting: \"Spun\"")
		} else {
			formattest.Warned(t, s)
		}
	}
}

// TestJavacoreInLog checks javacores in the log of a build, with a time before each line.
func TestJavacoreInLog(t *testing.T) {
	var log strings.Builder
	for i, line := range strings.Split(strings.TrimRight(twoJavacores, "\n"), "\n") {
		fmt.Fprintf(&log, "[2023-03-07T04:13:%02d.353Z] %s\n", i, line)
	}
	s, want := formattest.Parse(t, stackdump.Config{}, log.String()), formattest.Parse(t, stackdump.Config{}, twoJavacores)
	formattest.Same(t, formattest.Text(t, s), "\n"+formattest.Text(t, want))
	if c := s.Counts(); c.Dumps != 2 || c.Format != jvm.Javacore.Dumps {
		t.Errorf("%+v, want 2 javacores", c)
	}
}

func FuzzJavacore(f *testing.F) { formattest.FuzzDumps(f, jvm.Javacore, twoJavacores) }

func TestCutJavacore(t *testing.T) { formattest.CutDumps(t, jvm.Javacore, twoJavacores) }
