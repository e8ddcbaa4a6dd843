package art

import (
	"slices"
	"strings"
	"testing"

	"artifice/trace"
)

// TestObjectsWrap checks the counters of a trace with 5,000,000,000 allocated bytes, which are
// 705,032,704 above 2^32, in 3,000,000,000 objects, which are 1,294,967,296 below it.
func TestObjectsWrap(t *testing.T) {
	wrapped := []string{"alloc-count=-1294967296", "alloc-size=705032704", "gc-count=7"}
	for runtime, want := range map[string][]string{
		"dalvik": wrapped, "art8": wrapped, "art9": wrapped, "art10": wrapped,
		"art11": {"alloc-count=3000000000", "alloc-size=5000000000", "gc-count=7"},
		"art16": {"alloc-count=3000000000", "alloc-size=5000000000", "gc-count=7"},
	} {
		objects := &Objects{Count: 3_000_000_000, Bytes: 5_000_000_000, Collections: 7}
		l, err := logOf(t, runtime, trace.Thread{TID: 7, Name: "main"}, Config{Objects: objects})
		if err != nil {
			t.Fatal(err)
		}
		got := slices.DeleteFunc(slices.Clone(l.Recording().Source.Options), func(line string) bool {
			return !strings.HasPrefix(line, "alloc-") && !strings.HasPrefix(line, "gc-")
		})
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", runtime, got, want)
		}
	}
}
