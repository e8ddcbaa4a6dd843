//go:build pending

package perfetto_test

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zlib"

	"artifice/format"
	"artifice/format/formattest"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/traceprocessor"
)

func deflate(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }

// TestTraced: of files as traced writes them, each call is what trace_processor makes of
// it: thread, begin, length, depth and name.
func TestTraced(t *testing.T) {
	processor := traceprocessor.Install(t)
	seed := rand.Uint64()
	for i := range uint64(testdata.Times(2, 8)) {
		r := rand.New(rand.NewPCG(seed, i))
		file := packed(r, tracedFile(r), 50, deflate)
		path := filepath.Join(t.TempDir(), "traced.pftrace")
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := processor.Load(path); err != nil {
			t.Fatal(err)
		}
		var want []slice
		if err := processor.Query(`select tid as TID, ts as TS, slice.dur as Dur, depth as Depth, slice.name as Name
			from slice join thread_track on track_id = thread_track.id join thread using (utid)`, &want); err != nil {
			t.Fatal(err)
		}
		o, err := calltest.Open(t, file, "traced", format.Config{})
		if err != nil {
			t.Fatalf("seed %d, %d: %v", seed, i, err)
		}
		got := slicesOf(t, o.Recording)
		if sortSlices(want); !slices.Equal(got, want) || len(want) < 100 {
			t.Errorf("seed %d, %d: %d calls, trace_processor has %d", seed, i, len(got), len(want))
			for k := range min(len(got), len(want)) {
				if got[k] != want[k] {
					t.Errorf("%+v, trace_processor %+v", got[k], want[k])
					break
				}
			}
		}
	}
}
