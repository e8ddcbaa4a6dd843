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

// docLink is a link in a comment (https://go.dev/doc/comment#doclinks): a name in brackets,
// preceded by its package if that is another one. A name followed by "(" or "{" is not a link.
var docLink = regexp.MustCompile(`\[\*?(?:([A-Za-z_][\w/]*)\.)?([A-Z]\w+)(?:\.([A-Za-z_]\w*))?\](?:[^({]|$)`)

// TestDocLinks checks that each name in brackets in a comment exists, and that its package is
// imported or written with its whole path. Comments on fields count, too, because go doc prints
// them unchanged.
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
					t.Errorf("%s: %s does not exist, or its package is not imported", set.Position(group.Pos()), strings.TrimSpace(link[0]))
				}
			}
		}
	}
	if links < 900 {
		t.Errorf("%d links were found, want at least 900", links)
	}
	for _, wrong := range [][3]string{{"", "Evnt"}, {"", "Event", "Clock"}, {"reader", "File"}, {"artifice/format/dmtrace", "Trace"}} {
		if linked(all, all["trace"], wrong[0], wrong[1], wrong[2]) {
			t.Errorf("in package trace, %q is resolved, want no link", wrong)
		}
	}
}

// linked reports whether the name in a comment of package here exists. Names of packages outside
// this module are not checked.
func linked(all map[string]*declared, here *declared, in, name, member string) bool {
	if in == "" || here.names[in] { // a field of an unexported type
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

// declared contains the names that a package declares, its imports and its comments.
type declared struct {
	names    map[string]bool   // of declarations, and of their fields and methods after a dot
	imports  map[string]string // paths, by their last element
	comments []*ast.CommentGroup
}

// has reports whether the package declares a name. A name "T.*" declares all members of T, which
// can be those of another type.
func (d *declared) has(name string) bool {
	of, _, _ := strings.Cut(name, ".")
	return d.names[name] || d.names[of+".*"] && name != of
}

// add adds the declarations, imports and comments of a file.
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

// receiver returns the type of a method's receiver followed by a dot, or "" for a function.
func receiver(f *ast.FuncDecl) (of string) {
	if f.Recv != nil {
		ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && of == "" { // the type without its parameters
				of = id.Name + "."
			}
			return true
		})
	}
	return of
}

// addType adds a type with its fields or methods.
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
