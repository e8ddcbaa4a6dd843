package btrace_test

import (
	"encoding/binary"
	"testing"

	"artifice/format/internal/btrace"
	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
)

// btraceCall is a record of btrace 2.
type btraceCall struct{ start, took, tid, method uint64 }

// btraceFile packs records like btrace 2; the comment of the format describes the bits.
func btraceFile(calls ...btraceCall) []byte {
	file := make([]byte, 32)
	binary.LittleEndian.PutUint32(file, 5)
	binary.LittleEndian.PutUint32(file[4:], 4711)
	binary.LittleEndian.PutUint64(file[16:], 1_000_000)
	binary.LittleEndian.PutUint64(file[24:], 3_000_000)
	for _, c := range calls {
		file = binary.LittleEndian.AppendUint64(file, c.start<<19|c.took>>26)
		file = binary.LittleEndian.AppendUint64(file, c.took&(1<<26-1)<<38|c.tid<<23|c.method)
	}
	return file
}

func TestBtrace(t *testing.T) {
	file := btraceFile(
		btraceCall{2_500_000, 1 << 27, 20, 5},         // callee, before its caller
		btraceCall{2_000_000, 1<<27 + 600_000, 20, 4}, // caller
		btraceCall{},                            // reserved and never written
		btraceCall{1_000_000, 1_500_000, 21, 6}, // began before the trace
	)
	formattest.Check(t, "btrace", formattest.Read(t, string(file), "btrace", kind.Config{}),
		"0 thread-20 >method_4, 0 thread-21 >method_6, 500 thread-21 <method_6, 500 thread-20 >method_5, 134717.728 thread-20 <method_5, 134817.728 thread-20 <method_4")
}

// TestBtraceTies checks two calls with equal begins and ends. The call that returned first, which
// comes first in the file, is the callee.
func TestBtraceTies(t *testing.T) {
	file := btraceFile(btraceCall{2_500_000, 1000, 20, 5}, btraceCall{2_500_000, 1000, 20, 4}, btraceCall{2_400_000, 101_000, 20, 3})
	formattest.Check(t, "btrace", formattest.Read(t, string(file), "btrace", kind.Config{}),
		"0 thread-20 >method_3, 100 thread-20 >method_4, 100 thread-20 >method_5, 101 thread-20 <method_5, 101 thread-20 <method_4, 101 thread-20 <method_3")
}

// callSeeds are small files of btrace 2. The first has an empty buffer.
func callSeeds() []string {
	return []string{string(append([]byte{5, 0, 0, 0, 1}, make([]byte, 60)...)), string(btraceFile(btraceCall{1000, 500, 3, 4}, btraceCall{900, 1 << 27, 3, 5}))}
}

func FuzzCalls(f *testing.F) { formattest.Fuzz(f, btrace.Calls, callSeeds()...) }

func TestCutCalls(t *testing.T) { formattest.Cut(t, btrace.Calls, false, callSeeds()[1]) }
