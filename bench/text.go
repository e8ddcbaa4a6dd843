package bench

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"artifice/internal/words"
)

// Format returns a value of the measure as people read it: shares in percent,
// times with three digits, "-" where it does not apply.
func (m Measure) Format(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	switch m.Unit() {
	case Share:
		return strconv.FormatFloat(100*v, 'f', 1, 64)
	case Seconds:
		return Digits(time.Duration(math.Round(v * 1e9)))
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

// Header returns the measure's title with its unit.
func (m Measure) Header() string {
	if m.Unit() == Share {
		return m.Title() + " %"
	}
	return m.Title()
}

// Digits returns a duration rounded to three digits.
func Digits(d time.Duration) string {
	step := time.Duration(1)
	for a := d.Abs(); a >= 1000; a /= 10 {
		step *= 10
	}
	return d.Round(step).String()
}

// String says what was watched.
func (t Truth) String() string {
	return fmt.Sprintf("%s of %s in %s on %s, %s", words.Count(t.Calls, "call"), words.Count(t.Methods, "method"),
		words.Count(t.Paths, "context"), words.Count(t.Threads, "thread"), Digits(t.Length))
}
