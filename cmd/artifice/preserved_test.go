package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"artifice/format"
	"artifice/internal/testdata"
)

// manySides is a recording with everything that a format can lose. Its clocks differ, and twice is
// called two times in direct succession.
const manySides = `# artifice text trace
info	clock	dual
info	pid	101
info	technique	instrumented
thread	101	main
thread	102	a worker with a long name
method	0x4	com.a.Main	before	()V	Main.java	3
method	0x8	com.a.Main	run	()V	Main.java	5
method	0xc	com.a.Main	load	(I)V	Main.java	7
method	0x10	com.a.Main	load	(J)V	Main.java	9
method	0x14	com.a.Main	twice	()V	Main.java	11
method	0x18	com.a.Worker	work	()V	Worker.java	13
0 0 101 exit com.a.Main.before()V
1000 500 101 enter com.a.Main.run()V
2000 600 101 enter com.a.Main.load(I)V
4002000 2000600 101 exit com.a.Main.load(I)V
5000000 2500000 101 enter com.a.Main.load(J)V
6000000 3000000 102 enter com.a.Worker.work()V
7000000 3000000 101 exit com.a.Main.load(J)V
8000000 3000000 101 enter com.a.Main.twice()V
9000000 4000000 101 exit com.a.Main.twice()V
9000000 4000000 101 enter com.a.Main.twice()V
9456789 4000789 102 exit com.a.Worker.work()V
11000000 6000000 101 exit com.a.Main.twice()V
12000000 6500000 101 exit com.a.Main.run()V
`

// side is a property of a recording. A format preserves it if the text matches after a conversion
// to the format and back.
type side struct {
	name    string // in docs/formats.md
	matches func(text string) bool
}

// pattern returns a side that matches a regular expression.
func pattern(name, text string) side {
	return side{name, regexp.MustCompile(text).MatchString}
}

// sides are the properties of manySides, in the order of the document.
var sides = []side{
	{"calls", func(text string) bool {
		return len(regexp.MustCompile(`(?m) enter \S*\btwice`).FindAllString(text, -1)) == 2
	}},
	{"overloads", func(text string) bool {
		return strings.Contains(text, "load\t(I)V") && strings.Contains(text, "load\t(J)V")
	}},
	pattern("second clock", `(?m)^info\tclock\tdual$`),
	{"nanoseconds", func(text string) bool { return wallOf(text, "work") == 3456789 }},
	pattern("unmatched exits", `(?m)^\d+ \S+ \S+ exit \S*\bbefore`),
	pattern("thread names", `(?m)^thread\t\d+\ta worker with a`),
	{"thread names beyond 15 characters", func(text string) bool {
		return strings.Contains(text, "\ta worker with a long name") || !strings.Contains(text, "\ta worker with a")
	}},
	{"tids", func(text string) bool {
		return regexp.MustCompile(`(?m)^thread\t101\b`).MatchString(text) && regexp.MustCompile(`(?m)^thread\t102\b`).MatchString(text)
	}},
	pattern("files", `(?m)\tMain\.java\t`),
	pattern("lines", `(?m)\tMain\.java\t11$`),
}

// wallOf returns the duration in ns of the only call of a method in a text trace, or -1 if there is
// none.
func wallOf(text, method string) int64 {
	times := regexp.MustCompile(`(?m)^(\d+) \S+ \S+ (?:enter|exit) \S*\b`+method).FindAllStringSubmatch(text, -1)
	if len(times) != 2 {
		return -1
	}
	begin, _ := strconv.ParseInt(times[0][1], 10, 64)
	end, _ := strconv.ParseInt(times[1][1], 10, 64)
	return end - begin
}

// TestPreserved checks that the table in docs/formats.md states what each format does not preserve.
func TestPreserved(t *testing.T) {
	testdata.Seldom(t, 4)
	dir := t.TempDir()
	source := filepath.Join(dir, "source.txt")
	if err := os.WriteFile(source, []byte(manySides), 0o600); err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile(filepath.Join(testdata.Root(), "docs", "formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range format.Written() {
		there, back := filepath.Join(dir, "there."+f.Name), filepath.Join(dir, f.Name+".txt")
		for _, c := range [][]string{{source, there, f.Name}, {there, back, "text"}} {
			if status, _, stderr := artifice("convert", "-q", c[0], "-o", c[1], "--format", c[2]); status != exitOK {
				t.Fatalf("%s: %s", f.Name, stderr)
			}
		}
		text, err := os.ReadFile(back)
		if err != nil {
			t.Fatal(err)
		}
		var lost []string
		for _, p := range sides {
			if !p.matches(string(text)) {
				lost = append(lost, p.name)
			}
		}
		want := strings.Join(lost, ", ")
		if want == "" {
			want = "everything is preserved"
		}
		row := regexp.MustCompile("(?m)^\\|[^|]*`" + regexp.QuoteMeta(f.Name) + "`.*\\| ([^|;]*)(?:;[^|]*)? \\|$").FindStringSubmatch(string(document))
		if row == nil || row[1] != want {
			t.Errorf("%s does not preserve %s; docs/formats.md: %q", f.Name, want, row)
		}
	}
}
