package main

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// prediction is the distribution of a measure over emulated samplers.
type prediction struct {
	mean      float64
	low, high float64 // its 95 % interval
}

func (p prediction) has(x float64) bool { return p.low <= x && x <= p.high }

// row is one measure of one run.
type row struct {
	run         measuredRun
	measure     measure
	measured    float64
	own, others prediction // from the device of the run's own samples, and from those of the other runs
}

// scores are the scores of emulated samplers of one device, a map for each.
type scores []map[string]float64

// of returns their scores in a measure.
func (s scores) of(m measure) []float64 {
	values := make([]float64, len(s))
	for i, one := range s {
		values[i] = one[m.key] * m.by
	}
	return values
}

// middle95 returns the prediction of one device from the scores of its samplers: the middle 95 %,
// from the 2.5 % to the 97.5 % quantile. With n values, these have rank (n+1)*0.025 and
// (n+1)*0.975, so that one more value of the same distribution is outside in 5 % of all cases.
func middle95(values []float64) prediction {
	sorted := slices.Sorted(slices.Values(values))
	at := func(p float64) float64 {
		rank := p*float64(len(sorted)+1) - 1
		below := math.Floor(rank)
		i := min(max(int(below), 0), len(sorted)-1)
		j := min(max(int(below)+1, 0), len(sorted)-1)
		return sorted[i] + (rank-below)*(sorted[j]-sorted[i])
	}
	return prediction{stat.Mean(values, nil), at(0.025), at(0.975)}
}

// predictFromOthers returns the prediction for a run by the devices of k other runs, from the scores of
// the samplers of each device. A run deviates from its own device's prediction with the variance W
// between samplers. Devices differ from run to run with variance B, which k means estimate with k-1
// degrees of freedom. A new run is one more draw of both, about a mean with variance B/k. Its
// interval is that of Student's t for the variance W + B(1+1/k), with the degrees of freedom of
// Welch and Satterthwaite. (The error of the means, a hundredth of W, is included in B.)
func predictFromOthers(devices [][]float64) prediction {
	k := float64(len(devices))
	var means []float64
	within, freedom := 0.0, 0.0
	for _, values := range devices {
		mean, variance := stat.MeanVariance(values, nil)
		means = append(means, mean)
		within += variance / k
		freedom += float64(len(values) - 1)
	}
	mean, between := stat.MeanVariance(means, nil)
	between *= 1 + 1/k
	variance := within + between
	if variance == 0 {
		return prediction{mean, mean, mean}
	}
	freedom = variance * variance / (within*within/freedom + between*between/(k-1))
	reach := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(0.975) * math.Sqrt(variance)
	return prediction{mean, mean - reach, mean + reach}
}

// compare measures every run at an interval, and predicts it by its own device and by the devices
// of the others.
func (a artifice) compare(runs []measuredRun, where func(measuredRun) files, measures []measure, seeds int) ([]row, error) {
	devices, err := a.devices(runs, where)
	if err != nil {
		return nil, err
	}
	var all []row
	for i, run := range runs {
		f := where(run)
		measured, err := a.score(f)
		if err != nil {
			return nil, err
		}
		measured["slowdown"] = run.Slowdown
		measured["period_s"] = run.Period.Seconds()
		predicted, err := a.predict(f, run.Interval, devices, seeds)
		if err != nil {
			return nil, err
		}
		for _, m := range measures {
			r := row{run: run, measure: m, measured: measured[m.key] * m.by}
			for k := 0; k < len(predicted); k += len(runs) {
				own, others := rowOf(predicted[k:k+len(runs)], i, m)
				if k == 0 {
					r.own, r.others = own, others
				}
				r.own, r.others = r.own.or(own), r.others.or(others)
			}
			r.others.high = min(r.others.high, m.most)
			all = append(all, r)
		}
	}
	return all, nil
}

// rowOf returns the prediction of a measure by the i-th device, and by the others.
func rowOf(predicted []scores, i int, m measure) (own, among prediction) {
	var others [][]float64
	for j, p := range predicted {
		if j != i {
			others = append(others, p.of(m))
		}
	}
	return middle95(predicted[i].of(m)), predictFromOthers(others)
}

// or extends p to include the prediction of an alternative device.
func (p prediction) or(q prediction) prediction {
	return prediction{p.mean, min(p.low, q.low), max(p.high, q.high)}
}

// devices makes the device of each run. For runs on ART it appends, after all of them, the slowest
// possible device of each.
func (a artifice) devices(runs []measuredRun, where func(measuredRun) files) (devices []string, err error) {
	var behind []string
	for _, run := range runs {
		f := where(run)
		if err := a.calibrate(f, run.Interval); err != nil {
			return nil, err
		}
		devices = append(devices, f.device)
		if f.sleeps == "" {
			continue
		}
		if err := walksLikeART(f); err != nil {
			return nil, err
		}
		name, err := slowest(f)
		if err != nil {
			return nil, err
		}
		behind = append(behind, name)
	}
	return append(devices, behind...), nil
}
