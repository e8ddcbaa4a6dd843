// Package btrace is the room of ByteDance's btrace: of version 3 on Android, the file sampling
// with the names of methods and threads in sampling-mapping beside it. Its stacks
// are taken by the traced threads themselves, when they allocate or block. btrace's
// own tool ends calls by [artifice/diffstack.EndLast].
package btrace

import (
	"artifice/format"
	"artifice/stackdump"
)

// Sampling is the samples of btrace 3.
var Sampling = format.OfDumps(format.Format{
	Name: "btrace3", About: "btrace 3's sampling file, with sampling-mapping beside it",
}, stackdump.Format{Detect: isSampling, Parser: newSampling, Binary: true, NamesBeside: namesBeside})
