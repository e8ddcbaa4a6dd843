package opentelemetry

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"
)

// observation returns a value that is not 0 of a sample as a text: all that is stated of it, in
// pprof's terms.
func observation(value int64, kind, head string, frames []string, labels map[string]label) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s, %s\n%s\n", value, kind, head, strings.Join(frames, "\n"))
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if l := labels[key]; len(l.texts)+len(l.numbers) > 0 {
			fmt.Fprintf(&b, "%q: %q %v\n", key, l.texts, l.numbers)
		}
	}
	return b.String()
}

// label has the values of a label of pprof, numbers with their units.
type label struct{ texts, numbers []string }

func kindOf(kind, unit string) string { return fmt.Sprintf("%q in %q", kind, unit) }

func headOf(begin, length, period int64, kind string) string {
	return fmt.Sprintf("from %d for %d, each %d of %s", begin, length, period, kind)
}

// frame returns a location as a text. lines are in the order of both formats.
func frame(address uint64, folded bool, mapping string, lines []string) string {
	return fmt.Sprintf("%#x folded %t, %s: %s", address, folded, mapping, strings.Join(lines, " < "))
}

func lineOf(name, system, file string, start, line, column int64) string {
	return fmt.Sprintf("%q %q %q from %d at %d:%d", name, system, file, start, line, column)
}

// mappingOf returns a mapping as a text; one without content is the absent one.
func mappingOf(start, limit, offset uint64, file, build string, has [4]bool) string {
	return fmt.Sprintf("%#x-%#x at %#x of %q build %q has %t", start, limit, offset, file, build, has)
}

// OfPprof returns the observations of a profile of pprof, sorted.
func OfPprof(p *profile.Profile) (all []string) {
	kind := kindOf("", "")
	if p.PeriodType != nil {
		kind = kindOf(p.PeriodType.Type, p.PeriodType.Unit)
	}
	head := headOf(p.TimeNanos, p.DurationNanos, p.Period, kind)
	for _, s := range p.Sample {
		frames := make([]string, len(s.Location))
		for i, l := range s.Location {
			frames[i] = pprofFrame(l)
		}
		labels := map[string]label{}
		for key, texts := range s.Label {
			labels[key] = label{texts: texts}
		}
		for key, numbers := range s.NumLabel {
			l := labels[key]
			for i, n := range numbers {
				unit := ""
				if units := s.NumUnit[key]; i < len(units) {
					unit = units[i]
				}
				l.numbers = append(l.numbers, fmt.Sprintf("%d %q", n, unit))
			}
			labels[key] = l
		}
		for i, v := range s.Value {
			if t := p.SampleType[i]; v != 0 {
				all = append(all, observation(v, kindOf(t.Type, t.Unit), head, frames, labels))
			}
		}
	}
	slices.Sort(all)
	return all
}

func pprofFrame(l *profile.Location) string {
	lines := make([]string, len(l.Line))
	for i, n := range l.Line {
		lines[i] = lineOf(n.Function.Name, n.Function.SystemName, n.Function.Filename, n.Function.StartLine, n.Line, n.Column)
	}
	m := l.Mapping
	if m == nil {
		m = &profile.Mapping{}
	}
	return frame(l.Address, l.IsFolded, mappingOf(m.Start, m.Limit, m.Offset, m.File, m.BuildID,
		[4]bool{m.HasFunctions, m.HasFilenames, m.HasLineNumbers, m.HasInlineFrames}), lines)
}

// OfPdata returns the observations of a message that pdata has read, sorted. docs/formats.md states
// what becomes a label: the attributes of resource, scope, profile and sample, and the span of a
// link.
func OfPdata(d pprofile.Profiles) (all []string) {
	t := tables{d.Dictionary()}
	for _, r := range d.ResourceProfiles().All() {
		for _, s := range r.ScopeProfiles().All() {
			labels := map[string]label{}
			setAll(labels, r.Resource().Attributes())
			for key, text := range map[string]string{"otel.scope.name": s.Scope().Name(), "otel.scope.version": s.Scope().Version()} {
				if text != "" {
					labels[key] = label{texts: []string{text}}
				}
			}
			setAll(labels, s.Scope().Attributes())
			for _, p := range s.Profiles().All() {
				all = append(all, t.profile(p, labels)...)
			}
		}
	}
	slices.Sort(all)
	return all
}

// setAll sets labels to attributes, except those for fields of pprof.
func setAll(labels map[string]label, attributes pcommon.Map) {
	for key, v := range attributes.All() {
		if !strings.HasPrefix(key, "pprof.") {
			labels[key] = labelOf(v, "")
		}
	}
}

