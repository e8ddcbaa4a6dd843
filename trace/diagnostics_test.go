package trace

import (
	"errors"
	"io"
	"testing"
)

// TestFormatError checks that an error states position, message and cause if they are present. The
// error for a file that ends too early has a description even without a message.
func TestFormatError(t *testing.T) {
	for want, e := range map[string]FormatError{
		"x: offset 12: what: unexpected EOF":                {Name: "x", Offset: 12, Msg: "what", Err: io.ErrUnexpectedEOF},
		"x: offset 12: the file is cut off: unexpected EOF": {Name: "x", Offset: 12, Err: io.ErrUnexpectedEOF},
		"x:3: the file is cut off: unexpected EOF":          {Name: "x", Offset: -1, Line: 3, Err: io.ErrUnexpectedEOF},
		"x: why": {Name: "x", Offset: -1, Err: errors.New("why")},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
