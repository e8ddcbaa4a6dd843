package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// form is a small hand-written file in the form of another program, with a command and regular
// expressions that its output matches. In args, FILE is the file. Times and counts are computed
// from the text by hand.
type form struct {
	name, text, args string
	want             []string
	fails            bool
}

// run runs the command and checks its output.
func (f *form) run(t *testing.T) {
	file := filepath.Join(t.TempDir(), f.name)
	if err := os.WriteFile(file, []byte(f.text), 0o600); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := artifice(strings.Fields(strings.ReplaceAll(f.args, "FILE", file))...)
	if failed := status != exitOK; failed != f.fails {
		t.Errorf("%s: status %d: %s", f.args, status, stderr)
	}
	for _, want := range f.want {
		if text := stdout + stderr; !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s: nothing matches %s:\n%s", f.args, want, text)
		}
	}
}

// runForms runs each form as a subtest.
func runForms(t *testing.T, forms []form) {
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) { f.run(t) })
	}
}

// folds is the command that prints the stacks of a file with their values.
const folds = "convert FILE --format folded -o - -q"

// TestLegacyPprof checks the texts that Go's runtime writes with ?debug=1: they have their values,
// and the names in their comments. The runtime hides its own functions at both ends of a stack.
// Inlined functions have the address of their caller. Texts of gperftools contain addresses only.
func TestLegacyPprof(t *testing.T) {
	runForms(t, []form{
		{"goroutines", "goroutine profile: total 12\n10 @ 0x43b 0x44c 0x45d\n#\t0x44b\tmain.wait+0x2b\t\t/tmp/x.go:30\n\n2 @ 0x44c 0x45d\n#\t0x44b\tmain.wait+0x2b\t/tmp/x.go:30\n",
			folds, []string{`^# goroutine;count 0\n`, `(?m)^\[runtime\];main.wait 2$`, `(?m)^\[runtime\];main.wait;\[runtime\] 10$`}, false},
		{"threadcreate", "threadcreate profile: total 3\n3 @ 0x44c 0x45d\n#\t0x44b\tmain.leaf+0x2b\t/tmp/x.go:30\n#\t0x44b\tmain.mid+0x2b\t/tmp/x.go:31\n#\t0x45c\tmain.main+0x1c\t/tmp/x.go:32\n",
			folds, []string{`^# threadcreate;count 0\nmain.main;main.mid;main.leaf 3\n$`}, false},
		{"heap", "heap profile: 3: 3072 [10: 10240] @ heap/2\n1: 1024 [5: 5120] @ 0x44c 0x45d\n#\t0x44b\tmain.alloc+0x2b\t/tmp/x.go:30\n#\t0x45c\tmain.main+0x1c\t/tmp/x.go:32\n\n",
			folds + " --value alloc_objects", []string{`^# alloc_objects;count 0\nmain.main;main.alloc 5\n$`}, false},
		{"mutex", "--- mutex:\ncycles/second=2000000000\nsampling period=5\n4000000 10 @ 0x44c\n#\t0x44b\tmain.lock+0x2b\t/tmp/x.go:30\n",
			"report FILE", []string{`(?m)^main: delay 10 ms$`, `(?m)^10 ms +100\.0 % +10 ms +main\.lock$`}, false},
		{"growth", "heap profile:      1:    8192 [     1:    8192] @ growthz\n     1:    8192 [     1:    8192] @ 0x44c\n",
			"report FILE", []string{`(?m)^8192 B|8\.19 kB`, `most addresses have no names: go tool pprof -proto PROGRAM FILE`}, false},
	})
}

// TestBpftrace checks that maps of bpftrace with stacks as keys are read as folded stacks, with 3
// and 1 samples. Other parts of the keys name the thread.
func TestBpftrace(t *testing.T) {
	runForms(t, []form{
		{"stacks", "Attaching 1 probe...\n^C\n\n@[\n    work+12\n    main+16\n    __libc_start_main+231\n]: 3\n@[\n    idle+4\n    main+17\n    __libc_start_main+231\n]: 1\n",
			folds, []string{`(?m)^__libc_start_main;main;work 3$`, `(?m)^__libc_start_main;main;idle 1$`}, false},
		{"keys", "@us[\n    ffffffff81a00000 __schedule+1 (vmlinux)\n    schedule+50\n, \n    wait+12\n    main+1\n, java, 1234]: 7\n@pids[12]: 4\n",
			"report FILE", []string{`(?m)^java 1234: running 0 s, waiting 70 ms`, `a map without stacks is ignored: "@pids\[12\]: 4"`}, false},
		{"order", "@[java, 12,\n    leaf+1\n    a;b+2\n]: 2\n@[java, 12,\n    other+1\n]:\n[1]   5 |@@@@|\n", folds + " --by-thread",
			[]string{`(?m)^java 12;a:b;leaf 2$`, `the value of a stack is not a number`}, false},
		{"cut", "@[\n    leaf+1\n]: 2\n@[\n    other+1\n", "report FILE", []string{`the last entry of a map is cut off`, `(?m)^20 ms .* leaf$`}, false},
	})
}

