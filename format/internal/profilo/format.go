// Package profilo reads the stacks in profilo's logs, which have a line for
// each frame. Times are to the microsecond.
package profilo

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
)

// Format is the format of profilo's logs.
var Format = kind.OfDumps(kind.Format{
	Name: "profilo", About: "the stacks in profilo's logs",
}, stackdump.Format{Codec: codec{}})
