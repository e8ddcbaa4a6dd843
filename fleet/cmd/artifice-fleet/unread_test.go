package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"artifice/fleet/corpus"
)

// silent is a file system with files that exist and never return data.
type silent struct{ filesystem.Interface }

func init() {
	filesystem.Register("silent", func(ctx context.Context) filesystem.Interface { return silent{memfs.New(ctx)} })
}

func (silent) Size(context.Context, string) (int64, error) { return 1000, nil }

func (silent) OpenRead(context.Context, string) (io.ReadCloser, error) { select {} }

// TestTimeout: a file that returns no data is unread after the time limit, in its file system and
// on this machine, and the others are read.
func TestTimeout(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 3, Seed: 10})
	out := filepath.Join(t.TempDir(), "all.pb.gz")
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	_, messages := partly(t, append([]string{"profile", "-o", out, "--timeout", "5s", "silent://bucket/x.trace"}, made.Paths...)...)
	if !strings.Contains(messages, "silent://bucket/x.trace: not read within 5s; allow more with --timeout\n") || !strings.Contains(messages, "the sum of 3 traces\n") {
		t.Error(messages)
	}
	status, _, messages := fleet(t, "check", made.Manifest, "--timeout", "1ns")
	if status != exitFailed || strings.Count(messages, ": not read within 1ns; allow more with --timeout\n") != 3 {
		t.Errorf("status %d: %s", status, messages)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("%d folders are left, such as %v; %v", len(left), left[:min(1, len(left))], err)
	}
}

// TestTwoLabels: a file listed with two apps counts for both, and once if results are not grouped
// by app.
func TestTwoLabels(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 1, Seed: 11})
	dir := t.TempDir()
	list := filepath.Join(dir, "list.csv")
	if err := os.WriteFile(list, []byte("path,app\n"+made.Paths[0]+",mail\n"+made.Paths[0]+",maps\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	once, twice, apart := filepath.Join(dir, "once.pb"), filepath.Join(dir, "twice.pb"), filepath.Join(dir, "apart")+"/"
	must(t, "profile", list, "-o", once)
	must(t, "profile", list, "--by", "app", "-o", twice)
	must(t, "profile", list, "--by", "app", "-o", apart)
	want, _ := converted(t, made.Paths)
	want.RemoveNumLabel("tid")
	compare(t, want, parse(t, once))
	for app, name := range map[string]string{"mail": "app=mail.pb.gz", "maps": "app=maps.pb.gz"} {
		both, one := parse(t, twice), parse(t, apart+name)
		for _, s := range both.Sample {
			if len(s.Label["app"]) != 1 {
				t.Fatalf("a stack of the apps %q", s.Label["app"])
			}
		}
		if n := len(one.Sample); n == 0 || len(both.Sample) != 2*n || one.Sample[0].Label["app"][0] != app {
			t.Errorf("%s: %d stacks, of both apps %d", app, n, len(both.Sample))
		}
		one.RemoveLabel("app")
		compare(t, want, one)
	}
}
