package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"artifice/fixtures"
	"artifice/fleet/corpus"
)

// fleet runs the program in this process, its workers with it.
func fleet(t testing.TB, args ...string) (status int, out, messages string) {
	t.Helper()
	*jobopts.Endpoint, *jobopts.EnvironmentType = "", "" // Beam's flags stay set in a process
	var stdout, stderr bytes.Buffer
	status = run(t.Context(), args, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// must is fleet where the status is to be 0.
func must(t testing.TB, args ...string) (out, messages string) {
	t.Helper()
	status, out, messages := fleet(t, args...)
	if status != 0 {
		t.Fatalf("%s: status %d\n%s", args, status, messages)
	}
	return out, messages
}

// buildArtifice builds the program for a single machine, which says what to expect.
var buildArtifice = sync.OnceValues(func() (string, error) {
	name := filepath.Join(os.TempDir(), fmt.Sprintf("artifice-%d", os.Getpid()))
	build := exec.Command("go", "build", "-o", name, "./cmd/artifice")
	build.Dir = filepath.Join("..", "..", "..")
	out, err := build.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return name, err
})

// asProgram in the environment lets the tests be the program.
const asProgram = "ARTIFICE_FLEET_TEST"

// program returns the program as a process of its own.
func program(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	beamlog.SetupLogging("error", "text")
	status := m.Run()
	if name, err := buildArtifice(); err == nil {
		os.Remove(name)
	}
	os.Exit(status)
}

// artifice runs the program for a single machine.
func artifice(t testing.TB, args ...string) (status int, out string) {
	t.Helper()
	name, err := buildArtifice()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), name, args...)
	text, err := cmd.Output()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

// traces makes a fleet.
func traces(t testing.TB, cfg corpus.Config) *corpus.Fleet {
	t.Helper()
	made, err := corpus.Write(t.TempDir(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// converted returns what pprof's own library makes of the profiles that artifice
// converts the files to one by one, those that it can.
func converted(t testing.TB, paths []string) (sum *profile.Profile, bad []string) {
	t.Helper()
	var all []*profile.Profile
	out := filepath.Join(t.TempDir(), "one.pb.gz")
	for _, path := range paths {
		if status, _ := artifice(t, "convert", path, "-o", out); status != 0 {
			bad = append(bad, path)
			continue
		}
		all = append(all, parse(t, out))
	}
	sum, err := profile.Merge(all)
	if err != nil {
		t.Fatal(err)
	}
	return sum, bad
}

func parse(t testing.TB, name string) *profile.Profile {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	p, err := profile.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// stacks are the samples of a profile with their labels, by all that tells them apart.
func stacks(p *profile.Profile) map[string][]int64 {
	all := map[string][]int64{}
	for _, s := range p.Sample {
		var b strings.Builder
		for _, l := range s.Location {
			f := l.Line[0].Function
			fmt.Fprintf(&b, "%s %s %s %d %d\n", f.Name, f.SystemName, f.Filename, f.StartLine, l.Line[0].Line)
		}
		for _, key := range slices.Sorted(maps.Keys(s.Label)) {
			fmt.Fprintln(&b, key, s.Label[key])
		}
		for _, key := range slices.Sorted(maps.Keys(s.NumLabel)) {
			fmt.Fprintln(&b, key, s.NumLabel[key])
		}
		all[b.String()] = s.Value
	}
	return all
}

// TestProfile: the profile is what pprof makes of artifice's, for 1, 2 and 8 workers
// and in another order; and byte for byte the same for all of these.
func TestProfile(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 60, Seed: 1, Broken: 20, Sampled: true})
	want, bad := converted(t, made.Paths)
	if diff := cmp.Diff(made.Bad, bad); diff != "" {
		t.Fatalf("artifice cannot convert (-made broken +got):\n%s", diff)
	}
	reversed := slices.Clone(made.Paths)
	slices.Reverse(reversed)
	out := filepath.Join(t.TempDir(), "all.pb.gz")
	var first []byte
	for _, list := range [][]string{made.Paths, reversed} {
		for _, workers := range []string{"1", "2", "8"} {
			_, messages := must(t, append([]string{"profile", "-o", out, "--threads", "tid", "--workers", workers}, list...)...)
			for _, path := range made.Bad {
				if !strings.Contains(messages, path) {
					t.Errorf("%s is broken and not listed:\n%s", path, messages)
				}
			}
			b, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = b
				compare(t, want, parse(t, out))
			}
			if !bytes.Equal(first, b) {
				t.Errorf("%s workers give another file", workers)
			}
		}
	}
	want.RemoveNumLabel("tid")
	if want, err := profile.Merge([]*profile.Profile{want}); err != nil {
		t.Error(err)
	} else {
		must(t, append([]string{"profile", "-o", out}, made.Paths...)...)
		compare(t, want, parse(t, out))
	}
}

func compare(t *testing.T, want, got *profile.Profile) {
	t.Helper()
	if diff := cmp.Diff(stacks(want), stacks(got)); diff != "" {
		t.Errorf("stacks (-want +got):\n%s", diff)
	}
	types := func(p *profile.Profile) (list []string) {
		for _, s := range append(slices.Clone(p.SampleType), p.PeriodType) {
			list = append(list, s.Type+" "+s.Unit)
		}
		return append(list, p.DefaultSampleType)
	}
	if diff := cmp.Diff(types(want), types(got)); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
	if want.DurationNanos != got.DurationNanos || want.Period != got.Period || len(want.Function) != len(got.Function) {
		t.Errorf("duration %d, period %d, %d functions; want %d, %d, %d", got.DurationNanos, got.Period, len(got.Function), want.DurationNanos, want.Period, len(want.Function))
	}
}

// TestProfileBy: the profile of each group is that of its files alone, in a folder or
// by its labels in one file.
func TestProfileBy(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 30, Seed: 2})
	dir := filepath.Join(t.TempDir(), "profiles") + "/"
	must(t, "profile", made.Manifest, "--by", "app,version", "-o", dir)
	all := filepath.Join(t.TempDir(), "all.pb.gz")
	must(t, "profile", made.Manifest, "--by", "app,version", "-o", all)
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 4 {
		t.Fatal(list, err)
	}
	var mail12 []string // apps take turns every 12 traces, versions every 6
	for i, path := range made.Paths {
		if i/12%2 == 0 && i/6%2 == 0 {
			mail12 = append(mail12, path)
		}
	}
	want, _ := converted(t, mail12)
	want.RemoveNumLabel("tid")
	got := parse(t, dir+"app=mail,version=1.2.pb.gz")
	group := parse(t, all)
	group.Sample = slices.DeleteFunc(group.Sample, func(s *profile.Sample) bool { return s.Label["app"][0] != "mail" || s.Label["version"][0] != "1.2" })
	for _, p := range []*profile.Profile{want, got, group} {
		p.RemoveLabel("app")
		p.RemoveLabel("version")
	}
	want, err = profile.Merge([]*profile.Profile{want})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, want, got)
	if diff := cmp.Diff(stacks(want), stacks(group)); diff != "" {
		t.Errorf("in one file (-want +got):\n%s", diff)
	}
}

