package bench

import "math"

// Measure is one number that a tracer is judged by.
type Measure int

// The measures, in the order of reports. Shares are from 0 to 1.
const (
	Period            Measure = iota // mean wall time from sample to sample, s
	Slowdown                         // observed over unobserved length of the run
	LongestPause                     // longest stop of the app, s
	CPUDilation                      // observed over unobserved CPU time
	Samples                          // samples of threads that found one in a method
	MethodRecall                     // share of the methods called that were seen
	RecallAbove                      // the same of methods with at least 1 % of the time
	CallRecall                       // share of the true calls that a sample fell into
	CallRatio                        // reported over true calls
	MergeFactor                      // true calls seen per reported call
	Overlap                          // of exclusive time, by method
	OverlapEdges                     // of exclusive time, by caller and callee
	OverlapPaths                     // of exclusive time, by calling context
	Floor                            // expected Overlap of an ideal random sampler with as many samples
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

// Unit is what a measure counts in.
type Unit int

const (
	Number  Unit = iota
	Share        // 0 to 1
	Seconds      // of wall time
)

// Facts of a measure.
type measureFacts struct {
	key   string // in JSON and CSV
	title string // of a column
	unit  Unit
}

var facts = [numMeasures]measureFacts{
	Period:            {"period_s", "period", Seconds},
	Slowdown:          {"slowdown", "slowdown", Number},
	LongestPause:      {"longest_pause_s", "longest pause", Seconds},
	CPUDilation:       {"cpu_dilation", "CPU dilation", Number},
	Samples:           {"samples", "samples", Number},
	MethodRecall:      {"method_recall", "methods seen", Share},
	RecallAbove:       {"method_recall_1pct", "methods of 1 % seen", Share},
	CallRecall:        {"call_recall", "calls seen", Share},
	CallRatio:         {"reported_calls_per_true", "reported/true calls", Number},
	MergeFactor:       {"merge_factor", "calls per reported", Number},
	Overlap:           {"overlap_methods", "overlap", Share},
	OverlapEdges:      {"overlap_edges", "overlap, edges", Share},
	OverlapPaths:      {"overlap_paths", "overlap, paths", Share},
	Floor:             {"ideal_overlap_methods", "ideal", Share},
	FloorPaths:        {"ideal_overlap_paths", "ideal, paths", Share},
	Relative:          {"relative_overlap_methods", "of ideal", Share},
	RelativePaths:     {"relative_overlap_paths", "of ideal, paths", Share},
	HotCoverage:       {"hot_edge_coverage", "hot edges seen", Share},
	HotPrecision:      {"hot_edge_precision", "hot edges right", Share},
	ExclusiveError:    {"exclusive_wmape", "exclusive error", Share},
	ExclusiveWorst:    {"exclusive_worst", "worst exclusive error", Share},
	InclusiveError:    {"inclusive_wmape", "inclusive error", Share},
	InclusiveBias:     {"inclusive_bias", "inclusive bias", Share},
	ExclusiveCPUError: {"exclusive_cpu_wmape", "exclusive error, CPU", Share},
	InclusiveCPUError: {"inclusive_cpu_wmape", "inclusive error, CPU", Share},
	InclusiveCPUBias:  {"inclusive_cpu_bias", "inclusive bias, CPU", Share},
	Top10:             {"top10", "top 10", Share},
	KendallTau:        {"kendall_tau_b", "Kendall τ", Number},
	DurationKS:        {"duration_ks", "durations KS", Share},
	Timeline:          {"timeline", "stack right", Share},
	TimelineDepth:     {"timeline_by_depth", "frames right", Share},
	EventRate:         {"events_per_s", "events/s", Number},
	ByteRate:          {"bytes_per_s", "bytes/s", Number},
	Overflow:          {"overflow", "lost", Share},
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
func (m Measure) Key() string { return facts[m].key }

// Title returns the measure's name in tables.
func (m Measure) Title() string { return facts[m].title }

// Unit returns what the measure counts in.
func (m Measure) Unit() Unit { return facts[m].unit }

// Scores has a value for every measure; NaN where it does not apply.
type Scores [numMeasures]float64

// noScores returns scores of which none applies yet.
func noScores() (s Scores) {
	for m := range s {
		s[m] = math.NaN()
	}
	return s
}
