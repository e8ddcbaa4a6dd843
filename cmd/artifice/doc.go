// Artifice measures how accurate method traces of Android apps are and what they cost. It emulates
// the method tracers of ART, Android's runtime, and of its predecessor Dalvik: it replays a known
// truth and writes the trace that each tracer would have recorded. It also reports, compares,
// converts and validates method traces, profiles and stack dumps.
//
// Usage:
//
//	artifice COMMAND [flags] SOURCE
//
// A SOURCE is the name of a built-in workload (artifice list), a workload file (.yaml), a call tree
// (.tree), a method trace of any version or in the text format, or stack dumps (a file or a
// folder). "-" is standard input, and as an output standard output. Files with the extension .gz
// are compressed. Durations are written as 500us, 1ms or 2s, sizes as 64KiB or 8MiB.
//
// Identify a file. Its time stamps show whether it was sampled:
//
//	$ artifice info testdata/tiny.txt
//	property   value
//	file       testdata/tiny.txt
//	format     text
//	...
//	events     4: 2 enters, 2 exits, 0 unwinds
//	...
//
// Sample it every 2 ms, as ART's sampling mode does. The samples at 2, 4 and 6 ms show work, the
// one at 8 ms an empty stack. In the sampled trace, main begins 1 ms late, and work takes 6 ms
// instead of 5:
//
//	$ artifice record testdata/tiny.txt --mode sample --interval 2ms -o - --format text
//	4 samples in 8 ms (period 2 ms): 4 events, slowdown 1.000
//	# artifice text trace
//	...
//	2000000 0 1 enter app.Main.main()V
//	2000000 0 1 enter app.Main.work(I)I
//	8000000 5600000 1 exit app.Main.work(I)I
//	8000000 5600000 1 exit app.Main.main()V
//	...
//
// Convert it to a profile in folded stacks:
//
//	$ artifice convert testdata/tiny.txt -o - --format folded
//	# wall;us 0
//	app.Main.main;app.Main.work 5000
//	app.Main.main 2000
//
// Every command has --help with its flags and examples; "artifice help" lists commands and topics.
// The exit status is 0 on success, 1 if the command failed or a check found an error, 2 for an
// invalid command line, and 128 plus the number of the signal after an interruption.
//
// Results go to standard output or to the file of -o, which appears only when it is complete and
// replaces a writable file of that name. Warnings, errors, remarks and progress go to standard
// error; --quiet omits the last two. Progress is shown on terminals only, and output has no colors
// (NO_COLOR has no effect). On a terminal that is too narrow for a table, the last line names the
// omitted columns.
package main
