package dumppage

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/format"
	"artifice/report/dumps"
)

// frame returns a frame of app.Main.
func frame(method string) format.Frame {
	return format.Frame{Class: "app.Main", Method: method, File: "Main.java", Line: 7}
}

// TestSingleDump: of a single dump, the page has the contended lock with both stacks, the stacks that
// threads share, and the threads without columns.
func TestSingleDump(t *testing.T) {
	lock := &format.Lock{Class: "a.L<T>", Object: "<0x1>", How: format.ToEnter}
	deep := make([]format.Frame, 14)
	for i := range deep {
		deep[i] = frame(fmt.Sprint("m", i))
	}
	chain := []dumps.LockWait{{Thread: "main", State: "Blocked", Lock: lock, Stack: []format.Frame{frame("take")}}, {Thread: "holder", State: "Sleeping", Stack: deep}}
	other := []dumps.LockWait{{Thread: "B", State: "Blocked", Lock: lock, Stack: []format.Frame{frame("take")}}, chain[1]}
	s := &dumps.Summary{Process: "app<1>", Dumps: 1, Others: 2,
		Threads: []dumps.Thread{
			{Name: "main", Main: true, Dumps: 1, State: "Blocked", Stack: []format.Frame{frame("take")}, Waits: chain, In: 1, Moments: []dumps.Moment{{Present: true, State: "Blocked", Stack: 1}}},
			{Name: "B", Dumps: 1, State: "Blocked", Stack: []format.Frame{frame("take")}, Waits: other, In: 1},
			{Name: "holder", Dumps: 1, State: "Sleeping", Stack: deep},
			{Name: "lost", Dumps: 1, Waits: []dumps.LockWait{{Thread: "lost", Lock: lock}}},
		},
		Stacks:    []dumps.SharedStack{{Stack: []format.Frame{frame("take")}, Count: 2, Threads: []string{"main", "B"}}, {Stack: deep, Count: 1, Threads: []string{"holder"}}},
		Deadlocks: [][]dumps.LockWait{{{Thread: "x", Lock: lock}, {Thread: "y", Lock: lock}}},
	}
	check(t, New(s).HTML("dump <1>"), []string{
		"<header><h1>dump &lt;1&gt;</h1>\n<p class=\"facts\">1 thread dump of app&lt;1&gt;, 4 threads</p></header>\n<main>\n",
		"<p class=\"alarm\">Deadlock: x waits for a.L&lt;T&gt; &lt;0x1&gt;, held by y; y waits for a.L&lt;T&gt; &lt;0x1&gt;, held by x.</p>\n",
		"<section class=\"thread\">\n<h2>Thread main</h2>\n<p>main is blocked on a lock in Main.take (Main.java:7):</p>\n<ol class=\"stack\"><li>Main.take (Main.java:7)</li></ol>\n</section>\n",
		"<h3>main and B wait for a.L&lt;T&gt; &lt;0x1&gt;, held by holder</h3>\n",
		"<h4>holder, which holds it, is sleeping in Main.m0 (Main.java:7)</h4>\n<ol class=\"stack\"><li>Main.m0 (Main.java:7)</li>",
		"<li>Main.m11 (Main.java:7)</li></ol>\n<details><summary>2 more frames</summary><ol class=\"stack\" start=\"13\"><li>Main.m12 (Main.java:7)</li><li>Main.m13 (Main.java:7)</li></ol></details>\n</div>\n",
		"<div><h4>main is blocked on a lock in Main.take (Main.java:7)</h4>\n",
		"<details><summary>2 threads wait</summary><p>main, B</p></details>\n",
		"<p>lost waits for a.L&lt;T&gt; &lt;0x1&gt;; the dump does not name its holder.</p>\n</section>\n",
		"<p class=\"facts\">3 stacks, 2 of them different; threads without frames have none.</p>\n<details><summary><b>2 threads</b>: Main.take (Main.java:7) <span class=\"facts\">main and B</span></summary>\n",
		"<h2>Threads</h2>\n<ul class=\"legend\" aria-label=\"Signs\"></ul>\n",
		"<thead><tr><th scope=\"col\" class=\"text\">thread</th><th scope=\"col\" class=\"text\">state</th>",
		"<tr><th scope=\"row\" class=\"text\">B</th><td class=\"text\">Blocked</td><td class=\"text leaf\">Main.take (Main.java:7), waits for holder</td></tr>\n",
		"<td class=\"text\">Sleeping</td><td class=\"text leaf\"><details><summary>Main.m0 (Main.java:7) ← Main.m1</summary><ol",
		"<td class=\"text\">unknown</td><td class=\"text leaf\"></td></tr>\n",
		"<p class=\"facts\">2 dumps of other processes: artifice report --by thread --thread all lists their threads.</p>\n</main>\n",
	}, "Thread holder", "(dump ", "1 thread</b>", "No thread waits", "class=\"moment")
}

