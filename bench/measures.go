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

// Measure is a number by which tracers are compared.
type Measure int

// The measures, in the order of reports. Shares are from 0 to 1.
const (
	Period         Measure = iota // mean wall time from sample to sample, s
	Slowdown                      // observed over unobserved length of the run
	LongestPause                  // longest stop of the app, s
	CPUOverhead                   // added running time of threads, as a share of that without tracing
	WaitingRatio                  // observed over unobserved waiting time of threads
	FramesLate                    // share of missed deadlines among the waits for one
	FramesLateBy                  // mean delay after the deadline, s
	CPUTimeRatio                  // observed over unobserved CPU time
	Samples                       // number of samples of threads that found a thread in a method
	MethodRecall                  // share of the methods called that were seen
	RecallRunning                 // the same of methods with at least 1 % of the running time
	RecallAbove                   // the same of methods with at least 1 % of the time
	NamedSeen                     // 1 when all methods of the goal were seen, else 0
	HottestInOrder                // 1 when the five hottest methods were seen, in the right order, else 0
	CallRecall                    // share of the true calls that a sample fell into
	CallRatio                     // reported over true calls
	MergeFactor                   // true calls seen per reported call
	OverlapRunning                // of exclusive running time, by method: CPU time, or without methods that wait
	FloorRunning                  // expected OverlapRunning of a random sampler without cost and with the same number of samples
	Overlap                       // of exclusive time, by method
	OverlapEdges                  // of exclusive time, by caller and callee
	OverlapPaths                  // of exclusive time, by calling context
	Floor                         // expected Overlap of a random sampler without cost and with the same number of samples
	FloorPaths                    // the same for OverlapPaths
	Relative                      // Overlap over Floor
	RelativePaths                 // OverlapPaths over FloorPaths
	// share seen, of the edges with at least a tenth of the hottest edge's time
	HotCoverage
	HotPrecision      // share truly that hot, of the edges reported as that hot
	ExclusiveError    // Σ|reported − true| exclusive time of methods, over the true sum
	ExclusiveWorst    // largest relative error of a method with at least 1 % of the time
	InclusiveError    // as ExclusiveError, for inclusive time
	InclusiveBias     // signed sum for inclusive time
	ExclusiveCPUError // as ExclusiveError, of CPU time
	InclusiveCPUError // as InclusiveError, of CPU time
	InclusiveCPUBias  // as InclusiveBias, of CPU time
	Top10             // share of the ten truly hottest methods among the ten reported hottest
	KendallTau        // τ_b of exclusive times of methods with at least 1 % of the time, −1 to 1
	DurationKS        // largest distance of true and reported distribution of call durations
	Timeline          // share of thread time in which the reported stack is the true one
	TimelineDepth     // the same by frames
	EventRate         // events recorded per second of the observed run
	ByteRate          // bytes recorded per second of the observed run
	Overflow          // share of events dropped because the buffer was full
	numMeasures
)

// Thresholds of the measures.
const (
	hotPart   = 0.1  // minimum share of the hottest edge's time
	rankShare = 0.01 // minimum share of the time, for methods that are ranked
	topCount  = 10
	hotCount  = 5   // number of methods with a measured order
	apart     = 1.1 // minimum ratio of two methods' times for their order to matter
)

// unit is what a measure counts in.
type unit int

const (
	number  unit = iota
	share        // 0 to 1
	seconds      // of wall time
)

