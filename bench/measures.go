package bench

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"artifice/bench/measure"
	"artifice/bench/score"
	"artifice/internal/words"
)

// Measure is one number that a tracer is judged by.
type Measure int

// The measures, in the order of reports. Shares are from 0 to 1.
const (
	Period            Measure = iota // mean wall time from sample to sample, s
	Slowdown                         // observed over unobserved length of the run
	LongestPause                     // longest stop of the app, s
	RunningStretch                   // observed over unobserved time in which threads run
	WaitingStretch                   // the same of the time in which they wait
	FramesLate                       // share of the waits for an instant whose instant was missed
	FramesLateBy                     // mean time after that instant, s
	CPUDilation                      // observed over unobserved CPU time
	Samples                          // samples of threads that found one in a method
	MethodRecall                     // share of the methods called that were seen
	RecallRunning                    // the same of methods with at least 1 % of the running time
	RecallAbove                      // the same of methods with at least 1 % of the time
	NamedSeen                        // 1 when all methods of the goal were seen, else 0
	HottestInOrder                   // 1 when the five hottest methods were seen, in the right order, else 0
	CallRecall                       // share of the true calls that a sample fell into
	CallRatio                        // reported over true calls
	MergeFactor                      // true calls seen per reported call
	OverlapRunning                   // of exclusive running time, by method: CPU time, or without methods that wait
	FloorRunning                     // expected OverlapRunning of a random sampler without cost with as many samples
	Overlap                          // of exclusive time, by method
	OverlapEdges                     // of exclusive time, by caller and callee
	OverlapPaths                     // of exclusive time, by calling context
	Floor                            // expected Overlap of a random sampler without cost with as many samples
	FloorPaths                       // the same for OverlapPaths
	Relative                         // Overlap over Floor
	RelativePaths                    // OverlapPaths over FloorPaths
	HotCoverage                      // of edges with at least a tenth of the hottest's time, share that was seen
	HotPrecision                     // of edges that look so hot, share that is
	ExclusiveError                   // Σ|reported − true| exclusive time of methods, over the true sum
	ExclusiveWorst                   // largest relative error of a method with at least 1 % of the time
	InclusiveError                   // as ExclusiveError, for inclusive time
	InclusiveBias                    // signed sum for inclusive time
	ExclusiveCPUError                // as ExclusiveError, of CPU time
	InclusiveCPUError                // as InclusiveError, of CPU time
	InclusiveCPUBias                 // as InclusiveBias, of CPU time
	Top10                            // share of the ten truly hottest methods among the ten reported hottest
	KendallTau                       // τ_b of exclusive times of methods with at least 1 % of the time, −1 to 1
	DurationKS                       // largest distance of true and reported distribution of call durations
	Timeline                         // share of thread time in which the reported stack is the true one
	TimelineDepth                    // the same by frames
	EventRate                        // events recorded per second of the observed run
	ByteRate                         // bytes recorded per second of the observed run
	Overflow                         // share of events that found no room in the buffer
	numMeasures
)

// Shares and numbers that the measures are taken at.
const (
	hotPart   = 0.1  // of the hottest edge's time
	rankShare = 0.01 // of the time: methods that are ranked
	topCount  = 10
	hotCount  = 5   // methods whose order is asked for
	apart     = 1.1 // how many times the other's time a method's is, for their order to matter
)

// unit is what a measure counts in.
type unit int

const (
	number  unit = iota
	share        // 0 to 1
	seconds      // of wall time
)

