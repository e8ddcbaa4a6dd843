package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"artifice/bench"
	"artifice/bench/expect"
	"artifice/bench/score"
	"artifice/cmd/internal/command"
	"artifice/report/diff"
	"artifice/report/plan"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/view"
)

// TestVerdictText prints verdicts made by hand.
func TestVerdictText(t *testing.T) {
	unknown := expect.Value(math.NaN())
	rule := expect.Assertion{Name: "self main.a", Outcome: expect.Fail, Expected: expect.Range{Low: 0.5, High: 0.5}, Observed: 0.25,
		Accepted: expect.Range{Low: 0.4, High: 0.6}, Bias: 0.125, Unit: "share"}
	took := expect.Assertion{Name: "time", Outcome: expect.Pass, Expected: expect.Range{Low: 1, High: 2.5}, Observed: 1.25,
		Accepted: expect.Range{Low: 1, High: 2.5}, Bias: unknown, Unit: "s"}
	vague := expect.Assertion{Name: "self main.b", Outcome: expect.TooFew, Expected: expect.Range{Low: 0.5, High: 0.5}, Observed: 0.5,
		Accepted: expect.Range{Low: 0.3, High: 0.7}, Bias: unknown, Detect: 0.05, Needed: 12000, Unit: "share"}
	count := &expect.SampleCount{Assertion: expect.Assertion{Name: "samples by CPU time", Outcome: expect.Fail, Expected: expect.Range{Low: 100, High: 100},
		Observed: 125, Accepted: expect.Range{Low: 80, High: 120}, Bias: unknown, Unit: "samples"}, Interval: 10 * time.Millisecond, Time: time.Second}
	var many []expect.Assertion
	for i := range 12 {
		a := rule
		a.Name = fmt.Sprint("self m", i)
		many = append(many, a)
	}
	for _, c := range []struct {
		what string
		v    expect.Verdict
		want string
	}{
		{"a profile that passes", expect.Verdict{Outcome: expect.Pass, Rate: 1e-6, Clock: "CPU time", Samples: 1000, Outside: 0.002,
			Diagnosis: &expect.Diagnosis{Significant: true, LogE: 5.30103, Faults: []expect.Explanation{{Fault: "lost samples", Of: "main", Size: 0.25, Part: "samples"}, {Fault: "truncated"}}, Unobserved: []string{"x"}},
			Skipped:   []string{"rule 2"}, Overlap: unknown},
			`p.pb: pass. 1,000 samples of CPU time agree with t.txt, but a fault of the sampler explains them better (see the last lines).
False alarms: at most 1 in 1,000,000.
0.2 % of samples have no method of the truth and are not tested.
Not tested: rule 2.
Best explanation: lost samples (main; about 25 % of samples), or truncated (likelihoods within a factor of 20); 200,000 times likelier than no fault.
No known fault is detectable with this truth and number of samples.
`},
		{"few samples", expect.Verdict{Outcome: expect.TooFew, Rate: 0.01, Clock: "wall time", Samples: 1, Ticks: 1, Outside: 0.0005, Assertions: []expect.Assertion{vague}, Overlap: unknown},
			`p.pb: too few samples. 1 sample of wall time at 1 instant agree with t.txt, but do not detect the required bias.
expected  observed       accepted  smallest bias  result                                 quantity
 50.00 %   50.00 %  30.00–70.00 %              -  too few samples (12,000 for 5 points)  self main.b
False alarms: at most 1 in 100.
`},
		{"a profile that fails", expect.Verdict{Outcome: expect.Fail, Rate: 1e-3, Clock: "CPU time", Samples: 125, Assertions: []expect.Assertion{rule, took}, Count: count,
			Scan:       &expect.Scan{Outcome: expect.Fail, Tests: 20, Methods: many, Bias: unknown, Why: "of ticks"},
			Impossible: expect.Impossible{Stacks: 2, Share: 0.5, First: "main.b called by main.a"},
			Depth:      &expect.DepthLimit{Frames: 16, Deeper: 0.25},
			Diagnosis:  &expect.Diagnosis{Observable: []string{"y"}, Unobserved: []string{"x", "z"}}, Overlap: unknown},
			`p.pb: fail. 125 samples of CPU time contradict t.txt: 1 of 2 rules, the number of samples, 12 of 20 shares of methods, 2 impossible stacks.
2 more failed shares not shown (--json). 20 shares of methods tested; too few independent samples to detect a bias in each of them; the self times of all methods are not tested together, because of ticks. False alarms: at most 1 in 1,000.
Impossible: 2 stacks (50.0 % of samples); the truth never has main.b called by main.a.
Samples: 25.0 % are too many: 1 s of CPU time every 10 ms.
Stacks are truncated: no sample has more than 16 frames, but 25.0 % of the true time is deeper.
None of the known faults explains the profile.
The only faults detectable with this truth and number of samples: y.
`},
		{"all shares together", expect.Verdict{Outcome: expect.Fail, Rate: 1e-3, Clock: "CPU time", Samples: 125, Overlap: unknown,
			Scan:      &expect.Scan{Outcome: expect.Fail, Tests: 1, Methods: []expect.Assertion{took}, Bias: 0.02, G: &expect.Whole{Value: 10, P: 0.001}, TVD: &expect.Whole{Value: 0.25, P: 0.002}},
			Count:     &expect.SampleCount{Assertion: expect.Assertion{Outcome: expect.Fail, Expected: expect.Range{Low: 100, High: 100}, Observed: 50, Unit: "samples", Bias: unknown}, Interval: time.Millisecond, Time: time.Second},
			Diagnosis: &expect.Diagnosis{LogE: 7.5, Significant: true, Faults: []expect.Explanation{{Fault: "late", Size: 1}}, Observable: []string{"y", "z"}, Unobserved: []string{"x"}}},
			`p.pb: fail. 125 samples of CPU time contradict t.txt: the number of samples, the shares of all methods together.
1 share of methods tested; a bias of 2.00 points in one of them is detected with 95 % probability. False alarms: at most 1 in 1,000.
All self times together: G 10.0 (p ≤ 0.001), total variation distance 25.00 % (p ≤ 0.002).
Samples: 50.0 % are missing: 1 s of CPU time every 1 ms.
Best explanation: late; 10^7 times likelier than no fault.
Faults not detectable with this truth and number of samples: x.
`},
	} {
		var out strings.Builder
		if err := writeVerdict(&out, "t.txt", "p.pb", &c.v); err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(out.String(), "\n")
		if c.what != "few samples" { // its table is checked below
			lines = slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, "  ") })
		}
		if got := strings.Join(lines, ""); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.what, got, c.want)
		}
	}
	table := assertionTable(&expect.Verdict{Assertions: []expect.Assertion{rule, took}, Count: count, Scan: &expect.Scan{Methods: many}})
	want := [][]string{
		{"50.00 %", "25.00 %", "40.00–60.00 %", "12.50 points", "fail", "self main.a"},
		{"1 s–2.5 s", "1.25 s", "1 s–2.5 s", "-", "pass", "time"},
		{"100", "125", "80–120", "-", "fail", "samples by CPU time"},
	}
	for i, row := range want {
		if !slices.Equal(table.Rows[i], row) {
			t.Errorf("row %d is %q, want %q", i, table.Rows[i], row)
		}
	}
	if n := len(table.Rows); n != 13 { // two rules, the count, and ten of twelve methods
		t.Errorf("%d rows, want 13", n)
	}
}

