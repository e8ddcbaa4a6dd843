package simpleperf_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/format/internal/simpleperf"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// proto encodes a message from pairs of a field's number and value. Its bytes and strings have
// fewer than 128 bytes, so each length is one byte.
func proto(fields ...any) (b []byte) {
	for i := 0; i < len(fields); i += 2 {
		n := byte(fields[i].(int)) << 3
		switch v := fields[i+1].(type) {
		case int:
			b = binary.AppendUvarint(append(b, n), uint64(v))
		case int64: // also if an int has 32 bits
			b = binary.AppendUvarint(append(b, n), uint64(v))
		case string:
			b = append(append(b, n|2, byte(len(v))), v...)
		case []byte:
			b = append(append(b, n|2, byte(len(v))), v...)
		}
	}
	return b
}

// simpleperfFileOf returns a file with records.
func simpleperfFileOf(records ...[]byte) []byte {
	b := []byte("SIMPLEPERF\x01\x00")
	for _, r := range records {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(r))), r...)
	}
	return append(b, 0, 0, 0, 0)
}

// TestSimpleperfProto has the samples of TestSimpleperf in the layout of cmd_report_sample.proto.
// Frames are innermost first, names follow the samples, and samples are unsorted.
func TestSimpleperfProto(t *testing.T) {
	unknown := []byte{0x08, 0x7f, 0x10, 1, 0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1} // vaddr 127, file 1, symbol -1
	file := simpleperfFileOf(
		proto(5, proto(1, "cpu-clock:u", 1, "instructions")),
		proto(1, proto(1, 1001_000_000, 2, 23523, 3, proto(1, 20, 2, 1, 3, 0), 4, 250000)),
		proto(1, proto(1, 1000_000_000, 2, 23523, 3, proto(1, 0x7f00, 2, 0, 3, 1), 3, proto(1, 10, 2, 2, 3, 0), 3, proto(1, 20, 2, 1, 3, 0), 4, 150000)),
		proto(1, proto(1, 1000_100_000, 2, 23523, 5, 1)),
		proto(1, proto(1, 1002_000_000, 2, 7, 3, unknown)),
		proto(6, proto(1, 1, 2, 5)),
		proto(2, proto(1, 3, 2, 4)),
		proto(3, proto(1, 0, 2, "/system/lib64/libc.so", 3, "read", 3, "syscall")),
		proto(3, proto(1, 1, 2, "/system/lib64/libart.so", 3, "art::Run(int)")),
		proto(3, proto(1, 2, 2, "[JIT app cache]", 3, "com.example.Main.work")),
		proto(4, proto(1, 23523, 2, 23500, 3, "example.app")),
	)
	s, err := formattest.New(bytes.NewReader(file), "test", stackdump.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Info.PID != 23500 || s.Counts().Format != simpleperf.Proto.Dumps {
		t.Errorf("process %d, format %s", s.Info.PID, s.Counts().Format.Name)
	}
	formattest.Same(t, formattest.Text(t, s), `
thread	23523	example.app
0 0 23523 enter art::Run
0 0 23523 enter com.example.Main.work
0 0 23523 enter syscall
150000 150000 23523 exit syscall
150000 150000 23523 exit com.example.Main.work
150000 150000 23523 exit art::Run
1000000 150000 23523 enter art::Run
thread	7	thread-7
2000000 0 7 enter libart.so[+7f]
1250000 400000 23523 exit art::Run
2250000 250000 7 exit libart.so[+7f]
`)
	formattest.Warned(t, s, "simpleperf lost 4 samples", "samples of cpu-clock:u are read; other events are ignored: instructions (1 sample)")

	// Times since 1970, as in Dalvik's traces, are below 2^63 ns until 2262.
	since1970 := simpleperfFileOf(proto(5, proto(1, "task-clock")), proto(1, proto(1, int64(1_790_000_000_000_000_000), 2, 7, 4, 5)), proto(1, proto(1, int64(1_790_000_000_000_001_000), 2, 7, 4, 5)))
	if s, err := formattest.New(bytes.NewReader(since1970), "test", stackdump.Config{}); err != nil || len(tracetest.Events(t, s)) != 0 || s.Info.Elapsed != 1005 {
		t.Errorf("times since 1970: %v, %v", err, s.Info.Elapsed)
	}

	for cut := 12; cut < len(file); cut++ {
		s, err := formattest.New(bytes.NewReader(file[:cut]), "cut", stackdump.Config{})
		if err == nil {
			_, err = trace.Copy(trace.Discard, s)
		}
		if err != nil && !strings.Contains(err.Error(), "unexpected EOF") {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
	long := slices.Concat(file[:12], []byte{0xff, 0xff, 0xff, 0x7f})
	if _, err := formattest.New(bytes.NewReader(long), "long", stackdump.Config{}); err == nil || !strings.Contains(err.Error(), "a record of 2147483647 bytes") {
		t.Errorf("a record of 2 GiB: %v", err)
	}
}

// TestSymbolsWithoutOffset: simpleperf writes symbols without offsets, so a final +0x1f belongs to
// the name, such as that of a frame without symbol in a thread dump.
func TestSymbolsWithoutOffset(t *testing.T) {
	s, err := formattest.New(bytes.NewReader(simpleperfFileOf(
		proto(5, proto(1, "cpu-clock")),
		proto(1, proto(1, 1_000_000, 2, 7, 3, proto(1, 1, 2, 0, 3, 0), 4, 1000)),
		proto(3, proto(1, 0, 2, "/lib/x.so", 3, "x.so+0x1f")),
	)), "test", stackdump.Config{})
	if err != nil {
		t.Fatal(err)
	}
	formattest.Same(t, formattest.Text(t, s), `
thread	7	thread-7
0 0 7 enter x.so+0x1f
1000 1000 7 exit x.so+0x1f
`)
}

// TestOnCPU checks samples that count the time until the thread's next sample. Long samples are
// waits, which simpleperf recorded with --trace-offcpu until 2021. They are CPU time if the file
// states that it has no off-CPU samples.
func TestOnCPU(t *testing.T) {
	records := func(meta []byte) []byte {
		all := [][]byte{proto(5, meta), proto(3, proto(1, 0, 2, "/a", 3, "work")), proto(4, proto(1, 7, 2, 7, 3, "app"))}
		at := 1_000_000
		for i := range 40 {
			count := 1000 + i%2*99_000
			all = append(all, proto(1, proto(1, at, 2, 7, 3, proto(1, 1, 2, 0, 3, 0), 4, count)))
			at += count
		}
		return simpleperfFileOf(all...)
	}
	for name, c := range map[string]struct {
		meta []byte
		want time.Duration
	}{
		"not stated":   {proto(1, "cpu-clock"), 20 * time.Microsecond},
		"stated":       {proto(1, "cpu-clock", 6, 0), 2020 * time.Microsecond},
		"with off-CPU": {proto(1, "cpu-clock", 6, 1), 20 * time.Microsecond},
	} {
		cpu := time.Duration(0)
		for _, e := range tracetest.Events(t, formattest.MustOpen(t, records(c.meta), kind.Config{}).Recording.Events) {
			cpu = max(cpu, e.CPU)
		}
		if cpu != c.want {
			t.Errorf("%s: %s of CPU time, want %s", name, cpu, c.want)
		}
	}
}
