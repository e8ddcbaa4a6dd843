package workload

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"artifice/internal/yamlfile"
	"artifice/workload/internal/machine"
)

// head begins a file that is valid except for the text that a test appends; its thread is at line
// 8.
const head = `name: bad
methods:
  a.M.a()V: {do: [{self: 1us}]}
  a.M.b()V: {do: [{call: a.M.a}]}
  a.M.b(I)V: {do: [{call: a.M.a}]}
  a.F.f{1..3}()V:
threads:
`

const mainThread = "  - {name: main, stack: [a.M.a]}\n"

func TestReadYAMLRefuses(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"not YAML", "name: [", `f.yaml:1:7: sequence end token ']' not found`},
		{"no threads", "name: x\nmethods: {}\n", `f.yaml:1:1: "threads" is missing`},
		{"empty list of threads", "name: x\nthreads: []\n", `f.yaml:1:1: no thread`},
		{"unknown key", "name: x\nthread: []\nthreads: [{name: m}]", `f.yaml:2:1: unknown key; valid here: cores, description, duration, methods, name, slice, threads: "thread"`},
		{"no time at all", "name: x\nduration: 0s\nthreads: [{name: m}]", `f.yaml:2:11: a duration must be from 1ns to 10000h0m0s: "0s"`},

		{"priority without cores", "name: x\nthreads: [{name: m, priority: 1}]", `f.yaml:2:31: priorities apply to threads that share cores: add the key cores to the file: "1"`},
		{"slice without cores", "name: x\nslice: 1ms\nthreads: [{name: m}]", `f.yaml:2:8: the time slice of a thread on a core`},
		{"no time in a slice", "name: x\nslice: 1us\ncores: [{}]\nthreads: [{name: m}]", `f.yaml:2:8: the time slice of a thread on a core: must be at least 10µs`},
		{"no cores", "name: x\ncores: []\nthreads: [{name: m}]", `f.yaml:2:8: must have at least one core: omit the key`},
		{"cores in a word", "name: x\ncores: four\nthreads: [{name: m}]", `f.yaml:2:8: expected a list, found a value`},
		{"65 cores", "name: x\ncores: [{count: 64}, {}]\nthreads: [{name: m}]", `f.yaml:2:22: more than 64 cores`},
		{"no speed", "name: x\ncores: [{speed: 0}]\nthreads: [{name: m}]", `f.yaml:2:17: not a number from 0.001 to 10: "0"`},
		{"clocks that fall", "name: x\ncores: [{mhz: [600, 600]}]\nthreads: [{name: m}]", `f.yaml:2:21: the clock must be above the previous clock, 600 MHz: "600"`},
		{"no clock", "name: x\ncores: [{mhz: []}]\nthreads: [{name: m}]", `f.yaml:2:15: expected a clock in MHz`},
		{"no ramp", "name: x\ncores: [{mhz: [1, 2], ramp: 0s}]\nthreads: [{name: m}]", `f.yaml:2:29: at least 10µs: "0s"`},
		{"priority 140", "name: x\ncores: [{}]\nthreads: [{name: m, priority: 140}]", `f.yaml:3:31: not a whole number from 0 to 139: "140"`},
		{"waiting for a core", "name: x\nmethods: {a.M.a: {wait: runnable}}\nthreads: [{name: m}]", `f.yaml:2:25: unknown wait; use sleep, lock, io, binder or gc: "runnable"`},

		{"unknown method", head + "  - name: main\n    do:\n      - call: a.M.c\n", `f.yaml:10:15: unknown method; define it under methods: "a.M.c"`},
		{"unknown method in stack", head + "  - {name: main, stack: [a.M.a, a.M.x]}\n", `f.yaml:8:33: unknown method; define it under methods: "a.M.x"`},
		{"two methods of the name", head + "  - {name: main, do: [{call: a.M.b}]}\n", `f.yaml:8:30: 2 methods have this name; add the signature: "a.M.b"`},
		{"unknown family", head + "  - name: main\n    do:\n      - call: a.G.f{1..3}\n", `f.yaml:10:15: unknown family of methods; define it under methods: "a.G.f{1..3}"`},
		{"beyond the family", head + "  - name: main\n    do:\n      - call: a.F.f{1..4}\n", `f.yaml:10:15: the family has only the members 1 to 3: "a.F.f{1..4}"`},
		{"zipf of one method", head + "  - {name: main, do: [{call: a.M.a, zipf: 1}]}\n", `f.yaml:8:43: zipf applies only to a call of a family, name{1..50}: "1"`},

		{"negative time", head + "  - {name: main, do: [{self: -3ms}]}\n", `f.yaml:8:30: a negative time: "-3ms"`},
		{"negative mean", head + "  - {name: main, do: [{self: exp -3ms}]}\n", `f.yaml:8:30: a negative time: "exp -3ms"`},
		{"zero mean", head + "  - {name: main, do: [{self: exp 0s}]}\n", `f.yaml:8:30: the time must be above 0: "exp 0s"`},
		{"negative end", head + mainThread + "  - {name: t, start: 1ms, end: -1ms}\n", `f.yaml:9:32: a negative time: "-1ms"`},
		{"empty range", head + "  - {name: main, do: [{self: uniform 3ms..1ms}]}\n", `f.yaml:8:30: the range is empty: "uniform 3ms..1ms"`},
		{"no mean", head + "  - {name: main, do: [{self: pareto 1ms 1}]}\n", `f.yaml:8:30: the Pareto alpha must be above 1`},
		{"two families of the name", "name: x\nmethods:\n  a.F.f{1..3}()V:\n  a.F.f{1..2}()V:\nthreads: [{name: m}]\n", `f.yaml:4:3: there is already a family of this name: "a.F.f{1..2}()V"`},
		{"a word for steps", head + "  - {name: main, do: work}\n", `f.yaml:8:22: expected a list of steps, found a value: "work"`},
		{"a word for branches", head + "  - {name: main, do: [{choose: work}]}\n", `f.yaml:8:32: choose takes a list of branches, each with the keys weight and do: "work"`},
		{"no branches", head + "  - {name: main, do: [{choose: []}]}\n", `f.yaml:8:32: choose takes a list of branches, each with the keys weight and do`},
		{"a late start", head + mainThread + "  - {name: t, start: 10001h}\n", `f.yaml:9:22: later than 10000h0m0s: "10001h"`},
		{"a late end", head + mainThread + "  - {name: t, end: 10001h}\n", `f.yaml:9:20: later than 10000h0m0s: "10001h"`},
		{"an end at the start", head + mainThread + "  - {name: t, start: 1ms, end: 1ms}\n", `f.yaml:9:32: the end must be after the start of the thread, 1ms: "1ms"`},
		{"no CPU time", head + "  - {name: main, cpu: 999ns}\n", `f.yaml:8:23: must be at least 1us of CPU time (ART takes 0 for a clock that was never read): "999ns"`},
		{"sigma", head + "  - {name: main, do: [{self: lognormal 1ms NaN}]}\n", `f.yaml:8:30: the log-normal sigma must be above 0 and at most 5: "lognormal 1ms NaN"`},
		{"no distribution", head + "  - {name: main, do: [{self: gamma 1ms 2}]}\n", `f.yaml:8:30: not a distribution of times; write a time like 2ms`},
		{"probability", head + "  - {name: main, do: [{self: 1ms, prob: 1.5}]}\n", `f.yaml:8:41: not a number from 0 to 1: "1.5"`},
		{"rounds", head + "  - {name: main, do: [{loop: -1, do: [{self: 1ms}]}]}\n", `f.yaml:8:30: not a number of iterations`},
		{"nothing to loop", head + "  - {name: main, do: [{loop: 2}]}\n", `f.yaml:8:23: "do" is missing`},

		{"two things in a step", head + "  - {name: main, do: [{self: 1ms, call: a.M.a}]}\n", `f.yaml:8:23: a step has one action, but this step has two`},
		{"nothing in a step", head + "  - {name: main, do: [{prob: 1}]}\n", `f.yaml:8:23: a step has one of the keys self, call, loop, choose, throw, until_next`},
		{"missed", head + "  - {name: main, do: [{until_next: 1ms, missed: never}]}\n", `f.yaml:8:49: the action after a missed tick must be next (wait for the next tick; the default) or at once: "never"`},
		{"a period of 0", head + "  - {name: main, do: [{until_next: 0s}]}\n", `f.yaml:8:36: a period must be above 0`},
		{"two clocks", "name: x\nmethods:\n  a.M.a()V: {wait: io, do: [{until_next: 1ms}, {until_next: 2ms}]}\nthreads: [{name: m}]\n",
			`f.yaml:3:48: a method can wait for the ticks of one clock only; the step in line 3 has another period, or another rule for missed ticks`},
		{"an instant and a time", "name: x\nmethods:\n  a.M.a()V:\n    wait: io\n    do: [{until_next: 1ms}, {self: 2ms}]\nthreads: [{name: m}]\n",
			`f.yaml:5:29: a method that waits until a tick (line 5) cannot also wait for a duration; move one of the two waits to another method`},
		{"forever in the middle", head + "  - {name: main, do: [{loop: forever, do: [{self: 1ms}]}, {self: 1ms}]}\n", `f.yaml:8:23: an endless loop must be the last step of a thread`},
		{"forever in a method", "name: x\nmethods:\n  a.M.a()V: {do: [{loop: forever, do: [{self: 1ms}]}]}\nthreads: [{name: m}]\n", `f.yaml:3:19: an endless loop must be the last step of a thread`},
		{"no weight", head + "  - {name: main, do: [{choose: [{weight: 0}]}]}\n", `f.yaml:8:32: no branch has a weight above 0`},

		{"innermost frame with a rest", head + "  - {name: main, stack: [{frame: a.M.a, then: [{self: 1ms}]}]}\n", `f.yaml:8:47: the innermost frame has no callee, so its steps`},
		{"forever below a rest", head + "  - {name: main, stack: [{frame: a.M.a, then: [{self: 1ms}]}, a.M.a], do: [{loop: forever, do: [{call: a.M.a}]}]}\n", `f.yaml:8:76: an endless loop must be the last step`},
		{"frame without method", head + "  - {name: main, stack: [{then: [{self: 1ms}]}, a.M.a]}\n", `f.yaml:8:26: "frame" is missing`},
		{"method twice", "name: x\nmethods:\n  a.M.a:\n  a.M.a()V:\nthreads: [{name: m}]\n", `f.yaml:4:3: the method is defined twice: "a.M.a()V"`},
		{"no class", "name: x\nmethods:\n  main:\nthreads: [{name: m}]\n", `f.yaml:3:3: write a method as class.name or class.name(signature): "main"`},
		{"flag", "name: x\nmethods:\n  a.M.a: {flags: [nativ]}\nthreads: [{name: m}]\n", `f.yaml:3:18: unknown flag "nativ"; use native, runtime`},
		{"wait", "name: x\nmethods:\n  a.M.a: {wait: run}\nthreads: [{name: m}]\n", `f.yaml:3:17: unknown wait; use sleep, lock, io, binder or gc: "run"`},
		{"interpreted leaf", "name: x\nmethods:\n  a.M.a: {flags: [leaf, interpreted]}\nthreads: [{name: m}]\n", `f.yaml:3:18: an interpreted method cannot also be native`},
		{"leaf that calls", "name: x\nmethods:\n  a.M.a:\n  a.M.b: {flags: leaf, do: [{call: a.M.a}]}\nthreads: [{name: m}]\n", `f.yaml:4:29: a method with the flag leaf cannot have calls or loops`},

		{"main starts late", head + "  - {name: main, start: 1ms}\n", `f.yaml:8:5: the first thread is main, which exists before the trace`},
		{"ends before it starts", head + mainThread + "  - {name: t, start: 2ms, end: 1ms}\n", `f.yaml:9:32: the end must be after the start of the thread, 2ms: "1ms"`},
		{"no CPU time at birth", head + "  - {name: main, cpu: 0s}\n", `f.yaml:8:23: must be at least 1us of CPU time`},
		{"tid too high", head + "  - {name: main, tid: 5000000}\n", `f.yaml:8:23: not a whole number from 1 to 4194304: "5000000"`},
		{"tid twice", head + mainThread + "  - {name: t, tid: 12001}\n", `f.yaml:9:5: tid 12001 is used again: state the end of the thread that has this tid (line 8)`},
		{"tid too early", head + mainThread + "  - {name: t, start: 1ms, end: 3ms, tid: 7}\n  - {name: u, start: 2ms, tid: 7}\n", `f.yaml:10:5: tid 7 is used again before the thread that has this tid (line 9) ends`},
		{"too many threads", head + mainThread + "  - {name: t, count: 65536}\n", `f.yaml:9:5: too many threads: a trace can distinguish 65536`},
		{"more threads than tids", head + mainThread + "  - {name: t, tid: 4194304, count: 2}\n", `f.yaml:9:5: too many threads: tid 4194305 is above 4194304`},
		{"too late", head + mainThread + "  - {name: t, start: 1h, every: 9000h, count: 3}\n", `f.yaml:9:5: copy 3 of the thread begins later than 10000h0m0s`},
		{"busy without a method", head + "  - {name: main, do: [{self: 1ms}]}\n", `f.yaml:8:5: the thread does something but calls no method`},

		{"recursion", "name: x\nmethods:\n  a.M.a:\n    do:\n      - self: 1ms\n      - call: a.M.a\nthreads: [{name: m, do: [{call: a.M.a}]}]\n",
			`f.yaml:6:9: a cycle of calls never ends (1 calls at depth 10001)`},
		{"recursion over two", "name: x\nmethods:\n  a.M.a: {do: [{call: a.M.b}]}\n  a.M.b: {do: [{call: a.M.a}]}\nthreads: [{name: m, do: [{call: a.M.a}]}]\n",
			`f.yaml:3:16: a cycle of calls never ends`},
		{"recursion that grows", "name: x\nmethods:\n  a.M.a: {do: [{call: a.M.a, prob: 0.6}, {call: a.M.a, prob: 0.6}]}\nthreads: [{name: m, do: [{call: a.M.a}]}]\n",
			`f.yaml:3:16: a cycle of calls never ends`},
		{"recursion too likely", "name: x\nmethods:\n  a.M.a: {do: [{call: a.M.a, prob: 0.999}]}\nthreads: [{name: m, do: [{call: a.M.a}]}]\n",
			`f.yaml:3:16: a cycle of calls never ends (4.52e-05 calls at depth 10001)`}, // 0.999^10000
		{"below over the limit", "name: x\nmethods:\n  a.M.a: {do: [{call: a.M.a, below: 10001}]}\nthreads: [{name: m, do: [{call: a.M.a}]}]\n",
			`f.yaml:3:37: not a whole number from 1 to 10000: "10001"`},
		{"stack over the limit", head + "  - name: main\n    stack: [" + strings.Repeat("a.M.a, ", machine.MaxDepth) + "a.M.a]\n", `f.yaml:9:70013: 10001 frames; a stack has at most 10000`},
		{"call on a full stack", head + "  - name: main\n    stack: [" + strings.Repeat("a.M.a, ", machine.MaxDepth-1) + "a.M.a]\n    do: [{call: a.M.a}]\n", `f.yaml:3:3: the method is called at depth 10001; a stack has at most 10000 frames: "a.M.a()V"`},
		{"loop without time", "name: x\nmethods:\n  a.M.a:\nthreads:\n  - name: m\n    do:\n      - loop: forever\n        do: [{call: a.M.a}]\n",
			`f.yaml:7:9: an endless loop takes no time (0 ns and 2 events per iteration)`},
		{"loop without call", head + "  - {name: main, do: [{loop: forever, do: [{self: 1ns}]}]}\n", `f.yaml:8:23: an endless loop calls no method`},
		{"rounds without call", head + "  - {name: main, do: [{call: a.M.a}, {loop: 2000000, do: [{self: 1ns}]}]}\n", `f.yaml:8:5: 2e+06 iterations of loops for 2 events; replace each loop without calls by a single step self`},
		{"many events at once", "name: x\nmethods:\n  a.M.a:\nthreads:\n  - name: m\n    do: [{loop: 1_000_000, do: [{call: a.M.a}]}]\n",
			`f.yaml:5:5: the thread has 2e+06 events in 0 ns; increase the times of methods`},
		{"more calls than can be", "name: x\nmethods:\n  a.M.a: {do: [{self: 1us}, {loop: 100, do: [{call: a.M.a, below: 50}]}]}\nthreads: [{name: m, do: [{call: a.M.a}]}]\n",
			`f.yaml:3:46: a cycle of calls never ends (1e+16 calls at depth 9)`}, // 100^8
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := ReadYAML(strings.NewReader(c.in), "f.yaml")
			if err == nil {
				t.Fatalf("accepted as %+v", p)
			}
			if !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got  %s\nwant %s", err, c.want)
			}
			var e *yamlfile.Error
			if !errors.As(err, &e) || e.Line == 0 || e.Column == 0 {
				t.Errorf("%T without a place", err)
			}
		})
	}
}

