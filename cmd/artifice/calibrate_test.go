package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"artifice/internal/testdata"
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
