package report

import (
	"strings"
	"time"

	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// View is a profile, or the part of it selected for a report.
type View struct {
	Profile *estimate.Profile
	Style   NameStyle // form of the names of methods and classes
	Symbols *trace.Symbols

	namer                *Namer          // nil until a name is needed
	running              []time.Duration // running time of the profile's methods
	runningTotal         []time.Duration // running time of the methods with their callees
	kept                 []bool          // by context: passes the filter; nil: all do
	exclusive, inclusive []estimate.Share
}

// Filter selects the stacks of a report, like the options of go tool pprof with the same names. The
// zero value selects all stacks.
type Filter struct {
	Focus  Matcher // stacks with a frame of a method with a matching full name; nil: all
	Ignore Matcher // except stacks with such a frame; nil: none
}

// Matcher matches names, as a [regexp.Regexp] does.
type Matcher interface {
	MatchString(name string) bool
}

// New returns a view of the stacks of p that pass f. symbols contains the names.
func New(p *estimate.Profile, symbols *trace.Symbols, f Filter) *View {
	v := &View{Profile: p, Symbols: symbols}
	if f.Focus != nil || f.Ignore != nil {
		v.keep(f)
	}
	return v
}

// keep marks the contexts that pass the filter.
func (v *View) keep(f Filter) {
	t := v.Profile.Tree
	matches := func(m Matcher) []bool {
		if m == nil {
			return nil
		}
		all := make([]bool, len(v.Symbols.Methods))
		for i := range all {
			all[i] = m.MatchString(v.Symbols.Methods[i].FullName())
		}
		return all
	}
	walk := &filterVisitor{tree: t, focus: matches(f.Focus), ignore: matches(f.Ignore), kept: make([]bool, t.Len())}
	for id := range t.Threads() {
		t.Walk(trace.ThreadID(id), walk)
	}
	v.kept = walk.kept
}

type filterVisitor struct {
	tree            *calltree.Tree
	focus, ignore   []bool // by method; nil if the filter has no such expression
	kept            []bool
	wanted, dropped int // numbers of matching frames on the walk's path
}

func (f *filterVisitor) count(n calltree.Node, by int) {
	m := f.tree.Method(n)
	if m == calltree.NoMethod {
		return
	}
	if f.focus != nil && f.focus[m] {
		f.wanted += by
	}
	if f.ignore != nil && f.ignore[m] {
		f.dropped += by
	}
}

func (f *filterVisitor) Open(n calltree.Node, _ int) {
	f.count(n, 1)
	f.kept[n] = (f.focus == nil || f.wanted > 0) && f.dropped == 0
}

func (f *filterVisitor) Shut(n calltree.Node, _ int) { f.count(n, -1) }

// columns computes the shares of every context at its first call.
func (v *View) columns() {
	t := v.Profile.Tree
	if v.exclusive != nil {
		return
	}
	v.exclusive, v.inclusive = make([]estimate.Share, t.Len()), make([]estimate.Share, t.Len())
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		if v.kept == nil || v.kept[n] {
			c := v.Profile.Context(n)
			v.exclusive[n], v.inclusive[n] = c.Exclusive, c.Inclusive
		}
	}
	if v.kept == nil && v.Profile.Period > 0 {
		return
	}
	sum := &inclusiveVisitor{v, make([]adder, t.Len())}
	for id := range t.Threads() {
		t.Walk(trace.ThreadID(id), sum)
	}
}

// inclusiveVisitor sums exclusive shares on the way up.
type inclusiveVisitor struct {
	view *View
	sums []adder
}

func (s *inclusiveVisitor) Open(calltree.Node, int) {}

func (s *inclusiveVisitor) Shut(n calltree.Node, depth int) {
	s.sums[n].add(&s.view.exclusive[n])
	s.view.inclusive[n] = s.sums[n].share()
	if depth > 0 {
		s.sums[s.view.Profile.Tree.Parent(n)].join(&s.sums[n])
	}
}

// toplevel is the name of time without an open frame, as in dmtracedump.
const toplevel = "(toplevel)"

// names returns the namer of methods and classes.
func (v *View) names() *Namer {
	if v.namer == nil {
		v.namer = NewNamer(v.Symbols, v.Style, v.Profile.Len(), v.Profile.MethodID)
	}
	return v.namer
}

// name returns the name of a context's method.
func (v *View) name(n calltree.Node) string {
	m := v.Profile.Tree.Method(n)
	if m == calltree.NoMethod {
		return toplevel
	}
	return v.names().Method(m)
}

// awake returns the running time of each context without its callees.
func (v *View) awake() []time.Duration {
	v.columns()
	own := make([]time.Duration, v.Profile.Tree.Len())
	for n := calltree.Node(1); int(n) < len(own); n++ {
		if v.kept == nil || v.kept[n] {
			own[n] = v.Profile.Running(n)
		}
	}
	return own
}

// packageOf returns the package of a class.
func packageOf(class string) string {
	if i := strings.LastIndexByte(class, '.'); i >= 0 {
		return class[:i]
	}
	return "(default)"
}

// Busy returns the time for which threads ran: on the wall clock, in methods that do not wait; on
// the CPU clock, all CPU time.
func (v *View) Busy(clock trace.Clock) (sum time.Duration) {
	t := v.Profile.Tree
	if v.Profile.OfCPU {
		clock = trace.ThreadCPU
	}
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		switch {
		case t.IsRoot(n):
		case !clock.HasWall():
			sum += t.At(n).Self.CPU
		case !v.Profile.Waits(t.Method(n)):
			sum += t.At(n).Self.Wall
		}
	}
	return sum
}
