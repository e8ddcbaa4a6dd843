package perfetto_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/format/internal/perfetto"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata"
)

// TestDamaged checks a file with damaged packets. Some are not messages, out of order, refer to
// undefined entries, or need state that their sequence lacks, and the file ends within a packet.
// The other packets are read, and warnings contain the positions.
func TestDamaged(t *testing.T) {
	names := message(10, 1, 13, 1, 12, message(7, message(1, 1, 2, 1), 6, message(1, 1, 2, 1), 5, message(1, 1, 2, "f")))
	sample := func(at int64, stack int, flags int) []byte {
		return message(8, at, 10, 1, 13, flags, 66, message(2, 7, 3, 7, 4, stack))
	}
	packets := [][]byte{
		sample(40, 1, 2),                        // packet 1: before the state is initialized
		names,                                   // 2
		sample(30, 1, 2),                        // 3: later than the next one
		message(8, 35, 10, 1, 66, []byte{0x12}), // 4: ends within a field
		// 5: the interned data ends within a field
		message(8, 36, 10, 1, 12, message(5, []byte{8})),
		sample(20, 1, 2),                  // 6
		sample(25, 9, 2),                  // 7: stack 9
		message(50, []byte("not packed")), // 8
		message(8, int64(-1), 10, 1, 13, 2, 66, message(2, 7, 3, 7, 4, 1)), // 9: negative time
		sample(50, 1, 2), // 10: cut off
	}
	data := file(packets...)
	data = data[:len(data)-3]
	at := make([]int, len(packets)+1) // where packets begin
	for i := range packets {
		at[i+1] = at[i] + len(file(packets[i]))
	}
	s := parse(t, data)
	formattest.Same(t, formattest.Text(t, s), `
thread	7	thread-7
0 0 7 enter f
5 5 7 exit f
5 5 7 enter [unknown]
10 10 7 exit [unknown]
10 10 7 enter f
15 15 7 exit f
`)
	place := func(n int) string { return fmt.Sprintf("packet %d, at byte %d", n, at[n-1]) }
	formattest.Warned(t, s, "the file is truncated in "+place(10), "ignored 4 damaged packets; the first: "+place(4)+": unexpected EOF",
		"ignored 1 packet, because earlier packets of the same sequence are missing (the first is "+place(1)+")",
		"replaced 1 reference to undefined stacks or frames by frames [unknown]; the first is in "+place(7),
		"do not state the CPU time between them")
}

// TestDamagedSlices checks that damaged packets of slices are ignored, too. A truncated file is an
// error, as in the formats of other tracers: convert --salvage keeps the part before the cut.
func TestDamagedSlices(t *testing.T) {
	good := file(message(10, 1, 13, 1, 60, message(1, 77, 4, message(1, 1, 2, 2, 5, "main"))), message(8, 10, 10, 1, 11, message(9, 1, 11, 77, 23, "a")))
	bad := len(good)
	data := append(good, file(message(8, 15, 10, 1, 11, []byte{0x48}), message(8, 20, 10, 1, 11, message(9, 2, 11, 77)))...)
	name := filepath.Join(t.TempDir(), "bad.pftrace")
	open := func(data []byte) (*kind.Opened, error) {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return perfetto.Format.Read(kind.Source{Name: name}, &kind.Config{})
	}
	o, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	want := fmt.Sprintf("ignored 1 damaged packet; the first: packet 3, at byte %d: ", bad)
	if w := o.Recording.Warnings; len(w) != 1 || !strings.Contains(w[0].Text, want) {
		t.Errorf("warnings %v, want %s", w, want)
	}
	if _, err := open(data[:len(data)-1]); err == nil || !strings.Contains(err.Error(), "packet 4: a packet of ") {
		t.Errorf("cut off: %v", err)
	}
}

// endless is a trace with the given number of samples of a few stacks, one per microsecond.
type endless struct {
	samples int64
	at      int64
	rest    []byte
}

func (r *endless) Read(b []byte) (n int, err error) {
	for len(r.rest) == 0 {
		if r.at == r.samples {
			return 0, io.EOF
		}
		r.rest = file(message(8, r.at*1000, 10, 1, 13, 2, 66, message(2, 7, 3, 7+int(r.at%4), 4, int(r.at%3)+1)))
		if r.at == 0 {
			var names []any
			for i := 1; i < 4; i++ {
				names = append(names, 7, message(1, i, 2, i), 6, message(1, i, 2, i), 5, message(1, i, 2, string(binary.AppendUvarint(nil, uint64('a'+i)))))
			}
			r.rest = append(file(message(10, 1, 13, 1, 12, message(names...))), r.rest...)
		}
		r.at++
	}
	n = copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// TestSamplesOutOfMemory checks that a million additional samples take no more memory, because only
// stacks are in memory and samples are in a file. In memory they would take 32 MB.
func TestSamplesOutOfMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a million samples")
	}
	testdata.Seldom(t, 3)
	used := func(samples int64) uint64 {
		s, err := formattest.New(&endless{samples: samples}, "test", stackdump.Config{Format: perfetto.Samples.Dumps, Ends: true})
		if err != nil {
			t.Fatal(err)
		}
		defer runtime.KeepAlive(s)
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	few := used(800_000)
	if many := used(1_800_000); many > few+8<<20 {
		t.Errorf("%d more bytes for a million more samples", many-few)
	}
}
