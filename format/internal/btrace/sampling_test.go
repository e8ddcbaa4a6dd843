package btrace_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"artifice/diffstack"
	"artifice/format/internal/btrace"
	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// fileOf returns a file of version 5 with records, whose numbers are encoded as in
// SamplingRecord.h.
func fileOf(records ...[]byte) []byte {
	extra := `{"processId":4711,"startTime":2}`
	le := binary.LittleEndian
	b := []byte{4, 3, 2, 1, 0, 0, 0, 0, 5, 0, 0, 0}
	b = le.AppendUint64(b, 10) // ms since boot
	b = le.AppendUint32(b, uint32(len(records)))
	b = le.AppendUint32(b, uint32(len(extra)))
	return append(append(b, extra...), slices.Concat(records...)...)
}

// recordOf returns a record with a stack, innermost frame first.
func recordOf(kind, tid uint16, begin, end, cpu, cpuEnd uint64, stack ...uint64) []byte {
	le := binary.LittleEndian
	b := le.AppendUint16(nil, kind)
	b = le.AppendUint16(b, tid)
	b = le.AppendUint32(b, 1) // message
	for _, v := range []uint64{begin, end, cpu, cpuEnd} {
		b = le.AppendUint64(b, v)
	}
	if kind == 15 {
		b = le.AppendUint64(b, 99)
	}
	b = append(b, make([]byte, 8+8+4+4+4)...) // allocations, page faults, context switches
	b = le.AppendUint32(b, uint32(len(stack)))
	b = le.AppendUint32(b, uint32(len(stack)))
	for _, p := range stack {
		b = le.AppendUint64(b, p)
	}
	return b
}

