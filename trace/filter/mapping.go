package filter

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

// Mapping knows the original names of an app's classes and methods, as R8 and
// ProGuard write them into the mapping.txt beside the app.
//
// A method trace names a method by class, name and signature, without a line in
// it. That is enough for the class and, since the signature is renamed back and
// compared, mostly for the method. R8 also merges methods of one signature into
// one and tells them apart by line ranges alone; then every candidate is kept,
// "first|second".
//
// A method that R8 has inlined into another has no frame of its own any more.
// Only a line inside the frame's method tells that it is there: stack dumps have
// lines, and [Mapping.Frame] returns as many frames as there were.
type Mapping struct {
	classes map[string]*class // by the name in the app
	renamed map[string]string // original name to the name in the app, where they differ
}

// class is one class of the mapping.
type class struct {
	original string
	file     string // source file, where the mapping tells
	methods  map[string][]member
}

// member is one line of a method in the mapping: a method that is, or was
// inlined, in the lines from..to of the app's method.
type member struct {
	from, to    int // lines in the app; 0 when the line holds for any
	class       string
	name        string
	params      string // original types with commas between them
	returns     string
	first, last int    // original lines; 0 unknown
	residual    string // descriptor in the app, where the mapping tells
}

// maxLine bounds a line of a mapping: the longest real ones list a method's many
// parameters.
const maxLine = 1 << 20

// ReadMapping reads a mapping. name stands for it in errors, which state the line.
func ReadMapping(r io.Reader, name string) (*Mapping, error) {
	p := mappingParser{mapping: &Mapping{classes: map[string]*class{}, renamed: map[string]string{}}}
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 64<<10), maxLine)
	n := 0
	for s.Scan() {
		n++
		if err := p.line(strings.TrimRight(s.Text(), " \t\r")); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := s.Err(); errors.As(err, new(*fs.PathError)) { // which has the name
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
	}
	if len(p.mapping.classes) == 0 {
		return nil, fmt.Errorf("%s: it renames no class; is it a mapping.txt of R8 or ProGuard?", name)
	}
	return p.mapping, nil
}

type mappingParser struct {
	mapping *Mapping
	class   *class
	last    *member // of the line before, for what a comment tells of it; nil after a field
}

func (p *mappingParser) line(line string) error {
	text := strings.TrimLeft(line, " \t")
	switch {
	case text == "":
		return nil
	case text[0] == '#':
		p.comment(strings.TrimSpace(text[1:]))
		return nil
	case len(text) == len(line):
		return p.classLine(line)
	case p.class == nil:
		return fmt.Errorf("%.60q is indented like a member, but no class precedes it", line)
	}
	return p.memberLine(text)
}

// classLine reads "original.Name -> a.b:".
func (p *mappingParser) classLine(line string) error {
	original, short, ok := strings.Cut(line, " -> ")
	if !ok || !strings.HasSuffix(short, ":") || original == "" || len(short) == 1 {
		return fmt.Errorf("%.60q is not a class line such as \"app.Name -> a.b:\"", line)
	}
	short = strings.TrimSuffix(short, ":")
	p.class = &class{original: original, methods: map[string][]member{}}
	p.last = nil
	p.mapping.classes[short] = p.class
	if short != original {
		p.mapping.renamed[original] = short
	}
	return nil
}

// memberLine reads a field, which it passes over, or a method:
//
//	[from:to:]type [class.]name(types)[:first[:last]] -> renamed
func (p *mappingParser) memberLine(text string) error {
	left, short, ok := strings.Cut(text, " -> ")
	if !ok || short == "" {
		return fmt.Errorf("%.60q is not a member line (original -> renamed)", text)
	}
	p.last = nil
	if !strings.Contains(left, "(") {
		return nil
	}
	m, err := parseMember(left)
	if err != nil {
		return fmt.Errorf("%.60q: %w", text, err)
	}
	if m.class == "" {
		m.class = p.class.original
	}
	list := append(p.class.methods[short], m)
	p.class.methods[short] = list
	p.last = &list[len(list)-1]
	return nil
}

func parseMember(text string) (m member, err error) {
	if m.from, m.to, text, err = leadingRange(text); err != nil {
		return m, err
	}
	head, tail, ok := strings.Cut(text, ")")
	if !ok {
		return m, fmt.Errorf("a closing parenthesis is missing")
	}
	head, m.params, _ = strings.Cut(head, "(")
	returns, name, ok := strings.Cut(head, " ")
	if !ok || name == "" {
		return m, fmt.Errorf("a method has a type and a name")
	}
	m.returns, m.name = returns, name
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		m.class, m.name = name[:dot], name[dot+1:]
	}
	m.first, m.last, err = trailingRange(tail)
	return m, err
}

// leadingRange reads "from:to:" where it is there.
func leadingRange(text string) (from, to int, rest string, err error) {
	if text[0] < '0' || text[0] > '9' {
		return 0, 0, text, nil
	}
	parts := strings.SplitN(text, ":", 3)
	if len(parts) < 3 {
		return 0, 0, "", fmt.Errorf("write a range of lines as 1:5: before the type")
	}
	if from, err = lineNumber(parts[0]); err == nil {
		to, err = lineNumber(parts[1])
	}
	return from, to, parts[2], err
}

// trailingRange reads ":first" or ":first:last" where it is there.
func trailingRange(text string) (first, last int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	if text[0] != ':' {
		return 0, 0, fmt.Errorf("unexpected %.20q after the closing parenthesis", text)
	}
	a, b, ranged := strings.Cut(text[1:], ":")
	if first, err = lineNumber(a); err != nil || !ranged {
		return first, first, err
	}
	last, err = lineNumber(b)
	return first, last, err
}

func lineNumber(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%.20q is not a line number", s)
	}
	return int(n), nil
}

// comment takes in what R8 says of the class or member above in JSON. Comments
// that are none, or say something else, are passed over: there are new kinds
// with every release.
func (p *mappingParser) comment(text string) {
	if !strings.HasPrefix(text, "{") {
		return
	}
	var c struct{ ID, FileName, Signature string }
	if json.Unmarshal([]byte(text), &c) != nil {
		return
	}
	switch {
	case c.ID == "sourceFile" && p.class != nil:
		p.class.file = c.FileName
	case c.ID == "com.android.tools.r8.residualsignature" && p.last != nil:
		p.last.residual = c.Signature
	}
}
