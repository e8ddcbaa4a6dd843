// Package input opens whatever can be read as a recording: a file or folder by
// its content, standard input, or a workload by its name.
//
// The formats are in one registry, [Formats]. A new one is a file of this
// package with a [Format] and a line in the registry. What each format looks
// like is known by the packages that read it, reader, timeline and stackdump, and
// by workload, which makes truths; they know nothing of this package.
//
// An [Input] reports its progress, can deliver its events in time
// order and from the first one on again, and reports oddities as warnings of its recording.
package input
