package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/tracer/device"
)

// TestTechniqueAgrees checks that info, check and calibrate agree on the technique of a trace, at
// any clock resolution, for generated and real traces.
func TestTechniqueAgrees(t *testing.T) {
	testdata.Seldom(t, 4)
	dir := t.TempDir()
	for name, c := range map[string]struct {
		want string
		args string
	}{
		"dalvik30":  {"instrumented", "cold-start --mode instrument --runtime dalvik --device tick30"},
		"art30":     {"instrumented", "cold-start --mode instrument --device tick30 --duration 500ms"},
		"sampled30": {"sampled", "cold-start --mode sample --interval 1ms --device tick30"},
		"sampled":   {"sampled", "cold-start --mode sample --interval 1ms --device B"},
		"char2":     {"instrumented", "cold-start --mode instrument --device char2 --duration 500ms"},
		"text":      {"sampled", "cold-start --mode sample --interval 5ms --device A"},
	} {
		file := filepath.Join(dir, name+".trace")
		if name == "text" {
			file = filepath.Join(dir, "text.txt")
		}
		args := append([]string{"record"}, strings.Fields(c.args)...)
		if status, _, stderr := artifice(append(args, "-o", file)...); status != 0 {
			t.Fatalf("%s: %s", name, stderr)
		}
		agree(t, file, c.want)
	}
	for name, want := range map[string]string{
		"sampled-art-file.trace": "sampled", "sampled-host-file.trace": "sampled",
		"sampled-streaming.trace": "sampled", "instrumented-art-file.trace": "instrumented",
	} {
		t.Run(name, func(t *testing.T) { agree(t, testdata.Path(t, "traces", name), want) })
	}
}

// agree compares the results of the three commands for a trace.
func agree(t *testing.T, file, want string) {
	t.Helper()
	name := filepath.Base(file)
	var info struct{ Technique string }
	_, out, stderr := artifice("info", file, "--json")
	if err := json.Unmarshal([]byte(out), &info); err != nil || info.Technique != want {
		t.Errorf("%s: info prints %q, want %s; %v %s", name, info.Technique, want, err, stderr)
	}
	if filepath.Ext(file) == ".trace" { // check reads no other formats
		if _, out, _ := artifice("check", file); !strings.Contains(out, ", "+want+" (") {
			t.Errorf("%s: check prints %s", name, out[strings.LastIndex(strings.TrimSpace(out), "\n")+1:])
		}
	}
	figure := map[string]string{"sampled": "\nmin_period,", "instrumented": "\nevent_cost,"}[want]
	if status, out, stderr := artifice("calibrate", file, "--csv"); status != 0 || !strings.Contains(out, figure) {
		t.Errorf("%s: calibrate does not treat it as %s: %s%s", name, want, out, stderr)
	}
}

// TestCalibrateMultiples checks a thread whose consecutive samples are all without changes, so that
// gaps are several periods. They determine the period, the sampling interval and the CPU time of a
// period. All timestamps of the file are multiples of 10 ms, and the thread always runs.
func TestCalibrateMultiples(t *testing.T) {
	file := testdata.Path(t, "field", "sampled-10ms-one-thread.trace")
	status, stdout, stderr := artifice("calibrate", file, "--csv")
	if status != exitOK {
		t.Fatal(stderr)
	}
	for _, figure := range []string{"period", "min_period", "interval", "cpu_time"} {
		if !strings.Contains(stdout, "\n"+figure+",10000000,10000000,10000000,332,") {
			t.Errorf("%s is not 10 ms:\n%s", figure, stdout)
		}
	}
}

// TestCalibratePauses calibrates 1,001 dumps of a program that runs for 1 ms between them. Each states
// that it paused the program for 250 µs, so the fixed part of the pause is all of it.
func TestCalibratePauses(t *testing.T) {
	var lines strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&lines, `{"time_us":%d,"stopped_us":250,"thread":"main","frames":["a.B.m%d"]}`+"\n", 1250*i, i/10)
	}
	file := filepath.Join(t.TempDir(), "dumps.jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := artifice("calibrate", file, "--csv")
	if status != exitOK {
		t.Fatal(stderr)
	}
	for _, want := range []string{"\nperiod,1250000,1250000,1250000,1000,", "\npause,250000,250000,250000,1001,", "\nper_tick,250000,250000,250000,1001,"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no line %q in\n%s", want, stdout)
		}
	}
	if strings.Contains(stdout, "\nper_thread,") {
		t.Errorf("parts of the pause that dumps do not state:\n%s", stdout)
	}
}

