package report

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"artifice/internal/words"
	"artifice/trace"
)

// NameStyle is the form of method names.
type NameStyle uint8

const (
	FullNames       NameStyle = iota // java.lang.Object.wait; java.lang.Object.wait(long, int) if overloads have to be distinguished
	ShortNames                       // Object.wait; with the fewest packages that distinguish classes; Object.wait(long, int) if overloads have to be distinguished
	DescriptorNames                  // as written by ART: java.lang.Object.wait(JI)V
)

var nameStyles = []string{"full", "short", "descriptor"}

// ParseNameStyle returns the style named s: short, full or descriptor.
func ParseNameStyle(s string) (NameStyle, error) {
	return words.Parse[NameStyle]("names", nameStyles, s)
}

// Namer returns distinct names for the methods of a trace.
type Namer struct {
	symbols *trace.Symbols
	style   NameStyle
	classes map[string]string // short name by full name
	same    map[string]int    // number of methods with each full name
}

// NewNamer returns a namer for the methods with the ids id(0) to id(methods-1). Its names for other
// methods may equal those of these methods.
func NewNamer(symbols *trace.Symbols, style NameStyle, methods int, id func(i int) trace.MethodID) *Namer {
	n := &Namer{symbols: symbols, style: style}
	n.same = sameNames(methods, func(i int) string { return symbols.Method(id(i)).FullName() })
	if style == ShortNames {
		n.classes = map[string]string{}
		for i := range methods {
			class, _ := classAndName(symbols.Method(id(i)))
			n.classes[class] = ""
		}
		shorten(n.classes)
	}
	return n
}

// Method returns a method's name.
func (n *Namer) Method(id trace.MethodID) string {
	m := n.symbols.Method(id)
	name := m.FullName()
	parameters := n.parametersOf(m, name)
	if class, short := classAndName(m); n.style != DescriptorNames && !m.Unlisted && class != "" && short != "" {
		name = n.class(m) + "." + short
	}
	return name + parameters
}

// classAndName returns a method's class, with dots, and its name. It splits names of functions that
// contain both: those of perf-map-agent (java/lang/Thread:.run_[j], with the mark of compiled code
// by FlameGraph's stackcollapse-perf.pl) and of Profilo (java.lang.Thread::run).
func classAndName(m *trace.Method) (class, name string) {
	if m.Class != "" {
		return m.DottedClass(), m.Name
	}
	if class, name, ok := functionOfClass(m.Name); ok {
		return class, name
	}
	return "", m.Name
}

// functionOfClass splits such a function name into a class of at least two parts, ":." or "::", and
// a name. The class may be a descriptor, Ljava/lang/Thread;.
func functionOfClass(s string) (class, name string, ok bool) {
	class, name, ok = strings.Cut(s, ":")
	if !ok || name == "" || name[0] != '.' && name[0] != ':' {
		return "", "", false
	}
	name = strings.TrimSuffix(name[1:], "_[j]")
	if inner, descriptor := strings.CutSuffix(class, ";"); descriptor {
		class = strings.TrimPrefix(inner, "L")
	}
	class = strings.ReplaceAll(class, "/", ".")
	parts := strings.Split(class, ".")
	if name == "" || strings.Contains(name, ":") || len(parts) < 2 || slices.ContainsFunc(parts, func(part string) bool { return !isWord(part) }) {
		return "", "", false
	}
	return class, name, true
}

// isWord reports whether s is a Java identifier in ASCII.
func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && r != '$' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// parameters returns the suffix of a method's name that distinguishes overloads.
func (n *Namer) parameters(m *trace.Method) string {
	if m.Signature == "" || len(n.same) == 0 {
		return ""
	}
	return n.parametersOf(m, m.FullName())
}

func (n *Namer) parametersOf(m *trace.Method, name string) string {
	switch {
	case m.Signature == "" || n.same[name] < 2:
		return ""
	case n.style == DescriptorNames:
		return m.Signature
	}
	return javaParameters(m.Signature, n.style == ShortNames)
}

// class returns the name of a method's class.
func (n *Namer) class(m *trace.Method) string {
	class, _ := classAndName(m)
	if short := n.classes[class]; short != "" {
		return short
	}
	return class
}

// shorten removes the packages from class names that are not needed to distinguish the classes.
func shorten(short map[string]string) {
	pending := make([]string, 0, len(short))
	for class := range short {
		pending = append(pending, class)
	}
	for parts := 1; len(pending) > 0; parts++ {
		count := map[string]int{}
		for _, class := range pending {
			count[lastParts(class, parts)]++
		}
		var left []string
		for _, class := range pending {
			name := lastParts(class, parts)
			if count[name] > 1 && name != class {
				left = append(left, class)
				continue
			}
			short[class] = name
		}
		pending = left
	}
}

