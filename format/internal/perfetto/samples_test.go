package perfetto_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/format/internal/perfetto"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// message encodes a protobuf message from pairs of a field's number and its value. The numbers are
// from Perfetto's protos. They are literals, so that the test does not use those of the reader.
func message(fields ...any) (b []byte) {
	for i := 0; i < len(fields); i += 2 {
		tag := uint64(fields[i].(int)) << 3
		switch v := fields[i+1].(type) {
		case int:
			b = binary.AppendUvarint(binary.AppendUvarint(b, tag), uint64(v))
		case int64: // also if an int has 32 bits
			b = binary.AppendUvarint(binary.AppendUvarint(b, tag), uint64(v))
		case string:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, tag|2), uint64(len(v))), v...)
		case []byte:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, tag|2), uint64(len(v))), v...)
		}
	}
	return b
}

// file returns a trace of packets.
func file(packets ...[]byte) []byte {
	var b []byte
	for _, p := range packets {
		b = append(b, message(1, p)...)
	}
	return b
}

// perfPackets returns packets of linux.perf at 100 Hz in the form of traced_perf. The first packet
// has the state, and names come with the first sample that needs them. There are two producers, and
// one uses numbers of the other for different entries.
func perfPackets() [][]byte {
	state := func(id int) []byte {
		return message(10, id, 13, 1, 59, message(58, 3, 12, message(1, message(2, 100, 4, 1, 11, 2))))
	}
	names := func(java string) []byte { // mappings and paths after the entries that refer to them
		return message(
			7, message(1, 1, 2, 1, 2, 2), 7, message(1, 2, 2, 1, 2, 2, 2, 3), 7, message(1, 3, 2, message()),
			6, message(1, 1, 2, 1, 3, 1, 4, 16), 6, message(1, 2, 2, 2, 3, 2, 4, 32), 6, message(1, 3, 3, 3, 4, 0x1f),
			5, message(1, 1, 2, "__libc_init"), 5, message(1, 2, 2, java),
			19, message(1, 1, 7, 1, 7, 2, 7, 3), 19, message(1, 2, 7, 4), 19, message(1, 3, 7, 5),
			17, message(1, 1, 2, "system"), 17, message(1, 2, 2, "lib64"), 17, message(1, 3, 2, "libc.so"), 17, message(1, 4, 2, "/data/app/base.odex"), 17, message(1, 5, 2, "/system/lib64/libart.so"))
	}
	sample := func(id int, at int64, tid, stack int, more ...any) []byte {
		return message(8, at, 10, id, 13, 2, 66, message(append([]any{1, 0, 2, 70, 3, tid, 5, 2, 4, stack}, more...)...))
	}
	return [][]byte{
		message(6, message(1, message(1, 6, 2, int64(9_000_000_000)), 1, message(1, 3, 2, int64(4_000_000_000)))),
		message(2, message(1, message(1, 70, 3, "com.example.feed"), 2, message(1, 71, 2, "RenderThread", 3, 70))),
		state(1),
		message(append([]any{12, names("com.example.Feed.decode")}, 10, 1, 13, 2, 8, int64(5_000_000_000), 66, message(1, 0, 2, 70, 3, 70, 5, 2, 4, 1))...),
		state(2),
		message(12, names("com.example.Draw.frame"), 10, 2, 13, 2),
		sample(2, 5_005_000_000, 71, 2, 16, 2), // memory invalid
		sample(1, 5_010_000_000, 70, 2),
		message(8, int64(5_011_000_000), 10, 1, 13, 2, 66, message(1, 0, 17, 4)),               // records lost
		message(8, int64(5_012_000_000), 10, 1, 13, 2, 66, message(1, 0, 2, 70, 3, 70, 18, 2)), // skipped
		sample(3, 5_013_000_000, 70, 1),                                                        // of a sequence without its start
	}
}

// TestOtherFields checks that a field of a trace other than a packet is an error with its position,
// anywhere in the file and even if the field contains the data of a packet.
func TestOtherFields(t *testing.T) {
	packets := perfPackets()
	for n := 1; n < len(packets); n++ { // a file that begins with such a field has no known format
		data := file(packets[:n]...)
		want := fmt.Sprintf("test: offset %d: packet %d: expected tag 0xa and a length, found tag 0x12", len(data), n+1)
		data = append(data, message(2, packets[n])...)
		s, err := formattest.New(bytes.NewReader(append(data, file(packets[n:]...)...)), "test", stackdump.Config{Format: perfetto.Samples.Dumps})
		if err == nil {
			_, err = s.ReadEvents(make([]trace.Event, 100))
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("field 2 after %d packets: %v, want %s", n, err, want)
		}
	}
}

