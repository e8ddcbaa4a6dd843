package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	commandpkg "artifice/cmd/internal/command"
)

// TestComplete checks that completion offers the values that the program accepts.
func TestComplete(t *testing.T) {
	for line, want := range map[string]string{
		"record --mode s":               "sample",
		"record w3":                     "w3-on-off",
		"record --runtime art1":         "art10 art11 art12 art13 art14 art14qpr2 art15 art16 art17",
		"record --device t":             "tick30",
		"record --format art-v2":        "art-v2-15 art-v2-16 art-v2-17",
		"record --mode dump --format j": "jsonl jvm",
		"record --identity ":            "method method+line call",
		"convert x --identity ":         "method method+line",
		"convert --slice-end m":         "mid",
		"bench x --modes sample,poi":    "sample,poisson",
		"bench --device A,B":            "A,B",
		"list --workload cold":          "cold-start",
		"check --for all":               "all",
		"check --explain N20":           "N201",
		"fixtures --load art,art-str":   "art,art-stream",
	} {
		var out strings.Builder
		args := append([]string{"__completeNoDesc"}, strings.Split(line, " ")...)
		if status := run(t.Context(), args, commandpkg.Stdio{In: strings.NewReader(""), Out: &out, Err: io.Discard}); status != 0 {
			t.Errorf("%s: status %d", line, status)
		}
		got := strings.Fields(out.String())
		for _, word := range strings.Fields(want) {
			if !slices.Contains(got, word) {
				t.Errorf("%s: %s is not offered; got %s", line, word, got)
			}
		}
	}
}

// TestCompletionsHaveFlags checks that every entry of Completions names an existing flag.
func TestCompletionsHaveFlags(t *testing.T) {
	root, _ := newRoot(commandpkg.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, commands)
	for name, entries := range commandpkg.Completions {
		command, flag, ofOne := strings.Cut(name, " ")
		if !ofOne {
			flag = name
		}
		known := slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool {
			return (!ofOne || c.Name() == command) && c.Flags().Lookup(flag) != nil
		})
		if !known || len(entries()) == 0 {
			t.Errorf("%s: known %t, %d values", name, known, len(entries()))
		}
	}
}
