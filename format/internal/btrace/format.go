// Package btrace reads the files of ByteDance's btrace. Version 2 writes a binary file of calls
// (its text form is RheaTrace's). Version 3 on Android writes the file sampling, and the names of
// methods and threads to sampling-mapping in the same folder. In version 3 the traced threads
// record their own stacks when they allocate or block. btrace's own tool ends calls by
// [artifice/diffstack.EndLast].
package btrace

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
	"artifice/format/internal/timeline"
)

// Calls is the binary file of btrace 2, rhea-atrace.bin: a header of 32 bytes (u4 version 5, u4
// process id, u8 CLOCK_BOOTTIME and u8 CLOCK_MONOTONIC when the library was loaded, u8
// CLOCK_MONOTONIC when this trace began; little endian) and a record of 16 bytes for each call that
// returned:
//
//	u8  start << 19 | took >> 26          ns, start since the library was loaded
//	u8  took << 38 | thread << 23 | method  the low 26, 15 and 23 bits
//
// A call that an exception passed through has no record, but its callees have records. Records of 0
// were reserved and never written. Methods are numbers. A thread id of 32768 or above corrupts the
// duration when btrace writes the record, which cannot be detected in the file.
var Calls = kind.OfCalls(kind.Format{
	Name: "btrace", About: "rhea-atrace.bin of btrace 2: a record for each call", Sniff: isCalls,
}, timeline.Format{Read: readCalls, Numbered: true, Binary: true})

// Sampling is the format of btrace 3's samples.
var Sampling = kind.OfDumps(kind.Format{
	Name: "btrace3", About: "the files sampling and sampling-mapping of btrace 3",
}, stackdump.Format{Codec: samplingCodec{}, Binary: true})
