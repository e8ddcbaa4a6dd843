package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"artifice/trace"
)

// measuredRun contains the measurements of a run other than its samples.
type measuredRun struct {
	Interval  time.Duration
	Run       int     // from 1, at the interval
	Slowdown  float64 // length of the run over its length without the stops
	Elsewhere float64 // share of the run in which the working goroutine had no core, excluding the stops

	// Of a run on ART:
	Busy   bool          `json:",omitempty"` // there was no free core for the sampling thread
	Period time.Duration `json:",omitempty"` // mean time from the end of one of its sleeps to the next
}

// files are the names of a run's files, as input of artifice.
type files struct {
	truth  string // of a run without stops
	awake  string // the same with threads that never sleep; their slowdown is caused by samples alone
	device string

	samples     string // to compare with real: the truth, or for ART the truth with the stops
	real        string
	calibration string // input of calibrate
	sleeps      string // sleeps of ART's sampling thread
}

// files are those of a run of this program.
func (m measuredRun) files(dir string) files {
	name := filepath.Join(dir, fmt.Sprintf("%s-%d", m.Interval, m.Run))
	return files{truth: name + ".txt", awake: name + ".awake.txt", device: name + ".yaml", samples: name + ".jsonl", real: name + ".txt", calibration: name + ".jsonl"}
}

// artFiles are those of a run on ART.
func (m measuredRun) artFiles(dir string) files {
	name := filepath.Join(dir, fmt.Sprintf("art-%s-%d", m.Interval, m.Run))
	if m.Busy {
		name += "-busy"
	}
	return files{name + ".txt", name + ".awake.txt", name + ".yaml", name + ".sampled.txt", name + ".real.txt", name + ".trace", name + ".sleeps.txt"}
}

// sameKind returns the number of runs at the beginning that share one interval.
func sameKind(runs []measuredRun) (n int) {
	for n < len(runs) && runs[n].Interval == runs[0].Interval && runs[n].Busy == runs[0].Busy {
		n++
	}
	return n
}

const runsFile = "runs.json"

func writeRuns(dir string, all []measuredRun) error {
	text, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, runsFile), append(text, '\n'), 0o666)
}

// readRuns reads the file of writeRuns: at least one run, runs of an interval together.
func readRuns(dir string) ([]measuredRun, error) {
	name := filepath.Join(dir, runsFile)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all []measuredRun
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no runs", name)
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
	if err := writeTruth(truth, rec); err != nil {
		return 0, err
	}
	rec, _ = r.truth()
	for i := range rec.Symbols.Methods {
		rec.Symbols.Methods[i].Wait = trace.Running
	}
	return slowdown, writeTruthFile(f.awake, rec)
}
