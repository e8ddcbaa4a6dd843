// Package format lists the file formats and opens recordings: a file or a folder by its content,
// standard input, or a workload by its name.
//
// Each format has a package of its own with its wire description, reader and writer:
// [artifice/format/dmtrace] for ART's and Dalvik's method traces, [artifice/format/pprof],
// [artifice/format/text], and those below format/internal, which only this package lists. Parsing and
// encoding are there, not here.
//
// An [Input] is an open recording. It reports progress, delivers its events in the file's order or by
// time, can be read more than once, and reports irregularities as warnings of its recording.
//
// Package format/check validates method traces. Package writer creates files in these formats.
package format