// TestPlanText checks the lines on variance and costs.
func TestPlanText(t *testing.T) {
	for _, c := range []struct {
		p     plan.Plan
		app   bool
		level float64
		want  string
	}{
		{plan.Plan{Traces: 3, Measured: true}, false, 0, "between-run variance is indistinguishable from sampling variance (3 traces)"},
		{plan.Plan{Traces: 1}, false, 0, "between-run variance is indistinguishable from sampling variance (1 trace)"},
		{plan.Plan{Traces: 8, Measured: true, Runs: 0.05}, true, 0, "between-run standard deviation: 5 % (8 runs of the app)"},
		{plan.Plan{Traces: 3, Measured: true, Runs: 0.05, BurstsAlone: true}, false, 0, "between-run standard deviation: 5 % (3 traces; not more than bursts within a run explain)"},
		{plan.Plan{Traces: 3, Measured: true, Runs: 0.05}, false, 0, "between-run standard deviation: 5 % (3 traces, sampling variance subtracted)"},
		{plan.Plan{Traces: 1, Runs: 0.05, Bursts: 0.03, Level: 0.04}, false, 0.04, "between-run standard deviation: 5 % (3 % from bursts within a run, 1 trace; 4 % by --level)"},
		{plan.Plan{Traces: 1, Level: 0.04, Runs: 0.04}, false, 0.04, "between-run standard deviation: 4 % (0 % from bursts within a run, 1 trace; 4 % by --level)"},
		{plan.Plan{Traces: 1, Bursts: 0.03}, false, 0, "between-run standard deviation: 3 % (from bursts within a run, 1 trace)"},
	} {
		text := planText{Plan: &c.p, cfg: &plan.Config{Level: c.level}, app: c.app}
		if got := text.variation(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.p, got, c.want)
		}
	}
	text := planText{Plan: &plan.Plan{Method: "a.B.c", Time: 200 * time.Millisecond, Length: 2 * time.Second, Change: 0.05}, cfg: &plan.Config{Change: 0.1}}
	if got, want := text.headline(), "a.B.c: self 200 ms of 2 s (10 %); to detect +5 % with 80 % power"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	text.cfg.EachCall = true
	if got, want := text.headline(), "a.B.c: self 200 ms of 2 s (10 %); to detect +10 % of each call (+5 % of its self time) with 80 % power"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for share, want := range map[float64]string{0.05: "5 %", 0.994: "99 %", 0.995: "100 %", 1.5: "150 %", 20: "2,000 %", math.NaN(): "-"} {
		if got := planPercent(share); got != want {
			t.Errorf("%g is %s, want %s", share, got, want)
		}
	}
}

