package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

const example = `package p

const size = 8

func (s *stack[T]) find(n int, ok bool) (int, error) {
	if n < 2 && ok {
		s.n++
	}
	s.total += min(n, 3)
	s.reset()
	for i := 0; i < n; i++ {
		continue
	}
	return n, s.err
}

var handler = func() bool { return true }
`

// TestExecutedLine checks the line by which coverage shows that a mutated expression is executed:
// that of the switch for a condition of a case, otherwise its own.
func TestExecutedLine(t *testing.T) {
	list, err := mutations("p.go", []byte(`package p

func sign(x int) int {
	switch {
	case x < 7,
		x > 8:
		return 9
	}
	switch x {
	case 5:
		return 6
	}
	return 4
}
`))
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]int{}
	for _, m := range list {
		got[m.line] = m.executed
	}
	if want := map[int]int{5: 4, 6: 4, 7: 7, 10: 9, 11: 11, 13: 13}; !maps.Equal(got, want) {
		t.Errorf("lines %v, want %v", got, want)
	}
}

// TestMutations checks that every kind of mutation is found, with its text in the file.
func TestMutations(t *testing.T) {
	list, err := mutations("p.go", []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range list {
		m := &list[i]
		original, mutated := m.texts([]byte(example))
		got = append(got, fmt.Sprintf("%s %s: %s -> %s", m.kind, m.function, original, mutated))
	}
	for _, want := range []string{
		"constant : const size = 8 -> const size = 9",
		"constant : const size = 8 -> const size = 7",
		"negated stack.find: if n < 2 && ok { -> if !(n < 2 && ok) {",
		"operator stack.find: if n < 2 && ok { -> if n < 2 || ok {",
		"comparison stack.find: if n < 2 && ok { -> if n <= 2 && ok {",
		"comparison stack.find: if n < 2 && ok { -> if n > 2 && ok {",
		"++/-- stack.find: s.n++ -> s.n--",
		"deleted stack.find: s.n++ -> ",
		"operator stack.find: s.total += min(n, 3) -> s.total -= min(n, 3)",
		"deleted stack.find: s.total += min(n, 3) -> ",
		"min/max stack.find: s.total += min(n, 3) -> s.total += max(n, 3)",
		"deleted stack.find: s.reset() -> ",
		"negated stack.find: for i := 0; i < n; i++ { -> for i := 0; !(i < n); i++ {",
		"deleted stack.find: continue -> ",
		"return stack.find: return n, s.err -> return (n) + 1, s.err",
		"return stack.find: return n, s.err -> return n, nil",
		"return : var handler = func() bool { return true } -> var handler = func() bool { return !(true) }",
		"constant : var handler = func() bool { return true } -> var handler = func() bool { return false }",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, strings.Join(got, "\n"))
		}
	}
	if len(got) != 27 {
		t.Errorf("%d mutations, want 27:\n%s", len(got), strings.Join(got, "\n"))
	}
}

// TestDraw: mutants depend only on the seed, contain no helpers of tests, and are more frequent in
// longer packages.
func TestDraw(t *testing.T) {
	packages, err := products(testdata.Root())
	if err != nil {
		t.Fatal(err)
	}
	drawn := func(seed uint64) (list []string, folders map[string]int) {
		d, err := newDrawer(testdata.Root(), packages, seed)
		if err != nil {
			t.Fatal(err)
		}
		folders = map[string]int{}
		for range 2000 {
			f, m := d.next()
			list = append(list, fmt.Sprint(f.name, m.line, m.kind, m.with))
			folders[filepath.ToSlash(filepath.Dir(f.name))]++
		}
		return list, folders
	}
	one, folders := drawn(1)
	again, _ := drawn(1)
	if !slices.Equal(one, again) {
		t.Error("two draws with one seed differ")
	}
	if other, _ := drawn(2); slices.Equal(one, other) {
		t.Error("draws with two seeds are equal")
	}
	if folders["internal/testdata"]+folders["format/internal/formattest"] > 0 {
		t.Error("helpers of tests are among the mutants")
	}
	if folders["cmd/artifice"] < 4*folders["internal/words"] || len(folders) < 40 {
		t.Errorf("the draw is not proportional to lines: %v", folders)
	}
}

