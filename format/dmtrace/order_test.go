package dmtrace_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/internal/testdata/tracetest"

	"artifice/internal/dmformat"
)

// TestTimeOrderIsWritten checks that events in time order are written in that order in every
// variant. Names are those of the recording if they remain valid, and otherwise those announced in
// the file.
func TestTimeOrderIsWritten(t *testing.T) {
	text := "info\tclock\twall\nthread\t1\tmain\nthread\t2\tbg\nmethod\t0x10\ta.A\tf\t()V\t\t-1\nmethod\t0x14\ta.A\tg\t()V\t\t-1\n" +
		"5000 - 1 enter a.A.f()V\n7000 - 1 exit a.A.f()V\n1000 - 2 enter a.A.g()V\n6000 - 2 exit a.A.g()V\n"
	const want = "1 bg g, 5 main f, 6 bg g, 7 main f, "
	for _, format := range dmformat.Names() {
		file := rewrite(t, fromText(t, text), dmtrace.Options{Format: format})
		f, err := dmtrace.New(bytes.NewReader(file), format, dmtrace.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := f.InTimeOrder(); err != nil {
			t.Fatal(err)
		}
		checkOrder(t, format, read(t, rewrite(t, &f.Recording, dmtrace.Options{})), want)
	}
	file := writeLongRun(t, fromText(t, text), dmtrace.Options{Format: "art-longrun-2025-02", CounterHz: 1e9})
	f, err := dmtrace.New(bytes.NewReader(file), "profile", dmtrace.ReadOptions{CounterHz: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.InTimeOrder(); err != nil {
		t.Fatal(err)
	}
	checkOrder(t, "art", read(t, rewrite(t, &f.Recording, dmtrace.Options{})), want)
}

// checkOrder compares the time in us, the thread and the method of all events. A profile begins
// with its first event.
func checkOrder(t *testing.T, format string, f *dmtrace.File, want string) {
	t.Helper()
	got := ""
	shift := time.Duration(0)
	for i, e := range tracetest.Events(t, f.Events) {
		if i == 0 {
			shift = time.Microsecond - e.Wall
		}
		got += fmt.Sprintf("%d %s %s, ", (e.Wall + shift).Microseconds(), f.Symbols.Thread(e.Thread), f.Symbols.Method(e.Method).Name)
	}
	if got != want || f.Source.Format != format {
		t.Errorf("%s: %s, want %s", f.Source.Format, got, want)
	}
}