// TestSeveralDumps: of several dumps, the page has the frequencies of methods, and a column for each
// dump with the states of threads. A line marks a changed stack.
func TestSeveralDumps(t *testing.T) {
	a, b := []format.Frame{frame("a"), frame("run")}, []format.Frame{frame("b")}
	s := &dumps.Summary{Dumps: 3, Times: []time.Duration{0, 1500 * time.Millisecond, 3 * time.Second},
		Threads: []dumps.Thread{{Name: "main", Main: true, Dumps: 2, State: "Runnable", Stack: a, Same: 1,
			Methods: []dumps.DumpedMethod{{Frame: frame("a"), Counts: dumps.Counts{Self: 1, Total: 2}, Low: 0.0126, High: 0.9874}, {Frame: frame("run"), Counts: dumps.Counts{Total: 1}}},
			Moments: []dumps.Moment{{Present: true, State: "Runnable", Stack: 1}, {}, {Present: true, State: "Odd", Stack: 2}}}},
		Stacks: []dumps.SharedStack{{Stack: a, Count: 1, Threads: []string{"main"}}, {Stack: b, Count: 1, Threads: []string{"v", "w", "x", "y", "z"}}},
	}
	check(t, New(s).HTML("t"), []string{
		"<p class=\"facts\">3 thread dumps, 1 thread, over 3 s</p>",
		"<p>main is most often runnable; most frequent stack (1 of 2 dumps):</p>\n",
		"<tbody>\n<tr><td>1 of 2</td><td>1–99 %</td><td>2</td><td class=\"text\">Main.a</td></tr>\n</tbody></table>\n</section>\n",
		"<p>No thread waits for a lock that another thread holds.</p>\n",
		"<p class=\"facts\">2 stacks, 2 of them different; threads without frames have none.</p>\n<details><summary><b>1× in 1 thread</b>: Main.a (Main.java:7) ← Main.run <span class=\"facts\">main</span></summary>\n<ol",
		"<b>1× in 5 threads</b>: Main.b (Main.java:7) <span class=\"facts\">v, w, x and 2 more</span></summary>\n<p class=\"facts\">v, w, x, y, z</p>\n",
		"<h2>States over time</h2>\n<p class=\"facts\">A column for each dump.",
		"<ul class=\"legend\" aria-label=\"Signs\"><li><span class=\"moment unknown\">?</span> another state, or none</li><li><span class=\"moment runnable\">R</span> runnable</li></ul>\n",
		"<th scope=\"col\" class=\"when\"><span>1st</span></th><th scope=\"col\" class=\"when\"><span>+1.5 s</span></th><th scope=\"col\" class=\"when\"><span>+3 s</span></th><th scope=\"col\" class=\"text\">state</th>",
		"<tr><th scope=\"row\" class=\"text\">main</th><td class=\"moment runnable\" title=\"dump 1: runnable\">R</td><td class=\"none\"></td><td class=\"moment unknown changed\" title=\"dump 3: in state Odd\">?</td><td class=\"text\">Runnable</td>",
	}, "Deadlock", "of other processes", "more selected", "<article")

	// Long lists are cut.
	s.Threads = nil
	for i := range maxThreads + 3 {
		s.Threads = append(s.Threads, dumps.Thread{Name: fmt.Sprint("t", i), Dumps: 1, Moments: make([]dumps.Moment, maxMoments+2)})
	}
	s.Dumps, s.Times = maxMoments+2, nil
	page := New(s)
	for i := range maxShown + 2 {
		page.Shown = append(page.Shown, &s.Threads[i])
	}
	html := page.HTML("t")
	check(t, html, []string{
		"<h2>Thread t19</h2>",
		"<p class=\"facts\">2 threads more selected: the table of threads below has their stacks.</p>\n",
		"<span>199</span></th><th scope=\"col\" class=\"when\"><span>200</span></th><th scope=\"col\" class=\"text\">state</th>",
		"<tr><th scope=\"row\" class=\"text\">t1999</th>",
		"<p class=\"facts\">3 threads more: artifice report --thread all.</p>\n",
		"<p class=\"facts\">The columns omit the last 2 dumps; states and stacks include all dumps.",
	}, "<h2>Thread t20</h2>", ">t2000<", "<span>201</span>")
	if n := strings.Count(html, "<td class=\"none\"></td>"); n != maxThreads*maxMoments {
		t.Errorf("%d cells, want %d", n, maxThreads*maxMoments)
	}
}

// check checks that a page has all texts of a list in order, and none of others.
func check(t *testing.T, html string, want []string, absent ...string) {
	t.Helper()
	rest := html
	for _, w := range want {
		_, after, found := strings.Cut(rest, w)
		if !found {
			t.Errorf("%q is missing, or not in this order, in\n%.6000s", w, html)
			return
		}
		rest = after
	}
	for _, a := range absent {
		if strings.Contains(html, a) {
			t.Errorf("%q is in\n%.6000s", a, html)
		}
	}
}
