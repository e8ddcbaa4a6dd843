package perfetto_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"artifice/format/internal/kind"
	"artifice/format/internal/perfetto"
	"artifice/format/internal/timeline"
	"artifice/internal/testdata"
	"artifice/trace"
)

// TestPlain checks that packets decoded in one pass have the same result as packets decoded by
// field. A reader that receives byte by byte copies each packet, and decodes short copies by field.
func TestPlain(t *testing.T) {
	testdata.Seldom(t, 4)
	r := rand.New(rand.NewPCG(54, 11))
	events := 0
	for range 3000 {
		events += strings.Count(sameByField(t, randomSlices(r)), "\n")
	}
	if events < 10_000 {
		t.Errorf("%d events in all files, want more", events)
	}
}

func FuzzPlain(f *testing.F) {
	r := rand.New(rand.NewPCG(54, 12))
	for range 10 {
		f.Add(randomSlices(r))
	}
	f.Fuzz(func(t *testing.T, data []byte) { sameByField(t, data) })
}

// sameByField checks that a file has the same result if its packets are decoded by field, and
// returns it.
func sameByField(t *testing.T, data []byte) string {
	t.Helper()
	text := result(t, bytes.NewReader(data))
	if byField := result(t, iotest.OneByteReader(bytes.NewReader(data))); text != byField {
		t.Fatalf("file %x:\n%s\nby field:\n%s", data, text, byField)
	}
	return text
}

// result returns the events, threads, methods and warnings of a file, and its error.
func result(t *testing.T, r io.Reader) string {
	var b bytes.Buffer
	in, err := perfetto.Format.Read(kind.Source{Name: "in", R: r}, &kind.Config{Options: kind.Options{timeline.Config{TempDir: t.TempDir()}}})
	if err == nil {
		rec := in.Recording
		batch := make([]trace.Event, 100)
		for err == nil {
			var n int
			n, err = rec.Events.ReadEvents(batch)
			for _, e := range batch[:n] {
				fmt.Fprintln(&b, e)
			}
		}
		fmt.Fprintf(&b, "%+v %+v %+v %+v", rec.Info, rec.Symbols.Threads, rec.Symbols.Methods, rec.Warnings)
		err = errors.Join(err, in.Close())
	}
	fmt.Fprint(&b, err)
	return b.String()
}

// randomSlices returns a file with packets of slices, in various forms. Some files have only valid
// packets with both clocks, and in some all slices are on unknown tracks.
func randomSlices(r *rand.Rand) []byte {
	number := func() int64 { return int64(r.Uint64() >> r.IntN(64)) }
	one := func(values ...int64) int64 { return values[r.IntN(len(values))] }
	rare := int(one(0, 1, 5, 30)) // percentage of unusual fields
	tracks := [][]int64{{5, 99, 300, -7}, {5, 99, 300, -7}, {5, 99, 300, -7, 0, 8}, {8}}[r.IntN(4)]
	data := file(
		message(10, 1, 13, 1, 12, message(2, message(1, 1, 2, "a.B.m"), 2, message(1, 200, 2, "c"))),
		message(10, 1, 60, message(1, 5, 4, message(1, 40, 2, 41, 5, "ui"))),
		message(10, 1, 60, message(1, 99, 4, message(1, 40, 2, 42))),
		message(10, 1, 60, message(1, 300, 4, message(1, 40, 2, 43))),
		message(10, 1, 60, message(1, int64(-7), 4, message(1, 40, 2, 44))),
		message(10, 1, 60, message(1, 6, 8, message(1, 1))),
		message(10, 1, 60, message(1, 7, 8, message(1, 1, 4, 1000, 5, 1))),
	)
	counterShare := 100 // percentage of events that state the track of their counter
	switch r.IntN(4) {
	case 0:
		data = append(data, file(message(10, 1, 59, message(11, message(11, 5, 31, 7))))...)
		counterShare = 50
	case 1:
		data = append(data, file(message(10, 1, 44, message(1, 40, 2, 45)))...)
	}
	if r.IntN(4) == 0 { // samples of CPU time in the same sequence
		data = append(data, file(message(10, 1, 59, message(12, message(1, message(2, 100, 4, 1, 11, 2)))), message(8, 900, 10, 1, 66, message(2, 7, 3, 7)))...)
	}
	at := int64(1000)
	for range 10 + r.IntN(30) {
		at += number() >> 50
		usual := func(value int64, others ...int64) int64 {
			if r.IntN(100) < rare {
				return one(append(others, number())...)
			}
			return value
		}
		var fields []any
		add := func(share int, field int, value any) {
			if r.IntN(100) < share {
				fields = append(fields, field, value)
			}
		}
		message := func() []byte {
			shuffle(r, fields)
			b := message(fields...)
			if fields = nil; r.IntN(100) < rare/3 {
				b = damage(r, b)
			}
			return b
		}
		action := one(1, 2)
		add(100-rare, 9, usual(action, 0, 3))
		add(150-50*int(action), 10, usual(one(1, 200), 0, 3))
		add(rare, 11, one(tracks...))
		add(100-rare/5, 12, usual(at/2))
		add(rare/5, 12, number())
		add(100-counterShare/2, 11, one(tracks...))
		add(counterShare, 31, usual(6, 7, 0, 9))
		add(rare/5, 31, int64(7))
		add(rare/5, 3, int64(4))
		add(rare/5, 12, []byte{1, 2})
		add(rare/5, 23, "named")
		event := message()
		add(100-rare/5, 8, usual(at))
		add(rare, 10, int64(1))
		add(100-rare/5, 11, event)
		add(rare/5, 11, []byte{9 << 3, 2, 11 << 3, 5})
		add(50, 13, usual(2, 0, 1, 3))
		add(100-rare/5, 10, usual(1, 2))
		add(rare/5, 42, int64(1))
		add(rare/5, 3, int64(1000))
		add(rare/5, 58, int64(64))
		data = append(data, file(message())...)
	}
	return data
}

// shuffle exchanges two fields in one of three messages.
func shuffle(r *rand.Rand, fields []any) {
	if len(fields) < 4 || r.IntN(3) > 0 {
		return
	}
	i, j := 2*r.IntN(len(fields)/2), 2*r.IntN(len(fields)/2)
	a, b := slices.Clone(fields[i:i+2]), slices.Clone(fields[j:j+2])
	copy(fields[i:], b)
	copy(fields[j:], a)
}

// damage truncates a message, changes a byte, or makes a number longer than 64 bits.
func damage(r *rand.Rand, b []byte) []byte {
	if len(b) == 0 {
		return b
	}
	i := r.IntN(len(b))
	switch r.IntN(3) {
	case 0:
		return b[:i]
	case 1:
		b[i] ^= 1 << r.IntN(8)
		return b
	}
	return slices.Insert(b, i, bytes.Repeat([]byte{byte(0x80 + r.IntN(0x80))}, 7+r.IntN(6))...)
}
