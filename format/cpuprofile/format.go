// Package cpuprofile is the room of V8's CPU profiles, as node --cpu-prof and Chrome's developer
// tools save them. A stack stands until the next sample, the last until the end
// of the profile. Functions without a name are told by file and line.
package cpuprofile

import (
	"artifice/format"
	"artifice/stackdump"
)

// Format is V8's CPU profiles.
var Format = format.OfDumps(format.Format{
	Name: "cpuprofile", About: "V8's CPU profiles (.cpuprofile): node --cpu-prof, Chrome's developer tools",
}, stackdump.Format{Detect: detect, Parser: newParser})
