// Package wire is the form in which a page gets its data: a header in JSON, whose types stand here
// with a comment for each field, and a body of packed numbers, the columns. Package view says how
// both lie in the file, and fills them in.
package view

import "encoding/json"

// Column is where a column of numbers is in the data. Which are differences, and
// which are signed, the fields below say.
type Column struct {
	At    int64 `json:"at"`    // first byte, from the end of the header
	Bytes int64 `json:"bytes"` // how many
	Count int64 `json:"count"` // numbers
}

// Texts is a table of strings: their bytes one after another, as UTF-8 where the
// trace has UTF-8.
type Texts struct {
	Lengths Column `json:"lengths"` // of each string in bytes
	At      int64  `json:"at"`
	Bytes   int64  `json:"bytes"`
}

// Parts are a part of each string of a table.
type Parts struct {
	From  Column `json:"from"`  // first byte, from the string's beginning
	Bytes Column `json:"bytes"` // how many
}

// Header is what the page knows before it reads columns.
type Header struct {
	Title   string `json:"title"`
	Version string `json:"version"`  // of the program
	Unit    int64  `json:"unit_ns"`  // all times in columns are in units of so many ns
	Start   int64  `json:"start_ns"` // where they count from: the least time of all recordings
	Span    int64  `json:"span"`     // from there to the last time, in units

	Methods Texts `json:"methods"` // class.method signature; those with the most calls come first
	Short   Parts `json:"short"`   // of each method's name, what is drawn in boxes

	Waits   Column `json:"waits"`             // of each method: 1 where a thread waits in it, by its name
	Running bool   `json:"running,omitempty"` // lists begin without the time in which threads wait

	Recordings []WireRecording `json:"recordings"`
	Beside     *Beside         `json:"beside"`     // null: recordings stand alone
	Difference *WireDifference `json:"difference"` // null: recordings are not compared

	// Range is where the server answers what a part of the trace tells; "": nowhere.
	Range string `json:"range,omitempty"`
}

// Recording is one recording of the page.
type WireRecording struct {
	Name       string       `json:"name"`
	Technique  string       `json:"technique"`          // instrumented, sampled or truth
	Interval   int64        `json:"interval_ns"`        // between samples, as far as known; else 0
	Apart      int64        `json:"apart_ns,omitempty"` // the longest that two samples which follow each other are apart, where that is known
	Clocks     []string     `json:"clocks"`             // wall, cpu or both; times are of the first
	Events     int64        `json:"events"`
	Notes      []string     `json:"notes"`
	ShortCalls int64        `json:"short_calls_ns"` // calls shorter than this are put together, under a method "(calls shorter than …)"; 0: none are
	Estimates  *Estimates   `json:"estimates"`      // of the whole recording, where times are uncertain or short calls are put together; else null, and calls tell all
	Threads    []WireThread `json:"threads"`

	// Lists are the indices of the threads with which lists begin; absent: all. MainEstimates
	// are of these threads alone, where Estimates are of more.
	Lists         []int      `json:"lists,omitempty"`
	MainEstimates *Estimates `json:"main_estimates,omitempty"`

	Ticks *Column `json:"ticks,omitempty"` // differences: times of all samples, by one thread, where they are known; else threads have samples
}

// Thread is a thread of a recording.
type WireThread struct {
	TID     uint32  `json:"tid"`
	Name    string  `json:"name"`
	Calls   Calls   `json:"calls"`
	Before  int     `json:"before,omitempty"`  // so many of the calls, the first ones, began before the trace: it has their exits alone
	Levels  []Level `json:"levels"`            // the finest first
	Samples *Column `json:"samples,omitempty"` // differences: times of the samples that changed something
	Gaps    *Spans  `json:"gaps,omitempty"`    // wall time in which the thread did not run
	Late    *Spans  `json:"late,omitempty"`    // wall time in which it made a frame of the display after its deadline

	// Of a thread that is shown beside the truth's:
	Of    *int    `json:"of,omitempty"`    // index of the truth's thread; -1: it has none
	Wrong *Spans  `json:"wrong,omitempty"` // where the reported stack is not the true one
	Seen  *Column `json:"seen,omitempty"`  // differences: indices of the true calls that are reported; the others are missed
}

