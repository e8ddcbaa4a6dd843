package main

import (
	"bytes"
	"compress/gzip"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"artifice/internal/testdata"
)

// input is a file to be read.
type input struct {
	data     []byte
	unpacked int64 // bytes without compression; 0: the length of data
}

// class is a generator of hostile files.
type class struct {
	name, ending string
	role         role
	fixed        bool                               // the size is not selectable
	make         func(r *rand.Rand, size int) input // a file of about size bytes, unpacked
}

// plain makes a class of files that are not compressed.
func plain(name, ending string, role role, content func(r *rand.Rand, size int) []byte) class {
	return class{name: name, ending: ending, role: role, make: func(r *rand.Rand, size int) input {
		return input{data: content(r, size)}
	}}
}

// pick returns a random element of a list.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// extremes are integers at the edges of their types.
var extremes = []int64{0, 1, -1, 2, 127, 128, 255, 256, math.MaxInt16, math.MaxUint16, math.MaxUint16 + 1, math.MaxInt32, math.MinInt32,
	math.MaxUint32, math.MaxUint32 + 1, 1e9, 1e18, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1, 1 << 53}

// extreme returns an integer at an edge.
func extreme(r *rand.Rand) int64 { return pick(r, extremes...) }

// odd are numbers as text that parsers must reject or round.
var odd = []string{"NaN", "Infinity", "-Infinity", "1e308", "1e999", "-1e999", "1e-999", "0x1p-1074", "-0", "00", "9223372036854775807", "-9223372036854775808",
	"9223372036854775808", "18446744073709551616", "1.7976931348623157e308", "4294967296"}

// number returns a number as text, of up to length digits.
func number(r *rand.Rand, length int) string {
	switch r.IntN(8) {
	case 0:
		return strings.Repeat("9", length)
	case 1:
		return "0." + strings.Repeat("0", length) + "1"
	case 2:
		return "1e" + strings.Repeat("9", min(length, 1000))
	case 3, 4:
		return strconv.FormatInt(extreme(r), 10)
	case 5:
		return "1"
	}
	return pick(r, odd...)
}

// long returns a name of n bytes.
func long(r *rand.Rand, n int) string {
	part := pick(r, "x", "a.B$", "é", "\u202e", "<", "();", "[", "\\", "&amp;", "%s", "'", "/", "\xff")
	return strings.Repeat(part, n/len(part)+1)[:n]
}

// gzipped compresses data.
func gzipped(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// packed makes a class of gzip files.
func packed(name, ending string, content func(r *rand.Rand, size int) []byte) class {
	return class{name: name, ending: ending, make: func(r *rand.Rand, size int) input {
		data := content(r, size)
		return input{gzipped(data), int64(len(data))}
	}}
}

// fieldFiles returns files that have made the program fail, if ../shared contains them.
func fieldFiles() (list []class) {
	for _, name := range []string{"inlined60000", "deep-stack"} {
		data, err := os.ReadFile(filepath.Join(testdata.Root(), "..", "shared", "data", "field", name+".pb.gz"))
		if err != nil {
			continue
		}
		in := input{data, int64(len(data))}
		if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
			var raw bytes.Buffer
			if _, err := raw.ReadFrom(z); err == nil {
				in.unpacked = int64(raw.Len())
			}
		}
		list = append(list, class{name: "field-" + name, ending: ".pb.gz", fixed: true, make: func(*rand.Rand, int) input { return in }})
	}
	return list
}
