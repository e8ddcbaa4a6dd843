package matrix_test

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/format/internal/matrix"
	"artifice/trace"
)

// matrixBuffer encodes words like mergeData of AppMethodBeat.
func matrixBuffer(order binary.AppendByteOrder, words ...uint64) (b []byte) {
	for _, w := range words {
		b = order.AppendUint64(b, w)
	}
	return b
}

const dispatch = 1048574

func in(method, ms uint64) uint64  { return 1<<63 | method<<43 | ms }
func out(method, ms uint64) uint64 { return method<<43 | ms }

// TestMatrixBuffer checks a ring that wrapped, in both byte orders. The expected calls are those
// that structuredDataToStack finds. Data before the first message does not count. Call 6 inside 4
// has no end and is lost, the end of 9 has no begin, and 4 is open at the end.
func TestMatrixBuffer(t *testing.T) {
	ring := []uint64{
		out(4, 110), out(9, 112), out(dispatch, 115), // newer
		in(dispatch, 120), in(4, 125), 0,
		out(5, 80), in(4, 85), out(4, 90), // oldest
		in(dispatch, 100), in(4, 100), in(5, 105), out(5, 105), in(6, 105),
	}
	want := "0 main >android.os.Handler.dispatchMessage, 0 main >com.example.A.run, 5000 main >com.example.A.nativeCall, 5000 main <com.example.A.nativeCall, " +
		"10000 main <com.example.A.run, 15000 main <android.os.Handler.dispatchMessage, " +
		"20000 main >android.os.Handler.dispatchMessage, 25000 main >com.example.A.run, 25000 main <com.example.A.run, 25000 main <android.os.Handler.dispatchMessage"
	cfg := kind.Config{Names: filepath.Join(t.TempDir(), "m")}
	if err := os.WriteFile(cfg.Names, []byte("4,1,com.example.A run ()V\n5,257,com.example.A nativeCall\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		file := string(matrixBuffer(order, ring...))
		formattest.Check(t, "matrix-buffer", formattest.Read(t, file, "matrix-buffer", cfg), want)
		for _, damaged := range []string{file[:len(file)-3], file + file, file + string(matrixBuffer(order, in(4, 300)))} {
			var bad *trace.FormatError
			if _, err := matrix.Buffer.Read(kind.Source{Name: "in", R: strings.NewReader(damaged)}, &cfg); !errors.As(err, &bad) {
				t.Errorf("%d bytes: %v, want an error with its place", len(damaged), err)
			}
		}
	}
}
