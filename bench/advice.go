package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Advice is the longest interval that still sees the methods that matter, on
// one device.
type Advice struct {
	Device    string
	Interval  time.Duration // 0: none of the sweep's intervals does
	Certain   bool          // the recall's whole confidence interval is high enough, not its mean alone
	Recall    [3]float64    // mean and 95 % interval of the share of these methods that is seen
	Slowdown  float64
	Misplaced float64       // share of exclusive time that is reported where it is not
	Longer    time.Duration // the next interval of the sweep, which is too long; 0: there is none
	TooLow    float64       // its recall

	Instrumented []InstrumentedAdvice // the alternatives that were swept
}

// InstrumentedAdvice is what tracing every call would do instead.
type InstrumentedAdvice struct {
	Mode      string
	Slowdown  float64
	Misplaced float64
}

// wantedRecall is the share of the methods of at least 1 % of the time that an
// advised interval sees.
const wantedRecall = 0.95

// Advise reads advice off the rows of [ARTSampling], one for each device.
func (r *Result) Advise() []Advice {
	var list []Advice
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
	rows := slices.SortedStableFunc(slices.Values(r.Rows), func(a, b Row) int { return cmp.Compare(a.Interval, b.Interval) })
	for _, row := range rows {
		if row.Device != device {
			continue
		}
		switch row.Mode {
		case ARTSampling.Name:
			a.consider(row)
		case InstrumentedDual.Name, InstrumentedWall.Name:
			a.Instrumented = append(a.Instrumented, InstrumentedAdvice{row.Mode, row.Mean[Slowdown], 1 - row.Mean[Overlap]})
		}
	}
	return a
}

// consider takes the row's interval if it sees enough, or notes it as too long.
// Intervals come in ascending order: what is longer than one that was too long
// is not advised, whatever its luck.
func (a *Advice) consider(row Row) {
	recall := row.Mean[RecallAbove]
	switch {
	case a.Longer > 0:
	case recall < wantedRecall:
		a.Longer, a.TooLow = row.Interval, recall
	default:
		a.Interval = row.Interval
		a.Certain = row.Low[RecallAbove] >= wantedRecall
		a.Recall = [3]float64{recall, row.Low[RecallAbove], row.High[RecallAbove]}
		a.Slowdown, a.Misplaced = row.Mean[Slowdown], 1-row.Mean[Overlap]
	}
}

// String gives the advice in sentences.
func (a Advice) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: to see %.0f %% of the methods with 1 %% of the time or more, ", a.Device, 100*wantedRecall)
	if a.Interval == 0 {
		fmt.Fprintf(&b, "every interval tried is too long: at %v it is %.0f %%.", a.Longer, 100*a.TooLow)
	} else {
		fmt.Fprintf(&b, "sample every %v or less: %.0f %% (%.0f to %.0f), slowdown %.2f, %.0f %% of the time misplaced.",
			a.Interval, 100*a.Recall[0], 100*a.Recall[1], 100*a.Recall[2], a.Slowdown, 100*a.Misplaced)
		if !a.Certain {
			b.WriteString(" The next shorter interval is the safe choice.")
		}
		if a.Longer > 0 {
			fmt.Fprintf(&b, " %v would see %.0f %%.", a.Longer, 100*a.TooLow)
		}
	}
	for _, i := range a.Instrumented {
		fmt.Fprintf(&b, " %s would see all, slowdown %.2f, %.0f %% misplaced.", i.Mode, i.Slowdown, 100*i.Misplaced)
	}
	return b.String()
}
