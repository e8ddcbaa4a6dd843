package dumps

import (
	"testing"

	"artifice/format"
)

// TestStateWords: the runtimes' names of states have one text each, in any case.
func TestStateWords(t *testing.T) {
	for name, want := range map[string]string{
		"Runnable": "runnable", "IN_JAVA": "runnable", "Native": "in native code", "in_native": "in native code",
		"Blocked": "blocked on a lock", "MONITOR": "blocked on a lock", "Waiting": "waiting", "WAIT": "waiting",
		"TimedWaiting": "waiting with a timeout", "TIMED_WAITING": "waiting with a timeout", "TIMED_WAIT": "waiting with a timeout",
		"Sleeping": "sleeping", "Suspended": "suspended",
		"BLOCKED (any wait)": "waiting or blocked", "Crashed": "stopped by a signal", "Odd": "in state Odd", "": "in an unknown state",
	} {
		if got := StateWords(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
	if got := Unknown.String() + "," + OnLock.String() + "," + Suspended.String(); got != ",blocked on a lock,suspended" {
		t.Errorf("states: %s", got)
	}
}

// TestSentences checks the sentences on threads and locks.
func TestSentences(t *testing.T) {
	short, full := Text{}, Text{Full: true}
	frame := format.Frame{Class: "java.lang.Thread", Method: "sleep", JNI: true}
	line := format.Frame{Class: "app.Main", Method: "run", File: "Main.java", Line: 7}
	lock := format.Lock{Class: "java.lang.Object", Object: "<0x1>", How: format.ToEnter}
	held := lock
	held.Holder = 9
	noted := lock
	noted.How = format.ToWake
	for _, c := range []struct{ got, want string }{
		{short.Frame(&frame), "Thread.sleep (native)"}, {full.Frame(&frame), "java.lang.Thread.sleep (native)"},
		{short.Frame(&line), "Main.run (Main.java:7)"}, {short.Frame(&format.Frame{Method: "main", File: "a.c"}), "main"},
		{short.Doing("", nil), "is in an unknown state"}, {short.Doing("Sleeping", nil), "is sleeping"},
		{short.Doing("", []format.Frame{line, frame}), "is in Main.run (Main.java:7)"},
		{short.Doing("Sleeping", []format.Frame{frame, line}), "is sleeping in Thread.sleep (native)"},
		{short.Head(&Thread{Name: "main", State: "Sleeping", Dumps: 1, Stack: []format.Frame{frame}}), "main is sleeping in Thread.sleep (native):"},
		{short.Head(&Thread{Name: "main", State: "Sleeping", Dumps: 1}), "main is sleeping; no stack"},
		{short.Head(&Thread{Name: "main", State: "Sleeping", Dumps: 2, Same: 1, Stack: []format.Frame{frame}}), "main is most often sleeping; most frequent stack (1 of 2 dumps):"},
		{short.Lock(&format.Lock{}), "an unknown lock"}, {short.Lock(&format.Lock{Class: "a.B"}), "a.B"}, {short.Lock(&format.Lock{Object: "<0x1>"}), "<0x1>"},
		{short.Lock(&lock), "java.lang.Object <0x1>"},
		{short.Waits(&Blocked{Waiters: []string{"A"}, Lock: lock, Holder: "C"}), "A waits for java.lang.Object <0x1>, held by C"},
		{short.Waits(&Blocked{Waiters: []string{"A", "B"}, Lock: lock, Holder: "C"}), "A and B wait for java.lang.Object <0x1>, held by C"},
		{short.Waits(&Blocked{Waiters: []string{"A", "B", "D", "E", "F"}, Lock: lock, Holder: "C"}), "A, B, D and 2 more wait for java.lang.Object <0x1>, held by C"},
		{short.NoHolder(&LockWait{Thread: "A"}), ""}, {short.NoHolder(&LockWait{Thread: "A", Lock: &noted}), ""},
		{short.NoHolder(&LockWait{Thread: "A", Lock: &held}), "A waits for java.lang.Object <0x1>, held by thread 9, which is not in the dump."},
		{short.NoHolder(&LockWait{Thread: "A", Lock: &lock}), "A waits for java.lang.Object <0x1>; the dump does not name its holder."},
		{short.Deadlock([]LockWait{{Thread: "A", Lock: &lock}, {Thread: "B", Lock: &format.Lock{Class: "a.B"}}}), "Deadlock: A waits for java.lang.Object <0x1>, held by B; B waits for a.B, held by A."},
		{(&Summary{Dumps: 2, Process: "app", Threads: make([]Thread, 30)}).Size(), "2 thread dumps of app, 30 threads"},
		{(&Summary{Dumps: 1, Threads: make([]Thread, 1)}).Size(), "1 thread dump, 1 thread"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
