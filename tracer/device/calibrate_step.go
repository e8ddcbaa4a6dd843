package device

import (
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"
)

// coarseStep is from what step of a clock on medians of short times are not to be
// relied on: many differences are 0 or one step. Between finer steps and none the
// whole us of stamps do not tell.
const coarseStep = 20 * time.Microsecond

// step returns the step of the wall clock that stamped the samples: what all
// differences of neighbouring stamps are multiples of, but for the whole us to
// which they are cut. It is 1 us unless a coarser one explains nearly all.
func (s *samples) step() time.Duration {
	var differences []time.Duration
	for i := 1; i < len(s.all); i++ {
		if d := s.all[i].wall - s.all[i-1].wall; d > 0 {
			differences = append(differences, d)
		}
	}
	return clockStep(ascending(differences))
}

// clockStep returns the number that all values, which ascend, are multiples of, or
// 1 us. A multiple may be off by 2 us, as the difference of two stamps is that are
// cut to whole us.
//
// The smallest values, of one step, give a first idea of it, and each value after
// them a better one. Stamps of one sample can be equally far apart for other
// reasons; so the values of many steps, which lie between samples, have to fit on
// their own.
func clockStep(values []float64) time.Duration {
	const (
		cut         = float64(time.Microsecond)
		few, enough = 8, 300 // steps: up to few they fit without an exact step
	)
	if len(values) < minPeriods || values[0] < float64(coarseStep) {
		return time.Microsecond
	}
	ones, _ := slices.BinarySearch(values, values[0]+2*cut)
	step := stat.Mean(values[:ones], nil)
	var sum, counts float64
	var fitting, tried [2]int // of few steps, and of more
	for _, v := range values {
		n := math.Round(v / step)
		if n > enough {
			break
		}
		kind := 0
		if n > few {
			kind = 1
		}
		tried[kind]++
		if math.Abs(v-n*step) <= 2*cut {
			fitting[kind]++
			sum, counts = sum+v, counts+n
			step = sum / counts
		}
	}
	for kind := range tried {
		if tried[kind] < minPeriods || fitting[kind] < tried[kind]*9/10 {
			return time.Microsecond
		}
	}
	return time.Duration(math.Round(step))
}
