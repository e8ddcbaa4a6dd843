// Package rhea reads the text that RheaTrace (btrace 1 and 2) writes on the device, rhea-atrace: a
// line TRACE_START with the process id, then marks of android.os.Trace with time and thread,
// "12.345678 4711: B|4711|name". A mark without a thread belongs to the main thread. If the first
// line is such a begin, its number is the process id.
//
// RheaTrace 1 prefixes a name with its own letter: B: at the begin of a method, E: at its return,
// T: at a throw. All three are marks of begins. A method that an exception only passes through has
// neither E nor T; see [kind.Repair].
package rhea

import (
	"bytes"

	"artifice/format/internal/kind"
	"artifice/format/internal/timeline"
)

// Format is the text format of RheaTrace.
var Format = &kind.Format{
	Name: "rhea", About: "rhea-atrace of RheaTrace: begins and ends of calls, as text",
	Sniff: sniff, Head: timeline.SniffLen,
	Holds: kind.Numbers | kind.LostEnds, // numbers if the app was built with traceWithMethodID
	Read: func(src kind.Source, cfg *kind.Config) (*kind.Opened, error) {
		r := reader{repair: cfg.Repair}
		return kind.ReadCalls(src, cfg, &timeline.Format{Read: r.read, Numbered: true})
	},
}

func sniff(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	fields := bytes.SplitN(line, []byte("|"), 3)
	return len(fields) == 3 && string(fields[1]) == "TRACE_START" || processIn(line) > 0
}

// reader reads a file.
type reader struct {
	*timeline.Source
	repair kind.Repair
}
