package bench

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"artifice/bench/score"
)

// Format returns a value of the measure as people read it: shares in percent,
// times with three digits, "-" where it does not apply.
func (m Measure) Format(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	switch measures[m].unit {
	case share:
		return strconv.FormatFloat(100*v, 'f', 1, 64)
	case seconds:
		return score.Digits(time.Duration(math.Round(v * 1e9)))
	}
	if m == Samples || m == EventRate || m == ByteRate {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// FormatSpread returns mean and standard deviation of the measure, "87.1±0.3";
// the deviation is left out where it is 0.
func (m Measure) FormatSpread(mean, sd float64) string {
	if math.IsNaN(mean) || !(sd > 0) {
		return m.Format(mean)
	}
	return m.Format(mean) + "±" + m.Format(sd)
}

// Header returns the name of the measure in tables, with its unit.
func (m Measure) Header() string {
	if measures[m].unit == share {
		return measures[m].title + " %"
	}
	return measures[m].title
}

// MarshalJSON gives the scores by key; a measure that does not apply is absent.
func (s Scores) MarshalJSON() ([]byte, error) {
	object := make(map[string]float64, len(s))
	for m, v := range s {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			object[Measure(m).Key()] = v
		}
	}
	return json.Marshal(object)
}

// MarshalJSON gives the cell with its times in ns.
func (c Cell) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Mode       string `json:"mode"`
		Device     string `json:"device"`
		IntervalNS int64  `json:"interval_ns"`
		Index      int    `json:"index"`
		PhaseNS    int64  `json:"phase_ns"`
		Scores     Scores `json:"scores"`
	}{c.Mode, c.Device, int64(c.Interval), c.Index, int64(c.Phase), c.Scores})
}
