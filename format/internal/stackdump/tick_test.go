package stackdump_test

import (
	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/trace"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// TestTick checks that each dump of the whole process is one tick, however many threads it has. Its
// time is relative to the first dump. Its pause is that of the dump's first line, or 0 if that line
// states none. A line of a single thread is no tick.
func TestTick(t *testing.T) {
	var got []string
	cfg := stackdump.Config{Tick: func(at, stopped time.Duration) { got = append(got, fmt.Sprint(at, " ", stopped)) }}
	s, err := formattest.New(strings.NewReader(`{"time_us":1000,"stopped_us":250,"thread":"main","frames":["a.B.f"]}
{"time_us":1000,"stopped_us":999,"thread":"other","frames":["a.B.g"]}
{"time_us":2100.5,"stopped_us":0.125,"thread":"main","frames":["a.B.f"]}
{"time_us":3000,"thread":"main","frames":["a.B.f"]}
{"time_us":3500,"stopped_us":5,"partial":true,"thread":"main","frames":["a.B.f"]}
{"time_us":4000,"stopped_us":-1,"thread":"main","frames":["a.B.f"]}
`), "dumps", cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Copy(&trace.Buffer{}, s.Events); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	if want := "[0s 250µs 1.1005ms 125ns 2ms 0s]"; fmt.Sprint(got) != want {
		t.Errorf("ticks %v, want %s", got, want)
	}
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0].String(), `"stopped_us" is out of range`) {
		t.Errorf("warnings %v, want one of the last line", s.Warnings)
	}
}
