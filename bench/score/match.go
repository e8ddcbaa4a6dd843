// Package match finds out which thread and which method of one trace is which of
// another. Ids are of no use for that: they count what came first, and what formats
// keep of a name differs.
//
// Threads are matched by name, or by number where they have none, or else by
// what the kernel calls them ([trace.Thread.KernelName]). Methods are matched by class, name
// and signature, however the class is spelled. Of several threads with one name those of the
// same number belong together, as in two files of one run. Else, and of methods, the first is
// matched with the first, the second with the second, and so on.
//
// Stack dumps, profiles and timelines have no signatures. A method without one is matched by
// class and name with the only one of these on the other side. One that has a signature is
// matched with the truth's method that has none: that stands for every overload. Where a whole
// trace has no signatures, score joins the overloads of the other ([artifice/trace/filter.JoinOverloads]).
package score

import (
	"fmt"
	"slices"
)

// Matching says how much of two traces has a partner in the other.
type Matching struct {
	Threads Partners `json:"threads"`
	Methods Partners `json:"methods"`
	Joined  bool     `json:"joined"` // overloads count as one method
	Time    float64  `json:"time"`   // share of the observed exclusive time in methods of the truth, 0 to 1
}

// Partners counts the threads or methods with events that have a partner.
type Partners struct {
	Both         int      `json:"both"`          // with events on both sides
	OnlyTruth    []string `json:"only_truth"`    // with events in the truth only
	OnlyObserved []string `json:"only_observed"` // with events in the observed trace only
}

// String tells what has no partner.
func (p Partners) String() string {
	return fmt.Sprintf("%d on both sides, %d only true, %d only observed", p.Both, len(p.OnlyTruth), len(p.OnlyObserved))
}

// newPartners counts what is used on both sides, and names what is used on one;
// name returns the name of an index.
func newPartners(truth, seen []bool, name func(int) string) (p Partners) {
	for i := range max(len(truth), len(seen)) {
		known, observed := i < len(truth) && truth[i], i < len(seen) && seen[i]
		switch {
		case known && observed:
			p.Both++
		case known:
			p.OnlyTruth = append(p.OnlyTruth, name(i))
		case observed:
			p.OnlyObserved = append(p.OnlyObserved, name(i))
		}
	}
	slices.Sort(p.OnlyTruth)
	slices.Sort(p.OnlyObserved)
	return p
}
