package artifice_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoCompilationAtStart checks that no package of the programs compiles a regular
// expression or a template at program start, because every command would wait for it.
// [sync.OnceValue] compiles at the first use instead.
func TestNoCompilationAtStart(t *testing.T) {
	looked := 0
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (path == "scripts" || path == "research" || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return filepath.SkipDir // not in the programs
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		looked++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, at := range compiledAtStart(t, path, text) {
			t.Errorf("%s compiles at the start of the program; use sync.OnceValue", at)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if looked < 300 {
		t.Errorf("%d files were checked, want at least 300", looked)
	}
}

// TestCompiledAtStart checks compiledAtStart: it finds compilations, including those inside other
// calls, and ignores those inside a function.
func TestCompiledAtStart(t *testing.T) {
	const source = `package p
var (
	_ = regexp.MustCompile("a")
	_ = func() int { regexp.MustCompile("called at once"); return 1 }()
	_ = sync.OnceValue(func() any { return regexp.MustCompile("later") })
)
var _ = []any{template.Must(template.New("").Parse(""))}
func init() { regexp.MustCompilePOSIX("b") }
func f() { regexp.MustCompile("c") }
`
	if got := compiledAtStart(t, "p.go", []byte(source)); len(got) != 4 {
		t.Errorf("found %v, want lines 3, 4, 7 and 8", got)
	}
}

// compiledAtStart returns the positions at which a file compiles patterns or templates in the value
// of a package variable or in an init function.
func compiledAtStart(t *testing.T, path string, text []byte) (places []string) {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var look func(ast.Node) bool
	look = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // runs only when called
		case *ast.CallExpr:
			if body, ok := n.Fun.(*ast.FuncLit); ok {
				ast.Inspect(body.Body, look) // called immediately
			}
			if s, ok := n.Fun.(*ast.SelectorExpr); ok {
				if pkg, ok := s.X.(*ast.Ident); ok && (pkg.Name == "regexp" || pkg.Name == "template" && s.Sel.Name == "Must") {
					places = append(places, files.Position(n.Pos()).String())
				}
			}
		}
		return true
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			ast.Inspect(d, look)
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == "init" {
				ast.Inspect(d.Body, look)
			}
		}
	}
	return places
}
