package perfetto_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// tracedFile generates the packets of a trace with data that traced writes and our writer does not.
// Each packet has the user id. ftrace bundles are by core, so they are not in time order. Ends
// contain their process and precede any name of their thread. There are events of Chrome's older
// form, times of two clocks, and a sequence that lost a packet.
func tracedFile(r *rand.Rand) [][]byte {
	const uid = 1000 // trusted_uid is field 3
	var packets [][]byte
	add := func(fields ...any) { packets = append(packets, message(append(fields, 3, uid)...)) }

	// BOOTTIME (6) is first 5 s ahead of MONOTONIC (3), later 7 s.
	add(10, 1, 6, message(1, message(1, 6, 2, int64(10_000_000_000)), 1, message(1, 3, 2, int64(5_000_000_000))))
	add(10, 1, 6, message(1, message(1, 6, 2, int64(20_000_000_000)), 1, message(1, 3, 2, int64(13_000_000_000))))
	add(33, message(1, message(1, 4096), 3, strings.Repeat("\x08\x01", r.IntN(3000)))) // trace_config, which shifts the following lengths

	// ftrace has nested calls of threads, which move to another core at each mark.
	type mark struct {
		at   int64
		tid  int
		text string
	}
	var cores [4][]mark
	for tid := 100; tid < 104; tid++ {
		at, open := 11_000_000_000+r.Int64N(1000), 0
		for range 60 {
			at += 1 + r.Int64N(100_000)
			core := &cores[r.IntN(len(cores))]
			switch {
			case open > 0 && r.IntN(2) == 0:
				open--
				*core = append(*core, mark{at, tid, []string{"E|100\n", "E|100", "E\n"}[r.IntN(3)]})
			case open < 5:
				open++
				*core = append(*core, mark{at, tid, fmt.Sprintf("B|100|call %d\n", r.IntN(7))})
			}
		}
	}
	for _, c := range []int{2, 0, 3, 1} {
		slices.SortFunc(cores[c], func(a, b mark) int { return cmp.Compare(a.at, b.at) })
		for part := range slices.Chunk(cores[c], 1+r.IntN(20)) {
			bundle := message(1, c)
			for _, m := range part {
				bundle = append(bundle, message(2, message(1, m.at, 2, m.tid, 3, message(1, 1, 2, m.text)))...)
			}
			add(10, 5, 1, bundle)
		}
	}

	// Chrome's older form has microseconds of MONOTONIC since the thread's descriptor.
	add(10, 7, 13, 1, 44, message(1, 200, 2, 201, 5, "older", 6, 8_000_000))
	for range 20 {
		add(10, 7, 13, 2, 11, message(1, 10+r.IntN(50), 6, message(2, int('B'))), 12, message(2, message(1, 1, 2, "older call")))
		add(10, 7, 13, 2, 11, message(1, 1+r.IntN(50), 10, 1, 6, message(2, int('X'), 3, 1)))
		add(10, 7, 13, 2, 11, message(1, 10+r.IntN(50), 6, message(2, int('E'))))
	}

	// A sequence on MONOTONIC loses a packet and then starts again.
	track := func(clear int) {
		add(10, 9, 13, clear, 59, message(58, 3, 11, message(11, 77)), 60, message(1, 77, 4, message(1, 300, 2, 301, 5, "track")))
	}
	at := int64(6_000_000_000)
	track(1)
	for i := range 30 {
		step := 1 + r.Int64N(1000)
		switch i {
		case 10:
			add(10, 9, 42, 1, 13, 2, 8, at, 11, message(9, 1, 23, "lost"))
		case 15:
			track(1)
		}
		add(10, 9, 13, 2, 8, at, 11, message(9, 1, 23, "tracked"))
		add(10, 9, 13, 2, 8, at+step, 11, message(9, 2))
		at += 2 * step
	}
	return packets
}

// packed returns a file of packets; some runs of packets are compressed.
func packed(r *rand.Rand, packets [][]byte, field int, pack func(io.Writer) io.WriteCloser) (file []byte) {
	for len(packets) > 0 {
		n := min(len(packets), 1+r.IntN(40))
		var part []byte
		for _, p := range packets[:n] {
			part = append(part, message(1, p)...)
		}
		packets = packets[n:]
		if r.IntN(2) == 0 {
			var b bytes.Buffer
			z := pack(&b)
			z.Write(part)
			z.Close()
			part = message(1, message(field, b.Bytes()))
		}
		file = append(file, part...)
	}
	return file
}

func zstandard(w io.Writer) io.WriteCloser {
	z, _ := zstd.NewWriter(w)
	return z
}

// slice is a call in the columns of trace_processor; Dur is -1 if the call is open at the end.
type slice struct {
	TID     int
	TS, Dur int64
	Depth   int
	Name    string
}

func sortSlices(all []slice) {
	slices.SortFunc(all, func(a, b slice) int {
		return cmp.Or(cmp.Compare(a.TID, b.TID), cmp.Compare(a.TS, b.TS), cmp.Compare(a.Depth, b.Depth))
	})
}

// slicesOf returns the calls of a recording in the order of sortSlices.
func slicesOf(t *testing.T, rec *trace.Recording) (all []slice) {
	open := map[trace.ThreadID][]int{}
	for _, e := range tracetest.Events(t, rec.Events) {
		stack := open[e.Thread]
		if e.Action == trace.Enter {
			open[e.Thread] = append(stack, len(all))
			all = append(all, slice{
				TID: int(rec.Symbols.Threads[e.Thread].TID), TS: int64(rec.Info.Start + e.Wall), Dur: -1,
				Depth: len(stack), Name: rec.Symbols.Methods[e.Method].Name,
			})
		} else if last := len(stack) - 1; last >= 0 {
			all[stack[last]].Dur = int64(rec.Info.Start+e.Wall) - all[stack[last]].TS
			open[e.Thread] = stack[:last]
		}
	}
	sortSlices(all)
	return all
}

// TestPackedByZstd checks that packets compressed by zstd, which trace_processor 55.3 cannot read,
// are read like uncompressed packets.
func TestPackedByZstd(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	packets := tracedFile(r)
	var plain []byte
	for _, p := range packets {
		plain = append(plain, message(1, p)...)
	}
	var all [2][]slice
	for i, file := range [][]byte{plain, packed(r, packets, 133, zstandard)} {
		all[i] = slicesOf(t, formattest.MustOpen(t, file, kind.Config{}).Recording)
	}
	if !slices.Equal(all[0], all[1]) || len(all[0]) < 100 {
		t.Errorf("%d calls uncompressed, %d compressed; want equal lists of at least 100", len(all[0]), len(all[1]))
	}
}

// deflated returns a writer that compresses like traced.
func deflated(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }

// TestTraced checks that files in the form of traced are read, including compressed packets.
func TestTraced(t *testing.T) {
	seed := rand.Uint64()
	for i := range uint64(testdata.Times(2, 8)) {
		r := rand.New(rand.NewPCG(seed, i))
		file := packed(r, tracedFile(r), 50, deflated)
		testdata.Save(t, fmt.Sprintf("traced-%d.pftrace", i), file)
		o, err := formattest.Open(t, file, "traced", kind.Config{})
		if err != nil {
			t.Fatalf("seed %d, %d: %v", seed, i, err)
		}
		if got := slicesOf(t, o.Recording); len(got) < 100 {
			t.Errorf("seed %d, %d: %d calls", seed, i, len(got))
		}
	}
}
