package kind

import "artifice/internal/words"

// Repair selects how lost ends of calls are restored: see [LostEnds].
type Repair uint8

const (
	// RepairForward follows the stack: the end of an open method closes its callees, the end of
	// any other method is skipped. Values of captured parameters after a name are not compared:
	// they may have changed since the begin.
	RepairForward Repair = iota

	// RepairRhea repairs like the scripts of RheaTrace 1.0.2, from the end of the trace to its
	// begin (package internal/rhea). A call without an end gets the end of an enclosing call, or
	// ends at its begin, and ": CrashTag" is appended to its name. Marks without RheaTrace's letter
	// belong to the framework and stay unchanged.
	RepairRhea

	// RepairArticle is RepairForward with different ends of callees without an end: they end at the
	// last mark of their thread before the end of the open method, which is the last time at which
	// they are known to run. The introduction of RheaTrace 1 contains such a listing
	// (INTRODUCTION.MD); its scripts do not produce it.
	RepairArticle
)

// ParseRepair returns the repair called forward, rhea or article.
func ParseRepair(s string) (Repair, error) {
	return words.Parse[Repair]("repair", []string{"forward", "rhea", "article"}, s)
}
