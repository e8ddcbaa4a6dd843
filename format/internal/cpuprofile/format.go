// Package cpuprofile reads V8's CPU profiles, as node --cpu-prof and Chrome's developer
// tools save them. A stack lasts until the next sample, the last one until the end
// of the profile. A function without a name is named after its file and line.
package cpuprofile

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
)

// Format is the format of V8's CPU profiles.
var Format = kind.OfDumps(kind.Format{
	Name: "cpuprofile", About: "CPU profiles of V8 (.cpuprofile), as node --cpu-prof and Chrome's developer tools write them",
}, stackdump.Format{Codec: codec{}})
