package instrument

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/art"
	"artifice/trace"
	"artifice/workload"
)

// TestInterpreter checks a thread that, a hundred times, runs managed code for 4 ms and native code
// for 3 ms, and sleeps for 2 ms. In the interpreter, a microsecond of managed code takes 1.5 µs
// longer. So an iteration of 9 ms takes 15 ms, and 13 ms of CPU time instead of 7. Up to Android
// 13, a release build is interpreted.
func TestInterpreter(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		runtime       string
		notDebuggable bool
		longer        time.Duration
		round, cpu    time.Duration
	}{
		{"art13", true, 1500, 15 * ms, 13 * ms},
		{"dalvik", true, 1500, 15 * ms, 13 * ms},
		{"art13", true, 0, 9 * ms, 7 * ms},
		{"art13", false, 1500, 9 * ms, 7 * ms},
		{"art14", true, 1500, 9 * ms, 7 * ms},
	} {
		p, err := workload.ReadYAML(strings.NewReader(`
name: rounds
methods:
  a.F.run()V: {do: [{loop: 100, do: [{call: a.F.work}, {call: a.F.jni}, {call: a.F.nap}]}]}
  a.F.work()V: {do: [{self: 4ms}]}
  a.F.jni()V: {flags: native, do: [{self: 3ms}]}
  a.F.nap()V: {wait: sleep, do: [{self: 2ms}]}
threads: [{name: main, do: [{call: a.F.run}]}]
`), "rounds")
		if err != nil {
			t.Fatal(err)
		}
		truth, err := p.Truth(workload.Config{Duration: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		runtime, err := art.ByName(c.runtime)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := Record(truth, Config{Runtime: runtime, NotDebuggable: c.notDebuggable, KeepSymbols: true, Cost: Cost{Interpreted: c.longer}})
		if err != nil {
			t.Fatal(err)
		}
		var got trace.Buffer
		if _, err := trace.Copy(&got, rec.Events); err != nil {
			t.Fatal(err)
		}
		var naps []trace.Event
		for _, e := range got.Events {
			if e.Action == trace.Exit && rec.Symbols.Method(e.Method).Name == "nap" {
				naps = append(naps, e)
			}
		}
		name := fmt.Sprintf("%s, not debuggable %v, %v", c.runtime, c.notDebuggable, c.longer)
		if len(naps) != 100 {
			t.Fatalf("%s: %d rounds", name, len(naps))
		}
		if first, last := naps[0], naps[99]; last.Wall-first.Wall != 99*c.round || last.CPU-first.CPU != 99*c.cpu {
			t.Errorf("%s: 99 rounds take %v and %v of CPU time, want %v and %v", name, last.Wall-first.Wall, last.CPU-first.CPU, 99*c.round, 99*c.cpu)
		}
	}
}
