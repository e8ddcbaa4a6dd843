package view

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"regexp"
	"testing"
	"time"
)

// decoded is the data of a page, decoded as the package comment and header.go state.
type decoded struct {
	t *testing.T
	header
	threads [][]threadHeader // by recording
	body    []byte
	size    int // of all data, in bytes
}

// decodePage decodes the data of a page in one file.
func decodePage(t *testing.T, page []byte) *decoded {
	t.Helper()
	m := regexp.MustCompile(`<script id="data" type="application/octet-stream">([A-Za-z0-9+/=]*)</script>`).FindSubmatch(page)
	if m == nil {
		t.Fatal("the page has no data")
	}
	packed, err := base64.StdEncoding.DecodeString(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, packed)
}

// decode decodes packed data.
func decode(t *testing.T, packed []byte) *decoded {
	t.Helper()
	gz, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(gz)
	if err != nil {
		t.Fatal(err)
	}
	if string(data[:8]) != "ARTVIEW1" {
		t.Fatalf("data begin %q", data[:8])
	}
	end := 12 + int(binary.LittleEndian.Uint32(data[8:]))
	d := &decoded{t: t, body: data[end:], size: len(data)}
	if err := json.Unmarshal(data[12:end], &d.header); err != nil {
		t.Fatal(err)
	}
	for _, r := range d.Recordings {
		var threads []threadHeader
		if err := json.Unmarshal(d.body[r.Threads.At:r.Threads.At+r.Threads.Bytes], &threads); err != nil {
			t.Fatal(err)
		}
		d.threads = append(d.threads, threads)
	}
	return d
}

// numbers returns the numbers of a column.
func (d *decoded) numbers(c column) []int64 {
	d.t.Helper()
	b, list := d.body[c.At:c.At+c.Bytes], make([]int64, 0, c.Count)
	for len(b) > 0 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			d.t.Fatalf("column at %d: bad number", c.At)
		}
		list, b = append(list, int64(v)), b[n:]
	}
	if int64(len(list)) != c.Count {
		d.t.Fatalf("column at %d has %d numbers, want %d as stated", c.At, len(list), c.Count)
	}
	return list
}

// signed decodes zigzag numbers.
func signed(list []int64) []int64 {
	for i, v := range list {
		list[i] = v>>1 ^ -(v & 1)
	}
	return list
}

// sums decodes differences.
func sums(list []int64) []int64 {
	for i := 1; i < len(list); i++ {
		list[i] += list[i-1]
	}
	return list
}

func (d *decoded) strings(x textTable) (list []string) {
	at := x.At
	for _, n := range d.numbers(x.Lengths) {
		list = append(list, string(d.body[at:at+n]))
		at += n
	}
	if at != x.At+x.Bytes {
		d.t.Errorf("strings end at %d, not at %d", at, x.At+x.Bytes)
	}
	return list
}

func (d *decoded) short() (list []string) {
	from, bytes := d.numbers(d.Short.From), d.numbers(d.Short.Bytes)
	for i, name := range d.strings(d.Methods) {
		list = append(list, name[from[i]:from[i]+bytes[i]])
	}
	return list
}

// readCall is a call as the page reads it.
type readCall struct {
	Method            string
	Depth             int64
	Start, Duration   time.Duration
	CPUStart, CPUTime time.Duration
	mark              int64
}

func (d *decoded) calls(th *threadHeader) []readCall {
	unit, names, c := time.Duration(d.Unit), d.strings(d.Methods), &th.Calls
	method, depth := d.numbers(c.Method), sums(signed(d.numbers(c.Depth)))
	start, end := replay(depth, d.numbers(c.Begin), d.numbers(c.End))
	calls := make([]readCall, len(method))
	for i := range calls {
		calls[i] = readCall{Method: names[method[i]], Depth: depth[i], Start: time.Duration(d.header.Start) + time.Duration(start[i])*unit, Duration: time.Duration(end[i]-start[i]) * unit}
	}
	if c.BeginLag != nil {
		lag, endLag := replay(depth, signed(d.numbers(*c.BeginLag)), signed(d.numbers(*c.EndLag)))
		for i := range calls {
			calls[i].CPUStart = time.Duration(start[i]-lag[i]) * unit
			calls[i].CPUTime = time.Duration(end[i]-endLag[i])*unit - calls[i].CPUStart
		}
	}
	return calls
}

// replay computes times from the differences of consecutive events.
func replay(depth, begin, end []int64) (at, until []int64) {
	at, until = make([]int64, len(depth)), make([]int64, len(depth))
	now, open := int64(0), []int{}
	for i := 0; i <= len(depth); i++ {
		for len(open) > 0 && (i == len(depth) || int64(len(open)) > depth[i]) {
			last := open[len(open)-1]
			open = open[:len(open)-1]
			now += end[last]
			until[last] = now
		}
		if i < len(depth) {
			now += begin[i]
			at[i], open = now, append(open, i)
		}
	}
	return at, until
}
