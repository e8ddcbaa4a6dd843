// Package format opens recorded traces, profiles and thread dumps, and lists the file formats. A format
// has a directory below this one with its wire description, its reader and its writer.
package format

import "artifice/format/internal/kind"

// Format describes a file format: how a file of it is recognized, read and written.
type Format = kind.Format

// Holds states what a file of a format can contain.
type Holds = kind.Holds

// What a file can contain.
const (
	Binary     = kind.Binary
	Numbers    = kind.Numbers
	OpenFrames = kind.OpenFrames
	Scheduling = kind.Scheduling
	LostEnds   = kind.LostEnds
)

// Repair selects how missing ends of calls are restored.
type Repair = kind.Repair

// The repairs.
const (
	RepairForward = kind.RepairForward
	RepairRhea    = kind.RepairRhea
)

// ParseRepair returns the repair called forward or rhea.
func ParseRepair(s string) (Repair, error) { return kind.ParseRepair(s) }
