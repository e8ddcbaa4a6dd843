package plan

import "math"

// model is how the time of a method varies from trace to trace of one way to record, in ns.
type model struct {
	time  float64
	runs  estimated // between runs, as the traces that were read tell
	more  float64   // what sampling adds to that; negative where it takes from it
	level float64   // standard deviation by the level, as a share
	x     float64   // the app's time between two samples; 0: every call is recorded
}

// with returns the model with another variance between runs, and with what sampling adds to it multiplied.
func (m model) with(variance, times float64) model {
	m.runs.variance, m.more = variance, m.more*times
	return m
}

// variance returns that of the time of the method once it is so many times as long: what runs differ by is in
// proportion to it, and what samples miss of its stretches grows as their number would.
func (m *model) variance(times float64) float64 {
	level := m.level * m.time
	return max(0, m.runs.variance+level*level)*times*times + m.more*times
}

// leastSamples is how many samples of a method report.Compare wants over all traces.
const leastSamples = 10

// power returns how likely a change is found by so many traces a side.
func (m *model) power(change float64, traces int) float64 {
	if m.x > 0 && float64(traces)*(2+change)*m.time/m.x < leastSamples {
		return 0
	}
	deviation := math.Sqrt(max(0, (m.variance(1)+m.variance(1+change))/2))
	// The test takes half a sample for the least standard deviation.
	deviation = max(deviation, 1e-9*m.time, m.x*1e-3)
	return studentPower(change*m.time/deviation, traces, m.x/2/deviation)
}

// mostChange is the greatest change that is looked for, as a share.
const mostChange = 100

// smallest returns the smallest change that so many traces a side find; NaN: none up to mostChange.
func (m *model) smallest(traces int) float64 {
	low, high := 0., mostChange+0.
	if m.power(high, traces) < Found {
		return math.NaN()
	}
	for range 40 {
		if middle := (low + high) / 2; m.power(middle, traces) < Found {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
