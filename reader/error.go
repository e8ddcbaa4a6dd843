package reader

import "fmt"

// FormatError is what is wrong with a file, and where. It wraps its cause; for
// a file that is cut short that is io.ErrUnexpectedEOF.
type FormatError struct {
	Name   string // of the file
	Offset int64  // bytes from its start, decompressed; where the thing begins that is wrong
	Msg    string
	Err    error // nil when the content is wrong, not its reading
}

// Error returns "name: offset 1234: message: cause".
func (e *FormatError) Error() string {
	s := fmt.Sprintf("%s: offset %d: %s", e.Name, e.Offset, e.Msg)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }
