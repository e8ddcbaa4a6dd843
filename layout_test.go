// Package artifice has no code: this folder holds the module's tests of itself.
package artifice

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers are the packages in import order: a package may import those of
// earlier layers, and of its own layer what sameLayer lists. The order is that in
// which data flows: vocabulary, what everything stands on, ways of tracing,
// sources and sinks, what is built of them, the program.
var layers = [][]string{
	{"trace", "internal/yamlfile", "internal/words", "internal/resample", "internal/cli", "internal/cli", "internal/pack", "internal/decimal", "internal/rhea", "internal/chart", "view/internal/inpage", "internal/chart", "internal/protobuf", "internal/browser", "view", "view", "internal/browser", "research/internal/peers/node", "research/internal/peers/seen", "internal/testdata"},
	{"trace/stats", "trace/text", "internal/recorder", "workload/internal/dist", "sampler", "research/internal/literal", "view", "research/internal/peers/dmtracedump", "research/internal/peers/firefoxprofiler", "research/internal/peers/speedscope", "research/internal/peers/traceprocessor", "research/internal/peers/catapult", "research/internal/peers/flamegraph", "research/internal/peers/tracers", "internal/decode", "internal/dmformat", "internal/eventlog", "internal/eventlog", "internal/profileproto", "internal/testdata", "research/internal/art11"},
	{"workload/internal/machine", "sampler", "format/dmtrace"},
	{"diffstack", "trace/calltree", "internal/recorder", "art", "format/dmtrace", "format/dmtrace", "format/dmtrace", "workload", "trace/filter", "research/internal/peers/outputs", "internal/encode"},
	{"report/estimate", "sampler", "sampler"},
	{"report"},
	{"sampler", "instrument", "sampler/thread"},
	{"tracer/device", "format/dmtrace", "internal/encode", "format/stackdump", "format/internal/timeline"},
	{"report/diff", "report", "report", "report", "bench/score", "bench/score", "bench/measure", "bench/score", "bench/score", "bench/measure"},
	{"tracer", "fixtures/truths", "format"},
	{"format/anr", "format/internal/blockinfo", "format/internal/btrace", "format/internal/chrome", "format/internal/cpuprofile", "format/internal/firefox", "format/folded", "format/ftrace", "format/internal/jfr", "format/jsonlines", "format/jvm", "format/internal/matrix", "format/dmtrace", "format/internal/nanoscope", "format/internal/perf", "format/internal/perfetto", "format/pprof", "format/internal/profilo", "format/internal/rhea", "format/internal/simpleperf", "format/internal/speedscope", "format/dmtrace"},
	{"format"},
	{"format", "format/check", "format/formattest", "format/formattest", "bench", "bench/score", "bench/law", "tracer/artgolden", "research/internal/art11/matrix"},
	{"fixtures", "report/plan", "bench/report", "bench", "research/internal/coverage", "research/internal/verify", "view/ranges", "cmd/artifice/viewing", "view"},
	{"view"},
	{"view/lab", "view/lab/program"},
	{"view/lab/wasm", "view/ranges/wasm"},
	{"cmd/artifice/command"},
	{"cmd/artifice/command", "cmd/artifice/command"},
	{"cmd/artifice/command"},
	{"cmd/artifice/recording", "cmd/artifice/accuracy", "cmd/artifice/reading"},
	{"cmd/artifice/viewing"},
	{"cmd/artifice", "research/verify", "research/race", "research/growth", "research/faults", "research/reality", "research/reality/logged", "research/reality/profilers", "research/reality/waiting", "research/trust", "research/power", "research/readers", "research/corpus", "scripts/unchanged", "research/artwriters", "research/art", "research/art16", "scripts/release", "research/lateness", "research/literature"},
	// The module of the fleet, which nothing outside of it imports.
	{"fleet/manifest", "fleet/profile", "fleet/sweep", "fleet/corpus", "fleet/local"},
	{"fleet/job"},
	{"fleet/cmd/artifice-fleet", "fleet/scripts/growth", "fleet/scripts/trial"},
}

// sameLayer are the imports within a layer.
var sameLayer = map[string][]string{
	"bench":                      {"bench/score", "bench/law"},
	"bench/measure":              {"bench/measure"},
	"format/check":               {"format"},
	"format/pprof":               {"format/folded"},
	"format/internal/perfetto":   {"format/internal/perf"}, // names of frames in machine code
	"format/internal/simpleperf": {"format/internal/perf"},
	"internal/cli":               {"internal/pack"},
	"research/reality":           {"research/reality/profilers", "research/reality/waiting"},
	"internal/eventlog":          {"internal/eventlog"},
	"internal/browser":           {"internal/browser"},
}

