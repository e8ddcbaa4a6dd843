package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRows: the rows that need no recorded trace and take no time are found, and come out within.
func TestRows(t *testing.T) {
	recordedName = "absent"
	for _, source := range []string{"JEP 509", "golang/go", "openjdk/jdk", "an article"} {
		var out bytes.Buffer
		if err := print(&out, source); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "| no |") || !strings.Contains(out.String(), "| yes |") {
			t.Errorf("%s:\n%s", source, out.String())
		}
	}
}

// TestVerdicts: a row that is off counts as no, one that lacks something or a trace says why, and an error is one.
func TestVerdicts(t *testing.T) {
	defer func(all []row, name string) { rows, recordedName = all, name }(rows, recordedName)
	recordedName = "absent"
	rows = []row{
		{source: "a", find: func() (string, bool, error) { return "1", true, nil }},
		{source: "b", find: func() (string, bool, error) { return "2", false, nil }},
		{source: "c", lacks: "nobody knows"},
		{source: "d", recorded: true, find: func() (string, bool, error) { panic("it has no trace") }},
	}
	var out bytes.Buffer
	if err := print(&out, ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| a |  | 1 |  | yes |", "| b |  | 2 |  | no |", "| c |  | - |  | no | nobody knows |", "-trace FILE", "1 of 4 within"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	rows = []row{{source: "e", find: func() (string, bool, error) { return "", false, errors.New("broken") }}}
	if err := print(&out, ""); err == nil || !strings.Contains(err.Error(), "e: broken") {
		t.Errorf("error %v", err)
	}
}

// TestRuns: two runs of 20 samples of which a has 10 and 12, and b 10 and 8, name a, and a again as the first of equals; the
// interval of the first, 0.5 ± 0.22, and that of the second, 0.6 ± 0.21, hold the mean of 0.55.
func TestRuns(t *testing.T) {
	dir := t.TempDir()
	for i, text := range []string{`"a":"50.0","b":"50.0%","c":"5.0"`, `"a":"60.0","b":"40.0","d":"5.0"`} {
		file := `{"JavaFlightRecorder":{"X.jfr":{` + text + `}},"Runtimes":{"X.jfr":1.5}}`
		if err := os.WriteFile(filepath.Join(dir, "output"+string(rune('1'+i))+".json"), []byte(file), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := printRuns(&out, dir); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"of 4 intervals of square root of n, of 2 methods, 100.0 % hold", "X.jfr: 1 different hottest methods in 2 runs", "choice of 20 samples"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if err := printRuns(&out, t.TempDir()); err == nil || !strings.Contains(err.Error(), "report5") {
		t.Errorf("error %v of an empty folder", err)
	}
}