// measures is the table of measures: names, units, functions and definitions. Measures without a
// function depend on the whole row (newResult).
var measures = [numMeasures]struct {
	key   string // in JSON and CSV
	title string // of a column
	unit  unit
	of    func(c *score.Comparison) float64 // NaN where it does not apply
	about string                            // definition in help and pages
}{
	Period: {"period_s", "period", seconds, period,
		"measured sampling period: mean wall time from one sample to the next. The period exceeds the interval, because sleeps end late and samples take time"},
	Slowdown: {"slowdown", "slowdown", number, func(c *score.Comparison) float64 { return c.Cost.Slowdown() },
		"wall time of the traced run, divided by that of the untraced run"},
	CPUOverhead: {"cpu_overhead", "CPU overhead", share, func(c *score.Comparison) float64 { return c.Cost.Overhead.Running() - 1 },
		"running time that tracing adds to all threads, as a share of their running time in the untraced run. Running time excludes waits"},
	WaitingRatio: {"waiting_ratio", "waiting ratio", number, func(c *score.Comparison) float64 { return c.Cost.Overhead.Waiting() },
		"waiting time of all threads, divided by that in the untraced run. The ratio is below 1 if delayed threads wait less for their deadlines"},
	FramesLate: {"frames_late", "late frames", share, func(c *score.Comparison) float64 { return c.Cost.Overhead.LateShare() },
		"share of deadlines (such as the next display frame) that threads miss because of tracing. Only synthetic workloads state deadlines"},
	FramesLateBy: {"frames_late_by_s", "mean lateness", seconds, framesLateBy,
		"mean delay of late frames after their deadline"},
	LongestPause: {"longest_pause_s", "longest pause", seconds, longestPause,
		"longest time for which one sample suspends the app"},
	CPUTimeRatio: {"cpu_time_ratio", "CPU time ratio", number, func(c *score.Comparison) float64 { return c.Cost.CPUDilation() },
		"CPU time in the traced run, divided by that in the untraced run. CPU clocks do not count time for which a sampler suspends threads"},
	Samples: {"samples", "samples", number, samples,
		"number of sampled stacks that are not empty"},
	MethodRecall: {"methods_seen", "methods seen", share, func(c *score.Comparison) float64 { return measure.Recall(c.True.Calls, c.Seen.Calls) },
		"coverage of methods: share of the called methods that the trace contains"},
	RecallRunning: {"methods_seen_1pct_cpu", "methods seen, ≥ 1 % CPU", share, func(c *score.Comparison) float64 { return measure.Recall(c.RunningAbove(rankShare), c.Seen.Calls) },
		"coverage of the methods with at least 1 % of CPU time"},
	RecallAbove: {"methods_seen_1pct_wall", "methods seen, ≥ 1 % wall", share, func(c *score.Comparison) float64 { return measure.Recall(c.CallsAbove(rankShare), c.Seen.Calls) },
		"coverage of methods with at least 1 % of wall time (most methods wait)"},
	NamedSeen: {"named_seen", "named methods seen", share, named,
		"share of traces that contain all methods named in --goal"},
	HottestInOrder: {"hottest_in_order", "hottest 5 in order", share, hottestInOrder,
		"share of traces that rank the five methods with the most CPU time correctly. Two methods may be swapped if their times differ by at most a factor of 1.1"},
	CallRecall: {"calls_seen", "calls seen", share, func(c *score.Comparison) float64 { return c.Calls.Recall() },
		"coverage of calls: share of the true calls that the trace contains"},
	CallRatio: {"reported_calls_per_true", "reported/true calls", number, func(c *score.Comparison) float64 { return timed(c, c.Calls.ReportedPerTrue()) },
		"number of calls in the trace, divided by the true number"},
	MergeFactor: {"merge_factor", "calls per reported", number, func(c *score.Comparison) float64 { return c.Calls.MergeFactor() },
		"number of true calls that a call in the trace represents on average. Calls of a method without a sample between them merge into one"},
	OverlapRunning: {"cpu_correct", "CPU correct", share, func(c *score.Comparison) float64 { return measure.Overlap(c.Running()) },
		"CPU time correctly attributed: the smaller of the true and the reported share of a method in CPU self time, summed over all methods. A sampled trace attributes the time between two samples to the earlier stack. Without a CPU clock, the wall time of methods that do not wait is used"},
	FloorRunning: {"random_cpu_correct", "random, CPU", share, nil,
		"expected cpu_correct of equally many samples at random times, without overhead. Samples of waiting threads do not count"},
	Overlap: {"wall_correct", "wall correct", share, func(c *score.Comparison) float64 { return measure.Overlap(c.True.Exclusive, c.Seen.Exclusive) },
		"share of wall time correctly attributed to methods, including waits"},
	OverlapEdges: {"edges_correct", "edges correct", share, func(c *score.Comparison) float64 { return measure.Overlap(c.True.Edges, c.Seen.Edges) },
		"share of wall time (CPU profiles: CPU time) attributed to the correct caller and callee"},
	OverlapPaths: {"paths_correct", "paths correct", share, func(c *score.Comparison) float64 { return measure.Overlap(c.True.Contexts, c.Seen.Contexts) },
		"like edges_correct, for calling contexts (complete stacks)"},
	Floor: {"random_wall_correct", "random, wall", share, nil,
		"expected wall_correct of equally many samples at random times"},
	FloorPaths: {"random_paths_correct", "random, paths", share, nil,
		"expected paths_correct of equally many samples at random times"},
	Relative: {"relative_wall_correct", "relative, wall", share, nil,
		"wall_correct divided by random_wall_correct: above 100 %, the trace is better than random samples"},
	RelativePaths: {"relative_paths_correct", "relative, paths", share, nil,
		"paths_correct divided by random_paths_correct"},
	HotCoverage: {"hot_edge_coverage", "hot edges seen", share, func(c *score.Comparison) float64 { return hot(c).Coverage },
		"share of the hot pairs of caller and callee that the trace contains. A pair is hot if it has at least a tenth of the time of the hottest pair"},
	HotPrecision: {"hot_edge_precision", "hot edges correct", share, func(c *score.Comparison) float64 { return hot(c).Precision },
		"share of hot edges in the trace that are truly hot"},
	ExclusiveError: {"self_wmape", "self error", share, func(c *score.Comparison) float64 { return exclusive(c).WMAPE },
		"error of self times (WMAPE): sum over methods of |reported − true|, divided by the sum of true times, after reported times are scaled to the true total"},
	ExclusiveWorst: {"self_worst", "largest self error", share, func(c *score.Comparison) float64 { return math.Abs(exclusive(c).Worst) },
		"largest relative error of the self time of a method with at least 1 % of the time"},
	InclusiveError: {"total_wmape", "total error", share, func(c *score.Comparison) float64 { return inclusive(c).WMAPE },
		"like self_wmape, for total times"},
	InclusiveBias: {"total_bias", "total bias", share, func(c *score.Comparison) float64 { return inclusive(c).Bias },
		"sum over methods of reported − true total time, divided by the sum of true total times: above 0, the trace reports too much"},
	ExclusiveCPUError: {"self_cpu_wmape", "self error, CPU", share, func(c *score.Comparison) float64 { e, _ := cpuErrors(c); return e.WMAPE },
		"like self_wmape, for CPU times"},
	InclusiveCPUError: {"total_cpu_wmape", "total error, CPU", share, func(c *score.Comparison) float64 { _, e := cpuErrors(c); return e.WMAPE },
		"like self_wmape, for total CPU times"},
	InclusiveCPUBias: {"total_cpu_bias", "total bias, CPU", share, func(c *score.Comparison) float64 { _, e := cpuErrors(c); return e.Bias },
		"like total_bias, for CPU times"},
	Top10: {"top10", "top 10", share, func(c *score.Comparison) float64 { return measure.TopK(c.True.Exclusive, c.Seen.Exclusive, topCount) },
		"share of the ten truly hottest methods that are among the ten hottest in the trace"},
	KendallTau: {"kendall_tau_b", "Kendall τ", number, func(c *score.Comparison) float64 {
		return measure.Kendall(c.True.Exclusive, c.Seen.Exclusive, rankShare)
	},
		"rank correlation (τ_b) of true and reported self times of methods with at least 1 % of the time: 1 is the same order, −1 the reverse"},
	DurationKS: {"duration_ks", "durations KS", share, func(c *score.Comparison) float64 { return timed(c, measure.KS(c.True.Durations, c.Seen.Durations)) },
		"largest distance between the true and the reported distribution of call durations (Kolmogorov-Smirnov)"},
	Timeline: {"timeline", "stack correct", share, func(c *score.Comparison) float64 { return ofLine(c, c.Line.Accuracy()) },
		"share of the threads' time in which the trace has exactly the true stack"},
	TimelineDepth: {"timeline_by_depth", "frames correct", share, func(c *score.Comparison) float64 { return ofLine(c, c.Line.DepthWeighted()) },
		"like timeline, but each frame counts separately"},
	EventRate: {"events_per_s", "events/s", number, func(c *score.Comparison) float64 { return timed(c, c.Cost.EventsPerSecond()) },
		"events recorded per second of the traced run"},
	ByteRate: {"bytes_per_s", "bytes/s", number, func(c *score.Comparison) float64 { return timed(c, c.Cost.BytesPerSecond()) },
		"bytes recorded per second of the traced run"},
	Overflow: {"overflow", "dropped", share, func(c *score.Comparison) float64 { return c.Cost.Overflow() },
		"share of events dropped because the buffer was full"},
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

// framesLateBy is NaN if there are no frames.
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

// named is 1 if all methods named by the goal were seen.
func named(c *score.Comparison) float64 {
	switch {
	case len(c.Named) == 0:
		return math.NaN()
	case c.HasNamed():
		return 1
	}
	return 0
}

// hottestInOrder is 1 if the hottest methods were seen in the right order.
func hottestInOrder(c *score.Comparison) float64 {
	truth, seen := c.Running()
	if measure.InOrder(truth, seen, c.Seen.Calls, hotCount, apart) {
		return 1
	}
	return 0
}

func hot(c *score.Comparison) measure.Hot { return measure.NewHot(c.True.Edges, c.Seen.Edges, hotPart) }

func exclusive(c *score.Comparison) measure.TimeError {
	return measure.NewTimeError(c.True.Exclusive, c.Seen.Exclusive, c.True.Time, c.Seen.Time, rankShare)
}

func inclusive(c *score.Comparison) measure.TimeError {
	return measure.NewTimeError(c.True.Inclusive, c.Seen.Inclusive, c.True.Time, c.Seen.Time, rankShare)
}

// cpuErrors are the errors of CPU time; NaN unless both sides have it.
func cpuErrors(c *score.Comparison) (exclusive, inclusive measure.TimeError) {
	t, s := c.True.CPU, c.Seen.CPU
	if t == nil || s == nil {
		none := measure.TimeError{WMAPE: math.NaN(), Bias: math.NaN(), Worst: math.NaN()}
		return none, none
	}
	return measure.NewTimeError(t.Exclusive, s.Exclusive, t.Time, s.Time, rankShare), measure.NewTimeError(t.Inclusive, s.Inclusive, t.Time, s.Time, rankShare)
}

// timed is v if the observed trace has times, else NaN.
func timed(c *score.Comparison, v float64) float64 {
	if c.Untimed {
		return math.NaN()
	}
	return v
}

// ofLine is v if the timeline was compared, else NaN.
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

// IsShare reports whether values are shares from 0 to 1, formatted in percent.
func (m Measure) IsShare() bool { return measures[m].unit == share }

// Title returns the title of the measure in tables, without a unit.
func (m Measure) Title() string { return measures[m].title }

// Description returns the definition of the measure.
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
	if c.True.OfCPU {
		s.omit(RecallAbove, Overlap, ExclusiveError, InclusiveError, InclusiveBias)
		if !c.Seen.OfCPU { // these would compare CPU time with wall time
			s.omit(OverlapEdges, OverlapPaths, HotCoverage, HotPrecision, ExclusiveWorst, Top10, KendallTau)
		}
	}
	return s
}

