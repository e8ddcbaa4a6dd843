package art11

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/trace"
)

// TestReadLog: lists as program.c describes them. A sleep from 5 to 9, method 3 of thread 77
// entered at 6 and left at 8 ns.
func TestReadLog(t *testing.T) {
	var b []byte
	for _, x := range []int64{0, 2, 5, 9, 77, 2, 6<<8 | 3<<1, 8<<8 | 3<<1 | 1} {
		b = binary.LittleEndian.AppendUint64(b, uint64(x))
	}
	log, sleeps, err := readLog(b)
	if err != nil {
		t.Fatal(err)
	}
	if want := []Mark{{6, 3, true}, {8, 3, false}}; len(log) != 1 || !slices.Equal(log[77], want) {
		t.Errorf("log %v, want %v of thread 77", log, want)
	}
	if want := []Sleep{{5, 9}}; !slices.Equal(sleeps, want) {
		t.Errorf("sleeps %v, want %v", sleeps, want)
	}
	for n := range len(b) {
		if n != 32 && n != 64 { // the end of a list; without a thread there is no log
			if _, _, err := readLog(b[:n]); err == nil {
				t.Errorf("no error for the first %d bytes", n)
			}
		}
	}
}

// TestProgram: every thread's log consists of nested calls, and ART's file of an instrumented run
// has the same events in the same order. Times are not tested.
func TestProgram(t *testing.T) {
	art, err := Open()
	if errors.Is(err, ErrMissing) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	ran, err := art.Run(Program{Length: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	file, err := dmtrace.New(bytes.NewReader(ran.File), "ART's file", dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all trace.Buffer
	if _, err := trace.Copy(&all, file.Events); err != nil {
		t.Fatal(err)
	}
	have := map[uint32][]Mark{}
	for _, e := range all.Events {
		m := file.Symbols.Method(e.Method)
		if i := slices.Index(ProgramMethods[:], m.Name); i >= 0 && m.Class == ProgramClass {
			tid := file.Symbols.Thread(e.Thread).TID
			have[tid] = append(have[tid], Mark{0, i, e.Action == trace.Enter})
		}
	}
	if len(ran.Log) != 4 {
		t.Errorf("%d threads have a log, want 4", len(ran.Log))
	}
	for tid, marks := range ran.Log {
		for i := range marks {
			marks[i].At = 0
		}
		if len(marks) < 10 || !slices.Equal(marks, have[tid]) {
			t.Errorf("thread %d: %d events in the log, %d in ART's file, or in another order", tid, len(marks), len(have[tid]))
		}
	}
}