// measures is the table of measures: what each is called, and how it is computed.
// Those without a function need the whole row, see [newResult].
var measures = [numMeasures]struct {
	key   string // in JSON and CSV
	title string // of a column
	unit  unit
	of    func(c *score.Comparison) float64 // NaN where it does not apply
	about string                            // what it says, in a few words: the definition that reports give
}{
	Period: {"period_s", "period", seconds, period,
		"real time from one sample to the next: interval, overshoot of the sleep, and pause"},
	Slowdown: {"slowdown", "slowdown", number, func(c *score.Comparison) float64 { return c.Cost.Slowdown() },
		"length of the traced run over its length without tracing: the end of the thread that ends last over the latest end without"},
	RunningStretch: {"running_stretch", "running stretched", number, func(c *score.Comparison) float64 { return c.Cost.Overhead.Running() },
		"how many times as long the threads run as without tracing, all together: in managed or native code, not waiting"},
	WaitingStretch: {"waiting_stretch", "waiting stretched", number, func(c *score.Comparison) float64 { return c.Cost.Overhead.Waiting() },
		"the same of the time in which they wait: below 1 where threads that are late wait less for the next frame"},
	FramesLate: {"frames_late", "frames late", share, func(c *score.Comparison) float64 { return c.Cost.Overhead.LateShare() },
		"share of the waits for an instant, as the next frame of the display or turn of a timer, to which the thread came too late, by its own work since the wait before, and would not have without tracing; apps of artifice say which waits those are"},
	FramesLateBy: {"frames_late_by_s", "late by", seconds, framesLateBy,
		"how long after that instant the thread came, on average of the late ones"},
	LongestPause: {"longest_pause_s", "longest pause", seconds, longestPause,
		"longest time for which one sample stopped the app"},
	CPUDilation: {"cpu_dilation", "CPU dilation", number, func(c *score.Comparison) float64 { return c.Cost.CPUDilation() },
		"CPU time of the traced run over its CPU time without tracing"},
	Samples: {"samples", "samples", number, samples,
		"samples of threads that found them in a method"},
	MethodRecall: {"method_recall", "methods seen", share, func(c *score.Comparison) float64 { return measure.Recall(c.True.Calls, c.Seen.Calls) },
		"share of the methods called that are in the trace"},
	RecallRunning: {"method_recall_1pct_running", "running methods seen", share, func(c *score.Comparison) float64 { return measure.Recall(c.RunningAbove(rankShare), c.Seen.Calls) },
		"the same for methods with 1 % of the running time or more"},
	RecallAbove: {"method_recall_1pct", "methods of 1 % seen", share, func(c *score.Comparison) float64 { return measure.Recall(c.CallsAbove(rankShare), c.Seen.Calls) },
		"the same for methods with 1 % of the wall time or more, most of which wait"},
	NamedSeen: {"named_seen", "named methods seen", share, named,
		"share of the traces that have all methods that the goal names"},
	HottestInOrder: {"hottest_in_order", "hottest 5 in order", share, hottestInOrder,
		"share of the traces that have the five methods with the most running time, in the right order where one has more than 1.1 times the time of the other"},
	CallRecall: {"call_recall", "calls seen", share, func(c *score.Comparison) float64 { return c.Calls.Recall() },
		"share of the true calls that a sample fell into, or that were recorded"},
	CallRatio: {"reported_calls_per_true", "reported/true calls", number, func(c *score.Comparison) float64 { return timed(c, c.Calls.ReportedPerTrue()) },
		"calls in the trace per true call"},
	MergeFactor: {"merge_factor", "calls per reported", number, func(c *score.Comparison) float64 { return c.Calls.MergeFactor() },
		"true calls that were seen per call in the trace, as calls between two samples look like one"},
	OverlapRunning: {"overlap_running", "overlap, running", share, func(c *score.Comparison) float64 { return measure.Overlap(c.Running()) },
		"share of running time that is attributed to the right method: the sum over methods of the smaller of true and reported share. Running time is CPU time or, where truth or trace have none, wall time of methods that do not wait (park, sleep, poll and the like, by name)"},
	FloorRunning: {"random_overlap_running", "random, running", share, nil,
		"the overlap of running time that as many samples at random would be expected to reach, without cost; those that find a thread waiting count for nothing"},
	Overlap: {"overlap_methods", "overlap, wall", share, func(c *score.Comparison) float64 { return measure.Overlap(c.True.Exclusive, c.Seen.Exclusive) },
		"the same for wall time, with the time that threads wait"},
	OverlapEdges: {"overlap_edges", "overlap, edges", share, func(c *score.Comparison) float64 { return measure.Overlap(c.True.Edges, c.Seen.Edges) },
		"the same for pairs of caller and method"},
	OverlapPaths: {"overlap_paths", "overlap, paths", share, func(c *score.Comparison) float64 { return measure.Overlap(c.True.Contexts, c.Seen.Contexts) },
		"the same for whole calling contexts"},
	Floor: {"random_overlap_methods", "random, wall", share, nil,
		"overlap that as many samples at random would be expected to reach, without cost"},
	FloorPaths: {"random_overlap_paths", "random, paths", share, nil,
		"the same for calling contexts"},
	Relative: {"relative_overlap_methods", "of random, wall", share, nil,
		"overlap over that of random samples; above 100 % samples did better than those"},
	RelativePaths: {"relative_overlap_paths", "of random, paths", share, nil,
		"the same for calling contexts"},
	HotCoverage: {"hot_edge_coverage", "hot edges seen", share, func(c *score.Comparison) float64 { return hot(c).Coverage },
		"share of the hot pairs of caller and method that are in the trace; hot is a tenth of the hottest pair's time or more"},
	HotPrecision: {"hot_edge_precision", "hot edges right", share, func(c *score.Comparison) float64 { return hot(c).Precision },
		"share of the pairs that look hot in the trace that truly are"},
	ExclusiveError: {"exclusive_wmape", "exclusive error", share, func(c *score.Comparison) float64 { return exclusive(c).WMAPE },
		"sum over methods of |reported − true| exclusive time, over the true sum, with both scaled to the same total"},
	ExclusiveWorst: {"exclusive_worst", "worst exclusive error", share, func(c *score.Comparison) float64 { return math.Abs(exclusive(c).Worst) },
		"largest relative error of exclusive time of a method with 1 % of the time or more"},
	InclusiveError: {"inclusive_wmape", "inclusive error", share, func(c *score.Comparison) float64 { return inclusive(c).WMAPE },
		"as exclusive error, for inclusive time"},
	InclusiveBias: {"inclusive_bias", "inclusive bias", share, func(c *score.Comparison) float64 { return inclusive(c).Bias },
		"sum over methods of reported − true inclusive time, over the true sum; above 0 is too much"},
	ExclusiveCPUError: {"exclusive_cpu_wmape", "exclusive error, CPU", share, func(c *score.Comparison) float64 { e, _ := cpuErrors(c); return e.WMAPE },
		"as exclusive error, of CPU time"},
	InclusiveCPUError: {"inclusive_cpu_wmape", "inclusive error, CPU", share, func(c *score.Comparison) float64 { _, e := cpuErrors(c); return e.WMAPE },
		"as inclusive error, of CPU time"},
	InclusiveCPUBias: {"inclusive_cpu_bias", "inclusive bias, CPU", share, func(c *score.Comparison) float64 { _, e := cpuErrors(c); return e.Bias },
		"as inclusive bias, of CPU time"},
	Top10: {"top10", "top 10", share, func(c *score.Comparison) float64 { return measure.TopK(c.True.Exclusive, c.Seen.Exclusive, topCount) },
		"share of the ten truly hottest methods that are among the ten reported hottest"},
	KendallTau: {"kendall_tau_b", "Kendall τ", number, func(c *score.Comparison) float64 {
		return measure.Kendall(c.True.Exclusive, c.Seen.Exclusive, rankShare)
	},
		"rank correlation of true and reported exclusive times of methods with 1 % of the time or more: 1 is the same order, −1 the reverse (τ_b)"},
	DurationKS: {"duration_ks", "durations KS", share, func(c *score.Comparison) float64 { return timed(c, measure.KS(c.True.Durations, c.Seen.Durations)) },
		"largest distance between the true and the reported distribution of the lengths of calls (Kolmogorov-Smirnov)"},
	Timeline: {"timeline", "stack right", share, func(c *score.Comparison) float64 { return ofLine(c, c.Line.Accuracy()) },
		"share of thread time in which the trace has the whole true stack"},
	TimelineDepth: {"timeline_by_depth", "frames right", share, func(c *score.Comparison) float64 { return ofLine(c, c.Line.DepthWeighted()) },
		"the same by frames: share of the true and reported frames that are right"},
	EventRate: {"events_per_s", "events/s", number, func(c *score.Comparison) float64 { return timed(c, c.Cost.EventsPerSecond()) },
		"events recorded per second of the traced run"},
	ByteRate: {"bytes_per_s", "bytes/s", number, func(c *score.Comparison) float64 { return timed(c, c.Cost.BytesPerSecond()) },
		"bytes recorded per second of the traced run"},
	Overflow: {"overflow", "lost", share, func(c *score.Comparison) float64 { return c.Cost.Overflow() },
		"share of events that found no room in the buffer"},
}

