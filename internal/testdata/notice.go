package testdata

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// CheckNotice fails a test unless a NOTICE lists exactly the modules that are linked into a
// program for Linux, macOS or Windows, according to go list.
func CheckNotice(t testing.TB, notice, program string) {
	t.Helper()
	var want []string
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", program)
		list.Env = append(os.Environ(), "GOOS="+system)
		out, err := list.Output()
		if err != nil {
			t.Fatalf("%s for %s: %v", program, system, err)
		}
		want = append(want, strings.Fields(string(out))...)
	}
	slices.Sort(want)
	want = slices.DeleteFunc(slices.Compact(want), func(path string) bool { return path == "artifice" })
	text, err := os.ReadFile(notice)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range regexp.MustCompile(`(?m)^  (\S+) +\S`).FindAllStringSubmatch(string(text), -1) {
		got = append(got, line[1])
	}
	for _, path := range want {
		if !slices.Contains(got, path) {
			t.Errorf("%s lacks %s", notice, path)
		}
	}
	for _, path := range got {
		if !slices.Contains(want, path) {
			t.Errorf("%s has %s, which is not in %s", notice, path, program)
		}
	}
	if len(want) < 5 {
		t.Errorf("%s consists of %s only: the output of go list is incomplete", program, want)
	}
}
