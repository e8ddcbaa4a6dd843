package dmtrace_test

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// portableFile is the content of a portable file.
type portableFile struct {
	options map[string]string
	threads map[int]string
	methods map[uint32][]string
	start   uint64
	records []record
}

type record struct {
	tid    int
	method uint32
	action int
	times  []uint32
}

// checkPortable parses a file without artifice's reader, and checks the restrictions of the six
// readers.
func checkPortable(t *testing.T, file []byte) portableFile {
	t.Helper()
	f := portableFile{options: map[string]string{}, threads: map[int]string{}, methods: map[uint32][]string{}}
	end := bytes.Index(file, []byte("\n*end\n"))
	if end < 0 || !utf8.Valid(file[:end]) || bytes.ContainsRune(file[:end], '\r') {
		t.Fatalf("no *end, or invalid UTF-8 or CR before it:\n%.200q", file)
	}
	text := string(file[:end])
	m := regexp.MustCompile(`(?s)^\*version\n([23])\n(.*)\n\*threads\n(.*)\n\*methods\n(.*)$`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("sections are not version, threads, methods, end, or one is empty:\n%s", text)
	}
	f.checkOptions(t, m[2])
	f.checkThreads(t, m[3])
	f.checkMethods(t, m[4])
	version := int(m[1][0] - '0')
	if clock := map[int]string{2: "wall", 3: "dual"}[version]; f.options["clock"] != clock {
		t.Errorf("version %d with clock %q, want %s", version, f.options["clock"], clock)
	}
	data := file[end+len("\n*end\n"):]
	size := map[int]int{2: 10, 3: 14}[version]
	f.checkHeader(t, data, version, size)
	f.checkRecords(t, data[32:], size)
	if n := f.options["num-method-calls"]; n != strconv.Itoa(len(f.records)) {
		t.Errorf("num-method-calls=%s, want %d, the number of records", n, len(f.records))
	}
	return f
}

func (f *portableFile) checkOptions(t *testing.T, text string) {
	for l := range strings.SplitSeq(text, "\n") {
		m := regexp.MustCompile(`^([^=\s]+)=([^=\s]+)$`).FindStringSubmatch(l)
		if m == nil {
			t.Errorf("option %q is not key=value", l)
			continue
		}
		f.options[m[1]] = m[2]
	}
}

func (f *portableFile) checkThreads(t *testing.T, text string) {
	for l := range strings.SplitSeq(text, "\n") {
		m := regexp.MustCompile(`^([1-9][0-9]*)\t([^\t]+)$`).FindStringSubmatch(l)
		if m == nil {
			t.Errorf("thread line %q", l)
			continue
		}
		tid, _ := strconv.Atoi(m[1])
		if _, twice := f.threads[tid]; twice || tid > 32767 {
			t.Errorf("thread line %q: duplicate id, or id above 32767", l)
		}
		f.threads[tid] = m[2]
	}
}

func (f *portableFile) checkMethods(t *testing.T, text string) {
	for l := range strings.SplitSeq(text, "\n") {
		m := regexp.MustCompile(`^0x([0-9a-f]+)\t([^\t]+)\t([^\t]+)\t(\([^\t]*)(?:\t([^\t]+)(?:\t(-?[0-9]+))?)?$`).FindStringSubmatch(l)
		if m == nil {
			t.Errorf("method line %q", l)
			continue
		}
		id, err := strconv.ParseUint(m[1], 16, 32)
		if _, twice := f.methods[uint32(id)]; twice || err != nil || id < 4 || id > 0x7ffffffc || id%4 != 0 {
			t.Errorf("method line %q: id is a duplicate, no multiple of 4, or out of range", l)
		}
		f.methods[uint32(id)] = m[2:]
	}
}

func (f *portableFile) checkHeader(t *testing.T, b []byte, version, size int) {
	if len(b) < 32 || string(b[:4]) != "SLOW" || binary.LittleEndian.Uint16(b[4:]) != uint16(version) ||
		binary.LittleEndian.Uint16(b[6:]) != 32 || !bytes.Equal(b[18:32], make([]byte, 14)) {
		t.Fatalf("header % x", b[:min(len(b), 32)])
	}
	f.start = binary.LittleEndian.Uint64(b[8:])
	if f.start < 1 || f.start > 9.2e15 {
		t.Errorf("start time %d", f.start)
	}
	if got := binary.LittleEndian.Uint16(b[16:]); version == 3 && int(got) != size {
		t.Errorf("record size %d, want %d", got, size)
	}
}

// checkRecords also checks that the calls of each thread nest and are balanced.
func (f *portableFile) checkRecords(t *testing.T, b []byte, size int) {
	if len(b)%size != 0 {
		t.Fatalf("%d bytes are no multiple of the record size %d", len(b), size)
	}
	open, last := map[int][]uint32{}, map[int]record{}
	for ; len(b) > 0; b = b[size:] {
		word := binary.LittleEndian.Uint32(b[2:])
		r := record{tid: int(binary.LittleEndian.Uint16(b)), method: word &^ 3, action: int(word & 3)}
		for at := 6; at < size; at += 4 {
			r.times = append(r.times, binary.LittleEndian.Uint32(b[at:]))
		}
		n := len(f.records)
		if f.threads[r.tid] == "" || f.methods[r.method] == nil {
			t.Fatalf("record %d: the thread or method of %+v is not listed", n, r)
		}
		for i, us := range r.times {
			if prev, ok := last[r.tid]; us >= 1<<31 || ok && us < prev.times[i] {
				t.Fatalf("record %d: the time of %+v is too late, or earlier than that of %+v", n, r, prev)
			}
		}
		if r.times[len(r.times)-1] == 0 {
			t.Fatalf("record %d is at time 0", n)
		}
		switch stack := open[r.tid]; {
		case r.action == 0:
			open[r.tid] = append(stack, r.method)
		case r.action > 2 || len(stack) == 0 || stack[len(stack)-1] != r.method:
			t.Fatalf("record %d: %+v does not match the open calls %x", n, r, stack)
		default:
			open[r.tid] = stack[:len(stack)-1]
		}
		if len(open[r.tid]) > 512 {
			t.Fatalf("record %d: depth %d exceeds the maximum", n, len(open[r.tid]))
		}
		last[r.tid] = r
		f.records = append(f.records, r)
	}
	for tid, stack := range open {
		if len(stack) > 0 {
			t.Errorf("thread %d: %d calls open at the end", tid, len(stack))
		}
	}
}
