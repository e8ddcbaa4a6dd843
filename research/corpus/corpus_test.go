package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// These hashes were computed by sha256sum.
const (
	sumX = "19d9949b912dc985a935934e59b0f60385a33f80e2b27579e1fbb93bb4cb9794"
	sumY = "3e2f52becdb89b4903c6cad72f4d91af15a8d8409ead8f852310acaf5a0b6351"
	sumZ = "c0f8a7c42da9455b2a3004dfe9e547e650d982deed6329ba825a4b32de92826f"
)

// TestCorpus compares the table of a folder with counts by hand. Each content occurs once. A file
// with different counts is an error, and so is a folder without any file of the table; a new file
// is not.
func TestCorpus(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a/x.folded", "a;b 3\na;c 2\n")     // enters a, b, c; exits at 30 ms b, at 50 ms c and a
	write("b/again.folded", "a;b 3\na;c 2\n") // the same
	write("a/.git/objects", "a;b 3\na;c 4\n") // no file of the corpus
	write("b/y.json", `{"traceEvents":[{"ph":"X","name":"f","pid":1,"tid":1,"ts":5,"dur":2},{"ph":"B","name":"g","pid":1,"tid":2,"ts":6}]}`)
	write("b/z.txt", "nothing that is known\n")
	rows, err := readFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := tableOf(rows)
	var lines []string
	for line := range strings.Lines(got) {
		lines = append(lines, strings.TrimRight(line, "\n"))
	}
	if len(lines) != 4 {
		t.Fatalf("%d lines, want 4:\n%s", len(lines), got)
	}
	for i, w := range []string{
		head,
		sumX + "\t12\tfolded\t1\t3\t3\t2\t50000000\ta/x.folded",
		sumY + "\t115\tchrome\t2\t2\t1\t0\t2000\tb/y.json",
		sumZ + "\t22\trefused\tFILE: offset 0: not a trace, profile or stack dump that artifice reads: it begins with \"nothing that is \"\tb/z.txt",
	} {
		if lines[i] != w {
			t.Errorf("line %d is\n%s\nwant\n%s", i, lines[i], w)
		}
	}

	var said bytes.Buffer
	if err := compare(&said, got, rows, false); err != nil || !strings.HasPrefix(said.String(), "3 of 3 files of the table as they were, 0 otherwise, 0 not there; 0 files") {
		t.Errorf("unchanged folder: error %v, output %s", err, &said)
	}
	changed := rows[0]
	changed.enters++
	said.Reset()
	if err := compare(&said, got, []row{changed}, false); err == nil || !strings.Contains(said.String(), "a/x.folded:\n  was ") || !strings.Contains(said.String(), "2 not there") {
		t.Errorf("one more enter: error %v, output %s", err, &said)
	}
	other := rows[1]
	other.hash = strings.Repeat("0", 64)
	said.Reset()
	if err := compare(&said, got, []row{rows[0], other}, true); err != nil || !strings.Contains(said.String(), "\tb/y.json\n") {
		t.Errorf("new file: error %v, output %s", err, &said)
	}
	if err := compare(&said, got, []row{other}, false); err == nil {
		t.Error("folder without a file of the table: no error")
	}
}