// home says which packages may import a dependency, by the beginning of its
// path. A dependency without a line may not be imported at all.
var home = map[string][]string{
	"github.com/apache/beam":          {"fleet"},
	"google.golang.org/grpc":          {"fleet/cmd"}, // a pool of Beam's workers is a service
	"github.com/google/pprof":         {"format/pprof", "fleet", "view"},
	"github.com/klauspost/compress":   {"internal/pack", "format/ftrace", "format/internal/perfetto", "view", "fleet/corpus"}, // flate, faster than the standard one
	"google.golang.org/protobuf":      {"internal/protobuf", "research/internal/peers/tracers", testsOnly},                    // its wire encoding
	"gonum.org/v1/gonum":              {"workload", "bench", "tracer/device", "report", "research"},
	"github.com/goccy/go-yaml":        {"internal/yamlfile"},
	"github.com/spf13/cobra":          {"cmd/artifice", "fleet/cmd"},
	"github.com/spf13/pflag":          {"cmd/artifice"},
	"golang.org/x/sync":               {"fleet/local"}, // branches of a pipeline, of which the first error ends all
	"golang.org/x/term":               {"internal/cli"},
	"github.com/google/go-cmp":        {testsOnly},
	"github.com/rogpeppe/go-internal": {testsOnly},
	"artifice/format/formattest":      {testsOnly},
	"artifice/internal/testdata":      {testsOnly, "format/formattest", "fixtures/truths", "scripts", "research"},
	"artifice/fixtures/truths":        {testsOnly, "research"},
}

// forTests are the packages that only tests may import, apart from what home says.
var forTests = []string{"format/formattest", "format/formattest", "internal/testdata", "fixtures/truths"}

// testsOnly in home stands for test files of every package.
const testsOnly = "*_test.go"

// TestImports holds the imports of every source file against the tables, and the
// tables against the sources: a line that nobody uses is an error, too. The
// sources themselves are read: what go list answers is cached and can be of
// another state of the tree.
func TestImports(t *testing.T) {
	layerOf := map[string]int{}
	for i, layer := range layers {
		for _, pkg := range layer {
			layerOf[pkg] = i
		}
	}
	used := map[string]bool{} // permissions, and packages that are there
	for file, imports := range sources(t) {
		pkg := filepath.ToSlash(filepath.Dir(file))
		if pkg == "." {
			continue
		}
		used[pkg] = true
		own, ok := layerOf[pkg]
		if !ok {
			t.Errorf("%s: package %s is in no layer", file, pkg)
			continue
		}
		for _, path := range imports {
			inner, isOurs := strings.CutPrefix(path, "artifice/")
			switch {
			case strings.HasSuffix(file, "_test.go") && (allowed(path, testsOnly, used) || isOurs):
			case isOurs && !slices.Contains(forTests, inner):
				other, ok := layerOf[inner]
				if ok && other == own && slices.Contains(sameLayer[pkg], inner) {
					used[pkg+" imports "+inner] = true
				} else if !ok || other >= own {
					t.Errorf("%s: %s may not import %s", file, pkg, inner)
				}
			case (isOurs || strings.Contains(strings.Split(path, "/")[0], ".")) && !allowed(path, pkg, used):
				t.Errorf("%s: %s is not at home in %s", file, path, pkg)
			}
		}
	}
	unused(t, layerOf, used)
}

// unused reports the lines of the tables that no source needs.
func unused(t *testing.T, layerOf map[string]int, used map[string]bool) {
	for pkg := range layerOf {
		if !used[pkg] {
			t.Errorf("layers has package %s, which does not exist", pkg)
		}
	}
	for pkg, others := range sameLayer {
		for _, other := range others {
			if !used[pkg+" imports "+other] {
				t.Errorf("sameLayer lets %s import %s, which it does not", pkg, other)
			}
		}
	}
	for prefix, homes := range home {
		for _, h := range homes {
			if !used[prefix+" in "+h] {
				t.Errorf("home lets %s import %s, which it does not", h, prefix)
			}
		}
	}
}

// allowed reports whether the dependency path has a home in pkg.
func allowed(path, pkg string, used map[string]bool) bool {
	for prefix, homes := range home {
		if !strings.HasPrefix(path, prefix) {
			continue
		}
		for _, h := range homes {
			if h == pkg || strings.HasPrefix(pkg, h+"/") {
				used[prefix+" in "+h] = true
				return true
			}
		}
	}
	return false
}

// sources returns the imports of every Go file, by its path.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != "." && (name == "testdata" && path != "internal/testdata" || path == "research/pending" || name[0] == '.') {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files[path] = nil
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			files[path] = append(files[path], imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// mostFiles is how many source files, without tests, a folder has at most, so that its list is
// read at a glance.
const mostFiles = 20

// TestFolders holds the number of source files in each folder.
func TestFolders(t *testing.T) {
	files := map[string]int{}
	for file := range sources(t) {
		if !strings.HasSuffix(file, "_test.go") {
			files[filepath.ToSlash(filepath.Dir(file))]++
		}
	}
	for folder, n := range files {
		if n > mostFiles {
			t.Errorf("%s has %d source files, more than %d: put what belongs together in a package of its own", folder, n, mostFiles)
		}
	}
}

// TestContributing: the files that CONTRIBUTING.md sends people to are there.
func TestContributing(t *testing.T) {
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	files := regexp.MustCompile("`([a-z_/]+\\.go)`").FindAllStringSubmatch(string(text), -1)
	if len(files) < 20 {
		t.Errorf("only %d files are named", len(files))
	}
	for _, file := range files {
		if _, err := os.Stat(file[1]); err != nil {
			t.Error(err)
		}
	}
}