// TestCountsWithoutClock checks that expect asks for the clock of folded stacks and of speedscope's
// counts, which do not state whether they are CPU time or wall time.
func TestCountsWithoutClock(t *testing.T) {
	const speedscope = `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"app.Main.main"},{"name":"app.Main.work"}]},` +
		`"profiles":[{"type":"sampled","name":"main","unit":"none","startValue":0,"endValue":7,"samples":[[0,1],[0]],"weights":[5,2]}]}`
	const asks = `does not state whether it counts samples of CPU time or of wall time: use --sampler cpu-timer or --sampler wall-tick`
	runForms(t, []form{
		{"p.folded", "app.Main.main;app.Main.work 5\napp.Main.main 2\n", "expect ../../testdata/tiny.txt FILE", []string{asks}, true},
		{"p.speedscope.json", speedscope, "expect ../../testdata/tiny.txt FILE", []string{asks}, true},
		{"info.speedscope.json", speedscope, "info FILE", []string{`profile "main" has no unit of time: each count is read as 10ms`}, false},
	})
}

// TestIdle checks that V8's frame (idle) counts as waiting in folded stacks, too, in every spelling
// of Node.js's profilers.
func TestIdle(t *testing.T) {
	runForms(t, []form{
		{"node", "./a.js:f:3 30\n:(idle):0 60\n:(program):0 10\n", "report FILE", []string{`running 400 ms, waiting 600 ms \(by method names: no CPU clock`, `(?m)^100 ms .* :\(program\):0$`}, false},
		{"v8", "(root);f 30\n(root);(idle) 60\n(root);(garbage collector) 10\n", "report FILE", []string{`running 400 ms, waiting 600 ms`, `(?m)^100 ms .* \(garbage collector\)$`}, false},
	})
}

// TestAustin checks that the µs of Austin's stacks are times: f has 100 of 305 µs.
func TestAustin(t *testing.T) {
	runForms(t, []form{{"austin", "# austin: 3.3.0\n# interval: 100\n# mode: wall\n\nP1;T1;x.py:f:2 100\nP1;T1;x.py:g:3 205\n", "report FILE",
		[]string{`(?m)^main: running 305 µs$`, `(?m)^100 µs +32\.8 % +100 µs .*f:2`}, false}})
}

// TestPerfCounts checks that events of perf that do not measure CPU time are counts: two page
// faults, and 10,007 cache misses per sample.
func TestPerfCounts(t *testing.T) {
	sample := func(event, leaf string) string {
		return "app 12 [000] 1.000000: " + event + "\n\t401000 " + leaf + "+0x10 (/usr/bin/app)\n\t401100 main+0x20 (/usr/bin/app)\n\n"
	}
	misses := sample("10007 cache-misses:", "a") + sample("10007 cache-misses:", "b") + sample("10007 cache-misses:", "b")
	runForms(t, []form{
		{"faults", sample("1 page-faults:u:", "a") + sample("1 page-faults:u:", "a"), "report FILE", []string{`a profile of page-faults:u as a count`, `(?m)^app: page-faults:u 2$`, `(?m)^ *2 +100\.0 % +2 +a$`}, false},
		{"tracepoint", sample("kmem:kmalloc: call_site=ffffffff813b3b4e bytes_req=32", "a"), folds, []string{`^# kmem:kmalloc;count 0\nmain;a 1\n$`}, false},
		{"misses", misses, folds, []string{`^# cache-misses;count 0\nmain;a 10007\nmain;b 20014\n$`}, false},
		{"bench", misses, "bench FILE", []string{`the profile contains cache-misses as a count, and a ground truth consists of times of threads`}, true},
		{"clock", misses + sample("1000000 cpu-clock:", "c"), "report FILE", []string{`(?m)^app: CPU 1 ms$`, `other events are ignored: cache-misses \(3 samples\)`}, false},
		{"frames-alone", "            401000 work (/usr/bin/app)\n            401100 main (/usr/bin/app)\n\n", "report FILE", []string{`the samples have no first line \(command, pid, time and event\), and no empty line separates them`}, true},
	})
}

