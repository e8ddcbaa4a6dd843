package matrix_test

import (
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
)

// TestMatrix checks the example report of TRACERS, which has consecutive callees.
func TestMatrix(t *testing.T) {
	file := "0,1048574,1,1006\n1,243,1,600\n2,7,3,600\n1,244,1,300\n"
	formattest.Check(t, "matrix", formattest.Read(t, file, "matrix", kind.Config{}),
		"0 main >android.os.Handler.dispatchMessage, 0 main >method_243, 0 main >method_7, 600000 main <method_7, 600000 main <method_243, "+
			"600000 main >method_244, 900000 main <method_244, 1.006e+06 main <android.os.Handler.dispatchMessage")
}

// TestMatrixNoTime checks that calls of less than 1 ms are nested as their depths state.
func TestMatrixNoTime(t *testing.T) {
	formattest.Check(t, "matrix", formattest.Read(t, "0,1,1,0\n1,2,1,0\n2,3,1,0\n1,4,1,0\n", "matrix", kind.Config{}),
		"0 main >method_1, 0 main >method_2, 0 main >method_3, 0 main <method_3, 0 main <method_2, 0 main >method_4, 0 main <method_4, 0 main <method_1")
}

// TestMatrixLongCallee checks that a callee with a longer stated time than its caller ends with the
// caller.
func TestMatrixLongCallee(t *testing.T) {
	file := "0,1048574,1,5\n1,243,1,9\n"
	formattest.Check(t, "matrix", formattest.Read(t, file, "matrix", kind.Config{}),
		"0 main >android.os.Handler.dispatchMessage, 0 main >method_243, 5000 main <method_243, 5000 main <android.os.Handler.dispatchMessage")
}

// TestMatrixLogged checks an issue in a log of Matrix. The value of "stack" is a string with the
// lines of the stack. The JSON has one line or several, and may follow the header of a log line.
// Other lines are ignored, and so is a stack of another kind.
func TestMatrixLogged(t *testing.T) {
	const stack = `"stack": "0,7,1,1400\n1,8,3,1100\n"`
	const want = "0 main >method_7, 0 main >method_8, 1.1e+06 main <method_8, 1.4e+06 main <method_7"
	for _, file := range []string{
		`{"cost": 1400, ` + stack + `, "stackKey": "8\n", "tag": "Trace_EvilMethod"}`,
		"{\n  \"cost\": 1400,\n  " + stack + ",\n  \"tag\": \"Trace_EvilMethod\"\n}\n",
		`07-01 12:00:00.100  1  2 I Matrix.Report: {"threadStack": "at a.B.c(B.java:1)", ` + stack + "}\n07-01 12:00:01.100  1  2 I Other: 1,2\n",
	} {
		formattest.Check(t, "matrix", formattest.Read(t, file, "matrix", kind.Config{}), want)
	}
}
