package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// published contains the hottest methods that one run of a benchmark named, with shares from 0 to
// 1.
type published map[string]float64

// thirtyRuns are the runs of all benchmarks by one profiler.
type thirtyRuns map[string][]published

// readRuns reads the data that Burchell and others published for JFR: output*.json of a folder such
// as Readers/JSONDumps/report5 of github.com/HumphreyHCB/AWFY-Profilers, a file for each run.
func readRuns(dir, profiler string) (thirtyRuns, error) {
	names, err := filepath.Glob(filepath.Join(dir, "output*.json"))
	if err != nil || len(names) < 2 {
		return nil, fmt.Errorf("%s: no output*.json of several runs; they are in Readers/JSONDumps/report5 of AWFY-Profilers", dir)
	}
	all := thirtyRuns{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var file map[string]map[string]json.RawMessage
		if err := json.Unmarshal(text, &file); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for benchmark, raw := range file[profiler] {
			var shares map[string]string
			if err := json.Unmarshal(raw, &shares); err != nil {
				return nil, fmt.Errorf("%s, %s: %w", name, benchmark, err)
			}
			run := published{}
			for method, share := range shares {
				percent, err := strconv.ParseFloat(strings.TrimSuffix(share, "%"), 64)
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", name, benchmark, err)
				}
				run[method] = percent / 100
			}
			all[benchmark] = append(all[benchmark], run)
		}
	}
	return all, nil
}

// samples returns the minimum number of samples for which all shares are integers; 0: there is none
// up to 100,000.
func (p published) samples() int {
	for n := 10; n <= 100_000; n++ {
		whole := true
		for _, share := range p {
			count := share * float64(n)
			if math.Abs(count-math.Round(count)) > 1e-6*count+1e-7*float64(n) {
				whole = false
				break
			}
		}
		if whole {
			return n
		}
	}
	return 0
}

// hottest returns the method with the largest share; the first by name if several are equal.
func (p published) hottest() (name string) {
	for method, share := range p {
		if name == "" || share > p[name] || share == p[name] && method < name {
			name = method
		}
	}
	return name
}

// different returns the number of different hottest methods named by runs.
func different(runs []published) int {
	names := map[string]bool{}
	for _, r := range runs {
		names[r.hottest()] = true
	}
	return len(names)
}

// means returns the mean share of each method named by all runs.
func means(runs []published) published {
	mean := published{}
	for method := range runs[0] {
		sum := 0.0
		for _, r := range runs {
			share, named := r[method]
			if !named {
				sum = math.NaN()
			}
			sum += share
		}
		if !math.IsNaN(sum) {
			mean[method] = sum / float64(len(runs))
		}
	}
	return mean
}

// printRuns prints, for methods with at least 1 %, the share of intervals (± two standard
// deviations around the share in one run) that contain the mean of all runs, and the number of
// different hottest methods: as published, and if the runs differed only by random sampling.
func printRuns(w io.Writer, dir string) error {
	all, err := readRuns(dir, "JavaFlightRecorder")
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return errors.New(dir + ": nothing of JavaFlightRecorder")
	}
	methods, claims, hold := 0, 0, 0
	for _, runs := range all {
		samples := make([]float64, len(runs))
		for i, r := range runs {
			samples[i] = float64(r.samples())
		}
		for method, mean := range means(runs) {
			if mean < 0.01 {
				continue
			}
			methods++
			for i, r := range runs {
				p := r[method]
				claims++
				if math.Abs(p-mean) <= 1.96*math.Sqrt(p*(1-p)/samples[i]) {
					hold++
				}
			}
		}
	}
	fmt.Fprintf(w, "JFR: of %d intervals of square root of n, of %d methods, %.1f %% hold the mean of all runs\n", claims, methods, 100*float64(hold)/float64(claims))
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		runs := all[name]
		low, high := emulated(runs)
		fmt.Fprintf(w, "%s: %d different hottest methods in %d runs; %d to %d, if they differed in the choice of %d samples alone\n",
			name, different(runs), len(runs), low, high, runs[0].samples())
	}
	return nil
}

// emulated draws the same number of runs 200 times from the mean shares, and returns the minimum
// and the maximum number of different hottest methods.
func emulated(runs []published) (low, high int) {
	random := rand.New(rand.NewPCG(1, 2))
	mean := published{}
	for _, r := range runs {
		for method, share := range r {
			mean[method] += share / float64(len(runs))
		}
	}
	methods := make([]string, 0, len(mean))
	for m := range mean {
		methods = append(methods, m)
	}
	slices.Sort(methods)
	low = math.MaxInt
	n := float64(runs[0].samples())
	for range 200 {
		drawn := make([]published, len(runs))
		for i := range drawn {
			drawn[i] = published{}
			for _, m := range methods {
				p := mean[m]
				drawn[i][m] = p + random.NormFloat64()*math.Sqrt(p*(1-p)/n)
			}
		}
		named := different(drawn)
		low, high = min(low, named), max(high, named)
	}
	return low, high
}
