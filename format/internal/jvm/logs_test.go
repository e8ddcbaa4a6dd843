package jvm_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/format/internal/formattest"
	"artifice/format/internal/jvm"
	"artifice/format/internal/stackdump"
)

// logged are two dumps, two seconds apart, in the output of a program. The second lacks a frame.
const logged = `Server started
2024-05-06 10:11:12
Full thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode, sharing):

"main" #1 prio=5 os_prio=0 tid=0x0000000003525000 nid=0x2a waiting on condition [0x0000000000000000]
   java.lang.Thread.State: RUNNABLE
	at a.B.f(B.java:1)
	at a.B.main(B.java:9)

JNI global refs: 16, weak refs: 0

2024-05-06 10:11:14
Full thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode, sharing):

"main" #1 prio=5 os_prio=0 tid=0x0000000003525000 nid=0x2a waiting on condition [0x0000000000000000]
   java.lang.Thread.State: RUNNABLE
	at a.B.main(B.java:9)

JNI global refs: 16, weak refs: 0
`

const loggedEvents = `
thread	42	main
0 - 42 enter a.B.main
0 - 42 enter a.B.f
2000000000 - 42 exit a.B.f
`

// TestJVMInLogs checks dumps that logging systems and bug reports store with a prefix before each
// line.
func TestJVMInLogs(t *testing.T) {
	const prefixed = "2024-05-06T10:11:12.%09dZ "
	for name, line := range map[string]func(i int, text string) string{
		"kubectl --timestamps": func(i int, text string) string { return fmt.Sprintf(prefixed, i*1001) + text },
		"CRI":                  func(i int, text string) string { return fmt.Sprintf(prefixed, i*1001) + "stdout F " + text },
		"kubectl --prefix":     func(_ int, text string) string { return "[pod/web-7d9/app] " + text },
		"docker compose":       func(_ int, text string) string { return strings.TrimRight("app-1  | "+text, " ") },
		"journald": func(i int, text string) string {
			return fmt.Sprintf("May  6 10:11:%02d host-1.net java[%d]: %s", i, 98+i, text)
		},
		"WildFly": func(i int, text string) string {
			return fmt.Sprintf("10:11:12,%03d INFO  [stdout] (Thread-12) %s", i, text)
		},
		"quotation":  func(_ int, text string) string { return "> " + text },
		"code block": func(_ int, text string) string { return "    " + text },
		"json-file of Docker": func(i int, text string) string {
			quoted, err := json.Marshal(text + "\n")
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf(`{"log":%s,"stream":"stdout","time":"2024-05-06T10:11:12.%09dZ"}`, quoted, i)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			for i, text := range strings.Split(strings.TrimRight(logged, "\n"), "\n") {
				log.WriteString(line(i, text) + "\n")
			}
			s := formattest.Parse(t, stackdump.Config{}, log.String())
			formattest.Same(t, formattest.Text(t, s), loggedEvents)
			formattest.Warned(t, s)
			if c := s.Counts(); c.Dumps != 2 || c.Format != jvm.Format.Dumps {
				t.Errorf("%+v, want 2 dumps of the JVM", c)
			}
		})
	}
}

// TestJVMLogEntry checks dumps that are single entries of a log: only their first line has the
// prefix, and its time is the dump's.
func TestJVMLogEntry(t *testing.T) {
	entry := strings.NewReplacer("\n2024-05-06 10:11:12\nFull", "\n2024-05-06 10:11:12,250 WARN [dumper] c.e.Dumper - Full",
		"\n2024-05-06 10:11:14\nFull", "\n2024-05-06 10:11:14,250 WARN [dumper] c.e.Dumper - Full").Replace(logged)
	s := formattest.Parse(t, stackdump.Config{}, entry)
	formattest.Same(t, formattest.Text(t, s), loggedEvents)
	formattest.Warned(t, s)
	if s.Info.Elapsed != 2*time.Second {
		t.Errorf("%s between the dumps, want 2s", s.Info.Elapsed)
	}
}

// TestJVMInLogOfTwoSources checks that a line of another source between the lines of a dump is
// reported and belongs to no stack.
func TestJVMInLogOfTwoSources(t *testing.T) {
	log := "app | " + strings.ReplaceAll(strings.TrimRight(logged, "\n"), "\n", "\napp | ") + "\n"
	log = strings.Replace(log, "app | \tat a.B.main", "db  | checkpoint\napp | \tat a.B.main", 1)
	s := formattest.Parse(t, stackdump.Config{}, log)
	formattest.Same(t, formattest.Text(t, s), loggedEvents)
	formattest.Warned(t, s, "not a line of a thread dump: \"db  | checkpoint\"")
}

// TestIntelliJDebugger checks the dump of a paused program: a thread's lock is on a line of its own.
func TestIntelliJDebugger(t *testing.T) {
	var waits stackdump.Lock
	s := formattest.Parse(t, stackdump.Config{Watch: func(d *stackdump.Dump, _ *stackdump.Frames) { waits = *d.Threads[0].Locks.Waits }}, `"executor-7@16995" tid=0xb9 nid=NA waiting for monitor entry
  java.lang.Thread.State: BLOCKED
	 waiting for virtual-17@16977 to release lock on <0x4265> (a a.Loader)
	  at a.B.proxy(Unknown Source:-1)

"virtual-17@16977" virtual tid=0xc1 nid=NA runnable
  java.lang.Thread.State: RUNNABLE
	 blocks executor-7@16995
	  at a.B.inflate(B.java:1)
	  - locked <0x4265> (a a.Loader)
`)
	formattest.Same(t, formattest.Text(t, s), `
thread	185	executor-7@16995
thread	193	virtual-17@16977
0 - 185 enter a.B.proxy
0 - 193 enter a.B.inflate
`)
	formattest.Warned(t, s)
	if waits.Object != "<0x4265>" || waits.Class != "a.Loader" {
		t.Errorf("waits for %+v, want <0x4265> of a.Loader", waits)
	}
}

// TestMountedName checks a mounted virtual thread with its name, as some releases write it.
func TestMountedName(t *testing.T) {
	const head = `"worker" #22 [12345] daemon prio=5 os_prio=0 tid=0x00007f1cb4027800  [0x00007f1cbb0fe000]`
	text := formattest.JVM("2024-05-06 10:11:12", head, "   Carrying virtual thread #21\n\tat a.C.run(C.java:1)\n   Mounted virtual thread \"vt #1\" #21\n\tat a.B.f(B.java:10)\n")
	s := formattest.Parse(t, stackdump.Config{}, text)
	formattest.Same(t, formattest.Text(t, s), `
thread	12345	worker
thread	21	vt #1
0 - 12345 enter a.C.run
0 - 21 enter a.B.f
`)
	formattest.Warned(t, s)
}
