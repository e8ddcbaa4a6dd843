package mapping

import "strings"

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

// Signature returns a descriptor with the classes in it renamed back. What is no
// descriptor comes back as it is.
func (m *Mapping) Signature(descriptor string) string {
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
