package firefox_test

import (
	"runtime"
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata"
	"artifice/trace"
)

// atFirst measures the heap when the first events are written.
type atFirst struct{ heap int64 }

func (w *atFirst) WriteEvents([]trace.Event) error {
	if w.heap == 0 {
		w.heap = testdata.Heap()
	}
	return nil
}

// TestFirefoxMemory checks that a profile with samples in the shortest notation takes the memory
// that firefox.go states, once it has been read.
func TestFirefoxMemory(t *testing.T) {
	const samples = 200_000
	column := func(of string) string { return "[" + strings.Repeat(of+",", samples-1) + of + "]" }
	file := `{"meta":{"interval":1,"preprocessedProfileVersion":48},"threads":[{"name":"main","pid":"1","tid":7,"samples":{"stack":` + column("0") + `,"timeDeltas":` + column("1") + `},
"stackTable":{"prefix":[null],"frame":[0],"length":1},"frameTable":{"func":[0],"length":1},"funcTable":{"name":[0],"length":1},"stringArray":["f"]}]}`
	w, before := &atFirst{}, testdata.Heap()
	s, err := formattest.New(strings.NewReader(file), "in", stackdump.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Copy(w, s); err != nil {
		t.Fatal(err)
	}
	runtime.KeepAlive(file)
	const most = 12 // bytes of memory per byte of the file
	if kept := w.heap - before; kept > most*int64(len(file)) || kept < samples {
		t.Errorf("%d bytes keep %d bytes of memory, want at most %d times as many", len(file), kept, most)
	}
}
