package command

import (
	"errors"
	"fmt"

	"artifice/internal/words"
)

// UsageError is a command line that makes no sense.
type UsageError struct{ error }

// AsUsage makes err one of the command line.
func AsUsage(err error) error { return UsageError{err} }

// Usagef is fmt.Errorf for a command line that makes no sense.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// ErrFound ends a command that did its work and found errors in its input: the
// findings are printed, only the exit status is left to set.
var ErrFound = errors.New("errors found")

// CutError ends a command that was interrupted and printed what it had.
type CutError struct{ partial string } // in what way it is partial

// Cut returns the error of a command that was interrupted; partial says in what way its result is not whole.
func Cut(partial string) error { return CutError{partial} }

// Error implements error.
func (e CutError) Error() string { return "interrupted: " + e.partial }

// salvagedError is damage of an input whose events before it were written.
type salvagedError struct {
	output string
	events int64
	damage error
}

// Salvaged returns the error of damage of an input of which so many events were written to output.
func Salvaged(output string, events int64, damage error) error {
	return &salvagedError{output, events, damage}
}

func (e *salvagedError) Error() string {
	return fmt.Sprintf("%s has the %s before the damage: %v", e.output, words.Count(e.events, "event"), e.damage)
}

func (e *salvagedError) Unwrap() error { return e.damage }
