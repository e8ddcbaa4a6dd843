package expect

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"artifice/bench/internal/law"
)

// Perfect describes the share of time that a perfect sampler attributes correctly: one with
// independent, unbiased samples. Shares are from 0 to 1.
type Perfect struct {
	Samples int64   `json:"samples"`
	Mean    float64 `json:"mean"`
	Low     float64 `json:"low"`  // 5th percentile
	High    float64 `json:"high"` // 95th percentile
}

// NewPerfect returns the distribution of the overlap of a truth with a perfect profile of it
// ([artifice/bench/measure.Overlap]). shares are the true shares, which sum to 1. The mean is exact
// ([law.Floor]); the percentiles are those of simulated profiles, with a standard error below
// 0.001. ok is false if there are no shares or no samples. The same arguments give the same result.
func NewPerfect(shares []float64, samples int64) (p Perfect, ok bool) {
	if len(shares) == 0 || samples <= 0 {
		return p, false
	}
	overlaps := make([]float64, draws(samples))
	m := newMultinomial(shares, samples, 1)
	for i := range overlaps {
		overlaps[i] = overlapOf(shares, m.draw(), samples)
	}
	slices.Sort(overlaps)
	at := func(q float64) float64 { return overlaps[int(q*float64(len(overlaps)-1)+0.5)] }
	return Perfect{samples, law.Floor(shares, samples), at(0.05), at(0.95)}, true
}

// Excess is the error of an overlap minus the mean error of a perfect sampler.
func (p Perfect) Excess(overlap float64) float64 { return p.Mean - overlap }

// draws returns the number of simulated profiles. A sample changes the overlap by at most 1/n, so
// the standard deviation of the overlap is at most 1/(2√n) (bounded differences). The standard
// error of the 5th percentile of a normal variable is 2.1 standard deviations divided by the square
// root of the number of draws.
func draws(samples int64) int {
	const stdErr = 0.0007
	worst := 2.1 / (2 * math.Sqrt(float64(samples)) * stdErr)
	return int(min(20000, max(500, worst*worst)))
}

// overlapOf returns the overlap of a profile with the truth.
func overlapOf(shares []float64, counts []int64, samples int64) (sum float64) {
	for i, n := range counts {
		if n > 0 {
			sum += min(shares[i], float64(n)/float64(samples))
		}
	}
	return sum
}

// multinomial draws profiles of independent samples.
type multinomial struct {
	rng     *rand.Rand
	shares  []float64
	rest    []float64 // sum of this share and all later ones
	samples int64
	counts  []int64
	upTo    []float64 // cumulative shares; nil unless samples are drawn one by one
}

// newMultinomial returns a generator of the counts of samples with shares, which sum to 1.
func newMultinomial(shares []float64, samples int64, seed uint64) *multinomial {
	m := &multinomial{rng: rand.New(rand.NewPCG(seed, 58)), shares: shares, samples: samples, counts: make([]int64, len(shares))}
	if perShare := int64(16); samples < perShare*int64(len(shares)) { // faster than a binomial for each share
		m.upTo = make([]float64, len(shares))
		var sum float64
		for i, p := range shares {
			sum += p
			m.upTo[i] = sum
		}
		return m
	}
	m.rest = make([]float64, len(shares))
	var sum float64
	for i := len(shares) - 1; i >= 0; i-- {
		sum += shares[i]
		m.rest[i] = sum
	}
	return m
}

// draw returns the counts of a profile, which are valid until the next one.
func (m *multinomial) draw() []int64 {
	clear(m.counts)
	if m.upTo != nil {
		total := m.upTo[len(m.upTo)-1]
		for range m.samples {
			i, _ := slices.BinarySearch(m.upTo, m.rng.Float64()*total)
			m.counts[min(i, len(m.counts)-1)]++
		}
		return m.counts
	}
	left := m.samples
	for i, p := range m.shares {
		switch {
		case left == 0 || p <= 0:
			continue
		case p >= m.rest[i] || i == len(m.shares)-1:
			m.counts[i] = left
		default:
			m.counts[i] = int64(distuv.Binomial{N: float64(left), P: p / m.rest[i], Src: m.rng}.Rand())
		}
		left -= m.counts[i]
	}
	return m.counts
}
