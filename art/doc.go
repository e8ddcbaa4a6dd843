// Package art holds the differences between the method tracers of Android's runtimes, and the
// common backend of these tracers: the choice of a buffer for an event, when buffers are written
// and what happens if they are full, the ids of threads and methods, and where the file defines
// them.
//
// [Runtime] is the table of the differences. A [Log] accepts events in the order in which they
// happen and returns them in the order of that runtime's file, together with the [trace.Source]
// that a writer needs to lay out the file as the runtime does.
//
// Packages instrument and sampler emulate the two modes, which decide what events happen and when;
// both pass their events to a Log. Package format/dmtrace implements the byte layout of the file.
//
// Trace::Pause and Resume of Android 6 to 9 are not emulated, because they leave no trace in files:
// their only caller is the zygote before it forks (ZygoteHooks nativePreFork). The child then calls
// Trace::Abort, and nothing calls Resume.
//
// # Example
//
//	rt, err := art.ByName("art14")
//	log, err := art.NewLog(truth, art.Config{Runtime: rt})
//	_, err = trace.Copy(log, truth.Events)
//	err = log.Stop(truth.Info.Elapsed)
//	_, err = writer.WriteFile("app.trace", "", log.Recording())
//
// # Units and errors
//
// Buffer sizes are in bytes, times are those of package trace. NewLog returns an error if the
// runtime cannot write the requested file, such as streaming before Android 8. Events for which a
// full buffer has no room are dropped without an error, as on a phone.
//
// # Sources
//
// The lines of runtime/trace.cc (the first row: thread.cc) that decide the rules, by release. 14.0
// is the first release of Android 14, 14.2 its QPR2; 15 and 16 are the first releases. "-" means
// that the release has no such code. The rules of [Runtime.WholeReadings] and
// [Runtime.MeasureReads] are the same in all columns.
//
//	                            6    7  8.1    9   10   11   12   13 14.0 14.2   15   16
//	CPU clock in whole ticks  741  970 1164 1183 1364 1381 1385 1415 1440 1460 1452 1495
//	ReadClocks subtracts      815  842  837  853  799  804  804  801  990 1036 1351 1235
//	0 is no zero              810  837  832  848  794  799  799  796  985 1031 1346 1230
//	first extra CPU read      178  179  186  187  163  164  164  164  280  323  433  301
//	second extra CPU read     191  192  199  200  176  177  177  177  293  336  446  315
//	start time                582  593  600  605  559  560  560  562  761  774 1043  907
//	reads after it              -    -    -    -    -    -    -    -    -    - 1059  924
//	clock cost measured       582  593  600  605  559  560  560  562  762  830 1136 1002
//	zeros cleared at stop     418  422  429  435  479  480  480  481  628  653  913  769
//	sample waits for the GC     -    -    -  309  295  296  296  296  409  452  562  405
//	limit of tids in streams  845  872  862  878  823  828  828  825    -    -    -    -
//	buffer is full            901  928  928  944  903  908  908  905 1189 1274 1821 1587
//	packet of 14 bytes        926  953  953  969  935  940  940  937    -    -    -    -
//	name of an ended thread  1018 1045 1045 1061 1027 1032 1032 1029  590 1071 1386 1262
//	list of threads          1001 1028 1028 1044 1010 1015 1015 1012 1273 1398 1977 1861
//	line of a proxy           855  882  872  888  833  838  838  835  999 1049 1364    -
//	allocation counts         693  706  693  698  652  653  653  655  851  878 1185 1033
//	chunk for DDMS            726  739  725  729  684  685  685  687  883  918 1233 1113
//	obsolete methods            -    -  917  933  885  890  890  887 1221 1338 1893 1780
//
// The line of a proxy of 16 is in trace_common.h (line 30); [Runtime.HidesProxies] lists the lines
// that report its calls. No rule emulates obsolete methods, those of a class that a debugger or
// agent has redefined: a truth has no redefinitions, and an event has the current version of its
// method. Samples compare the versions, so ART ends and restarts the frames of a redefined method at
// the next sample.
//
// The sources are the branches cm-13.0, cm-14.1 and lineage-15.1 to lineage-19.1 of
// LineageOS/android_art (6 to 12), xpe-17.0, xpe-18.0 and xpe-19.0 of
// TheXPerienceProject/android_art (13, 14.0, 15), 14 of GrapheneOS/platform_art (14.2) and 16 of
// HertzifyOS/android_art.
package art