// omit removes measures that do not apply.
func (s *Scores) omit(list ...Measure) {
	for _, m := range list {
		s[m] = math.NaN()
	}
}

// Accuracy has the main measures by name. Shares are from 0 to 1; a measure that does not apply is
// NaN. The table of measures contains the other measures and all definitions ([Measure]).
type Accuracy struct {
	CPUCorrect     float64 // share of CPU time correctly attributed, by method ([OverlapRunning])
	WallCorrect    float64 // share of wall time correctly attributed, by method ([Overlap])
	PathsCorrect   float64 // the same by calling context ([OverlapPaths])
	MethodsSeen    float64 // share of the methods called that the trace contains ([MethodRecall])
	CallsSeen      float64 // share of the true calls that the trace contains ([CallRecall])
	HottestInOrder float64 // share of traces that rank the five hottest methods correctly
	Slowdown       float64 // length of the traced run over its length without tracing
	CPUOverhead    float64 // added running time of threads, as a share of that without tracing
}

// Accuracy returns the main measures of s.
func (s *Scores) Accuracy() Accuracy {
	return Accuracy{
		CPUCorrect: s[OverlapRunning], WallCorrect: s[Overlap], PathsCorrect: s[OverlapPaths],
		MethodsSeen: s[MethodRecall], CallsSeen: s[CallRecall], HottestInOrder: s[HottestInOrder],
		Slowdown: s[Slowdown], CPUOverhead: s[CPUOverhead],
	}
}

