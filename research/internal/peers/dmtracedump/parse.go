package dmtracedump

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The rows of the report. Its sections are "exclusive", with one line per method, "inclusive", with
// a block per method that lists its callers, and "class", the only one with methods that took no
// time.
var (
	totalLine     = regexp.MustCompile(`^Total cycles: (\d+)$`)
	exclusiveLine = regexp.MustCompile(`^ *(\d+) +[\d.]+ +[\d.]+  \[(\d+)\] (.*)$`)
	callerLine    = regexp.MustCompile(`^ +[\d.]+% +\[(\d+)\] +(\d+)/\d+ +(\d+) (.*)$`)
	ownLine       = regexp.MustCompile(`^\[(\d+)\] +[\d.]+% +(\d+)\+(\d+) +(\d+) (.*)$`)
	classLine     = regexp.MustCompile(`^ *\d+ +[\d.]+ +[\d.]+ +\d+\+\d+ +(.*)$`)
	methodLine    = regexp.MustCompile(`^ *(\d+) +(\d+) +[\d.]+ +[\d.]+ +(\d+)\+(\d+) +\[(\d+)\] (.*)$`)
	ruler         = strings.Repeat("=", 70)
)

// Parse reads the text report.
func Parse(text string) (*Report, error) {
	sections := strings.Split(text, ruler+"\n")
	if len(sections) < 3 {
		return nil, errors.New("fewer than two sections")
	}
	p := parser{methods: make(map[int]*Method)}
	if err := p.exclusive(sections[1]); err != nil {
		return nil, err
	}
	p.inclusive(sections[2])
	if len(sections) > 3 {
		p.classes(sections[3])
	}
	return p.report(), nil
}

type parser struct {
	total   time.Duration
	methods map[int]*Method
	edges   []Edge
}

func (p *parser) exclusive(section string) error {
	found := false
	for line := range strings.Lines(section) {
		line = strings.TrimSuffix(line, "\n")
		if m := totalLine.FindStringSubmatch(line); m != nil {
			p.total, found = us(m[1]), true
		}
		if m := exclusiveLine.FindStringSubmatch(line); m != nil {
			method := p.method(m[2])
			method.Exclusive, method.Name = us(m[1]), m[3]
		}
	}
	if !found {
		return errors.New(`no line "Total cycles"`)
	}
	return nil
}

// inclusive reads blocks of callers, the method itself, its own time, and
// callees; callers in recursive calls have no percentage and do not match.
func (p *parser) inclusive(section string) {
	for block := range strings.SplitSeq(section, strings.Repeat("-", 52)+"\n") {
		var callers []Edge
		for line := range strings.Lines(block) {
			line = strings.TrimSuffix(line, "\n")
			if m := callerLine.FindStringSubmatch(line); m != nil {
				caller := p.method(m[1])
				caller.Name = m[4]
				callers = append(callers, Edge{Caller: caller.Index, Calls: int64(number(m[2])), Inclusive: us(m[3])})
			}
			if m := ownLine.FindStringSubmatch(line); m != nil {
				method := p.method(m[1])
				method.Calls, method.Recursive = int64(number(m[2])), int64(number(m[3]))
				method.Inclusive, method.Name = us(m[4]), m[5]
				for i := range callers {
					callers[i].Callee = method.Index
				}
				p.edges = append(p.edges, callers...)
				break
			}
		}
	}
}

func (p *parser) classes(section string) {
	class := ""
	for line := range strings.Lines(section) {
		line = strings.TrimSuffix(line, "\n")
		if m := methodLine.FindStringSubmatch(line); m != nil {
			method := p.method(m[5])
			method.Exclusive, method.Inclusive = us(m[1]), us(m[2])
			method.Calls, method.Recursive = int64(number(m[3])), int64(number(m[4]))
			method.Name = class + "." + m[6]
		} else if m := classLine.FindStringSubmatch(line); m != nil {
			class = m[1]
		}
	}
}

func (p *parser) method(index string) *Method {
	i := number(index)
	if p.methods[i] == nil {
		p.methods[i] = &Method{Index: i}
	}
	return p.methods[i]
}

// report sorts the methods by index. Methods without any time, of a class without any, have no row;
// the name of such a method is known if it is a caller.
func (p *parser) report() *Report {
	r := &Report{Total: p.total, Edges: p.edges}
	for _, i := range slices.Sorted(maps.Keys(p.methods)) {
		r.Methods = append(r.Methods, *p.methods[i])
	}
	return r
}

// number returns the value of digits matched by a pattern, or -1 if they exceed an int64, which
// does not occur in reports of valid traces.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return -1
	}
	return n
}

func us(digits string) time.Duration { return time.Duration(number(digits)) * time.Microsecond }
