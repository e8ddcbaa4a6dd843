//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"artifice/fleet/corpus"
)

// TestPipe: each command reports a pipe without a writer as unread at once.
func TestPipe(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 2, Seed: 12})
	pipe := filepath.Join(t.TempDir(), "pipe.trace")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	list := filepath.Join(t.TempDir(), "list.csv")
	text := "path,device\n" + pipe + ",A\n" + made.Paths[0] + ",A\n" + made.Paths[1] + ",B\n"
	if err := os.WriteFile(list, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"profile", "-o", filepath.Join(t.TempDir(), "all.pb.gz")},
		{"check"},
		{"diff", "--by", "device", "--from", "A", "--to", "B"},
		{"bench", "--intervals", "5ms", "--seeds", "1"},
	} {
		_, messages := partly(t, append(args, list, "--timeout", "0")...)
		if !strings.Contains(messages, pipe+": a pipe, a socket or a device") || !strings.Contains(messages, "3 files (1 left out)") {
			t.Errorf("%s: %s", args, messages)
		}
	}
}
