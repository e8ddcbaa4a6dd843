package format

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"artifice/trace"
)

// zipped returns a zip archive with empty files of these names.
func zipped(t *testing.T, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		if _, err := z.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestOtherFilesAreRejected: files that are often mistaken for traces are rejected, also if
// compressed by gzip. The error states their kind, and a remedy.
func TestOtherFilesAreRejected(t *testing.T) {
	for _, test := range []struct{ data, what, do string }{
		{zipped(t, "app.trace"), "a zip archive", "unpack it"},
		{zipped(t, "AndroidManifest.xml", "classes.dex"), "an Android package", "am profile start"},
		{zipped(t, "res/a.png", "classes.dex"), "an Android package", "am profile start"},
		{"PERFILE2\x68\x00\x00\x00\x00\x00\x00\x00", "a perf.data", "perf script -i"},
		{"FLR\x00\x00\x02\x00\x00", "Flight Recorder", "jfr print --json"},
		{"JAVA PROFILE 1.0.3\x00\x00\x00\x00\x04", "a heap dump", "not times"},
		{`{"snapshot":{"meta":{"node_fields":["type"]}}}`, "a heap snapshot of V8", "not times"},
		{`{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"id":1,"children":[]}}`, "a heap profile of V8", "not times"},
		{"# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\n", "callgrind", "kcachegrind"},
		{"version: 1\ncreator: callgrind-3.19.0\npid: 1\n", "callgrind", "kcachegrind"},
		{"version: 1\ncreator: xdebug 3.0.2\ncmd: x.php\n", "Xdebug", "kcachegrind"},
		{"positions: instr line\nevents: cpu(ms)\n\nob=(1)\n", "callgrind", "kcachegrind"},
		{"{\n \"dhatFileVersion\": 2,\n", "DHAT", "profiler.firefox.com"},
		{"{\n  \"meta\": {\n    \"version\": 3, \"stackwalk\": 1},\n \"threads\": []}", "Gecko", "save it"},
		{"{\n \"format\": \"profileJSONWithSymbolicationTable,1\",", "Cleopatra", "save it"},
		{`{"nodes": [{"id":1,"callFrame":{"functionName":"F","url":"al-preview://allang/Page/1"},"hitCount":1}]}`, "Business Central", "Visual Studio Code"},
		{`{"label":"a","duration":7,"markers":[]}`, "old performance panel", "speedscope"},
		{"v8-version,6,0,2\n", "node --prof", "--cpu-prof"},
		{"\nThread 3 (Thread 0x7f0a (LWP 1236) \"a\"):\n#0  0x7f in f () from /lib/libc.so\n", "gdb", "stackcollapse-gdb.pl"},
		{"[Thread debugging using libthread_db enabled]\n\nThread 3 (LWP 1236):\n#0  0x7f in f ()\n", "gdb", "stackcollapse-gdb.pl"},
		{"PID 1234 - process\nTID 1234:\n#0  0x00007f8b in __poll\n", "eu-stack", "stackcollapse-elfutils.pl"},
		{"Date/Time:        2023-01-01 10:00:00.000 +0000\nOS Version:       macOS 13.0\nData Source:      Stackshots\n", "spindump", "Instruments"},
		{`{"crashDiagnostics":[{"callStackTree":{"callStacks":[{"callStackRootFrames":[]}]}}]}`, "MetricKit", "Instruments"},
		{"\x17\x08Dtracing6\x00\x00", "trace.dat", "trace-cmd report"},
		{"{\n\t\"linux-perf-json-version\": 1,\n\t\"headers\": {\n", "perf data convert", "perf script"},
		{"# DURATION     TID     FUNCTION\n            [  1234] | main() {\n", "uftrace", "dump --chrome"},
		{"rbspy03\n\x00", "rbspy", "collapsed"},
		{"MOJ\x03\x00", "Austin", "mojo2austin"},
		{"MMPD\x09\x00\x00\x00", "rustc", "crox"},
		{"0 sleep <internal>:-1\n1 main /srv/t.php:3\n\n", "phpspy", "stackcollapse-phpspy.pl"},
		{`{"main()==>foo":{"ct":1,"wt":100},"main()":{"ct":1,"wt":200}}`, "XHProf", "phpspy"},
		{`{"alloc_samples":0,"args":{}}`, "Scalene", "py-spy"},
		{`{"version":5,"dataForRoots":[]}`, "React", "performance panel"},
		{"tlZ\x04\x00", "Tracy", "perf"}, {"tZst\x00", "Tracy", "perf"},
		{"name,src_file,src_line,total_ns,total_perc\nf,a.c,3,100,1\n", "Tracy", "perf"},
		{"panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/x.go:4 +0x1d\n", "a crash of a Go program", "debug/pprof/profile"},
		{"fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n", "a crash of a Go program", "debug/pprof/profile"},
		{"goroutine 7 [chan receive, 3 minutes]:\nmain.worker(0xc0)\n\t/x.go:20 +0x45\n", "a dump of Go's goroutines", "without debug=2"},
		{"Coroutines dump 2024/01/02 03:04:05\n\nCoroutine StandaloneCoroutine{Active}@1, state: SUSPENDED\n", "Kotlin's coroutines", "jstack PID"},
		{"--------- beginning of crash\n01-02 03:04:05.678  1  1 E AndroidRuntime: FATAL EXCEPTION: main\n", "logcat", "/data/anr"},
		{"SIGQUIT: quit\nPC=0x46b3a1 m=0\n\ngoroutine 1 [chan receive, 3 minutes]:\nmain.main()\n", "Go's goroutines", "without debug=2"},
		{"10:00 INFO x\nCoroutines dump 2024/01/02 03:04:05\n", "Kotlin's coroutines", "jstack PID"},
		{"Thread 0x00007f1c2b7fe700 (most recent call first):\n  File \"a.py\", line 3 in f\n", "faulthandler", "py-spy record"},
		{"Timeout (0:00:05)!\nThread 0x00007f1c2b7fe700 [main] (most recent call first):\n  File \"a.py\", line 3 in f\n", "faulthandler", "py-spy record"},
		{"Thread 2043 (idle): \"MainThread\"\n    wait (threading.py:302)\n", "py-spy", "py-spy record"},
		{"OS Thread Id: 0x1a2b (0)\n        Child SP               IP Call Site\n", ".NET", "dotnet-trace convert"},
		{"GNU gdb (GDB) 12.1\n(gdb) thread apply all bt\n\nThread 2 (Thread 0x7f1 (LWP 1201)):\n#0  0x1 in f ()\n", "gdb", "stackcollapse-gdb.pl"},
		{"#0  0x00007ffff7e8a5c7 in poll (fds=0x1) at ../x.c:29\n", "gdb", "stackcollapse-gdb.pl"},
		{"E/AndroidRuntime: FATAL EXCEPTION: |ANR-WatchDog|\n com.github.anrwatchdog.ANRError: Application Not Responding\n", "ANR-WatchDog", "/data/anr"},
		{"*** *** *** ***\nTombstone maker: 'xCrash 2.4.6'\nCrash type: 'java'\n\njava stacktrace:\njava.lang.Error\n\tat a.B.f(B.java:1)\n", "xCrash", "/data/anr"},
		{"qua = 1\nprocess = a\ntime-cost = 1234\nstack = \n10-12 10:00:00.600\n", "BlockCanary", "am profile start"},
		{"01-25 15:37:59.949 17949-18055/a E/AndroidRuntime: FATAL EXCEPTION: main\n", "logcat", "/data/anr"},
		{"04-10 10:00:00.000 E/ActivityManager(  500): ANR in com.x (com.x/.Main)\n", "an ANR, without its stacks", "/data/anr"},
		{"java.lang.IllegalStateException: x\n\tat a.B.f(B.java:1)\n", "stacks of exceptions", "jstack PID"},
		{"Incident Identifier: 1-2\nHardware Model: iPhone14,2\n", "crash report", "Instruments"},
		{"{\"app_name\":\"x\",\"bug_type\":\"309\"}\n{\n \"threads\": []}\n", "crash report", "Instruments"},
		{"CPU     ID                    FUNCTION:NAME\n", "DTrace", "stackcollapse.pl"},
		{"\n\n              app`main+0x8\n              dyld`start+0x1\n               17\n", "DTrace", "stackcollapse.pl"},
		{"Analysis of sampling x (pid 1) every 1 millisecond\n", "macOS's sample", "stackcollapse-sample.awk"},
		{"Function Stack,CPU Time:Self\n", "VTune", "stackcollapse-vtune.pl"},
		{"\ufeffLevel,Function Name,Number of Calls,\n0,\"x.exe\",0,\n", "Visual Studio", "stackcollapse-vsprof.pl"},
		{"@ inst_retired.any [35 samples]\n\n20.86%  [7]     f @ /boot/kernel/x.ko\n", "pmcstat", "stackcollapse-pmc.pl"},
		{"\tSun Jan  7 10:00 2024 Time and Allocation Profiling Report  (Final)\n\n\t   x +RTS -P -RTS\n", "GHC", "inferno-collapse-ghcprof"},
		{"{\n\"program\": \"x\",\n\"arguments\": [\"x\"],\n\"rts_arguments\": [\"-pj\"],\n", "GHC", "speedscope"},
		{"QPERFSTREAM\x00\x13\x00\x00\x00", "perfparser", "perf script"},
		{"{\n \"version\": 1,\n \"flamebearer\": {\"names\": []}}", "Pyroscope", "pprof"},
		{"<?xml version=\"1.0\" standalone=\"no\"?>\n<svg>\n<!-- Flame graph stack visualization. -->\n", "a flame graph (SVG)", "folded stacks"},
		{"--- Execution profile ---\nTotal samples:         5\n", "the text of async-profiler", "-o collapsed"},
		{"Running Time\tSelf (ms)\t\tSymbol Name\n", "Instruments", "speedscope"},
		{"Bytes Used\tCount\t\tSymbol Name\n", "Instruments", "not times"},
		{"shared-library,\"/usr/lib/x\",0x1,0x2\nprofiler,\"begin\",1\n", "node --prof", "--cpu-prof"},
		{`{"version": 1.2, "mode": "cpu"}`, "stackprof", "--stackcollapse"},
		{`{"version":1,"recording":{"displayName":"x"}}`, "Safari", "speedscope"},
		{"JAVA PROFILE 1.0.1, created Mon Jan  1 00:00:00 2024\n", "hprof, Java's former profiler", "jfr print --json"},
		{"# To display the perf.data header info, please use --header\n", "a report of perf", "perf script"},
		{"# Samples: 30  of event 'cpu-clock'\n", "a report of perf", "perf script"},
		{"# ========\n# captured on    : Mon\n# ========\n# Overhead  Command\n", "a report of perf", "perf script"},
		{"# ========\n# captured on    : Mon\n# ========\n", "without samples", "perf script"},
		{"           time    cpu  task name        wait time\n", "timehist", "perf script"},
		{"Cmdline: /data/simpleperf record\nArch: arm64\nEvent count: 7\n", "a report of simpleperf", "report-sample"},
		{"jdk.ExecutionSample {\n  startTime = 01:00:00.000\n", "jfr print", "--json"},
		{"<?xml version=\"1.0\"?>\n<recording xmlns:xsi=\"x\">", "jfr print", "--json"},
		{"<?xml version=\"1.0\"?>\n<trace-query-result>\n", "xctrace", "inferno-collapse-xctrace"},
		{"\n Version: 2.1\n Chunks: 1\n\n Event Type      Count\n", "jfr summary", "--json"},
		{"File: app\nType: cpu\n      flat  flat%   sum%        cum   cum%\n", "go tool pprof", "-proto"},
		{"Type: cpu\n-----------+-----\n        3s   main.work\n", "go tool pprof", "-proto"},
		{"Showing nodes accounting for 4s, 100% of 4s total\n      flat  flat%   sum%\n", "a report of go tool pprof", "-proto"},
		{"Active filters:\n   focus=f\nShowing nodes accounting for 1s\n      flat  flat%\n", "a report of go tool pprof", "-proto"},
		{"Total: 1.12s\nROUTINE ======= f in x.go\n      1s      1s (flat, cum)\n", "a report of go tool pprof", "-proto"},
		{"digraph \"x\" {\nlabel=\"Showing nodes accounting for 1s\"\n}\n", "a graph of go tool pprof", "-proto"},
		{"PeriodType: cpu nanoseconds\nPeriod: 10\nSamples:\n", "go tool pprof -raw", "-proto"},
		{"go 1.22 trace\x00\x00\x00", "execution trace", "-pprof=sched"},
		{"heap_v2/524288\n  t*: 3: 3072 [0: 0]\n", "jemalloc", "jeprof --collapsed"},
		{"Nettrace\x14\x00\x00\x00!FastSerialization.1", ".NET", "Speedscope"},
		{"Thread (0x1F4):\n  [Native Frames]\n", "dotnet-stack", "Speedscope"},
		{"packet {\n  timestamp: 1\n}\n", "Perfetto trace as text", "traceconv binary"},
		{"# Test data for 7; lines.\n\n# More.\npacket {\n  timestamp: 1\n}\n", "Perfetto trace as text", "traceconv binary"},
		{"# HELP jobs_total Jobs.\n# TYPE jobs_total counter\njobs_total{level=\"0\"} 1\n", "Prometheus", "debug/pprof/profile"},
		{"     app    1000000 cycles:u: \n", "perf script without threads or stacks", "-F comm,pid,tid,time,period,event,ip,sym,dso"},
		{"Flat profile:\n\nEach sample counts as 0.01 seconds.\n", "gprof", "perf script"},
		{"         7 function calls in 0.002 seconds\n\n   Ordered by: standard name\n", "cProfile", "py-spy record"},
		{"Process 1: python x.py\nPython v3.11.0\n\nThread 1 (active): \"MainThread\"\n", "py-spy", "py-spy record"},
		{"Fatal Python error: Segmentation fault\n", "Python", "py-spy record"},
		{"Thread 2 (Thread 0x7f1 (LWP 1201)):\n#0  0x1 in f () from /lib/x\n", "gdb", "stackcollapse-gdb.pl"},
		{"* thread #1, queue = 'main'\n  * frame #0: 0x1 x\n", "lldb", "single moment"},
		{"Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.\n", "bcc's profile", "-f"},
		{"Tracing off-CPU time (us) of all threads\n", "offcputime", "-f"},
		{"Tracing 1 functions for \"submit_bio\"... Hit Ctrl-C to end.\n", "stackcount", "-f"},
		{"Attaching 2 probes...\n@usecs:\n[4, 8)                2 |@@@@      |\n", "bpftrace without stacks", "@[ustack]"},
		{"{\"type\": \"attached_probes\", \"data\": {\"probes\": 1}}\n", "bpftrace", "without -f json"},
		{"{\"threads\": [{\"threadName\": \"main\"}]}", "Spring Boot", "text/plain"},
		{"{\"header\": {\"reportVersion\": 3}}", "Node.js", "--cpu-prof"},
		{"{\"session\": {\"start_time\": 1, \"sample_count\": 5}}", "pyinstrument", "speedscope"},
		{"Weight\tSelf Weight\t\tSymbol Name\n", "Instruments", "speedscope"},
		{"Exception in thread \"main\" java.lang.NullPointerException\n", "exception", "jstack"},
		{"dex\n035\x00", "dex", "am profile start"},
		{`{"name": "root", "value": 3, "children": [{"name": "a", "value": 3}]}`, "d3-flame-graph", "folded stacks"},
		{`{"profile": {"samples": [{"stack_id": 0, "elapsed_since_start_ns": "5"}]}}`, "Sentry", "--cpu-prof"},
		{"{\n \"SampleType\": [{\"Type\": \"cpu\"}]}", "pprof profile as JSON", "-proto"},
		{`{"stringTable":{"strings":[""]},"sampleType":[]}`, "pprof profile as JSON", "-proto"},
		{"[\n  {\"method\":\"Page.lifecycleEvent\",\"params\":{\"frameId\":\"A;B 1\"}}\n]\n", "DevTools protocol", "the trace"},
		{"\x08\x01\x12\x14a/b:13/C/1:user/x-keys\x1a\x010", "tombstone", "pbtombstone"},
		{"\x7fELF\x02\x01\x01\x00", "ELF", "use a trace"},
		{"SQLite format 3\x00", "SQLite", "Perfetto's"},
		{"\x28\xb5\x2f\xfd\x04\x58", "zstd", "zstd -d"},
		{"\xfd7zXZ\x00", "xz", "xz -d"},
		{"BZh91AY&SY", "bzip2", "bzip2 -d"},
		{"7z\xbc\xaf\x27\x1c\x00\x04", "7z", "unpack it"},
		{"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n", "git", "git lfs pull"},
	} {
		for _, data := range []string{test.data, packed(test.data)} {
			_, err := New(strings.NewReader(data), "file", Config{})
			if err == nil || !strings.HasPrefix(err.Error(), "file: this is ") || !strings.Contains(err.Error(), test.what) || !strings.Contains(err.Error(), "not read: ") || !strings.Contains(err.Error(), test.do) {
				t.Errorf("%.20q: %v", test.data, err)
			}
		}
	}
}

// TestFormat: a file is read in the requested format, regardless of its content.
func TestFormat(t *testing.T) {
	const looksOdd = "# tracer: nop\nmain;a.b 3\n" // taken for ftrace
	if _, err := New(strings.NewReader(looksOdd), "x", Config{}); err == nil || !strings.Contains(err.Error(), "no begin or end") {
		t.Errorf("format detected by content: error %v", err)
	}
	in, err := New(strings.NewReader(looksOdd), "x", Config{Format: "folded"})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var events trace.Buffer
	if _, err := trace.Copy(&events, in.Events); err != nil {
		t.Fatal(err)
	}
	if in.Format.Name != "folded" || len(in.Symbols.Methods) != 2 || in.Symbols.Methods[1].FullName() != "a.b" {
		t.Errorf("%s with %d methods", in.Format.Name, len(in.Symbols.Methods))
	}
	for format, want := range map[string]string{
		"perfetto": "expected tag 0xa",
		"pprof":    "pprof rejects this profile",
		"chrome":   "x: ",
		"anr":      "x: ",
		"art":      "x: ",
		"nonsense": `"nonsense"`,
	} {
		if _, err := New(strings.NewReader(looksOdd), "x", Config{Format: format}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("as %s: %v, want %s", format, err, want)
		}
	}
}
