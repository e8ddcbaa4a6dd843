package check

import (
	"fmt"
	"strings"

	"artifice/format/internal/kind"
	"artifice/format/internal/otlp"
)

// isProfiles reports whether a format is one of OpenTelemetry profiles.
func isProfiles(format string) bool { return format == otlp.Format.Name || format == otlp.JSON.Name }

// profiles checks a file of OpenTelemetry profiles. The report's number of events is the number of
// samples.
func profiles(name, format string, cfg *Config) (*Report, error) {
	r := newReport(name, cfg)
	r.Format, r.facts.Other = format, format
	r.Origin.Sure = unclear
	defer r.sort()
	messages, earlier, err := otlp.Load(kind.Source{Name: name}, &kind.Config{Limits: cfg.Limits, Progress: cfg.Progress, Stop: cfg.Stop})
	if err != nil {
		return r, r.failed(err)
	}
	if earlier {
		r.add("E040", -1, "samples or profiles have the field numbers of a release before 1.10")
	}
	for i, d := range messages {
		p := profileChecker{report: r, d: d.Dictionary}
		if len(messages) > 1 {
			p.path = []step{{"message ", i}}
		}
		if p.d == nil {
			p.d = &otlp.Dictionary{}
		}
		p.message(d)
	}
	return r, nil
}

// profileChecker applies the rules of profcheck, the validator of OpenTelemetry's profiling group
// (github.com/open-telemetry/sig-profiling), and of the comments in profiles.proto to one message.
type profileChecker struct {
	report *Report
	d      *otlp.Dictionary
	path   []step // path to the element being checked
	used   usedEntries
}

// step is a step of a path: a field, and the index of its element or -1.
type step struct {
	field string
	at    int
}

// in runs f with the path extended by a field, or by an element of the field.
func (p *profileChecker) in(field string, at int, f func()) {
	p.path = append(p.path, step{field, at})
	f()
	p.path = p.path[:len(p.path)-1]
}

// each runs check for each element of a field.
func each[T any](p *profileChecker, field string, list []T, check func(*T)) {
	for i := range list {
		p.in(field, i, func() { check(&list[i]) })
	}
}

// add adds a finding at the current path. Its text names fields as profiles.proto does.
func (p *profileChecker) add(id, format string, args ...any) {
	if p.report.Counts[id] >= PerRule {
		p.report.Counts[id]++
		return
	}
	var place strings.Builder
	for i, s := range p.path {
		if i > 0 {
			place.WriteByte('.')
		}
		place.WriteString(s.field)
		if s.at >= 0 {
			fmt.Fprintf(&place, "[%d]", s.at)
		}
	}
	if place.Len() > 0 {
		place.WriteString(": ")
	}
	p.report.add(id, -1, "%s%s", &place, fmt.Sprintf(format, args...))
}

// message checks a message.
func (p *profileChecker) message(d *otlp.Data) {
	p.used = newUsedEntries(p.d)
	if len(d.Resources) == 0 {
		p.add("E041", "resource_profiles is empty")
		return
	}
	each(p, "resource_profiles", d.Resources, p.resource)
	p.in("dictionary", -1, p.dictionary)
}

func (p *profileChecker) resource(r *otlp.ResourceProfiles) {
	if r.Resource != nil {
		p.keyValues(r.Resource.Attributes)
	}
	if len(r.Scopes) == 0 {
		p.add("E041", "scope_profiles is empty")
	}
	each(p, "scope_profiles", r.Scopes, p.scope)
}

func (p *profileChecker) scope(s *otlp.ScopeProfiles) {
	if s.Scope != nil {
		p.keyValues(s.Scope.Attributes)
	}
	if len(s.Profiles) == 0 {
		p.add("E041", "profiles is empty")
	}
	each(p, "profiles", s.Profiles, p.profile)
}

