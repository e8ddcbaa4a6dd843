package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// lines are sets of lines of files. File names are relative to the root.
type lines map[string]spans

// spans are disjoint ranges of lines, in order.
type spans []span

// span is a range of lines.
type span struct{ From, To int }

// contains reports whether a line of a file is in the set.
func (l lines) contains(file string, line int) bool {
	_, found := slices.BinarySearchFunc(l[file], line, func(s span, line int) int {
		switch {
		case s.To < line:
			return -1
		case s.From > line:
			return 1
		}
		return 0
	})
	return found
}

// add adds the lines of another set.
func (l lines) add(more lines) {
	for file, s := range more {
		l[file] = union(slices.Concat(l[file], s))
	}
}

// files returns the names of the files in order.
func (l lines) files() []string { return slices.Sorted(maps.Keys(l)) }

// union returns the lines of a list of ranges.
func union(list []span) (all spans) {
	slices.SortFunc(list, func(a, b span) int { return cmp.Compare(a.From, b.From) })
	for _, s := range list {
		if n := len(all); n > 0 && s.From <= all[n-1].To+1 {
			all[n-1].To = max(all[n-1].To, s.To)
		} else {
			all = append(all, s)
		}
	}
	return all
}

// without returns the lines that are not in another set.
func (s spans) without(other spans) (rest spans) {
	for _, r := range s {
		for _, o := range other {
			if o.To < r.From || o.From > r.To {
				continue
			}
			if o.From > r.From {
				rest = append(rest, span{r.From, o.From - 1})
			}
			r.From = o.To + 1
		}
		if r.From <= r.To {
			rest = append(rest, r)
		}
	}
	return rest
}

// parseProfile parses a coverage profile of go test, and returns the lines of all statements and of
// the executed ones.
func parseProfile(text string) (all, executed lines, err error) {
	every, done := map[string][]span{}, map[string][]span{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "mode:") {
			continue
		}
		name, rest, ok := strings.Cut(line, ":")
		var from, fromColumn, to, toColumn, statements, count int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &from, &fromColumn, &to, &toColumn, &statements, &count); !ok || err != nil {
			return nil, nil, fmt.Errorf("no line of a coverage profile: %q", line)
		}
		name = strings.TrimPrefix(name, "artifice/")
		every[name] = append(every[name], span{from, to})
		if count > 0 {
			done[name] = append(done[name], span{from, to})
		}
	}
	merged := func(of map[string][]span) lines {
		l := lines{}
		for name, list := range of {
			l[name] = union(list)
		}
		return l
	}
	return merged(every), merged(done), nil
}
