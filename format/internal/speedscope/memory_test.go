package speedscope_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"artifice/format/internal/kind"
	"artifice/format/internal/speedscope"
	"artifice/format/internal/timeline"
	"artifice/internal/testdata"
)

// atEnd measures the heap when the last byte has been read.
type atEnd struct {
	io.Reader
	left int
	heap int64
}

func (r *atEnd) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if r.left -= n; r.left == 0 && r.heap == 0 {
		r.heap = testdata.Heap()
	}
	return n, err
}

// TestSpeedscopeMemory checks that a file with the shortest possible events takes the memory that
// the reader's comment states.
func TestSpeedscopeMemory(t *testing.T) {
	const calls = 100_000
	file := `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"f"}]},"profiles":[{"type":"evented","name":"x","unit":"microseconds","startValue":0,"endValue":9,"events":[` +
		strings.Repeat(`{"type":"O","frame":0,"at":1},{"type":"C","frame":0,"at":1},`, calls) + `{"type":"O","frame":0,"at":1},{"type":"C","frame":0,"at":1}]}]}`
	in := &atEnd{Reader: strings.NewReader(file), left: len(file)}
	before := testdata.Heap()
	rec, err := speedscope.Format.Read(kind.Source{Name: "in", R: in}, &kind.Config{Options: kind.Options{timeline.Config{TempDir: t.TempDir()}}})
	if err != nil {
		t.Fatal(err)
	}
	rec.Close()
	runtime.KeepAlive(file)
	const most = 2 // bytes of memory per byte of the file
	if kept := in.heap - before; kept > most*int64(len(file)) || kept < calls {
		t.Errorf("%d bytes keep %d bytes of memory, want at most %d times as many", len(file), kept, most)
	}
}
