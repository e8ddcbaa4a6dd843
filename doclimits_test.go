package artifice

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// documentLines are the maximum numbers of lines of documents.
var documentLines = map[string]int{
	"README.md":          120,
	"CHANGELOG.md":       120,
	"docs/guide.md":      200,
	"docs/speed.md":      60,
	"docs/validation.md": 100,
}

// documentWords is the maximum number of words of all files in docs.
const documentWords = 18_000

// proseColumns is the maximum number of columns of a line of prose.
const proseColumns = 100

// TestDocumentLimits checks the lengths of the documents and of their lines of prose.
func TestDocumentLimits(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatalf("docs has %d pages (%v)", len(pages), err)
	}
	read := func(page string) string {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	words := 0
	for _, page := range pages {
		words += len(strings.Fields(read(page)))
	}
	if words > documentWords {
		t.Errorf("docs has %d words, more than %d", words, documentWords)
	}
	for page, most := range documentLines {
		if n := strings.Count(read(page), "\n"); n > most {
			t.Errorf("%s has %d lines, more than %d", page, n, most)
		}
	}
	pages = append(pages, "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "fleet/README.md")
	others, err := filepath.Glob("research/*.md")
	if err != nil || len(others) < 2 {
		t.Fatalf("research has %d pages (%v)", len(others), err)
	}
	for _, page := range append(pages, others...) {
		for _, line := range wide(read(page)) {
			t.Errorf("%s: more than %d columns: %s", page, proseColumns, line)
		}
	}
	const page = "short\n| a row of a table |\n```sh\ncode\n```\n<img alt>\n    code\n"
	long := strings.ReplaceAll(page, "\n", strings.Repeat(" long", 20)+"\n")
	if got := wide(strings.ReplaceAll(long, "```"+strings.Repeat(" long", 20), "```")); len(got) != 1 || !strings.HasPrefix(got[0], "short") {
		t.Errorf("wide returns %q, want the line of prose only", got)
	}
}

// wide returns the lines of prose with more than proseColumns columns. Lines of code, tables and
// HTML do not count.
func wide(text string) (lines []string) {
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if !code && utf8.RuneCountInString(line) > proseColumns && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "<") && !strings.HasPrefix(line, "    ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestInstallCommands checks that section Install of README.md has the two commands that .ci/run
// executes in a clone of its own: blocks of the shell, and lines after a prompt.
func TestInstallCommands(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Install\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var commands []string
	for i, block := range strings.Split(section, "```") {
		language, body, _ := strings.Cut(block, "\n")
		for line := range strings.Lines(body) {
			command, prompted := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "$ ")
			if i%2 == 1 && (language == "sh" || language == "console" && prompted) {
				commands = append(commands, command)
			}
		}
	}
	if len(commands) != 2 || !strings.HasPrefix(commands[0], "go run ./cmd/artifice bench ") || commands[1] != "go test ./..." {
		t.Errorf("commands %q, want bench and go test ./...", commands)
	}
}
