package workload

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"artifice/internal/yamlfile"
	"artifice/trace"
)

// methodFlags maps the names of a method's flags.
var methodFlags = map[string]trace.MethodFlags{
	"native":      trace.Native,
	"runtime":     trace.RuntimeInternal,
	"inlined":     trace.Inlined,
	"leaf":        trace.LeafNoPoll,
	"proxy":       trace.Proxy,
	"collector":   trace.Collector,
	"interpreted": trace.Interpreted,
	"section":     trace.Section,
	"allocates":   trace.Allocates,
}

// addMethods declares all methods, then reads their bodies, which may call any.
func (b *builder) addMethods(n *yamlfile.Node) error {
	if n == nil {
		return nil
	}
	if n.Kind != yamlfile.Mapping {
		return n.Errorf("expected a mapping (method: its body), found %s", n.Kind)
	}
	type pending struct {
		first, next trace.MethodID
		do          []*yamlfile.Node
	}
	var bodies []pending
	for _, pair := range n.Pairs {
		first := trace.MethodID(len(b.program.methods))
		do, err := b.declare(pair.Key, pair.Value)
		if err != nil {
			return err
		}
		bodies = append(bodies, pending{first, trace.MethodID(len(b.program.methods)), do})
	}
	for _, p := range bodies {
		body, err := b.steps(p.do, false)
		if err != nil {
			return err
		}
		for m := p.first; m < p.next; m++ {
			b.program.methods[m].body = body
			if err := errors.Join(b.program.methods[m].checkLeaf(), b.program.methods[m].readWaits()); err != nil {
				return err
			}
		}
	}
	return nil
}

// declare adds the method or family that key names and returns its body.
func (b *builder) declare(key, value *yamlfile.Node) ([]*yamlfile.Node, error) {
	f := value.Fields()
	m := trace.Method{File: f.String("file"), Line: int(f.Int("line", 0, 1, 1<<30))}
	for _, word := range f.Strings("flags") {
		flag, ok := methodFlags[word]
		if !ok {
			f.Fail(f.Node("flags").Errorf("unknown flag %q; use native, runtime, inlined, leaf, proxy, collector, interpreted, section or allocates", word))
		}
		m.Flags |= flag
	}
	if m.Flags&trace.Interpreted != 0 && m.Flags&(trace.Native|trace.RuntimeInternal|trace.Inlined|trace.LeafNoPoll|trace.Proxy) != 0 {
		f.Fail(f.Node("flags").Errorf("an interpreted method cannot also be native, runtime, inlined, leaf or proxy"))
	}
	if wait := f.Node("wait"); wait != nil {
		var ok bool
		if m.Wait, ok = trace.ParseWait(wait.Text); !ok || m.Wait == trace.Running || m.Wait == trace.Runnable {
			f.Fail(wait.Errorf("unknown wait; use sleep, lock, io, binder or gc"))
		}
	}
	do := f.List("do")
	if err := f.Err(); err != nil {
		return nil, err
	}
	return do, b.declareAll(key, m)
}

// declareAll adds one method, or one for each number of a range in braces.
func (b *builder) declareAll(key *yamlfile.Node, m trace.Method) error {
	fam, prefix, ranged, err := parseRange(key)
	if err != nil {
		return err
	}
	if !ranged {
		return b.add(key, key.Text, m)
	}
	if _, ok := b.families[prefix]; ok {
		return key.Errorf("there is already a family of this name")
	}
	fam.first = trace.MethodID(len(b.program.methods))
	b.families[prefix] = fam
	for i := fam.least; i <= fam.most; i++ {
		if err := b.add(key, prefix+strconv.FormatInt(i, 10)+fam.suffix, m); err != nil {
			return err
		}
		if m.Line > 0 {
			m.Line++
		}
	}
	return nil
}

// parseRange parses text such as m{1..50}(I)V. ranged is false if it has no braces.
func parseRange(key *yamlfile.Node) (f family, prefix string, ranged bool, err error) {
	prefix, rest, ranged := strings.Cut(key.Text, "{")
	if !ranged {
		return f, "", false, nil
	}
	inner, suffix, ok1 := strings.Cut(rest, "}")
	least, most, ok2 := strings.Cut(inner, "..")
	f.suffix = suffix
	f.least, err = strconv.ParseInt(least, 10, 32)
	if err == nil {
		f.most, err = strconv.ParseInt(most, 10, 32)
	}
	if !ok1 || !ok2 || err != nil || f.least < 0 || f.most < f.least || f.most-f.least >= maxMethods {
		return f, "", true, key.Errorf("write a family as name{1..50}, with at most %d members", maxMethods)
	}
	return f, prefix, true, nil
}

