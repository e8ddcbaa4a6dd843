package artifice

import (
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docLink is a link of a comment (https://go.dev/doc/comment#doclinks): a name in brackets, with
// its package in front where that is another. What has a "(" or "{" behind it is none.
var docLink = regexp.MustCompile(`\[\*?(?:([A-Za-z_][\w/]*)\.)?([A-Z]\w+)(?:\.([A-Za-z_]\w*))?\](?:[^({]|$)`)

// TestDocLinks: what comments name in brackets is there, and its package is imported or named by
// its whole path. Comments on fields count, too, which go doc shows as they stand.
func TestDocLinks(t *testing.T) {
	all := map[string]*declared{} // by folder
	set := token.NewFileSet()
	for file, imports := range sources(t) {
		folder := filepath.ToSlash(filepath.Dir(file))
		if all[folder] == nil {
			all[folder] = &declared{names: map[string]bool{}, imports: map[string]string{}}
		}
		for _, imported := range imports {
			all[folder].imports[path.Base(imported)] = imported
		}
		f, err := parser.ParseFile(set, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		all[folder].add(f)
	}
	links := 0
	for _, here := range all {
		for _, group := range here.comments {
			for _, link := range docLink.FindAllStringSubmatch(group.Text(), -1) {
				links++
				if !linked(all, here, link[1], link[2], link[3]) {
					t.Errorf("%s: %s is not there, or its package is not imported", set.Position(group.Pos()), strings.TrimSpace(link[0]))
				}
			}
		}
	}
	if links < 900 {
		t.Errorf("only %d links were found", links)
	}
	for _, wrong := range [][3]string{{"", "Evnt"}, {"", "Event", "Clock"}, {"reader", "File"}, {"artifice/format/dmtrace", "Trace"}} {
		if linked(all, all["trace"], wrong[0], wrong[1], wrong[2]) {
			t.Errorf("in package trace, %q is taken for something", wrong)
		}
	}
}

// linked reports whether a comment of here names what is there. Packages of others are believed.
func linked(all map[string]*declared, here *declared, in, name, member string) bool {
	if in == "" || here.names[in] { // a field of what is not exported
		return here.has(strings.Trim(in+"."+name+"."+member, "."))
	}
	if full := here.imports[in]; full != "" {
		in = full
	} else if full, ok := comment.DefaultLookupPackage(in); ok { // the standard library's
		in = full
	} else if !strings.Contains(in, "/") {
		return false
	}
	folder, ours := strings.CutPrefix(in, "artifice/")
	return !ours || all[folder] != nil && all[folder].has(strings.Trim(name+"."+member, "."))
}

// declared is what a package declares and imports, and its comments.
type declared struct {
	names    map[string]bool   // of declarations, and of their fields and methods behind a dot
	imports  map[string]string // paths, by their last element
	comments []*ast.CommentGroup
}

// has reports whether there is such a name. Members can be those of another type, by "*".
func (d *declared) has(name string) bool {
	of, _, _ := strings.Cut(name, ".")
	return d.names[name] || d.names[of+".*"] && name != of
}

// add takes in a file.
func (d *declared) add(f *ast.File) {
	d.comments = append(d.comments, f.Comments...)
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			d.names[receiver(decl)+decl.Name.Name] = true
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						d.names[name.Name] = true
					}
				case *ast.TypeSpec:
					d.addType(spec)
				}
			}
		}
	}
}

// receiver returns the type that a method is of, with a dot, or "".
func receiver(f *ast.FuncDecl) (of string) {
	if f.Recv != nil {
		ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && of == "" { // the type stands in front of its parameters
				of = id.Name + "."
			}
			return true
		})
	}
	return of
}

// addType takes in a type with its fields, or its methods.
func (d *declared) addType(spec *ast.TypeSpec) {
	d.names[spec.Name.Name] = true
	var members *ast.FieldList
	switch of := spec.Type.(type) {
	case *ast.StructType:
		members = of.Fields
	case *ast.InterfaceType:
		members = of.Methods
	default:
		d.names[spec.Name.Name+".*"] = true
		return
	}
	for _, field := range members.List {
		if len(field.Names) == 0 { // embedded
			d.names[spec.Name.Name+".*"] = true
		}
		for _, name := range field.Names {
			d.names[spec.Name.Name+"."+name.Name] = true
		}
	}
}
