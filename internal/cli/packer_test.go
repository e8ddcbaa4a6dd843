package cli

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"
)

// TestPacker: what is written in pieces of any size comes back whole.
func TestPacker(t *testing.T) {
	var want, packed bytes.Buffer
	p := newPacker(&packed)
	for n := range 700 {
		b := bytes.Repeat([]byte{byte(n), byte(n >> 8)}, n)
		want.Write(b)
		if k, err := p.Write(b); k != len(b) || err != nil {
			t.Fatal(k, err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(&packed)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%d bytes, want %d; error %v", len(got), want.Len(), err)
	}
}

// full is a disk without room.
type full struct{}

var errFull = errors.New("no room")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestPackerFails: an error below ends the writing, and is what Close returns, whether
// a Write met it or not. After abort nothing more is written.
func TestPackerFails(t *testing.T) {
	p := newPacker(full{})
	block := make([]byte, 2*packedBlock)
	var err error
	for range 1000 {
		if _, err = p.Write(block); err != nil {
			break
		}
	}
	if err != errFull {
		t.Errorf("Write: %v", err)
	}
	if err := p.Close(); err != errFull {
		t.Errorf("Close: %v", err)
	}
	p = newPacker(full{})
	p.Write([]byte("little"))
	if err := p.Close(); err != errFull {
		t.Errorf("Close after little: %v", err)
	}
	var nothing bytes.Buffer
	p = newPacker(&nothing)
	p.Write([]byte("little"))
	p.abort()
	p.abort()
	if nothing.Len() > 0 {
		t.Errorf("%d bytes after abort", nothing.Len())
	}
}
