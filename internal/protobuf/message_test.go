package protobuf

import (
	"bytes"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// TestMessage compares the bytes with the examples in protobuf's description of its encoding
// (protobuf.dev/programming-guides/encoding).
func TestMessage(t *testing.T) {
	var test1, test2, test3 Message
	test1.Uint(1, 150)
	test2.Text(2, "testing")
	at := test3.Open(3)
	test3.Uint(1, 150)
	test3.Shut(at)
	for _, c := range []struct {
		got  Message
		want string
	}{
		{test1, "\x08\x96\x01"},
		{test2, "\x12\x07testing"},
		{test3, "\x1a\x03\x08\x96\x01"},
	} {
		if string(c.got) != c.want {
			t.Errorf("% x, want % x", c.got, c.want)
		}
	}
}

// TestShut checks that messages built by Open and Shut equal those that protowire appends as a
// whole, for many lengths and field numbers.
func TestShut(t *testing.T) {
	for _, n := range []int{0, 1, 0x7d, 0x7e, 0x7f, 0x80, 1 << 14, 1 << 21} {
		for _, field := range []int{1, 15, 16, 1 << 20} {
			text := strings.Repeat("x", n)
			inner := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), text)
			middle := protowire.AppendBytes(protowire.AppendTag(nil, protowire.Number(field), protowire.BytesType), inner)
			want := protowire.AppendBytes(protowire.AppendTag(nil, 2, protowire.BytesType), middle)
			var got Message
			outside := got.Open(2)
			inside := got.Open(field)
			got.Bytes(1, []byte(text))
			got.Shut(inside)
			got.Shut(outside)
			if !bytes.Equal(got, want) {
				t.Errorf("%d bytes in field %d: output differs: %d bytes, want %d", n, field, len(got), len(want))
			}
		}
	}
}

// TestDefaultValuesAreOmitted checks that default values are omitted, except by Uint.
func TestDefaultValuesAreOmitted(t *testing.T) {
	var m Message
	m.Number(1, 0)
	m.Text(2, "")
	if len(m) > 0 {
		t.Errorf("% x", m)
	}
	if m.Uint(1, 0); string(m) != "\x08\x00" {
		t.Errorf("% x", m)
	}
}
