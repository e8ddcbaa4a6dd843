package main

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"artifice/trace"
)

// v2 returns a file in format V2 with the wall clock, with these packets.
func v2(packets ...[]byte) []byte {
	header := append([]byte("SLOW\x04\x00"), make([]byte, 26)...)
	return slices.Concat(append([][]byte{header}, packets...)...)
}

func method(id uint64, line string) []byte {
	b := binary.LittleEndian.AppendUint64([]byte{1}, id)
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(line))), line...)
}

func thread(tid byte, name string) []byte {
	return append([]byte{0, tid, 0, 0, 0, byte(len(name)), 0}, name...)
}

// block returns a block with one enter of the method with id 8 or 16 at 5 ns: SLEB128, ULEB128.
func block(tid, id byte) []byte { return []byte{2, tid, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, id, 5} }

var summary = []byte{3, 5, 0, '*', 'e', 'n', 'd', '\n'}

// TestSameV2: files with other addresses, more methods, another place of a thread's announcement, or
// the joined block of a thread are the same. Others are not, and the error names the difference.
func TestSameV2(t *testing.T) {
	art := v2(method(8, "a\tm\t()V\tA.java\n"), method(16, "b\tm\t()V\tA.java\n"), thread(1, "x"), block(1, 8), block(1, 16), thread(2, "y"), block(2, 8), summary)
	if err := sameV2(art, v2(thread(1, "x"), thread(2, "y"), method(16, "a\tm\t()V\tA.java\n"), method(8, "b\tm\t()V\tA.java\n"),
		[]byte{2, 1, 0, 0, 0, 2, 0, 0, 4, 0, 0, 0, 16, 5, 0x78, 0}, block(2, 16), summary)); err != nil {
		t.Error(err)
	}
	if err := sameV2(v2(method(8, "$Proxy0\tother\t(I)V\t\n"), thread(1, "x"), block(1, 8)), v2(method(8, "$Proxy0\tm\t()V\t\n"), thread(1, "x"), block(1, 8))); err != nil {
		t.Error(err)
	}
	methods := slices.Concat(method(8, "a\tm\t()V\tA.java\n"), method(16, "b\tm\t()V\tA.java\n"))
	threads := slices.Concat(thread(1, "x"), thread(2, "y"))
	for want, ours := range map[string][]byte{
		`ART does not announce "c`:   v2(method(8, "c\n")),
		`"thread 1 \"x\"" and "thre`: v2(methods, thread(2, "y"), thread(1, "x"), block(1, 8), block(1, 16), block(2, 8), summary),
		`and "0 [5] b`:               v2(methods, threads, block(1, 16), block(1, 8), block(2, 8), summary),
		`and "block of thread 2`:     v2(methods, threads, block(2, 8), block(1, 8), block(1, 16), summary),
		`"*end" and "no line"`:       v2(methods, threads, block(1, 8), block(1, 16), block(2, 8)),
		"thread 2, which is not an":  v2(methods, thread(1, "x"), block(2, 8)),
		"0x10, which is not annou":   v2(thread(1, "x"), block(1, 16)),
		"is announced again":         v2(methods, methods),
		"a packet of 14 bytes":       v2(methods, threads, block(1, 8)[:13]),
		"packet 9":                   v2([]byte{9}),
	} {
		if err := sameV2(art, ours); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}

// TestThreadsFirst: announcements of threads in a classic stream precede the rest, in their order.
func TestThreadsFirst(t *testing.T) {
	header := string(make([]byte, 32))
	record := func(tid string) string { return tid + "\x00" + "methtime" }
	method := "\x00\x00\x01\x03\x00abc"
	thread := func(tid string) string { return "\x00\x00\x02" + tid + "\x00\x02\x00xy" }
	end := "\x00\x00\x03\x04\x00\x00\x00*end"
	got, err := threadsFirst([]byte(header+thread("7")+method+record("7")+thread("5")+record("7")+record("5")+end), trace.Wall)
	if want := header + thread("7") + thread("5") + method + record("7") + record("7") + record("5") + end; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if _, err := threadsFirst([]byte(header+record("7")+thread("7")+end), trace.Wall); err == nil {
		t.Error("an event before the thread's announcement is accepted")
	}
}