func period(c *score.Comparison) float64 {
	if c.Cost.Period <= 0 {
		return math.NaN()
	}
	return c.Cost.Period.Seconds()
}

func longestPause(c *score.Comparison) float64 {
	if c.Cost.LongestPause == measure.Unknown {
		return math.NaN()
	}
	return c.Cost.LongestPause.Seconds()
}

// framesLateBy is NaN where there are no frames.
func framesLateBy(c *score.Comparison) float64 {
	if c.Cost.Overhead.Frames == 0 {
		return math.NaN()
	}
	return c.Cost.Overhead.MeanLate().Seconds()
}

func samples(c *score.Comparison) float64 {
	if c.Samples == measure.Unknown {
		return math.NaN()
	}
	return float64(c.Samples)
}

// named is 1 when all methods that the goal names were seen.
func named(c *score.Comparison) float64 {
	switch {
	case len(c.Named) == 0:
		return math.NaN()
	case c.HasNamed():
		return 1
	}
	return 0
}

// hottestInOrder is 1 when the hottest methods were seen in the right order.
func hottestInOrder(c *score.Comparison) float64 {
	truth, seen := c.Running()
	if measure.InOrder(truth, seen, c.Seen.Calls, hotCount, apart) {
		return 1
	}
	return 0
}

func hot(c *score.Comparison) measure.Hot { return measure.NewHot(c.True.Edges, c.Seen.Edges, hotPart) }

