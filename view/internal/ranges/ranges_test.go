package ranges_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"artifice/format"
	tracetext "artifice/format/text"
	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/view/internal/ranges"
)

// TestPack checks that a packed recording returns the same data of every part as the file, to the
// last byte.
func TestPack(t *testing.T) {
	for _, file := range testdata.Some(t, [][]string{
		{"traces", "sampled-art-file.trace"}, {"traces", "sampled-streaming.trace"}, {"traces", "sampled-host-file.trace"}, {"anr"}, {"jstack"},
	}, 2) {
		name := testdata.Path(t, file...)
		open := func() *trace.Recording {
			in, err := format.Open(name, format.Config{Nesting: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { in.Close() })
			return in.Recording
		}
		var packed bytes.Buffer
		rec := open()
		if err := ranges.Pack(&packed, rec); err != nil {
			t.Fatal(err)
		}
		length := rec.Info.Elapsed
		for _, q := range []ranges.Query{
			{}, {To: length}, {From: length / 3, To: length / 2}, {From: length / 4, To: length/4 + length/100 + time.Microsecond},
			{To: length / 2, Threads: []string{"1"}}, {From: length / 5, To: length, Threads: []string{"main"}},
		} {
			for _, until := range []calltree.EndPolicy{calltree.UntilLastEvent, calltree.UntilStop} {
				var got, want bytes.Buffer
				again, err := ranges.Unpack(bytes.NewReader(packed.Bytes()))
				if err != nil {
					t.Fatal(err)
				}
				gotErr, wantErr := q.Write(&got, again, trace.Sampled, until), q.Write(&want, open(), trace.Sampled, until)
				if got.String() != want.String() || (gotErr == nil) != (wantErr == nil) {
					t.Errorf("%s, %+v, until %s: %v, %d bytes, want %v, %d:\n%.300s\n%.300s", name, q, until, gotErr, got.Len(), wantErr, want.Len(), got.String(), want.String())
				}
			}
		}
	}
}

// TestWrite checks a thread that is sampled every ms and is in busy for 15 of the first 50 ms and
// for 35 of the second 50 ms, in many short calls.
func TestWrite(t *testing.T) {
	var text strings.Builder
	text.WriteString("info\tclock\twall\nthread\t1\tmain\nmethod\t1\ta.A\tbusy\t()V\t\t0\nmethod\t2\ta.A\tother\t()V\t\t0\n")
	last := ""
	for i := range 101 {
		now := "other"
		if i%50*7%50 < []int{15, 35, 0}[i/50] { // 7 and 50 have no common divisor, so each of 50 places occurs once
			now = "busy"
		}
		if i == 100 || now != last {
			if last != "" {
				fmt.Fprintf(&text, "%d000000 - 1 exit a.A.%s()V\n", i, last)
			}
			if last = now; i < 100 {
				fmt.Fprintf(&text, "%d000000 - 1 enter a.A.%s()V\n", i, now)
			}
		}
	}
	for i, want := range []int64{15_000_000, 35_000_000} {
		rec, err := tracetext.NewReader(strings.NewReader(text.String()), "halves")
		if err != nil {
			t.Fatal(err)
		}
		q := ranges.Query{From: time.Duration(50*i) * time.Millisecond, To: time.Duration(50+50*i) * time.Millisecond}
		var got bytes.Buffer
		if err := q.Write(&got, rec, trace.Sampled, calltree.UntilLastEvent); err != nil {
			t.Fatal(err)
		}
		var rows []struct {
			Method string
			Self   int64 `json:"self_wall_ns"`
		}
		if err := json.Unmarshal(got.Bytes(), &rows); err != nil {
			t.Fatal(err)
		}
		found := false
		for _, r := range rows {
			if r.Method == "a.A.busy()V" || r.Method == "a.A.busy" {
				found = r.Self == want
			}
		}
		if !found {
			t.Errorf("half %d: %+v, want busy for %d ns", i+1, rows, want)
		}
	}
}

// TestParse checks that an invalid query is refused. TestServerRange of package view has the
// messages.
func TestParse(t *testing.T) {
	q, err := ranges.Parse("from=1&to=2000&recording=3&thread=7&thread=12")
	if want := (ranges.Query{Recording: 3, From: 1, To: 2000, Threads: []string{"7", "12"}}); err != nil || !reflect.DeepEqual(q, want) {
		t.Errorf("%+v, %v, want %+v", q, err, want)
	}
	if q, err := ranges.Parse("recording=1&thread=7"); err != nil || q.From != 0 || q.To != 0 {
		t.Errorf("the whole range: %+v, %v", q, err)
	}
	for _, text := range []string{"", "from=1", "to=2", "from=2&to=2", "from=3&to=2", "from=-1&to=2", "from=1&to=x", "from=1&to=2&thread=main", "from=1&to=2&x=1", "from=1&to=99999999999999999999"} {
		if _, err := ranges.Parse(text); err == nil {
			t.Errorf("%q: no error, want one", text)
		}
	}
}
