package bench

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"artifice/internal/words"
)

// Format returns a value of the measure as it is printed: shares in percent,
// times with three digits, "-" where it does not apply.
func (m Measure) Format(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	switch measures[m].unit {
	case share:
		return decimals(100*v, 1)
	case seconds:
		return words.Digits(time.Duration(math.Round(v * 1e9)))
	}
	if m == Samples || m == EventRate || m == ByteRate {
		return decimals(v, 0)
	}
	return decimals(v, 3)
}

// decimals writes a number with n decimals; what rounds to 0 has no sign.
func decimals(v float64, n int) string {
	text := strconv.FormatFloat(v, 'f', n, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
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
