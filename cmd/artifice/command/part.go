package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"artifice/trace/filter"
)

// NothingLeft is the error of a part of a source that has no events. A thread that is not
// there may be meant for one of a similar name.
func NothingLeft(src *Source, part *filter.Part) error {
	like := ""
	if len(part.Threads) == 1 {
		var all []string
		for i := range src.In.Symbols.Threads {
			all = append(all, src.In.Symbols.Threads[i].Name)
		}
		if !slices.Contains(all, part.Threads[0]) {
			like = DidYouMean(part.Threads[0], all)
		}
	}
	return fmt.Errorf("%s has no events in the selected part (%s, from %s to %s)%s; artifice info --threads lists its threads",
		src.Name, ThreadsText(part.Threads), part.From, EndOf(part.To), like)
}

// ThreadsText names the threads of a part; none are all.
func ThreadsText(names []string) string {
	switch len(names) {
	case 0:
		return "all threads"
	case 1:
		return "thread " + names[0]
	}
	return "threads " + strings.Join(names, ", ")
}

// EndOf is the end of a part in words; 0 is the end of the source.
func EndOf(to time.Duration) string {
	if to == 0 {
		return "the end"
	}
	return to.String()
}
