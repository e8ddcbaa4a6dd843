package plan

import "math"

// model describes the variance of a method's self time between traces recorded in one way, in ns.
type model struct {
	time  float64
	runs  estimated // variance between the traces read
	more  float64   // change of the sampling variance against the traces read
	level float64   // stated standard deviation, as a share
	x     float64   // app time between two samples; 0: every call is recorded
}

// with returns the model with another variance between runs, and the change of the sampling
// variance multiplied by times.
func (m model) with(variance, times float64) model {
	m.runs.variance, m.more = variance, m.more*times
	return m
}

// variance returns the variance of the method's time after it grows by the factor times. The
// standard deviation between runs is proportional to the time; the sampling variance is, like the
// number of stretches.
func (m *model) variance(times float64) float64 {
	level := m.level * m.time
	return max(0, m.runs.variance+level*level)*times*times + m.more*times
}

// minSamples is the minimum number of samples of a method over all traces for package diff to
// test it.
const minSamples = 10

// power returns the power to detect a change with a number of traces a side.
func (m *model) power(change float64, traces int) float64 {
	if m.x > 0 && float64(traces)*(2+change)*m.time/m.x < minSamples {
		return 0
	}
	deviation := math.Sqrt(max(0, (m.variance(1)+m.variance(1+change))/2))
	// The test takes the standard deviation as at least half a sample.
	deviation = max(deviation, 1e-9*m.time, m.x*1e-3)
	return studentPower(change*m.time/deviation, traces, m.x/2/deviation)
}

// maxChange is the largest change in the search for the minimum detectable one, as a share.
const maxChange = 100

// smallest returns the minimum detectable change of a number of traces a side; NaN: none up to
// maxChange.
func (m *model) smallest(traces int) float64 {
	low, high := 0., maxChange+0.
	if m.power(high, traces) < Power {
		return math.NaN()
	}
	for range 40 {
		if middle := (low + high) / 2; m.power(middle, traces) < Power {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
