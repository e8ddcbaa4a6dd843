// Package jfr reads the JSON that jfr print --json writes for a recording of the JDK's Flight
// Recorder. Samples represent CPU time.
package jfr

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
)

// Format is the JSON written by jfr print.
var Format = kind.OfDumps(kind.Format{
	Name: "jfr-json", About: "recordings of the JDK's Flight Recorder, as jfr print --json prints them",
}, stackdump.Format{Codec: codec{}, Events: true})
