package filter

import (
	"slices"
	"strings"
)

// Name is the original name of a method.
type Name struct {
	Class  string // with dots
	Method string
	File   string // source file; empty when the mapping does not tell
	Line   int    // original line; 0 when not known
}

// Has reports whether the mapping has a class of the app, whose name has dots.
func (m *Mapping) Has(class string) bool { return m.classes[class] != nil }

// method returns the original names of a method of the app: one, or every
// candidate when what is known of it does not tell them apart, in the order of
// the mapping. class has dots; signature is the method's descriptor in the app,
// "" when it is not known, and line the method's first line, 0 when it is not.
// A method of a class that the mapping does not have keeps its name.
func (m *Mapping) method(class, name, signature string, line int) []Name {
	c := m.classes[class]
	if c == nil {
		return []Name{{Class: class, Method: name}}
	}
	var names []Name
	for _, chain := range m.best(c, name, signature, line) {
		outer := chain[len(chain)-1] // the method itself; those before it were inlined into it
		n := m.name(c, &outer, 0)
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		names = []Name{{Class: c.original, Method: name, File: c.file}}
	}
	return names
}

// best returns the chains that fit all that is known of a method, or where there
// are none, because the mapping is of a somewhat different build, as much of it
// as does fit something.
func (m *Mapping) best(c *class, name, signature string, line int) [][]member {
	for _, known := range []struct {
		signature string
		line      int
	}{{signature, line}, {signature, 0}, {"", line}, {"", 0}} {
		if chains := m.chains(c, name, known.signature, known.line); len(chains) > 0 {
			return chains
		}
	}
	return nil
}

// Frame returns the frames that a frame of the app stands for, outermost first:
// more than one where methods were inlined into it. Where the line does not tell
// between several, the frame has every candidate's name, with "|" between them.
func (m *Mapping) Frame(class, name string, line int) []Name {
	c := m.classes[class]
	if c == nil {
		return []Name{{Class: class, Method: name, Line: line}}
	}
	chains := m.chains(c, name, "", line)
	if len(chains) != 1 || line == 0 {
		return []Name{join(m.method(class, name, "", line))}
	}
	var frames []Name
	for _, member := range slices.Backward(chains[0]) {
		frames = append(frames, m.name(c, &member, line))
	}
	return frames
}

// join returns one name for several candidates: those that agree on the class
// have it once.
func join(names []Name) Name {
	joined := names[0]
	for _, n := range names[1:] {
		if n.File != joined.File {
			joined.File = ""
		}
		if n.Class == joined.Class {
			joined.Method += "|" + n.Method
		} else {
			joined.Method += "|" + n.Class + "." + n.Method
		}
	}
	return joined
}

// chains returns what a method of the app can be: each a method, last, with
// those that were inlined into it in front, innermost first.
func (m *Mapping) chains(c *class, name, signature string, line int) [][]member {
	var all [][]member
	members := c.methods[name]
	for i := 0; i < len(members); {
		end := i + 1
		for end < len(members) && members[end].from != 0 && members[end].from == members[i].from && members[end].to == members[i].to {
			end++
		}
		chain := members[i:end]
		i = end
		if m.fits(chain, signature, line) {
			all = append(all, chain)
		}
	}
	return all
}

// fits reports whether a chain can be the method of that descriptor that has
// that line.
func (m *Mapping) fits(chain []member, signature string, line int) bool {
	outer := &chain[len(chain)-1]
	if line > 0 && outer.from > 0 && (line < outer.from || line > outer.to) {
		return false
	}
	if signature == "" {
		return true
	}
	if outer.residual != "" {
		return outer.residual == signature
	}
	return m.descriptor(outer.params, outer.returns) == signature
}

// name returns the original name of a member, and the original of a line of the
// app where it is one of its.
func (m *Mapping) name(c *class, member *member, line int) Name {
	n := Name{Class: member.class, Method: member.name}
	if of := m.byOriginal(member.class); of != nil {
		n.File = of.file
	} else if member.class == c.original {
		n.File = c.file
	}
	switch span := member.last - member.first; {
	case line == 0 || member.first == 0:
	case span == member.to-member.from:
		n.Line = member.first + line - member.from
	default: // the call of what was inlined is on one line, or lines cannot be told apart
		n.Line = member.first
	}
	return n
}

func (m *Mapping) byOriginal(original string) *class {
	short, ok := m.renamed[original]
	if !ok {
		short = original
	}
	return m.classes[short]
}

// FileIn returns the source file of a name, for a trace that shows another one:
// the mapping's, or the trace's own where that has not been blotted out as R8 and
// ProGuard do, or a guess.
func (n Name) FileIn(shown string) string {
	switch {
	case n.File != "":
		return n.File
	case shown == "" || shown == "SourceFile" || shown == "PG" || strings.HasPrefix(shown, "r8-map-id-"):
		return sourceFile(n.Class)
	}
	return shown
}

// sourceFile guesses a class's file as its compilers name it: the outermost
// class's name, and what Kotlin appends to that of a file's functions.
func sourceFile(class string) string {
	simple := class[strings.LastIndexByte(class, '.')+1:]
	if outer, _, ok := strings.Cut(simple, "$"); ok && outer != "" {
		simple = outer
	}
	if kotlin, ok := strings.CutSuffix(simple, "Kt"); ok && kotlin != "" {
		return kotlin + ".kt"
	}
	return simple + ".java"
}

// primitives are the descriptors of types that are no class.
var primitives = map[string]string{
	"void": "V", "boolean": "Z", "byte": "B", "char": "C", "short": "S",
	"int": "I", "long": "J", "float": "F", "double": "D",
}

// descriptor returns the descriptor of a method in the app, from its original
// types: "int,app.Foo[]" and "void" give "(I[La/b;)V".
func (m *Mapping) descriptor(params, returns string) string {
	var b strings.Builder
	b.WriteByte('(')
	if params != "" {
		for t := range strings.SplitSeq(params, ",") {
			m.typeDescriptor(&b, strings.TrimSpace(t))
		}
	}
	b.WriteByte(')')
	m.typeDescriptor(&b, returns)
	return b.String()
}

// Descriptor returns the descriptor of a method from its types as Java writes them:
// "int, a.B[]" and "void" give "(I[La/B;)V".
func Descriptor(params, returns string) string { return (&Mapping{}).descriptor(params, returns) }

func (m *Mapping) typeDescriptor(b *strings.Builder, t string) {
	for strings.HasSuffix(t, "[]") {
		b.WriteByte('[')
		t = strings.TrimSuffix(t, "[]")
	}
	if p, ok := primitives[t]; ok {
		b.WriteString(p)
		return
	}
	if short, ok := m.renamed[t]; ok {
		t = short
	}
	b.WriteByte('L')
	b.WriteString(strings.ReplaceAll(t, ".", "/"))
	b.WriteByte(';')
}

// signature returns a descriptor with the classes in it renamed back. What is no
// descriptor comes back as it is.
func (m *Mapping) signature(descriptor string) string {
	var b strings.Builder
	rest := descriptor
	for {
		at := strings.IndexByte(rest, 'L')
		if at < 0 {
			break
		}
		end := strings.IndexByte(rest[at:], ';')
		if end < 0 {
			break
		}
		name := rest[at+1 : at+end]
		b.WriteString(rest[:at+1])
		if c, ok := m.classes[strings.ReplaceAll(name, "/", ".")]; ok {
			name = strings.ReplaceAll(c.original, ".", "/")
		}
		b.WriteString(name)
		b.WriteByte(';')
		rest = rest[at+end+1:]
	}
	b.WriteString(rest)
	return b.String()
}