// TestShortTexts checks texts that depend on few values.
func TestShortTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{partialText(&bench.Result{}), ""},
		{partialText(&bench.Result{Cut: true, NoLaws: true, Truth: score.Truth{Length: time.Second}}), "the result is partial: it covers the first 1 s"},
		{partialText(&bench.Result{NoLaws: true, Unconfirmed: true}), "the result is partial: no comparison with closed forms"},
		{partialText(&bench.Result{Unconfirmed: true}), "the result is partial: the recommendation has no validation runs"},
		{deviceText([]device.Device{{Name: "C"}}), "device C"},
		{deviceText([]device.Device{{Name: "C", Description: "a tablet"}}), "device C (a tablet)"},
		{deviceText([]device.Device{{Name: "C", Description: "a tablet"}, {Name: "D"}}), "devices C, D"},
		{plural("thread", 1), "thread"}, {plural("thread", 2), "threads"}, {plural("class", 0), "classes"},
		{ofOld(&diff.Change{Old: 200, New: 150}), "-25.0 %"}, {ofOld(&diff.Change{Old: 200, New: 300}), "+50.0 %"}, {ofOld(&diff.Change{New: 300}), "new method"},
		{(&slowValue{}).String(), ""}, {(&slowValue{"a.B.c", 1.5}).String(), "a.B.c=1.5"},
		{slowClock(&bench.Change{Rows: []bench.ChangeRow{{ByCPU: true}}}), "CPU time"}, {slowClock(&bench.Change{Rows: []bench.ChangeRow{{}}}), "wall time"},
		{change(-0.125), "-12.5 %"}, {change(0.25), "+25.0 %"}, {change(0), "0.0 %"},
		{endedBy{syscall.SIGTERM}.Error(), syscall.SIGTERM.String()},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	hidden := "SD, 1 trace each: standard deviation of the change between one trace of each build; a change below twice the SD can be noise."
	traced := "instrument-dual reports 40 % of the change: the self time of both builds includes the tracing overhead of each call."
	for _, c := range []struct {
		shown, real float64
		interval    time.Duration
		want        []string
	}{
		{0.2, 0.5, 0, []string{hidden, traced}}, {-0.2, -0.5, 0, []string{hidden, traced}},
		{0.45, 0.5, 0, []string{hidden}}, {0.2, 0.5, time.Millisecond, []string{hidden}}, {math.NaN(), 0.5, 0, []string{hidden}},
	} {
		r := &bench.Change{True: c.real, Rows: []bench.ChangeRow{{Mode: "instrument-dual", Interval: c.interval, Shown: c.shown}}}
		if got := slowAdvice(r); !slices.Equal(got, c.want) {
			t.Errorf("%g of %g: %q, want %q", c.shown, c.real, got, c.want)
		}
	}
}

// TestStatusOfSignals: the exit status of an interrupted program is 128 plus the number of the
// signal, and 1 if another error canceled it.
func TestStatusOfSignals(t *testing.T) {
	for cause, want := range map[error]int{endedBy{syscall.SIGINT}: 130, endedBy{syscall.SIGTERM}: 143, endedBy{otherSignal{}}: 1, errors.New("x"): 1} {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(cause)
		if got := interrupted(ctx); got != want {
			t.Errorf("%v: status %d, want %d", cause, got, want)
		}
	}
}

