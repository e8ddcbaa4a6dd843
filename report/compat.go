// Package compat prints the reports of other programs that add up method traces: Debian's
// and Android's dmtracedump, and what Traceview printed with its option -r. Each is held
// against that program's own output, or its source where nothing runs it any more.
package report

import (
	"fmt"
	"io"
	"strings"

	"artifice/trace"
)

// Report is a report that is another program's, byte for byte. All events are
// written to it, and then it is printed once.
type Report interface {
	trace.Writer
	Print(io.Writer) error
}

// programs are the programs, with the options that print the report.
var programs = []struct {
	name string
	make func(*trace.Recording) Report
}{
	{"dmtracedump", func(rec *trace.Recording) Report { return NewDmtracedump(rec) }},
	{"traceview-r", func(rec *trace.Recording) Report { return NewTraceview(rec) }},
}

// Programs returns the names of the programs.
func Programs() []string {
	var names []string
	for _, c := range programs {
		names = append(names, c.name)
	}
	return names
}

// New returns the report of a program. It fails when there is none of the name.
func CompatNew(name string, rec *trace.Recording) (Report, error) {
	for _, c := range programs {
		if c.name == name {
			return c.make(rec), nil
		}
	}
	return nil, fmt.Errorf("want %s", strings.Join(Programs(), " or "))
}
