package view

import "encoding/json"

// column is the position of a column of numbers in the data. The comments of the fields state which
// columns contain differences and which are signed.
type column struct {
	At    int64 `json:"at"`    // first byte, from the end of the header
	Bytes int64 `json:"bytes"` // number of bytes
	Count int64 `json:"count"` // number of values
}

// textTable is a table of strings: their concatenated bytes, in UTF-8 if the trace has UTF-8.
type textTable struct {
	Lengths column `json:"lengths"` // length of each string in bytes
	At      int64  `json:"at"`
	Bytes   int64  `json:"bytes"`
}

// jsonText is the position of a JSON text in the data. Lists that can be long are not part of the
// header, because the whole header is in memory.
type jsonText struct {
	At    int64 `json:"at"` // first byte, from the end of the header
	Bytes int64 `json:"bytes"`
}

// textParts are a part of each string of a table.
type textParts struct {
	From  column `json:"from"`  // first byte, from the beginning of the string
	Bytes column `json:"bytes"` // number of bytes
}

// header describes the page and contains the positions of all columns.
type header struct {
	Title   string `json:"title"`
	Version string `json:"version"`  // version of the program
	Unit    int64  `json:"unit_ns"`  // the unit of all times in columns
	Start   int64  `json:"start_ns"` // zero of the times: the minimum time of all recordings
	Span    int64  `json:"span"`     // time from Start to the maximum time, in units

	// Kind of the values if they are not times ([trace.Quantity]); absent: times.
	Quantity string `json:"quantity,omitempty"`
	Amounts  string `json:"amounts,omitempty"` // unit of the values

	// class.method signature; methods with the most calls come first
	Methods textTable `json:"methods"`
	Short   textParts `json:"short"` // for each method: the part of its name drawn in boxes

	// for each method: 1 if threads wait in it ([estimate.Profile.Waits])
	Waits column `json:"waits"`
	// lists initially exclude the time in which threads wait
	Running bool `json:"running,omitempty"`

	Recordings []recordingHeader `json:"recordings"`
	Comparison *comparisonHeader `json:"comparison"` // null: recordings are not compared with a truth
	Difference *differenceHeader `json:"difference"` // null: recordings are not compared

	// Range is the path at which the server answers queries about parts; "" if it does not.
	Range string `json:"range,omitempty"`
}

// recordingHeader describes one recording of the page.
type recordingHeader struct {
	Name      string `json:"name"`
	Technique string `json:"technique"` // instrumented, sampled or truth
	// time between samples, if known; else 0
	Interval int64 `json:"interval_ns"`
	// maximum time between two consecutive samples, if known
	Apart int64 `json:"apart_ns,omitempty"`
	// wall, cpu or both; times are those of the first clock
	Clocks []string `json:"clocks"`
	Events int64    `json:"events"`
	// what determines running time ([estimate.RunningBy])
	RunningBy string   `json:"running_by"`
	Notes     []string `json:"notes"`
	// shorter calls are merged, under a method "(calls shorter than …)"; 0: none are
	ShortCalls int64 `json:"short_calls_ns"`
	// for the whole recording, if times are uncertain or short calls are merged; else null, and the
	// calls are exact
	Estimates *estimateColumns `json:"estimates"`
	Threads   jsonText         `json:"threads"` // a threadHeader for each thread

	// Lists are the indexes of the threads in the initial lists; absent: all threads. MainEstimates
	// are the estimates for these threads only, if Estimates are for more.
	Lists         []int            `json:"lists,omitempty"`
	MainEstimates *estimateColumns `json:"main_estimates,omitempty"`

	// differences: times of all samples, on one thread's clock, if known; else each thread has
	// samples
	Ticks *column `json:"ticks,omitempty"`
}

// threadHeader describes a thread of a recording.
type threadHeader struct {
	TID  uint32 `json:"tid"`
	Name string `json:"name"`
	// in a trace of several processes ([trace.Thread.Process])
	Process string      `json:"process,omitempty"`
	Calls   callColumns `json:"calls"`
	// number of calls that began before the trace and have only an exit; they are the first calls
	Before int `json:"before,omitempty"`
	// time of its last event, in units, if calls open at the end extend beyond it
	Last   *int64         `json:"last,omitempty"`
	Levels []levelColumns `json:"levels"` // finest level first
	// differences: times of the samples with a change
	Samples *column `json:"samples,omitempty"`
	// intervals of wall time in which the thread did not run
	Gaps *spanColumns `json:"gaps,omitempty"`
	// intervals of wall time in which it worked on a display frame after the deadline
	Late *spanColumns `json:"late,omitempty"`

	// for a thread compared with the truth's thread:
	// index of the truth's thread; -1 if the truth lacks it
	Of *int `json:"of,omitempty"`
	// intervals in which the reported stack differs from the true one
	Wrong *spanColumns `json:"wrong,omitempty"`
	// differences: indexes of the true calls that are reported; the others are missed
	Seen *column `json:"seen,omitempty"`
}

