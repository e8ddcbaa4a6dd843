package reader

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
	"time"

	"artifice/internal/dmformat"
)

// TestEndIsTheLatestTime: of a thread whose clock stepped back, the end is the
// latest time that it showed, 130 us, not that of its last event, 120 us.
func TestEndIsTheLatestTime(t *testing.T) {
	file := append([]byte(madeKey(3, "clock=dual", "vm=art")), madeHeader(3, 14)...)
	file = append(file, madeRecords(2, rec{1, 0x10, []uint32{0, 100}}, rec{1, 0x14, []uint32{1, 130}}, rec{1, 0x15, []uint32{2, 120}})...)
	f, err := New(bytes.NewReader(file), "steps back", Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.InTimeOrder(); err != nil {
		t.Fatal(err)
	}
	if got, want := f.Symbols.Threads[0].End, 130*time.Microsecond; got != want {
		t.Errorf("the thread ends at %v, want %v", got, want)
	}
}

// TestLatestStart: the header's start time is us in 64 bits without a sign; a
// [time.Duration] has 63 bits of ns, which are 9223372036854775 us. What is above is
// not taken for another time.
func TestLatestStart(t *testing.T) {
	for start, want := range map[uint64]time.Duration{
		9223372036854775: 9223372036854775 * time.Microsecond,
		9223372036854776: 0,
		math.MaxInt64:    0,
		1<<64 - 1:        0,
	} {
		key := madeKey(3, "clock=dual", "vm=art")
		file := append([]byte(key), madeHeader(3, 14)...)
		binary.LittleEndian.PutUint64(file[len(key)+8:], start)
		file = append(file, madeRecords(2, rec{1, 0x10, []uint32{0, 100}})...)
		f, err := New(bytes.NewReader(file), "late", Config{})
		if err != nil {
			t.Fatal(err)
		}
		if f.Info.Start != want || hasWarning(f, "start time") != (want == 0) {
			t.Errorf("start %d: read as %v, want %v; warnings %v", start, f.Info.Start, want, f.Warnings)
		}
		f.Close()
	}
}

// TestV2LatestStart: the header's start time is 64 bits without a sign, in us up to
// Android 15 and in ns since. A [time.Duration] has 63 bits of ns, which are
// 9223372036854775 us: what is above is not taken for a time before 0.
func TestV2LatestStart(t *testing.T) {
	for _, c := range []struct {
		gen   dmformat.Generation
		start uint64
		want  time.Duration
	}{
		{dmformat.V2of15, 9223372036854775, 9223372036854775 * time.Microsecond},
		{dmformat.V2of15, 9223372036854776, 0},
		{dmformat.V2of16, math.MaxInt64, math.MaxInt64},
		{dmformat.V2of16, 1 << 63, 0},
		{dmformat.V2of17, 1<<64 - 1, 0},
	} {
		file := smallV2(c.gen, 2, "dual").b
		binary.LittleEndian.PutUint64(file[6:], c.start)
		f, err := New(bytes.NewReader(file), "late", Config{})
		if err != nil {
			t.Fatal(err)
		}
		warned := hasWarning(f, "start time")
		if f.Info.Start != c.want || warned != (c.want == 0) {
			t.Errorf("generation %v, start %d: read as %v, want %v; warned %t", c.gen, c.start, f.Info.Start, c.want, warned)
		}
		f.Close()
	}
}
