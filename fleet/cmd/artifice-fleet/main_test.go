package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/gcpopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/google/go-cmp/cmp"

	"artifice/fixtures"
	"artifice/fleet/corpus"
)

// fleet runs the program and its workers in this process.
func fleet(t testing.TB, args ...string) (status int, out, messages string) {
	t.Helper()
	*jobopts.Endpoint, *jobopts.EnvironmentType, *runners.Runner = "", "", "" // Beam's flags stay set in a process
	var stdout, stderr bytes.Buffer
	status = run(t.Context(), args, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// must is fleet with an expected status of 0.
func must(t testing.TB, args ...string) (out, messages string) {
	t.Helper()
	status, out, messages := fleet(t, args...)
	if status != 0 {
		t.Fatalf("%s: status %d\n%s", args, status, messages)
	}
	return out, messages
}

// partly is fleet with --keep-going, for inputs with unreadable files: the expected status is 1.
func partly(t testing.TB, args ...string) (out, messages string) {
	t.Helper()
	status, out, messages := fleet(t, append(args, "--keep-going")...)
	if status != exitFailed {
		t.Fatalf("%s --keep-going: status %d\n%s", args, status, messages)
	}
	return out, messages
}

// buildArtifice builds the program for a single machine, which provides the expected results.
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

// asProgram is the environment variable that makes the test binary run the program.
const asProgram = "ARTIFICE_FLEET_TEST"

// program returns a command that runs the program in a separate process.
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

// traces creates a fleet.
func traces(t testing.TB, cfg corpus.Config) *corpus.Fleet {
	t.Helper()
	made, err := corpus.Write(t.TempDir(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// TestCheck: the findings are those of artifice check, over the whole corpus of fixtures, and the
// conclusions are its last lines.
func TestCheck(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "corpus")
	if _, err := fixtures.Write(t.Context(), dir, fixtures.Config{Seed: 1}); err != nil {
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
		status, got, messages := fleet(t, append([]string{"check", "--csv", "--keep-going", "--workers", workers}, paths...)...)
		if diff := cmp.Diff(want, got); diff != "" || status != wantStatus {
			t.Fatalf("%s workers: status %d, want %d (-want +got):\n%s%s", workers, status, wantStatus, diff, messages)
		}
	}
	_, text := artifice(t, append([]string{"check", "--most", "0"}, paths...)...)
	_, got, _ := fleet(t, append([]string{"check", "--files", "--keep-going"}, paths...)...)
	conclusions := slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool {
		return !strings.HasSuffix(line, " more of "+line) && strings.Contains(line, " more of ") || strings.Contains(line, "artifice check --explain") // the fleet has no such command
	})
	if files, _, _ := strings.Cut(got, fmt.Sprintf("%d files: ", len(paths))); files != strings.Join(conclusions, "") {
		t.Errorf("conclusions: %s", cmp.Diff(strings.Join(conclusions, ""), files))
	}
}

// TestBench: the distribution over traces is that of the results of artifice bench, for any number
// of workers. The shortest advised interval meets the goal in 95 % of the traces.
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
				if rows[0][c] == "slowdown_min" { // the ends of a range, which are not measures
					break
				}
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
			// Of five values the median is the third. The first and the last are the 10th and 90th
			// percentiles.
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

// TestBadFiles: if a file cannot be read, each command lists it, leaves no files, and ends with
// status 1; with --keep-going there is a result for the other files.
func TestBadFiles(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 4, Seed: 3})
	missing, dir := filepath.Join(t.TempDir(), "missing.trace"), t.TempDir()
	list, out := filepath.Join(dir, "errors.csv"), filepath.Join(dir, "all.pb.gz")
	manifest := filepath.Join(dir, "list.csv")
	text := "path,side\n" + missing + ",a\n"
	for i, path := range made.Paths {
		text += path + "," + "ab"[i%2:i%2+1] + "\n"
	}
	if err := os.WriteFile(manifest, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"profile", "-o", out},
		{"check"},
		{"diff", "--by", "side", "--from", "a", "--to", "b"},
		{"bench", "--intervals", "5ms", "--seeds", "1"},
	} {
		args = append(args, manifest, "--errors", list)
		status, printed, messages := fleet(t, args...)
		if _, err := os.Stat(out); status != exitFailed || printed != "" || err == nil || !strings.Contains(messages, missing) || !strings.Contains(messages, "1 of 5 files could not be used") {
			t.Errorf("%s: status %d: %s%s", args, status, printed, messages)
		}
		if text, err := os.ReadFile(list); err != nil || !strings.HasPrefix(string(text), "file,error\n"+missing+",") || strings.Count(string(text), "\n") != 2 {
			t.Errorf("%s %v", text, err)
		}
		printed, messages = partly(t, args...)
		if _, err := os.Stat(out); printed == "" && err != nil || !strings.Contains(messages, "\n5 files (1 left out), ") {
			t.Errorf("%s --keep-going: %s%s", args, printed, messages)
		}
		os.Remove(out)
	}
	status, _, messages := fleet(t, "profile", "-o", out, missing, "--keep-going")
	if status != exitFailed || !strings.Contains(messages, "none of the files could be used") {
		t.Errorf("status %d: %s", status, messages)
	}
}

