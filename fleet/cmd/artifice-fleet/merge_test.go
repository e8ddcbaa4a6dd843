package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"artifice/fleet/corpus"
)

// TestMerge: adding traces to the profile of others gives the profile of all, byte for byte, for
// any labels, even if some traces have no CPU time.
func TestMerge(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 12, Seed: 5})
	dir := t.TempDir()
	wall := filepath.Join(dir, "wall.txt") // a trace with wall time only
	if err := os.WriteFile(wall, []byte("# artifice text trace\ninfo\tclock\twall\nthread\t1\tmain\nmethod\t0x4\ta.B\tf\t()V\t\t-1\n0 - 1 enter a.B.f()V\n5000 - 1 exit a.B.f()V\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	list := func(name string, paths []string) string {
		text := "path,app\n"
		for i, p := range paths {
			text += p + "," + []string{"mail", "maps", ""}[i%3] + "\n"
		}
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	var good []string
	for _, p := range made.Paths {
		if status, _, _ := fleet(t, "check", p); status == 0 {
			good = append(good, p)
		}
	}
	first, second := list("first.csv", good[:6]), list("second.csv", append(good[6:], wall))
	for _, flags := range [][]string{nil, {"--by", "app"}, {"--threads", "tid"}, {"--by", "app", "--threads", "none"}} {
		out := func(name string) string { return filepath.Join(dir, name+strings.Join(flags, "")+".pb.gz") }
		must(t, append([]string{"profile", first, second, "-o", out("all")}, flags...)...)
		must(t, append([]string{"profile", first, "-o", out("sum")}, flags...)...)
		must(t, append([]string{"profile", second, "--merge", out("sum"), "-o", out("sum")}, flags...)...)
		all, sum := parse(t, out("all")), parse(t, out("sum"))
		if got, want := sum.String(), all.String(); got != want || len(all.Sample) < 5 {
			t.Errorf("%q: %d stacks, of all at once %d", flags, len(sum.Sample), len(all.Sample))
		}
		a, _ := os.ReadFile(out("all"))
		b, _ := os.ReadFile(out("sum"))
		if !bytes.Equal(a, b) {
			t.Errorf("%q: %d bytes, of all at once %d others", flags, len(b), len(a))
		}
	}
}

// TestMergeRefused: profiles that cannot be extended, and the errors.
func TestMergeRefused(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 1, Seed: 5})
	dir := t.TempDir()
	old, single, text := filepath.Join(dir, "old.pb"), filepath.Join(dir, "single.pb"), filepath.Join(dir, "x.txt")
	must(t, "profile", made.Paths[0], "-o", old)
	other, _ := converted(t, made.Paths)
	var b bytes.Buffer
	if err := other.Write(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(single, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(text, []byte("no profile\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		status int
		args   []string
		want   string
	}{
		{2, []string{"--merge", old, "--threads", "none"}, `its labels are "thread", with these --by and --threads they are "no thread"`},
		{1, []string{"--merge", single}, "it does not state its number of traces"},
		{1, []string{"--merge", text}, "x.txt: no profile that traces can be added to"},
		{1, []string{"--merge", filepath.Join(dir, "absent.pb")}, "absent.pb"},
	} {
		out := filepath.Join(dir, "out.pb")
		status, _, messages := fleet(t, append([]string{"profile", made.Paths[0], "-o", out}, c.args...)...)
		if _, err := os.Stat(out); status != c.status || !strings.Contains(messages, c.want) || err == nil {
			t.Errorf("%q: status %d, %s", c.args, status, messages)
		}
	}
}
