// Package format lists the file formats and opens recordings: a file or a folder by its content,
// standard input, or a workload by its name.
//
// Each format has a package of its own with its wire description, reader and writer:
// [artifice/format/dmtrace] for ART's and Dalvik's method traces, [artifice/format/pprof],
// [artifice/format/text], and those below format/internal, which only this package lists. Parsing
// and encoding are there, not here.
//
// An [Input] is an open recording. It reports progress, delivers its events in the file's order or
// by time, can be read more than once, and reports irregularities as warnings of its recording.
//
// Package format/check validates method traces. Package writer creates files in these formats.
package format

import (
	"artifice/format/internal/folded"
	"artifice/format/internal/ftrace"
	"artifice/format/internal/kind"
	"artifice/format/internal/perfetto"
	"artifice/internal/encode"
)

// Format describes a file format: how a file of it is recognized, read and written.
type Format = kind.Format

// Holds states what a file of a format can contain.
type Holds = kind.Holds

// The contents.
const (
	Binary     = kind.Binary
	OpenFrames = kind.OpenFrames
	Scheduling = kind.Scheduling
	LostEnds   = kind.LostEnds
)

// Repair selects how missing ends of calls are restored.
type Repair = kind.Repair

// The repairs.
const (
	RepairForward = kind.RepairForward
	RepairRhea    = kind.RepairRhea
	RepairArticle = kind.RepairArticle
)

// ParseRepair returns the repair called forward, rhea or article.
func ParseRepair(s string) (Repair, error) { return kind.ParseRepair(s) }

// Writer writes a file. Close completes it.
type Writer = encode.Writer

// Options of writing: a value of each type at most, for [Format].Write and package writer. Formats
// ignore the options of others. Further ones are [dmtrace.Options] and [pprof.Options].
type (
	WriteOptions    = kind.WriteOptions // of several formats
	FoldedOptions   = folded.Options
	FtraceOptions   = ftrace.Options
	PerfettoOptions = perfetto.Options
)

// FoldedValue is the quantity that the numbers of folded stacks measure.
type FoldedValue = folded.Value

// The quantities.
const (
	FoldedTime  = folded.Time
	FoldedCPU   = folded.CPU
	FoldedCalls = folded.Calls
)

// Categories are a set of atrace's categories; 0 means all.
type Categories = encode.Categories

// ParseCategories reads names as atrace takes them.
func ParseCategories(names []string) (Categories, error) { return encode.ParseCategories(names) }
