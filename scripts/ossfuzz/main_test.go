package main

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEncode checks that arguments are encoded as package input of go-118-fuzz-build decodes them.
func TestEncode(t *testing.T) {
	const header = "go test fuzz v1\n"
	for in, want := range map[string]string{
		`[]byte("a\xff\"\n")`:                     "\x01a\xff\"\n",
		`[]byte("")`:                              "\x01",
		"[]byte(\"\")\nstring(\"bc\")":            "\x00\x01bc",
		"[]byte(\"abc\")\nstring(\"d\")":          "\x03\x01abcd",
		"string(\"ä\")\nbool(true)\nbool(false)":  "\x01\x00\x01\xc3\xa4",
		"uint64(258)\nbyte('\\x07')\nbyte('\\'')": "\x00\x00\x00\x00\x00\x00\x01\x02\x07'",
	} {
		if got, err := encode(header + in + "\n"); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"x", header + "1", header + "float32(1)", header + "string(1)", header + "uint64(-1)", header + "string(\"\")\nstring(\"\")\nstring(\"\")"} {
		if got, err := encode(in); err == nil {
			t.Errorf("%q: %q", in, got)
		}
	}
}

// TestWrite checks that the committed inputs of all targets are encoded.
func TestWrite(t *testing.T) {
	inputs, n := map[string][]string{}, 0
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(filepath.ToSlash(path), "/testdata/fuzz/Fuzz") {
			inputs[filepath.Dir(path)] = append(inputs[filepath.Dir(path)], path)
			n++
		}
		return err
	})
	if err != nil || n < 10 {
		t.Fatal(n, err)
	}
	for target, list := range inputs {
		name := filepath.Join(t.TempDir(), "corpus.zip")
		if err := write(name, list); err != nil {
			t.Fatal(err)
		}
		r, err := zip.OpenReader(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.File) != len(list) {
			t.Errorf("%s: %d files of %d", target, len(r.File), len(list))
		}
		f, err := r.File[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		if data, err := io.ReadAll(f); err != nil || len(data) == 0 {
			t.Errorf("%s: %q, %v", target, data, err)
		}
		r.Close()
	}
}
