package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// The core library of Android 16 is that of research/internal/art11 with 16's additions and
// replacements: the fields of classes with a layout fixed in ART (runtime/mirror), native methods,
// intrinsics and well-known members, and the expected number of virtual methods. Methods that are
// never called throw.

// class is a class in smali text.
type class struct {
	head    []string
	fields  []*member
	methods []*member
}

// member is a field or method, with its lines of text.
type member struct {
	name, typ string
	lines     []string
}

func (m *member) is(word string) bool { return slices.Contains(strings.Fields(m.lines[0]), word) }

// library contains all classes, by name.
type library map[string]*class

var (
	methodLine = regexp.MustCompile(`^\.method .*?([^\s(]+)(\(\S+)$`)
	fieldLine  = regexp.MustCompile(`^\.field .*?([^\s:]+):(\S+)`)
)

// readCore reads the classes of a folder.
func readCore(folder string) (library, error) {
	all := library{}
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".smali" {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		all[strings.TrimSuffix(name, ".smali")] = parse(text)
		return err
	})
	return all, err
}

// parse parses a class. It drops annotations except those of methods: the runtime needs none.
func parse(text []byte) *class {
	c := &class{}
	var method *member
	annotation := false
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		switch {
		case method != nil:
			method.lines = append(method.lines, lines.Text())
			if line == ".end method" {
				method = nil
			}
		case annotation:
			annotation = line != ".end annotation"
		case strings.HasPrefix(line, ".annotation"):
			annotation = true
		case strings.HasPrefix(line, ".method"):
			m := methodLine.FindStringSubmatch(line)
			method = &member{m[1], m[2], []string{line}}
			c.methods = append(c.methods, method)
		case strings.HasPrefix(line, ".field"):
			m := fieldLine.FindStringSubmatch(line)
			c.fields = append(c.fields, &member{m[1], m[2], []string{line}})
		case line != "" && line != ".end field" && line[0] != '#':
			c.head = append(c.head, line)
		}
	}
	return c
}

