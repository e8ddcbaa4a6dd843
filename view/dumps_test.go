package view

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"artifice/format"
	"artifice/internal/testdata/tracetest"
	"artifice/report/dumps"
	"artifice/trace"
)

// dumpsPageOf returns the page of thread dumps.
func dumpsPageOf(t *testing.T, text string) string {
	t.Helper()
	var c dumps.Collector
	s := tracetest.Dumps(t, text, format.DumpConfig{Watch: c.Watch})
	if _, err := trace.Copy(trace.Discard, s); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := (&Page{Title: "a <b>.txt", Version: "artifice 1", Dumps: NewDumps(c.Summary())}).WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const dumpedThreads = `"main" #1 prio=5 tid=0x1 nid=0x1 waiting for monitor entry
   java.lang.Thread.State: BLOCKED (on object monitor)
	at a.A.<init>(A.java:3)
	- waiting to lock <0x0a> (a a.L)

"worker" #2 prio=5 tid=0x2 nid=0x2 waiting on condition
   java.lang.Thread.State: TIMED_WAITING (sleeping)
	at java.lang.Thread.sleep(Native Method)
	at a.W.work(W.java:4)
	- locked <0x0a> (a a.L)

"worker" #3 prio=5 tid=0x3 nid=0x3 runnable
   java.lang.Thread.State: RUNNABLE
	at a.W.<img>(W.java:5)

`

// TestDumpsPage checks that a page states which threads wait for which, with both stacks, and
// distinguishes threads with one name. Text of the dumps is escaped. The page has no script, no
// address, and no time for a dump without a time.
func TestDumpsPage(t *testing.T) {
	page := dumpsPageOf(t, "2024-01-01 00:00:01\nFull thread dump x (1.5.0)\n\n"+dumpedThreads)
	for _, want := range []string{
		"<title>a &lt;b&gt;.txt – artifice</title>", `default-src &#39;none&#39;; style-src &#39;sha256-`,
		`<p class="facts">1 thread dump, 3 threads</p>`,
		"<p>main is blocked on a lock in A.&lt;init&gt; (A.java:3):</p>",
		"<h3>main waits for a.L &lt;0x0a&gt;, held by worker (tid 2)</h3>",
		"<h4>worker (tid 2), which holds it, is sleeping in Thread.sleep (native)</h4>\n<ol class=\"stack\"><li>Thread.sleep (native)</li><li>W.work (W.java:4)</li></ol>",
		"<h4>main is blocked on a lock in A.&lt;init&gt; (A.java:3)</h4>",
		`<th scope="row" class="text">worker (tid 3)</th><td class="text">RUNNABLE</td>`, "W.&lt;img&gt; (W.java:5)",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	for _, bad := range []string{"<script", "<img", "http:", "https:", "0 s", "Most common stacks", "States over time"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
}

// TestDumpsPageOverTime checks that the table has a column for each dump, with the state, and marks
// changes of the stack. Stacks are counted over threads and dumps.
func TestDumpsPageOverTime(t *testing.T) {
	head := "Full thread dump x (1.5.0)\n\n"
	later := strings.NewReplacer("BLOCKED (on object monitor)", "RUNNABLE", "a.A.<init>", "a.A.other", "\t- waiting to lock <0x0a> (a a.L)\n", "").Replace(dumpedThreads)
	page := dumpsPageOf(t, "2024-01-01 00:00:01\n"+head+dumpedThreads+"2024-01-01 00:00:03\n"+head+later+"2024-01-01 00:00:04\n"+head+strings.ReplaceAll(later, `"worker" #3`, `"late" #4`))
	for _, want := range []string{
		"3 thread dumps, 4 threads, over 3 s", "(dump 1 of 3)", "States over time",
		`<th scope="col" class="when"><span>1st</span></th><th scope="col" class="when"><span>+2 s</span></th><th scope="col" class="when"><span>+3 s</span></th>`,
		"<b>3× in 1 thread</b>: Thread.sleep (native) ← W.work <span class=\"facts\">worker (tid 2)</span>",
		"<b>3× in 2 threads</b>: W.&lt;img&gt; (W.java:5) <span class=\"facts\">worker (tid 3) and late</span>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	rows := map[string]string{}
	for _, m := range regexp.MustCompile(`<th scope="row" class="text">([^<]*)</th>((?:<td class="(?:moment|none)[^>]*>[^<]*</td>)*)`).FindAllStringSubmatch(page, -1) {
		rows[m[1]] = regexp.MustCompile(`<td class="(?:moment )?([a-z ]*)"[^>]*>(.?)</td>`).ReplaceAllString(m[2], "$1:$2 ")
	}
	for thread, want := range map[string]string{
		"main": "blocked:B runnable changed:R runnable:R ", "worker (tid 2)": "waiting:S waiting:S waiting:S ",
		"worker (tid 3)": "runnable:R runnable:R none: ", "late": "none: none: runnable changed:R ",
	} {
		if rows[thread] != want {
			t.Errorf("%s: %q, want %q", thread, rows[thread], want)
		}
	}
}
