package matrix

import (
	"artifice/research/internal/art11"
	"errors"
	"fmt"
	"regexp"
)

// Sum counts the outcomes of cells.
type Sum struct {
	cells, equal, bytes int
	command             int // equal ones written by the program
}

// Add adds the outcome of a cell ([Each]), and prints a difference or failure.
func (s *Sum) Add(_ int, c *Cell, o *Outcome, err error) {
	s.cells++
	switch {
	case err != nil:
		fmt.Println("failed:", err)
	case o.Differs != nil:
		fmt.Printf("differs: %s: %v\n", c, o.Differs)
	default:
		s.equal++
		s.bytes += o.Bytes
		if c.Whole {
			s.command++
		}
	}
}

// merge adds another sum.
func (s *Sum) merge(other *Sum) {
	s.cells, s.equal, s.bytes, s.command = s.cells+other.cells, s.equal+other.equal, s.bytes+other.bytes, s.command+other.command
}

// Err returns an error unless all files are equal.
func (s *Sum) Err() error {
	if s.equal < s.cells {
		return errors.New("not all files are equal")
	}
	return nil
}

// String returns the counts in a line: "99 of 99 files equal, 2858149 bytes".
func (s *Sum) String() string {
	text := fmt.Sprintf("%4d of %4d files equal, %9d bytes", s.equal, s.cells, s.bytes)
	if s.command > 0 {
		text += fmt.Sprintf(", %4d of them by artifice record", s.command)
	}
	return text
}

// Print runs the cells of the truths with matching names, and prints a line for each truth and one
// for all. It returns an error unless all files are equal.
func Print(a *art11.ART, truths []Truth, match *regexp.Regexp, cells func(name string, truth *art11.Truth) []*Cell) error {
	all := &Sum{}
	for _, truth := range truths {
		if !match.MatchString(truth.Name) {
			continue
		}
		opened, err := truth.Open()
		if err != nil {
			return fmt.Errorf("%s: %w", truth.Name, err)
		}
		list, one := cells(truth.Name, opened), &Sum{}
		Each(a, len(list), func(i int) (*Cell, error) { return list[i], nil }, one.Add)
		fmt.Printf("%-28s %7d events  %s\n", truth.Name, opened.Events(), one)
		all.merge(one)
	}
	fmt.Printf("%-28s                 %s\n", "all", all)
	return all.Err()
}