// FuzzReadYAML checks that ReadYAML either rejects a text with a position or returns a program with
// a valid truth.
func FuzzReadYAML(f *testing.F) {
	// The seeds are short. The fuzzer spends its time on the minimization of long ones.
	const main = "name: x\nmethods:\n a.M.a: {do: [%s]}\nthreads: [{name: m, do: [{call: a.M.a}]}]"
	for _, s := range []string{
		"{self: exp 1us}", "{self: uniform 1ns..2ns}, {self: pareto 1ns 2}", "{self: 1us}, {call: a.M.a, prob: 0.5}",
		"{call: a.M.a, below: 3}, {self: 1us, from: 3}", "{loop: uniform 1..2, do: [{throw: a.M.a, prob: 0.1}]}",
		"{choose: [{weight: 1, do: [{until_next: 1us}]}]}",
	} {
		f.Add(fmt.Sprintf(main, s))
	}
	f.Add("name: x\nmethods:\n a.M.a{1..2}: {wait: io}\nthreads:\n- name: m\n  count: 2\n  do:\n  - call: a.M.a{1..2}\n    zipf: 1")
	f.Add("name: x\ncores: [{speed: 0.5, mhz: [1, 2], ramp: 1ms}]\nslice: 10us\nmethods:\n a.M.a: {do: [{self: 50us}]}\nthreads:\n- {name: m, count: 3, do: [{loop: forever, do: [{call: a.M.a}]}]}")
	f.Add("name: x\ncores: [{count: 2}]\nmethods:\n a.M.a: {wait: io, do: [{self: 1ms}]}\nthreads:\n- {name: m, do: [{call: a.M.a}]}\n- {name: n, priority: 9, start: 1ms, end: 2ms, do: [{loop: forever, do: [{call: a.M.a}]}]}")
	f.Fuzz(checkProgram)
}
