package main

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"math/rand/v2"
)

// packedClasses are compressed files: bombs, files in files, damaged and cut ones.
var packedClasses = []class{
	{name: "gzip-bomb", ending: ".trace.gz", make: gzipBomb},
	{name: "gzip-nested", ending: ".trace.gz", make: gzipNested},
	{name: "gzip-damaged", ending: ".pb.gz", make: gzipDamaged},
	{name: "gzip-members", ending: ".folded.gz", make: gzipMembers},
	{name: "zip", ending: ".zip", make: zipped},
	{name: "atrace", ending: ".atrace", make: atraceBomb},
}

// gzipBomb has much that packs to little.
func gzipBomb(r *rand.Rand, size int) input {
	head := pick(r, "", "main;f 1\n", "*version\n3\n", "# artifice text trace\n", "{\"traceEvents\":[", "SIMPLEPERF\x01\x00", "\n")
	data := append([]byte(head), bytes.Repeat([]byte(pick(r, "\x00", "\n", "a;b 1\n", " ", "[", "0")), size*4)...)
	return input{gzipped(data), int64(len(data))}
}

// gzipNested is packed several times.
func gzipNested(r *rand.Rand, size int) input {
	data := bytes.Repeat([]byte("main;f 1\n"), size/9)
	n := int64(len(data))
	for range 1 + r.IntN(10) {
		data = gzipped(data)
	}
	return input{data, n}
}

// gzipDamaged is cut, or has bytes that are wrong.
func gzipDamaged(r *rand.Rand, size int) input {
	raw := pprofDistinct(r, size)
	data := gzipped(raw)
	switch r.IntN(3) {
	case 0:
		data = data[:r.IntN(len(data))]
	case 1:
		for range 1 + r.IntN(5) {
			data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		}
	case 2:
		data = append(data, data[:r.IntN(len(data))]...)
	}
	return input{data, int64(max(len(raw), len(data)))}
}

// gzipMembers has many members, most of them empty.
func gzipMembers(r *rand.Rand, size int) input {
	empty, line := gzipped(nil), gzipped([]byte("main;f 1\n"))
	var data []byte
	n := int64(0)
	for len(data) < size {
		if r.IntN(10) == 0 {
			data, n = append(data, line...), n+9
		} else {
			data = append(data, empty...)
		}
	}
	return input{data, max(n, int64(len(data)))}
}

// zipped is an archive, which no command reads.
func zipped(r *rand.Rand, size int) input {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"a.trace", "../x", long(r, 1000)} {
		if f, err := w.Create(name); err == nil {
			f.Write(make([]byte, size))
		}
	}
	w.Close()
	return input{b.Bytes(), int64(3 * size)}
}

// atraceBomb is what atrace -z prints, with much that packs to little.
func atraceBomb(r *rand.Rand, size int) input {
	text := bytes.Repeat([]byte(pick(r, "  a-10 (10) [000] ...1 1.001000: tracing_mark_write: B|10|f\n", "\n", "# x\n", "a")), size/4)
	b := bytes.NewBufferString("capturing trace... done\nTRACE:\n")
	w := zlib.NewWriter(b)
	w.Write(text)
	w.Close()
	return input{b.Bytes(), int64(len(text))}
}
