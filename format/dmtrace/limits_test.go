package dmtrace

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// TestEndIsTheLatestTime: if a thread's times decrease, its end is the maximum, 130 us, not the
// time of its last event, 120 us.
func TestEndIsTheLatestTime(t *testing.T) {
	file := append([]byte(madeKey(3, "clock=dual", "vm=art")), madeHeader(3, 14)...)
	file = append(file, madeRecords(2, rec{1, 0x10, []uint32{0, 90}}, rec{2, 0x10, []uint32{0, 100}}, rec{2, 0x15, []uint32{1, 130}}, rec{2, 0x15, []uint32{2, 120}})...)
	f, err := New(bytes.NewReader(file), "steps back", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.InTimeOrder(); err != nil {
		t.Fatal(err)
	}
	if got, want := f.Symbols.Threads[1].End, 130*time.Microsecond; got != want {
		t.Errorf("the thread ends at %v, want %v", got, want)
	}
}

// TestLatestStart: the start time in the header is unsigned 64-bit us. The maximum [time.Duration]
// is 9223372036854775 us. Larger values are not converted to a wrong time.
func TestLatestStart(t *testing.T) {
	for start, want := range map[uint64]time.Duration{
		9223372036854775: 9223372036854775 * time.Microsecond,
		9223372036854776: 0,
		math.MaxInt64:    0,
		1<<64 - 1:        0,
	} {
		key := madeKey(3, "clock=dual", "vm=art")
		file := append([]byte(key), madeHeader(3, 14)...)
		binary.LittleEndian.PutUint64(file[len(key)+8:], start)
		file = append(file, madeRecords(2, rec{1, 0x10, []uint32{0, 100}})...)
		f, err := New(bytes.NewReader(file), "late", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if f.Info.Start != want || hasWarning(f, "start time") != (want == 0) {
			t.Errorf("start %d: read as %v, want %v; warnings %v", start, f.Info.Start, want, f.Warnings)
		}
		f.Close()
	}
}

// TestV2LatestStart: the start time in the header is unsigned 64-bit, in us up to Android 15 and in
// ns since. The maximum [time.Duration] is 9223372036854775 us. Larger values are not converted to
// a negative time.
func TestV2LatestStart(t *testing.T) {
	for _, c := range []struct {
		gen   dmformat.Generation
		start uint64
		want  time.Duration
	}{
		{dmformat.V2of15, 9223372036854775, 9223372036854775 * time.Microsecond},
		{dmformat.V2of15, 9223372036854776, 0},
		{dmformat.V2of16, math.MaxInt64, math.MaxInt64},
		{dmformat.V2of16, 1 << 63, 0},
		{dmformat.V2of17, 1<<64 - 1, 0},
	} {
		file := smallV2(c.gen, 2, "dual").b
		binary.LittleEndian.PutUint64(file[6:], c.start)
		f, err := New(bytes.NewReader(file), "late", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		warned := hasWarning(f, "start time")
		if f.Info.Start != c.want || warned != (c.want == 0) {
			t.Errorf("generation %v, start %d: read as %v, want %v; warned %t", c.gen, c.start, f.Info.Start, c.want, warned)
		}
		f.Close()
	}
}

// limitOf reads f to its end. It returns the number of events, and the exceeded limit with its
// offset, if any.
func limitOf(t *testing.T, f *File, err error) (events int, limit string, offset int64) {
	t.Helper()
	if err == nil {
		defer f.Close()
		var b trace.Buffer
		_, err = trace.Copy(&b, f.Events)
		events = len(b.Events)
	}
	var le *trace.LimitError
	var fe *trace.FormatError
	if errors.As(err, &le) && errors.As(err, &fe) {
		return events, le.Limit, fe.Offset
	}
	if err != nil {
		t.Errorf("error %v, want a LimitError with an offset", err)
	}
	return events, "", 0
}

// TestDepthLimit: the enter that exceeds the maximum depth is an error with its offset. The
// preceding events are returned, also in time order. The maximum depth itself is accepted.
func TestDepthLimit(t *testing.T) {
	key := madeKey(3, "clock=dual", "vm=art")
	var enters []rec
	for i := range uint32(6000) { // two batches
		enters = append(enters, rec{1, 0x10, []uint32{i, i}})
	}
	v2 := newMadeV2(dmformat.V2of17, 1)
	v2.define(idF, "a.A\tf\t()V\tA.java\n")
	v2.thread(1, "main")
	for i := range enters {
		v2.event(idF, uint64(i), 0)
	}
	v2.flush(1)
	for name, c := range map[string]struct {
		file   []byte
		offset int64 // of event 5000; 0: at some later offset
	}{
		"classic": {append(append([]byte(key), madeHeader(3, 14)...), madeRecords(2, enters...)...), int64(len(key)) + 32 + 5000*14},
		"stream":  {append(append(madeHeader(0xf3, 14), madeThread(1, "main")...), madeRecords(2, enters...)...), 32 + 11 + 5000*14},
		"v2":      {v2.b, 0},
	} {
		for _, ordered := range []bool{false, true} {
			open := func(depth int) (*File, error) {
				f, err := New(bytes.NewReader(c.file), name, ReadOptions{Limits: trace.Limits{Depth: depth}, TempDir: t.TempDir()})
				if err == nil && ordered {
					err = f.InTimeOrder()
				}
				return f, err
			}
			f, err := open(5000)
			events, limit, offset := limitOf(t, f, err)
			if events != 5000 || limit != "depth" || c.offset != 0 && offset != c.offset || offset <= 5000 {
				t.Errorf("%s, ordered %t: %d events, limit %q at offset %d, want 5000, depth, %d", name, ordered, events, limit, offset, c.offset)
			}
			f, err = open(6000)
			if events, limit, _ := limitOf(t, f, err); events != 6000 || limit != "" {
				t.Errorf("%s, ordered %t: %d events, limit %q", name, ordered, events, limit)
			}
		}
	}
	f, err := New(bytes.NewReader(append(append([]byte(key), madeHeader(3, 14)...), madeRecords(2, slices.Repeat(enters, 11)...)...)), "default", ReadOptions{})
	if events, limit, _ := limitOf(t, f, err); events != 65536 || limit != "depth" {
		t.Errorf("default limit: %d events, limit %q", events, limit)
	}
}

// TestMethodLimits: named methods and methods that events use without a name have separate limits.
// A file at a limit is read.
func TestMethodLimits(t *testing.T) {
	key := "*version\n3\nclock=dual\n*threads\n1\tmain\n*methods\n"
	named := []byte(key)
	stream, v2 := madeHeader(0xf3, 14), newMadeV2(dmformat.V2of17, 2)
	var unlisted []rec
	for i := range uint32(10) {
		line := fmt.Sprintf("0x%x\ta.A\tf%d\t()V\tA.java\n", 4*i, i)
		named = append(named, line...)
		stream = append(stream, madeMethod(line)...)
		v2.define(uint64(4*i+4), "a.A\tf\t()V\tA.java\n")
		unlisted = append(unlisted, rec{1, 4 * i, []uint32{i, i}}, rec{1, 4*i | 1, []uint32{i, i}})
	}
	named = append(append(named, "*end\n"...), madeHeader(3, 14)...)
	unnamed := append(append([]byte(key+"*end\n"), madeHeader(3, 14)...), madeRecords(2, unlisted...)...)
	unnamedV2 := newMadeV2(dmformat.V2of17, 1)
	unnamedV2.thread(1, "main")
	for i := range uint64(10) {
		unnamedV2.event(4*i+4, 2*i, 0)
		unnamedV2.event(1, 2*i+1, 0)
	}
	unnamedV2.flush(1)
	for _, c := range []struct {
		name, limit string
		file        []byte
	}{
		{"classic", "methods", named}, {"stream", "methods", stream}, {"v2", "methods", v2.b},
		{"classic", "unlisted", unnamed}, {"v2", "unlisted", unnamedV2.b},
	} {
		for _, most := range []int{9, 10} {
			limits := trace.Limits{Methods: most}
			if c.limit == "unlisted" {
				limits = trace.Limits{Unlisted: most}
			}
			want := c.limit
			if most == 10 {
				want = ""
			}
			f, err := New(bytes.NewReader(c.file), c.name, ReadOptions{Limits: limits})
			if _, got, _ := limitOf(t, f, err); got != want {
				t.Errorf("%s, %d %s: limit %q, want %q", c.name, most, c.limit, got, want)
			}
		}
	}
}

// TestRatioLimit: 70 MiB of enters and exits compress to about 200 kB, a higher ratio than that of
// any recorded trace. They are read if the limit allows it.
func TestRatioLimit(t *testing.T) {
	const n = 70 << 20
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(append([]byte(madeKey(3, "clock=dual", "vm=art")), madeHeader(3, 14)...))
	pair := madeRecords(2, rec{1, 0x10, []uint32{1, 1}}, rec{1, 0x10 | 1, []uint32{1, 1}})
	batch := bytes.Repeat(pair, 1<<15)
	for size := 0; size < n; size += len(batch) {
		z.Write(batch)
	}
	z.Close()
	for ratio, want := range map[int]string{0: "ratio", 1000: ""} {
		f, err := New(bytes.NewReader(packed.Bytes()), "packed", ReadOptions{Limits: trace.Limits{Ratio: ratio}})
		if err != nil {
			t.Fatal(err)
		}
		events, err := trace.Copy(trace.Discard, f.Events)
		f.Close()
		var le *trace.LimitError
		if got := errors.As(err, &le); got != (want != "") || got && le.Limit != want || events < 64<<20/14 {
			t.Errorf("ratio %d: %d events, then %v", ratio, events, err)
		}
	}
}

// TestDepths: an exit decreases the depth, also an unwind or an exit of another method. An orphan
// exit does not.
func TestDepths(t *testing.T) {
	in, out := trace.Enter, trace.Exit
	for _, c := range []struct {
		actions []trace.Action
		want    int
	}{
		{[]trace.Action{in, in}, 2},
		{[]trace.Action{in, in, in}, 2},
		{[]trace.Action{in, in, out, in, trace.Unwind, in, in}, 6},
		{[]trace.Action{out, out, in, in, in}, 4},
		{[]trace.Action{in, in, 3, in, in}, 4},
	} {
		var events []trace.Event
		for _, a := range c.actions {
			events = append(events, trace.Event{Action: a, Thread: 3}, trace.Event{Action: in, Thread: 9}, trace.Event{Action: out, Thread: 9})
		}
		got := 0
		var d depths // keeps its state between batches
		for len(events) > 0 {
			n := min(4, len(events))
			k := d.within(events[:n], 2)
			got += k
			if k < n {
				break
			}
			events = events[n:]
		}
		if want := 3 * c.want; got != want {
			t.Errorf("%v: %d events are within the limit, want %d", c.actions, got, want)
		}
	}
}
