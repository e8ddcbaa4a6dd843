package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"artifice/cmd/internal/command"
	"artifice/internal/testdata"
)

// TestManual runs every session of README.md and of the pages in docs in order. Each page has its
// own folder with the project's testdata. The sessions of testdata/README.md rewrite those files in
// their folder. A comment before a session,
//
//	<!-- your.trace: traces/sampled-art-file.trace -->
//
// maps a name to a real file or folder, in this session and the following ones. Sessions with such
// a name are skipped if the real data is missing.
func TestManual(t *testing.T) {
	testdata.Seldom(t, 4)
	pages, err := filepath.Glob(filepath.Join(testdata.Root(), "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("docs has no pages: %v", err)
	}
	pages = append(pages, filepath.Join(testdata.Root(), "README.md"), filepath.Join(testdata.Root(), "testdata", "README.md"))
	tried := testdata.SomeUnlessNamed(t, pages, 2)
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
		all := testdata.MarkdownSessions(string(text))
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

// TestDocumentedFigure checks that the picture in docs/tracers.md equals the output of the command
// next to it.
func TestDocumentedFigure(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(testdata.Root(), "docs", "tracers.md"))
	if err != nil {
		t.Fatal(err)
	}
	const command = "artifice bench testdata/scroll.txt -o plots/"
	if !strings.Contains(strings.Join(strings.Fields(string(page)), " "), "`"+command+"` draws this figure as `plots/overview.svg`") {
		t.Fatalf("docs/tracers.md does not have the command %s", command)
	}
	want, err := os.ReadFile(filepath.Join(testdata.Root(), "docs", "overview.svg"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(testdata.Root(), "testdata"), filepath.Join(dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	(&testdata.Session{Commands: []string{command}}).Run(t, dir, "go run ./cmd/artifice", "artifice")
	if got, err := os.ReadFile(filepath.Join(dir, "plots", "overview.svg")); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/overview.svg (%d bytes) differs from the command's output (%d bytes, %v)", len(want), len(got), err)
	}
}

// TestDocComment runs the sessions of the program's doc comment.
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

// helpTraces are the commands that write the traces used in the help of commands.
const helpTraces = `artifice record testdata/startup.txt.gz --mode truth -o truth.trace -q
artifice record testdata/startup.txt.gz --interval 1ms -o app.trace -q
artifice record testdata/tiny.txt --interval 2ms -o s.trace -q
for i in 1 2 3 4 5; do artifice record scroll-60hz --seed $i --interval 5ms --device A -o old$i.trace -q; done
for i in 6 7 8 9 10; do artifice record scroll-60hz --seed $i --interval 5ms --device A -o new$i.trace -q; done`

// TestHelpSessions runs the sessions in the help of commands, of some of them if the tests are not
// exhaustive. Every command has a session.
// TestLabPage of research/internal/pages runs that of lab, which compiles the page's program.
func TestHelpSessions(t *testing.T) {
	testdata.Seldom(t, 4)
	root, _ := newRoot(command.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, commands)
	var all [][]testdata.Session // by command
	for _, cmd := range root.Commands() {
		found := testdata.HelpSessions(cmd.Long)
		if len(found) == 0 && slices.ContainsFunc(commands, func(c command.Command) bool { return c.Name == cmd.Name() }) {
			t.Errorf("the help of %s has no session", cmd.Name())
		}
		if cmd.Name() != labCommand.Name {
			all = append(all, found)
		}
	}
	sessions := []testdata.Session{{Commands: []string{helpTraces}}}
	runSessions(t, "help", append(sessions, slices.Concat(testdata.SomeUnlessNamed(t, all, 6)...)...))
}

func runSessions(t *testing.T, file string, sessions []testdata.Session) {
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(testdata.Root(), "testdata"), filepath.Join(dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	stand := map[string]string{} // real files by name, as defined so far in the page
	for _, s := range sessions {
		if s.StandIn != "" {
			stand[s.StandIn] = s.Data
		}
		if s.OfResearch() {
			continue // module research tests it
		}
		t.Run(s.Commands[0], func(t *testing.T) {
			for name, data := range stand {
				if !strings.Contains(strings.Join(s.Commands, "\n"), name) {
					continue
				}
				link := filepath.Join(dir, name)
				os.Remove(link)
				if err := os.Symlink(testdata.Path(t, filepath.FromSlash(data)), link); err != nil {
					t.Fatal(err)
				}
			}
			got := s.Run(t, dir, "go run ./cmd/artifice", "artifice")
			if *update && !s.Prints(got) && strings.HasSuffix(file, ".md") {
				rewrite(t, filepath.Join(testdata.Root(), file), &s, got)
			} else if !s.Prints(got) {
				t.Errorf("%s:%d: the page has:\n%s\n\nthe commands print:\n%s", file, s.Line,
					strings.Join(s.Output, "\n"), strings.Join(got, "\n"))
			}
		})
	}
}

func docSessions(text string) []testdata.Session {
	var all []testdata.Session
	var block []string
	for i, line := range append(strings.Split(text, "\n"), "") {
		if rest, ok := strings.CutPrefix(line, "\t"); ok {
			block = append(block, rest)
			continue
		}
		if len(block) > 0 && strings.HasPrefix(block[0], "$ ") {
			s := testdata.ParseSession(block)
			s.Line = i - len(block) + 1
			all = append(all, s)
		}
		block = nil
	}
	return all
}
