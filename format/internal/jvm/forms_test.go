package jvm_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"artifice/format/internal/formattest"
	"artifice/format/internal/jvm"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// TestJVMForms checks thread dumps of old HotSpot releases on several systems, and of programs that
// print the data of java.lang.management. Each file has two dumps, two seconds apart; the second
// lacks a frame.
func TestJVMForms(t *testing.T) {
	twice := func(form string) string {
		return strings.ReplaceAll(form, "FRAME", "\tat a.B.f(B.java:1)\n") + strings.NewReplacer("10:17", "10:19", "FRAME", "").Replace(form)
	}
	for _, test := range []struct {
		name, text, thread, at string
	}{
		{"Java 5 on Linux", twice(`Full thread dump Java HotSpot(TM) Client VM (1.5.0_06-b05 mixed mode):

"main" prio=1 tid=0x0805b990 nid=0x2a runnable [0xbfffd000..0xbfffd7a8]
FRAME	at a.B.main(B.java:9)

`), "42\tmain", "10000000"},
		{"HP-UX", twice(`2012-06-13 16:10:17
Full thread dump Java HotSpot(TM) Server VM (16.3-b01 mixed mode):

"main" prio=10 tid=00042c80 nid=1 lwp_id=4716 runnable [7f7c1000..7f7c1478]
   java.lang.Thread.State: RUNNABLE
FRAME	at a.B.main(B.java:9)

JNI global references: 5

`), "4716\tmain", "2000000000"},
		{"macOS, Java 6", twice(`2012-06-13 16:10:17
Full thread dump Java HotSpot(TM) 64-Bit Server VM (20.8-b03-424 mixed mode):

"main" prio=5 tid=7fb5c4001000 nid=0x10d runnable [10d5ad000]
   java.lang.Thread.State: RUNNABLE
FRAME	at a.B.main(B.java:9)

JNI global references: 5

`), "269\tmain", "2000000000"},
		{"VisualVM", twice(`2012-06-13 16:10:17
Full thread dump Java HotSpot(TM) 64-Bit Server VM (20.6-b01 mixed mode):

"main" - Thread t@332
   java.lang.Thread.State: RUNNABLE
FRAME	at a.B.main(B.java:9)

   Locked ownable synchronizers:
	- None

`), "332\tmain", "2000000000"},
		{"IntelliJ's debugger of 2012", twice(`main@1 daemon, prio=5, in group 'main', status: 'WAIT'
FRAME	  at a.B.main(B.java:9)

`), "1\tmain@1", "10000000"},
		{"VisualVM's threads alone", twice(`"main" - Thread t@332
   java.lang.Thread.State: RUNNABLE
FRAME	at a.B.main(B.java:9)

   Locked ownable synchronizers:
	- None

`), "332\tmain", "10000000"},
		{"JMX console", strings.ReplaceAll(twice(`13.06.2012 16:10:17
"main" id=31 in RUNNABLE
FRAME	at a.B.main(B.java:9)

`), "\t", "    "), "31\tmain", "2000000000"},
		{"FullThreadDump of the JDK", strings.ReplaceAll(twice(`Full Java thread dump with locks info
"main" Id=31 in BLOCKED on lock=java.lang.Object@1a2b
     owned by other Id=32 (running in native)
FRAME	at a.B.main(B.java:9)
	  - locked java.lang.Object@1a2b
	Locked synchronizers: count = 0

`), "\t", "    "), "31\tmain", "10000000"},
		{"ThreadInfo.toString", twice(`"main" Id=31 RUNNABLE (in native)
FRAME	at a.B.main(B.java:9)
	...

	Number of locked synchronizers = 1
	- java.util.concurrent.ThreadPoolExecutor$Worker@1

`), "31\tmain", "10000000"},
		{"French log", twice(`13 juin 2012 16:10:17
Full thread dump OpenJDK 64-Bit Server VM (24.0-b01 mixed mode):

"main" prio=5 tid=0x01 nid=0x2a runnable [0x0]
FRAME	at a.B.main(B.java:9)

JNI global references: 5

`), "42\tmain", "2000000000"},
		{"ThreadInfo.toString since Java 9", twice(`"main" daemon prio=5 Id=31 BLOCKED on java.lang.Object@1a2b owned by "other" Id=32
FRAME	at a.B.main(B.java:9)
	-  blocked on java.lang.Object@1a2b

	Number of locked synchronizers = 1
	- java.util.concurrent.ThreadPoolExecutor$Worker@1

`), "31\tmain", "10000000"},
		{"jcmd Thread.print without head", twice(`Here are the threads of "our" server:
"main" #1 prio=5 os_prio=0 tid=0x00007f nid=0x2a runnable  [0x0000]
   java.lang.Thread.State: RUNNABLE
FRAME	at a.B.main(B.java:9)

"Thanks" for reading.
`), "42\tmain", "10000000"},
		{"decimal numbers without head", twice(`"main" daemon prio=10 tid=1238581248 nid=42
   java.lang.Thread.State: RUNNABLE
FRAME	at a.B.main(B.java:9)

`), "42\tmain", "10000000"},
		{"jstack -F", strings.ReplaceAll(twice(`Attaching to process ID 41, please wait...
Deadlock Detection:

No deadlocks found.

Thread 42: (state = BLOCKED)
FRAME - a.B.main(java.lang.String[]) @bci=2, line=9 (Compiled frame; information may be imprecise)

Locked ownable synchronizers:
    - None

`), "\tat a.B.f(B.java:1)", " - a.B.f(int, a.B$C) @bci=0 (Interpreted frame)"), "42\tThread 42", "10000000"},
	} {
		tid, _, _ := strings.Cut(test.thread, "\t")
		want := "thread\t" + test.thread + "\n0 - TID enter a.B.main\n0 - TID enter a.B.f\n" + test.at + " - TID exit a.B.f\n"
		want = strings.ReplaceAll(want, "TID", tid)
		for _, form := range []struct{ name, text string }{
			{"", test.text},
			{", CR LF", strings.ReplaceAll(test.text, "\n", "\r\n")},
			{", UTF-16", "\xff\xfe" + wide(test.text, binary.LittleEndian)},
			{", UTF-16 without mark", wide(test.text, binary.LittleEndian)},
			{", UTF-16 without mark, big endian", wide(test.text, binary.BigEndian)},
		} {
			s := formattest.Parse(t, stackdump.Config{}, form.text)
			t.Run(test.name+form.name, func(t *testing.T) {
				formattest.Same(t, formattest.Text(t, s), want)
				formattest.Warned(t, s)
				if c := s.Counts(); c.Dumps != 2 || c.Format != jvm.Format.Dumps {
					t.Errorf("%+v, want 2 dumps of the JVM", c)
				}
			})
		}
	}
}