// TestNoWorkers: without workers, the program reports an error.
func TestNoWorkers(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 1, Seed: 3})
	free := freePort(t)
	server, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for endpoint, want := range map[string]string{"localhost:" + free: "no job server answers: ", server.Addr().String(): "there are no workers: "} {
		status, _, messages := fleet(t, "check", made.Manifest, "--runner", "universal", "--endpoint", endpoint, "--environment_type", "external", "--environment_config", "localhost:"+free)
		if status != exitFailed || !strings.Contains(messages, want) {
			t.Errorf("%s: status %d: %s", endpoint, status, messages)
		}
	}
	*runners.Runner, *jobopts.EnvironmentConfig = "", ""
}

// TestSampled: bench reports a sampled trace as such, and sweeps the others.
func TestSampled(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 4, Seed: 3, Sampled: true}) // the last is sampled
	out, messages := partly(t, "bench", made.Manifest, "--intervals", "5ms", "--seeds", "1")
	want := "artifice-fleet: " + made.Paths[3] + ": this is a sampled trace; bench needs one of every call\n4 files (1 left out), "
	if !strings.HasPrefix(messages, want) || !strings.Contains(out, "\n3 traces\n") {
		t.Errorf("%s%s", messages, out)
	}
	status, _, messages := fleet(t, "bench", made.Paths[3])
	if status != exitFailed || !strings.Contains(messages, "none of the files could be used") {
		t.Errorf("status %d: %s", status, messages)
	}
}

// TestUsage: an invalid command line has status 2 and a message with the correction.
func TestUsage(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // where gcloud's settings could be
	t.Setenv("CLOUDSDK_CONFIG", "")
	t.Cleanup(func() { *runners.Runner, *gcpopts.Project, *gcpopts.Region = "", "", "" })
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
		{[]string{"check", made.Manifest, "--runner", "local", "--endpoint", "localhost:8099"}, "are for other runners"},
		{[]string{"check", made.Manifest, "--environment_type", "external"}, "are for other runners"},
		{[]string{"check", made.Manifest, "--runner", "flink"}, "--runner flink needs --endpoint"},
		{[]string{"check", made.Manifest, "--runner", "prism"}, "--runner prism: want local"},
		{[]string{"check", made.Manifest, "--runner", "dataflow"}, "needs --temp FOLDER"},
		{[]string{"check", made.Manifest, "--runner", "dataflow", "--temp", "gs://b/t"}, "needs --project"},
		{[]string{"check", made.Manifest, "--runner", "dataflow", "--temp", "gs://b/t", "--project", "p"}, "needs --region"},
		{[]string{"check", made.Manifest, "--runner", "dataflow", "--temp", "gs://b/t", "--project", "p", "--region", "r"}, "needs --staging_location"},
	} {
		status, _, messages := fleet(t, test.args...)
		if status != exitUsage || !strings.Contains(messages, test.want) {
			t.Errorf("%s: status %d: %s", test.args, status, messages)
		}
	}
}

// TestNoInputIsOverwritten: no output may be a list, a trace of a list, or a link to one, and two
// outputs may not be one file.
func TestNoInputIsOverwritten(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 2})
	dir := t.TempDir()
	link := filepath.Join(dir, "link.html")
	if err := os.Symlink(made.Paths[1], link); err != nil {
		t.Skip(err)
	}
	want := map[string][]byte{}
	for _, name := range append([]string{made.Manifest}, made.Paths...) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want[name] = data
	}
	both := filepath.Join(dir, "both.pb.gz")
	for _, args := range [][]string{
		{"profile", made.Manifest, "-o", made.Manifest},
		{"profile", made.Manifest, "-o", made.Paths[1]},
		{"profile", made.Paths[0], "-o", made.Paths[0]},
		{"profile", filepath.Dir(made.Paths[0]), "-o", made.Paths[0]},
		{"profile", made.Manifest, "-o", both, "--errors", made.Paths[0]},
		{"profile", made.Manifest, "-o", both, "--errors", both},
		{"bench", made.Manifest, "-o", link},
		{"bench", made.Manifest, "--errors", made.Paths[0]},
		{"diff", made.Manifest, "--by", "version", "--from", "1", "--to", "2", "-o", link},
		{"diff", made.Manifest, "--by", "version", "--from", "1", "--to", "2", "--errors", made.Manifest},
		{"check", made.Manifest, "--errors", made.Manifest},
		{"check", made.Manifest, "--errors", link},
	} {
		status, _, messages := fleet(t, args...)
		if status != exitUsage || !strings.Contains(messages, "this command reads") && !strings.Contains(messages, "name two files") {
			t.Errorf("%s: status %d: %s", args, status, messages)
		}
		for name, data := range want {
			if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s: %s was replaced", args, name)
			}
		}
	}
}
