package input

import (
	"bytes"

	"artifice/trace"
)

// foreignFile is a kind of file that people take for a trace, or have one in, and that
// is not read: its error says what it is and what to do.
type foreignFile struct {
	begins, has string // what its head begins with; what it has somewhere, too
	what, do    string
}

// foreignFiles are in the order in which they are tried. The signatures are those of
// file(1)'s magic database, and of the programs that write the files.
var foreignFiles = []foreignFile{
	{begins: "PK\x03\x04", has: "AndroidManifest.xml", what: "an Android package", do: "record a trace of the app: adb shell am profile start PACKAGE FILE"},
	{begins: "PK\x03\x04", has: "classes.dex", what: "an Android package", do: "record a trace of the app: adb shell am profile start PACKAGE FILE"},
	{begins: "PK\x03\x04", what: "a zip archive", do: "unpack it and name the trace in it"},
	{begins: "PERFILE2", what: "a perf.data of perf or simpleperf", do: "make text of it: perf script -i FILE > FILE.txt, or simpleperf report-sample --show-callchain --protobuf -i FILE -o FILE.simpleperf"},
	{begins: "FLR\x00", what: "a recording of the JDK's Flight Recorder", do: "print its samples: jfr print --json --stack-depth 64 --events ExecutionSample,CPUTimeSample,ActiveSetting FILE > samples.json"},
	{begins: "JAVA PROFILE 1.0", what: "a heap dump (hprof)", do: "it has objects and no times; Android Studio's profiler and Eclipse MAT open it"},
	{begins: "heap profile:", what: "a heap profile of gperftools", do: "it has allocations and no times; go tool pprof opens it"},
	{begins: `{"snapshot":{`, what: "a heap snapshot of V8", do: "it has objects and no times; the memory panel of Chrome's developer tools opens it"},
	{begins: `{"head":{"callFrame"`, has: `"selfSize"`, what: "a heap profile of V8", do: "it has allocations and no times; the memory panel of Chrome's developer tools opens it"},
	{begins: "# callgrind format", what: "a profile of callgrind", do: "it has sums and no stacks; kcachegrind and callgrind_annotate open it"},
	{begins: "version: 1", has: "creator: callgrind", what: "a profile of callgrind", do: "it has sums and no stacks; kcachegrind and callgrind_annotate open it"},
	{begins: "dex\n0", what: "the code of an Android app (dex)", do: "record a trace of the app: adb shell am profile start PACKAGE FILE"},
	{begins: "\x7fELF", what: "a program or library (ELF)", do: "name a trace of it"},
	{begins: "SQLite format 3\x00", what: "an SQLite database", do: "export what is traced in it; Perfetto's trace files are read as they are"},
	{begins: "\x28\xb5\x2f\xfd", what: "packed by zstd", do: "unpack it: zstd -d FILE"},
	{begins: "\xfd7zXZ\x00", what: "packed by xz", do: "unpack it: xz -d FILE"},
	{begins: "BZh", what: "packed by bzip2", do: "unpack it: bzip2 -d FILE"},
	{begins: "7z\xbc\xaf\x27\x1c", what: "a 7z archive", do: "unpack it and name the trace in it"},
	{begins: "version https://git-lfs.github.com/spec/", what: "what git has in place of a large file", do: "fetch the file: git lfs pull"},
}

// foreign returns a format whose opening says what a file is that begins with head, nil
// for one that is none of foreignFiles.
func foreign(head []byte) *Format {
	for i := range foreignFiles {
		f := &foreignFiles[i]
		if bytes.HasPrefix(head, []byte(f.begins)) && bytes.Contains(head, []byte(f.has)) {
			return &Format{Name: f.what, Open: func(src Source, _ *Config) (*Opened, error) {
				return nil, &trace.FormatError{Name: src.Name, Offset: -1, Msg: "this is " + f.what + ", which is not read: " + f.do}
			}}
		}
	}
	return nil
}
