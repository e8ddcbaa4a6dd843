package dmtracedump_test

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"artifice/format/dmtrace"

	"artifice/internal/testdata"
	"artifice/research/internal/peers/dmtracedump"
	"artifice/trace"
	"artifice/trace/calltree"
)

// TestRealFiles compares totals with dmtracedump's, on third-party files.
func TestRealFiles(t *testing.T) {
	dmtracedump.Require(t)
	for _, name := range dmtracedump.RealFiles {
		t.Run(name, func(t *testing.T) { compare(t, testdata.Path(t, "traces", name)) })
	}
}

// TestWrittenFiles does the same with every real file, rewritten in every variant that dmtracedump
// reads.
func TestWrittenFiles(t *testing.T) {
	dmtracedump.Require(t)
	if testing.Short() {
		t.Skip("TestRealFiles has the short form")
	}
	for _, name := range append([]string{"sampled-streaming.trace"}, dmtracedump.RealFiles...) {
		for _, format := range []string{"dalvik1", "dalvik2", "dalvik3", "art"} {
			t.Run(name+" as "+format, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "out.trace")
				if err := convert(testdata.Path(t, "traces", name), file, format); err != nil {
					t.Fatal(err)
				}
				compare(t, file)
			})
		}
	}
}

func convert(from, to, format string) error {
	in, err := dmtrace.Open(from, dmtrace.ReadOptions{})
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	w, err := dmtrace.NewWriter(out, &in.Recording, dmtrace.Options{Format: format})
	if err != nil {
		return err
	}
	if _, err := trace.Copy(w, in.Events); err != nil {
		return err
	}
	return w.Close()
}

// row is a method in the terms of the report.
type row struct {
	Name                 string
	Exclusive, Inclusive time.Duration
	Calls, Recursive     int64
}

// edge is a caller of a method that never recurs.
type edge struct {
	Caller, Callee string
	Calls          int64
	Inclusive      time.Duration
}

func compare(t *testing.T, file string) {
	t.Helper()
	theirs, _, err := dmtracedump.Run(file)
	if err != nil {
		t.Fatal(err)
	}
	ours := add(t, file)
	if theirs.Total != ours.total {
		t.Errorf("total %v, dmtracedump has %v", ours.total, theirs.Total)
	}
	got, want := ours.rows(), theirRows(theirs)
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("methods (-dmtracedump +ours)\n%s", diff)
	}
	gotEdges, wantEdges := ours.edges(), theirEdges(theirs)
	if diff := gocmp.Diff(wantEdges, gotEdges); diff != "" {
		t.Errorf("edges (-dmtracedump +ours)\n%s", diff)
	}
	t.Logf("total %v, %d methods and %d edges equal", ours.total, len(got), len(gotEdges))
}

// sums contains a file's totals by dmtracedump's rules.
type sums struct {
	rec   *trace.Recording
	tree  *calltree.Tree
	total time.Duration
}

// add reads a file and sums it. All ids that the file does not list are a single method in
// dmtracedump.
func add(t *testing.T, file string) *sums {
	t.Helper()
	in, err := dmtrace.Open(file, dmtrace.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	b := calltree.NewBuilder()
	b.OrphansFromZero()
	unknown := calltree.NoMethod - 1
	for e, err := range trace.All(in.Events) {
		if err != nil {
			t.Fatal(err)
		}
		if in.Symbols.Method(e.Method).Unlisted {
			e.Method = unknown
		}
		b.WriteEvents([]trace.Event{e})
	}
	tree, _ := b.Finish(&trace.Recording{}, trace.UnknownTechnique, calltree.UntilLastEvent)
	s := &sums{rec: &in.Recording, tree: tree}
	s.total = s.time(tree.Total())
	return s
}

// time returns the first time of a record: CPU time if there are two.
func (s *sums) time(t calltree.Times) time.Duration {
	if s.rec.Info.Clock.HasCPU() {
		return t.CPU
	}
	return t.Wall
}

func (s *sums) name(m trace.MethodID) string {
	switch m {
	case calltree.NoMethod:
		return "(toplevel)"
	case calltree.NoMethod - 1:
		return "(unknown)"
	}
	method := s.rec.Symbols.Method(m)
	if method.Name == "" {
		return method.Class
	}
	return method.FullName() + " " + method.Signature
}

// rows returns the methods that took time; dmtracedump omits others unless their class took some.
func (s *sums) rows() []row {
	top := s.tree.Toplevel()
	rows := []row{{Name: "(toplevel)", Exclusive: s.time(top), Inclusive: s.total}}
	for _, m := range s.tree.Methods() {
		rows = append(rows, row{s.name(m.Method), s.time(m.Exclusive), s.time(m.Inclusive), m.Calls, m.Recursive})
	}
	return timed(rows)
}

func theirRows(r *dmtracedump.Report) []row {
	var rows []row
	for _, m := range r.Methods {
		rows = append(rows, row{theirName(m.Name), m.Exclusive, m.Inclusive, m.Calls, m.Recursive})
	}
	return timed(rows)
}

func timed(rows []row) []row {
	rows = slices.DeleteFunc(rows, func(r row) bool { return r.Exclusive == 0 && r.Inclusive == 0 })
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Exclusive, b.Exclusive), cmp.Compare(a.Inclusive, b.Inclusive))
	})
	return rows
}

// theirName drops the source file, which dmtracedump treats as a part of the signature when a
// method line has five columns.
func theirName(name string) string {
	name, _, _ = strings.Cut(name, "\t")
	return name
}

// edges returns the callers of methods that never recur and took time: for others dmtracedump lists
// the recursive calls separately.
func (s *sums) edges() []edge {
	counted := make(map[trace.MethodID]bool)
	for _, m := range s.tree.Methods() {
		counted[m.Method] = m.Recursive == 0 && s.time(m.Inclusive) != 0
	}
	sum := make(map[[2]string]edge)
	for _, e := range s.tree.Edges() {
		if counted[e.Callee] {
			addEdge(sum, edge{s.name(e.Caller), s.name(e.Callee), e.Calls, s.time(e.Inclusive)})
		}
	}
	return sorted(sum)
}

func theirEdges(r *dmtracedump.Report) []edge {
	methods := make(map[int]dmtracedump.Method)
	for _, m := range r.Methods {
		methods[m.Index] = m
	}
	sum := make(map[[2]string]edge)
	for _, e := range r.Edges {
		if methods[e.Callee].Recursive == 0 {
			addEdge(sum, edge{theirName(methods[e.Caller].Name), theirName(methods[e.Callee].Name), e.Calls, e.Inclusive})
		}
	}
	return sorted(sum)
}

// addEdge sums by name: a class loaded by two loaders has its methods twice.
func addEdge(sum map[[2]string]edge, e edge) {
	key := [2]string{e.Caller, e.Callee}
	old := sum[key]
	e.Calls += old.Calls
	e.Inclusive += old.Inclusive
	sum[key] = e
}

func sorted(sum map[[2]string]edge) []edge {
	return slices.SortedFunc(maps.Values(sum), func(a, b edge) int {
		return cmp.Or(strings.Compare(a.Caller, b.Caller), strings.Compare(a.Callee, b.Callee))
	})
}

// TestParseRefuses: text that is no report is an error, never an empty report.
func TestParseRefuses(t *testing.T) {
	ruler := strings.Repeat("=", 70) + "\n"
	for _, text := range []string{"", "nothing\n", ruler + "\n" + ruler + "\n"} {
		if r, err := dmtracedump.Parse(text); err == nil {
			t.Errorf("%q: %+v", text, r)
		}
	}
}
