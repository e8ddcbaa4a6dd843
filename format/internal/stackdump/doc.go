// Package stackdump reads stack dumps that something else took over time and
// tells what ART's sampler would have written had it seen these stacks; and it
// writes what a sampler saw of a truth as such dumps ([Writer]), as fixtures for
// its own and other parsers.
//
// It is not a sampler: package sampler decides when to look at a truth, here
// the dumps decide. Their stacks are compared by package diffstack. What comes
// out is a [trace.Recording] for any writer, and the samples themselves for
// writers that count them ([trace.SnapshotWriter]): a stack seen in five dumps
// leaves the events of one, but counts five. Package reader reads files of
// method traces.
//
// # Formats
//
// Each format ([Format]) has a folder of package format with what reads it and what is known of
// it. The format of a file is told from its content ([Detect]); gzip is unpacked,
// UTF-16 is read as well as UTF-8. A file can hold any
// number of dumps, a folder any number of files. Lines that belong to no dump
// are skipped; a line inside a thread that is none of the format's, a dump that
// is cut, a thread that comes twice in one, each is reported in a warning with file
// and line. Memory is that of one dump and of the table of different frames. Formats that have
// their samples in no order, or name them at their end, gather them first ([Samples]), in 32
// bytes each besides the different stacks.
//
// What their parsers share is here: lines ([Input], [Lines]), documents of JSON ([JSON],
// [WholeJSON]), frames ([Frames]), locks, dates, and what a sample of CPU time stands for ([OfCPU]).
//
// # Times and threads
//
// The first dump is at 0, the others at the difference of their times to its
// own. Dumps without a time are [Config.Interval] apart, and so are dumps of one
// process within one second where they tell whole seconds only. Processes
// dumped at one moment share it. A thread that is missing in a dump of its
// process leaves all frames at that dump. Frames still open at the end stay so,
// as in a trace that ART stops, unless [Config.Ends] asks otherwise.
package stackdump
