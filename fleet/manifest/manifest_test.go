package manifest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
)

// put writes files that contain their own names.
func put(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func paths(t *testing.T, dir string, sources ...string) (list []string) {
	t.Helper()
	files, err := List(t.Context(), sources, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		if f.Index != i {
			t.Errorf("%s has index %d at place %d", f.Path, f.Index, i)
		}
		list = append(list, strings.TrimPrefix(f.Path, dir+"/"))
	}
	return list
}

func TestFoldersGlobsAndFiles(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "b.trace", "a.trace", "below/c.trace", ".hidden", ".git/x", "pair.key", "pair.data", "alone.data", "odd[1].trace")
	for _, test := range []struct {
		sources []string
		want    []string
	}{
		{[]string{dir}, []string{"a.trace", "alone.data", "b.trace", "below/c.trace", "odd[1].trace", "pair.key"}},
		{[]string{dir + "/*.trace"}, []string{"a.trace", "b.trace", "odd[1].trace"}},
		{[]string{dir + "/*a*"}, []string{"a.trace", "alone.data", "b.trace", "odd[1].trace", "pair.key"}},
		{[]string{dir + "/?.trace"}, []string{"a.trace", "b.trace"}},
		{[]string{dir + "/b.trace", dir + "/*.trace"}, []string{"b.trace", "a.trace", "odd[1].trace"}},
		{[]string{dir + "/odd[1].trace"}, []string{"odd[1].trace"}}, // an existing file with this name is not a glob
		{[]string{dir + "/missing.trace"}, []string{"missing.trace"}},
	} {
		if diff := cmp.Diff(test.want, paths(t, dir, test.sources...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.sources, diff)
		}
	}
	if _, err := List(t.Context(), []string{dir + "/*.nothing"}, nil); err == nil {
		t.Error("a glob that stands for nothing is no error")
	}
}

// TestOtherFileSystems reads a manifest and a glob from Beam's file system in memory.
func TestOtherFileSystems(t *testing.T) {
	memfs.Write("memfs://fleet/list.csv", []byte("path,app\nsub/a.trace,mail\nmemfs://other/b.trace,maps\n"))
	memfs.Write("memfs://fleet/sub/a.trace", []byte("12345"))
	memfs.Write("memfs://other/b.trace", []byte("1"))
	files, err := List(t.Context(), []string{"memfs://fleet/list.csv", "memfs://fleet/sub/*", "memfs://fleet/sub/"}, nil)
	want := []File{
		{0, "memfs://fleet/sub/a.trace", map[string]string{"app": "mail"}, 5},
		{1, "memfs://other/b.trace", map[string]string{"app": "maps"}, 1},
	}
	if diff := cmp.Diff(want, files); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestRead(t *testing.T) {
	for _, test := range []struct{ name, text string }{
		{"dir/list.csv", "\ufeffapp, path ,build\nmail,a.trace,7\n\"maps, beta\",/abs/b.trace,\n"},
		{"dir/list.jsonl", `{"path": "a.trace", "app": "mail", "build": 7}` + "\n\n" + `{"path": "/abs/b.trace", "app": "maps, beta", "build": null}`},
	} {
		files, err := Read(strings.NewReader(test.text), test.name)
		want := []File{
			{Path: "dir/a.trace", Labels: map[string]string{"app": "mail", "build": "7"}},
			{Path: "/abs/b.trace", Labels: map[string]string{"app": "maps, beta"}},
		}
		if diff := cmp.Diff(want, files); err != nil || diff != "" {
			t.Error(test.name, err, diff)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a.csv", "", "list is empty"},
		{"a.csv", "app,version\nx,y\n", "line 1 has no column path"},
		{"a.csv", "path,app,app\n", `names the column "app" twice`},
		{"a.csv", "path,app\na.trace\n", "line 2"},
		{"a.csv", "path,app\na.trace,x\n,y\n", "line 3 has no path"},
		{"a.jsonl", "{\"path\": \"a\"}\n{\"app\": \"x\"}\n", "line 2 has no path"},
		{"a.jsonl", "nonsense\n", "line 1 is no JSON object"},
		{"a.jsonl", `{"path": "a", "app": ["x"]}`, "line 1: app is a list or an object"},
	} {
		_, err := Read(strings.NewReader(test.text), test.name)
		if err == nil || !strings.Contains(err.Error(), strings.Replace(test.want, "list is", "manifest is", 1)) || !strings.HasPrefix(err.Error(), test.name+": ") {
			t.Errorf("%q: %v, want %q", test.text, err, test.want)
		}
	}
}

// TestDeal: every file is in one list, the largest shares its list with little else, and no list
// has twice its share.
func TestDeal(t *testing.T) {
	files := []File{{Index: 0, Bytes: 10 << 20}}
	for i := range 100 {
		files = append(files, File{Index: i + 1, Bytes: 100 << 10})
	}
	hands := Deal(files, 4)
	seen := map[int]bool{}
	for i, hand := range hands {
		sum := int64(0)
		for _, f := range hand {
			if seen[f.Index] {
				t.Errorf("file %d is in two hands", f.Index)
			}
			seen[f.Index] = true
			sum += f.Bytes
		}
		if i == 0 && len(hand) != 1 || sum > 10<<20 {
			t.Errorf("hand %d has %d files, %d bytes", i, len(hand), sum)
		}
	}
	if len(seen) != len(files) {
		t.Errorf("%d of %d files are dealt", len(seen), len(files))
	}
	if n := len(Deal(files[:2], 8)); n != 2 {
		t.Errorf("2 files are dealt to %d hands", n)
	}
}

// FuzzRead: a manifest gives files with paths, or an error with the manifest's name.
func FuzzRead(f *testing.F) {
	f.Add("path,app\na.trace,x\n", false)
	f.Add(`{"path": "a", "app": true}`, true)
	f.Fuzz(func(t *testing.T, text string, isJSON bool) {
		name := "list.csv"
		if isJSON {
			name = "list.jsonl"
		}
		files, err := Read(strings.NewReader(text), name)
		if err != nil && !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("error without the name: %v", err)
		}
		for _, file := range files {
			if file.Path == "" {
				t.Error("a file without a path")
			}
		}
	})
}