// TestFtraceForms checks marks in the forms of trace-cmd, of kernels that hide their functions, and
// of HarmonyOS. The section lasts 1 ms. If the kernel's switches are recorded, the thread is
// running for 400 µs of it.
func TestFtraceForms(t *testing.T) {
	const head = "# tracer: nop\n#\n"
	section := func(event, begin, end string) string {
		return "  app-1200  [001] .....   100.000000: " + event + begin + "\n  app-1200  [001] .....   100.001000: " + event + end + "\n"
	}
	const outer = `(?m)^ *1 ms +100\.0 % +1 ms +1 +outer$`
	report := "version = 6\nCPU 2 is empty\ncpus=4\n" +
		"  app-1200  [001]   100.000000: print:                tracing_mark_write: B|1200|outer\n" +
		"  app-1200  [001]   100.000400: sched_switch:         app:1200 [120] S ==> swapper/1:0 [120]\n" +
		"  <idle>-0  [001]   100.000900: sched_switch:         swapper/1:0 [120] R ==> app:1200 [120]\n" +
		"  app-1200  [001]   100.000900: print:                tracing_mark_write: E|1200\n"
	runForms(t, []form{
		{"trace-cmd", report, "report FILE", []string{`(?m)^app: CPU 400 µs, waiting 500 µs`, `(?m)^400 µs +100\.0 % +400 µs +1 +outer$`}, false},
		{"aligned", "cpus=4\n" + section("tracing_mark_write:   ", "B|1200|outer", "E|1200"), "report FILE", []string{outer}, false},
		{"address", head + section("0xffffff8008: ", "B|1200|outer", "E|1200"), "report FILE", []string{outer}, false},
		{"harmony", head + section("tracing_mark_write: ", "B|1200|H:outer|M62", "E|1200|M62"), "report FILE", []string{`(?m)^1 ms +100\.0 % +1 ms +1 +H:outer$`}, false},
		{"pipes", head + section("tracing_mark_write: ", "B|1200|a|b|M62", "E|1200|"), "report FILE", []string{`(?m)^1 ms .* a\|b\|M62$`}, false},
		{"async", head + section("tracing_mark_write: ", "S|1200|load|7", "F|1200|load|7"), "report FILE", []string{`its sections are asynchronous \(1 section\)`}, true},
		{"ticks", head + strings.ReplaceAll(section("tracing_mark_write: ", "B|1200|outer", "E|1200"), "100.", "183164599"), "report FILE",
			[]string{`its times are counts of a clock, not seconds: record by another clock \(echo boot > /sys/kernel/tracing/trace_clock\)`}, true},
		{"flame.html", "<!DOCTYPE html>\n<html lang='en'>\n<script>\n\tconst levels = Array(7);\n</script></html>\n", "report FILE", []string{`a flame graph of async-profiler, which artifice does not read: .* jfrconv -o collapsed`}, true},
		{"counters.html", "<!DOCTYPE html>\n<html>\n<script>\n" + section("tracing_mark_write: ", "C|1200|x|1", "C|1200|x|2") + "</script></html>\n", "report FILE", []string{`the file has no begin or end of a call`}, true},
		{"headless", "  app-1200  [001] .....    99.000000: cpu_idle: state=1 cpu_id=1\nsome = 000\n" + section("tracing_mark_write: ", "B|1200|outer", "E|1200"), "report FILE", []string{outer}, false},
		{"graph", "# tracer: function_graph\n#\n 0)   1.000 us    |  getname();\n", "report FILE", []string{`the calls of functions of the kernel, which are not read: KernelShark`}, true},
		{"page.html", "<!DOCTYPE html>\n<html>\n<script class=\"trace-data\">\n{\"systemTraceEvents\":\"# tracer: nop\\n app-1200 [001] ...1 100.0: tracing_mark_write: B|1200|a\\n\"}\n</script></html>\n",
			"report FILE", []string{`jq -r \.systemTraceEvents`}, true},
	})
}

// TestWithoutTimes checks that profiles of bytes, and counts without samples, are refused with a
// remedy.
func TestWithoutTimes(t *testing.T) {
	speedscope := func(profile string) string {
		return `{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[` + profile + `],"shared":{"frames":[{"name":"main"}]}}`
	}
	runForms(t, []form{
		{"bytes-sampled", speedscope(`{"type":"sampled","name":"heap","unit":"bytes","startValue":0,"endValue":9,"samples":[[0]],"weights":[9]}`), "report FILE",
			[]string{`profiles in bytes are not read: .* pprof or OTLP`}, true},
		{"bytes-evented", speedscope(`{"type":"evented","name":"heap","unit":"bytes","startValue":0,"endValue":9,"events":[{"type":"O","at":0,"frame":0},{"type":"C","at":9,"frame":0}]}`), "report FILE",
			[]string{`profiles in bytes are not read: .* pprof or OTLP`}, true},
		{"counts.cpuprofile", `{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},{"id":2,"callFrame":{"functionName":"f"},"hitCount":7}],"startTime":1,"endTime":8}`, "report FILE",
			[]string{`counts of nodes \(hitCount\) instead of samples: record with node --cpu-prof`}, true},
	})
}

