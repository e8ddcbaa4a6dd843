package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"artifice/internal/words"
	"artifice/report/estimate"
	"artifice/trace"
)

// Row is a line of a report.
type Row struct {
	Depth int32 // in a tree: how many callers are above

	// A row of a method of a trace, which can have millions, has neither name nor figures: the view
	// computes both on demand.
	summed *summed // nil: a method's
	view   *View
	method int32 // of the view's profile
}

// summed is the name and the figures of a row that is no method's.
type summed struct {
	name         string
	figures      estimate.Figures
	running      estimate.Time // of its own
	runningTotal time.Duration // including callees
}

// Name returns the name of the method, class, package or thread.
func (r *Row) Name() string {
	if r.summed != nil {
		return r.summed.name
	}
	return r.view.names().Method(r.Method())
}

// Figures returns the row's times on the trace's clocks.
func (r *Row) Figures() estimate.Figures {
	if r.summed != nil {
		return r.summed.figures
	}
	return r.view.Profile.Method(int(r.method)).Figures
}

// Method returns the method of a row of [ByMethod] that no filter was applied to.
func (r *Row) Method() trace.MethodID { return r.view.Profile.MethodID(int(r.method)) }

// Waits reports whether the line is of a method in which a thread waits.
func (r *Row) Waits() bool { return r.summed == nil && r.view.Profile.Waits(r.Method()) }

// WalkEnd is the reason why walks of stacks ended early, in a line for these and not for a method
// ([trace.Method.WalkEnd]); else "".
func (r *Row) WalkEnd() string {
	if r.summed != nil {
		return ""
	}
	return r.view.Symbols.Method(r.Method()).WalkEnd()
}

// Self returns the line's own time of a kind.
func (r *Row) Self(k Kind) estimate.Time {
	switch {
	case k == Running && r.summed != nil:
		return r.summed.running
	case k == Running && r.view.running != nil:
		own := r.Figures().Exclusive
		return r.view.Profile.RunningTime(&own, r.view.running[r.method])
	}
	own := r.Figures().Exclusive
	return own.On(k.Clock())
}

// Total returns the row's total time of a kind. Running time has no interval: Low and High equal
// the time.
func (r *Row) Total(k Kind) estimate.Time {
	var t time.Duration
	switch {
	case k == Running && r.summed != nil:
		t = r.summed.runningTotal
	case k == Running && r.view.running != nil:
		t = r.view.runningTotal[r.method]
	default:
		all := r.Figures().Inclusive
		return all.On(k.Clock())
	}
	return estimate.Time{Value: t, Low: t, High: t}
}

// compareName returns -1, 0 or 1 as the name of r comes before, is or comes after that of
// other, in the order of their bytes. It puts no full name together.
func (r *Row) compareName(other *Row) int {
	if r.summed != nil || other.summed != nil || r.view.Style == ShortNames {
		return strings.Compare(r.Name(), other.Name())
	}
	a, b := r.nameParts(), other.nameParts()
	return compareParts(a[:], b[:])
}

// nameParts returns strings that make up a method's full name.
func (r *Row) nameParts() [4]string {
	m := r.view.Symbols.Method(r.Method())
	parameters := r.view.names().parameters(m)
	if m.Unlisted || m.Name == "" || m.Class == "" {
		return [4]string{m.FullName(), parameters}
	}
	if r.view.Style == DescriptorNames {
		return [4]string{m.Class, ".", m.Name, parameters}
	}
	return [4]string{m.DottedClass(), ".", m.Name, parameters}
}

// compareParts compares two strings that are in parts.
func compareParts(a, b []string) int {
	for {
		for len(a) > 0 && a[0] == "" {
			a = a[1:]
		}
		for len(b) > 0 && b[0] == "" {
			b = b[1:]
		}
		if len(a) == 0 || len(b) == 0 {
			return cmp.Compare(len(a), len(b))
		}
		n := min(len(a[0]), len(b[0]))
		if c := cmp.Compare(a[0][:n], b[0][:n]); c != 0 {
			return c
		}
		a[0], b[0] = a[0][n:], b[0][n:]
	}
}

// By is the entity of a row of a report.
type By uint8

const (
	ByMethod By = iota
	ByClass
	ByPackage
	ByThread
)

// ParseBy returns the grouping named s: method, class, package or thread.
func ParseBy(s string) (By, error) {
	return words.Parse[By]("row", []string{"method", "class", "package", "thread"}, s)
}

// Kind is the kind of time that a report shows.
type Kind uint8

const (
	// Running is the time in which threads ran: CPU time if the trace has a CPU clock, else wall
	// time of methods that do not wait, by their names. See [estimate.Profile.Running].
	Running Kind = iota

	Wall // all wall time, waiting included
	CPU  // what the threads used of the cores
)

var kindWords = []string{"running", "wall", "cpu"}

// ParseKind returns the kind of time named s: running, wall or cpu.
func ParseKind(s string) (Kind, error) { return words.Parse[Kind]("time", kindWords, s) }

// String returns the word.
func (k Kind) String() string { return words.Of(kindWords, k) }

// Clock returns the clock that the time is read from.
func (k Kind) Clock() trace.Clock {
	if k == CPU {
		return trace.ThreadCPU
	}
	return trace.Wall
}

// KindOf returns the most useful kind of time of a trace with these clocks: running time,
// for which a sampled trace has error bounds. For a trace sampled by CPU time, or with no
// other clock, it is CPU time.
func KindOf(has trace.Clock, ofCPU bool) Kind {
	if ofCPU || !has.HasWall() {
		return CPU
	}
	return Running
}

// Order is the sort key of a report's rows.
type Order uint8

const (
	BySelf Order = iota
	ByTotal
	ByCalls
	ByName
)

// ParseOrder returns the order named s: self, total, calls or name.
func ParseOrder(s string) (Order, error) {
	return words.Parse[Order]("order", []string{"self", "total", "calls", "name"}, s)
}

// Sort puts rows in order by their times of a kind or their calls, those with the most first,
// whatever their sign; equals by name.
func (o Order) Sort(rows []Row, kind Kind) {
	value := map[Order]func(Row) time.Duration{
		BySelf:  func(r Row) time.Duration { return r.Self(kind).Value.Abs() },
		ByTotal: func(r Row) time.Duration { return r.Total(kind).Value.Abs() },
		ByCalls: func(r Row) time.Duration { return time.Duration(r.Figures().Calls.Reported) },
		ByName:  func(Row) time.Duration { return 0 },
	}[o]
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(value(b), value(a)), a.compareName(&b))
	})
}
