package stackdump_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"artifice/format"
	"artifice/format/internal/anr"
	"artifice/format/internal/folded"
	"artifice/format/internal/formattest"
	"artifice/format/internal/jvm"
	"artifice/format/internal/perf"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// counters are shell commands that count the content of a file on standard input, without
// artifice's code.
type counters struct{ dumps, threads, frames, native, kernel string }

var counted = map[*stackdump.Format]counters{
	anr.Format.Dumps: {
		dumps:   `grep -ac '^----- pid '`,
		threads: `grep -acE '^".*" (daemon )?(prio|sysTid)='`,
		frames:  `grep -acE '^ +at '`,
		native:  `grep -acE '^ +(native: )?#[0-9]+ +pc '`,
		kernel:  `grep -acE '^ +kernel: [^(]'`,
	},
	// A report of deadlocks at the end of a file repeats stacks.
	jvm.Format.Dumps: {
		dumps:   `grep -ac '^Full thread dump '`,
		threads: `sed '/^Found one Java-level deadlock/,$d' | grep -acE '^("|os_prio).* tid=0x|^ +Mounted virtual'`,
		frames:  `sed '/^Found one Java-level deadlock/,$d' | grep -acE '^[[:space:]]+at '`,
	},
	// Kernel frames name the kernel or the vdso, the page that the kernel maps into each process.
	// Java frames name the map that the runtime writes. All other frames are machine code.
	perf.Format.Dumps: {
		dumps:   `grep -acE '^[^ 	#]'`,
		threads: `grep -acE '^[^ 	#]'`,
		frames:  `grep -acE '^[ 	].*[(/]tmp/perf-[0-9]+\.map'`,
		native:  `grep -aE '^[ 	]' | grep -avE '[(/]tmp/perf-[0-9]+\.map' | grep -acvE '\((\[kernel.kallsyms\]|\[vdso\])\)'`,
		kernel:  `grep -acE '\((\[kernel.kallsyms\]|\[vdso\])\)'`,
	},
	folded.Format.Dumps: {
		dumps:   `tr -d '\000' | grep -acE '^[^#].* [0-9]+.?$'`,
		threads: `tr -d '\000' | grep -acE '^[^#].* [0-9]+.?$'`,
		frames:  `tr -d '\000' | grep -aE '^[^#].* [0-9]+.?$' | sed 's/[^;]/,/g; s/,,*/x/g' | tr -cd x | wc -c`,
	},
}

// realFiles are all dumps in the data folder, with the numbers that the commands above count. The
// numbers of a folder are sums over its files.
var realFiles = []struct {
	path   string
	format *stackdump.Format
	want   [5]int64 // dumps, threads, frames, native, kernel
}{
	{"anr/bugsnag-exit-anr.txt", anr.Format.Dumps, [5]int64{1, 26, 89, 116, 0}},
	{"anr/digitalfarms-traces.txt", anr.Format.Dumps, [5]int64{23, 664, 1885, 742, 0}},
	{"anr/sentry-thread_dump.txt", anr.Format.Dumps, [5]int64{1, 30, 103, 116, 0}},
	{"anr/sentry-thread_dump_native_only.txt", anr.Format.Dumps, [5]int64{1, 57, 0, 981, 0}},
	{"anr/sentry-thread_dump_no_stacktrace.txt", anr.Format.Dumps, [5]int64{1, 2, 1, 0, 0}},
	{"anr/sentry-thread_dump_process_name_main.txt", anr.Format.Dumps, [5]int64{1, 2, 3, 0, 0}},
	{"anr/wanandroid-traces.txt", anr.Format.Dumps, [5]int64{14, 572, 2374, 346, 248}},
	{"jstack/class-loading", jvm.Format.Dumps, [5]int64{5, 177, 1245}},
	{"jstack/cpu-hotspot", jvm.Format.Dumps, [5]int64{6, 230, 1319}},
	{"jstack/deep-recursion", jvm.Format.Dumps, [5]int64{6, 220, 1669}},
	{"jstack/lock-contention", jvm.Format.Dumps, [5]int64{6, 250, 1474}},
	{"jstack/many-virtual-threads.txt", jvm.Format.Dumps, [5]int64{1, 64, 468}},
	{"jstack/thread-pool-exhaustion", jvm.Format.Dumps, [5]int64{6, 230, 1359}},
	{"jstack/thread-pool-load", jvm.Format.Dumps, [5]int64{5, 250, 2275}},
	{"jstack/virtual-over-time", jvm.Format.Dumps, [5]int64{4, 187, 1211}},
	{"other/perf-java-stacks-01.txt", perf.Format.Dumps, [5]int64{46, 46, 595, 300, 338}},
	{"other/perf-java-stacks-01-collapsed-all.txt", folded.Format.Dumps, [5]int64{33, 33, 911}},
	{"other/profilo-stacks.folded", folded.Format.Dumps, [5]int64{153, 153, 1510}},
	{"other/recursion.txt", folded.Format.Dumps, [5]int64{10, 10, 38}},
	{"other/sample1.collapsed", folded.Format.Dumps, [5]int64{17, 17, 121}},
	{"other/simple-crlf.txt", folded.Format.Dumps, [5]int64{5, 5, 14}},
	{"other/simple-utf16-le.txt", folded.Format.Dumps, [5]int64{5, 5, 14}},
	{"other/simple-with-invalids.txt", folded.Format.Dumps, [5]int64{5, 5, 14}},
}

