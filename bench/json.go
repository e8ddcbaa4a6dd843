package bench

import (
	"encoding/json"
	"math"
)

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
