// Package artifice contains only tests of the module's structure and documents.
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

// layers are the top-level directories in the order of data flow. A package may import packages of
// its own directory and of the preceding ones.
var layers = []string{
	"trace",      // recordings
	"internal",   // used across layers
	"diffstack",  // comparison of two stacks
	"art",        // behaviour of each Android release
	"workload",   // ground truth
	"sampler",    // tracers that sample stacks
	"instrument", // tracers that are called at every method entry and exit
	"format",     // files
	"writer",     // one import to write a file of any format
	"tracer",     // the list of tracing methods
	"report",     // summaries of a trace
	"bench",      // accuracy against overhead
	"fixtures",   // test files
	"view",       // pages
	"cmd",        // the command line
	"scripts",
	"research", // a module: validation and measurement
	"fleet",    // a module: many traces on Apache Beam
}

// importers lists the packages that may import a dependency, by the prefix of its path. A
// dependency without a row must not be imported.
var importers = map[string][]string{
	"github.com/apache/beam":  {"fleet"},
	"google.golang.org/grpc":  {"fleet/cmd"}, // a pool of Beam's workers is a service
	"github.com/google/pprof": {"format", "fleet", "cmd", "research/internal/peers/opentelemetry"},
	// pdata, for comparison of profiles
	"go.opentelemetry.io":           {"research/internal/peers/opentelemetry"},
	"github.com/klauspost/compress": {"internal/encode", "format/internal/ftrace", "format/internal/perfetto", "view", "fleet/corpus"}, // flate, faster than the standard one
	"google.golang.org/protobuf":    {"internal/protobuf", "research/internal/peers/tracers", testsOnly},                               // its wire encoding
	"gonum.org/v1/gonum":            {"workload", "bench", "tracer/device", "report", "research"},
	"github.com/goccy/go-yaml":      {"internal/yamlfile"},
	"github.com/spf13/cobra":        {"cmd", "fleet/cmd"},
	"github.com/spf13/pflag":        {"cmd"},
	// branches of a pipeline; the first error cancels all
	"golang.org/x/sync":                   {"fleet/local"},
	"golang.org/x/term":                   {"internal/cli"},
	"github.com/google/go-cmp":            {testsOnly},
	"github.com/rogpeppe/go-internal":     {testsOnly},
	"artifice/format/internal/formattest": {testsOnly},
	"artifice/internal/testdata":          {testsOnly, "format/internal/formattest", "internal/testdata/tracetest", "scripts", "research", "fleet/scripts"},
}

// forTests are the packages that only tests may import, in addition to those of importers. They may
// import packages of every layer.
var forTests = []string{"format/internal/formattest", "internal/testdata", "internal/testdata/artgolden", "internal/testdata/tracetest"}

// testsOnly is the entry for the test files of every package in importers.
const testsOnly = "*_test.go"

// TestImports compares the imports of every source file with the tables. A row that no file needs
// is an error, too. The test parses the sources, because go list caches its results.
func TestImports(t *testing.T) {
	used := map[string]bool{}
	for file, imports := range sources(t) {
		pkg := filepath.ToSlash(filepath.Dir(file))
		if pkg == "." {
			continue
		}
		layer := layerOf(pkg)
		used[layer] = true
		if !slices.Contains(layers, layer) {
			t.Errorf("%s: directory %s is not listed in layers", file, layer)
		}
		for _, path := range imports {
			inner, isOurs := strings.CutPrefix(path, "artifice/")
			switch {
			case strings.HasSuffix(file, "_test.go") && (allowed(path, testsOnly, used) || isOurs):
			case isOurs && !slices.Contains(forTests, inner):
				if slices.Index(layers, layerOf(inner)) > slices.Index(layers, layer) && !slices.Contains(forTests, pkg) {
					t.Errorf("%s: %s may not import %s", file, pkg, inner)
				}
			case (isOurs || strings.Contains(strings.Split(path, "/")[0], ".")) && !allowed(path, pkg, used):
				t.Errorf("%s: %s may not import %s", file, pkg, path)
			}
		}
	}
	unused(t, used)
}

// layerOf returns the top-level directory of a package.
func layerOf(pkg string) string {
	layer, _, _ := strings.Cut(pkg, "/")
	return layer
}

