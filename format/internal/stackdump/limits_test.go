package stackdump_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// TestFramesLimit checks that the error for too many frames has the line of the first frame beyond
// the limit.
func TestFramesLimit(t *testing.T) {
	var text strings.Builder
	for i := range 10 {
		fmt.Fprintf(&text, "a%d 1\n", i)
	}
	for most, wantLine := range map[int]int{9: 10, 10: 0} {
		s, err := formattest.New(strings.NewReader(text.String()), "roots", stackdump.Config{Limits: trace.Limits{Methods: most}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = trace.Copy(trace.Discard, s)
		var le *trace.LimitError
		var fe *trace.FormatError
		switch {
		case wantLine == 0 && err != nil:
			t.Errorf("%d frames: %v", most, err)
		case wantLine > 0 && (!errors.As(err, &le) || le.Limit != "methods" || !errors.As(err, &fe) || fe.Line != wantLine):
			t.Errorf("%d frames: %v, want the limit methods at line %d", most, err, wantLine)
		}
		s.Close()
	}
}