// lastParts returns the last n parts of a dotted name.
func lastParts(name string, parts int) string {
	at := len(name)
	for range parts {
		i := strings.LastIndexByte(name[:at], '.')
		if i < 0 {
			return name
		}
		at = i
	}
	return name[at+1:]
}

// javaParameters returns the parameters of a JVM descriptor in Java syntax: (long, int) for (JI)V.
// If simple is set, it uses only the last part of class names. Text other than a descriptor is
// returned unchanged.
//
// Source: JVMS 4.3.
func javaParameters(descriptor string, simple bool) string {
	rest, ok := strings.CutPrefix(descriptor, "(")
	if !ok {
		return descriptor
	}
	var types []string
	for !strings.HasPrefix(rest, ")") {
		t, after, ok := javaType(rest, simple)
		if !ok {
			return descriptor
		}
		types, rest = append(types, t), after
	}
	return "(" + strings.Join(types, ", ") + ")"
}

// primitives maps the letters of descriptors to primitive types.
var primitives = map[byte]string{'B': "byte", 'C': "char", 'D': "double", 'F': "float", 'I': "int", 'J': "long", 'S': "short", 'Z': "boolean"}

// javaType returns the type at the beginning of a descriptor, and the text after it.
func javaType(descriptor string, simple bool) (name, after string, ok bool) {
	element := strings.TrimLeft(descriptor, "[")
	dimensions := len(descriptor) - len(element)
	if element == "" {
		return "", "", false
	}
	if element[0] == 'L' {
		if name, after, ok = strings.Cut(element[1:], ";"); !ok {
			return "", "", false
		}
		if name = strings.ReplaceAll(name, "/", "."); simple {
			name = lastParts(name, 1)
		}
	} else if name, after = primitives[element[0]], element[1:]; name == "" {
		return "", "", false
	}
	return name + strings.Repeat("[]", dimensions), after, true
}

// FindMethod returns the method with a name, among those with the ids id(0) to id(methods-1). name
// is the method's full name, its name by namer, or a unique part of either. FindMethod returns an
// error if no method or several methods match; the error names two of them.
func FindMethod(name string, symbols *trace.Symbols, namer *Namer, methods int, id func(i int) trace.MethodID) (trace.MethodID, error) {
	var overloads, found []trace.MethodID
	for i := range methods {
		id := id(i)
		m := symbols.Method(id)
		shown, dotted := namer.Method(id), strings.TrimPrefix(m.DottedClass()+"."+m.Name, ".")
		switch {
		case name == shown || name == m.String() || name == dotted+m.Signature:
			return id, nil
		case name == m.FullName() || name == dotted:
			overloads = append(overloads, id)
		case strings.Contains(m.String(), name) || strings.Contains(dotted+m.Signature, name) || strings.Contains(shown, name):
			found = append(found, id)
		}
	}
	if len(overloads) > 0 {
		found = overloads
	}
	switch len(found) {
	case 0:
		return 0, fmt.Errorf("no method name contains %q", name)
	case 1:
		return found[0], nil
	}
	return 0, fmt.Errorf("the names of %d methods contain %q, such as %s and %s: use a longer part of the name", len(found), name, symbols.Method(found[0]), symbols.Method(found[1]))
}

// Naming returns the names by which the methods of two sides are matched.
func Naming(old, now []*View) func(*trace.Method) string {
	var all []*trace.Symbols
	for _, v := range slices.Concat(old, now) {
		all = append(all, v.Symbols)
	}
	name, _ := trace.Naming(all...)
	return func(m *trace.Method) string { return name(m.Dotted()) }
}

// sameNames returns the number of occurrences of each name that occurs several times among n names,
// and of some others. It counts only names with equal hashes, because a map of all names would be
// as large as the names.
func sameNames(n int, name func(i int) string) map[string]int {
	seed, hashes := maphash.MakeSeed(), make([]uint64, n)
	for i := range hashes {
		hashes[i] = maphash.String(seed, name(i))
	}
	slices.Sort(hashes)
	twice := map[uint64]bool{}
	for i := range hashes {
		if i > 0 && hashes[i] == hashes[i-1] {
			twice[hashes[i]] = true
		}
	}
	same := map[string]int{}
	for i := 0; i < n && len(twice) > 0; i++ {
		if name := name(i); twice[maphash.String(seed, name)] {
			same[name]++
		}
	}
	return same
}

// MethodName returns the name of a method in reports.
func (v *View) MethodName(id trace.MethodID) string { return v.names().Method(id) }

// MethodNames returns the names of all methods in reports.
func (v *View) MethodNames() []string {
	all := make([]string, v.Profile.Len())
	for i := range all {
		all[i] = v.MethodName(v.Profile.MethodID(i))
	}
	return all
}