// noScores returns scores in which no measure applies yet.
func noScores() (s Scores) {
	for m := range s {
		s[m] = math.NaN()
	}
	return s
}

// Format formats a value of the measure for output: shares in percent, times with three digits, "-"
// if the measure does not apply.
func (m Measure) Format(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	switch measures[m].unit {
	case share:
		return decimals(100*v, 1)
	case seconds:
		return words.Duration(time.Duration(math.Round(v * 1e9)))
	}
	if m == Samples || m == EventRate || m == ByteRate {
		return decimals(v, 0)
	}
	return decimals(v, 3)
}

// decimals formats a number with n decimals; a number that rounds to 0 has no sign.
func decimals(v float64, n int) string {
	text := strconv.FormatFloat(v, 'f', n, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// FormatSpread returns mean and standard deviation of the measure, "87.1±0.3"; a deviation of 0 is
// omitted.
func (m Measure) FormatSpread(mean, sd float64) string {
	if math.IsNaN(mean) || !(sd > 0) || measures[m].unit == seconds && sd < 0.5e-9 {
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

// MarshalJSON encodes the scores by key; measures that do not apply are omitted.
func (s Scores) MarshalJSON() ([]byte, error) {
	object := make(map[string]float64, len(s))
	for m, v := range s {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			object[Measure(m).Key()] = v
		}
	}
	return json.Marshal(object)
}

// MarshalJSON encodes the cell with its times in ns.
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
