package main

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// profile is a profile of go test: the function in lines 3 to 9 of a/a.go returns early in lines 4
// to 6, and b/b.go is not executed.
const profile = `mode: set
artifice/a/a.go:3.20,4.12 1 1
artifice/a/a.go:4.12,6.3 1 0
artifice/a/a.go:7.2,9.2 2 1
artifice/b/b.go:10.16,12.2 1 0
`

// TestProfile parses a profile.
func TestProfile(t *testing.T) {
	all, executed, err := parseProfile(profile)
	if err != nil {
		t.Fatal(err)
	}
	if want := (lines{"a/a.go": {{3, 9}}, "b/b.go": {{10, 12}}}); !reflect.DeepEqual(all, want) {
		t.Errorf("statements: %v, want %v", all, want)
	}
	if want := (lines{"a/a.go": {{3, 4}, {7, 9}}}); !reflect.DeepEqual(executed, want) {
		t.Errorf("executed: %v, want %v", executed, want)
	}
	for _, wrong := range []string{"mode: set\nx\n", "a.go:1.2,3.4\n", "a.go:1.2,3.4 1 x\n"} {
		if _, _, err := parseProfile(wrong); err == nil {
			t.Errorf("%q is accepted", wrong)
		}
	}
}

// TestLines checks the operations of sets of lines.
func TestLines(t *testing.T) {
	l := lines{"a.go": {{3, 4}, {7, 9}}}
	var in []int
	for line := range 12 {
		if l.contains("a.go", line) {
			in = append(in, line)
		}
	}
	if !slices.Equal(in, []int{3, 4, 7, 8, 9}) || l.contains("b.go", 3) {
		t.Errorf("contained: %v", in)
	}
	l.add(lines{"a.go": {{1, 1}, {5, 5}, {8, 12}}, "b.go": {{1, 2}}})
	if want := (lines{"a.go": {{1, 1}, {3, 5}, {7, 12}}, "b.go": {{1, 2}}}); !reflect.DeepEqual(l, want) {
		t.Errorf("union: %v, want %v", l, want)
	}
	if got := l.files(); !slices.Equal(got, []string{"a.go", "b.go"}) {
		t.Errorf("files: %v", got)
	}
	for _, c := range []struct{ of, without, want spans }{
		{spans{{1, 9}}, nil, spans{{1, 9}}},
		{spans{{1, 9}}, spans{{1, 9}}, nil},
		{spans{{1, 9}}, spans{{1, 2}, {4, 5}, {9, 12}}, spans{{3, 3}, {6, 8}}},
		{spans{{1, 2}, {5, 9}}, spans{{2, 6}}, spans{{1, 1}, {7, 9}}},
	} {
		if got := c.of.without(c.without); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v without %v: %v, want %v", c.of, c.without, got, c.want)
		}
	}
}

// TestOrder: only units that execute a line run, those of its package and of the command line first,
// the fastest of each package first.
func TestOrder(t *testing.T) {
	c := &coverage{
		All: lines{"a/a.go": {{3, 9}, {12, 15}}, "b/b.go": {{1, 5}}},
		Units: []*unit{
			{"artifice/bench", ".", 7, lines{"a/a.go": {{3, 9}}}},
			{"artifice/b", "TestB", 3, lines{"a/a.go": {{3, 9}}, "b/b.go": {{1, 5}}}},
			{"artifice/b", "TestC", 2, lines{"a/a.go": {{3, 4}}, "b/b.go": {{1, 5}}}},
			{"artifice/cmd/artifice", "TestScripts/a", 90, lines{"a/a.go": {{3, 4}}}},
			{"artifice/cmd/artifice", "TestScripts/b", 9, lines{"a/a.go": {{3, 4}}}},
			{"artifice/a", "TestA", 60, lines{"a/a.go": {{3, 4}}}},
		},
	}
	for _, test := range []struct {
		what, file string
		line       int
		want       string
	}{
		{"a line", "a/a.go", 4, "TestA TestScripts/b TestScripts/a TestC TestB ."},
		{"a line of fewer tests", "a/a.go", 6, "TestB ."},
		{"a line that no test executes", "a/a.go", 13, ""},
		{"a constant of a file with functions", "b/b.go", 8, "TestC TestB"},
		{"a constant of a file without", "b/constants.go", 8, "TestC TestB"},
	} {
		var runs []string
		for _, u := range c.order(&product{ImportPath: "artifice/a"}, test.file, test.line) {
			runs = append(runs, u.Run)
		}
		if got := strings.Join(runs, " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.what, got, test.want)
		}
	}
}

// TestUnexecuted prints the lines of statements that no unit executes, except of helpers of tests.
func TestUnexecuted(t *testing.T) {
	c := &coverage{
		All: lines{"a/a.go": {{3, 9}, {12, 15}}, "internal/testdata/build.go": {{1, 5}}},
		Units: []*unit{
			{"artifice/a", "TestA", 1, lines{"a/a.go": {{3, 4}}}},
			{"artifice/a", "TestB", 1, lines{"a/a.go": {{4, 6}, {12, 15}}}},
		},
	}
	var out strings.Builder
	c.printUnexecuted(&out)
	if out.String() != "a/a.go:7-9\n" {
		t.Errorf("printed\n%s", out.String())
	}
}

// TestKeys: a changed source, test or file of testdata changes the key.
func TestKeys(t *testing.T) {
	packages, err := products(folderOf(t, map[string]string{
		"go.mod": "module artifice\n", "a/a.go": "package a\n", "a/a_test.go": "package a\n", "a/testdata/sub/x.txtar": "1\n",
		"b/b.go": "package b\n",
	}))
	if err != nil || len(packages) != 2 {
		t.Fatalf("%d packages, error %v", len(packages), err)
	}
	p := packages[0]
	keys := func() string {
		sources, err := sourceKey(packages)
		if err != nil {
			t.Fatal(err)
		}
		tests, err := testKey(p)
		if err != nil {
			t.Fatal(err)
		}
		return sources + tests
	}
	seen := map[string]string{keys(): "the original"}
	for _, file := range []string{"a.go", "a_test.go", "testdata/sub/x.txtar", "testdata/new", "../b/b.go"} {
		if err := os.WriteFile(filepath.Join(p.Dir, file), []byte("package c\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if same := seen[keys()]; same != "" {
			t.Errorf("the key after a change of %s is that after %s", file, same)
		}
		seen[keys()] = file
	}
}

// folderOf returns a folder of files.
func folderOf(t *testing.T, files map[string]string) string {
	folder := t.TempDir()
	for name, content := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
