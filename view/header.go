package view

import "encoding/json"

// column is where a column of numbers is in the data. The fields below state which are differences
// and which are signed.
type column struct {
	At    int64 `json:"at"`    // first byte, from the end of the header
	Bytes int64 `json:"bytes"` // how many
	Count int64 `json:"count"` // numbers
}

// textTable is a table of strings: their bytes one after another, as UTF-8 where the
// trace has UTF-8.
type textTable struct {
	Lengths column `json:"lengths"` // of each string in bytes
	At      int64  `json:"at"`
	Bytes   int64  `json:"bytes"`
}

// jsonText is where a JSON text is in the data. Lists that can be long are not part of the header,
// which is in memory as a whole.
type jsonText struct {
	At    int64 `json:"at"` // first byte, from the end of the header
	Bytes int64 `json:"bytes"`
}

// textParts are a part of each string of a table.
type textParts struct {
	From  column `json:"from"`  // first byte, from the string's beginning
	Bytes column `json:"bytes"` // how many
}

// header describes the page and has the places of all columns.
type header struct {
	Title   string `json:"title"`
	Version string `json:"version"`  // of the program
	Unit    int64  `json:"unit_ns"`  // the unit of all times in columns
	Start   int64  `json:"start_ns"` // where they count from: the least time of all recordings
	Span    int64  `json:"span"`     // from there to the last time, in units

	// Kind of the values if they are not times ([trace.Quantity]); absent: times.
	Quantity string `json:"quantity,omitempty"`
	Amounts  string `json:"amounts,omitempty"` // their unit

	Methods textTable `json:"methods"` // class.method signature; those with the most calls come first
	Short   textParts `json:"short"`   // of each method's name, what is drawn in boxes

	Waits   column `json:"waits"`             // of each method: 1 where a thread waits in it ([estimate.Profile.Waits])
	Running bool   `json:"running,omitempty"` // lists begin without the time in which threads wait

	Recordings []recordingHeader `json:"recordings"`
	Compared   *comparisonHeader `json:"beside"`     // null: recordings are not compared with a truth
	Difference *differenceHeader `json:"difference"` // null: recordings are not compared

	// Range is the path at which the server answers queries about parts; "": none.
	Range string `json:"range,omitempty"`
}

// Recording is one recording of the page.
type recordingHeader struct {
	Name       string           `json:"name"`
	Technique  string           `json:"technique"`          // instrumented, sampled or truth
	Interval   int64            `json:"interval_ns"`        // between samples, as far as known; else 0
	Apart      int64            `json:"apart_ns,omitempty"` // the longest that two samples which follow each other are apart, where that is known
	Clocks     []string         `json:"clocks"`             // wall, cpu or both; times are of the first
	Events     int64            `json:"events"`
	RunningBy  string           `json:"running_by"` // what decides which time is running time ([estimate.RunningBy])
	Notes      []string         `json:"notes"`
	ShortCalls int64            `json:"short_calls_ns"` // calls shorter than this are put together, under a method "(calls shorter than …)"; 0: none are
	Estimates  *estimateColumns `json:"estimates"`      // of the whole recording, where times are uncertain or short calls are put together; else null, and calls are exact
	Threads    jsonText         `json:"threads"`        // a threadHeader for each thread

	// Lists are the indices of the threads with which lists begin; absent: all. MainEstimates
	// are of these threads alone, where Estimates are of more.
	Lists         []int            `json:"lists,omitempty"`
	MainEstimates *estimateColumns `json:"main_estimates,omitempty"`

	Ticks *column `json:"ticks,omitempty"` // differences: times of all samples, by one thread, where they are known; else threads have samples
}

// threadHeader is a thread of a recording.
type threadHeader struct {
	TID     uint32         `json:"tid"`
	Name    string         `json:"name"`
	Process string         `json:"process,omitempty"` // of a trace with several ([trace.Thread.Process])
	Calls   callColumns    `json:"calls"`
	Before  int            `json:"before,omitempty"`  // number of calls, the first ones, that began before the trace, which has their exits only
	Last    *int64         `json:"last,omitempty"`    // time of its last event, in units, where calls that are open at the end go on after it
	Levels  []levelColumns `json:"levels"`            // the finest first
	Samples *column        `json:"samples,omitempty"` // differences: times of the samples that changed something
	Gaps    *spanColumns   `json:"gaps,omitempty"`    // wall time in which the thread did not run
	Late    *spanColumns   `json:"late,omitempty"`    // wall time in which it made a frame of the display after its deadline

	// of a thread that is shown beside the truth's:
	Of    *int         `json:"of,omitempty"`    // index of the truth's thread; -1: it has none
	Wrong *spanColumns `json:"wrong,omitempty"` // where the reported stack is not the true one
	Seen  *column      `json:"seen,omitempty"`  // differences: indices of the true calls that are reported; the others are missed
}

