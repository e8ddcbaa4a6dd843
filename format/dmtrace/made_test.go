package dmtrace

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"
)

// This file contains hand-made files: every byte follows from the description of the format,
// without the writer.

// rec is a record of a hand-made file: tid, method word, and one or two times.
type rec struct {
	tid   uint16
	word  uint32
	times []uint32 // in file order: thread CPU and wall, or the only one
}

// madeKey returns a key section with threads 1 and 2 and methods 0x10 and 0x14.
func madeKey(version int, options ...string) string {
	return fmt.Sprintf("*version\n%d\n%s\n*threads\n1\tmain\n2\tworker\n*methods\n"+
		"0x10\ta.A\tf\t()V\tA.java\n0x14\ta.A\tg\t()V\tA.java\n*end\n", version, strings.Join(options, "\n"))
}

// madeHeader returns a header of 32 bytes with start time 7 us.
func madeHeader(word uint16, recordSize int) []byte {
	b := append([]byte("SLOW"), byte(word), 0, 32, 0, 7, 0, 0, 0, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(recordSize))
	return append(b, make([]byte, 14)...)
}

// madeRecords returns records with tids of tidBytes bytes.
func madeRecords(tidBytes int, recs ...rec) (b []byte) {
	for _, r := range recs {
		b = append(b, byte(r.tid))
		if tidBytes == 2 {
			b = append(b, byte(r.tid>>8))
		}
		b = binary.LittleEndian.AppendUint32(b, r.word)
		for _, t := range r.times {
			b = binary.LittleEndian.AppendUint32(b, t)
		}
	}
	return b
}

// madeMethod and madeThread return announcements.
func madeMethod(line string) []byte {
	return append([]byte{0, 0, 1, byte(len(line)), byte(len(line) >> 8)}, line...)
}

func madeThread(tid uint16, name string) []byte {
	return append([]byte{0, 0, 2, byte(tid), byte(tid >> 8), byte(len(name)), byte(len(name) >> 8)}, name...)
}

func madeSummary(text string) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte{0, 0, 3}, uint32(len(text))), text...)
}

// These are the records of two nested calls of thread 1 and one call of thread 2, with two clocks
// and with one.
var (
	dualRecords = []rec{
		{1, 0x10, []uint32{0, 100}}, {1, 0x14, []uint32{10, 120}}, {2, 0x10, []uint32{0, 125}},
		{1, 0x14 | 1, []uint32{20, 130}}, {2, 0x10 | 2, []uint32{5, 140}}, {1, 0x10 | 1, []uint32{30, 150}},
	}
	singleRecords = []rec{
		{1, 0x10, []uint32{100}}, {1, 0x14, []uint32{120}}, {2, 0x10, []uint32{125}},
		{1, 0x14 | 1, []uint32{130}}, {2, 0x10 | 2, []uint32{140}}, {1, 0x10 | 1, []uint32{150}},
	}
)

// madeFiles returns a complete file of each variant and clock.
func madeFiles() map[string][]byte {
	cat := func(parts ...[]byte) (all []byte) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	files := map[string][]byte{
		"dalvik1": cat([]byte(madeKey(1, "clock=thread-cpu", "num-method-calls=6", "vm=dalvik")),
			madeHeader(1, 0), madeRecords(1, singleRecords...)),
		"dalvik2": cat([]byte(madeKey(2, "clock=wall", "num-method-calls=6", "vm=dalvik")),
			madeHeader(2, 0), madeRecords(2, singleRecords...)),
		"dalvik3": cat([]byte(madeKey(3, "clock=dual", "num-method-calls=6", "vm=dalvik")),
			madeHeader(3, 14), madeRecords(2, dualRecords...)),
		"art": cat([]byte(madeKey(3, "clock=dual", "num-method-calls=6", "vm=art")),
			madeHeader(3, 14), madeRecords(2, dualRecords...)),
		"art-wall": cat([]byte(madeKey(2, "clock=wall", "num-method-calls=6", "vm=art")),
			madeHeader(2, 0), madeRecords(2, singleRecords...)),
	}
	f, g := madeMethod("0x10\ta.A\tf\t()V\tA.java\n"), madeMethod("0x14\ta.A\tg\t()V\tA.java\n")
	stream := func(head []byte, recs []rec, summary string) []byte {
		one := func(i int) []byte { return madeRecords(2, recs[i]) }
		return cat(head, f, madeThread(1, "main"), one(0), g, one(1), madeThread(2, "worker"), one(2), one(3), one(4), one(5),
			madeSummary(summary))
	}
	files["art-stream"] = stream(madeHeader(0xf3, 14), dualRecords, madeKey(3, "clock=dual", "vm=art"))
	files["art-stream-cpu"] = stream(madeHeader(0xf2, 10), singleRecords, madeKey(2, "clock=thread-cpu", "vm=art"))
	return files
}

// gz compresses data.
func gz(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