// add declares one method under text, class.name or class.name(signature).
func (b *builder) add(key *yamlfile.Node, text string, m trace.Method) error {
	if len(b.program.methods) >= maxMethods {
		return key.Errorf("more than %d methods", maxMethods)
	}
	name, err := splitMethod(text)
	if err != nil {
		return key.Errorf("%v", err)
	}
	m.Class, m.Name, m.Signature = name.Class, name.Name, name.Signature
	if m.File == "" {
		m.File = sourceFile(m.Class)
	}
	m.ID = uint64(len(b.program.methods)) << 2
	id := trace.MethodID(len(b.program.methods))
	full := m.FullName()
	if _, ok := b.byName[full+m.Signature]; ok {
		return key.Errorf("the method is defined twice")
	}
	b.byName[full] = append(b.byName[full], id)
	b.byName[full+m.Signature] = []trace.MethodID{id}
	b.program.methods = append(b.program.methods, method{Method: m, at: key})
	return nil
}

// splitMethod splits "com.example.Feed.bind(I)V": the class extends to the last dot before the
// signature. A missing signature is ()V.
func splitMethod(text string) (m trace.Method, err error) {
	if strings.ContainsAny(text, "\t\r\n{}") {
		return m, fmt.Errorf("a method's name cannot contain tabs, line breaks or braces")
	}
	full, signature := text, "()V"
	if i := strings.IndexByte(text, '('); i >= 0 {
		full, signature = text[:i], text[i:]
		if !strings.Contains(signature, ")") {
			return m, fmt.Errorf("the signature has no closing parenthesis")
		}
	}
	full = strings.TrimSpace(full)
	dot := strings.LastIndexByte(full, '.')
	if dot <= 0 || dot == len(full)-1 {
		return m, fmt.Errorf("write a method as class.name or class.name(signature)")
	}
	return trace.Method{Class: full[:dot], Name: full[dot+1:], Signature: strings.TrimSpace(signature)}, nil
}

// sourceFile returns the source file of a Java class: that of its outermost class.
func sourceFile(class string) string {
	name := class[strings.LastIndexAny(class, "./")+1:]
	if outer, _, nested := strings.Cut(name, "$"); nested && outer != "" {
		name = outer
	}
	return name + ".java"
}

// method returns the one method that n names.
func (b *builder) method(n *yamlfile.Node) (trace.MethodID, error) {
	text, err := n.String()
	if err != nil {
		return 0, err
	}
	switch ids := b.byName[text]; len(ids) {
	case 0:
		return 0, n.Errorf("unknown method; define it under methods")
	case 1:
		return ids[0], nil
	default:
		return 0, n.Errorf("%d methods have this name; add the signature", len(ids))
	}
}

// callees returns the first method that n names and the number of methods: one, or the members of a
// family.
func (b *builder) callees(n *yamlfile.Node) (first trace.MethodID, members int, err error) {
	want, prefix, ranged, err := parseRange(n)
	if err != nil {
		return 0, 0, err
	}
	if !ranged {
		first, err = b.method(n)
		return first, 1, err
	}
	f, ok := b.families[prefix]
	if !ok || want.suffix != "" && want.suffix != f.suffix {
		return 0, 0, n.Errorf("unknown family of methods; define it under methods")
	}
	if want.least < f.least || want.most > f.most {
		return 0, 0, n.Errorf("the family has only the members %d to %d", f.least, f.most)
	}
	return f.first + trace.MethodID(want.least-f.least), int(want.most - want.least + 1), nil
}

// checkLeaf rejects a leaf that calls or loops: the compiler would give it a suspend check.
func (m *method) checkLeaf() error {
	if m.Flags&trace.LeafNoPoll == 0 {
		return nil
	}
	for s := range allSteps(m.body) {
		if s.kind != selfStep && s.kind != chooseStep {
			return s.at.Errorf("a method with the flag leaf cannot have calls or loops")
		}
	}
	return nil
}

// readWaits determines the kind of a method's waits from its steps. All waits of a method are of
// one kind, because an observer can identify a wait only by its method.
func (m *method) readWaits() error {
	var self, until, get *step
	steps := allSteps(m.body)
	for s := range steps {
		if s.kind == getStep {
			get = s
		}
	}
	switch {
	case m.Wait == trace.Running && get != nil:
		return get.at.Errorf("only a method with a wait, such as wait: lock, can have this step; move the work of the method to another method")
	case m.Wait == trace.Running:
		return nil
	}
	if get != nil {
		m.Link.Does = trace.Awaits
	}
	for s := range steps {
		switch {
		case get != nil && (s.kind == selfStep || s.kind == untilStep):
			return s.at.Errorf("a method that waits for another thread (line %d) cannot also wait for a time; move one of the two waits to another method", get.at.Line)
		case s.kind == selfStep && self == nil:
			self = s
		case s.kind == untilStep && until != nil && (s.time != until.time || s.atOnce != until.atOnce):
			return s.at.Errorf("a method can wait for the ticks of one clock only; the step in line %d has another period, or another rule for missed ticks", until.at.Line)
		case s.kind == untilStep:
			until = s
		}
	}
	switch {
	case until == nil:
		return nil
	case self != nil:
		return self.at.Errorf("a method that waits until a tick (line %d) cannot also wait for a duration; move one of the two waits to another method", until.at.Line)
	}
	m.Period, m.AtOnce = until.time.Value, until.atOnce
	return nil
}

// numbered replaces %d in a name by i.
func numbered(name string, i int64) string {
	return strings.ReplaceAll(name, "%d", strconv.FormatInt(i, 10))
}
