// Package dmtrace reads and writes the method traces of Android's runtimes: the classic files of
// Dalvik and ART, ART's streaming files, its format V2 of packets, and its profiles of long-running
// methods. It reads artifice's own text format as well.
//
// [Open] and [New] recognize the variant by its content and return a [File], which is a
// [trace.Recording]. [NewWriter] writes a recording in any variant. A file that was read without
// warnings is written back byte for byte in its own variant.
//
// The layout of records, headers and packets is in package internal/dmformat. Package trace defines
// what a recording is, and package format opens files of every format.
//
// # Reading
//
// A file is read in file order with a buffer of fixed size. In addition, a reader keeps the symbols
// (about 300 bytes per method) and, in formats with exits that name no method, the open frames (4
// bytes each). [File.InTimeOrder] merges threads by time. [ReadOptions].Limits bound symbols,
// frames and the size of a decompressed file. If a limit is exceeded, reading ends with a
// [trace.LimitError] in a [trace.FormatError].
//
// Irregularities of real files are accepted: undefined ids, exits of calls that began before the
// trace, frames open at the end, clocks that wrap. Those that affect results are listed in
// Recording.Warnings. In a damaged file, reading ends with a [trace.FormatError] that contains the
// offset; the events before it remain valid.
//
// A file of 1 MiB or more is decoded on up to 8 cores, within GOMAXPROCS. The events and their
// order are the same as on one.
//
// # Notes on speed
//
// Measured by the benchmarks Read and ReadV2 with -cpuprofile: A record of a classic trace takes
// about 63 instructions in decodeDual, 77 % of the time; copying bytes takes 15 %. In format V2 the
// lengths of all numbers of a record are looked up at once, in a table indexed by the bits that end
// a number, so that no branch depends on a length or an action. Numbers take 44 % of the time;
// decoding those of 128 records before their events is not faster. Two cores save 3 % in format V2
// and lose 8 % with a classic file, because memory bandwidth is the limit.
//
// # Example
//
//	file, err := dmtrace.Open("app.trace", dmtrace.ReadOptions{})
//	defer file.Close()
//	for e, err := range trace.All(file.Events) {
//		fmt.Println(e.Wall, e.Action, file.Symbols.Method(e.Method), err)
//	}
//
// # Units and errors
//
// Times are time.Durations; classic files and Android 15's V2 count µs, V2 of 16 and 17 count ns.
// An error states the file; that of another format contains NoTrace.
package dmtrace
