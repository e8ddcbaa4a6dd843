package format

import (
	"bytes"
	"strings"

	"artifice/format/internal/kind"
	"artifice/format/internal/perf"
	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// foreignFile is a kind of file that is not read, but is often mistaken for a trace or contains
// one. Its error states what the file is and what to do.
type foreignFile struct {
	begins, has string // the text that the file begins with, and a text that its head contains
	line        string // the text that some line of the head begins with
	what, do    string
	last        bool // tried after all formats, because files that are read begin alike
}

// Advice for a text without stacks, or with the stacks of one moment only.
const (
	recordJava       = "record with the JDK's Flight Recorder (" + printJFR + ") or with async-profiler (-o collapsed)"
	printJFR         = "jfr print --json --stack-depth 64 --events ExecutionSample,CPUTimeSample,ActiveSetting FILE > samples.json"
	scriptPerf       = "convert the recording to text: perf script -i perf.data > FILE.txt"
	protoPprof       = "write the profile itself: go tool pprof -proto SOURCE > FILE.pb.gz"
	gdbStacks        = "convert them to folded stacks: stackcollapse-gdb.pl FILE > FILE.folded (FlameGraph)"
	pyinstrument     = "write speedscope's JSON: pyinstrument --renderer speedscope -o FILE.json --load-prev ID"
	profileGo        = "write a profile: curl ADDRESS/debug/pprof/profile > FILE.pb.gz (goroutines: .../goroutine, without debug=2)"
	sampleApple      = "macOS's sample or Instruments take samples"
	recordApp        = "record a trace of the app: adb shell am profile start PACKAGE FILE"
	exportSpeedscope = "speedscope opens it and exports its own JSON"
	readANR          = "read the thread dumps of an ANR in /data/anr (adb bugreport), or record a trace: adb shell am profile start PACKAGE FILE"
	jstackJava       = "jstack PID or kill -3 PID writes the stacks of all threads"
	foldDTrace       = "convert them to folded stacks: stackcollapse.pl FILE > FILE.folded (FlameGraph)"
	foldBCC          = "run it with -f, which writes folded stacks"
	perfettoBinary   = "convert it to binary: traceconv binary FILE FILE.pftrace"
	foldedSource     = "read the folded stacks from which it was made"
	tombstoneText    = "convert it to text: adb shell pbtombstone FILE > FILE.txt"
	tracy            = "Tracy exports sums without stacks; record with perf or another profiler"
	recordPySpy      = "record samples: py-spy record --format raw -o FILE.folded --pid PID"
)

// foreignFiles lists the kinds in the order in which they are tried. The signatures are from
// file(1)'s magic database and from the programs that write the files.
var foreignFiles = []foreignFile{
	{begins: "PK\x03\x04", has: "AndroidManifest.xml", what: "an Android package", do: recordApp},
	{begins: "PK\x03\x04", has: "classes.dex", what: "an Android package", do: recordApp},
	{begins: "PK\x03\x04", what: "a zip archive", do: "unpack it and use the trace in it"},
	{begins: "\x08\x01\x12", has: "-keys\x1a", what: "a crash of an Android app (tombstone)", do: tombstoneText},
	{begins: "\x08\x03\x12", has: "-keys\x1a", what: "a crash of an Android app (tombstone)", do: tombstoneText},
	{begins: "PERFILE2", what: "a perf.data of perf or simpleperf", do: "convert it to text: perf script -i FILE > FILE.txt, or simpleperf report-sample --show-callchain --protobuf -i FILE -o FILE.simpleperf"},
	{begins: "FLR\x00", what: "a recording of the JDK's Flight Recorder", do: "print its samples: " + printJFR},
	{begins: "JAVA PROFILE 1.0.1, created", what: "the text of hprof, Java's former profiler", do: recordJava},
	{begins: "JAVA PROFILE 1.0", what: "a heap dump (hprof)", do: "it has objects, not times; Android Studio's profiler and Eclipse MAT open it"},
	{begins: `{"snapshot":{`, what: "a heap snapshot of V8", do: "it has objects, not times; the memory panel of Chrome's developer tools opens it"},
	{begins: `{"head":{"callFrame"`, has: `"selfSize"`, what: "a heap profile of V8", do: "it has allocations, not times; the memory panel of Chrome's developer tools opens it"},
	{begins: "# callgrind format", what: "a profile of callgrind", do: "it has sums without stacks; kcachegrind and callgrind_annotate open it"},
	{begins: "version: 1", has: "creator: callgrind", what: "a profile of callgrind", do: "it has sums without stacks; kcachegrind and callgrind_annotate open it"},
	{begins: "--- Execution profile ---\n", what: "the text of async-profiler", do: "record with -o collapsed"},
	{begins: "version: 1\ncreator: xdebug", what: "a profile of Xdebug, in callgrind's format", do: "it has sums without stacks; kcachegrind opens it"},
	{begins: "positions:", has: "\nevents:", what: "a profile in callgrind's format", do: "it has sums without stacks; kcachegrind opens it"},
	{begins: `{"dhatFileVersion"`, what: "a heap profile of DHAT", do: "it has allocations, not times; profiler.firefox.com opens it"},
	{begins: `{"meta":{`, last: true, has: `"stackwalk"`, what: "a raw profile of Firefox (Gecko's format)", do: "open it in profiler.firefox.com and save it again, which writes a processed profile"},
	{begins: `{"format":"profileJSONWithSymbolicationTable`, what: "a profile of Cleopatra, the Firefox Profiler's predecessor", do: "open it in profiler.firefox.com and save it again, which writes a processed profile"},
	{begins: `{"label":"`, has: `"duration"`, what: "a recording of Firefox's old performance panel", do: "speedscope opens it; record again with profiler.firefox.com"},
	{begins: "shared-library,", has: "\nprofiler,", what: "the log of node --prof", do: "record with node --cpu-prof, and read its .cpuprofile"},
	{begins: "v8-version,", what: "the log of node --prof", do: "record with node --cpu-prof, and read its .cpuprofile"},
	{begins: "CPU     ID", what: "stacks as DTrace prints them", do: foldDTrace},
	{begins: "\n", line: "              ", has: "`", last: true, what: "stacks as DTrace prints them", do: foldDTrace},
	{begins: "Analysis of sampling ", what: "a call graph of macOS's sample", do: "convert it to folded stacks: stackcollapse-sample.awk FILE > FILE.folded (FlameGraph)"},
	{begins: "Date/Time: ", has: "\nData Source: ", what: "a report of macOS's spindump", do: sampleApple},
	{begins: "{", has: `"callStackRootFrames":`, last: true, what: "a report of Apple's MetricKit", do: "it has no times of calls; " + sampleApple},
	{begins: "Function Stack,", what: "a table of VTune", do: "convert it to folded stacks: stackcollapse-vtune.pl FILE > FILE.folded (FlameGraph)"},
	{begins: "Level,Function Name,", what: "a table of Visual Studio's profiler", do: "convert it to folded stacks: stackcollapse-vsprof.pl FILE > FILE.folded (FlameGraph)"},
	{begins: "@ ", has: " samples]\n", what: "the text of FreeBSD's pmcstat", do: "convert it to folded stacks: stackcollapse-pmc.pl FILE > FILE.folded (FlameGraph)"},
	{begins: "\t", has: " Time and Allocation Profiling Report ", what: "a profile of Haskell's GHC", do: "convert it to folded stacks: inferno-collapse-ghcprof FILE > FILE.folded"},
	{begins: "{", has: `"url":"al-preview://`, what: "a profile of Microsoft Business Central (.alcpuprofile)", do: "its times are durations of nodes, unlike those of V8; the AL extension of Visual Studio Code opens it"},
	{begins: `{"program":`, has: `"rts_arguments":`, what: "a profile of Haskell's GHC", do: exportSpeedscope},
	{begins: "\x17\x08Dtracing", what: "a trace.dat of trace-cmd", do: "convert it to text: trace-cmd report FILE > FILE.txt"},
	{begins: `{"linux-perf-json-version":`, what: "the JSON of perf data convert", do: scriptPerf},
	{begins: "# DURATION ", has: " FUNCTION\n", what: "the text of uftrace replay", do: "write Chrome's JSON: uftrace dump --chrome > FILE.json"},
	{begins: "QPERFSTREAM", what: "the data of hotspot's perfparser", do: scriptPerf},
	{begins: `{"version":1,"flamebearer":`, what: "a flame graph of Pyroscope", do: "export the profile as pprof instead"},
	{begins: `{"name":"`, last: true, has: `"children":[{"name":"`, what: "a flame graph of d3-flame-graph as JSON", do: foldedSource},
	{begins: "{", last: true, has: `"elapsed_since_start_ns":`, what: "a profile of Sentry", do: "Sentry's page shows it; record with the platform's profiler, such as node --cpu-prof or py-spy"},
	{begins: `{"SampleType":[`, what: "a pprof profile as JSON", do: protoPprof},
	{begins: `{"sampleType":[`, what: "a pprof profile as JSON", do: protoPprof},
	{begins: `{"stringTable":`, has: `"sampleType":[`, what: "a pprof profile as JSON", do: protoPprof},
	{begins: `[{"method":"`, has: `"params":{`, what: "a log of Chrome's DevTools protocol", do: "it has messages, not calls; use the trace that was recorded with it"},
	{begins: "<?xml ", has: "Flame graph stack visualization", what: "a flame graph (SVG)", do: foldedSource},
	{begins: `{"version":1.2,"mode":`, what: "a profile of Ruby's stackprof", do: "convert it to folded stacks: stackprof --stackcollapse FILE > FILE.folded"},
	{begins: "rbspy0", what: "the raw data of rbspy", do: "convert it to folded stacks: rbspy report -f collapsed -i FILE -o FILE.folded"},
	{begins: "MOJ", last: true, what: "the binary output of Austin", do: "convert it: mojo2austin FILE FILE.austin"},
	{begins: "MMPD", what: "a self-profile of rustc", do: "convert it to Chrome's JSON: crox FILE (measureme)"},
	{begins: "0 ", has: " <internal>:-1\n", last: true, what: "the stacks of phpspy", do: "convert them to folded stacks: stackcollapse-phpspy.pl FILE > FILE.folded"},
	{begins: `{"main()`, has: `"wt":`, what: "a profile of PHP's XHProf", do: "it has sums without stacks; record with Excimer or phpspy"},
	{begins: `{"alloc_samples":`, what: "a profile of Scalene", do: "it has sums without stacks; " + recordPySpy},
	{begins: `{"version":`, has: `"dataForRoots":[`, what: "a profile of React's developer tools", do: "it has components, not calls; record in the performance panel of Chrome's developer tools"},
	{begins: "tlZ\x04", what: "a recording of Tracy", do: tracy},
	{begins: "tZst", last: true, what: "a recording of Tracy", do: tracy},
	{begins: "name,src_file,src_line,total_ns", what: "a table of Tracy", do: tracy},
	{begins: `{"version":1,"recording":{`, what: "a recording of Safari's timeline", do: "speedscope opens it"},
	{begins: "# To display the perf.data header", what: "a report of perf", do: scriptPerf},
	{begins: "# Samples: ", what: "a report of perf", do: scriptPerf},
	{begins: "# ========\n# captured on", has: "\n# Overhead ", what: "a report of perf", do: scriptPerf},
	{begins: "# ========\n# captured on", last: true, what: "the header of perf's text without samples", do: scriptPerf},
	{begins: "           time    cpu  task name", what: "a table of perf sched timehist", do: "it has no stacks; " + scriptPerf},
	{begins: "Cmdline: ", has: "\nEvent count: ", what: "a report of simpleperf", do: "convert the recording to text: simpleperf report-sample --show-callchain -i perf.data -o FILE.txt"},
	{begins: "jdk.", has: " {\n  startTime = ", what: "the text of jfr print", do: "print JSON: " + printJFR},
	{begins: "<?xml ", has: "<recording ", what: "the XML of jfr print", do: "print JSON: " + printJFR},
	{begins: "<?xml ", has: "<trace-query-result>", what: "the XML of xctrace", do: "convert it to folded stacks: inferno-collapse-xctrace FILE > FILE.folded"},
	{begins: "\n Version: ", has: " Event Type ", what: "the list of events of jfr summary", do: "print samples: " + printJFR},
	{begins: "File: ", has: "flat%", what: "a report of go tool pprof", do: protoPprof},
	{begins: "Showing nodes accounting for ", what: "a report of go tool pprof", do: protoPprof},
	{begins: "Active filters:\n", has: "flat", what: "a report of go tool pprof", do: protoPprof},
	{begins: "Total: ", has: "\nROUTINE =", what: "a report of go tool pprof", do: protoPprof},
	{begins: "digraph ", has: "Showing nodes accounting for ", what: "a graph of go tool pprof", do: protoPprof},
	{begins: "Type: ", has: "flat%", what: "a report of go tool pprof", do: protoPprof},
	{begins: "File: ", has: "\n-----------+", what: "a report of go tool pprof", do: protoPprof},
	{begins: "Type: ", has: "\n-----------+", what: "a report of go tool pprof", do: protoPprof},
	{begins: "PeriodType: ", has: "\nSamples:\n", what: "the text of go tool pprof -raw", do: protoPprof},
	{begins: "go 1.", has: " trace\x00", what: "an execution trace of Go", do: "convert it to a profile: go tool trace -pprof=sched FILE > FILE.pb.gz (or sync, syscall, net)"},
	{begins: "heap_v2/", what: "a heap profile of jemalloc", do: "convert it to folded stacks: jeprof --collapsed PROGRAM FILE > FILE.folded"},
	{begins: "Nettrace", what: "a trace of .NET", do: "convert it: dotnet-trace convert --format Speedscope FILE"},
	{begins: "Thread (0x", what: "the stacks of dotnet-stack", do: "record with dotnet-trace, and convert: dotnet-trace convert --format Speedscope FILE"},
	{begins: "packet {", what: "a Perfetto trace as text", do: perfettoBinary},
	{begins: "#", has: "\npacket {", last: true, what: "a Perfetto trace as text", do: perfettoBinary},
	{begins: "packet: {", what: "a Perfetto trace as text", do: perfettoBinary},
	{begins: "# HELP ", has: "\n# TYPE ", what: "metrics of Prometheus", do: "they have no stacks; " + profileGo},
	{begins: "Flat profile:", what: "a report of gprof", do: "it has sums without stacks; record with perf and use perf script"},
	{begins: "   ", has: "\n   Ordered by: ", what: "a table of Python's cProfile", do: "it has sums without stacks; " + recordPySpy},
	{begins: "Process ", has: "\nThread ", what: "a dump of py-spy", do: recordPySpy},
	{begins: "Fatal Python error", what: "a crash of Python", do: recordPySpy},
	{begins: "Thread ", has: "\n#0 ", what: "the stacks of gdb or pstack", do: gdbStacks},
	{begins: "[New LWP ", has: "\n#0 ", what: "the stacks of gdb or pstack", do: gdbStacks},
	{begins: "\nThread ", has: "\n#0 ", what: "the stacks of gdb or pstack", do: gdbStacks},
	{begins: "[Thread debugging using ", has: "\n#0 ", what: "the stacks of gdb or pstack", do: gdbStacks},
	{begins: "PID ", has: "\nTID ", what: "the stacks of eu-stack", do: "convert them to folded stacks: stackcollapse-elfutils.pl FILE > FILE.folded (FlameGraph)"},
	{begins: "* thread #", what: "the stacks of lldb", do: "they show a single moment; " + sampleApple},
	{begins: "Sampling at ", has: " Hertz of ", what: "the text of bcc's profile", do: foldBCC},
	{begins: "Tracing off-CPU time", what: "the text of bcc's offcputime", do: foldBCC},
	{begins: "Tracing ", has: " functions for ", what: "the text of bcc's stackcount", do: foldBCC},
	{begins: "Attaching ", has: " probe", last: true, what: "output of bpftrace without stacks", do: "count stacks in a map: @[ustack] = count()"},
	{begins: `{"type":"attached_probes"`, what: "the JSON of bpftrace", do: "run bpftrace without -f json"},
	{begins: `{"type":"map"`, what: "the JSON of bpftrace", do: "run bpftrace without -f json"},
	{begins: `{"threads":[{"threadName"`, what: "the threads of Spring Boot's actuator as JSON", do: "ask for text: curl -H 'Accept: text/plain' ADDRESS/actuator/threaddump > FILE.txt"},
	{begins: `{"header":{"reportVersion"`, what: "a diagnostic report of Node.js", do: "record with node --cpu-prof, and read its .cpuprofile"},
	{begins: `{"session":{`, has: `"sample_count"`, what: "a session of pyinstrument", do: pyinstrument},
	{begins: `{"start_time":`, has: `"root_frame"`, what: "a session of pyinstrument", do: pyinstrument},
	{begins: "Weight\tSelf Weight", what: "a call tree copied from Instruments", do: exportSpeedscope},
	{begins: "Running Time\tSelf", what: "a call tree copied from Instruments", do: exportSpeedscope},
	{begins: "Bytes Used\tCount\t", what: "a call tree copied from Instruments", do: "it has allocations, not times; speedscope opens it"},
	{begins: "goroutine ", has: "]:\n", what: "a dump of Go's goroutines", do: profileGo},
	{begins: "panic: ", has: "\ngoroutine ", what: "a crash of a Go program", do: profileGo},
	{begins: "fatal error: ", has: "\ngoroutine ", what: "a crash of a Go program", do: profileGo},
	{begins: "Coroutines dump ", what: "a dump of Kotlin's coroutines", do: jstackJava},
	{begins: "--------- beginning of ", what: "a log of Android (logcat)", do: readANR},
	{line: "goroutine ", has: "]:\n", last: true, what: "a log with the stacks of Go's goroutines", do: profileGo},
	{line: "Coroutines dump ", last: true, what: "a log with a dump of Kotlin's coroutines", do: jstackJava},
	{has: " (most recent call first):\n  File ", last: true, what: "the stacks of Python's faulthandler", do: recordPySpy},
	{line: "Thread ", has: "): \"MainThread\"\n", last: true, what: "a dump of py-spy", do: recordPySpy},
	{line: "OS Thread Id: 0x", last: true, what: "the stacks of a debugger of .NET", do: "record with dotnet-trace, and convert: dotnet-trace convert --format Speedscope FILE"},
	{line: "#0  ", last: true, what: "the stacks of gdb or pstack", do: gdbStacks},
	{has: "anrwatchdog.ANRError", last: true, what: "an exception of ANR-WatchDog", do: readANR},
	{begins: "*** *** ***", has: "\njava stacktrace:", last: true, what: "a Java crash that xCrash reports", do: readANR},
	{line: "time-cost = ", last: true, what: "a report of BlockCanary", do: recordApp},
	{has: "FATAL EXCEPTION: ", last: true, what: "a crash in a log of Android (logcat)", do: readANR},
	{line: "ANR in ", last: true, what: "a log of Android with an ANR, without its stacks", do: readANR},
	{has: ": ANR in ", last: true, what: "a log of Android with an ANR, without its stacks", do: readANR},
	{has: "\n\tat ", last: true, what: "a log with stacks of exceptions", do: jstackJava},
	{begins: "Incident Identifier: ", what: "a crash report of Apple's systems", do: "it shows a single moment; " + sampleApple},
	{begins: `{"app_name":`, has: `"bug_type"`, what: "a crash report of Apple's systems", do: "it shows a single moment; " + sampleApple},
	{begins: "Exception in thread ", what: "the stack of an exception", do: jstackJava},
	{begins: "dex\n0", what: "the code of an Android app (dex)", do: recordApp},
	{begins: "\x7fELF", what: "a program or library (ELF)", do: "use a trace of the app"},
	{begins: "SQLite format 3\x00", what: "an SQLite database", do: "export its trace; Perfetto's trace files are read directly"},
	{begins: "\x28\xb5\x2f\xfd", what: "packed by zstd", do: "unpack it: zstd -d FILE"},
	{begins: "\xfd7zXZ\x00", what: "packed by xz", do: "unpack it: xz -d FILE"},
	{begins: "BZh", what: "packed by bzip2", do: "unpack it: bzip2 -d FILE"},
	{begins: "7z\xbc\xaf\x27\x1c", what: "a 7z archive", do: "unpack it and use the trace in it"},
	{begins: "version https://git-lfs.github.com/spec/", what: "git's pointer to a large file (Git LFS)", do: "fetch the file: git lfs pull"},
}

// is reports whether a file that begins with head is of this kind. White space in JSON is ignored.
func (f *foreignFile) is(head, compact []byte) bool {
	if strings.HasPrefix(f.begins, "{") || strings.HasPrefix(f.begins, "[{") {
		head = compact
	}
	return bytes.HasPrefix(head, []byte(f.begins)) && bytes.Contains(head, []byte(f.has)) && (f.line == "" || stackdump.HasLine(head, f.line))
}

// compactJSON returns JSON without white space, and nil for other data.
func compactJSON(head []byte) []byte {
	if head = bytes.TrimLeft(head, " \t\r\n"); len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return nil
	}
	compact := make([]byte, 0, len(head))
	for _, c := range head {
		if c > ' ' {
			compact = append(compact, c)
		}
	}
	return compact
}

// perfFields is the output of perf script with too few fields.
var perfFields = foreignFile{what: "output of perf script without threads or stacks", do: perf.AllFields, last: true}

// foreign returns a format for the kind of file that begins with head; opening it fails with the
// error of that kind. It returns nil if head matches no kind. last selects the kinds that are tried
// after all formats.
func foreign(head []byte, last bool) *kind.Format {
	compact := compactJSON(head)
	for i := range foreignFiles {
		if f := &foreignFiles[i]; f.last == last && f.is(head, compact) {
			return f.format()
		}
	}
	if last && perf.LacksStacks(head) {
		return perfFields.format()
	}
	return nil
}

// format returns a format for files of the kind; opening one fails with the error of the kind.
func (f *foreignFile) format() *kind.Format {
	about := "this is " + f.what + ", which is not read: " + f.do
	return &kind.Format{Name: f.what, About: about, Read: func(src kind.Source, _ *kind.Config) (*kind.Opened, error) {
		return nil, &trace.FormatError{Name: src.Name, Offset: -1, Msg: about}
	}}
}
