package artifice_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pageLines is the maximum number of lines of a package comment.
const pageLines = 70

// TestPackageDocs checks that the comment of every package that other modules can import is one page
// with an example, and states units and errors. The examples must compile.
func TestPackageDocs(t *testing.T) {
	packages := importable(t)
	if len(packages) < 30 {
		t.Fatalf("only %d packages", len(packages))
	}
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	dir, overlay := t.TempDir(), struct{ Replace map[string]string }{map[string]string{}}
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(root, "packagedoc", name)] = file // a folder that does not exist
	}
	write("main.go", "package main\n\nfunc main() {}\n")
	for i, path := range slices.Sorted(maps.Keys(packages)) {
		text := packages[path]
		if n := strings.Count(text, "\n"); n > pageLines {
			t.Errorf("%s: the package comment has %d lines, more than %d", path, n, pageLines)
		}
		if !strings.Contains(text, "\n# Units and errors\n") {
			t.Errorf("%s: the package comment does not state units and errors", path)
		}
		code := exampleOf(text)
		if code == "" {
			t.Errorf("%s: the package comment has no example", path)
			continue
		}
		write(fmt.Sprintf("example%d.go", i), program(t, path, code, packages))
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, data, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "build", "-overlay", list, "-gcflags=-e", "-o", os.DevNull, "./packagedoc").CombinedOutput()
	if len(out) == 0 && err != nil {
		t.Error(err)
	}
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "#") && !strings.Contains(line, "declared and not used") {
			t.Errorf("%s", line)
		}
	}
}

// importable returns the package comments of the packages outside internal folders, by folder.
func importable(t *testing.T) map[string]string {
	out, err := exec.Command("go", "list", "-f", "{{.Name}} {{.ImportPath}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	comments := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		path, inside := strings.CutPrefix(path, "artifice/")
		if name == "main" || !inside || slices.Contains(strings.Split(path, "/"), "internal") || strings.HasPrefix(path, "cmd/") {
			continue
		}
		files, err := filepath.Glob(filepath.Join(path, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		comments[path] = ""
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
			if err != nil {
				t.Fatal(err)
			}
			if f.Doc != nil && !strings.HasSuffix(file, "_test.go") {
				comments[path] += f.Doc.Text()
			}
		}
	}
	return comments
}

// exampleOf returns the code in section Example of a package comment.
func exampleOf(comment string) (code string) {
	_, rest, _ := strings.Cut(comment, "\n# Example\n")
	rest, _, _ = strings.Cut(rest, "\n# ")
	for line := range strings.Lines(rest) {
		code += strings.TrimPrefix(line, "\t")
	}
	return strings.TrimSpace(code)
}

// given are the variables that examples use without declaring them.
const given = `ctx context.Context, t *testing.T, w io.Writer, truth, rec *trace.Recording, ` +
	`result *bench.Result, after *report.View, dump *format.Dump, frames *format.FrameTable, ` +
	`traces []*plan.Trace, lines string`

// program returns a file with a function that contains the code of a package's example.
func program(t *testing.T, path, code string, packages map[string]string) string {
	imports := map[string]string{}
	for other := range packages {
		imports[filepath.Base(other)] = "artifice/" + other
	}
	imports["report"] = "artifice/report"
	params := given
	if path == "bench/report" { // its name is that of another package
		imports["report"] = "artifice/bench/report"
		params = strings.Replace(params, "after *report.View, ", "", 1)
	}
	for _, name := range []string{"context", "errors", "fmt", "io", "os", "strings", "testing", "time"} {
		imports[name] = name
	}
	body := "func _(" + params + ") error {\n\tvar err error\n\t{\n" + code + "\n\t}\n\treturn err\n}\n"
	text, used := "package main\n\n", map[string]bool{}
	f, err := parser.ParseFile(token.NewFileSet(), "", "package main\n"+body, 0)
	if err != nil {
		t.Errorf("%s: %v\n%s", path, err, code)
		return text
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && imports[x.Name] != "" && regexp.MustCompile("^[A-Z]").MatchString(s.Sel.Name) {
				used[x.Name] = true
			}
		}
		return true
	})
	for name := range used {
		text += fmt.Sprintf("import %s %q\n", name, imports[name])
	}
	return text + "\n//line " + path + ":1\n" + body
}