// labelOf returns the label for a value of an attribute with a unit.
func labelOf(v pcommon.Value, unit string) (l label) {
	elements := []pcommon.Value{v}
	if v.Type() == pcommon.ValueTypeSlice {
		elements = nil
		for _, e := range v.Slice().All() {
			elements = append(elements, e)
		}
	}
	for _, e := range elements {
		switch e.Type() {
		case pcommon.ValueTypeInt:
			l.numbers = append(l.numbers, fmt.Sprintf("%d %q", e.Int(), unit))
		case pcommon.ValueTypeMap: // a number with a unit of its own
			n, isNumber := e.Map().Get("value")
			u, hasUnit := e.Map().Get("unit")
			if isNumber && hasUnit && e.Map().Len() == 2 && n.Type() == pcommon.ValueTypeInt && u.Type() == pcommon.ValueTypeStr {
				l.numbers = append(l.numbers, fmt.Sprintf("%d %q", n.Int(), u.Str()))
				continue
			}
			l.texts = append(l.texts, e.AsString())
		default:
			l.texts = append(l.texts, e.AsString())
		}
	}
	return l
}

// tables are the dictionary of a message.
type tables struct{ pprofile.ProfilesDictionary }

func (t tables) text(i int32) string { return t.StringTable().At(int(i)) }

func (t tables) kind(v pprofile.ValueType) string {
	return kindOf(t.text(v.TypeStrindex()), t.text(v.UnitStrindex()))
}

// attributes calls f for each attribute of a list.
func (t tables) attributes(list pcommon.Int32Slice, f func(key string, v pcommon.Value, unit string)) {
	for _, i := range list.All() {
		a := t.AttributeTable().At(int(i))
		f(t.text(a.KeyStrindex()), a.Value(), t.text(a.UnitStrindex()))
	}
}

// profile returns the observations of a profile. base are the labels of its scope.
func (t tables) profile(p pprofile.Profile, base map[string]label) (all []string) {
	base = maps.Clone(base)
	set := func(labels map[string]label) func(string, pcommon.Value, string) {
		return func(key string, v pcommon.Value, unit string) {
			if !strings.HasPrefix(key, "pprof.") {
				labels[key] = labelOf(v, unit)
			}
		}
	}
	t.attributes(p.AttributeIndices(), set(base))
	head := headOf(int64(p.Time()), int64(p.DurationNano()), p.Period(), t.kind(p.PeriodType()))
	for _, s := range p.Samples().All() {
		labels := maps.Clone(base)
		t.attributes(s.AttributeIndices(), set(labels))
		if i := s.LinkIndex(); i != 0 {
			link := t.LinkTable().At(int(i))
			trace, span := link.TraceID(), link.SpanID()
			labels["trace_id"] = label{texts: []string{hex.EncodeToString(trace[:])}}
			labels["span_id"] = label{texts: []string{hex.EncodeToString(span[:])}}
		}
		value := int64(0)
		for _, v := range s.Values().All() {
			value += v
		}
		if s.Values().Len() == 0 {
			value = int64(s.TimestampsUnixNano().Len())
		}
		if value != 0 {
			all = append(all, observation(value, t.kind(p.SampleType()), head, t.stack(s.StackIndex()), labels))
		}
	}
	return all
}

func (t tables) stack(i int32) (frames []string) {
	for _, l := range t.StackTable().At(int(i)).LocationIndices().All() {
		frames = append(frames, t.location(t.LocationTable().At(int(l))))
	}
	return frames
}

func (t tables) location(l pprofile.Location) string {
	var lines []string
	for _, n := range l.Lines().All() {
		f := t.FunctionTable().At(int(n.FunctionIndex()))
		lines = append(lines, lineOf(t.text(f.NameStrindex()), t.text(f.SystemNameStrindex()), t.text(f.FilenameStrindex()), f.StartLine(), n.Line(), n.Column()))
	}
	folded := false
	t.attributes(l.AttributeIndices(), func(key string, v pcommon.Value, _ string) {
		folded = folded || key == "pprof.location.is_folded" && v.Bool()
	})
	m := t.MappingTable().At(int(l.MappingIndex()))
	var build string
	var has [4]bool
	t.attributes(m.AttributeIndices(), func(key string, v pcommon.Value, _ string) {
		if key == "process.executable.build_id.gnu" || key == "process.executable.build_id.go" && build == "" {
			build = v.Str()
		}
		if i := slices.Index([]string{"has_functions", "has_filenames", "has_line_numbers", "has_inline_frames"}, strings.TrimPrefix(key, "pprof.mapping.")); i >= 0 {
			has[i] = v.Bool()
		}
	})
	return frame(l.Address(), folded, mappingOf(m.MemoryStart(), m.MemoryLimit(), m.FileOffset(), t.text(m.FilenameStrindex()), build, has), lines)
}