// TestCalibrationTexts checks the lines on an instrumented trace and on the comparison with the
// emulation.
func TestCalibrationTexts(t *testing.T) {
	const us = time.Microsecond
	timing := func(change func(*device.InstrumentedTiming)) *calibrated {
		i := &device.InstrumentedTiming{ClockOverhead: us, Granularity: 10 * us, Event: device.Estimate{Value: 5 * us, Low: 4 * us, High: 6 * us}}
		change(i)
		return &calibrated{Calibration: &device.Calibration{Instrumented: i, Events: 1234}, trace: "a.trace"}
	}
	plain, bound := timing(func(*device.InstrumentedTiming) {}), timing(func(i *device.InstrumentedTiming) { i.UpperBound = true })
	for _, c := range []struct {
		c    *calibrated
		want []string
	}{
		{plain, []string{"event_cost 5µs 4µs 6µs time between two events of a thread: mean of the closest pairs of events, including app code", "clock_cost 1µs 1µs 1µs part of the event cost: reading the clocks, as the trace states it", "clock_step 10µs 10µs 10µs resolution of the clocks"}},
		{bound, []string{"event_cost 0s 1µs 5µs time between two events of a thread: even the gaps of the closest pairs of events may be app code", "clock_cost 1µs 1µs 1µs part of the event cost: reading the clocks, as the trace states it", "clock_step 10µs 10µs 10µs resolution of the clocks"}},
		{timing(func(i *device.InstrumentedTiming) { i.ByQuantile, i.Stated = true, 2*us }), []string{"event_cost 5µs 4µs 6µs time between two events of a thread: 10th percentile (range: 1st to 25th), because no pair of events is frequent enough", "clock_cost 1µs 1µs 1µs reading the clocks: at most the event cost; the trace states 2 µs, measured once when it started", "clock_step 10µs 10µs 10µs resolution of the clocks"}},
		{timing(func(i *device.InstrumentedTiming) { i.Stated = us }), []string{"event_cost 5µs 4µs 6µs time between two events of a thread: mean of the closest pairs of events, including app code", "clock_cost 1µs 1µs 1µs part of the event cost: reading the clocks, as the trace states it", "clock_step 10µs 10µs 10µs resolution of the clocks"}},
	} {
		var got []string
		c.c.list(0, func(name, _ string, e device.Estimate, format string, args ...any) {
			got = append(got, fmt.Sprintf("%s %s %s %s ", name, e.Value, e.Low, e.High)+fmt.Sprintf(format, args...))
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	const use = "Save: -o phone.yaml. Use: artifice bench TRACE --device phone.yaml."
	for _, c := range []struct{ got, want string }{
		{plain.headline(), "a.trace: every call, 1,234 events read"},
		{(&calibrateFlags{}).next([]calibrated{*plain}), use}, {(&calibrateFlags{out: "my phone.yaml"}).next(nil), "Use: artifice bench TRACE --device 'my phone.yaml'."},
		{(&calibrateFlags{}).next([]calibrated{*bound}), "The event cost is between 1 µs (reading the clocks) and 5 µs: an app with shorter calls gives tighter bounds. " + use},
		{reproducedAnswer(9, nil), "The emulation reproduces the calibration: no difference is above 5 %."},
		{reproducedAnswer(9, []string{"period", "skew"}), "Differences above 5 %: 2 of 9 figures (period, skew)."},
		{strings.Join(reproducedRow("a", 5*time.Millisecond, device.Reproduced{Name: "skew", Unit: "ns", Real: math.NaN()}), "|"), "a|5 ms|skew|-|-|-|not in the trace"},
		{strings.Join(reproducedRow("a", 5*time.Millisecond, device.Reproduced{Name: "period", Unit: "ns", Real: 2000, Emulated: 2080}), "|"), "a|5 ms|period|2 µs|2.08 µs|+4.0 %|ok"},
		{strings.Join(reproducedRow("a", 5*time.Millisecond, device.Reproduced{Name: "share", Real: 0.5, Emulated: 0.25}), "|"), "a|5 ms|share|0.500|0.250|-50.0 %|more than 5 %"},
		{quantity(1_234_567, "ns"), "1.23 ms"}, {quantity(999_994, "ns"), "1 ms"}, {quantity(1.23456, ""), "1.235"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	if finite(math.NaN()) != nil || finite(math.Inf(-1)) != nil || *finite(0.5) != 0.5 {
		t.Error("only finite numbers are in JSON")
	}
}
