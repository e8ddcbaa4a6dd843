package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"artifice/cmd/internal/command"
	"artifice/internal/testdata"
)

// conditional are flags whose default depends on other flags, as their descriptions state.
var conditional = map[string]string{
	"report --late-frames": "selects another report",
	"bench --modes":        "-o adds modes",
}

// inapplicable matches messages that a flag does not apply to a source or to another flag.
var inapplicable = regexp.MustCompile(`^exit status 2: artifice: --[a-z-]+ (of .* )?(applies to|does not apply)`)

// TestExplicitDefaults checks that a flag set to its default changes neither the output nor the
// messages of a command, except if conditional states why. A flag that does not apply is an error
// with any value. If the tests are not exhaustive, it tries one line of each command.
func TestExplicitDefaults(t *testing.T) {
	testdata.Seldom(t, 4)
	dir := t.TempDir()
	t.Chdir(dir)
	app := `name: app
duration: 200ms
methods:
  a.A.loop()V: {}
  a.A.work()V: {do: [{self: exp 3ms}]}
  a.A.draw()V: {do: [{self: 1ms}]}
threads:
  - {name: main, stack: [a.A.loop], do: [{loop: forever, do: [{call: a.A.work}, {call: a.A.draw}]}]}
`
	if err := os.WriteFile("app.yaml", []byte(app), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"record", "app.yaml", "--mode", "truth", "-o", "truth.trace"},
		{"record", "app.yaml", "--mode", "instrument", "--device", "A", "-o", "calls.trace"},
		{"record", "app.yaml", "--interval", "1ms", "--device", "A", "-o", "sampled.trace"},
	} {
		if status, _, stderr := artifice(args...); status != exitOK {
			t.Fatalf("%q: %s", args, stderr)
		}
	}
	lines := map[string][][]string{
		"bench":     {{"calls.trace"}, {"app.yaml"}, {"app.yaml", "--slow", "a.A.draw=2"}},
		"calibrate": {{"sampled.trace"}, {"calls.trace"}},
		"check":     {{"sampled.trace"}},
		"convert":   {{"sampled.trace", "-o", "out"}},
		"diff":      {{"sampled.trace", "--to", "sampled.trace"}},
		"info":      {{"sampled.trace"}},
		"lab":       {{"app.yaml", "-o", "out.html"}},
		"plan":      {{"app.yaml", "--method", "a.A.draw"}},
		"record":    {{"app.yaml", "-o", "out.trace"}, {"calls.trace", "-o", "out.trace"}, {"app.yaml", "--mode", "instrument", "-o", "out.trace"}},
		"report":    {{"sampled.trace"}, {"calls.trace"}},
		"score":     {{"truth.trace", "sampled.trace"}},
		"view":      {{"sampled.trace", "-o", "out.html"}, {"truth.trace", "--sample", "2ms", "-o", "out.html"}},
	}
	root, _ := newRoot(command.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, commands)
	tried, tested := 0, 0
	for _, c := range commands {
		cmd, _, err := root.Find([]string{c.Name})
		if err != nil {
			t.Fatal(err)
		}
		for _, args := range testdata.SomeUnlessNamed(t, lines[c.Name], 1) {
			tried++
			args = append([]string{c.Name}, args...)
			want := allOutput(t, dir, args)
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				value := f.DefValue
				if list, ok := f.Value.(pflag.SliceValue); ok {
					value = strings.Join(list.GetSlice(), ",")
				}
				given := strings.Contains(strings.Join(args, " ")+" ", " -"+f.Shorthand+" ") || strings.Contains(strings.Join(args, " "), "--"+f.Name)
				if value == "" || given || f.Name == "help" || conditional[c.Name+" --"+f.Name] != "" {
					return
				}
				switch f.Value.Type() {
				case "int", "int64", "uint64", "float64", "duration":
					if value == "0" || value == "0s" {
						return // the help states no default; the description states what applies
					}
				}
				tested++
				if got := allOutput(t, dir, append(args, "--"+f.Name+"="+value)); got != want && !inapplicable.MatchString(got) {
					t.Errorf("%s: --%s=%s changes the output\n%.800s\n--- without it\n%.800s", strings.Join(args, " "), f.Name, value, got, want)
				}
			})
		}
	}
	if tried < len(lines) || tested < 4*tried {
		t.Errorf("only %d defaults of %d command lines were tested", tested, tried)
	}
}

// allOutput returns the output of a command, and the content of the file out* that it writes in
// dir.
func allOutput(t *testing.T, dir string, args []string) string {
	t.Helper()
	status, stdout, stderr := artifice(args...)
	if status > 1 {
		return "exit status " + string(rune('0'+status)) + ": " + stderr
	}
	all := stdout + stderr
	names, _ := filepath.Glob(filepath.Join(dir, "out*"))
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all += string(content)
		os.Remove(name)
	}
	return all
}