// TestTry: a mutant that a test detects is killed by it. A mutant that changes only a comment
// survives. The tree is unchanged.
func TestTry(t *testing.T) {
	if testing.Short() {
		t.Skip("runs tests of other packages")
	}
	file := filepath.Join(t.TempDir(), "results.jsonl")
	s, err := newSurvey(3, file)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(s.packages, func(p *product) bool { return p.ImportPath == "artifice/internal/words" })
	p := s.packages[i]
	path := filepath.Join(p.Dir, p.GoFiles[0])
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	list, err := mutations(path, source)
	if err != nil {
		t.Fatal(err)
	}
	m := &list[slices.IndexFunc(list, func(m mutation) bool { return m.kind == "negated" })]
	defer s.close()
	var progress strings.Builder
	if err := s.coverage.measure([]*product{p}, &progress); err != nil || !strings.HasPrefix(progress.String(), "coverage of artifice/internal/words .: ") {
		t.Fatalf("%q, error %v", progress.String(), err)
	}
	f := &sourceFile{pkg: p, name: "internal/words/" + p.GoFiles[0], source: source}
	var killed, same, wrong result
	if err := s.try(f, m, &killed); err != nil || !strings.HasPrefix(killed.KilledBy, "internal/words Test") {
		t.Errorf("a negated condition: %+v, error %v", killed, err)
	}
	if err := s.try(f, &mutation{line: m.line, executed: m.executed, start: len(source), end: len(source), with: "// nothing\n"}, &same); err != nil || !same.survived() {
		t.Errorf("a comment: %+v, error %v", same, err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, source) {
		t.Errorf("the tree was changed: %v", err)
	}
	if err := s.try(f, &mutation{start: 0, end: 7, with: "func"}, &wrong); err != nil || wrong.Compiled {
		t.Errorf("a mutant that does not compile: %+v, error %v", wrong, err)
	}
	again, err := newSurvey(3, file)
	if err != nil {
		t.Fatal(err)
	}
	progress.Reset()
	if err := again.coverage.measure([]*product{p}, &progress); err != nil || progress.String() != "" {
		t.Errorf("unchanged tests are measured again: %q, error %v", progress.String(), err)
	}
	for _, u := range again.coverage.Units {
		u.Seconds += maxSeconds
	}
	if err := again.try(f, m, &same); err != nil || !same.survived() {
		t.Errorf("a mutant with tests that take too long: %+v, error %v", same, err)
	}
	again.coverage.Units = nil
	if err := again.try(f, m, &same); err != nil || !same.survived() {
		t.Errorf("a mutant that no test executes: %+v, error %v", same, err)
	}
}

// TestResume: a survey reads the results of its seed, counts those that compile, and draws only the
// missing ones.
func TestResume(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.jsonl")
	s, err := newSurvey(3, file)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []result{
		{Seed: 3, File: "a/b.go", Function: "f", Original: "x++", Mutated: "x--", Compiled: true, KilledBy: "a TestF"},
		{Seed: 3, File: "a/b.go", Function: "g", Original: "y++", Mutated: "y--", Compiled: true},
		{Seed: 3, File: "a/b.go", Function: "h", Original: "z++", Mutated: "z--", Compiled: true},
		{Seed: 3, File: "a/b.go", Function: "g", Original: "y++", Mutated: ""},
		{Seed: 4, File: "a/b.go", Function: "g", Original: "y++", Mutated: "y--", Compiled: true},
	} {
		if err := s.save(&r); err != nil {
			t.Fatal(err)
		}
	}
	if s, err = newSurvey(3, file); err != nil || s.compiled() != 3 || len(s.done) != 4 {
		t.Fatalf("%d results, error %v", len(s.done), err)
	}
	var progress, out strings.Builder
	if err := s.run(3, &progress); err != nil || progress.String() != "" {
		t.Errorf("the survey was not complete: %s %v", progress.String(), err)
	}
	s.print(&out, []equivalent{{"a", "g", "y++", "y--", "nobody reads y"}})
	if !strings.Contains(out.String(), "1 mutants of 3 that compile are killed, 1 are equivalent: score 50.0 % (95 % interval 9.5 to 90.5 %)") || !strings.Contains(out.String(), "SURVIVED a/b.go:0 h") {
		t.Errorf("printed\n%s", out.String())
	}
}

// TestWilson checks intervals of table I in Newcombe, Two-sided confidence intervals for the single
// proportion (Statistics in Medicine, 1998), method 3.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high string
	}{{81, 263, "0.2553", "0.3662"}, {15, 148, "0.0624", "0.1605"}, {0, 20, "0.0000", "0.1611"}, {1, 29, "0.0061", "0.1718"}} {
		low, high := wilson(c.k, c.n)
		if l, h := fmt.Sprintf("%.4f", low), fmt.Sprintf("%.4f", high); l != c.low || h != c.high {
			t.Errorf("%d of %d: %s to %s, want %s to %s", c.k, c.n, l, h, c.low, c.high)
		}
	}
}

// TestEquivalents: each equivalent mutant has its function and line in the sources.
func TestEquivalents(t *testing.T) {
	list, err := parseEquivalents(equivalentTable)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		files, err := filepath.Glob(filepath.Join(testdata.Root(), e.pkg, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || slices.ContainsFunc(must(t, file, source), func(m mutation) bool {
				original, mutated := m.texts(source)
				return m.function == e.function && original == e.original && mutated == e.mutated
			})
		}
		if !found {
			t.Errorf("%s %s: no mutation of %q is %q", e.pkg, e.function, e.original, e.mutated)
		}
	}
	for table, want := range map[string]bool{"a\tb\tc\td\te\n": true, "# x\n\n": true, "a\tb\tc\td\n": false, "a\tb\tc\td\t\n": false} {
		if _, err := parseEquivalents(table); (err == nil) != want {
			t.Errorf("%q: %v", table, err)
		}
	}
}

// must returns the mutations of a file.
func must(t *testing.T, file string, source []byte) []mutation {
	list, err := mutations(file, source)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
