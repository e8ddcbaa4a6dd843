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
	Depth int32 // in a tree: number of callers above it

	// A trace can have millions of methods, so the row of a method contains neither name nor
	// figures; the view computes both on demand.
	summed *summed // nil for the row of a method
	view   *View
	method int32 // of the view's profile
}

// summed is the name and the figures of a row that is not a method's.
type summed struct {
	name         string
	figures      estimate.Figures
	running      estimate.Time // running time without callees
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

// Method returns the method of a row of [ByMethod] without a filter.
func (r *Row) Method() trace.MethodID { return r.view.Profile.MethodID(int(r.method)) }

// Waits reports whether the row is a method in which a thread waits.
func (r *Row) Waits() bool { return r.summed == nil && r.view.Profile.Waits(r.Method()) }

// WalkEnd returns the reason why stack walks ended early, if the row represents such walks and not
// a method ([trace.Method.WalkEnd]); else "".
func (r *Row) WalkEnd() string {
	if r.summed != nil {
		return ""
	}
	return r.view.Symbols.Method(r.Method()).WalkEnd()
}

// Self returns the row's self time of a kind.
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

// compareName compares the names of two rows byte by byte and returns -1, 0 or 1. It does not build
// full names.
func (r *Row) compareName(other *Row) int {
	if r.summed != nil || other.summed != nil || r.view.Style == ShortNames {
		return strings.Compare(r.Name(), other.Name())
	}
	a, b := r.nameParts(), other.nameParts()
	return compareParts(a[:], b[:])
}

// nameParts returns the strings that together form a method's full name.
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

// compareParts compares two strings that are given in parts.
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

	Wall // all wall time, including waits
	CPU  // CPU time of the threads
)

var kindWords = []string{"running", "wall", "cpu"}

// ParseKind returns the kind of time named s: running, wall or cpu.
func ParseKind(s string) (Kind, error) { return words.Parse[Kind]("time", kindWords, s) }

// String returns the name of the kind.
func (k Kind) String() string { return words.Of(kindWords, k) }

// Clock returns the clock of the time.
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

// Sort sorts rows by their times of a kind or by their calls, in descending order of absolute
// values. Rows with equal values are sorted by name.
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
