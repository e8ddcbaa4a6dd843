package perfetto_test

import (
	"slices"
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/format/internal/perfetto"
)

// perfettoFile returns a trace of a sequence with its own clock, a default track, an event that
// contains its name, and a print of ftrace in a bundle. Field numbers are those of the proto files.
func perfettoFile() []byte {
	return slices.Concat(
		message(1, message(10, 3, 13, 1, 6, message(1, message(1, 64, 2, 1000, 3, 1, 4, 1000), 1, message(1, 6, 2, 5_000_000)))),
		message(1, message(10, 3, 60, message(1, 99, 4, message(1, 40, 2, 41, 5, "ui")))),
		message(1, message(10, 3, 59, message(58, 64, 11, message(11, 99)))),
		message(1, message(10, 3, 8, 7, 11, message(9, 1, 23, "a.B.m"))),                                       // 5 ms + 7 us
		message(1, message(10, 3, 8, 3, 11, message(9, 1, 10, 1), 12, message(2, message(1, 1, 2, "second")))), // 3 us later
		message(1, message(10, 3, 8, 10, 11, message(9, 2))),
		message(1, message(10, 3, 8, 10, 11, message(9, 2))),
		message(1, message(10, 4, 1, message(1, 0, 2, message(1, 5_008_000, 2, 41, 3, message(2, "B|40|mark\n"))))),
		message(1, message(10, 4, 1, message(1, 0, 2, message(1, 5_009_000, 2, 41, 3, message(2, "E|40\n"))))),
	)
}

func TestPerfettoClocks(t *testing.T) {
	formattest.Check(t, "perfetto", formattest.Read(t, string(perfettoFile()), "perfetto", kind.Config{}),
		"0 ui >a.B.m, 1 ui >mark, 2 ui <mark, 3 ui >second, 13 ui <second, 23 ui <a.B.m")
}

// TestPerfettoMicros checks the older times of track_event.proto, which are in the event itself and
// in us: timestamp_absolute_us is 16, thread_time_absolute_us is 17.
func TestPerfettoMicros(t *testing.T) {
	file := slices.Concat(
		message(1, message(10, 3, 60, message(1, 99, 4, message(1, 40, 2, 41, 5, "ui")))),
		message(1, message(10, 3, 11, message(9, 1, 11, 99, 16, 5000, 17, 100, 23, "a.B.m"))),
		message(1, message(10, 3, 11, message(9, 2, 11, 99, 16, 5250, 17, 180))),
	)
	formattest.Check(t, "perfetto", formattest.Read(t, string(file), "perfetto", kind.Config{}), "0 ui >a.B.m cpu 100, 250 ui <a.B.m cpu 180")
}

// TestNamedEnds checks ends with a name, which some writers intern (name_iid is 10). Such an end
// closes the innermost slice with its name and the slices in it. An end whose name no open slice
// has is skipped. An undefined number is no name.
func TestNamedEnds(t *testing.T) {
	end := func(at, name int) []byte { return message(8, at, 10, 1, 11, message(9, 2, 11, 99, 10, name)) }
	begin := func(at, name int) []byte { return message(8, at, 10, 1, 11, message(9, 1, 11, 99, 10, name)) }
	data := file(
		message(10, 1, 60, message(1, 99, 4, message(1, 40, 2, 41, 5, "ui"))),
		message(10, 1, 13, 1, 12, message(2, message(1, 1, 2, "outer"), 2, message(1, 2, 2, "inner"), 2, message(1, 3, 2, "before"))),
		begin(1000, 1), begin(2000, 2), end(3000, 3), end(5000, 1), end(6000, 2), begin(7000, 2), end(9000, 7),
	)
	formattest.Check(t, "perfetto", formattest.Read(t, string(data), "perfetto", kind.Config{}),
		"0 ui >outer, 1 ui >inner, 4 ui <inner, 4 ui <outer, 6 ui >inner, 8 ui <inner")
}

// callSeeds are small files with slices.
func callSeeds() []string {
	return []string{
		string([]byte{0x0a, 4, 0x68, 1, 0x50, 1, 0x0a, 6, 0x40, 5, 0x5a, 2, 0x48, 1}),
		string(perfettoFile()),
		string(framesWithSlices()),
	}
}

// TestAsyncOnly checks that a file with slices of other tracks only is rejected with their number.
func TestAsyncOnly(t *testing.T) {
	data := file(message(8, 1000, 10, 1, 60, message(1, 5, 2, "loads", 3, message(1, 7))),
		message(8, 2000, 10, 1, 11, message(9, 1, 11, 5, 23, "load")), message(8, 3000, 10, 1, 11, message(9, 2, 11, 5)))
	if got, want := formattest.Refused(t, data, "x.pftrace"), "its sections are asynchronous (1 section), which belong to no thread"; !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

func FuzzPerfetto(f *testing.F) { formattest.Fuzz(f, perfetto.Format, callSeeds()...) }

func TestCut(t *testing.T) { formattest.Cut(t, perfetto.Format, false, callSeeds()[1]) }
