package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// measure is what is measured of a run and predicted.
type measure struct {
	key    string // in what score and bench print as JSON
	name   string
	by     float64 // what the value is multiplied by to be in the unit of its name
	digits int     // behind the point
}

var measures = []measure{
	{"reported_calls_per_true", "reported/true calls, %", 100, 2},
	{"method_recall", "methods seen, %", 100, 1},
	{"overlap_running", "overlap, running, %", 100, 2},
	{"slowdown", "slowdown", 1, 4},
}

// files are where a run is kept, for artifice to read.
type files struct{ truth, samples, device string }

func filesOf(dir string, interval time.Duration, run int) files {
	name := filepath.Join(dir, fmt.Sprintf("%s-%d", interval, run+1))
	return files{name + ".txt", name + ".jsonl", name + ".yaml"}
}

// artifice is the program under test.
type artifice struct{ program string }

// build builds artifice in dir.
func build(dir string) (artifice, error) {
	a := artifice{filepath.Join(dir, "artifice")}
	if out, err := exec.Command("go", "build", "-o", a.program, "artifice/cmd/artifice").CombinedOutput(); err != nil {
		return a, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return a, nil
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

// calibrate makes the device that the samples of a run show.
func (a artifice) calibrate(f files, interval time.Duration) error {
	_, err := a.run("calibrate", f.samples, "--interval", interval.String(), "-o", f.device)
	return err
}

// score measures what the samples of a run are worth beside its truth.
func (a artifice) score(f files) (map[string]float64, error) {
	out, err := a.run("score", f.truth, f.samples, "--json")
	if err != nil {
		return nil, err
	}
	var scored []struct{ Scores map[string]float64 }
	if err := json.Unmarshal(out, &scored); err != nil || len(scored) != 1 {
		return nil, fmt.Errorf("artifice score printed no scores of one trace: %v\n%s", err, out)
	}
	return scored[0].Scores, nil
}

// predict returns what emulated samplers of each device measure of the truth of a run: a
// map for each sampler.
func (a artifice) predict(f files, interval time.Duration, devices []string, seeds int) ([]map[string]float64, error) {
	out, err := a.run("bench", f.truth, "--device", strings.Join(devices, ","), "--intervals", interval.String(),
		"--modes", "sample", "--seeds", strconv.Itoa(seeds), "--json")
	if err != nil {
		return nil, err
	}
	var all []map[string]float64
	for line := range bytes.Lines(out) {
		var one struct {
			Mode   string
			Scores map[string]float64
		}
		if err := json.Unmarshal(line, &one); err != nil {
			return nil, err
		}
		if one.Mode == "sample" && one.Scores != nil {
			all = append(all, one.Scores)
		}
	}
	return all, nil
}

// prediction is what emulated samplers say of a measure.
type prediction struct {
	mean      float64
	low, high float64 // the middle 95 %
}

func (p prediction) has(x float64) bool { return p.low <= x && x <= p.high }

// row is one measure of one run.
type row struct {
	interval    time.Duration
	run         int
	measure     measure
	measured    float64
	own, others prediction // by the device of the run's own samples, and of the other runs'
}

// predictionOf takes what each of some samplers scored of a measure.
func predictionOf(m measure, all []map[string]float64) prediction {
	values := make([]float64, len(all))
	p := prediction{}
	for i, scores := range all {
		values[i] = scores[m.key] * m.by
		p.mean += values[i] / float64(len(all))
	}
	p.low, p.high = middle95(values)
	return p
}

// middle95 returns the 2.5 % and the 97.5 % quantile of values: with n of them, between
// those of rank (n+1)*0.025 and (n+1)*0.975, so that one more value of the same kind is
// outside in 5 % of all cases.
func middle95(values []float64) (low, high float64) {
	sorted := slices.Sorted(slices.Values(values))
	at := func(p float64) float64 {
		rank := p*float64(len(sorted)+1) - 1
		below := math.Floor(rank)
		i := min(max(int(below), 0), len(sorted)-1)
		j := min(max(int(below)+1, 0), len(sorted)-1)
		return sorted[i] + (rank-below)*(sorted[j]-sorted[i])
	}
	return at(0.025), at(0.975)
}

// compare measures every run at an interval, and predicts it by its own device and by those
// of the others.
func (a artifice) compare(dir string, interval time.Duration, slowdowns []float64, seeds int) ([]row, error) {
	for i := range slowdowns {
		if err := a.calibrate(filesOf(dir, interval, i), interval); err != nil {
			return nil, err
		}
	}
	var all []row
	for i, slowdown := range slowdowns {
		f := filesOf(dir, interval, i)
		measured, err := a.score(f)
		if err != nil {
			return nil, err
		}
		measured["slowdown"] = slowdown
		var devices []string
		for j := range slowdowns {
			if j != i {
				devices = append(devices, filesOf(dir, interval, j).device)
			}
		}
		own, err := a.predict(f, interval, []string{f.device}, seeds)
		if err != nil {
			return nil, err
		}
		others, err := a.predict(f, interval, devices, seeds)
		if err != nil {
			return nil, err
		}
		for _, m := range measures {
			all = append(all, row{interval, i, m, measured[m.key] * m.by, predictionOf(m, own), predictionOf(m, others)})
		}
	}
	return all, nil
}

// save writes a run's samples and its truth, and returns its slowdown.
func save(f files, r *recorded) (slowdown float64, err error) {
	samples, err := os.Create(f.samples)
	if err != nil {
		return 0, err
	}
	defer samples.Close()
	if err := r.writeSamples(samples); err != nil {
		return 0, err
	}
	truth, err := os.Create(f.truth)
	if err != nil {
		return 0, err
	}
	defer truth.Close()
	rec, slowdown := r.truth()
	return slowdown, writeTruth(truth, rec)
}
