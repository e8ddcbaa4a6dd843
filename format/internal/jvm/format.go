// Package jvm reads and writes thread dumps of Java's virtual machines.
//
// HotSpot's are those of Java 5 to 25, alone or anywhere in a log: jstack, jcmd Thread.print, kill
// -3. A dump extends from "Full thread dump" to "JNI global ref…", which Java 5 lacks. The line
// before it contains the date, in any common language. The time of a dump is the elapsed= of the
// thread main (JDK 11 and later), with a resolution of 10 ms, else the date, to the second. A
// thread's identity is lwp_id or nid and, if present, the number after "#"; cpu= is its CPU time.
// Output of programs that use java.lang.management is read, too: "name" Id=31 in RUNNABLE of JMX
// consoles, and "name" - Thread t@31 of VisualVM and Spring Boot. The dumps of JMX consoles need no
// header, and end before a thread that occurs again. Threads of HotSpot without the head of a dump,
// as in bug reports, and those of jstack -F, which have no names, are also read; they are
// distinguished by their numbers. In a log, each line of a dump can have a prefix: of journald,
// Docker, Kubernetes, a quotation or others. A mounted virtual thread follows its carrier's frames.
// It is a separate thread, identified by its number. Loader and module before a class are dropped.
// Dumps of IntelliJ contain no numbers: the names identify their threads. Dumps of JRockit are read
// in the same format.
//
// jcmd Thread.dump_to_file of JDK 19 and later writes text, or JSON with -format=json. The text has
// lines with pid, time and version, then threads (#22 "name" virtual) with one frame per line; each
// thread ends with an empty line. A JSON document is a dump. Its first version writes numbers as
// strings, its second as numbers. Threads are identified by the JVM's number. Virtual threads
// without a name, running or not, are called virtual-NUMBER.
//
// Javacores of IBM's and Eclipse's OpenJ9 have a tag in front of each line; javacore.go lists the
// ones that are used.
//
// Tests read real dumps of HotSpot of JDK 17 and 25. The reader of dumps of other JDKs, and of both
// forms of dump_to_file, follows their source code and public examples.
package jvm

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
)

// Format is the format of HotSpot's thread dumps.
var Format = kind.OfDumps(kind.Format{
	Name: "jvm", About: "thread dumps of HotSpot, from jstack, jcmd Thread.print or kill -3",
}, stackdump.Format{Codec: hotspot{}, Few: true})

// Javacore is the format of OpenJ9's javacores.
var Javacore = kind.OfDumps(kind.Format{
	Name: "javacore", About: "thread dumps of IBM's and Eclipse's OpenJ9: javacore.*.txt",
}, stackdump.Format{Codec: javacore{}, Few: true})

// Text is the text format of dump_to_file.
var Text = kind.OfDumps(kind.Format{
	Name: "jvm-text", About: "thread dumps of jcmd Thread.dump_to_file",
}, stackdump.Format{Codec: dumpText{}, Few: true})

// JSON is the JSON format of dump_to_file.
var JSON = kind.OfDumps(kind.Format{
	Name: "jvm-json", About: "thread dumps of jcmd Thread.dump_to_file -format=json",
}, stackdump.Format{Codec: dumpJSON{}, Few: true})