// comparisonHeader lists the observed recordings, which are shown beside the truth.
type comparisonHeader struct {
	Truth    int   `json:"truth"`    // index of a recording
	Observed []int `json:"observed"` // indices, by rising interval
	Start    int   `json:"start"`    // index in observed: which is shown first
}

// Difference is the difference between recordings 0 and 1.
type differenceHeader struct {
	Old      string          `json:"old"` // their names
	New      string          `json:"new"`
	Clock    string          `json:"clock"`    // wall or cpu: the compared clock
	Headline string          `json:"headline"` // what the errors are from
	Contexts contextColumns  `json:"contexts"`
	Rows     json.RawMessage `json:"rows"` // as artifice diff --json
}

// contextColumns are the calling contexts of two recordings, over all their threads;
// callers come before what they call.
type contextColumns struct {
	Parent column `json:"parent"` // own index less the caller's; 0: called from nowhere
	Method column `json:"method"`
	Old    column `json:"old"` // exclusive times, in units
	New    column `json:"new"`
}

// callColumns are the calls of a thread. Its events are the begin and the end of each,
// in the order of time: a call ends before the next one of its depth or less begins.
// The event before the first is at 0.
type callColumns struct {
	Method   column  `json:"method"`
	Depth    column  `json:"depth"`               // signed differences
	Begin    column  `json:"begin"`               // time from the event before to the call's begin
	End      column  `json:"end"`                 // time from the event before to the call's end
	BeginLag *column `json:"begin_lag,omitempty"` // signed: what time less the thread's CPU time has changed by since the event before
	EndLag   *column `json:"end_lag,omitempty"`
	Mark     *column `json:"mark,omitempty"` // of an observed call, see [artifice/view.mark]
}

// levelColumns is a level of detail; its boxes are stored row by row, the outermost calls first.
type levelColumns struct {
	Width    int64  `json:"width"` // in units
	Rows     column `json:"rows"`  // how many boxes each row has
	Start    column `json:"start"` // differences within a row
	Duration column `json:"duration"`
	Method   column `json:"method"` // that of the longest stretch
	Calls    column `json:"calls"`  // how many are put together
	Filled   column `json:"filled"` // from 0 to 255: the share of the box in calls
}

// spanColumns are stretches of time.
type spanColumns struct {
	Start    column `json:"start"` // differences
	Duration column `json:"duration"`
}

// estimateColumns are the estimates of a recording's methods, one number per row in every column.
type estimateColumns struct {
	Method    column       `json:"method"`
	Exclusive shareColumns `json:"exclusive"`
	Inclusive shareColumns `json:"inclusive"` // of outermost activations
	Calls     column       `json:"calls"`     // as the recording has them
	Recursive column       `json:"recursive"` // of these, made while the method was open
	AtLeast   bool         `json:"at_least"`  // there may have been more calls: they were sampled
}

// shareColumns is a time on each clock that the recording has, and what its 95 %
// interval rests on.
type shareColumns struct {
	Wall    *timeColumns `json:"wall,omitempty"`
	CPU     *timeColumns `json:"cpu,omitempty"`
	Running *timeColumns `json:"running,omitempty"` // exclusive ([estimate.Profile.RunningTime])
	Samples column       `json:"samples"`           // that showed it
	Caveats column       `json:"doubts"`            // sums of unknown, noCPU and inStep
}

const (
	unknownPeriod = 1 // no period of samples is known, and so no interval
	noCPU         = 2 // the interval of the CPU time is none of 95 %, but bounds: the thread waits between samples
	aliased       = 4 // the app is in step with the sampler, and the interval wider for it
)

// timeColumns is a time and how far its interval goes to both sides, in ns.
type timeColumns struct {
	Value column `json:"value"`
	Below column `json:"below"`
	Above column `json:"above"`
}
