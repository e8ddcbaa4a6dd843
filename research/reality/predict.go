package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"artifice/internal/testdata"
)

// measure is a measured and predicted quantity.
type measure struct {
	key    string // in the JSON of score and bench
	name   string
	by     float64 // factor to the unit in its name
	digits int     // after the decimal point
	most   float64 // its maximum
}

// callsKey is reported over true calls.
const callsKey = "reported_calls_per_true"

var measures = []measure{
	{callsKey, "reported/true calls, %", 100, 2, math.Inf(1)},
	{"methods_seen", "methods seen, %", 100, 1, 100},
	{"cpu_correct", "CPU correct, %", 100, 2, 100},
	{"slowdown", "slowdown", 1, 4, math.Inf(1)},
}

// artifice is the program under test.
type artifice struct{ program string }

// build builds artifice in dir.
func build(dir string) (artifice, error) {
	program, err := testdata.Build(dir)
	return artifice{program}, err
}

func (a artifice) run(args ...string) ([]byte, error) {
	var out, complaint bytes.Buffer
	cmd := exec.Command(a.program, args...)
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("artifice %s: %w\n%s", strings.Join(args, " "), err, complaint.Bytes())
	}
	return out.Bytes(), nil
}

// calibrate makes the device of a run from its samples.
func (a artifice) calibrate(f files, interval time.Duration) error {
	_, err := a.run("calibrate", f.calibration, "--interval", interval.String(), "-o", f.device)
	return err
}

// score returns the accuracy of a run's samples against its truth.
func (a artifice) score(f files) (map[string]float64, error) {
	out, err := a.run("score", f.real, f.samples, "--json")
	if err != nil {
		return nil, err
	}
	var scored []struct{ Scores map[string]float64 }
	if err := json.Unmarshal(out, &scored); err != nil || len(scored) != 1 {
		return nil, fmt.Errorf("artifice score printed no scores of one trace: %v\n%s", err, out)
	}
	return scored[0].Scores, nil
}

// predict returns the measures of emulated samplers of each device on the truth of a run. Their
// slowdown, like the measured one, is that of a thread that never sleeps.
func (a artifice) predict(f files, interval time.Duration, devices []string, seeds int) ([]scores, error) {
	all, err := a.bench(f.truth, interval, devices, seeds)
	if err != nil {
		return nil, err
	}
	awake, err := a.bench(f.awake, interval, devices, seeds)
	if err != nil {
		return nil, err
	}
	for i := range all {
		for j := range all[i] {
			all[i][j]["slowdown"] = awake[i][j]["slowdown"]
		}
	}
	return all, nil
}

// bench returns the measures of emulated samplers of each device on a truth.
func (a artifice) bench(truth string, interval time.Duration, devices []string, seeds int) ([]scores, error) {
	out, err := a.run("bench", truth, "--device", strings.Join(devices, ","), "--intervals", interval.String(),
		"--modes", "sample", "--seeds", strconv.Itoa(seeds), "--json")
	if err != nil {
		return nil, err
	}
	var all []scores
	last := ""
	for line := range bytes.Lines(out) {
		var one struct {
			Mode, Device string
			Scores       map[string]float64
		}
		if err := json.Unmarshal(line, &one); err != nil {
			return nil, err
		}
		if one.Mode != "sample" || one.Scores == nil {
			continue
		}
		if one.Device != last {
			all, last = append(all, nil), one.Device
		}
		all[len(all)-1] = append(all[len(all)-1], one.Scores)
	}
	if len(all) != len(devices) {
		return nil, fmt.Errorf("artifice bench printed samplers of %d devices, not of %d", len(all), len(devices))
	}
	return all, nil
}