// otherSignal is a signal without a number.
type otherSignal struct{}

func (otherSignal) String() string { return "other" }
func (otherSignal) Signal()        {}

// TestPortTaken: only a port in use has a remedy.
func TestPortTaken(t *testing.T) {
	taken := &view.PortTakenError{Port: 80}
	if got, want := explainPort(taken).Error(), "port 80 is in use by another program: choose another port with --port, or omit --port for a free port"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if other := errors.New("x"); explainPort(other) != other {
		t.Errorf("another error is changed: %v", explainPort(other))
	}
}

// TestPortsInUse: serving a page or a profile on a port in use is an error with the remedy.
func TestPortsInUse(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "a.txt", example)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	for _, args := range [][]string{{"view", "a.txt"}, {"view", "--pprof", "a.txt"}} {
		var stdout, stderr bytes.Buffer
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		status := run(ctx, append(args, "--no-browser", "--port", port), command.Stdio{In: strings.NewReader(""), Out: &stdout, Err: &stderr})
		cancel()
		want := "artifice: port " + port + " is in use by another program: choose another port with --port, or omit --port for a free port\n"
		if status != 1 || stderr.String() != want {
			t.Errorf("%v: status %d, %q, want %q", args, status, &stderr, want)
		}
	}
}

// TestAnyChanged: a page states if one of its files was changed, replaced or removed.
func TestAnyChanged(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, change := range []struct {
		what string
		do   func() error
	}{
		{"longer", func() error { return os.WriteFile("b.txt", []byte("bb"), 0o666) }},
		{"newer", func() error { return os.Chtimes("b.txt", time.Time{}, time.Now().Add(time.Hour)) }},
		{"removed", func() error { return os.Remove("b.txt") }},
	} {
		writeFile(t, "a.txt", "a")
		writeFile(t, "b.txt", "b")
		files := filesOf("a.txt", "b.txt", "", "-", "w3-on-off")
		if len(files) != 2 {
			t.Fatalf("%d files, want 2", len(files))
		}
		if err := anyChanged(files); err != nil {
			t.Errorf("before the change: %v", err)
		}
		if err := change.do(); err != nil {
			t.Fatal(err)
		}
		if err := anyChanged(files); err == nil || err.Error() != "b.txt has changed since this page was made: start artifice view again" {
			t.Errorf("%s: %v", change.what, err)
		}
	}
}

// TestAlike: traces of one plan are of one method, recorded in the same way.
func TestAlike(t *testing.T) {
	const ms = time.Millisecond
	first := &plan.Trace{Name: "a.B.c", Period: 5 * ms, Clock: trace.Dual}
	if err := alike("x", first, "x", first); err != nil {
		t.Error(err)
	}
	for want, other := range map[string]*plan.Trace{
		"--method matches a.B.c in x and a.D.c in y: use the full name": {Name: "a.D.c", Period: 5 * ms, Clock: trace.Dual},
		"x is sampled about every 5 ms, and y is sampled about every 20 ms: tracing overhead would count as between-run variance; use traces that were recorded alike": {Name: "a.B.c", Period: 20 * ms, Clock: trace.Dual},
		"x is sampled about every 5 ms, and y contains every call: tracing overhead would count as between-run variance; use traces that were recorded alike":          {Name: "a.B.c", Clock: trace.Dual},
		"x has the clock dual, and y the clock wall: use traces that were recorded alike":                                                                              {Name: "a.B.c", Period: 5 * ms, Clock: trace.Wall},
	} {
		if err := alike("x", first, "y", other); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestCompleteMethods completes the names of methods of the first source.
func TestCompleteMethods(t *testing.T) {
	t.Chdir(t.TempDir())
	writeCall(t, "both.txt", "dual")
	cmd := &cobra.Command{}
	cmd.SetContext(context.Background())
	for _, c := range []struct {
		args  []string
		typed string
		want  []string
	}{
		{[]string{"both.txt"}, "", []string{"app.Main.main"}}, {[]string{"both.txt", "x"}, "Main", []string{"app.Main.main"}}, {[]string{"both.txt"}, "Other", nil},
		{nil, "", nil}, {[]string{"-"}, "", nil}, {[]string{"absent.txt"}, "", nil},
	} {
		got, how := completeMethods(cmd, c.args, c.typed)
		if !slices.Equal(got, c.want) || how != cobra.ShellCompDirectiveNoFileComp {
			t.Errorf("%q %s: %q %d, want %q", c.args, c.typed, got, how, c.want)
		}
	}
}