func exclusive(c *score.Comparison) measure.TimeError {
	return measure.NewTimeError(c.True.Exclusive, c.Seen.Exclusive, c.True.Run, c.Seen.Run, rankShare)
}

func inclusive(c *score.Comparison) measure.TimeError {
	return measure.NewTimeError(c.True.Inclusive, c.Seen.Inclusive, c.True.Run, c.Seen.Run, rankShare)
}

// cpuErrors are the errors of CPU time, NaN unless both sides have it.
func cpuErrors(c *score.Comparison) (exclusive, inclusive measure.TimeError) {
	t, s := c.True.CPU, c.Seen.CPU
	if t == nil || s == nil {
		none := measure.TimeError{WMAPE: math.NaN(), Bias: math.NaN(), Worst: math.NaN()}
		return none, none
	}
	return measure.NewTimeError(t.Exclusive, s.Exclusive, t.Run, s.Run, rankShare), measure.NewTimeError(t.Inclusive, s.Inclusive, t.Run, s.Run, rankShare)
}

// timed is v where the observed trace has times.
func timed(c *score.Comparison, v float64) float64 {
	if c.Untimed {
		return math.NaN()
	}
	return v
}

// ofLine is v where the timeline was compared.
func ofLine(c *score.Comparison, v float64) float64 {
	if c.Line.Thread <= 0 {
		return math.NaN()
	}
	return v
}

// Measures returns all measures in order.
func Measures() []Measure {
	all := make([]Measure, numMeasures)
	for i := range all {
		all[i] = Measure(i)
	}
	return all
}

// Key returns the measure's name in JSON and CSV.
func (m Measure) Key() string { return measures[m].key }

// Description says what the measure is, in a few words.
func (m Measure) Description() string { return measures[m].about }

// Scores has a value for every measure; NaN where it does not apply.
type Scores [numMeasures]float64

// ScoresOf computes the measures of one comparison.
func ScoresOf(c *score.Comparison) Scores {
	s := noScores()
	for m := range measures {
		if of := measures[m].of; of != nil {
			s[m] = of(c)
		}
	}
	return s
}

// noScores returns scores of which none applies yet.
func noScores() (s Scores) {
	for m := range s {
		s[m] = math.NaN()
	}
	return s
}

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
