// Artifice emulates the method tracers of ART, Android's runtime, and of its
// predecessor Dalvik. It replays what they would have recorded of a known truth,
// converts method traces and stack dumps, and measures how accurate and how
// costly each way of tracing is.
//
// Usage:
//
//	artifice COMMAND [flags] SOURCE
//
// A SOURCE is the name of a built-in workload (artifice list), a workload file
// (.yaml), a call tree (.tree), a method trace of any version or in the text
// format, or stack dumps (a file or a folder of them). "-" is standard input, and
// as an output standard output. What ends in .gz is compressed. Durations are written
// as 500us, 1ms or 2s, sizes as 64KiB or 8MiB.
//
// What is this trace? Whether it was sampled shows in its time stamps:
//
//	$ artifice info testdata/tiny.txt
//	property        value
//	file            testdata/tiny.txt
//	format          text
//	clock           dual
//	...
//	events          4: 2 enters, 2 exits, 0 unwinds
//	...
//
// What would ART's sampling mode have recorded of it, with a sample every 2 ms?
// The samples at 2, 4 and 6 ms see work, the one at 8 ms an empty stack. So main
// seems to begin 1 ms late, and work to take 6 ms instead of 5:
//
//	$ artifice record testdata/tiny.txt --mode sample --interval 2ms -o - --format text
//	sampled 4 times in 8ms, every 2ms: 4 events, slowdown 1.000
//	# artifice text trace
//	...
//	2000000 0 1 enter app.Main.main()V
//	2000000 0 1 enter app.Main.work(I)I
//	8000000 5600000 1 exit app.Main.work(I)I
//	8000000 5600000 1 exit app.Main.main()V
//	...
//
// A profile of it, in folded stacks:
//
//	$ artifice convert testdata/tiny.txt -o - --format folded
//	# wall;us 0
//	app.Main.main;app.Main.work 5000
//	app.Main.main 2000
//
// Every command has --help with its flags and examples. The exit status is 0 when
// the work is done, 1 when it could not be done or a check found an error, 2 when
// the command line makes no sense, and 128 and the number of the signal when the
// program was interrupted. Results go to standard output or to the file named by
// -o, which appears only when it is complete and replaces a file of that name that
// can be written; warnings, errors, remarks and progress go to standard error, the
// last two not with --quiet. Progress is shown on terminals only, and nothing is
// printed in colour, so NO_COLOR changes nothing. Where a terminal is too narrow
// for a table, the last line of the table names the columns that are left out.
package main