// TestCheck: the findings are those of artifice check, over the whole corpus of
// fixtures, and the conclusions are its last lines.
func TestCheck(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "corpus")
	if _, err := fixtures.Write(dir, fixtures.Config{Seed: 1}); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, below := range []string{"valid", "odd", "broken"} {
		list, err := filepath.Glob(filepath.Join(dir, below, "*"))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, list...)
	}
	wantStatus, want := artifice(t, append([]string{"check", "--csv"}, paths...)...)
	for _, workers := range []string{"1", "2", "8"} {
		status, got, messages := fleet(t, append([]string{"check", "--csv", "--workers", workers}, paths...)...)
		if diff := cmp.Diff(want, got); diff != "" || status != wantStatus {
			t.Fatalf("%s workers: status %d, want %d (-want +got):\n%s%s", workers, status, wantStatus, diff, messages)
		}
	}
	_, text := artifice(t, append([]string{"check", "--most", "0"}, paths...)...)
	_, got, _ := fleet(t, append([]string{"check", "--files"}, paths...)...)
	conclusions := slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool {
		return !strings.HasSuffix(line, " more of "+line) && strings.Contains(line, " more of ")
	})
	if files, _, _ := strings.Cut(got, fmt.Sprintf("%d files: ", len(paths))); files != strings.Join(conclusions, "") {
		t.Errorf("conclusions: %s", cmp.Diff(strings.Join(conclusions, ""), files))
	}
}

