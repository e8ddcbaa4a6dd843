package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"artifice/bench/score"
	"artifice/internal/resample"

	"gonum.org/v1/gonum/stat"
)

// Advice is how long an interval can be to still see the methods that matter, on
// one device.
type Advice struct {
	Device string

	// Limit is the longest interval that does, with its 95 % bootstrap interval. It
	// lies between two intervals of the sweep, where the line that joins their
	// recalls over the logarithm of the interval crosses [WantedRecall]. 0: shorter
	// than all; [Beyond]: longer than all.
	Limit [3]time.Duration

	Interval  time.Duration // the longest of the sweep that does; 0: none
	Recall    [3]float64    // there: mean and 95 % interval of the share of these methods that is seen
	Slowdown  float64
	Misplaced float64 // share of exclusive time that is reported where it is not

	Shortest, Longest time.Duration // of the sweep

	Instrumented []InstrumentedAdvice // the alternatives that were swept
}

// InstrumentedAdvice is what tracing every call would do instead.
type InstrumentedAdvice struct {
	Mode      string
	Slowdown  float64
	Misplaced float64
}

// WantedRecall is the share of the methods of at least 1 % of the time that an
// advised interval sees.
const WantedRecall = 0.95

// Beyond is a limit that no interval of the sweep reaches.
const Beyond = time.Duration(math.MaxInt64)

// Advise gives advice for each device, from the rows of [ARTSampling]. There is none
// of a truth that was sampled.
func (r *Result) Advise() []Advice {
	var list []Advice
	if r.Sampled {
		return nil
	}
	var devices []string
	for _, row := range r.Rows {
		if row.Mode == ARTSampling.Name && (len(devices) == 0 || devices[len(devices)-1] != row.Device) {
			devices = append(devices, row.Device)
		}
	}
	for _, d := range devices {
		list = append(list, r.advise(d))
	}
	return list
}

func (r *Result) advise(device string) Advice {
	a := Advice{Device: device}
	var sampled []Row
	for _, row := range r.Rows {
		if row.Device != device {
			continue
		}
		switch row.Mode {
		case ARTSampling.Name:
			sampled = append(sampled, row)
		case InstrumentedDual.Name, InstrumentedWall.Name:
			a.Instrumented = append(a.Instrumented, InstrumentedAdvice{row.Mode, row.Mean[Slowdown], max(0, 1-row.Mean[Overlap])})
		}
	}
	slices.SortStableFunc(sampled, func(a, b Row) int { return cmp.Compare(a.Interval, b.Interval) })
	a.Shortest, a.Longest = sampled[0].Interval, sampled[len(sampled)-1].Interval
	a.Limit = r.limit(sampled)
	for _, row := range sampled {
		// An interval that is longer than one that was too long is not advised, even
		// if it was lucky.
		if row.Mean[RecallAbove] < WantedRecall {
			break
		}
		a.Interval = row.Interval
		a.Recall = [3]float64{row.Mean[RecallAbove], row.Low[RecallAbove], row.High[RecallAbove]}
		a.Slowdown, a.Misplaced = row.Mean[Slowdown], max(0, 1-row.Mean[Overlap])
	}
	return a
}

// limit returns the longest interval that sees enough, with its 95 % bootstrap
// interval: every resample draws the same phases of all rows.
func (r *Result) limit(rows []Row) (limit [3]time.Duration) {
	cells := make([][]float64, len(rows))
	recalls := make([]float64, len(rows))
	for i, row := range rows {
		cells[i] = r.values(row.Key(), RecallAbove)
		recalls[i] = stat.Mean(cells[i], nil)
	}
	limit[0] = longest(rows, recalls)
	var limits []time.Duration
	picked := make([]float64, len(cells[0]))
	bootstrap(len(picked), r.Seed, 0x6c696d6974, func(places []int) {
		for i := range cells {
			recalls[i] = meanAt(cells[i], places, picked)
		}
		limits = append(limits, longest(rows, recalls))
	})
	limit[1], limit[2] = resample.Interval95(limits)
	return limit
}

// longest returns where recall, which belongs to rows in ascending order of the
// interval, first falls below what is wanted.
func longest(rows []Row, recall []float64) time.Duration {
	const rounding = 1e-9 // a mean of equal recalls need not be equal to them
	i := slices.IndexFunc(recall, func(v float64) bool { return v < WantedRecall-rounding })
	switch i {
	case -1:
		return Beyond
	case 0:
		return 0
	}
	part := (recall[i-1] - WantedRecall) / (recall[i-1] - recall[i])
	from, to := float64(rows[i-1].Interval), float64(rows[i].Interval)
	return time.Duration(math.Round(from * math.Pow(to/from, part)))
}

// String gives the advice in sentences.
func (a Advice) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: to see %.0f %% of the methods that take 1 %% of the time or more, ", a.Device, 100*WantedRecall)
	switch a.Limit[0] {
	case 0:
		fmt.Fprintf(&b, "even the shortest interval tried, %v, is too long.", a.Shortest)
	case Beyond:
		fmt.Fprintf(&b, "use an interval of at most %v, the longest tried.", a.Longest)
	default:
		fmt.Fprintf(&b, "use an interval of at most %s (%s to %s).", a.interval(a.Limit[0]), a.interval(a.Limit[1]), a.interval(a.Limit[2]))
	}
	if a.Interval > 0 {
		fmt.Fprintf(&b, " At %v: %.0f %% (%.0f to %.0f) seen, slowdown %.2f, %.0f %% of the time misplaced.",
			a.Interval, 100*a.Recall[0], 100*a.Recall[1], 100*a.Recall[2], a.Slowdown, 100*a.Misplaced)
	}
	for _, i := range a.Instrumented {
		fmt.Fprintf(&b, " %s would see all, slowdown %.2f, %.0f %% misplaced.", i.Mode, i.Slowdown, 100*i.Misplaced)
	}
	return b.String()
}

// interval writes a limit as far as the sweep can tell it.
func (a Advice) interval(d time.Duration) string {
	switch d {
	case 0:
		return fmt.Sprintf("less than %v", a.Shortest)
	case Beyond:
		return fmt.Sprintf("more than %v", a.Longest)
	}
	return score.Digits(d)
}
