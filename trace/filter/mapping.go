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

// Mapping maps the names of an app's classes and methods to their original names. R8 and ProGuard
// write it to mapping.txt.
//
// A method trace identifies a method by class, name and signature, without a line number in its
// code. These determine the original class, and mostly the original method, because the signature
// is mapped back and compared. R8 also merges methods with the same signature and
// distinguishes them by line ranges only; then all candidates are returned, as "first|second".
//
// A method that R8 inlined into another has no frame of its own. Only a line number within the
// enclosing method's frame reveals it: stack dumps have lines, and [Mapping.Frame] returns the
// original frames.
type Mapping struct {
	classes map[string]*class // by obfuscated name
	renamed map[string]string // original name to obfuscated name, if they differ
}

// class is one class of the mapping.
type class struct {
	original string
	file     string // source file, if the mapping states it
	methods  map[string][]member
}

// member is one line of a method in the mapping. It is the original of the app's method, or a
// method inlined into that original, at lines from..to of the app's method.
type member struct {
	from, to    int // lines in the app; 0 if the member holds for any line
	class       string
	name        string
	params      string // original types, separated by commas
	returns     string
	first, last int    // original lines; 0 if unknown
	residual    string // obfuscated descriptor, if the mapping states it
}

// maxLine is the maximum length of a line. The longest real lines list a method's many parameters.
const maxLine = 1 << 20

// ReadMapping reads a mapping. Errors contain name and the line number.
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
	if err := s.Err(); errors.As(err, new(*fs.PathError)) { // contains the file name
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
	}
	if len(p.mapping.classes) == 0 {
		return nil, fmt.Errorf("%s renames no class; is the file a mapping.txt of R8 or ProGuard?", name)
	}
	return p.mapping, nil
}

type mappingParser struct {
	mapping *Mapping
	class   *class
	last    *member // of the previous line, to which a comment refers; nil after a field
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

// memberLine parses a method, or skips a field:
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
		return m, fmt.Errorf("expected the type and the name of a method")
	}
	m.returns, m.name = returns, name
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		m.class, m.name = name[:dot], name[dot+1:]
	}
	m.first, m.last, err = trailingRange(tail)
	return m, err
}

// leadingRange parses an optional "from:to:".
func leadingRange(text string) (from, to int, rest string, err error) {
	if text[0] < '0' || text[0] > '9' {
		return 0, 0, text, nil
	}
	parts := strings.SplitN(text, ":", 3)
	if len(parts) < 3 {
		return 0, 0, "", fmt.Errorf("write a range of lines before the type, as in 1:5:void")
	}
	if from, err = lineNumber(parts[0]); err == nil {
		to, err = lineNumber(parts[1])
	}
	return from, to, parts[2], err
}

// trailingRange parses an optional ":first" or ":first:last".
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

// comment parses R8's JSON metadata about the preceding class or member. It ignores other comments
// and other metadata, because every release adds new kinds.
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
