package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// mutation replaces a part of a file.
type mutation struct {
	kind       string
	function   string // that contains it
	line       int
	executed   int // line by which the coverage shows its execution; for the condition of a case, that of the switch
	start, end int // bytes of the file
	with       string
}

// apply returns the file with the mutation.
func (m *mutation) apply(source []byte) []byte {
	return bytes.Join([][]byte{source[:m.start], []byte(m.with), source[m.end:]}, nil)
}

// texts returns the lines of the mutation before and after it, with single spaces.
func (m *mutation) texts(source []byte) (original, mutated string) {
	from := bytes.LastIndexByte(source[:m.start], '\n') + 1
	to := len(source)
	if n := bytes.IndexByte(source[m.end:], '\n'); n >= 0 {
		to = m.end + n
	}
	condense := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	return condense(string(source[from:to])), condense(string(source[from:m.start]) + m.with + string(source[m.end:to]))
}

// swapped maps operators to their replacements.
var swapped = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.OR_ASSIGN: token.AND_ASSIGN, token.AND_ASSIGN: token.OR_ASSIGN, token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC,
}

// compared maps comparisons to their replacements: with the bound moved, or reversed.
var compared = map[token.Token][]token.Token{
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LSS: {token.LEQ, token.GTR}, token.LEQ: {token.LSS, token.GEQ}, token.GTR: {token.GEQ, token.LSS}, token.GEQ: {token.GTR, token.LEQ},
}

// finder collects the mutations of a file.
type finder struct {
	files    *token.FileSet
	source   []byte
	function string
	results  *ast.FieldList // of the innermost function
	cases    []condition
	list     []mutation
}

// condition is an expression of a case clause. The compiler's coverage counts the statements after
// it, which are executed only if it holds.
type condition struct {
	from, to token.Pos
	line     int // of the switch
}

// mutations returns all mutations of the functions and constants of a file.
func mutations(name string, source []byte) ([]mutation, error) {
	f := &finder{files: token.NewFileSet(), source: source}
	file, err := parser.ParseFile(f.files, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		f.function, f.results = "", nil
		switch d := d.(type) {
		case *ast.FuncDecl:
			f.function, f.results = functionName(d), d.Type.Results
			if d.Body != nil {
				f.walk(d.Body)
			}
		case *ast.GenDecl:
			if d.Tok == token.CONST || d.Tok == token.VAR {
				f.walk(d)
			}
		}
	}
	return f.list, nil
}

// functionName returns the name of a function, with its receiver's type.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + d.Name.Name
		default:
			return d.Name.Name
		}
	}
}

// walk adds the mutations of a node.
func (f *finder) walk(node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			outer := f.results
			f.results = n.Type.Results
			f.walk(n.Body)
			f.results = outer
			return false
		case *ast.BinaryExpr:
			f.binary(n)
		case *ast.BasicLit:
			f.constant(n)
		case *ast.Ident:
			if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
				f.add("constant", n.Pos(), n.End(), other)
			}
		case *ast.CallExpr:
			f.call(n)
		case *ast.IfStmt:
			f.add("negated", n.Cond.Pos(), n.Cond.End(), "!("+f.text(n.Cond)+")")
		case *ast.SwitchStmt:
			f.conditions(n)
		case *ast.ForStmt:
			if n.Cond != nil {
				f.add("negated", n.Cond.Pos(), n.Cond.End(), "!("+f.text(n.Cond)+")")
			}
		case *ast.IncDecStmt:
			f.add("++/--", n.TokPos, n.End(), swapped[n.Tok].String())
			f.deleted(n)
		case *ast.AssignStmt:
			f.assign(n)
		case *ast.ExprStmt, *ast.BranchStmt:
			f.deleted(n)
		case *ast.ReturnStmt:
			f.returned(n)
		}
		return true
	})
}

// add adds a mutation between two places.
func (f *finder) add(kind string, from, to token.Pos, with string) {
	start := f.files.Position(from)
	executed := start.Line
	for _, c := range f.cases {
		if from >= c.from && to <= c.to {
			executed = c.line
		}
	}
	f.list = append(f.list, mutation{kind, f.function, start.Line, executed, start.Offset, f.files.Position(to).Offset, with})
}

// conditions notes the conditions of a switch.
func (f *finder) conditions(s *ast.SwitchStmt) {
	for _, clause := range s.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			f.cases = append(f.cases, condition{e.Pos(), e.End(), f.files.Position(s.Pos()).Line})
		}
	}
}

// text returns the source of a node.
func (f *finder) text(n ast.Node) string {
	return string(f.source[f.files.Position(n.Pos()).Offset:f.files.Position(n.End()).Offset])
}

func (f *finder) binary(n *ast.BinaryExpr) {
	end := n.OpPos + token.Pos(len(n.Op.String()))
	if op, ok := swapped[n.Op]; ok {
		f.add("operator", n.OpPos, end, op.String())
	}
	for _, op := range compared[n.Op] {
		f.add("comparison", n.OpPos, end, op.String())
	}
}

// constant changes a number by one, or doubles it.
func (f *finder) constant(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		if v, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			f.add("constant", n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
			if v > 0 {
				f.add("constant", n.Pos(), n.End(), strconv.FormatInt(v-1, 10))
			}
		}
	case token.FLOAT:
		f.add("constant", n.Pos(), n.End(), "(2*"+n.Value+")")
	}
}

// call swaps min and max.
func (f *finder) call(n *ast.CallExpr) {
	if id, ok := n.Fun.(*ast.Ident); ok {
		if other := map[string]string{"min": "max", "max": "min"}[id.Name]; other != "" {
			f.add("min/max", id.Pos(), id.End(), other)
		}
	}
}

// assign changes the operator of an assignment and deletes it.
func (f *finder) assign(n *ast.AssignStmt) {
	if op, ok := swapped[n.Tok]; ok {
		f.add("operator", n.TokPos, n.TokPos+token.Pos(len(n.Tok.String())), op.String())
	}
	if n.Tok != token.DEFINE {
		f.deleted(n)
	}
}

// deleted deletes a statement.
func (f *finder) deleted(n ast.Node) { f.add("deleted", n.Pos(), n.End(), "") }

// returned changes each result of a return statement, according to its type.
func (f *finder) returned(n *ast.ReturnStmt) {
	var types []ast.Expr
	if f.results != nil {
		for _, field := range f.results.List {
			for range max(1, len(field.Names)) {
				types = append(types, field.Type)
			}
		}
	}
	if len(n.Results) != len(types) {
		return
	}
	for i, r := range n.Results {
		if with := f.otherResult(types[i], f.text(r)); with != f.text(r) {
			f.add("return", r.Pos(), r.End(), with)
		}
	}
}

// otherResult returns another value of a type, or the same text if there is none.
func (f *finder) otherResult(t ast.Expr, text string) string {
	switch t := t.(type) {
	case *ast.StarExpr, *ast.ArrayType, *ast.MapType, *ast.FuncType:
		return "nil"
	case *ast.Ident:
		switch t.Name {
		case "bool":
			return "!(" + text + ")"
		case "error", "any":
			return "nil"
		case "string":
			return `""`
		case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "byte", "float64":
			return "(" + text + ") + 1"
		}
	case *ast.SelectorExpr:
		if f.text(t) == "time.Duration" {
			return "(" + text + ") + 1"
		}
	}
	return text
}
