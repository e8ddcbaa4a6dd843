package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"artifice/internal/testdata"
)

// TestPprofValues checks that pprof profiles have the values and units that go tool pprof prints.
func TestPprofValues(t *testing.T) {
	for _, c := range []struct {
		file string
		args string
		want []string // regular expressions
	}{
		{"heap.pb.gz", "", []string{`^[^\n]*heap.pb.gz: a profile of inuse_space in bytes, 1 thread\nmain: inuse_space 1 GB\n`, `(?m)^1 GB +100\.0 % +1 GB +big$`, `(?m)^80 B +0\.0 % +80 B +small$`}},
		{"heap.pb.gz", "--value alloc_objects --csv", []string{`(?m)^small,0,1000,1000,alloc_objects,count\nbig,0,2,2,alloc_objects,count$`}},
		{"heap.pb.gz", "--tree", []string{`(?m)^1 GB +100\.0 % +1 GB +big$`}},
		{"diff-negative.pb.gz", "", []string{`cpu differences, 1 thread\nmain: cpu -200 ms \(\+100 ms and -300 ms\)\n`, `(?m)^-300 ms +-75\.0 % +-300 ms +b\n +100 ms +25\.0 % +100 ms +a\n +0 s +0\.0 % +-200 ms +main$`}},
		{"rbspy-ns.pb.gz", "", []string{`rbspy-ns.pb.gz: 60 ms, sampled every 10 ms, 6 samples`, `(?m)^50 ms .* x$`, `(?m)^10 ms .* y$`}},
		{"dd-py.pb.gz", "--value cpu-time --thread all", []string{`(?m)^100 ms .* 100\.0 % .* spin$`, `^(?s:[^\n]*\n)worker-7: CPU 100 ms`}},
		{"dd-py.pb.gz", "--value wall-time", []string{`(?m)^900 ms .* 90\.0 % .* sleep$`, `(?m)^100 ms .* 10\.0 % .* spin$`}},
		{"dd-py.pb.gz", "", []string{`CPU 100 ms, waiting 900 ms`, `\(--value wall-time or --value cpu-time reads one of them\)`}},
		{"inline.pb.gz", "", []string{`(?m)^90 ms .* 100\.0 % .* leaf$`, `(?m) 90 ms +≥ 1 +mid$`, `(?m) 90 ms +≥ 1 +outer$`}},
	} {
		status, stdout, stderr := artifice(append([]string{"report", testdata.Path(t, "field", c.file)}, strings.Fields(c.args)...)...)
		if status != exitOK {
			t.Fatal(stderr)
		}
		for _, want := range c.want {
			if text := stdout + stderr; !regexp.MustCompile(want).MatchString(text) {
				t.Errorf("%s %s: nothing matches %s:\n%s", c.file, c.args, want, text)
			}
		}
	}
}

// TestBenchValue checks that bench replays the value of a profile that --value selects, also with
// --slow.
func TestBenchValue(t *testing.T) {
	file := testdata.Path(t, "field", "dd-py.pb.gz")
	for args, want := range map[string]string{
		"":                                    `2 threads, 900 ms; CPU time: 10 % of the threads' wall time\n`,
		"--value cpu-time":                    `1 thread, 100 ms; CPU time: 100 % of the threads' wall time\n`,
		"--value wall-time":                   `2 threads, 900 ms\nCPU time is estimated as the wall time of methods that do not wait \(no CPU clock\)`,
		"--value wall-time/nanoseconds --cpu": `2 threads, 900 ms\n`,
		"--value alloc-space":                 `no sample with a value of alloc-space \(--value NAME reads others: cpu-samples, `,
		"--value nothing":                     `no value "nothing" \(--value\); the profile has `,
		"--value nothing --slow spin=1.5":     `no value "nothing" \(--value\); the profile has `,
	} {
		_, stdout, stderr := artifice(append([]string{"bench", file, "--intervals", "10ms", "--seeds", "1"}, strings.Fields(args)...)...)
		if text := stdout + stderr; !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s: nothing matches %s:\n%s", args, want, text)
		}
	}
	if _, _, stderr := artifice("bench", "w1-single-call", "--value", "cpu-time"); !strings.Contains(stderr, "w1-single-call is not one") {
		t.Errorf("--value of a workload: %q", stderr)
	}
}

// noTime matches words that do not occur in a report, a difference or a description of a quantity
// other than time.
var noTime = regexp.MustCompile(`running|waiting|CPU|\d m?s\b|sampled`)

