package main

import (
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"artifice/cmd/internal/command"
	"artifice/tracer"
)

// TestFlagGroups checks that each flag is in one group of its command's help, that the group
// "Advanced" is last, and that groups name existing flags and modes.
func TestFlagGroups(t *testing.T) {
	root, _ := newRoot(command.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, commands)
	for _, c := range commands {
		name, groups := c.Name, c.Groups
		if groups == nil {
			continue // all flags are in one group
		}
		if last := groups[len(groups)-1].Title; last != "Advanced" {
			t.Errorf("%s: the last group is %q", name, last)
		}
		cmd, _, err := root.Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		shown := map[string]int{}
		for i, g := range groups {
			command.FlagsOf(cmd, groups, i).VisitAll(func(f *pflag.Flag) { shown[f.Name]++ })
			for _, user := range g.Users {
				if !slices.ContainsFunc(tracer.All(), func(t tracer.Tracer) bool { return t.Name == user }) {
					t.Errorf("%s, %s: there is no mode %s", name, g.Title, user)
				}
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if shown[f.Name] != 1 {
				t.Errorf("%s --%s occurs %d times in the help, want 1", name, f.Name, shown[f.Name])
			}
		})
	}
}

// TestHelpSize checks that a description has at most 25 lines and a topic about 60, and that no
// line has more than 100 columns.
func TestHelpSize(t *testing.T) {
	for _, c := range commands {
		status, stdout, stderr := artifice("help", c.Name)
		description, flags, ok := strings.Cut(stdout, "\nUsage:\n")
		if status != exitOK || !ok || !strings.Contains(flags, "Examples:\n  artifice ") {
			t.Fatalf("%s: status %d, no usage or examples: %s%s", c.Name, status, stdout, stderr)
		}
		checkSize(t, c.Name, description, 25)
		checkSize(t, c.Name, flags, 200)
	}
	for _, topic := range command.Topics {
		status, stdout, stderr := artifice("help", topic.Name)
		if status != exitOK || strings.Contains(stdout, "Usage:") {
			t.Errorf("%s: status %d: %s%s", topic.Name, status, stdout, stderr)
		}
		lines := 60
		if topic.Name == "measures" || topic.Name == "tracers" {
			lines = 75 // every measure, and every tracer
		}
		checkSize(t, topic.Name, stdout, lines)
	}
}

func checkSize(t *testing.T, name, text string, most int) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > most || len(lines) < 2 {
		t.Errorf("%s: %d lines, want 2 to %d", name, len(lines), most)
	}
	for _, line := range lines {
		if n := utf8.RuneCountInString(line); n > 100 {
			t.Errorf("%s: %d columns: %s", name, n, line)
		}
	}
}

// TestOptionsHaveFlags checks that each option of a tracer is a flag of record, and that the group
// of the flag names the tracers with this option.
func TestOptionsHaveFlags(t *testing.T) {
	for _, tr := range tracer.All() {
		for _, option := range tr.Uses {
			i := slices.IndexFunc(recordCommand.Groups, func(g command.FlagGroup) bool { return slices.Contains(g.Flags, option) })
			if i < 0 {
				t.Errorf("%s uses option %s, which is in no flag group", tr.Name, option)
			} else if users := recordCommand.Groups[i].Users; !slices.Equal(users, tracer.Using(option)) {
				t.Errorf("--%s is in the group of %q, but %q use it", option, users, tracer.Using(option))
			}
		}
	}
}

// TestRefusedFlags checks that a mode rejects flags that it does not use.
func TestRefusedFlags(t *testing.T) {
	sampling := "--interval=1ms --sampling=1000 --phase=1ms "
	samplers := "--schedule=sleep --safepoint-bias=none --identity=method --slice-end=next "
	device := "--device=A --runtime=art12 --clock=wall --streaming --buffer=8MiB "
	longrun := "--threshold=1s --counter-hz=1000 "
	for mode, refused := range map[string]string{
		"truth":      sampling + samplers + device + longrun + "--release-build",
		"instrument": sampling + samplers + longrun,
		"sample":     longrun + "--release-build",
		"longrun":    sampling + samplers + device + "--release-build",
		"dump":       samplers + device + longrun + "--release-build --portable --until=stop --weight=cpu --by-thread --with-errors",
		"rediff":     sampling + samplers + device + longrun + "--release-build --seed=2 --duration=1s",
	} {
		for _, flag := range strings.Fields(refused) {
			status, _, stderr := artifice("record", "w3-on-off", "--mode", mode, flag, "-o", "-")
			name, _, _ := strings.Cut(flag, "=")
			want := "artifice: " + name + " does not apply to --mode " + mode + "\n"
			if status != exitUsage || !strings.HasPrefix(stderr, want) {
				t.Errorf("--mode %s %s: status %d: %s", mode, flag, status, stderr)
			}
		}
	}
}
