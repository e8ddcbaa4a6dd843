package dmtrace_test

import (
	"bytes"
	"os"
	"testing"

	"artifice/format/dmtrace"
	"artifice/internal/testdata/tracetest"

	"artifice/internal/testdata"
	"artifice/trace"
)

// completeFiles are the real traces that are not truncated.
var completeFiles = []string{
	"sampled-art-file.trace", "sampled-host-file.trace", "sampled-streaming.trace", "instrumented-art-file.trace",
	"tiny-basic.trace", "tiny-basic-api10.trace", "tiny-exception.trace", "tiny-mismatched.trace",
}

// TestRealFilesRoundTrip checks that a trace that is read from a file or a pipe and written in its
// own variant is byte-identical.
func TestRealFilesRoundTrip(t *testing.T) {
	for _, name := range completeFiles {
		path := testdata.Path(t, "traces", name)
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := dmtrace.Open(path, dmtrace.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		pipe, err := dmtrace.New(bytes.NewReader(want), name, dmtrace.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for how, f := range map[string]*dmtrace.File{"file": file, "pipe": pipe} {
			if got := rewrite(t, &f.Recording, dmtrace.Options{}); !bytes.Equal(got, want) {
				t.Errorf("%s read from a %s: %d bytes written, %d read; they differ from offset %d",
					name, how, len(got), len(want), firstDifference(got, want))
			}
		}
	}
}

// rewrite writes the remaining events of rec and returns the file.
func rewrite(t testing.TB, rec *trace.Recording, cfg dmtrace.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	d, err := dmtrace.NewWriter(&out, rec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	tracetest.Fill(t, d, rec.Events)
	return out.Bytes()
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
