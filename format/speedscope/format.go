// Package speedscope is the room of speedscope's own format
// (https://www.speedscope.app/file-format-schema.json). A profile is a thread's, and of one of
// two types. In one that is sampled, a stack stands for its weight; where that is no time, for as
// many times the interval.
package speedscope

import (
	"artifice/format"
	"artifice/stackdump"
)

// Sampled is files of sampled profiles.
var Sampled = format.OfDumps(format.Format{
	Name: "speedscope-samples", About: "speedscope's JSON: sampled profiles",
}, stackdump.Format{Detect: isSampled, Parser: newSampled})
