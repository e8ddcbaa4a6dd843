package workload

import (
	"fmt"
	"strings"
	"testing"

	"artifice/trace"
)

// sitesOf returns the calls of a truth as "name@site", in order.
func sitesOf(t *testing.T, rec *trace.Recording) (calls []string) {
	t.Helper()
	var events trace.Buffer
	if _, err := trace.Copy(&events, rec.Events); err != nil {
		t.Fatal(err)
	}
	for _, e := range events.Events {
		switch {
		case e.Action == trace.Enter:
			calls = append(calls, fmt.Sprintf("%s@%d", rec.Symbols.Method(e.Method).Name, e.Site))
		case e.Site != 0:
			t.Errorf("an %s has the site %d", e.Action, e.Site)
		}
	}
	return calls
}

// TestSites checks call sites, counted by hand in the text. All callees of a family's step have one
// site. A thread's body is numbered as a whole, whatever stack frames its parts run in; its stack
// has no sites.
func TestSites(t *testing.T) {
	p := mustRead(t, `
name: sites
duration: 1ms
methods:
  a.M.outer()V:
  a.M.inner()V:
  a.M.get{1..3}()V: {do: [{self: 1us}, {call: a.M.leaf}]}
  a.M.leaf()V:
threads:
  - name: main
    stack:
      - {frame: a.M.outer, then: [{call: a.M.leaf}]}
      - a.M.inner
    do:
      - {call: a.M.leaf}
      - loop: 20
        do:
          - {choose: [{weight: 0, do: [{call: a.M.leaf}]}, {weight: 1, do: [{call: "a.M.get{1..3}"}]}]}
`)
	calls := sitesOf(t, truthOf(t, p, Config{}))
	count := map[string]int{}
	for _, call := range calls {
		count[call]++
	}
	if count["get1@3"] == 0 || count["get2@3"] == 0 || count["get3@3"] == 0 {
		t.Errorf("%v: want every get from site 3", count)
	}
	if gets := count["get1@3"] + count["get2@3"] + count["get3@3"]; gets != 20 || count["leaf@1"] != 21 || len(calls) != 44 {
		t.Errorf("%v: want 20 gets from site 3, 21 leaves from site 1, one of them the thread's", count)
	}
	got := strings.Join([]string{calls[0], calls[1], calls[2], calls[len(calls)-1]}, " ")
	if want := "outer@0 inner@0 leaf@1 leaf@4"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestSiteLimit checks that a body of 300 calls has 255 sites.
func TestSiteLimit(t *testing.T) {
	p := mustRead(t, `
name: long
methods:
  a.M.f()V:
threads:
  - {name: main, do: [`+strings.Repeat("{call: a.M.f}, ", 300)+`]}
`)
	calls := sitesOf(t, truthOf(t, p, Config{}))
	if len(calls) != 300 {
		t.Fatalf("%d calls, want 300", len(calls))
	}
	for i, call := range calls {
		if want := fmt.Sprintf("f@%d", min(i+1, 255)); call != want {
			t.Fatalf("call %d: %s, want %s", i, call, want)
		}
	}
}

// TestTreeSites checks that a tree has no call sites.
func TestTreeSites(t *testing.T) {
	calls := sitesOf(t, mustReadTree(t, "a\n b\n b\n b\n b\na\n"))
	if got, want := strings.Join(calls, " "), "m@0 m@0 m@0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
