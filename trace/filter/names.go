package filter

import (
	"slices"
	"strings"
)

// Name is the original name of a method.
type Name struct {
	Class  string // with dots
	Method string
	File   string // source file; empty if the mapping does not state it
	Line   int    // original line; 0 if unknown
}

// Has reports whether the mapping contains a class of the app, given its name with dots.
func (m *Mapping) Has(class string) bool { return m.classes[class] != nil }

// method returns the original names of a method of the app: one, or all candidates in the order of
// the mapping if the arguments are ambiguous. class has dots. signature is the method's descriptor
// in the app, "" if unknown, and line its first line, 0 if unknown. A method of a class that is not
// in the mapping keeps its name.
func (m *Mapping) method(class, name, signature string, line int) []Name {
	c := m.classes[class]
	if c == nil {
		return []Name{{Class: class, Method: name}}
	}
	var names []Name
	for _, chain := range m.best(c, name, signature, line) {
		// the method itself; the members before it are methods inlined into it
		outer := chain[len(chain)-1]
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

// best returns the chains that match all known properties of a method. If there are none, because
// the mapping is of a slightly different build, it returns the chains that match a subset of the
// properties.
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

// Frame returns the original frames for a frame of the app, outermost first: several if methods
// were inlined into it. If the line is ambiguous, the frame has every candidate's name, separated
// by "|".
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

// join returns one name for several candidates. Candidates of the same class share its name.
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

// chains returns the candidates for a method of the app. Each chain ends in a method; the members
// before it were inlined into it, innermost first.
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

// fits reports whether a chain can be the method with that descriptor and that line.
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

// name returns the original name of a member, and the original line for a line of the app within
// the member.
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
	// the call of an inlined method is on one line; otherwise the lines are indistinguishable
	default:
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

// FileIn returns the source file of a name, given the file shown in the trace. It is the mapping's
// file if there is one, else the trace's. If R8 or ProGuard replaced that by a placeholder, FileIn
// derives the file from the class name.
func (n Name) FileIn(shown string) string {
	switch {
	case n.File != "":
		return n.File
	case shown == "" || shown == "SourceFile" || shown == "PG" || strings.HasPrefix(shown, "r8-map-id-"):
		return sourceFile(n.Class)
	}
	return shown
}

// sourceFile guesses a class's file by the naming of its compilers: the outermost class's name,
// without the suffix that Kotlin appends for top-level functions.
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

// primitives are the descriptors of primitive types.
var primitives = map[string]string{
	"void": "V", "boolean": "Z", "byte": "B", "char": "C", "short": "S",
	"int": "I", "long": "J", "float": "F", "double": "D",
}

// descriptor returns the descriptor of a method in the app, given its original types: "(I[La/b;)V"
// for "int,app.Foo[]" and "void".
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

// Descriptor returns the descriptor of a method, given its types in Java syntax: "(I[La/B;)V" for
// "int, a.B[]" and "void".
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

// signature returns a descriptor with the original class names. It returns other text unchanged.
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
