package jsonlines_test

import (
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/jsonlines"
)

// seeds are small files of the format.
var seeds = []string{
	"{\"time_us\":1,\"cpu_us\":2,\"pid\":3,\"thread\":\"m\",\"tid\":4,\"partial\":true,\"frames\":[\"a.B.f(B.java:1)\",\"x\"]}\n{\"time_us\":1,\"thread\":\"n\",\"frames\":[]}\n{}\n",
}

func FuzzJSONLines(f *testing.F) { formattest.FuzzDumps(f, jsonlines.Format, seeds...) }

func TestCut(t *testing.T) { formattest.CutDumps(t, jsonlines.Format, seeds...) }
