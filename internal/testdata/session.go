package testdata

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Session is a block of the manual with commands and their output. Its first line begins with "$
// ".
type Session struct {
	Line     int    // of the page, at the beginning of the session
	StandIn  string // name in the commands to be replaced by real data; empty: none
	Data     string // the real data, a path in the data folder
	Commands []string
	Output   []string // a line "..." matches any lines
	Block    []string // its lines
	Printed  int      // number of lines of output at the end of Block
}

// ofResearch is the beginning of the first command of a session that belongs to module research.
const ofResearch = "cd research && "

// OfResearch reports whether the session runs programs of module research.
func (s *Session) OfResearch() bool { return strings.HasPrefix(s.Commands[0], ofResearch) }

// Run runs the session's commands in a shell in dir and returns the lines they print. program
// replaces the command line that builds and runs it, such as "go run ./cmd/artifice".
func (s *Session) Run(t testing.TB, dir, command, program string) []string {
	t.Helper()
	script := strings.TrimPrefix(strings.Join(s.Commands, "\n"), ofResearch)
	cmd := exec.Command("bash", "-c", strings.ReplaceAll(script, command, program))
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Logf("the shell ends with %v", err)
	}
	return trimLines(out.String())
}

// Prints reports whether got is the session's output.
func (s *Session) Prints(got []string) bool { return matches(s.Output, got) }

// matches reports whether got matches want, where "..." matches any lines.
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

var dataComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^<!-- (\S+): (\S+) -->$`) })

// MarkdownSessions returns the sessions of a page: its fenced blocks marked "console". A comment
// before a session,
//
//	<!-- your.trace: traces/sampled-art-file.trace -->
//
// states the real data of a name in its commands.
func MarkdownSessions(text string) []Session {
	var all []Session
	var standIn, data string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if m := dataComment().FindStringSubmatch(lines[i]); m != nil {
			standIn, data = m[1], m[2]
		}
		if lines[i] != "```console" {
			continue
		}
		start := i + 1
		for i++; i < len(lines) && lines[i] != "```"; i++ {
		}
		s := ParseSession(lines[start:i])
		s.Line, s.StandIn, s.Data = start, standIn, data
		standIn = ""
		all = append(all, s)
	}
	return all
}

// HelpSessions returns the sessions of a help text: its paragraphs that begin with "  $ ". A
// further paragraph that is indented deeper belongs to the output.
func HelpSessions(text string) []Session {
	var all []Session
	for _, paragraph := range strings.Split(strings.ReplaceAll(text, "\n\n   ", "\n\v\n   "), "\n\n") {
		if strings.HasPrefix(paragraph, "  $ ") {
			lines := strings.Split(strings.ReplaceAll(paragraph, "\v", ""), "\n")
			for i := range lines {
				lines[i] = strings.TrimPrefix(lines[i], "  ")
			}
			all = append(all, ParseSession(lines))
		}
	}
	return all
}

// ParseSession returns the session of a block.
func ParseSession(lines []string) Session {
	s := Session{Block: lines}
	for i := 0; i < len(lines); i++ {
		command, ok := strings.CutPrefix(lines[i], "$ ")
		if !ok {
			s.Printed++
			s.Output = append(s.Output, strings.TrimRight(lines[i], " "))
			continue
		}
		for strings.HasSuffix(command, `\`) && i+1 < len(lines) {
			i++
			command += "\n" + lines[i]
		}
		s.Printed = 0
		s.Commands = append(s.Commands, command)
	}
	s.Output = trimLines(strings.Join(s.Output, "\n"))
	return s
}

// trimLines returns the lines of text without spaces at their ends and empty lines at the end.
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

// RunResearch runs the sessions of pages, paths below the repository's root, that run a program of
// module research, and checks what they print: all of them with EXHAUSTIVE or -run, else some. At
// least least must exist. folder is that of the program, from the test's.
func RunResearch(t *testing.T, program, folder string, least, some int, pages ...string) {
	type placed struct {
		Session
		page string
	}
	var sessions []placed
	command := "go run ./" + program
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(Root(), filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range MarkdownSessions(string(text)) {
			if s.OfResearch() && strings.Contains(s.Commands[0], command+" ") {
				sessions = append(sessions, placed{s, page})
			}
		}
	}
	if len(sessions) < least {
		t.Fatalf("%s: only %d sessions of %s", strings.Join(pages, ", "), len(sessions), program)
	}
	dir := t.TempDir()
	built := filepath.Join(dir, program)
	if out, err := exec.Command("go", "build", "-o", built, folder).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, s := range SomeUnlessNamed(t, sessions, some) {
		t.Run(s.Commands[0], func(t *testing.T) {
			if got := s.Run(t, dir, command, built); !s.Prints(got) {
				t.Errorf("%s:%d: the manual says:\n%s\n\nthe commands print:\n%s", s.page, s.Line, strings.Join(s.Output, "\n"), strings.Join(got, "\n"))
			}
		})
	}
}