// write writes the classes into a folder.
func (l library) write(folder string) error {
	for name, c := range l {
		path := filepath.Join(folder, name+".smali")
		lines := slices.Clone(c.head)
		for _, m := range slices.Concat(c.fields, c.methods) {
			lines = append(lines, m.lines...)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// need returns a class, and creates it if it does not exist.
func (l library) need(name, super, flags string) *class {
	if c := l[name]; c != nil {
		return c
	}
	c := &class{head: []string{fmt.Sprintf(".class %s L%s;", flags, name), fmt.Sprintf(".super L%s;", super)}}
	c.methods = append(c.methods, &member{"<init>", "()V", []string{".method public constructor <init>()V", ".registers 1",
		fmt.Sprintf("invoke-direct {p0}, L%s;-><init>()V", super), "return-void", ".end method"}})
	l[name] = c
	return c
}

func (l library) needed(name string) *class { return l.need(name, "java/lang/Object", "public") }

// field adds a field or replaces the field of that name.
func (l library) field(name, field, typ, flags string) {
	c := l.needed(name)
	for i, f := range c.fields {
		if f.name == field {
			if f.typ == typ {
				return
			}
			c.fields = slices.Delete(c.fields, i, i+1)
			break
		}
	}
	c.fields = append(c.fields, &member{field, typ, []string{strings.TrimSpace(".field "+flags) + " " + field + ":" + typ}})
}

// layOut replaces the static or the instance fields of a class.
func (l library) layOut(name string, static bool, fields string) {
	c := l.needed(name)
	want := map[string]bool{}
	for f := range strings.FieldsSeq(fields) {
		want[f] = true
	}
	c.fields = slices.DeleteFunc(c.fields, func(f *member) bool { return f.is("static") == static && !want[f.name+":"+f.typ] })
	flags := map[bool]string{true: "public static"}[static]
	for f := range strings.FieldsSeq(fields) {
		field, typ, _ := strings.Cut(f, ":")
		l.field(name, field, typ, flags)
	}
}

// Kinds of added methods.
const (
	plain    = ""
	native   = "native"
	fast     = "fast"
	critical = "critical"
	varargs  = "varargs" // those of MethodHandle and VarHandle
)

// method adds a method unless a suitable one exists.
func (l library) method(name, method, sig string, static bool, kind, access string) {
	c := l.needed(name)
	i := slices.IndexFunc(c.methods, func(m *member) bool { return m.name == method && m.typ == sig })
	if i >= 0 {
		old := c.methods[i]
		if kind == plain && (method == "<init>" || old.is("static") == static) {
			return
		}
		access = ""
		for _, word := range []string{"public", "private", "protected"} {
			if old.is(word) {
				access = word
			}
		}
		c.methods = slices.Delete(c.methods, i, i+1)
	}
	c.methods = append(c.methods, &member{method, sig, l.body(name, method, sig, static, kind, access)})
}

// body returns the text of a method.
func (l library) body(name, method, sig string, static bool, kind, access string) []string {
	c := l[name]
	words := ".method " + access
	if static {
		words += " static"
	}
	if !static && strings.Contains(c.head[0], " interface ") {
		return []string{".method public abstract " + method + sig, ".end method"}
	}
	switch kind {
	case varargs:
		return []string{".method public final varargs native " + method + sig, ".end method"}
	case native, fast, critical:
		if name == "java/lang/Object" && !static {
			words += " final"
		}
		text := []string{words + " native " + method + sig}
		if kind != native {
			text = append(text, fmt.Sprintf(".annotation build Ldalvik/annotation/optimization/%sNative;", strings.ToUpper(kind[:1])+kind[1:]), ".end annotation")
		}
		return append(text, ".end method")
	}
	registers := fmt.Sprintf(".registers %d", registersOf(sig, static)+1)
	if method != "<init>" {
		return []string{words + " " + method + sig, registers, "new-instance v0, Ljava/lang/Error;",
			"invoke-direct {v0}, Ljava/lang/Error;-><init>()V", "throw v0", ".end method"}
	}
	text := []string{words + " constructor <init>" + sig, registers}
	super := ""
	for _, line := range c.head {
		if rest, ok := strings.CutPrefix(line, ".super "); ok {
			super = rest
		}
	}
	parent := l[strings.Trim(super, "L;")]
	if parent != nil && !slices.ContainsFunc(parent.methods, func(m *member) bool { return m.name == "<init>" && m.typ == "()V" }) {
		text = append(text, "const/4 v0, 0x0", "throw v0")
	} else {
		text = append(text, "invoke-direct {p0}, "+super+"-><init>()V")
	}
	return append(text, "return-void", ".end method")
}

var argument = regexp.MustCompile(`\[*(?:L[^;]+;|[ZBCSIJFD])`)

func registersOf(sig string, static bool) (n int) {
	if !static {
		n++
	}
	for _, a := range argument.FindAllString(sig[:strings.Index(sig, ")")], -1) {
		n++
		if a == "J" || a == "D" {
			n++
		}
	}
	return n
}

// fill adds virtual methods until a class has the number that ART expects (X::ClassSize in
// runtime/mirror), beyond Object's.
func (l library) fill(name string, count int) {
	c := l[name]
	c.methods = slices.DeleteFunc(c.methods, func(m *member) bool { return strings.HasPrefix(m.name, "fill$") })
	have := 0
	for _, m := range c.methods {
		overrides := slices.Contains([]string{"equals(Ljava/lang/Object;)Z", "hashCode()I", "toString()Ljava/lang/String;",
			"finalize()V", "clone()Ljava/lang/Object;"}, m.name+m.typ)
		if m.name != "<init>" && !overrides && !m.is("static") && !m.is("private") {
			have++
		}
	}
	for ; have < count; have++ {
		name := fmt.Sprintf("fill$%02d", have)
		c.methods = append(c.methods, &member{name, "()V", []string{".method public " + name + "()V", ".registers 1", "return-void", ".end method"}})
	}
}