// comparisonHeader lists the observed recordings that are compared with the truth.
type comparisonHeader struct {
	Truth    int   `json:"truth"`    // index of a recording
	Observed []int `json:"observed"` // indexes, by ascending interval
	Start    int   `json:"start"`    // index in Observed of the recording shown first
	// methods of the runtime itself ([trace.RuntimeInternal]): no tracer records them, so they are
	// not missed
	Runtime []int `json:"runtime,omitempty"`
}

// differenceHeader describes the difference between recordings 0 and 1.
type differenceHeader struct {
	Old      string          `json:"old"` // names of the recordings
	New      string          `json:"new"`
	Clock    string          `json:"clock"`    // wall or cpu: the compared clock
	Headline string          `json:"headline"` // source of the errors
	Contexts contextColumns  `json:"contexts"`
	Rows     json.RawMessage `json:"rows"` // as artifice diff --json
}

// contextColumns are the calling contexts of two recordings, over all threads; callers precede
// their callees.
type contextColumns struct {
	Parent column `json:"parent"` // own index minus the caller's; 0: called from the top level
	Method column `json:"method"`
	Old    column `json:"old"` // exclusive times, in units
	New    column `json:"new"`
}

// callColumns are the calls of a thread. Its events are the begin and the end of each, in the order
// of time: a call ends before the next one of its depth or less begins. The first event is relative
// to time 0.
type callColumns struct {
	Method column `json:"method"`
	Depth  column `json:"depth"` // signed differences
	// time from the previous event to the call's begin
	Begin column `json:"begin"`
	End   column `json:"end"` // time from the previous event to the call's end
	// signed: change of time minus the thread's CPU time since the previous event
	BeginLag *column `json:"begin_lag,omitempty"`
	EndLag   *column `json:"end_lag,omitempty"`
	Mark     *column `json:"mark,omitempty"` // for observed calls, see [artifice/view.mark]
}

// levelColumns is a level of detail; its boxes are stored row by row, the outermost calls first.
type levelColumns struct {
	Width    int64  `json:"width"` // in units
	Rows     column `json:"rows"`  // number of boxes in each row
	Start    column `json:"start"` // differences within a row
	Duration column `json:"duration"`
	Method   column `json:"method"` // method of the longest interval in the box
	Calls    column `json:"calls"`  // number of merged calls
	Filled   column `json:"filled"` // from 0 to 255: the share of the box in calls
}

// spanColumns are intervals of time.
type spanColumns struct {
	Start    column `json:"start"` // differences
	Duration column `json:"duration"`
}

// estimateColumns are the estimates of a recording's methods, one number per row in every column.
type estimateColumns struct {
	Method    column       `json:"method"`
	Exclusive shareColumns `json:"exclusive"`
	Inclusive shareColumns `json:"inclusive"` // outermost activations only
	Calls     column       `json:"calls"`     // number of calls in the recording
	Recursive column       `json:"recursive"` // number of these made while the method was open
	// the numbers are lower bounds, because calls were sampled
	AtLeast bool `json:"at_least"`
}

// shareColumns is a time on each clock of the recording, and the evidence for its 95 % interval.
type shareColumns struct {
	Wall    *timeColumns `json:"wall,omitempty"`
	CPU     *timeColumns `json:"cpu,omitempty"`
	Running *timeColumns `json:"running,omitempty"` // exclusive ([estimate.Profile.RunningTime])
	Samples column       `json:"samples"`           // number of samples with the method
	Caveats column       `json:"doubts"`            // sums of unknown, noCPU and inStep
}

const (
	unknownPeriod = 1 // the sampling period is unknown, so there is no interval
	// the limits of the CPU time are bounds instead of a 95 % interval: the thread waits between
	// samples
	noCPU   = 2
	aliased = 4 // the app is aliased with the sampler, which widens the interval
)

// timeColumns is a time with the distances to both limits of its interval, in ns.
type timeColumns struct {
	Value column `json:"value"`
	Below column `json:"below"`
	Above column `json:"above"`
}