func TestRealFilesCounts(t *testing.T) {
	for _, file := range realFiles {
		path := testdata.Path(t, filepath.FromSlash(file.path))
		s := formattest.OpenDumps(t, stackdump.Config{}, path)
		events := tracetest.Events(t, s)
		c := s.Counts()
		got := [5]int64{c.Dumps, c.Threads, c.Frames, c.NativeFrames, c.KernelFrames}
		if c.Format != file.format || got != file.want {
			t.Errorf("%s: %s %v, want %s %v", file.path, c.Format, got, file.format, file.want)
		}
		rec := s.Recording
		rec.Events = trace.NewSliceReader(events)
		if err := testdata.CheckValid(&rec); err != nil {
			t.Errorf("%s: %v", file.path, err)
		}
	}
}

// TestRealFilesCommands checks the table against its commands if a shell is available.
func TestRealFilesCommands(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skipf("no shell to run grep with: %v", err)
	}
	for _, file := range testdata.SomeUnlessNamed(t, realFiles, 3) {
		c := counted[file.format]
		var got [5]int64
		for _, name := range dumpsIn(t, testdata.Path(t, filepath.FromSlash(file.path))) {
			for i, command := range []string{c.dumps, c.threads, c.frames, c.native, c.kernel} {
				if command != "" {
					got[i] += count(t, command, name)
				}
			}
		}
		if got != file.want {
			t.Errorf("%s: the commands count %v, want %v as in the table", file.path, got, file.want)
		}
	}
}

// dumpsIn returns the dumps in a folder without their descriptions, or the single file.
func dumpsIn(t *testing.T, path string) []string {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !info.IsDir() {
		return []string{path}
	}
	names, err := filepath.Glob(filepath.Join(path, "*[0-9].txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no dumps in %s: %v", path, err)
	}
	return names
}

// count runs a command on a file and returns the number that it prints.
func count(t *testing.T, command, name string) int64 {
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cmd := exec.Command("sh", "-c", command)
	cmd.Stdin, cmd.Env = in, append(os.Environ(), "LC_ALL=C")
	out, _ := cmd.Output() // grep -c fails if it counts 0
	n, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		t.Fatalf("%s < %s: %v", command, name, err)
	}
	return n
}

// TestHotspotProfile counts samples by innermost method in six dumps of a program with four threads
// in hotMethod. The expected numbers are those of
//
//	cat jstack/cpu-hotspot/*dump* | grep -A3 '^"' | grep -P '^\tat' | sort | uniq -c | sort -rn
//
// whose first lines are hotMethod 20 and (each after its thread's header) wait0 18.
func TestHotspotProfile(t *testing.T) {
	s := formattest.OpenDumps(t, stackdump.Config{}, testdata.Path(t, "jstack", "cpu-hotspot"))
	leaves := map[string]int{}
	s.SnapshotsTo(tracetest.SnapshotFunc(func(snap *trace.Snapshot) {
		if snap.IsEnd() {
			return
		}
		leaves[s.Symbols.Method(snap.Stack[len(snap.Stack)-1]).FullName()] += int(snap.Count)
	}))
	tracetest.Events(t, s)
	hottest := slices.SortedFunc(keys(leaves), func(a, b string) int { return leaves[b] - leaves[a] })
	got := fmt.Sprintf("%s %d, %s %d", hottest[0], leaves[hottest[0]], hottest[1], leaves[hottest[1]])
	want := "me.bechberger.jthreaddump.test.scenarios.TestScenarios$1.hotMethod 20, java.lang.Object.wait0 18"
	if got != want {
		t.Errorf("hottest methods: %s, want %s", got, want)
	}
}

func keys(m map[string]int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// TestDeepRecursionKeepsDepth checks that the deepest stack of each of the six dumps has 116
// frames, as in the output of
//
//	awk '/^"/ {n = 0} /^\tat/ {n++; if (n > m) m = n} END {print m}'
func TestDeepRecursionKeepsDepth(t *testing.T) {
	const want = 116
	for _, name := range dumpsIn(t, testdata.Path(t, "jstack", "deep-recursion")) {
		events := tracetest.Events(t, formattest.OpenDumps(t, stackdump.Config{}, name))
		depth, deepest := map[trace.ThreadID]int{}, 0
		for _, e := range events { // one dump: enters only
			depth[e.Thread]++
			deepest = max(deepest, depth[e.Thread])
		}
		if deepest != want {
			t.Errorf("%s: deepest stack %d, want %d", filepath.Base(name), deepest, want)
		}
	}
}

// TestPerfFoldedEqualsReference folds perf's stacks and compares the lines with the output of
// "stackcollapse-perf.pl --all" of the FlameGraph tools. The tool skips the last sample, because no
// empty line follows it.
func TestPerfFoldedEqualsReference(t *testing.T) {
	reference, err := os.ReadFile(testdata.Path(t, "other", "perf-java-stacks-01-collapsed-all.txt"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(testdata.Path(t, "other", "perf-java-stacks-01.txt"))
	if err != nil {
		t.Fatal(err)
	}
	s := formattest.Parse(t, stackdump.Config{}, string(text[:bytes.LastIndex(text, []byte("\n\n"))+2]))
	got, want := sortedLines(fold(t, s)), sortedLines(string(reference))
	if !slices.Equal(got, want) {
		t.Errorf("folded stacks differ:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	formattest.Warned(t, s, "samples count cycles, which is not a unit of time; a typical sample counts as 10.10101ms of CPU time (stated in the file)")
}

// fold returns s as folded stacks with sample counts; the first frame is the thread's name.
func fold(t *testing.T, s *stackdump.Sequence) string {
	t.Helper()
	var out bytes.Buffer
	w, err := format.ByName("folded").Write(&out, &s.Recording, folded.Options{Value: folded.Calls, ByThread: true})
	if err != nil {
		t.Fatal(err)
	}
	s.SnapshotsTo(w.(trace.SnapshotWriter))
	if _, err := trace.Copy(w, s); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func sortedLines(text string) []string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	slices.Sort(lines)
	return lines
}
