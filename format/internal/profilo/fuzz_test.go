package profilo_test

import (
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/profilo"
)

// seeds are small files of the format.
var seeds = []string{
	"dt\nver|3\nprec|6\npid|10\n\n1|TRACE_START|5|10|0|1|7\n1|STACK_FRAME|1|0|0|0|3\n1|STACK_FRAME|0|0|0|0|1\n1|JAVA_FRAME_NAME|0|0|0|0|1\n5|STRING_VALUE|4|La/B;c\n1|TRACE_THREAD_NAME|1|0|0|0|0\n7|STRING_KEY|6|10\n8|STRING_VALUE|7|w\n",
}

func FuzzProfilo(f *testing.F) { formattest.FuzzDumps(f, profilo.Format, seeds...) }

func TestCut(t *testing.T) { formattest.CutDumps(t, profilo.Format, seeds...) }
