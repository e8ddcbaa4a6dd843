package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"testing"

	"artifice/internal/testdata"
)

// formatted matches numbers formatted for people: with a unit, a percent sign or thousands
// separators. It also matches the dash of an unknown number.
var formatted = regexp.MustCompile(`^([-+]?[0-9][0-9,.]*( |)(ns|µs|us|ms|s|min|h|%|[kKMG]i?B|B|x)|[0-9]{1,3}(,[0-9]{3})+|-)$`)

// number matches a JSON number.
var number = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// TestMachineReadableNumbers checks that the machine-readable output of every command has plain
// numbers in its cells. Exceptions are info and score, whose CSV has the lines of the text.
func TestMachineReadableNumbers(t *testing.T) {
	testdata.Seldom(t, 4)
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"record", "cold-start", "--interval", "5ms", "--device", "A", "-o", file("a.trace"), "-q"},
		{"record", "cold-start", "--interval", "5ms", "--device", "A", "--seed", "2", "-o", file("b.trace"), "-q"},
		{"record", "w2-periodic", "--mode", "instrument", "--device", "A", "-o", file("i.trace"), "-q"},
	} {
		if status, _, stderr := artifice(args...); status != exitOK {
			t.Fatal(stderr)
		}
	}
	for _, c := range []struct {
		args []string
		text []string // columns of text
	}{
		{[]string{"report", file("a.trace")}, []string{"method"}},
		{[]string{"report", file("a.trace"), "--by", "thread"}, []string{"thread"}},
		{[]string{"report", file("a.trace"), "--late-frames"}, []string{"thread", "method_1", "method_2", "method_3", "method_4", "method_5"}},
		{[]string{"report", file("i.trace")}, []string{"method"}},
		{[]string{"diff", file("a.trace"), "--to", file("b.trace")}, []string{"method", "side"}},
		{[]string{"diff", file("a.trace"), file("b.trace"), "--to", file("b.trace"), file("a.trace")}, []string{"method", "side"}},
		{[]string{"info", "--threads", file("a.trace")}, []string{"name"}},
		{[]string{"check", file("a.trace")}, []string{"file", "id", "level", "rule", "finding"}},
		{[]string{"calibrate", file("a.trace")}, []string{"figure", "meaning"}},
		{[]string{"calibrate", file("i.trace")}, []string{"figure", "meaning"}},
		{[]string{"calibrate", "--check", file("a.trace")}, []string{"trace", "figure", "unit", "ok"}},
		{[]string{"bench", "w2-periodic", "--intervals", "5ms", "--modes", "sample"}, []string{"mode", "device", "clock", "runtime", "error"}},
		{[]string{"list"}, []string{"kind", "name", "cost", "description"}},
	} {
		t.Run(fmt.Sprint(c.args[:len(c.args)-1]), func(t *testing.T) {
			status, stdout, stderr := artifice(append(c.args, "--csv", "-q")...)
			if status != exitOK && status != 1 {
				t.Fatal(stderr)
			}
			rows, err := csv.NewReader(bytes.NewReader([]byte(stdout))).ReadAll()
			if err != nil || len(rows) == 0 {
				t.Fatal(err, stderr)
			}
			isText := map[string]bool{}
			for _, name := range c.text {
				isText[name] = true
			}
			for _, row := range rows[1:] {
				for i, cell := range row {
					if name := rows[0][i]; !isText[name] && cell != "" && !number.MatchString(cell) {
						t.Errorf("CSV: column %s has %q", name, cell)
					}
				}
			}
			status, stdout, stderr = artifice(append(c.args, "--json", "-q")...)
			if status != exitOK && status != 1 {
				t.Fatal(stderr)
			}
			for values := json.NewDecoder(bytes.NewReader([]byte(stdout))); ; { // bench writes one value per row
				var value any
				if err := values.Decode(&value); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				checkNumbers(t, "", value, isText)
			}
		})
	}
}

// checkNumbers reports strings of a JSON value that are formatted numbers.
func checkNumbers(t *testing.T, key string, value any, isText map[string]bool) {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		for k, one := range v {
			checkNumbers(t, k, one, isText)
		}
	case []any:
		for _, one := range v {
			checkNumbers(t, key, one, isText)
		}
	case string:
		if !isText[key] && (formatted.MatchString(v) || number.MatchString(v)) {
			t.Errorf("JSON: %s is the text %q", key, v)
		}
	}
}
