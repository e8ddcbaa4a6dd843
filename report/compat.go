package report

import (
	"fmt"
	"io"
	"strings"

	"artifice/trace"
)

// Compat is a report that is another program's, byte for byte. All events are
// written to it, and then it is printed once.
type Compat interface {
	trace.Writer
	Print(io.Writer) error
}

// compats are the programs, with the options that print the report.
var compats = []struct {
	name string
	make func(*trace.Recording) Compat
}{
	{"dmtracedump", func(rec *trace.Recording) Compat { return NewDmtracedump(rec) }},
	{"traceview-r", func(rec *trace.Recording) Compat { return NewTraceview(rec) }},
}

// Compats returns the names of the programs.
func Compats() []string {
	var names []string
	for _, c := range compats {
		names = append(names, c.name)
	}
	return names
}

// NewCompat returns the report of a program. It fails when there is none of the name.
func NewCompat(name string, rec *trace.Recording) (Compat, error) {
	for _, c := range compats {
		if c.name == name {
			return c.make(rec), nil
		}
	}
	return nil, fmt.Errorf("want %s", strings.Join(Compats(), " or "))
}
