package stackdump_test

import (
	"io"
	"slices"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// repeated is a reader that repeats a text. It keeps a single copy of the text.
type repeated struct {
	text string
	left int // remaining repetitions
	rest string
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.rest == "" {
		if r.left == 0 {
			return 0, io.EOF
		}
		r.left--
		r.rest = r.text
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// TestMemoryDoesNotGrow checks the memory for 10,000 dumps, up to 15 MB of text. It consists of a
// window of 1 MiB for detecting the format, the buffers of one file, and the first few warnings.
func TestMemoryDoesNotGrow(t *testing.T) {
	const most = 3 << 20
	jvm := formattest.JVM("2025-12-22 16:10:17", `"main" #1 prio=5 tid=0x1 nid=0x2a runnable`, "\tat a.B.f(B.java:1)\n\tat a.B.main(B.java:9)\n")
	for name, text := range map[string]string{"anr": formattest.ANR, "jvm": jvm, "folded": "a;b;c 3\na;b;d 1\n"} {
		before := testdata.Heap()
		s, err := formattest.New(&repeated{text: text, left: 10_000}, name, stackdump.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trace.Copy(trace.Discard, s); err != nil {
			t.Fatal(err)
		}
		if kept := testdata.Heap() - before; kept > most {
			t.Errorf("%s: 10000 repetitions of %d bytes keep %d bytes of memory, want at most %d", name, len(text), kept, most)
		}
		if s.Counts().Dumps < 10_000 {
			t.Errorf("%s: %d dumps, want 10000 or more", name, s.Counts().Dumps)
		}
	}
}

// TestProgress checks that progress ends at the total number of bytes of all files.
func TestProgress(t *testing.T) {
	dir := folder(t, map[string]string{"a.txt": formattest.ANR, "b.txt": formattest.ANR})
	var done []int64
	var total int64
	s := formattest.OpenDumps(t, stackdump.Config{Progress: func(d, of int64) { done, total = append(done, d), of }}, dir)
	tracetest.Events(t, s)
	if want := int64(2 * len(formattest.ANR)); total != want || !slices.IsSorted(done) || done[len(done)-1] != want {
		t.Errorf("progress %v of %d, want up to %d", done, total, want)
	}
}
