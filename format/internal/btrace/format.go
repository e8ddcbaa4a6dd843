// Package btrace reads the files of ByteDance's btrace: of version 2 the binary file of calls
// (its text form is RheaTrace's); of version 3 on Android the file sampling, with the names of
// methods and threads in sampling-mapping in the same folder. In version 3 the traced
// threads record their own stacks when they allocate or block. btrace's
// own tool ends calls by [artifice/diffstack.EndLast].
package btrace

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
	"artifice/format/internal/timeline"
)

// Calls is the binary file of btrace 2, rhea-atrace.bin: a header of 32
// bytes (u4 version 5, u4 process id, u8 CLOCK_BOOTTIME and u8 CLOCK_MONOTONIC when
// the library was loaded, u8 CLOCK_MONOTONIC when this trace began; little endian)
// and a record of 16 bytes for each call that returned:
//
//	u8  start << 19 | took >> 26          ns, start since the library was loaded
//	u8  took << 38 | thread << 23 | method  the low 26, 15 and 23 bits
//
// A call that an exception passed through has no record; its callees have. Records
// of 0 were reserved and never written. Methods are numbers. Thread ids of 32768 and above
// corrupt the duration when btrace writes them; a file does not show that.
var Calls = kind.OfCalls(kind.Format{
	Name: "btrace", About: "btrace 2's rhea-atrace.bin: a record per call", Sniff: isCalls,
}, timeline.Format{Read: readCalls, Numbered: true, Binary: true})

// Sampling is the samples of btrace 3.
var Sampling = kind.OfDumps(kind.Format{
	Name: "btrace3", About: "btrace 3's sampling file, with sampling-mapping beside it",
}, stackdump.Format{Codec: samplingCodec{}, Binary: true})
