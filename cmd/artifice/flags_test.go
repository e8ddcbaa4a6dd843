package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"artifice/cmd/artifice/command"
	"artifice/tracer"
)

// TestFlagGroups: every flag stands in one group of its command's help, those of
// no group with the first, and groups name flags and modes that exist.
func TestFlagGroups(t *testing.T) {
	root, _ := newRoot(command.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, commands)
	for _, c := range commands {
		name, groups := c.Name, c.Groups
		if groups == nil {
			continue // they are one
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
					t.Errorf("%s, %s: no mode is called %s", name, g.Title, user)
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
			i := slices.IndexFunc(recordCommand.Groups, func(g command.FlagGroup) bool { return slices.Contains(g.Flags, option) })
			if i < 0 {
				t.Errorf("%s uses the option %s, which is in no group of flags", tr.Name, option)
			} else if users := recordCommand.Groups[i].Users; !slices.Equal(users, tracer.Using(option)) {
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

// TestMovedFlags: flags of earlier releases print which program does their work now.
func TestMovedFlags(t *testing.T) {
	for args, want := range map[string]string{
		"bench --verify":                "artifice: bench --verify moved: cd research && go run ./verify\n",
		"bench w3-on-off --trust":       "artifice: bench --trust moved: cd research && go run ./trust SOURCE\n",
		"bench a b --trust --verify":    "artifice: bench --verify moved: cd research && go run ./verify\n",
		"bench --csv --seed 2 --verify": "artifice: bench --verify moved: cd research && go run ./verify\n",
	} {
		if status, stdout, stderr := artifice(strings.Fields(args)...); status != exitUsage || stdout != "" || !strings.HasPrefix(stderr, want) {
			t.Errorf("%s: status %d: %s%s", args, status, stdout, stderr)
		}
	}
}
