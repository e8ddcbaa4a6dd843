package encode

import (
	"fmt"

	"artifice/trace"
)

// UnknownThread returns the error of events of a thread that the symbols do not contain.
func UnknownThread(id trace.ThreadID, s *trace.Symbols) error {
	return fmt.Errorf("events of thread index %d, but there are %d threads", id, len(s.Threads))
}

// UnknownMethod returns the error of events of a method that the symbols do not contain.
func UnknownMethod(id trace.MethodID, s *trace.Symbols) error {
	return fmt.Errorf("events of method index %d, but there are %d methods", id, len(s.Methods))
}
