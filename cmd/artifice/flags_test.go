package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"artifice/tracer"
)

func TestDidYouMean(t *testing.T) {
	known := []string{"cold-start", "w3-on-off", "art", "art-stream"}
	for word, want := range map[string]string{
		"cold-strat": ` (did you mean "cold-start"?)`,
		"cold":       ` (did you mean "cold-start"?)`,
		"w3-onoff":   ` (did you mean "w3-on-off"?)`,
		"ART":        ` (did you mean "art"?)`,
		"art-steam":  ` (did you mean "art-stream"?)`,
		"zzz":        "",
		"":           "",
	} {
		if got := didYouMean(word, known); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// TestFlagGroups: every flag stands in one group of its command's help, those of
// no group with the first, and groups name flags and modes that exist.
func TestFlagGroups(t *testing.T) {
	root, _ := newRoot(stdio{strings.NewReader(""), io.Discard, io.Discard}, commands)
	for name, groups := range flagGroups {
		cmd, _, err := root.Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		shown := map[string]int{}
		for i, g := range groups {
			flagsOf(cmd, groups, i).VisitAll(func(f *pflag.Flag) { shown[f.Name]++ })
			for _, user := range g.users {
				if !slices.ContainsFunc(tracer.All(), func(t tracer.Tracer) bool { return t.Name == user }) {
					t.Errorf("%s, %s: no mode is called %s", name, g.title, user)
				}
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if shown[f.Name] != 1 {
				t.Errorf("%s --%s stands %d times in the help", name, f.Name, shown[f.Name])
			}
		})
	}
}

// TestOptionsHaveFlags: every option that a tracer uses is a flag, in a group of
// record's help that stands for just the tracers that use it.
func TestOptionsHaveFlags(t *testing.T) {
	for _, tr := range tracer.All() {
		for _, option := range tr.Uses {
			i := slices.IndexFunc(recordGroups, func(g flagGroup) bool { return slices.Contains(g.flags, option) })
			if i < 0 {
				t.Errorf("%s uses the option %s, which is in no group of flags", tr.Name, option)
			} else if users := recordGroups[i].users; !slices.Equal(users, tracer.Using(option)) {
				t.Errorf("--%s is in the group of %q, and used by %q", option, users, tracer.Using(option))
			}
		}
	}
}

// TestRefusedFlags: a mode refuses each flag that it has no use for.
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
		"dump":       samplers + device + longrun + "--release-build --portable --until=stop --value=cpu --by-thread --with-errors",
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
