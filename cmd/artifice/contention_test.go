package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestContention: the report of a dump has each lock that threads wait for, with the stacks of its
// holder and of the first waiting thread. From the sixth lock on, there are no stacks. A stack of 14
// frames is cut after 12, and one of 13 is not, unless --top 0 is set.
func TestContention(t *testing.T) {
	t.Chdir(t.TempDir())
	var dump strings.Builder
	dump.WriteString("----- pid 7 at 2024-01-01 00:00:01 -----\nCmd line: app\n\"main\" prio=5 tid=1 Native\n  | sysTid=7 nice=0\n")
	for i := range 14 {
		fmt.Fprintf(&dump, "  at a.A.m%d(A.java:%d)\n", i, i+1)
	}
	thread := func(name string, tid int, state string, lines ...string) {
		fmt.Fprintf(&dump, "%q prio=5 tid=%d %s\n  | sysTid=%d nice=0\n  %s\n", name, tid, state, tid+10, strings.Join(lines, "\n  "))
	}
	for i := range 6 {
		thread(fmt.Sprint("holder", i), 10+i, "Sleeping", fmt.Sprintf("at a.H.hold(H.java:%d)", i), fmt.Sprintf("- locked <0x0%d> (a a.L)", i))
		thread(fmt.Sprint("waiter", i), 20+i, "Blocked", fmt.Sprintf("at a.W.take(W.java:%d)", i), fmt.Sprintf("- waiting to lock <0x0%d> (a a.L) held by thread %d", i, 10+i))
	}
	thread("second", 30, "Blocked", "at a.S.take(S.java:3)", "- waiting to lock <0x03> (a a.L) held by thread 13")
	dump.WriteString("----- end 7 -----\n")
	writeFile(t, "anr.txt", dump.String())

	status, stdout, stderr := artifice("report", "anr.txt")
	if status != exitOK {
		t.Fatalf("status %d: %s", status, stderr)
	}
	rest := stdout
	for _, want := range []string{
		"main is in native code in A.m0 (A.java:1):\n  A.m0 (A.java:1)\n", "  A.m11 (A.java:12)\n  … 2 more frames: --top 0 lists all.\n",
		"waiter3 and second wait for a.L <0x03>, held by holder3, which is sleeping in H.hold (H.java:3):\n  H.hold (H.java:3)\nwaiter3 is blocked on a lock in W.take (W.java:3):\n  W.take (W.java:3)\n", // most waiting threads first
		"waiter0 waits for a.L <0x00>, held by holder0, which is sleeping in H.hold",
		"waiter4 waits for a.L <0x04>, held by holder4, which is sleeping in H.hold (H.java:4):\n  H.hold (H.java:4)\n",
		"waiter5 waits for a.L <0x05>, held by holder5.\n",
		"13 other threads not shown: --thread NAME, or --thread all.\n",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is missing, or not in this order, in\n%s", want, stdout)
		}
		rest = after
	}
	if strings.Contains(stdout, "A.m12") || strings.Contains(stdout, "A single dump") || strings.Contains(stdout, "waits for no lock") {
		t.Errorf("the report has a frame too many, or the advice for a dump without contention:\n%s", stdout)
	}

	if _, all, _ := artifice("report", "anr.txt", "--top", "0"); !strings.Contains(all, "  A.m12 (A.java:13)\n  A.m13 (A.java:14)\n") || strings.Contains(all, "more frames") {
		t.Errorf("--top 0:\n%s", all)
	}
	writeFile(t, "anr.txt", strings.Replace(dump.String(), "  at a.A.m13(A.java:14)\n", "", 1))
	if _, one, _ := artifice("report", "anr.txt"); !strings.Contains(one, "  A.m12 (A.java:13)\n") || strings.Contains(one, "more frames") {
		t.Errorf("13 frames:\n%s", one)
	}

	// The report of a waiting thread has its line once.
	_, one, _ := artifice("report", "anr.txt", "--thread", "waiter5")
	if n := strings.Count(one, "waiter5 waits for a.L <0x05>, held by holder5"); n != 1 {
		t.Errorf("the line of waiter5 occurs %d times in\n%s", n, one)
	}
}
