// Package format lists the file formats and opens recordings: a file or a folder by its content,
// standard input, or a workload by its name.
//
// Each format has its own package with its wire description, reader and writer:
// [artifice/format/dmtrace] for ART's and Dalvik's method traces, [artifice/format/pprof],
// [artifice/format/text], and the packages below format/internal, which only this package lists.
// This package itself does no parsing or encoding.
//
// An [Input] is an open recording. It reports progress, delivers its events in the file's order or
// by time, can be read more than once, and reports irregularities as warnings of its recording.
//
// Package format/check validates method traces. Package writer creates files in these formats.
//
// # Example
//
//	in, err := format.Open("app.trace", format.Config{})
//	defer in.Close()
//	summary := stats.NewSummary(in.Recording)
//	events, err := trace.Copy(summary, in.Events)
//	fmt.Println(events, in.Warnings)
//
// # Units and errors
//
// Times are time.Durations since the start of the trace, whatever the unit of the file. Open
// returns an error with the name of the file if it is no recording. Reading a damaged file returns
// the events before the damage and then a trace.FormatError with the offset. Irregularities that
// do not end reading are warnings of the recording.
package format

import (
	"artifice/format/internal/folded"
	"artifice/format/internal/ftrace"
	"artifice/format/internal/kind"
	"artifice/format/internal/perfetto"
	"artifice/internal/encode"
)

// Format describes a file format: how its files are recognized, read and written.
type Format = kind.Format

// Holds states what a file of a format can contain.
type Holds = kind.Holds

// The possible contents of files.
const (
	Binary     = kind.Binary
	OpenFrames = kind.OpenFrames
	Scheduling = kind.Scheduling
	LostEnds   = kind.LostEnds
	CPUSamples = kind.CPUSamples
	CPUClock   = kind.CPUClock
)

// Repair selects how missing ends of calls are restored.
type Repair = kind.Repair

// The kinds of repair.
const (
	RepairForward = kind.RepairForward
	RepairRhea    = kind.RepairRhea
	RepairArticle = kind.RepairArticle
)

// ParseRepair returns the repair called forward, rhea or article.
func ParseRepair(s string) (Repair, error) { return kind.ParseRepair(s) }

// Writer writes a file. Close completes it.
type Writer = encode.Writer

// Options of writers: at most one value of each type, for [Format].Write and package writer.
// Formats ignore the options of others. [dmtrace.Options] and [pprof.Options] are options, too.
type (
	WriteOptions    = kind.WriteOptions // for several formats
	FoldedOptions   = folded.Options
	FtraceOptions   = ftrace.Options
	PerfettoOptions = perfetto.Options
)

// FoldedValue is the quantity that the numbers of folded stacks measure.
type FoldedValue = folded.Value

// The possible values.
const (
	FoldedTime  = folded.Time
	FoldedCPU   = folded.CPU
	FoldedCalls = folded.Calls
)

// Categories are a set of atrace's categories; 0 means all.
type Categories = encode.Categories

// ParseCategories parses names of categories in atrace's syntax.
func ParseCategories(names []string) (Categories, error) { return encode.ParseCategories(names) }
