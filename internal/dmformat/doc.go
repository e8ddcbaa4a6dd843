// Package dmformat defines the layout of Android's method-trace files ("dmtrace"
// files, extension .trace): names of the variants, headers, records, items and the
// lines of the tables. It encodes and decodes single elements. Package
// format/dmtrace reads and writes files.
//
// All integers are little-endian. Times count from the start of the trace.
//
// # The classic file
//
// Dalvik's files, and ART's in output mode "file", have two sections. The key
// section is text:
//
//	*version
//	3                           1: records of 9 bytes; 2: one clock; 3: both clocks
//	data-file-overflow=false    options, key=value
//	clock=dual
//	…
//	*threads
//	21521<TAB>main
//	*methods
//	0x1468<TAB>class<TAB>name<TAB>signature<TAB>file[<TAB>line]
//	*end
//
// The data section follows immediately: a header (see [Header]) and then records of one size to
// the end of the file (see [Layout]). A record contains the thread id, the method's id with the
// [trace.Action] in its two low bits, and one or two times of 32 bits in microseconds, thread CPU
// time first.
//
// # The streaming file
//
// ART's output mode "streaming" starts with the header (version | [StreamBit]), followed by items.
// An item is a record if its first two bytes are not 0. After two bytes of 0, a code states the
// kind of the item: a method line, a thread's name, or the summary, which is the key section and
// ends the file. A method and a thread are announced before the first record that uses them.
// # Format V2
//
// ART from Android 15 on writes it on request: a header of its own ([HeaderV2]), then a sequence
// of packets: threads, methods by their addresses, blocks of one thread's entries ([BlockHead])
// and a summary. Three generations differ in the entries; no field states the generation
// ([Generation]).
//
// The comment of each element names the releases that write it and their deviations.
package dmformat
