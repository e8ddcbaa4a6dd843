// Package firefox is the room of the processed profiles of the Firefox Profiler. A stack stands for
// its weight in ms, else until the next sample.
package firefox

import (
	"artifice/format"
	"artifice/stackdump"
)

// Format is processed profiles, as the profiler saves them.
var Format = format.OfDumps(format.Format{
	Name: "firefox", About: "processed profile of the Firefox Profiler, for profiler.firefox.com",
}, stackdump.Format{Detect: detect, Parser: newParser})