func (p *profileChecker) profile(of *otlp.Profile) {
	p.attributes(of.Attributes)
	p.valueType("sample_type", of.SampleType)
	p.valueType("period_type", of.PeriodType)
	var first shape
	p.report.Events += int64(len(of.Samples))
	each(p, "samples", of.Samples, func(s *otlp.Sample) { p.sample(of, s, &first) })
}

func (p *profileChecker) valueType(field string, v *otlp.ValueType) {
	if v == nil {
		v = &otlp.ValueType{}
	}
	p.in(field, -1, func() {
		p.index("type_strindex", v.Type, p.used.strings)
		p.index("unit_strindex", v.Unit, p.used.strings)
	})
}

// shape states whether a sample has values and whether it has times.
type shape string

const (
	onlyValues shape = "values only"
	onlyTimes  shape = "timestamps only"
	both       shape = "values and timestamps"
	neither    shape = "neither values nor timestamps"
)

func shapeOf(s *otlp.Sample) shape {
	switch values, times := len(s.Values) > 0, len(s.Times) > 0; {
	case values && times:
		return both
	case values:
		return onlyValues
	case times:
		return onlyTimes
	}
	return neither
}

// sample checks a sample of a profile. first is the shape of the profile's first sample; it is ""
// while that sample is checked.
func (p *profileChecker) sample(of *otlp.Profile, s *otlp.Sample, first *shape) {
	p.index("stack_index", s.Stack, p.used.stacks)
	p.index("link_index", s.Link, p.used.links)
	p.attributes(s.Attributes)
	begin, end := uint64(of.Time), uint64(of.Time)+uint64(of.Duration)
	for i, t := range s.Times {
		if at := uint64(t); at < begin || at >= end {
			p.add("E044", "timestamps_unix_nano[%d] is %d, outside the profile's [%d, %d)", i, at, begin, end)
		}
	}
	is := shapeOf(s)
	switch {
	case is == neither:
		p.add("E045", "no values and no timestamps_unix_nano")
	case is == onlyValues && len(s.Values) != 1:
		p.add("E046", "%d values without timestamps_unix_nano; one is allowed", len(s.Values))
	case is == both && len(s.Values) != len(s.Times):
		p.add("E046", "%d values for %d timestamps_unix_nano", len(s.Values), len(s.Times))
	}
	if *first == "" {
		*first = is
	} else if is != *first {
		p.add("E047", "%s; the first sample of the profile has %s", is, *first)
	}
}

// attributes checks a field attribute_indices. The keys of its attributes must be unique.
func (p *profileChecker) attributes(list []otlp.Index) {
	var seen map[string]bool
	if len(list) > 1 {
		seen = make(map[string]bool, len(list))
	}
	for k, i := range list {
		if !p.element("attribute_indices", k, i, p.used.attributes) {
			continue
		}
		key := p.d.Attributes[i].Key
		if key < 0 || int(key) >= len(p.d.Strings) || seen == nil {
			continue // the check of attribute_table reports an invalid key
		}
		if text := p.d.Strings[key]; seen[text] {
			p.add("E043", "attribute_indices[%d] has the key %.60q again", k, text)
		} else {
			seen[text] = true
		}
	}
}

// element checks an element of a list of indexes.
func (p *profileChecker) element(field string, at int, i otlp.Index, used []bool) (ok bool) {
	if ok = mark(used, i); !ok {
		p.outside(fmt.Sprintf("%s[%d]", field, at), i, len(used))
	}
	return ok
}

// index checks an index into the table whose uses are marked in used.
func (p *profileChecker) index(field string, i otlp.Index, used []bool) {
	if !mark(used, i) {
		p.outside(field, i, len(used))
	}
}

// mark marks an entry of a table as used, and returns false if the table does not have it.
func mark(used []bool, i otlp.Index) (ok bool) {
	if ok = i >= 0 && int(i) < len(used); ok {
		used[i] = true
	}
	return ok
}

func (p *profileChecker) outside(field string, i otlp.Index, entries int) {
	p.add("E042", "%s is %d, but the table has %d entries", field, i, entries)
}
