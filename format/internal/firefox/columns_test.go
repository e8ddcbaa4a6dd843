package firefox

import (
	"fmt"
	"strings"
	"testing"

	"artifice/internal/eventlog"
)

// TestColumns: the rows of two threads that exceed the limit in memory wait in a common buffer; each
// column is complete and in order.
func TestColumns(t *testing.T) {
	wait := eventlog.NewDiskBuffer(t.TempDir())
	defer wait.Close()
	var threads [2]sampleColumns
	for row := range 7 {
		for n := range threads {
			c := &threads[n]
			if err := c.begin(2+n, wait); err != nil {
				t.Fatal(err)
			}
			if wantFresh := row%(2+n) + 1; c.fresh != wantFresh {
				t.Fatalf("thread %d, row %d: %d rows in memory, want %d", n, row, c.fresh, wantFresh)
			}
			for i := range columnNames {
				c.latest[i] = fmt.Appendf(c.latest[i], "%d%c%d,", n, 'a'+i, row*row*row)
			}
		}
	}
	for n := range threads {
		for i := range columnNames {
			var want []string
			for row := range 7 {
				want = append(want, fmt.Sprintf("%d%c%d", n, 'a'+i, row*row*row))
			}
			var got strings.Builder
			if err := threads[n].copyTo(&got, i, wait); err != nil || got.String() != strings.Join(want, ",") {
				t.Errorf("thread %d, column %d: %s, want %s, error %v", n, i, got.String(), strings.Join(want, ","), err)
			}
		}
		if threads[n].rows != 7 {
			t.Errorf("thread %d has %d rows, want 7", n, threads[n].rows)
		}
	}
	var empty strings.Builder
	if err := (&sampleColumns{}).copyTo(&empty, 0, wait); err != nil || empty.String() != "" {
		t.Errorf("a column without rows: %q, error %v", empty.String(), err)
	}
}
