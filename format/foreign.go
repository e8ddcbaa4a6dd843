package format

import (
	"bytes"

	"artifice/format/internal/kind"
	"artifice/trace"
)

// foreignFile is a kind of file that is often mistaken for a trace, or contains one, and is not
// read. Its error states what the file is and what to do.
type foreignFile struct {
	begins, has string // the beginning of its head, and a text that the head contains
	what, do    string
	last        bool // tried after all formats: it begins like files that are read
}

// foreignFiles are in the order in which they are tried. The signatures are those of file(1)'s
// magic database and of the programs that write the files.
var foreignFiles = []foreignFile{
	{begins: "PK\x03\x04", has: "AndroidManifest.xml", what: "an Android package", do: "record a trace of the app: adb shell am profile start PACKAGE FILE"},
	{begins: "PK\x03\x04", has: "classes.dex", what: "an Android package", do: "record a trace of the app: adb shell am profile start PACKAGE FILE"},
	{begins: "PK\x03\x04", what: "a zip archive", do: "unpack it and name the trace in it"},
	{begins: "PERFILE2", what: "a perf.data of perf or simpleperf", do: "make text of it: perf script -i FILE > FILE.txt, or simpleperf report-sample --show-callchain --protobuf -i FILE -o FILE.simpleperf"},
	{begins: "FLR\x00", what: "a recording of the JDK's Flight Recorder", do: "print its samples: jfr print --json --stack-depth 64 --events ExecutionSample,CPUTimeSample,ActiveSetting FILE > samples.json"},
	{begins: "JAVA PROFILE 1.0", what: "a heap dump (hprof)", do: "it has objects and no times; Android Studio's profiler and Eclipse MAT open it"},
	{begins: "heap profile:", what: "a heap profile of gperftools", do: "it has allocations and no times; go tool pprof opens it"},
	{begins: "--- heapz ", what: "a heap profile of pprof's old text format", do: "it has allocations and no times; go tool pprof opens it"},
	{begins: "--- threadz ", what: "a list of threads of pprof's old text format", do: "it counts threads and has no times; go tool pprof opens it"},
	{begins: "threadcreate profile:", what: "a profile of the creation of Go's threads", do: "it counts threads and has no times; open it in go tool pprof"},
	{begins: "goroutine profile:", what: "a profile of Go's goroutines", do: "it counts them and has no times; go tool pprof opens it"},
	{begins: `{"snapshot":{`, what: "a heap snapshot of V8", do: "it has objects and no times; the memory panel of Chrome's developer tools opens it"},
	{begins: `{"head":{"callFrame"`, has: `"selfSize"`, what: "a heap profile of V8", do: "it has allocations and no times; the memory panel of Chrome's developer tools opens it"},
	{begins: "# callgrind format", what: "a profile of callgrind", do: "it has sums and no stacks; kcachegrind and callgrind_annotate open it"},
	{begins: "version: 1", has: "creator: callgrind", what: "a profile of callgrind", do: "it has sums and no stacks; kcachegrind and callgrind_annotate open it"},
	{begins: "version: 1\ncreator: xdebug", what: "a profile of Xdebug, of callgrind's format", do: "it has sums and no stacks; kcachegrind opens it"},
	{begins: "positions:", has: "\nevents:", what: "a profile of callgrind's format", do: "it has sums and no stacks; kcachegrind opens it"},
	{begins: `{"dhatFileVersion"`, what: "a heap profile of DHAT", do: "it has allocations and no times; profiler.firefox.com opens it"},
	{begins: `{"meta":{`, last: true, has: `"stackwalk"`, what: "a raw profile of Firefox (Gecko's format)", do: "open it in profiler.firefox.com and save it, which writes a processed profile"},
	{begins: `{"format":"profileJSONWithSymbolicationTable`, what: "a profile of Cleopatra, the Firefox Profiler's forerunner", do: "open it in profiler.firefox.com and save it, which writes a processed profile"},
	{begins: `{"label":"`, has: `"duration"`, what: "a recording of Firefox's old performance panel", do: "speedscope opens it; record anew with profiler.firefox.com"},
	{begins: "v8-version,", what: "the log of node --prof", do: "record with node --cpu-prof, and read its .cpuprofile"},
	{begins: "CPU     ID", what: "stacks as DTrace prints them", do: "make folded stacks of them: stackcollapse.pl FILE > FILE.folded (FlameGraph)"},
	{begins: "Analysis of sampling ", what: "a call graph of macOS's sample", do: "make folded stacks of it: stackcollapse-sample.awk FILE > FILE.folded (FlameGraph)"},
	{begins: "Function Stack,", what: "a table of VTune", do: "make folded stacks of it: stackcollapse-vtune.pl FILE > FILE.folded (FlameGraph)"},
	{begins: `{"version":1.2,"mode":`, what: "a profile of Ruby's stackprof", do: "make folded stacks of it: stackprof --stackcollapse FILE > FILE.folded"},
	{begins: `{"version":1,"recording":{`, what: "a recording of Safari's timeline", do: "speedscope opens it"},
	{begins: "dex\n0", what: "the code of an Android app (dex)", do: "record a trace of the app: adb shell am profile start PACKAGE FILE"},
	{begins: "\x7fELF", what: "a program or library (ELF)", do: "name a trace of it"},
	{begins: "SQLite format 3\x00", what: "an SQLite database", do: "export its trace; Perfetto's trace files are read directly"},
	{begins: "\x28\xb5\x2f\xfd", what: "packed by zstd", do: "unpack it: zstd -d FILE"},
	{begins: "\xfd7zXZ\x00", what: "packed by xz", do: "unpack it: xz -d FILE"},
	{begins: "BZh", what: "packed by bzip2", do: "unpack it: bzip2 -d FILE"},
	{begins: "7z\xbc\xaf\x27\x1c", what: "a 7z archive", do: "unpack it and name the trace in it"},
	{begins: "version https://git-lfs.github.com/spec/", what: "git's pointer to a large file (Git LFS)", do: "fetch the file: git lfs pull"},
}

// is reports whether a file that begins with head is of the kind. White space in JSON is ignored.
func (f *foreignFile) is(head, compact []byte) bool {
	if f.begins[0] == '{' {
		head = compact
	}
	return bytes.HasPrefix(head, []byte(f.begins)) && bytes.Contains(head, []byte(f.has))
}

// compactJSON returns JSON without its white space, and nothing of other files.
func compactJSON(head []byte) []byte {
	if head = bytes.TrimLeft(head, " \t\r\n"); len(head) == 0 || head[0] != '{' {
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

// foreign returns a format that fails to open with the error of the kind that head belongs to, nil
// if it belongs to none. last selects the kinds that are tried after all formats.
func foreign(head []byte, last bool) *kind.Format {
	compact := compactJSON(head)
	for i := range foreignFiles {
		f := &foreignFiles[i]
		if f.last == last && f.is(head, compact) {
			about := "this is " + f.what + ", which is not read: " + f.do
			return &kind.Format{Name: f.what, About: about, Read: func(src kind.Source, _ *kind.Config) (*kind.Opened, error) {
				return nil, &trace.FormatError{Name: src.Name, Offset: -1, Msg: about}
			}}
		}
	}
	return nil
}