// TestDiff: the table is that of artifice diff on the same files, for any number of
// workers and in any order, to the rounding of sums; and Feed.draw has changed by what was
// drawn for it.
func TestDiff(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 48, Seed: 4})
	var sides [2][]string
	var drawn [2]time.Duration
	for i, path := range made.Paths {
		side := i / 6 % 2 // versions take turns every 6 traces
		sides[side] = append(sides[side], path)
		drawn[side] += made.Drawn[i]
	}
	status, text := artifice(t, slices.Concat([]string{"diff"}, sides[0], []string{"--csv", "--to"}, sides[1])...)
	if status != 0 {
		t.Fatal(status)
	}
	want := table(t, text)
	for _, workers := range []string{"1", "2", "8"} {
		list := made.Manifest
		if workers == "2" {
			list = reversed(t, made.Manifest)
		}
		text, _ := must(t, "diff", list, "--by", "version", "--from", "1.2", "--to", "1.3", "--csv", "--workers", workers)
		got := table(t, text)
		if len(got) != len(want) {
			t.Fatalf("%d rows, want %d", len(got), len(want))
		}
		for i := range want {
			for c := range want[i] {
				if !sameCell(want[i][c], got[i][c]) {
					t.Errorf("%s workers, %s: %s is %s, want %s", workers, want[i][0], want[0][c], got[i][c], want[i][c])
				}
			}
		}
	}
	// Dalvik's files, one in six, spell the class with slashes.
	sum := time.Duration(0)
	for _, row := range want[1:] {
		if strings.HasSuffix(row[0], "Feed.draw()V") {
			ns, err := strconv.ParseInt(row[slices.Index(want[0], "self_change_ns")], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += time.Duration(ns)
		}
	}
	if truth := (drawn[1] - drawn[0]) / 24; (sum - truth).Abs() > 2 { // two rows, each rounded
		t.Errorf("Feed.draw changed by %s, truly by %s", sum, truth)
	}
}

// TestDiffOverloads: f() of 2 ms and f(int) of 3 ms are methods of their own where all
// traces say so, and one of 5 ms where one side is timelines, which have no signatures.
func TestDiffOverloads(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const withSignatures = "# artifice text trace\ninfo\tclock\twall\nthread\t1\tmain\n" +
		"method\t0x4\ta.B\tf\t()V\t\t-1\nmethod\t0x8\ta.B\tf\t(I)V\t\t-1\n" +
		"0 - 1 enter a.B.f()V\n2000000 - 1 exit a.B.f()V\n2000000 - 1 enter a.B.f(I)V\n5000000 - 1 exit a.B.f(I)V\n"
	const timeline = `{"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":9000,"name":"a.B.f"}]}`
	list := "path,kind\n"
	for _, name := range []string{"trace-0", "trace-1", "same-0", "same-1"} {
		list += write(name, withSignatures) + "," + strings.TrimRight(name, "-01") + "\n"
	}
	for _, name := range []string{"timeline-0", "timeline-1"} {
		list += write(name, timeline) + ",timeline\n"
	}
	list = write("list.csv", list)
	for side, want := range map[string][]string{
		"timeline": {"a.B.f 5000000 9000000"},
		"same":     {"a.B.f()V 2000000 2000000", "a.B.f(I)V 3000000 3000000"},
	} {
		text, _ := must(t, "diff", list, "--by", "kind", "--from", "trace", "--to", side, "--csv")
		rows := table(t, text)
		var got []string
		for _, row := range rows[1:] {
			cells := []string{row[0]}
			for _, column := range []string{"self_old_ns", "self_new_ns"} {
				cells = append(cells, row[slices.Index(rows[0], column)])
			}
			got = append(got, strings.Join(cells, " "))
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", side, diff)
		}
	}
}

// reversed returns a manifest with the files of another in the reverse order.
func reversed(t *testing.T, manifest string) string {
	t.Helper()
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
	lines[len(lines)-1] += "\n"
	slices.Reverse(lines[1:])
	name := filepath.Join(filepath.Dir(manifest), "reversed.csv")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func table(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatal(err, text)
	}
	return rows
}

// sameCell reports whether two cells are the same text, or numbers that differ by no
// more than another order of the same sums can make.
func sameCell(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return a == b || err == nil && err2 == nil && math.Abs(x-y) <= 1e-9*math.Abs(x)
}

// TestBench: the spread over traces is that of what artifice bench says of each, for any
// number of workers; the least interval that is advised reaches the goal in 95 % of them.
func TestBench(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 5, Seed: 5})
	flags := []string{"--intervals", "1ms,5ms", "--seeds", "3", "--csv"}
	means := map[string][]float64{} // by mode, interval and measure
	for _, path := range made.Paths {
		status, text := artifice(t, append([]string{"bench", path}, flags...)...)
		if status != 0 {
			t.Fatal(status, text)
		}
		rows := table(t, text)
		for _, row := range rows[1:] {
			for c := 3; c < len(row); c += 4 {
				if v, err := strconv.ParseFloat(row[c], 64); err == nil {
					key := fmt.Sprint(row[0], row[2], rows[0][c])
					means[key] = append(means[key], v)
				}
			}
		}
	}
	for _, workers := range []string{"1", "2", "8"} {
		list := made.Manifest
		if workers == "2" {
			list = reversed(t, made.Manifest)
		}
		text, _ := must(t, append([]string{"bench", list, "--workers", workers}, flags...)...)
		rows := table(t, text)
		column := func(name string) int { return slices.Index(rows[0], name) }
		for _, row := range rows[1:] {
			key := fmt.Sprint(row[0], row[column("interval_ns")], row[column("measure")])
			want := slices.Sorted(slices.Values(means[key]))
			if len(want) != len(made.Paths) {
				t.Fatalf("%s: %d traces", key, len(want))
			}
			// Of five values the third is the median, the first and last what a tenth
			// and nine tenths have at most.
			for name, v := range map[string]float64{"p10": want[0], "median": want[2], "p90": want[4]} {
				if got := row[column(name)]; !sameCell(strconv.FormatFloat(v, 'g', -1, 64), got) {
					t.Errorf("%s workers: %s of %s is %s, want %v", workers, name, key, got, v)
				}
			}
		}
		if len(rows)-1 != len(means) {
			t.Errorf("%d rows, want %d", len(rows)-1, len(means))
		}
	}
}

