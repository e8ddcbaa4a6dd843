package opentelemetry

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// OfProfiles are the parts of a profile of pprof that recordings do not have.
var OfProfiles = []string{"labels", "lines", "mappings", "addresses", "comments"}

// PartsOf returns each part of a profile besides stacks and values as a text: [OfProfiles],
// threads, types and units, and period.
func PartsOf(p *profile.Profile) map[string]string {
	threads, labels, lines, mappings, addresses := set{}, set{}, set{}, set{}, set{}
	for _, s := range p.Sample {
		for key, texts := range s.Label {
			if key == "thread" || key == "thread.name" {
				threads.add(texts)
			} else {
				labels.add(key, texts)
			}
		}
		for key, numbers := range s.NumLabel {
			if key != "tid" && key != "thread.id" {
				labels.add(key, numbers, s.NumUnit[key])
			}
		}
		for _, l := range s.Location {
			addresses.add(fmt.Sprintf("%#x", l.Address))
			if l.Mapping != nil {
				mappings.add(l.Mapping.File, l.Mapping.BuildID, l.Mapping.Start, l.Mapping.Limit)
			}
			for _, n := range l.Line {
				lines.add(n.Function.Name, n.Function.Filename, n.Line)
			}
		}
	}
	var types []string
	for _, t := range p.SampleType {
		types = append(types, t.Type+" in "+t.Unit)
	}
	period := fmt.Sprint(p.Period)
	if p.PeriodType != nil {
		period += " " + p.PeriodType.Type + " in " + p.PeriodType.Unit
	}
	return map[string]string{"threads": threads.String(), "labels": labels.String(), "lines": lines.String(), "mappings": mappings.String(),
		"addresses": addresses.String(), "types and units": strings.Join(types, ", "), "period": period, "comments": strings.Join(p.Comments, "\n")}
}

// set is a set of texts.
type set map[string]bool

func (s set) add(values ...any) { s[fmt.Sprint(values...)] = true }

// String returns the texts, sorted.
func (s set) String() string { return strings.Join(slices.Sorted(maps.Keys(s)), "; ") }
