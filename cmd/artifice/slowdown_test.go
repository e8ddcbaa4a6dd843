package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"artifice/internal/testdata"
	"artifice/workload"
)

// TestSlowdownByHand checks slowdowns computed by hand. On device A, an event of the default
// runtime with both clocks costs 4.848 us, and a recording ends later by the delay of its busiest
// thread. artifice info prints the number of events of that thread, and the time of the stop or the
// end of a workload's run. In bench, main of scroll.txt has its last event at 433.958 ms, and its
// 1214 events delay it by 5.886 ms. This is less than the wait until the last event of all threads,
// which is the 14th of another thread (artifice dump).
func TestSlowdownByHand(t *testing.T) {
	testdata.Seldom(t, 4)
	for _, c := range []struct {
		source string
		events float64 // of the busiest thread
		last   float64 // of the thread with the last event of the traced run
		length float64 // in s
	}{
		{testdata.Path(t, "traces", "instrumented-art-file.trace"), 14868, 14868, 0.302982}, // 1.238
		{filepath.Join(testdata.Root(), "testdata", "scroll.txt"), 1214, 14, 0.45435},       // 1.013, and 1.0001 in bench
		{"w3-on-off", 20027, 20027, 20}, // 1.005
	} {
		want, run := 1+c.events*4.848e-6/c.length, 1+c.last*4.848e-6/c.length
		if got := benchSlowdown(t, c.source, "A", "instrument-dual"); math.Abs(got-run) > 1e-5 {
			t.Errorf("bench %s: %v, want %v", c.source, got, run)
		}
		for _, runtime := range []string{"art12", "art15"} { // art12 reads the clocks after time zero, art15 before
			want := want
			if runtime == "art12" { // the header does not state the two reads of the CPU clock, 3.298 us each
				want += 2 * 3.298e-6 / c.length
			}
			if got := recordedSlowdown(t, c.source, "instrument", "A", "--runtime", runtime); math.Abs(got-want) > 1e-5 {
				t.Errorf("score of %s instrumented by %s: %v, want %v", c.source, runtime, got, want)
			}
		}
		for _, mode := range []string{"instrument-dual", "instrument-wall", "sample", "longrun"} {
			if got := benchSlowdown(t, c.source, "ideal", mode); got != 1 {
				t.Errorf("bench %s, %s without cost: slowdown %v, want 1", c.source, mode, got)
			}
		}
		if got := recordedSlowdown(t, c.source, "truth", ""); got != 1 {
			t.Errorf("score of %s against itself: slowdown %v, want 1", c.source, got)
		}
	}
}

// TestSlowdownOfSamples checks the slowdown of sampling. 319 samples of the 4 threads with events
// of scroll.txt delay its last event at 452.693 ms by a factor of 1.025, as in a separate
// simulation, because only running threads are delayed. The untraced run stops at 454.35 ms, so it
// is 1.025·452.693/454.35 times as long. score computes the same slowdown from the file, up to the
// sampler's last sleep of 1.25 ms.
func TestSlowdownOfSamples(t *testing.T) {
	source := filepath.Join(testdata.Root(), "testdata", "scroll.txt")
	out := filepath.Join(t.TempDir(), "sampled.trace")
	_, _, stderr := artifice("record", source, "--device", "A", "--interval", "1ms", "-o", out)
	m := regexp.MustCompile(`^319 samples in 454 ms .* slowdown (1\.021)\n$`).FindStringSubmatch(stderr)
	if m == nil {
		t.Fatal(stderr)
	}
	recorded, _ := strconv.ParseFloat(m[1], 64)
	if got := scoreSlowdown(t, source, out); math.Abs(got-recorded) > 0.0005+0.00125/0.45435 {
		t.Errorf("score prints %v, want %v as record", got, recorded)
	}
	if got := benchSlowdown(t, source, "A", "sample"); math.Abs(got-recorded) > 0.005 { // another phase
		t.Errorf("bench prints %v, want %v as record", got, recorded)
	}
}

// slowdownRow matches a row of bench or plan with its interval and slowdown.
var slowdownRow = regexp.MustCompile(`(?m)^ *([0-9.]+ (?:µs|ms)|every call)  .*?(?:[0-9.]+ (?:ns|µs|ms|s)  +)?([0-9]+\.[0-9]{2}(?:–[0-9]+\.[0-9]{2})?)\*?  `)

