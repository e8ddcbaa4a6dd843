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
// The format of a file is told from its content ([Detect]); gzip is unpacked,
// UTF-16 is read as well as UTF-8. A file can hold any
// number of dumps, a folder any number of files. Lines that belong to no dump
// are skipped; a line inside a thread that is none of the format's, a dump that
// is cut, a thread that comes twice in one, each is reported in a warning with file
// and line. Memory is that of one dump and of the table of different frames.
//
// ANR: what Android's runtimes print on SIGQUIT, as ANR files, kill -3 and
// exit-info traces have it. A dump is one process, from "----- pid N at DATE"
// to "----- end N"; its time is the date, local, to the second before Android
// 12 and to the nanosecond since. A thread has a line with its quoted name,
// lines that begin with "| " (of which sysTid is its identity, and the first
// number of schedstat its CPU time), and its frames, innermost first: "at …" is
// managed, "native: #00 pc …" or "#00 pc …" machine code, "kernel: …" the
// kernel. "... repeated N times" stands for N+1 more frames, for ART prints
// three of a run and counts the fifth as the first. Blocks of waiting channels
// hold no stacks and are skipped. Threads of a file's second and further
// processes have the process in their name.
//
// JVM: HotSpot's thread dumps of Java 5 to 25, alone or anywhere in a log: jstack,
// jcmd Thread.print, kill -3. A dump goes from "Full thread dump" to "JNI global
// ref…", which Java 5 lacks, with the date in the line in front, in the form of
// any usual language. Its time is the elapsed= of the thread main (JDK 11 and
// later), to 10 ms, else the date, to the second. A thread's identity is lwp_id
// or nid and, where it has one, the number after "#"; cpu= is its CPU time. What
// programs write of java.lang.management is read as well: "name" Id=31 in RUNNABLE
// of JMX consoles, which need no head and end where a thread comes again, and
// "name" - Thread t@31 of VisualVM. Their threads are known by that number. A mounted virtual thread, whose frames follow its carrier's, is
// a thread of its own known by its number. Loader and module in front of a class
// are dropped.
//
// JVM-text and JVM-JSON: jcmd Thread.dump_to_file of JDK 19 and later, the latter
// with -format=json. The text has lines with pid, time and version, then threads
// (#22 "name" virtual) with a frame a line beneath, each ended by an empty line.
// A JSON document is a dump; its two versions write numbers as strings and as
// numbers. Threads are known by the JVM's number. Virtual threads without a
// name, running or not, are called virtual-NUMBER.
//
// Folded: a stack to a line, outermost frame first, ";" between frames, a blank
// and how many samples in a row saw it. There is no time: samples are one
// interval apart. A thread may stand in front, as "[name tid=N]" or, when the
// configuration says so, as its bare name; each thread then has its own
// time, beginning at 0, and a line with the thread alone is time without a
// frame. Lines that begin with "#" or "//" are comments. Files that a tool has
// sorted or added up have no order in time: their counts are right, their times
// are not.
//
// Perf: the text of perf script: a head line with command, thread, time and
// event, frames beneath it, an empty line. Each sample is one thread's alone
// (see [Dump.Partial]); a thread is known by tid and command. Names come as
// stackcollapse-perf.pl --all has them. Only events of the first sample's sort
// are taken. A sample is CPU time: as many ns as it counts where the event is cpu-clock
// or task-clock. What others count is no time and is scaled, so that the middle one of
// the first 4096 samples is a period: 1/N s where the head has perf's "-F N", else the
// median distance of two samples of a thread. What perf does not sample, a thread that
// waits, it does not show: on the wall clock slices go on until the thread's next
// sample unless [Config.SliceEnd] says otherwise. Samples without a time are one
// interval apart. All frames are kept unless [Config.Include] says otherwise.
//
// Simpleperf: the text of simpleperf report-sample, which tells the same as
// perf's in blocks of "key: value" that begin with "sample:"; names, threads,
// events and event_count are as there. (What its report_sample.py writes is perf's text.)
//
// BlockInfo: BlockCanaryX's report of a blocked main thread, one JSON object:
//
//	{"startTime":ms,"endTime":ms,"dispatchFinish":bool,"sampleInterval":50,
//	 "stackTraceSamples":[{"time":ms,"stackTraceElements":[
//	   {"declaringClass":"a.B","methodName":"m","fileName":"B.java","lineNumber":12},…]},…]}
//
// Times are ms since 1970, frames innermost first, a native method has line -2.
// No real report was at hand when this was written: it follows the tool's source.
//
// Profilo: the stacks in profilo's logs, which have each frame as a line of its own;
// see profilo.go. Times are to the microsecond.
//
// Btrace3: the file sampling of btrace 3 on Android, with the names of methods and
// threads in sampling-mapping beside it (or in [Config.Names]); see btrace3.go. Stacks
// are taken by the traced threads themselves, when they allocate or block. btrace's
// own tool ends calls by [diffstack.EndLast].
//
// SimpleperfProto: what simpleperf report-sample --protobuf writes. It has the
// samples of Simpleperf, and reads as that does.
//
// CPUProfile: V8's CPU profiles, as node --cpu-prof and Chrome's developer tools save
// them; see cpuprofile.go. A stack stands until the next sample, the last until the end
// of the profile. Functions without a name are told by file and line.
//
// Speedscope: the sampled profiles of speedscope's format, a thread each. A stack stands for
// its weight; where that is no time, for as many times [Config.Interval].
//
// JFR: what jfr print --json prints of a recording of the JDK's Flight Recorder; see
// jfr.go. Samples are of CPU time.
//
// Firefox: the processed profiles of the Firefox Profiler; see firefox.go. A stack stands for
// its weight in ms, else until the next sample.
//
// These seven have their samples in no order or name them at their end: they are
// gathered first, in 32 bytes each besides the different stacks.
//
// Real dumps that tests read are ART's of Android 13, 7 and older, HotSpot's of JDK 17
// and 25, perf 3.13's and folded stacks of several tools. Dalvik's, those of
// other JDKs, JVM-text and JVM-JSON are read by their sources and by examples in
// public discussions.
//
// # JSON lines
//
// Our own form is for programs that dump their own stacks in a loop. Each line
// is an object, one thread at one moment:
//
//	{"time_us":1250,"thread":"main","tid":1,"frames":["a.B.f(B.java:12)","a.B.main(B.java:3)"]}
//
//	time_us   time in us on any clock that does not go back, with a fraction if need be; required
//	thread    the thread's name
//	tid       its number, which is then its identity; without it the name is. One of both is required
//	frames    innermost first, as Java's StackTraceElement.toString has them, or any text without "(" as a name;
//	          may be empty; required
//	cpu_us    CPU time the thread has used, in us; optional
//	stopped_us
//	          how long the program stood still for the dump, in us, on the dump's first line; optional
//	pid       process; optional
//	partial   true when the line speaks for its own thread only; optional
//
// Lines in a row with one time are one dump of the process: read the clock once
// for all threads, because a thread that is missing in a dump has left its
// frames. A program that cannot do so writes "partial":true. Other members are
// ignored; a line that is no such object is left out with a warning.
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
