package kind

import "artifice/internal/words"

// Repair is how ends of calls are put in that a file has lost: see [LostEnds].
type Repair uint8

const (
	// RepairForward follows the stack: an end of a method that is open closes all
	// that it called; one of a method that is not is left out. Values of captured
	// parameters after a name are not compared: they may have changed since the begin.
	RepairForward Repair = iota

	// RepairRhea does what the scripts of RheaTrace 1.0.2 do, from the end of the
	// trace to its begin (package internal/rhea): calls whose end is missing get that of a call
	// around them or end where they begin, and have ": CrashTag" after their names.
	// Marks without RheaTrace's letter, which are the framework's, stay as they are.
	RepairRhea
)

// ParseRepair returns the repair called forward or rhea.
func ParseRepair(s string) (Repair, error) {
	return words.Parse[Repair]("repair", []string{"forward", "rhea"}, s)
}