// unused reports the rows of the tables that no source needs.
func unused(t *testing.T, used map[string]bool) {
	for _, layer := range layers {
		if !used[layer] {
			t.Errorf("layers lists %s, which does not exist", layer)
		}
	}
	for prefix, packages := range importers {
		for _, h := range packages {
			if !used[prefix+" in "+h] {
				t.Errorf("importers lists %s for %s, but it does not import it", h, prefix)
			}
		}
	}
}

// allowed reports whether pkg may import the dependency path.
func allowed(path, pkg string, used map[string]bool) bool {
	for prefix, packages := range importers {
		if !strings.HasPrefix(path, prefix) {
			continue
		}
		for _, h := range packages {
			if h == pkg || strings.HasPrefix(pkg, h+"/") {
				used[prefix+" in "+h] = true
				return true
			}
		}
	}
	return false
}

// sources returns the imports of every Go file, by the path of the file.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != "." && (name == "testdata" && path != "internal/testdata" || name[0] == '.') {
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

// ownFiles are the functions and files in which the product opens files other than the inputs of a
// command: files that it wrote itself, devices, and tools for tests. Inputs are opened by package
// inputs.
var ownFiles = []string{
	"internal/inputs/", "internal/testdata/", "internal/cli/", "internal/pageprogram/",
	"fixtures/write.go", "fixtures/manifest.go", "fixtures/corpus/", "view/internal/ranges/wasm/", "scripts/", "research/", "fleet/",
}

// TestInputs checks that package inputs opens all inputs. Package inputs records them, so that no
// output replaces an input.
func TestInputs(t *testing.T) {
	opens := regexp.MustCompile(`\bos\.(Open|OpenFile|ReadFile)\(`)
	for file := range sources(t) {
		file = filepath.ToSlash(file)
		if strings.HasSuffix(file, "_test.go") || slices.ContainsFunc(ownFiles, func(own string) bool { return strings.HasPrefix(file, own) }) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if call := opens.Find(text); call != nil {
			t.Errorf("%s calls %s...): package inputs opens inputs", file, call)
		}
	}
}

// maxFiles is the maximum number of source files in a directory, without tests. It keeps the list
// of files short enough to read at a glance.
const maxFiles = 20

// oneSubject are larger directories. Each has a single subject, divided into files of 100 to 400
// lines.
var oneSubject = map[string]int{
	"cmd/artifice":   47, // a file for each command
	"format/dmtrace": 27, // all versions of one format
	"sampler":        25,
	"view":           23,
	"bench":          21,
	"bench/score":    21,
}

// TestFolders checks the number of source files in each directory.
func TestFolders(t *testing.T) {
	files := map[string]int{}
	for file := range sources(t) {
		if !strings.HasSuffix(file, "_test.go") {
			files[filepath.ToSlash(filepath.Dir(file))]++
		}
	}
	for folder, n := range files {
		if most := max(maxFiles, oneSubject[folder]); n > most {
			t.Errorf("%s has %d source files, more than %d: join files of one subject, or make a package", folder, n, most)
		}
	}
	for folder, most := range oneSubject {
		if files[folder] < most {
			t.Errorf("oneSubject allows %s %d files, and it has %d", folder, most, files[folder])
		}
	}
}

// TestContributing checks that the files named in CONTRIBUTING.md exist.
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

// TestRangesProgram checks that the program in pages that answers queries about parts does not link
// the registry of formats, which would double its size.
func TestRangesProgram(t *testing.T) {
	imports := map[string][]string{} // by package
	for file, list := range sources(t) {
		if !strings.HasSuffix(file, "_test.go") {
			pkg := filepath.ToSlash(filepath.Dir(file))
			imports[pkg] = append(imports[pkg], list...)
		}
	}
	linked := map[string]bool{}
	for next := []string{"view/internal/ranges/wasm"}; len(next) > 0; next = next[1:] {
		for _, path := range imports[next[0]] {
			if inner, isOurs := strings.CutPrefix(path, "artifice/"); isOurs && !linked[inner] {
				linked[inner] = true
				next = append(next, inner)
			}
		}
	}
	if !linked["view/internal/ranges"] || linked["format"] {
		t.Errorf("the program links format: %t", linked["format"])
	}
}