// TestBadFiles: files that cannot be read are listed and counted, and do not fail the
// job unless none can.
func TestBadFiles(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 4, Seed: 3})
	missing := filepath.Join(t.TempDir(), "missing.trace")
	list, out := filepath.Join(t.TempDir(), "errors.csv"), filepath.Join(t.TempDir(), "all.pb.gz")
	_, messages := must(t, append([]string{"profile", "-o", out, "--errors", list, missing}, made.Paths...)...)
	if !strings.Contains(messages, missing) || !strings.Contains(messages, "wrote "+out+", the sum of 4 traces\n5 files (1 left out), ") {
		t.Error(messages)
	}
	if text, err := os.ReadFile(list); err != nil || !strings.HasPrefix(string(text), "file,error\n"+missing+",") || strings.Count(string(text), "\n") != 2 {
		t.Errorf("%s %v", text, err)
	}
	status, _, messages := fleet(t, "profile", "-o", out, missing)
	if status != exitFailed || !strings.Contains(messages, "none of the files could be used") {
		t.Errorf("status %d: %s", status, messages)
	}
	free := freePort(t)
	server, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for endpoint, want := range map[string]string{"localhost:" + free: "no job server answers: ", server.Addr().String(): "there are no workers: "} {
		status, _, messages = fleet(t, "check", made.Manifest, "--runner", "universal", "--endpoint", endpoint, "--environment_type", "external", "--environment_config", "localhost:"+free)
		if status != exitFailed || !strings.Contains(messages, want) {
			t.Errorf("%s: status %d: %s", endpoint, status, messages)
		}
	}
	*runners.Runner, *jobopts.EnvironmentConfig = "", ""
	if status, _, messages = fleet(t, "check", missing); status != exitFailed {
		t.Errorf("check: status %d: %s", status, messages)
	}
}

// TestSampled: bench says of a sampled trace what it is, and sweeps the others.
func TestSampled(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 4, Seed: 3, Sampled: true}) // the last is sampled
	out, messages := must(t, "bench", made.Manifest, "--intervals", "5ms", "--seeds", "1")
	want := "artifice-fleet: " + made.Paths[3] + ": this is a sampled trace; bench needs one of every call\n4 files (1 left out), "
	if !strings.HasPrefix(messages, want) || !strings.Contains(out, "\n3 traces\n") {
		t.Errorf("%s%s", messages, out)
	}
	status, _, messages := fleet(t, "bench", made.Paths[3])
	if status != exitFailed || !strings.Contains(messages, "none of the files could be used") {
		t.Errorf("status %d: %s", status, messages)
	}
}

// TestUsage: what makes no sense is status 2 and says what would.
func TestUsage(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 1})
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"profile", made.Manifest}, `"output" not set`},
		{[]string{"profile", made.Manifest, "-o", "x.pb.gz", "--by", "colour"}, "no file has the label colour; labels are app, device, version"},
		{[]string{"profile", made.Paths[0], "-o", "x.pb.gz", "--by", "app"}, "labels come from a manifest"},
		{[]string{"profile", made.Manifest, "-o", "x/"}, "needs --by LABELS"},
		{[]string{"profile", made.Manifest, "-o", "x.pb.gz", "--threads", "all"}, "--threads"},
		{[]string{"check"}, "requires at least 1 arg"},
		{[]string{"check", made.Manifest, "--workers", "0"}, "--workers 0"},
		{[]string{"check", made.Manifest, "--endpoint", "other.example:8099"}, "need --temp FOLDER"},
	} {
		status, _, messages := fleet(t, test.args...)
		if status != exitUsage || !strings.Contains(messages, test.want) {
			t.Errorf("%s: status %d: %s", test.args, status, messages)
		}
	}
}
