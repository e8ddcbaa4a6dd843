package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// A session is a block of the manual with commands and what they print. In a
// Markdown file it is a fenced block marked "console", in the doc comment an
// indented one; its first line begins with "$ ".
type session struct {
	line     int    // where it begins
	stands   string // name in the commands that stands for real data; empty: none
	data     string // which data, a path in the data folder
	commands []string
	output   []string // a line "..." stands for any lines
	block    []string // its lines
	printed  int      // how many of them, at the end, are output
}

// TestManual runs every session of README.md and of the pages in docs, in order,
// each page in a folder of its own that has the project's testdata; the sessions of
// testdata/README.md make the files there again. A comment in front of a session,
//
//	<!-- your.trace: traces/sampled-art-file.trace -->
//
// says which real file or folder a name stands for, there and in the sessions after
// it; a session with the name is skipped where the real data is absent.
func TestManual(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(testdata.Root(), "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("docs has no pages: %v", err)
	}
	pages = append(pages, filepath.Join(testdata.Root(), "README.md"), filepath.Join(testdata.Root(), "testdata", "README.md"))
	tried := testdata.SomeUnlessNamed(t, pages, 3)
	sessions := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(testdata.Root(), page)
		if err != nil {
			t.Fatal(err)
		}
		all := markdownSessions(string(text))
		sessions += len(all)
		if !slices.Contains(tried, page) {
			continue
		}
		t.Run(name, func(t *testing.T) { runSessions(t, name, all) })
	}
	if sessions < 15 {
		t.Errorf("only %d sessions found", sessions)
	}
}

// TestPicture: the picture in docs/accuracy.md is what the command beside it draws.
func TestPicture(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(testdata.Root(), "docs", "accuracy.md"))
	if err != nil {
		t.Fatal(err)
	}
	const command = "artifice bench testdata/scroll.txt -o plots/"
	if !strings.Contains(strings.Join(strings.Fields(string(page)), " "), "drawn by `"+command+"` as `plots/overview.svg`") {
		t.Fatalf("docs/accuracy.md does not have the command %s", command)
	}
	want, err := os.ReadFile(filepath.Join(testdata.Root(), "docs", "overview.svg"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(testdata.Root(), "testdata"), filepath.Join(dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	(&session{commands: []string{command}}).run(t, dir)
	if got, err := os.ReadFile(filepath.Join(dir, "plots", "overview.svg")); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/overview.svg has %d bytes, the command draws %d others (%v)", len(want), len(got), err)
	}
}

// TestDocComment runs the sessions of the program's own doc comment.
func TestDocComment(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	sessions := docSessions(f.Doc.Text())
	if len(sessions) == 0 {
		t.Fatal("doc.go has no session")
	}
	runSessions(t, "doc.go", sessions)
}

func runSessions(t *testing.T, file string, sessions []session) {
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(testdata.Root(), "testdata"), filepath.Join(dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	stand := map[string]string{} // what names stand for, from where they are said to on
	for _, s := range sessions {
		if s.stands != "" {
			stand[s.stands] = s.data
		}
		t.Run(s.commands[0], func(t *testing.T) {
			if strings.Contains(s.commands[0], " --trust") && testdata.Times(rand.IntN(4), 0) > 0 {
				t.Skip("takes long: without EXHAUSTIVE=1 such a session is run one time in four")
			}
			for name, data := range stand {
				if !strings.Contains(strings.Join(s.commands, "\n"), name) {
					continue
				}
				link := filepath.Join(dir, name)
				os.Remove(link)
				if err := os.Symlink(testdata.Path(t, filepath.FromSlash(data)), link); err != nil {
					t.Fatal(err)
				}
			}
			got := s.run(t, dir)
			if *update && !matches(s.output, got) && strings.HasSuffix(file, ".md") {
				rewrite(t, filepath.Join(testdata.Root(), file), &s, got)
			} else if !matches(s.output, got) {
				t.Errorf("%s:%d: the manual says:\n%s\n\nthe commands print:\n%s", file, s.line,
					strings.Join(s.output, "\n"), strings.Join(got, "\n"))
			}
		})
	}
}

// run runs the session's commands in a shell and returns the lines they print.
// The program is on the PATH, so "go run ./cmd/artifice" need not build it.
func (s *session) run(t *testing.T, dir string) []string {
	script := strings.ReplaceAll(strings.Join(s.commands, "\n"), "go run ./cmd/artifice", "artifice")
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Logf("the shell ends with %v", err)
	}
	return trimLines(out.String())
}

// matches reports whether got is what want says, "..." standing for any lines.
func matches(want, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if want[0] == "..." {
		for skip := range len(got) + 1 {
			if matches(want[1:], got[skip:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && want[0] == got[0] && matches(want[1:], got[1:])
}

var dataComment = regexp.MustCompile(`^<!-- (\S+): (\S+) -->$`)

func markdownSessions(text string) []session {
	var all []session
	var stands, data string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if m := dataComment.FindStringSubmatch(lines[i]); m != nil {
			stands, data = m[1], m[2]
		}
		if lines[i] != "```console" {
			continue
		}
		start := i + 1
		for i++; i < len(lines) && lines[i] != "```"; i++ {
		}
		s := parseSession(lines[start:i])
		s.line, s.stands, s.data = start, stands, data
		stands = ""
		all = append(all, s)
	}
	return all
}

func docSessions(text string) []session {
	var all []session
	var block []string
	for i, line := range append(strings.Split(text, "\n"), "") {
		if rest, ok := strings.CutPrefix(line, "\t"); ok {
			block = append(block, rest)
			continue
		}
		if len(block) > 0 && strings.HasPrefix(block[0], "$ ") {
			s := parseSession(block)
			s.line = i - len(block) + 1
			all = append(all, s)
		}
		block = nil
	}
	return all
}

func parseSession(lines []string) session {
	s := session{block: lines}
	for i := 0; i < len(lines); i++ {
		command, ok := strings.CutPrefix(lines[i], "$ ")
		if !ok {
			s.printed++
			s.output = append(s.output, strings.TrimRight(lines[i], " "))
			continue
		}
		for strings.HasSuffix(command, `\`) && i+1 < len(lines) {
			i++
			command += "\n" + lines[i]
		}
		s.printed = 0
		s.commands = append(s.commands, command)
	}
	s.output = trimLines(strings.Join(s.output, "\n"))
	return s
}

func trimLines(text string) []string {
	text = strings.TrimRight(text, "\n ")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}
