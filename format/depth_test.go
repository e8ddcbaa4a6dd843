package format_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"artifice/format"
	"artifice/trace"
)

// TestDepthPlace: the error for exceeding the maximum depth contains the file and the time.
func TestDepthPlace(t *testing.T) {
	var text strings.Builder
	text.WriteString("# tracer: nop\n#\n")
	for i := range 5 {
		fmt.Fprintf(&text, "  a-10 (10) [000] ...1 %d.000000: tracing_mark_write: B|10|f\n", 3+i)
	}
	in, err := format.New(strings.NewReader(text.String()), "deep.ftrace", format.Config{Limits: trace.Limits{Depth: 3}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = trace.Copy(discard{}, in.Events)
	want := "deep.ftrace: time 6s: more than 3 open calls on thread a: "
	if err == nil || err == io.EOF || !strings.HasPrefix(err.Error(), want) || !errors.As(err, new(*trace.LimitError)) {
		t.Errorf("%v, want %s", err, want)
	}
}

// discard is a [trace.Writer] that ignores its events.
type discard struct{}

func (discard) WriteEvents([]trace.Event) error { return nil }
