package main

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"regexp"
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

// target matches the declaration of a fuzz target.
var target = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// TestTargets checks that each target of the product has committed inputs, 2 MB in total, and that
// no target's name begins that of another one in its folder, which OSS-Fuzz's builder confuses.
func TestTargets(t *testing.T) {
	targets, size := map[string][]string{}, int64(0)
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		switch slash := filepath.ToSlash(path); {
		case err != nil:
			return err
		case d.IsDir() && (slash == "../../fleet" || slash == "../../research" || d.Name() == ".git"):
			return filepath.SkipDir
		case strings.Contains(slash, "/testdata/fuzz/Fuzz") && !d.IsDir():
			info, err := d.Info()
			if err == nil {
				size += info.Size()
			}
			return err
		case strings.HasSuffix(slash, "_test.go"):
			text, err := os.ReadFile(path)
			for _, m := range target.FindAllStringSubmatch(string(text), -1) {
				targets[filepath.Dir(path)] = append(targets[filepath.Dir(path)], m[1])
			}
			return err
		}
		return nil
	})
	if err != nil || len(targets) < 30 || size > 2_000_000 {
		t.Errorf("targets in %d folders, inputs of %d bytes, %v", len(targets), size, err)
	}
	for folder, names := range targets {
		for _, name := range names {
			inputs, err := os.ReadDir(filepath.Join(folder, "testdata", "fuzz", name))
			if err != nil || len(inputs) == 0 {
				t.Errorf("%s: %s has no inputs: %v", folder, name, err)
			}
			for _, other := range names {
				if other != name && strings.HasPrefix(other, name) {
					t.Errorf("%s: %s begins %s", folder, name, other)
				}
			}
		}
	}
}