// wide returns text encoded in UTF-16.
func wide(text string, order binary.AppendByteOrder) string {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

// TestIntelliJ checks two dumps of IntelliJ. They have no head, and all numbers of threads are 0:
// the names identify the threads. Two threads have the same name.
func TestIntelliJ(t *testing.T) {
	const waits = `"AWT-EventQueue-0" prio=0 tid=0x0 nid=0x0 waiting on condition
     java.lang.Thread.State: WAITING
 on java.util.concurrent.locks.ReentrantLock$NonfairSync@3 owned by "main" Id=1
	at a.B.lock(B.java:2)


"reaper" prio=0 tid=0x0 nid=0x0 runnable
     java.lang.Thread.State: RUNNABLE


"reaper" prio=0 tid=0x0 nid=0x0 runnable
     java.lang.Thread.State: RUNNABLE
 (in native)
	at a.B.reap(B.java:5)


"main" prio=0 tid=0x0 nid=0x0 runnable
     java.lang.Thread.State: RUNNABLE
 (in native)
`
	s := formattest.Parse(t, stackdump.Config{}, waits+"\tat a.B.f(B.java:1)\n\tat a.B.main(B.java:9)\n\n\n"+waits+"\tat a.B.main(B.java:9)\n\n\n")
	formattest.Same(t, formattest.Text(t, s), `
thread	1	AWT-EventQueue-0
thread	2	reaper
thread	3	reaper
thread	4	main
0 - 1 enter a.B.lock
0 - 3 enter a.B.reap
0 - 4 enter a.B.main
0 - 4 enter a.B.f
10000000 - 4 exit a.B.f
`)
	formattest.Warned(t, s)
	if c := s.Counts(); c.Dumps != 2 {
		t.Errorf("%d dumps, want 2", c.Dumps)
	}
}

// TestJVMHeadsCount checks that, if the dumps of a file have header lines, a log line in the form
// of a JMX console belongs to no dump.
func TestJVMHeadsCount(t *testing.T) {
	text := formattest.JVM("2025-12-22 16:10:17", `"main" #1 prio=5 tid=0x01 nid=0x2a runnable [0x0]`, "\tat a.B.main(B.java:9)\n")
	s := formattest.Parse(t, stackdump.Config{}, text+"\"x\" id=3 was seen\n"+text)
	tracetest.Events(t, s)
	if c := s.Counts(); c.Dumps != 2 || c.Threads != 2 {
		t.Errorf("%+v, want 2 dumps of a thread", c)
	}
}

// TestNoThread checks that a file without a readable thread is an error, which states the first
// irregularity.
func TestNoThread(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"Full thread dump x:\n\n\"main\" of J9\n  at f\n", `test.txt:3: no thread can be read in 1 dump of format jvm; not a line of a thread dump: "\"main\" of J9"`},
		{"Full thread dump x:\n\nJNI global refs\nFull thread dump x:\n\nJNI global refs\n", "test.txt: no thread can be read in 2 dumps of format jvm"},
		{"----- pid 7 at 2025-12-22 16:10:17 -----\nCmd line: app\n\"main\" of another kind\n----- end 7 -----\n", `test.txt:3: no thread can be read in 1 dump of format anr; not a line of a thread: "\"main\" of another kind"`},
		{`{"time_us":"soon","thread":"m","frames":[]}`, `test.txt:1: there is no stack dump in it, although it looks like format jsonl; the line is ignored: json: invalid number literal, trying to unmarshal "\"soon\"" into Number`},
		{`{"time_us":null,"thread":"m","frames":[]}`, `test.txt:1: there is no stack dump in it, although it looks like format jsonl; the line is ignored: "time_us" is missing`},
	} {
		s, err := formattest.New(strings.NewReader(test.text), "test.txt", stackdump.Config{})
		if err == nil {
			_, err = trace.Copy(&trace.Buffer{}, s)
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%q:\n%v, want\n%s", test.text, err, test.want)
		}
	}
}