// TestChromeForms checks that an end closes the call of its name and all calls in it; their own
// ends are then surplus. Ignored events are counted.
func TestChromeForms(t *testing.T) {
	trace := func(events ...string) string { return `{"traceEvents":[` + strings.Join(events, ",") + `]}` }
	event := func(phase, name, rest string) string {
		return `{"ph":"` + phase + `","name":"` + name + `","pid":1,"tid":1,` + rest + `}`
	}
	crossed := []string{event("B", "a", `"ts":0`), event("B", "b", `"ts":100`), event("E", "a", `"ts":300`), event("E", "b", `"ts":400`)}
	whole := event("X", "w", `"ts":1000,"dur":50`)
	runForms(t, []form{
		{"crossed", trace(crossed...), "report FILE", []string{`(?m)^200 µs .* 200 µs +1 +b$`, `(?m)^100 µs .* 300 µs +1 +a$`, `1 end ignored: no call with the same name is open at that time`}, false},
		{"crossed-whole", trace(append(crossed, whole)...), "report FILE", []string{`(?m)^200 µs .* 200 µs +1 +b$`, `(?m)^ *50 µs .* 50 µs +1 +w$`, `1 end ignored`}, false},
		{"async", trace(event("b", "load", `"ts":0,"id":1,"cat":"c"`), event("e", "load", `"ts":9,"id":1,"cat":"c"`), whole), "report FILE", []string{`asynchronous sections are ignored, because they belong to no thread: 1 section`}, false},
		{"async-only", trace(event("S", "load", `"ts":0,"id":1`), event("F", "load", `"ts":9,"id":1`)), "report FILE", []string{`its sections are asynchronous \(1 section\)`}, true},
		{"no-phase", trace(`{"name":"a","ts":0,"dur":5,"pid":1,"tid":1}`, whole), "report FILE", []string{`events without a phase \(ph\) are ignored: 1 event`}, false},
		{"no-time", trace(event("B", "a", `"args":{}`), event("E", "a", `"ts":10`), whole), "report FILE", []string{`begins and ends of calls without a time \(ts\) are ignored: 1 event`}, false},
		{"negative", trace(event("X", "a", `"ts":1040,"dur":-5`), whole), "report FILE", []string{`a negative duration \(dur\) counts as 0: 1 event`, `(?m)^50 µs .* 50 µs +1 +w$`}, false},
		{"counters", trace(event("C", "mem", `"ts":0,"args":{"b":5}`)), "report FILE", []string{`calls are events of the phases X, or B and E; .*jq -r \.systemTraceEvents`}, true},
		{"stacks", `{"traceEvents":[` + whole + `],"other":[1],"samples":[{"ts":"1","tid":"1","sf":1},{"ts":"21","tid":"1","sf":1}],"stackFrames":{"1":{"name":"f"}}}`, "report FILE",
			[]string{`events of calls are ignored, because the file has samples; --input-format chrome reads the calls instead; number of events: 1`, `(?m)^40 µs .* f$`}, false},
		{"stacks-calls", `{"traceEvents":[` + whole + `],"samples":[{"ts":"1","sf":1}],"stackFrames":{"1":{"name":"f"}}}`, "report --input-format chrome FILE",
			[]string{`the begins and ends of calls are read, not the samples with stackFrames \(1 sample\); --input-format chrome-samples reads the samples`, `(?m)^50 µs .* w$`}, false},
		{"stacks-only", `{"stackFrames":{"1":{"name":"f"}},"samples":[{"ts":"1","sf":1},{"ts":"31","sf":1}]}`, "report FILE", []string{`(?m)^60 µs .* f$`}, false},
		{"no-frames", `{"traceEvents":[` + whole + `],"samples":[{"ts":"1","sf":1}]}`, "report FILE", []string{`not the samples with stackFrames \(1 sample\)`, `(?m)^50 µs .* w$`}, false},
		{"lines", whole + "\n" + whole + "\n", "report FILE", []string{`jq -s \. FILE > ARRAY\.json`}, true},
	})
}
