package dmtrace

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// TestLongRunFramesAtTheStart checks a hand-made profile of February 2025 with a counter of 1 MHz.
// Frames on the stack at the start have their time in ns, all others in ticks
// (RecordMethodsOnThreadStack in trace_profile.cc). f and g are entered at 5 ms, g exits at 6000
// ticks and f at 8000.
func TestLongRunFramesAtTheStart(t *testing.T) {
	var records []byte
	for _, n := range []int64{5_000_000, 0x10, 0, 4, 6001 - 5_000_000, 2000} {
		records = dmformat.AppendSLEB(records, n)
	}
	file := append(dmformat.AppendLongRunHead(nil, 9, 4, len(records)), records...)
	file = append(file, "\x00\x09\x00\x00\x00\x04\x00main"...)
	file = append(file, "\x01\x10\x00\x00\x00\x00\x00\x00\x00\x0b\x00a.A\tf\t()V\t\n"...)
	file = append(file, "\x01\x14\x00\x00\x00\x00\x00\x00\x00\x0b\x00a.A\tg\t()V\t\n"...)
	f, err := New(bytes.NewReader(file), "profile", ReadOptions{CounterHz: 1e6})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b trace.Buffer
	if _, err := trace.Copy(&b, f.Events); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range b.Events {
		got = append(got, fmt.Sprint(f.Info.Start+e.Wall, " ", e.Action, " ", f.Symbols.Method(e.Method).Name))
	}
	if want := []string{"5ms enter f", "5ms enter g", "6ms exit g", "8ms exit f"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if f.Info.Start != 5*time.Millisecond || f.Symbols.Threads[0].Open != 2 {
		t.Errorf("start %v with %d open frames, want 5ms and 2", f.Info.Start, f.Symbols.Threads[0].Open)
	}
}