// TestBtrace3 compares the decoder with the results of StackList.java. The records are unsorted.
// They are a call that blocked before the trace began, a wake-up recorded at its end, a flush from
// 2 ms after the previous sample on, and a stack that was saved only in part.
func TestBtrace3(t *testing.T) {
	cut := recordOf(9, 4711, 7_500_000, 0, 0, 0, 16)
	binary.LittleEndian.PutUint32(cut[len(cut)-12:], 2) // the true depth
	file := fileOf(
		recordOf(8, 4711, 1_000_000, 4_000_000, 10, 20, 32, 16), // waits for a lock
		cut,
		recordOf(15, 4711, 6_000_000, 0, 40, 0, 48, 16),
		recordOf(9, 4711, 5_000_000, 0, 30, 0, 64, 16),
		recordOf(23, 65535, 1_000_000, 4_000_000, 0, 5, 16), // the wake-up
		recordOf(16, 4711, 9_000_000, 0, 0, 0, 32, 16),
	)
	folder := t.TempDir()
	name := filepath.Join(folder, "sampling.bin")
	write := func(name string, b []byte) {
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(name, file)
	write(filepath.Join(folder, "sampling-mapping.bin"), mappingFile("void a.B.main(java.lang.String[])", "int a.B.f(int, long)", "void a.B.g()", "<runtime method>"))
	s := formattest.OpenDumps(t, stackdump.Config{SliceEnd: diffstack.EndLast}, name)
	// Times start at 2 ms, the start of the trace. A frame ends 10 ns after its last sample, on
	// both clocks.
	formattest.Same(t, formattest.Text(t, s), `
thread	4711	app.x
0 0 4711 enter a.B.main([Ljava/lang/String;)V
0 0 4711 enter a.B.f(IJ)I
0 0 4711 enter Monitor:Lock()V
thread	65535	thread-65535
2000000 0 65535 enter a.B.main([Ljava/lang/String;)V
2000010 20 4711 exit Monitor:Lock()V
2000010 20 4711 exit a.B.f(IJ)I
4000000 30 4711 enter a.B.g()V
4000010 30 4711 exit a.B.g()V
5000000 30 4711 enter a.B.f(IJ)I
`)
	formattest.Warned(t, s)
}

// TestBtrace3Blocked checks three consecutive calls that wait for a lock with equal stacks, and a
// sample of this stack. After a blocking call, StackTraceConvertor.java closes the innermost frame
// and opens it again if the next stack is equal. Otherwise, an equal stack continues the previous
// one.
func TestBtrace3Blocked(t *testing.T) {
	s, err := formattest.New(bytes.NewReader(fileOf(
		recordOf(7, 1, 3_000_000, 4_000_000, 0, 0, 32, 16),
		recordOf(7, 1, 5_000_000, 6_000_000, 0, 0, 32, 16),
		recordOf(9, 1, 7_000_000, 0, 0, 0, 32, 16),
		recordOf(9, 1, 8_000_000, 0, 0, 0, 32, 16),
		recordOf(9, 1, 9_000_000, 0, 0, 0, 16),
	)), "blocked", stackdump.Config{SliceEnd: diffstack.EndLast})
	if err != nil {
		t.Fatal(err)
	}
	formattest.Same(t, formattest.Text(t, s), `
thread	1	thread-1
0 0 1 enter 0x10
0 0 1 enter 0x20
2000000 0 1 exit 0x20
2000000 0 1 enter 0x20
4000000 0 1 exit 0x20
4000000 0 1 enter 0x20
5000010 0 1 exit 0x20
`)
}

// TestBtrace3Bad checks truncated files, invalid lengths and missing names.
func TestBtrace3Bad(t *testing.T) {
	file := fileOf(recordOf(9, 1, 5, 0, 0, 0, 16), recordOf(9, 1, 6, 0, 0, 0, 32))
	for cut := range file {
		s, err := formattest.New(bytes.NewReader(file[:cut]), "cut", stackdump.Config{Format: btrace.Sampling.Dumps})
		if err != nil {
			continue
		}
		if _, err := trace.Copy(trace.Discard, s); err != nil {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
	s, err := formattest.New(bytes.NewReader(file), "whole", stackdump.Config{})
	if err != nil {
		t.Fatal(err)
	}
	formattest.Same(t, formattest.Text(t, s), "thread\t1\tthread-1\n0 0 1 enter 0x10\n1 0 1 exit 0x10\n1 0 1 enter 0x20\n")
	formattest.Warned(t, s, "no file sampling-mapping, which contains the method names, is next to this file")

	// The mapping has one of the two methods, that at 16 but not that at 32.
	half := filepath.Join(t.TempDir(), "half")
	if err := os.WriteFile(half, mappingFile("void a.b()"), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err = formattest.New(bytes.NewReader(file), "whole", stackdump.Config{Names: half})
	if err != nil {
		t.Fatal(err)
	}
	formattest.Same(t, formattest.Text(t, s), "thread\t1\tthread-1\n0 0 1 enter a.b()V\n1 0 1 exit a.b()V\n1 0 1 enter 0x20\n")
	formattest.Warned(t, s, "1 of 2 addresses of methods have no name in "+half)

	deep := slices.Clone(file)
	binary.LittleEndian.PutUint32(deep[len(deep)-16:], 1<<31) // frames
	if _, err := formattest.New(bytes.NewReader(deep), "deep", stackdump.Config{}); err == nil || !strings.Contains(err.Error(), "a stack of 2147483648 frames") {
		t.Errorf("stack of 2^31 frames: error %v, want one that states their number", err)
	}
	name := filepath.Join(t.TempDir(), "sampling")
	for _, names := range [][]byte{{1}, append(make([]byte, 12), 9, 0, 0, 0), mappingFile("void a.b()")[:20]} {
		for path, b := range map[string][]byte{name: file, name + "-mapping": names} {
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := formattest.OpenAll([]string{name}, stackdump.Config{}); err == nil || !strings.Contains(err.Error(), "sampling-mapping") {
			t.Errorf("names %x: error %v, want one of the sampling-mapping", names, err)
		}
	}
}

// mappingFile returns a mapping that names the given methods, at the addresses 16, 32 and so on,
// and the thread 4711.
func mappingFile(methods ...string) []byte {
	le := binary.LittleEndian
	b := le.AppendUint64(nil, 0)
	b = le.AppendUint32(b, 1)
	b = le.AppendUint32(b, uint32(len(methods)))
	for i, m := range methods {
		b = le.AppendUint64(b, uint64(i+1)*16)
		b = le.AppendUint16(b, uint16(len(m)))
		b = append(b, m...)
	}
	b = le.AppendUint16(b, 4711)
	b = append(b, 5)
	return append(b, "app.x\n"[:5]...)
}