// Beside says which recordings are observed, and are shown beside the truth.
type Beside struct {
	Truth    int   `json:"truth"`    // index of a recording
	Observed []int `json:"observed"` // indices, by rising interval
	Start    int   `json:"start"`    // index in observed: which is shown first
}

// Difference is the difference between recordings 0 and 1.
type WireDifference struct {
	Old      string          `json:"old"` // their names
	New      string          `json:"new"`
	Clock    string          `json:"clock"`    // wall or cpu: whose times are compared
	Headline string          `json:"headline"` // what the errors are from
	Contexts Contexts        `json:"contexts"`
	Rows     json.RawMessage `json:"rows"` // as artifice diff --json
}

// Contexts are the calling contexts of two recordings, over all their threads;
// callers come before what they call.
type Contexts struct {
	Parent Column `json:"parent"` // own index less the caller's; 0: called from nowhere
	Method Column `json:"method"`
	Old    Column `json:"old"` // exclusive times, in units
	New    Column `json:"new"`
}

// Calls are the calls of a thread. Its events are the begin and the end of each,
// in the order of time: a call ends before the next one of its depth or less begins.
// The event before the first is at 0.
type Calls struct {
	Method   Column  `json:"method"`
	Depth    Column  `json:"depth"`               // signed differences
	Begin    Column  `json:"begin"`               // time from the event before to the call's begin
	End      Column  `json:"end"`                 // time from the event before to the call's end
	BeginLag *Column `json:"begin_lag,omitempty"` // signed: what time less the thread's CPU time has changed by since the event before
	EndLag   *Column `json:"end_lag,omitempty"`
	Mark     *Column `json:"mark,omitempty"` // of an observed call, see [artifice/view.Mark]
}

// Level is a level of detail; its boxes stand row by row, the outermost calls
// first.
type Level struct {
	Width    int64  `json:"width"` // in units
	Rows     Column `json:"rows"`  // how many boxes each row has
	Start    Column `json:"start"` // differences within a row
	Duration Column `json:"duration"`
	Method   Column `json:"method"` // that of the longest stretch
	Calls    Column `json:"calls"`  // how many are put together
	Filled   Column `json:"filled"` // from 0 to 255: the share of the box in calls
}

// Spans are stretches of time.
type Spans struct {
	Start    Column `json:"start"` // differences
	Duration Column `json:"duration"`
}

// Estimates are what a recording tells of its methods, a number for each row in
// every column.
type Estimates struct {
	Method    Column `json:"method"`
	Exclusive Share  `json:"exclusive"`
	Inclusive Share  `json:"inclusive"` // of outermost activations
	Calls     Column `json:"calls"`     // as the recording has them
	Recursive Column `json:"recursive"` // of these, made while the method was open
	AtLeast   bool   `json:"at_least"`  // there may have been more calls: they were sampled
}

// Share is a time on each clock that the recording has, and what its 95 %
// interval rests on.
type Share struct {
	Wall    *Times `json:"wall,omitempty"`
	CPU     *Times `json:"cpu,omitempty"`
	Samples Column `json:"samples"` // that showed it
	Doubts  Column `json:"doubts"`  // sums of unknown, noCPU and inStep
}

const (
	Unknown = 1 // no period of samples is known, and so no interval
	NoCPU   = 2 // the interval of the CPU time is none of 95 %, but bounds: the thread waits between samples
	InStep  = 4 // the app is in step with the sampler, and the interval wider for it
)

// Times is a time and how far its interval goes to both sides, in ns.
type Times struct {
	Value Column `json:"value"`
	Below Column `json:"below"`
	Above Column `json:"above"`
}
