// Package jvm reads and writes thread dumps of Java's virtual machines.
//
// HotSpot's are those of Java 5 to 25, alone or anywhere in a log: jstack,
// jcmd Thread.print, kill -3. A dump goes from "Full thread dump" to "JNI global
// ref…", which Java 5 lacks, with the date in the line in front, in the form of
// any usual language. Its time is the elapsed= of the thread main (JDK 11 and
// later), to 10 ms, else the date, to the second. A thread's identity is lwp_id
// or nid and, where it has one, the number after "#"; cpu= is its CPU time. What
// programs write of java.lang.management is read as well: "name" Id=31 in RUNNABLE
// of JMX consoles, which need no header and end where a thread occurs again, and
// "name" - Thread t@31 of VisualVM and Spring Boot. So are threads of HotSpot without the head of a
// dump, as in bug reports, and those of jstack -F, which have no names. Their threads are
// distinguished by that number. A mounted virtual thread follows its carrier's frames, and is a
// thread of its own identified by its number. Loader and module in front of a class are dropped.
//
// jcmd Thread.dump_to_file of JDK 19 and later writes text, or JSON with -format=json. The text
// has lines with pid, time and version, then threads (#22 "name" virtual) with a frame a line
// beneath, each ended by an empty line. A JSON document is a dump; its two versions write numbers
// as strings and as numbers. Threads are known by the JVM's number. Virtual threads without a
// name, running or not, are called virtual-NUMBER.
//
// Javacores of IBM's and Eclipse's OpenJ9 have a tag in front of each line; javacore.go lists the
// ones that are used.
//
// Tests read real dumps of HotSpot of JDK 17 and 25. Those of other JDKs, and both forms of
// dump_to_file, are read according to their source code and public examples.
package jvm

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
)

// Format is HotSpot's thread dumps.
var Format = kind.OfDumps(kind.Format{
	Name: "jvm", About: "thread dumps of HotSpot: jstack, jcmd Thread.print, kill -3",
}, stackdump.Format{Codec: hotspot{}, Few: true})

// Javacore is the javacores of OpenJ9.
var Javacore = kind.OfDumps(kind.Format{
	Name: "javacore", About: "thread dumps of IBM's and Eclipse's OpenJ9: javacore.*.txt",
}, stackdump.Format{Codec: javacore{}, Few: true})

// Text is the text of dump_to_file.
var Text = kind.OfDumps(kind.Format{
	Name: "jvm-text", About: "thread dumps of jcmd Thread.dump_to_file",
}, stackdump.Format{Codec: dumpText{}, Few: true})

// JSON is its JSON.
var JSON = kind.OfDumps(kind.Format{
	Name: "jvm-json", About: "thread dumps of jcmd Thread.dump_to_file -format=json",
}, stackdump.Format{Codec: dumpJSON{}, Few: true})
