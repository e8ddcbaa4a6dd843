package check

import (
	"fmt"
	"reflect"
	"slices"

	"artifice/format/internal/otlp"
)

// usedEntries states, for each entry of each table, whether the message refers to it.
type usedEntries struct{ mappings, locations, functions, links, strings, attributes, stacks []bool }

// newUsedEntries returns the entries of a dictionary before its references are marked. Entry 0,
// which means none, counts as used.
func newUsedEntries(d *otlp.Dictionary) usedEntries {
	entries := func(n int) []bool {
		used := make([]bool, n)
		mark(used, 0)
		return used
	}
	return usedEntries{mappings: entries(len(d.Mappings)), locations: entries(len(d.Locations)), functions: entries(len(d.Functions)), links: entries(len(d.Links)),
		strings: entries(len(d.Strings)), attributes: entries(len(d.Attributes)), stacks: entries(len(d.Stacks))}
}

// dictionary checks the tables, after all references from outside of the tables have been marked.
func (p *profileChecker) dictionary() {
	d := p.d
	table(p, "mapping_table", d.Mappings, p.mapping)
	table(p, "location_table", d.Locations, p.location)
	table(p, "function_table", d.Functions, p.function)
	table(p, "link_table", d.Links, p.link)
	table(p, "string_table", d.Strings, func(*string) {})
	table(p, "attribute_table", d.Attributes, func(a *otlp.Attribute) {
		p.index("key_strindex", a.Key, p.used.strings)
		p.index("unit_strindex", a.Unit, p.used.strings)
		p.value(a.Value)
	})
	table(p, "stack_table", d.Stacks, func(s *otlp.Stack) {
		for i, l := range s.Locations {
			p.element("location_indices", i, l, p.used.locations)
		}
	})
	p.twice()
	p.unused()
}

// table checks each entry of a table, and that the first is the zero value.
func table[T any](p *profileChecker, name string, entries []T, check func(*T)) {
	if len(entries) == 0 {
		p.add("E048", "%s is empty", name)
		return
	}
	if !zero(reflect.ValueOf(entries[0])) {
		p.add("E049", "%s[0] has content", name)
	}
	each(p, name, entries, check)
}

// zero reports whether a message is the zero value: it has no fields, or is an attribute value
// without a value.
func zero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice:
		return v.Len() == 0
	case reflect.Pointer:
		return v.IsNil() || zero(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if !zero(v.Field(i)) {
				return false
			}
		}
		return true
	}
	return v.IsZero()
}

func (p *profileChecker) mapping(m *otlp.Mapping) {
	p.index("filename_strindex", m.File, p.used.strings)
	p.attributes(m.Attributes)
	if (m.Start != 0 || m.Limit != 0) && m.Start >= m.Limit {
		p.add("E050", "memory_start is %#x and memory_limit %#x", uint64(m.Start), uint64(m.Limit))
	}
}

func (p *profileChecker) location(l *otlp.Location) {
	p.index("mapping_index", l.Mapping, p.used.mappings)
	p.attributes(l.Attributes)
	each(p, "lines", l.Lines, func(line *otlp.Line) {
		p.index("function_index", line.Function, p.used.functions)
		p.notNegative("line", int64(line.Line))
		p.notNegative("column", int64(line.Column))
	})
}

func (p *profileChecker) function(f *otlp.Function) {
	p.index("name_strindex", f.Name, p.used.strings)
	p.index("system_name_strindex", f.SystemName, p.used.strings)
	p.index("filename_strindex", f.File, p.used.strings)
	p.notNegative("start_line", int64(f.StartLine))
}

func (p *profileChecker) notNegative(field string, n int64) {
	if n < 0 {
		p.add("E051", "%s is %d", field, n)
	}
}

// link checks the ids of an entry other than the first.
func (p *profileChecker) link(l *otlp.Link) {
	if p.path[len(p.path)-1].at == 0 {
		return
	}
	if len(l.Trace) != 16 || len(l.Span) != 8 {
		p.add("E052", "trace_id has %d bytes and span_id %d, not 16 and 8", len(l.Trace), len(l.Span))
	}
}

// keyValues marks the strings that attributes of a resource or scope refer to.
func (p *profileChecker) keyValues(list []otlp.KeyValue) {
	for i := range list {
		p.refer(list[i].KeyRef)
		p.value(list[i].Value)
	}
}

// value marks the strings that a value refers to.
func (p *profileChecker) value(v *otlp.Value) {
	switch {
	case v == nil:
	case v.StringRef != nil:
		p.refer(*v.StringRef)
	case v.Array != nil:
		for i := range v.Array.Values {
			p.value(&v.Array.Values[i])
		}
	case v.List != nil:
		p.keyValues(v.List.Values)
	}
}

func (p *profileChecker) refer(i otlp.Index) {
	if i != 0 {
		p.index("string reference", i, p.used.strings)
	}
}

// twice reports equal strings and equal mappings, like profcheck with -check-dupes.
func (p *profileChecker) twice() {
	strings := map[string]int{}
	for i, s := range p.d.Strings {
		p.entryTwice("string_table", i, strings, s)
	}
	mappings := map[string]int{}
	for i := range p.d.Mappings {
		if i > 0 {
			m := p.d.Mappings[i]
			m.Attributes = slices.Sorted(slices.Values(m.Attributes))
			p.entryTwice("mapping_table", i, mappings, fmt.Sprint(m))
		}
	}
}

func (p *profileChecker) entryTwice(table string, i int, known map[string]int, entry string) {
	if first, ok := known[entry]; ok {
		p.add("W132", "%s[%d] equals [%d]", table, i, first)
		return
	}
	known[entry] = i
}

// unused reports entries without a reference, like profcheck with -check-orphans.
func (p *profileChecker) unused() {
	for _, t := range []struct {
		name string
		used []bool
	}{
		{"mapping_table", p.used.mappings}, {"location_table", p.used.locations}, {"function_table", p.used.functions}, {"link_table", p.used.links},
		{"string_table", p.used.strings}, {"attribute_table", p.used.attributes}, {"stack_table", p.used.stacks},
	} {
		for i, used := range t.used {
			if !used {
				p.add("W133", "nothing refers to %s[%d]", t.name, i)
			}
		}
	}
}
