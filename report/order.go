package report

import (
	"cmp"
	"slices"
	"time"

	"artifice/internal/words"
)

// Order is what the rows of a report are put in order by.
type Order uint8

const (
	BySelf Order = iota
	ByTotal
	ByCalls
	ByName
)

// ParseOrder returns what a word stands for: self, total, calls or name.
func ParseOrder(s string) (Order, error) {
	return words.Parse[Order]("order", []string{"self", "total", "calls", "name"}, s)
}

// Sort puts rows in order by their times of a kind or their calls, those with the most first;
// equals by name.
func (o Order) Sort(rows []Row, kind Kind) {
	value := map[Order]func(Row) time.Duration{
		BySelf:  func(r Row) time.Duration { return r.Self(kind).Value },
		ByTotal: func(r Row) time.Duration { return r.Total(kind).Value },
		ByCalls: func(r Row) time.Duration { return time.Duration(r.Figures().Calls.Reported) },
		ByName:  func(Row) time.Duration { return 0 },
	}[o]
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(value(b), value(a)), a.CompareName(&b))
	})
}
