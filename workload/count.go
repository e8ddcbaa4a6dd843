package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// maxCount is the most rounds a counted loop may have.
const maxCount = 1_000_000_000

// count is how many rounds a loop has: a whole number, the same or uniform over
// a range, both ends included.
type count struct{ least, most int64 }

// parseCount reads "5" or "uniform 2..8".
func parseCount(s string) (count, error) {
	s = strings.ReplaceAll(s, "_", "")
	text, isRange := strings.CutPrefix(s, "uniform ")
	least, most := text, text
	if isRange {
		least, most, _ = strings.Cut(strings.TrimSpace(text), "..")
	}
	a, err1 := strconv.ParseInt(least, 10, 64)
	b, err2 := strconv.ParseInt(most, 10, 64)
	if err1 != nil || err2 != nil || a < 0 || b < a || b > maxCount {
		return count{}, fmt.Errorf("not a number of rounds; write one from 0 to %d, uniform LEAST..MOST, or forever", maxCount)
	}
	return count{a, b}, nil
}

// draw returns a number of rounds.
func (c count) draw(src rand.Source) int64 {
	if c.least == c.most {
		return c.least
	}
	return c.least + rand.New(src).Int64N(c.most-c.least+1)
}

// mean returns the expected number of rounds.
func (c count) mean() float64 { return float64(c.least+c.most) / 2 }

// survive returns E[s^N], the probability that all rounds end well when each
// does with probability s.
func (c count) survive(s float64) float64 {
	n := float64(c.most - c.least + 1)
	switch {
	case s >= 1:
		return 1
	case c.least == c.most:
		return math.Pow(s, float64(c.least))
	}
	// sum of s^k for k = least..most, over their number
	return (math.Pow(s, float64(c.least)) - math.Pow(s, float64(c.most+1))) / ((1 - s) * n)
}

// rounds returns the expected number of rounds begun when each ends well with
// probability s and the first that does not is the last: E[1 + s + … + s^(N-1)].
func (c count) rounds(s float64) float64 {
	if s >= 1 {
		return c.mean()
	}
	return (1 - c.survive(s)) / (1 - s)
}
