package profileproto

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// TestStringTable adds strings repeatedly, one of them longer than a block, and reads the fields
// with protobuf's own parser.
func TestStringTable(t *testing.T) {
	table := newStringTable()
	numbers := map[string]int64{}
	var want []string // by number
	for i := range 100_000 {
		s := fmt.Sprint("name ", i%70_000)
		if i%10_000 == 500 {
			s = strings.Repeat("x", 3*stringBlock)
		}
		if _, known := numbers[s]; !known {
			numbers[s] = int64(len(want))
			want = append(want, s)
		}
		if n := table.number(s[:len(s)/2], s[len(s)/2:]); n != numbers[s] {
			t.Fatalf("string %d, %.20q, has number %d, want %d", i, s, n, numbers[s])
		}
	}
	if n := table.number("\xff\xfe", "caf\xc3", "\xa9"); n != int64(len(want)) {
		t.Errorf("a new string has number %d, want %d", n, len(want))
	}
	want = append(want, "\uFFFDcafé") // consecutive invalid UTF-8 bytes become one character
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	table.write(w)
	w.Flush()
	var got []string
	for b := out.Bytes(); len(b) > 0; {
		field, _, n := protowire.ConsumeTag(b)
		s, k := protowire.ConsumeBytes(b[n:])
		if n < 0 || k < 0 || field != StringTable {
			t.Fatalf("%.20q is not a string field", b)
		}
		got, b = append(got, string(s)), b[n+k:]
	}
	if !slices.Equal(got, want) {
		t.Errorf("written strings differ: %d, want %d", len(got), len(want))
	}
}
