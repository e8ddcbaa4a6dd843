package main

import (
	"regexp"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// TestSections checks that ends close sections by name, that surplus ends are ignored, and that a
// trace of sections is not a ground truth of calls. The times are differences of the timestamps in
// the files.
func TestSections(t *testing.T) {
	for _, c := range []struct {
		args string // FILE is in data/field
		want []string
	}{
		{"report extra-ends.ftrace.txt", []string{`, sections marked by the app, not every call, 1 thread\n`, `(?m)^3 ms +100\.0 % +3 ms +3 +frame$`, `3 ends ignored`}},
		{"report named-ends.ftrace.txt", []string{`(?m)^6 ms +66\.7 % +9 ms +1 +complete_commit$`, `(?m)^3 ms +33\.3 % +3 ms +1 +prepare_commit$`}},
		{"info systrace-names.html --threads", []string{`RenderThread`}},
		{"bench extra-ends.ftrace.txt --intervals 1ms", []string{`No recommendation: the source has sections that the app marks`}},
		{"info extra-ends.ftrace.txt", []string{`Where time is spent: artifice report`}},
	} {
		args := strings.Fields(c.args)
		args[1] = testdata.Path(t, "field", args[1])
		status, stdout, stderr := artifice(args...)
		if status != exitOK {
			t.Fatal(stderr)
		}
		text := stdout + stderr
		for _, want := range c.want {
			if !regexp.MustCompile(want).MatchString(text) {
				t.Errorf("%s: nothing matches %s:\n%s", c.args, want, text)
			}
		}
		if args[0] == "info" && strings.Contains(text, "artifice bench") {
			t.Errorf("%s suggests bench:\n%s", c.args, text)
		}
	}
}