// printedSlowdowns returns the slowdowns that a command prints, by interval.
func printedSlowdowns(t *testing.T, args ...string) map[string]string {
	t.Helper()
	_, stdout, stderr := artifice(args...)
	printed := map[string]string{}
	for _, m := range slowdownRow.FindAllStringSubmatch(stdout, -1) {
		printed[m[1]] = m[2]
	}
	if m := regexp.MustCompile(`(?m)^ +-  +([0-9.]+)  `).FindStringSubmatch(stdout); m != nil { // in bench
		printed["every call"] = m[1]
	}
	if len(printed) == 0 {
		t.Errorf("%q: %s%s", args, stdout, stderr)
	}
	return printed
}

// TestSlowdownsAgree checks that plan prints the slowdowns of bench, to the last digit. It tries
// built-in apps and devices, and traces, which do not record the ends of waits.
func TestSlowdownsAgree(t *testing.T) {
	testdata.Seldom(t, 4)
	sources := []string{testdata.Path(t, "traces", "instrumented-art-file.trace"), testdata.Path(t, "traces", "sampled-art-file.trace"), filepath.Join(testdata.Root(), "testdata", "scroll.txt")}
	for _, app := range workload.Builtin() {
		// These apps call their hottest method only after minutes, or too rarely in half a second
		// for a plan.
		if !slices.Contains([]string{"long-session", "w4-function-bias", "idle-61"}, app.Name) {
			sources = append(sources, app.Name)
		}
	}
	for _, source := range testdata.Some(t, sources, 2) {
		_, stdout, stderr := artifice("report", source, "--csv")
		rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Errorf("report %s: %v, %s", source, err, stderr)
			continue
		}
		devices := []string{"A"}
		if source == "cold-start" || source == "scroll-60hz" {
			devices = append(devices, "ideal") // where every slowdown is 1
		}
		for _, device := range devices {
			shared := []string{source, "--device", device, "--intervals", "1ms,5ms,20ms"}
			bench, plan := []string{"bench"}, []string{"plan", "--method", rows[1][0], "--change", "50%", "--budget", "100000%"}
			if _, err := workload.ByName(source); err == nil {
				bench, plan = append(bench, "--duration", "500ms"), append(plan, "--length", "500ms")
			}
			planned := printedSlowdowns(t, append(plan, shared...)...)
			for interval, want := range printedSlowdowns(t, append(bench, shared...)...) {
				if got, ok := planned[interval]; got != want && (ok || interval != "every call") { // plan prints none for a sampled trace
					t.Errorf("%s on %s, %s: plan has %q, bench %q", source, device, interval, got, want)
				}
			}
		}
	}
}

// benchSlowdown returns the slowdown that bench prints for a mode; samplers use 1 ms.
func benchSlowdown(t *testing.T, source, device, mode string) float64 {
	t.Helper()
	status, stdout, stderr := artifice("bench", source, "--device", device, "--modes", mode, "--intervals", "1ms", "--seeds", "1", "--csv", "--subtract-overhead", "none")
	rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if status != exitOK || err != nil || len(rows) != 2 {
		t.Fatalf("status %d, %v, %d rows: %s", status, err, len(rows), stderr)
	}
	for i, column := range rows[0] {
		if column == "slowdown" {
			value, err := strconv.ParseFloat(rows[1][i], 64)
			if err != nil {
				t.Fatal(err)
			}
			return value
		}
	}
	t.Fatal("bench prints no column slowdown")
	return 0
}

// recordedSlowdown returns the slowdown that score prints for a recording of source.
func recordedSlowdown(t *testing.T, source, mode, device string, more ...string) float64 {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.txt")
	args := append([]string{"record", source, "--mode", mode, "-o", out}, more...)
	if device != "" {
		args = append(args, "--device", device)
	}
	if status, _, stderr := artifice(args...); status != exitOK {
		t.Fatal(stderr)
	}
	return scoreSlowdown(t, source, out)
}

func scoreSlowdown(t *testing.T, truth, observed string) float64 {
	t.Helper()
	status, stdout, stderr := artifice("score", truth, observed, "--json")
	var scores []struct{ Scores struct{ Slowdown float64 } }
	if err := json.Unmarshal([]byte(stdout), &scores); status != exitOK || err != nil || len(scores) != 1 {
		t.Fatalf("status %d, %v: %s", status, err, stderr)
	}
	return scores[0].Scores.Slowdown
}
