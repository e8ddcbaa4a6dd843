package stackdump

import (
	"bytes"
	"io"
)

// Format is one of the forms of dumps that are read.
type Format string

const (
	ANR        Format = "anr"        // Android's SIGQUIT dumps: ANR files, exit-info traces
	JVM        Format = "jvm"        // HotSpot's thread dumps: jstack, jcmd Thread.print, kill -3
	JVMText    Format = "jvm-text"   // jcmd Thread.dump_to_file
	JVMJSON    Format = "jvm-json"   // jcmd Thread.dump_to_file -format=json
	Folded     Format = "folded"     // folded stacks with counts
	Perf       Format = "perf"       // the text of perf script
	Simpleperf Format = "simpleperf" // the text of simpleperf report-sample
	BlockInfo  Format = "blockinfo"  // BlockCanaryX's reports
	Profilo    Format = "profilo"    // profilo's logs
	JSONLines  Format = "jsonl"      // our own JSON lines

	Btrace3         Format = "btrace3"            // btrace 3's sampling files
	SimpleperfProto Format = "simpleperf-proto"   // simpleperf report-sample --protobuf
	JFR             Format = "jfr-json"           // what jfr print --json prints
	Firefox         Format = "firefox"            // processed profiles of the Firefox Profiler
	CPUProfile      Format = "cpuprofile"         // V8's CPU profiles
	Speedscope      Format = "speedscope-samples" // the sampled profiles of speedscope's format
)

// HasTimes reports whether dumps of the format were taken at times that it tells, or in
// an order. Folded stacks are sums.
func (f Format) HasTimes() bool { return f != Folded }

// HasAddresses reports whether dumps of the format have addresses in place of the names
// of methods, which a file of their own has: see [Config.Names].
func (f Format) HasAddresses() bool { return f == Btrace3 }

// kinds is the registry of formats: a new one is a file with its parser and a
// line here.
var kinds = []kind{
	{ANR, "stack dumps of Android's runtimes: ANR files, kill -3, exit-info traces", isANR, newANR, aText},
	{JVM, "thread dumps of HotSpot: jstack, jcmd Thread.print, kill -3", isJVM, newJVM, aText},
	{JVMText, "thread dumps of jcmd Thread.dump_to_file", isJVMText, newJVMText, aText},
	{JVMJSON, "thread dumps of jcmd Thread.dump_to_file -format=json", isJVMJSON, newJVMJSON, aText},
	{Folded, "folded stacks with counts", isFolded, newFolded, anyText},
	{Perf, "the text of perf script", isPerf, newPerf, aText},
	{Simpleperf, "the text of simpleperf report-sample", isSimpleperf, newSimpleperf, aText},
	{BlockInfo, "BlockCanaryX's .blockInfo reports", isBlockInfo, newBlockInfo, aText},
	{Profilo, "profilo's logs: their stacks", isProfilo, newProfilo, aText},
	{JSONLines, "stack dumps as JSON lines, for programs that dump themselves", isJSONLines, newJSONLines, aText},
	{Btrace3, "btrace 3's sampling file, with sampling-mapping beside it", isBtrace3, newBtrace3, binaryFile},
	{SimpleperfProto, "what simpleperf report-sample --protobuf writes", isSimpleperfProto, newSimpleperfProto, binaryFile},
	{Firefox, "the Firefox Profiler's processed profiles, as it saves them", isFirefox, newFirefox, aText},
	{CPUProfile, "V8's CPU profiles (.cpuprofile): node --cpu-prof, Chrome's developer tools", isCPUProfile, newCPUProfile, aText},
	{JFR, "what jfr print --json prints of a recording of the JDK's Flight Recorder", isJFR, newJFR, aText},
	{Speedscope, "speedscope's JSON: sampled profiles", isSpeedscope, newSpeedscope, aText},
}

// kind is what there is to a format.
type kind struct {
	name        Format
	description string
	detect      func(head []byte) bool // whether a file that begins so is of this format
	parser      func(in input, file io.Reader, cfg ReaderConfig) parser
	content     content
}

// content is what a file of a format consists of.
type content uint8

const (
	aText      content = iota
	anyText            // much other text looks like it: it is tried when no other format fits
	binaryFile         // no text: lines are not looked for, nor another character set
)

// kindOf returns the kind of that name, nil when there is none.
func kindOf(f Format) *kind {
	for i := range kinds {
		if kinds[i].name == f {
			return &kinds[i]
		}
	}
	return nil
}

// Description returns a line that says what the format is; "" for one that is
// not known.
func (f Format) Description() string {
	if k := kindOf(f); k != nil {
		return k.description
	}
	return ""
}

// Formats lists all formats.
func Formats() []Format {
	all := make([]Format, len(kinds))
	for i := range kinds {
		all[i] = kinds[i].name
	}
	return all
}

// SniffLen is how many bytes of a file, unpacked, [Detect] wants to see. A
// dump may begin that far into a log.
const SniffLen = 1 << 20

// Detect tells the format of a file from its beginning, which is UTF-8 where it is
// text; ok is false when it is none of them.
func Detect(head []byte) (f Format, ok bool) {
	for _, content := range []content{binaryFile, aText, anyText} {
		if content != binaryFile && !isText(head) {
			break
		}
		for i := range kinds {
			if kinds[i].content == content && kinds[i].detect(head) {
				return kinds[i].name, true
			}
		}
	}
	return "", false
}

// isText reports whether head can begin a dump: binary files and method traces
// do not.
func isText(head []byte) bool {
	return bytes.IndexByte(head[:min(len(head), 512)], 0) < 0 && !bytes.HasPrefix(head, []byte("*version\n"))
}

// hasLine reports whether a line of text begins so.
func hasLine(text []byte, prefix string) bool {
	return bytes.HasPrefix(text, []byte(prefix)) || bytes.Contains(text, []byte("\n"+prefix))
}

// hasJSONKey reports whether head begins a JSON object and has the key somewhere.
func hasJSONKey(head []byte, key string) bool {
	text := bytes.TrimLeft(head, " \t\r\n")
	return len(text) > 0 && text[0] == '{' && bytes.Contains(text, []byte(`"`+key+`"`))
}
