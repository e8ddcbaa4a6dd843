package bench

import (
	"math/rand/v2"
	"slices"
)

// resamples is how many resamples a bootstrap interval is taken from.
const resamples = 1000

// The ends of the 95 % interval among the sorted resamples.
const (
	lowIndex  = resamples * 25 / 1000
	highIndex = resamples*975/1000 - 1
)

// bootstrap returns the 95 % percentile-bootstrap interval of the mean of each
// measure. All rows draw the same indices for the same seed, so that intervals
// of paired differences can be taken from the rows' own.
//
// Phases are stratified, not independent: the interval is rather too wide.
func bootstrap(list []Scores, seed uint64) (low, high Scores) {
	if len(list) == 0 {
		return low, high
	}
	rng := rand.New(rand.NewPCG(seed, 0x626f6f7473747261))
	means := make([][]float64, numMeasures)
	picks := make([]Scores, len(list))
	for range resamples {
		for i := range picks {
			picks[i] = list[rng.IntN(len(list))]
		}
		for m, v := range meanOf(picks) {
			means[m] = append(means[m], v)
		}
	}
	for m := range means {
		slices.Sort(means[m])
		low[m], high[m] = means[m][lowIndex], means[m][highIndex]
	}
	return low, high
}
