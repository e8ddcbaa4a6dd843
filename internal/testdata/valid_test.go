package testdata_test

import (
	"strings"
	"testing"

	"artifice/format/text"
	"artifice/internal/testdata"
	"artifice/trace"
)

func TestCheckValid(t *testing.T) {
	const head = "thread\t1\tmain\nmethod\t4\tA\tf\t()V\t\t-1\nmethod\t8\tA\tg\t()V\t\t-1\n"
	for _, test := range []struct{ name, events, want string }{
		{"nested", "1 1 1 enter A.f()V\n2 2 1 enter A.g()V\n3 3 1 exit A.g()V\n4 4 1 unwind A.f()V\n", ""},
		{"equal times", "1 1 1 enter A.f()V\n1 1 1 exit A.f()V\n", ""},
		{"orphan exit is normal", "1 1 1 exit A.f()V\n", ""},
		{"open at the end is normal", "1 1 1 enter A.f()V\n", ""},
		{"mismatch", "1 1 1 enter A.f()V\n2 2 1 exit A.g()V\n",
			"event 1: exit-matches: thread main: exit of A.g()V while A.f()V is innermost"},
		{"wall", "2 1 1 enter A.f()V\n1 2 1 exit A.f()V\n", "event 1: wall-forward: thread main: an event at 1ns follows an event at 2ns"},
		{"cpu", "1 2 1 enter A.f()V\n2 1 1 exit A.f()V\n", "event 1: cpu-forward: thread main: an event at 1ns follows an event at 2ns"},
		{"another thread's clock", "1 2 1 enter A.f()V\n2 2 1 exit A.f()V\n3 0 1 enter A.f()V\n4 1 1 exit A.f()V\n", ""},
		{"negative", "-1 0 1 enter A.f()V\n", "event 0: wall-forward: thread main: an event at -1ns follows an event at 0s"},
	} {
		rec, err := text.NewReader(strings.NewReader(head+test.events), "x")
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		got := ""
		if err := testdata.CheckValid(rec); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestCheckValidSymbols checks events that no reader can return, because their numbers have no
// symbols or action.
func TestCheckValidSymbols(t *testing.T) {
	symbols := &trace.Symbols{Threads: []trace.Thread{{TID: 1, Name: "main"}}, Methods: make([]trace.Method, 2)}
	for want, e := range map[trace.Rule]trace.Event{
		trace.KnownThread: {Thread: 1},
		trace.KnownMethod: {Method: 2},
		trace.KnownAction: {Action: 3},
	} {
		err := testdata.CheckValid(&trace.Recording{Symbols: symbols, Events: trace.NewSliceReader([]trace.Event{e})})
		if v, ok := err.(*trace.Violation); !ok || v.Rule != want || v.Event != 0 {
			t.Errorf("%+v: %v, want %s", e, err, want)
		}
	}
}