// TestPerfSamples checks that a sample is a hundredth of a second of CPU time, that numbers belong
// to their sequence, and that times use the default clock (5 s late).
func TestPerfSamples(t *testing.T) {
	data := file(perfPackets()...)
	testdata.Save(t, "samples.pftrace", data)
	s := parse(t, data)
	if got := s.Info; got.PID != 70 || !got.OfCPU {
		t.Errorf("process %d, of CPU time: %v", got.PID, got.OfCPU)
	}
	formattest.Same(t, formattest.Text(t, s), `
thread	70	com.example.feed
0 0 70 enter __libc_init
0 0 70 enter com.example.Feed.decode
thread	71	RenderThread
5000000 0 71 enter __libc_init
5000000 0 71 enter com.example.Draw.frame
5000000 0 71 enter libart.so[+1f]
10000000 10000000 70 enter libart.so[+1f]
20000000 20000000 70 exit libart.so[+1f]
20000000 20000000 70 exit com.example.Feed.decode
20000000 20000000 70 exit __libc_init
15000000 10000000 71 exit libart.so[+1f]
15000000 10000000 71 exit com.example.Draw.frame
15000000 10000000 71 exit __libc_init
`)
	formattest.Warned(t, s, "ignored 1 packet, because earlier packets", "the kernel lost 4 records", "the recorder skipped 1 sample", "the stacks of 1 of 3 samples were not unwound to the end (memory invalid 1)")
}

// TestSamplesWithoutProcesses: if no packet names the processes, the samples state them.
func TestSamplesWithoutProcesses(t *testing.T) {
	s := parse(t, file(slices.Delete(perfPackets(), 1, 2)...))
	tracetest.Events(t, s)
	if s.Info.PID != 70 {
		t.Errorf("process %d, want 70", s.Info.PID)
	}
}

// stackPackets returns StackSamples in nanoseconds of wall time, as the profiler of Python 3.15
// writes them. The packets give threads by number. One packet counts another quantity.
func stackPackets() [][]byte {
	return [][]byte{
		message(8, int64(1000), 10, 1, 41, 1, 59, message(100, message(1, "python.wall", 2, message(2, "wall-time", 3, 1))),
			12, message(
				5, message(1, 1, 2, "<module>"), 5, message(1, 2, 2, "work"), 18, message(1, 1, 2, "app.py"),
				6, message(1, 1, 2, 1, 5, 1, 6, 3, 7, 3), 6, message(1, 2, 2, 2, 5, 1, 6, 9, 7, 3),
				7, message(1, 1, 2, 1, 2, 2), 2000, message(1, 4, 2, 30, 3, 31), 2002, message(1, 5, 2, "bytes", 3, 4)),
			135, message(1, message(2, 30, 3, 30), 6, 1, 11, 1_000_000)),
		message(8, int64(1_001_000), 10, 1, 135, message(1, message(2, 30, 3, 30), 5, message(2, 1), 11, 1_000_000)),
		message(8, int64(1_501_000), 10, 1, 135, message(2, 4, 6, 1, 11, 1_000_000)),
		message(8, int64(1_600_000), 10, 1, 135, message(2, 4, 6, 1, 10, 5, 11, 4096)),
	}
}

// TestStackSamples checks that samples of wall time observe a thread, which is present between
// them.
func TestStackSamples(t *testing.T) {
	s := parse(t, file(stackPackets()...))
	if s.Info.OfCPU || s.Info.Interval != 1_000_000 {
		t.Errorf("of CPU time: %v, interval %v", s.Info.OfCPU, s.Info.Interval)
	}
	formattest.Same(t, formattest.Text(t, s), `
thread	30	thread-30
0 - 30 enter <module>
0 - 30 enter work
1000000 - 30 exit work
thread	31	thread-31
1500000 - 31 enter <module>
1500000 - 31 enter work
2000000 - 30 exit <module>
2500000 - 31 exit work
2500000 - 31 exit <module>
`)
	formattest.Warned(t, s, "ignored 1 sample: samples of CPU time and of wall time cannot be mixed, and the first sample is of wall-time")
}

// TestInlineStacks checks stacks in the samples themselves, whose frames have names: two samples of
// wall time, of main and f, and of main. A function without a file is no machine code.
func TestInlineStacks(t *testing.T) {
	wall := message(2, "wall-time", 3, 1)
	s := parse(t, file(
		message(8, int64(1000), 10, 1, 135, message(1, message(2, 30, 3, 30), 5, message(1, message(1, "main"), 1, message(1, "f", 2, "app.py", 3, 9)), 9, wall, 11, 1_000_000)),
		message(8, int64(1_001_000), 10, 1, 135, message(1, message(2, 30, 3, 30), 5, message(1, message(1, "main")), 9, wall, 11, 1_000_000))))
	formattest.Same(t, formattest.Text(t, s), `
thread	30	thread-30
0 - 30 enter main
0 - 30 enter f
1000000 - 30 exit f
2000000 - 30 exit main
`)
	formattest.Warned(t, s)
}

