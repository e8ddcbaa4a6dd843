package pprof

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// Omitted returns the content of a profile that is not in its recording, if the recording has the
// value with a given name: other values, labels that describe neither threads nor processes, lines,
// addresses, comments and dates. interval is the sampling interval, if the user states it.
func Omitted(p *profile.Profile, name string, interval time.Duration) (list []string) {
	if v, err := valuesOf(p, name, interval); err == nil {
		if left := v.left(p); len(left) > 0 {
			list = append(list, fmt.Sprintf("values (%s)", strings.Join(left, ", ")))
		}
	}
	if labels := otherLabels(p); len(labels) > 0 {
		list = append(list, fmt.Sprintf("labels (%s)", strings.Join(labels, ", ")))
	}
	hasFile := func(f *profile.Function) bool { return f.Filename != "" || f.StartLine != 0 }
	hasLine := func(l *profile.Location) bool {
		return slices.ContainsFunc(l.Line, func(line profile.Line) bool { return line.Line != 0 })
	}
	has := func(what string, known bool) {
		if known {
			list = append(list, what)
		}
	}
	has("files and lines", slices.ContainsFunc(p.Function, hasFile) || slices.ContainsFunc(p.Location, hasLine))
	has("marks of inlining", slices.ContainsFunc(p.Location, func(l *profile.Location) bool { return len(l.Line) > 1 }))
	has("addresses and mappings", len(p.Mapping) > 0 || slices.ContainsFunc(p.Location, func(l *profile.Location) bool { return l.Address != 0 }))
	has("comments", len(p.Comments) > 0 || p.DocURL != "")
	has("date and duration", p.TimeNanos != 0 || p.DurationNanos != 0)
	return list
}

// otherLabels returns the keys of labels that describe neither threads nor processes.
func otherLabels(p *profile.Profile) []string {
	return slices.DeleteFunc(LabelKeys(p), func(key string) bool { return roleOfKey(key) != noRole })
}
