package kind

import "artifice/internal/words"

// Repair selects how lost ends of calls are restored: see [LostEnds].
type Repair uint8

const (
	// RepairForward follows the stack: the end of an open method closes its callees, the end of
	// any other method is skipped. Values of captured parameters after a name are not compared:
	// they may have changed since the begin.
	RepairForward Repair = iota

	// RepairRhea repairs as the scripts of RheaTrace 1.0.2, from the end of the trace to its
	// begin (package internal/rhea): calls without an end get that of an enclosing call, or end
	// where they begin, and ": CrashTag" is appended to their names. Marks without RheaTrace's
	// letter belong to the framework and stay unchanged.
	RepairRhea

	// RepairArticle is RepairForward, except that callees without an end of their own end at the
	// last mark of their thread before that of the open method: the last time at which they are
	// known to run. The introduction of RheaTrace 1 prints such a listing (INTRODUCTION.MD), which
	// its scripts do not produce.
	RepairArticle
)

// ParseRepair returns the repair called forward, rhea or article.
func ParseRepair(s string) (Repair, error) {
	return words.Parse[Repair]("repair", []string{"forward", "rhea", "article"}, s)
}
