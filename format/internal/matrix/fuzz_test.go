package matrix_test

import (
	"encoding/binary"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/matrix"
)

const report = "0,1048574,1,6\n1,243,1,5\n"

// buffers are small buffers; the second one wrapped.
func buffers() []string {
	return []string{
		string(matrixBuffer(binary.BigEndian, in(dispatch, 100), in(4, 100), in(5, 105), out(5, 107), out(4, 110))),
		string(matrixBuffer(binary.BigEndian, out(4, 110), in(dispatch, 100), in(4, 100), 0, in(5, 105))),
	}
}

func FuzzReport(f *testing.F) { formattest.Fuzz(f, matrix.Report, report) }

func FuzzBuffer(f *testing.F) { formattest.Fuzz(f, matrix.Buffer, buffers()...) }

func TestCut(t *testing.T) {
	formattest.Cut(t, matrix.Report, true, report)
	formattest.Cut(t, matrix.Buffer, false, buffers()...)
}