// TestOtherQuantities checks that every command reads a memory profile as memory, and refuses it as
// a ground truth.
func TestOtherQuantities(t *testing.T) {
	heap, dir := testdata.Path(t, "field", "heap.pb.gz"), t.TempDir()
	out := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct{ args, want string }{
		{"report " + heap, "main: inuse_space 1 GB"},
		{"report --json " + heap, `"self": 1000000000,`}, {"report --json " + heap, `"total": 1000000000,`},
		{"info " + heap, "total      inuse_space 1 GB"},
		{"diff " + heap + " --to " + heap, "Total 1 GB → 1 GB (0 B)."},
		{"diff " + heap + " --to " + heap + " --csv", "self_old,self_new,self_change"},
		{"convert " + heap + " -o - --format folded", "# inuse_space;bytes 0\nmain;small 80\nmain;big 1000000000\n"},
		{"convert " + heap + " -o - --format speedscope", `"unit":"bytes"`},
		{"convert " + heap + " --value alloc_objects -o - --format folded", "# alloc_objects;count 0\nmain;small 1000\nmain;big 2\n"},
	} {
		status, stdout, stderr := artifice(append(strings.Fields(c.args), "-q")...)
		if status != exitOK || !strings.Contains(stdout, c.want) || noTime.MatchString(strings.ReplaceAll(stdout, heap, "")) {
			t.Errorf("%s: status %d, want %q: %s%s", c.args, status, c.want, stdout, stderr)
		}
	}
	for args, want := range map[string]string{
		"bench " + heap:                             "a ground truth consists of times of threads",
		"score " + heap + " " + heap:                "a ground truth consists of times of threads",
		"expect " + heap + " " + heap:               "a ground truth consists of times of threads",
		"convert " + heap + " -o " + out("x.trace"): "the profile contains inuse_space in bytes, but the format art contains times; write pprof, otlp, folded or speedscope",
		"convert " + heap + " -o " + out("x.txt"):   "text contains times",
		"report " + heap + " --each big":            "this command requires times of threads",
		"report " + heap + " --clock cpu":           "--clock and --waiting apply to times of threads",
		"diff " + heap + " --thread all --to " + testdata.Path(t, "field", "dd-py.pb.gz"):   "the profiles contain inuse_space in bytes and times of threads: select the same value of all profiles with --value NAME",
		"view " + testdata.Path(t, "field", "diff-negative.pb.gz") + " -o " + out("x.html"): "negative values has no timeline",
	} {
		if status, _, stderr := artifice(strings.Fields(args)...); status == exitOK || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, want %q: %s", args, status, want, stderr)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("refused conversions leave %v (%v)", entries, err)
	}
	_, _, stderr := artifice("convert", heap, "-o", out("x.folded"))
	if want := "without the profile's values (alloc_objects, alloc_space, inuse_objects), labels (bytes), files and lines, addresses and mappings; to keep everything, convert the whole profile to pprof or otlp\n"; !strings.HasSuffix(stderr, want) {
		t.Errorf("%q, want %q", stderr, want)
	}
	page := out("heap.html")
	if status, _, stderr := artifice("view", heap, "-o", page, "-q"); status != exitOK {
		t.Fatal(stderr)
	}
}

// TestDifferenceReadAgain checks that a difference that diff writes keeps its signs when it is
// read.
func TestDifferenceReadAgain(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old, now, out := file("old.folded", "# wall;ms 0\nmain;a 300\nmain;b 100\n"), file("new.folded", "# wall;ms 0\nmain;a 100\nmain;b 350\n"), filepath.Join(dir, "d.pb.gz")
	if status, _, stderr := artifice("diff", old, "--to", now, "-o", out); status != exitOK {
		t.Fatal(stderr)
	}
	status, stdout, stderr := artifice("report", out, "--csv")
	if want := "b,0,250000000,250000000,wall,nanoseconds\na,0,-200000000,-200000000,wall,nanoseconds\n"; status != exitOK || !strings.Contains(stdout, want) {
		t.Errorf("%d %s%s, want %s", status, stdout, stderr, want)
	}
}

// TestPprofLossless checks that a pprof profile that is written again, directly or through OTLP, is
// unchanged except for the order of its tables and samples.
func TestPprofLossless(t *testing.T) {
	for _, name := range []string{"heap", "diff-negative", "rbspy-ns", "dd-py", "inline"} {
		source, dir := testdata.Path(t, "field", name+".pb.gz"), t.TempDir()
		direct, otlp, back := filepath.Join(dir, "a.pb.gz"), filepath.Join(dir, "a.otlp"), filepath.Join(dir, "b.pb.gz")
		for _, c := range [][2]string{{source, direct}, {source, otlp}, {otlp, back}} {
			if status, stdout, stderr := artifice("convert", c[0], "-o", c[1]); status != exitOK || stdout+stderr != "" && !strings.Contains(stderr, "--value") && c[1] != back {
				t.Fatal(name, c[1], stdout, stderr)
			}
		}
		want := rawLines(t, source)
		for _, file := range []string{direct, back} {
			if got := rawLines(t, file); !slices.Equal(got, want) {
				t.Errorf("%s differs from %s:\n%s\nwant\n%s", filepath.Base(file), name, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// rawLines returns the sorted lines that go tool pprof -raw prints for a file.
func rawLines(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(p.String(), "\n")
	slices.Sort(lines)
	return lines
}

// TestFoldedQuantity checks that folded stacks of a quantity are refused as a ground truth, like
// the profile from which they were written.
func TestFoldedQuantity(t *testing.T) {
	file := filepath.Join(t.TempDir(), "q.folded")
	if err := os.WriteFile(file, []byte("# inuse_space;bytes 0\nmain;a 100\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"bench", file}, {"score", file, file}, {"expect", file, file}} {
		status, _, stderr := artifice(args...)
		if want := "the profile contains inuse_space in bytes, and a ground truth consists of times of threads"; status == exitOK || !strings.Contains(stderr, want) {
			t.Errorf("%q: status %d, want %q: %s", args, status, want, stderr)
		}
	}
}
