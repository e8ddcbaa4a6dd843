package matrix_test

import (
	"testing"

	"artifice/format/formattest"
	"artifice/format/internal/kind"
)

// TestMatrix: the report that TRACERS calls an example, with callees in turn.
func TestMatrix(t *testing.T) {
	file := "0,1048574,1,1006\n1,243,1,600\n2,7,3,600\n1,244,1,300\n"
	formattest.Check(t, "matrix", formattest.Read(t, file, "matrix", kind.Config{}),
		"0 main >android.os.Handler.dispatchMessage, 0 main >method_243, 0 main >method_7, 600000 main <method_7, 600000 main <method_243, "+
			"600000 main >method_244, 900000 main <method_244, 1.006e+06 main <android.os.Handler.dispatchMessage")
}

// TestMatrixNoTime: calls that took less than a ms are in each other as the depths say.
func TestMatrixNoTime(t *testing.T) {
	formattest.Check(t, "matrix", formattest.Read(t, "0,1,1,0\n1,2,1,0\n2,3,1,0\n1,4,1,0\n", "matrix", kind.Config{}),
		"0 main >method_1, 0 main >method_2, 0 main >method_3, 0 main <method_3, 0 main <method_2, 0 main >method_4, 0 main <method_4, 0 main <method_1")
}

// TestMatrixLongCallee: a callee that is said to take longer than its caller ends with it.
func TestMatrixLongCallee(t *testing.T) {
	file := "0,1048574,1,5\n1,243,1,9\n"
	formattest.Check(t, "matrix", formattest.Read(t, file, "matrix", kind.Config{}),
		"0 main >android.os.Handler.dispatchMessage, 0 main >method_243, 5000 main <method_243, 5000 main <android.os.Handler.dispatchMessage")
}
