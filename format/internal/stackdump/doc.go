// Package stackdump converts series of stack dumps or samples to the recording that ART's sampler
// would have written had it sampled these stacks. It also writes the samples of a ground truth as
// dumps ([Writer]); these serve as fixtures for parsers.
//
// It is not a sampler: package sampler determines sampling times, while here they are the times of
// the dumps. Package diffstack compares the stacks. The result is a [trace.Recording] for any
// writer, and the samples themselves for writers that count them ([trace.SnapshotWriter]): a stack
// found in five consecutive dumps yields the events of one dump, but its count is five. Package
// timeline is the counterpart for files of begins and ends of calls, and package format/dmtrace
// reads method traces.
//
// # Formats
//
// Each format ([Format]) has a package of its own with its parser and its description. The format
// of a file is detected from its content ([Detect]); gzip is decompressed, UTF-16 is read as well
// as UTF-8. A file can hold any number of dumps, a folder any number of files. Lines that belong to
// no dump are skipped. Warnings with file and line report unrecognized lines within a thread,
// truncated dumps, and threads that occur twice in a dump. Memory is needed for one dump and for
// the table of distinct frames. If the samples of a format are unordered, or their names are at the
// end of the file, they are gathered first ([Samples]), which needs 32 bytes per sample in addition
// to the distinct stacks.
//
// The common parts of parsers are in this package: lines ([Input], [Lines]), documents of JSON
// ([JSON], [WholeJSON]), frames ([Frames]), locks, dates, and the CPU time that a sample represents
// ([OfCPU]).
//
// # Times and threads
//
// The time of a dump is its time since the first dump. Dumps without a time are [Config.Interval]
// apart, and so are dumps of one process within one second if their dates have whole seconds only.
// Processes dumped at the same time have the same time in the trace. A thread that is missing in a
// dump of its process leaves all its frames at that dump. Frames open at the end remain open, as in
// a trace that ART stops, unless [Config.Ends] is set.
package stackdump
