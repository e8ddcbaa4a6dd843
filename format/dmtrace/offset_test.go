package dmtrace

import (
	"encoding/binary"
	"io"
	"os"
	"testing"

	"artifice/internal/testdata"
	"artifice/trace"
)

// TestOffsetIsRecordPosition checks that the record at the offset of each event has the event's
// action and wall time.
func TestOffsetIsRecordPosition(t *testing.T) {
	for _, name := range []string{"instrumented-art-file.trace", "sampled-streaming.trace"} {
		path := testdata.Path(t, "traces", name)
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		at := f.Events.(trace.Locator)
		batch := make([]trace.Event, 1000)
		var n int64
		for {
			k, err := f.Events.ReadEvents(batch)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, e := range batch[:k] {
				record := raw[at.Offset(n+int64(i)):]
				action := trace.Action(binary.LittleEndian.Uint32(record[2:]) & 3)
				wall := int64(binary.LittleEndian.Uint32(record[10:]))
				if action != e.Action || wall != e.Wall.Microseconds() {
					t.Fatalf("%s: event %d: the record is %s at %d us, want %s at %s", name, n+int64(i), action, wall, e.Action, e.Wall)
				}
			}
			n += int64(k)
		}
		if n == 0 {
			t.Errorf("%s: no events", name)
		}
		if got := at.Offset(n + 1); got != -1 {
			t.Errorf("%s: offset %d of an event not read, want -1", name, got)
		}
	}
}
