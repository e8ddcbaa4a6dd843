// Package input opens whatever can be read as a recording: a file or folder by
// its content, standard input, or a workload by its name.
//
// Package format has the formats, and their own folders say by what a file of each
// is recognised; they know nothing of this package. Truths of package workload are opened by
// the end of a file's name, or by their own.
//
// An [Input] reports its progress, can deliver its events in time
// order and from the first one on again, and reports oddities as warnings of its recording.
package format
