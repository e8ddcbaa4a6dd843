package check_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"artifice/format/check"
)

// madeFile is a trace composed byte by byte, so that a test can damage each part of it. The zero
// value is not a file; see goodFile.
type madeFile struct {
	head    string // *version and the following lines up to the options
	options []string
	threads []string
	methods []string
	end     string
	header  []byte
	records []record
	size    int    // bytes of a record
	tail    []byte // after the records
}

// record is one record of version 3: both times in us.
type record struct {
	tid       uint16
	method    uint32 // method id, with the action in its low bits
	cpu, wall uint32
}

// The records of goodFile enter and leave these two methods.
const fooID, barID = 4, 8

// goodFile is a classic file without findings: two calls of foo and bar on the thread 7. Its key
// section has 208 bytes.
func goodFile() *madeFile {
	return &madeFile{
		head: "*version\n3\n",
		options: []string{"data-file-overflow=false", "clock=dual", "elapsed-time-usec=2000",
			"num-method-calls=4", "clock-call-overhead-nsec=100", "vm=art", "pid=7"},
		threads: []string{"7\tmain"},
		methods: []string{"0x4\ta.A\tfoo\t()V\tA.java", "0x8\ta.A\tbar\t(I)I\tA.java"},
		end:     "*end\n",
		header:  header(3, 32, 14),
		records: []record{{7, fooID, 10, 1010}, {7, barID, 12, 1012}, {7, barID | 1, 20, 1020}, {7, fooID | 1, 30, 1030}},
		size:    14,
	}
}

// header returns a header with the given version and offset of the first record.
func header(version, offset, recordSize uint16) []byte {
	b := []byte("SLOW")
	b = binary.LittleEndian.AppendUint16(b, version)
	b = binary.LittleEndian.AppendUint16(b, offset)
	b = binary.LittleEndian.AppendUint64(b, 1000)
	b = binary.LittleEndian.AppendUint16(b, recordSize)
	return append(b, make([]byte, max(0, int(offset)-len(b)))...)
}

// key returns the key section.
func (f *madeFile) key() string {
	lines := func(lines []string) string {
		if len(lines) == 0 {
			return ""
		}
		return strings.Join(lines, "\n") + "\n"
	}
	return f.head + lines(f.options) + "*threads\n" + lines(f.threads) + "*methods\n" + lines(f.methods) + f.end
}

// bytes returns the file.
func (f *madeFile) bytes() []byte {
	b := append([]byte(f.key()), f.header...)
	for _, r := range f.records {
		b = append(b, f.record(r)...)
	}
	return append(b, f.tail...)
}

func (f *madeFile) record(r record) []byte {
	b := binary.LittleEndian.AppendUint16(nil, r.tid)
	b = binary.LittleEndian.AppendUint32(b, r.method)
	b = binary.LittleEndian.AppendUint32(b, r.cpu)
	b = binary.LittleEndian.AppendUint32(b, r.wall)
	for len(b) < f.size {
		b = append(b, 0)
	}
	return b[:f.size]
}

// option replaces the option of that key by a line.
func (f *madeFile) option(key, line string) {
	for i := range f.options {
		if strings.HasPrefix(f.options[i], key+"=") {
			f.options[i] = line
		}
	}
}

// stream returns the same events as a streaming file: first the items that announce threads and
// methods, then the records, then the summary.
func (f *madeFile) stream() []byte {
	return append(f.streamRecords(), f.summary()...)
}

func (f *madeFile) streamRecords() []byte {
	b := header(0xf3, 32, 14)
	for _, line := range f.methods {
		b = append(b, 0, 0, 1)
		b = binary.LittleEndian.AppendUint16(b, uint16(len(line)+1))
		b = append(b, line...)
		b = append(b, '\n')
	}
	b = append(b, threadItem(7, "main")...)
	for _, r := range f.records {
		b = append(b, f.record(r)...)
	}
	return b
}

func threadItem(tid uint16, name string) []byte {
	b := []byte{0, 0, 2}
	b = binary.LittleEndian.AppendUint16(b, tid)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
	return append(b, name...)
}

func (f *madeFile) summary() []byte {
	key := strings.Replace(f.key(), "num-method-calls=4\n", "", 1)
	b := []byte{0, 0, 3}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(key)))
	return append(b, key...)
}

func checkBytes(t testing.TB, data []byte) *check.Report {
	t.Helper()
	file := filepath.Join(t.TempDir(), "made.trace")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := check.File(file, check.Config{Name: "made.trace"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
