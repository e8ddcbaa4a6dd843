// Package stackdump converts series of stack dumps or samples to the recording that ART's sampler
// would have written had it sampled these stacks. It also writes the samples of a ground truth as
// dumps ([Writer]), as fixtures for parsers.
//
// It is not a sampler: package sampler chooses the sampling times, here they are those of the
// dumps. Package diffstack compares the stacks. The result is a [trace.Recording] for any writer,
// and the samples themselves for writers that count them ([trace.SnapshotWriter]): a stack found in
// five dumps yields the events of one, but counts five. Package timeline is the counterpart for
// files of begins and ends of calls, and package format/dmtrace reads method traces.
//
// # Formats
//
// Each format ([Format]) has a package of its own with its parser and its description. The format
// of a file is detected from its content ([Detect]); gzip is decompressed,
// UTF-16 is read as well as UTF-8. A file can hold any
// number of dumps, a folder any number of files. Lines that belong to no dump
// are skipped; a line inside a thread that is none of the format's, a dump that
// is cut, a thread that comes twice in one, each is reported in a warning with file
// and line. Memory is that of one dump and of the table of different frames. Formats that have
// their samples in no order, or name them at their end, gather them first ([Samples]), in 32
// bytes each besides the different stacks.
//
// The common parts of parsers are here: lines ([Input], [Lines]), documents of JSON ([JSON],
// [WholeJSON]), frames ([Frames]), locks, dates, and the CPU time that a sample represents
// ([OfCPU]).
//
// # Times and threads
//
// The first dump is at 0, the others at the difference of their times to its
// own. Dumps without a time are [Config.Interval] apart, and so are dumps of one
// process within one second if their dates have whole seconds only. Processes
// dumped at one moment share it. A thread that is missing in a dump of its
// process leaves all frames at that dump. Frames still open at the end stay so,
// as in a trace that ART stops, unless [Config.Ends] asks otherwise.
package stackdump
