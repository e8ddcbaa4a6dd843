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

// TestWarning checks the position of a warning: name and line, name and offset, or none.
func TestWarning(t *testing.T) {
	for want, w := range map[string]Warning{
		"x:3: why":         {Name: "x", Offset: -1, Line: 3, Text: "why"},
		"x: offset 0: why": {Name: "x", Text: "why"},
		"offset 12: why":   {Offset: 12, Text: "why"},
		"x: why":           {Name: "x", Offset: -1, Text: "why"},
		"why":              {Offset: -1, Text: "why"},
	} {
		if got := w.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if w := Warnf("code", "x", "%d of %d", 1, 2); w != (Warning{Code: "code", Name: "x", Offset: -1, Text: "1 of 2"}) {
		t.Errorf("%+v", w)
	}
}