// TestNativeFramesOfWallTime checks that frames of machine code are omitted from samples of wall
// time, in the first sample as in the others.
func TestNativeFramesOfWallTime(t *testing.T) {
	state := message(10, 1, 13, 1, 59, message(100, message(2, message(2, "wall-time", 3, 1))), 12, message(
		5, message(1, 1, 2, "main"), 5, message(1, 2, 2, "f"), 5, message(1, 3, 2, "read"),
		17, message(1, 1, 2, "libc.so"), 19, message(1, 1, 7, 1),
		6, message(1, 1, 2, 1), 6, message(1, 2, 2, 2), 6, message(1, 3, 2, 3, 3, 1),
		7, message(1, 1, 2, 1, 2, 3), 7, message(1, 2, 2, 1, 2, 2, 2, 3)))
	sample := func(at int64, stack int) []byte {
		return message(8, at, 10, 1, 135, message(1, message(2, 30, 3, 30), 6, stack, 11, 1_000_000))
	}
	s := parse(t, file(state, sample(1000, 1), sample(1_001_000, 2)))
	formattest.Same(t, formattest.Text(t, s), `
thread	30	thread-30
0 - 30 enter main
1000000 - 30 enter f
2000000 - 30 exit f
2000000 - 30 exit main
`)
}

// TestUndefinedNumbers checks that undefined numbers become unknown frames and are counted, and
// that compressed packets are read like others.
func TestUndefinedNumbers(t *testing.T) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(file(
		message(10, 1, 13, 1, 12, message(7, message(1, 1, 2, 1, 2, 2), 6, message(1, 2, 2, 1), 5, message(1, 1, 2, "f"))),
		message(8, 10, 10, 1, 66, message(2, 7, 3, 7, 4, 1)), message(8, 20, 10, 1, 66, message(2, 7, 3, 7, 4, 9)),
		message(10, 1, 13, 1), // resets the numbers
		message(8, 30, 10, 1, 66, message(2, 7, 3, 7, 4, 1))))
	z.Close()
	s := parse(t, file(message(50, packed.Bytes())))
	var stacks []string
	s.SnapshotsTo(tracetest.SnapshotFunc(func(snap *trace.Snapshot) {
		var names []string
		for _, m := range snap.Stack {
			names = append(names, s.Symbols.Method(m).FullName())
		}
		if snap.Count > 0 {
			stacks = append(stacks, fmt.Sprint(snap.Count, strings.Join(names, ";")))
		}
	}))
	tracetest.Events(t, s)
	if got := strings.Join(stacks, " "); got != "1[unknown];f 2[unknown]" {
		t.Errorf("stacks %s, want 1[unknown];f 2[unknown]", got)
	}
	formattest.Warned(t, s, "replaced 3 references to undefined stacks or frames by frames [unknown]", "samples do not state the CPU time between them")
}

// TestMarksWithSamples checks that marks of android.os.Trace in ftrace packets are read as slices,
// and that samples in the same file are skipped.
func TestMarksWithSamples(t *testing.T) {
	mark := func(at int64, text string) []byte { return message(2, message(1, at, 2, 70, 3, message(2, text))) }
	bundle := message(1, append(mark(5_001_000_000, "B|70|draw\n"), mark(5_002_000_000, "E|70\n")...))
	name := filepath.Join(t.TempDir(), "marks.pftrace")
	if err := os.WriteFile(name, file(append(perfPackets(), bundle)...), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := perfetto.Format.Read(kind.Source{Name: name}, &kind.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	var events trace.Buffer
	if _, err := trace.Copy(&events, o.Recording.Events); err != nil {
		t.Fatal(err)
	}
	if len(events.Events) != 2 || o.Recording.Symbols.Method(events.Events[0].Method).FullName() != "draw" || o.Dumps != nil {
		t.Errorf("%d events, want 2; dumps %v", len(events.Events), o.Dumps)
	}
}

func parse(t *testing.T, data []byte) *stackdump.Sequence {
	t.Helper()
	s, err := formattest.New(bytes.NewReader(data), "test", stackdump.Config{Format: perfetto.Samples.Dumps, Ends: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// seeds are small files of the format.
func seeds() []string {
	return []string{string(file(perfPackets()...)), string(file(stackPackets()...)), string(file(slices.Concat(perfPackets(), framePackets())...))}
}

func FuzzSamples(f *testing.F) { formattest.FuzzDumps(f, perfetto.Samples, seeds()...) }

func TestCutSamples(t *testing.T) { formattest.CutDumps(t, perfetto.Samples, seeds()...) }
