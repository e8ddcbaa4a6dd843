package ftrace_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// TestRealAtrace checks the output of atrace -z on a phone. The expected numbers are those of
//
//	tail -c +8 atrace-z.bin | zlib-flate -uncompress | grep -c 'tracing_mark_write: B|'
//
// and similar commands: 463 begins and as many ends, on 4 threads, with 35 names, from
// 683202.115809 to 683202.352760 seconds.
func TestRealAtrace(t *testing.T) {
	file, err := os.ReadFile(testdata.Path(t, "other", "atrace-z.bin"))
	if err != nil {
		t.Fatal(err)
	}
	rec := formattest.MustOpen(t, file, kind.Config{}).Recording
	events := tracetest.Events(t, rec.Events)
	enters := 0
	for _, e := range events {
		if e.Action == trace.Enter {
			enters++
		}
	}
	if enters != 463 || len(events) != 926 || len(rec.Symbols.Threads) != 4 || len(rec.Symbols.Methods) != 35 || len(rec.Warnings) > 0 {
		t.Errorf("%d events, %d of them enters, %d threads, %d methods, warnings %v", len(events), enters, len(rec.Symbols.Threads), len(rec.Symbols.Methods), rec.Warnings)
	}
	if last := events[len(events)-1].Wall; rec.Info.Start != 683202115809*time.Microsecond || last != 236951*time.Microsecond {
		t.Errorf("from %v on for %v", rec.Info.Start, last)
	}
}

// TestRealKernelEvents checks that a trace of scheduler events only is detected as ftrace and
// refused. The command
//
//	grep -c tracing_mark_write atrace_data.txt
//
// finds no call in it.
func TestRealKernelEvents(t *testing.T) {
	file, err := os.ReadFile(testdata.Path(t, "other", "atrace_data.txt"))
	if err != nil {
		t.Fatal(err)
	}
	f := formattest.Format(t, file)
	_, err = formattest.Open(t, file, "atrace_data.txt", kind.Config{})
	var bad *trace.FormatError
	if f.Name != "ftrace" || !errors.As(err, &bad) || !strings.Contains(err.Error(), "no begin or end of a call") {
		t.Errorf("format %s, error %v; want ftrace, and an error that there is no call", f.Name, err)
	}
}
