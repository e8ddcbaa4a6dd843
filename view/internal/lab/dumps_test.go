package lab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDumps checks that thread dumps are recognized, and saved as their own page.
func TestDumps(t *testing.T) {
	file := filepath.Join(t.TempDir(), "anr.txt")
	const dump = "----- pid 7 at 2024-01-01 00:00:02 -----\nCmd line: app\n\"main\" prio=5 tid=1 Blocked\n  | sysTid=7 nice=0\n  at a.A.run(A.java:1)\n" +
		"  - waiting to lock <0x0a> (a a.L) held by thread 2\n\"W\" prio=5 tid=2 Native\n  | sysTid=8 nice=0\n  at a.W.work(W.java:1)\n----- end 7 -----\n"
	if err := os.WriteFile(file, []byte(dump), 0o666); err != nil {
		t.Fatal(err)
	}
	e := &Engine{}
	if _, err := e.Do(t.Context(), &Request{Op: "open", Name: file}); err != nil {
		t.Fatal(err)
	}
	if a := e.source.about; a.Dumps != 1 || a.Threads != 2 || len(a.Warnings) != 0 {
		t.Errorf("%+v, want 1 dump of 2 threads", a)
	}
	a, err := e.Do(t.Context(), &Request{Op: "save", File: "view.html"})
	if err != nil {
		t.Fatal(err)
	}
	if page := string(a.Bytes); !strings.Contains(page, "<h3>main waits for a.L &lt;0x0a&gt;, held by W</h3>") || strings.Contains(page, "<script") {
		t.Errorf("the page is not that of dumps:\n%.500s", page)
	}
}
