package profile

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	pprof "github.com/google/pprof/profile"
)

// Read reads a profile that [Tree.Write] wrote, compressed or not, so that more traces can be
// added: the resulting profile equals that of all traces together. pprof's library needs about ten
// times the memory of the tree. Other profiles are an error, because they do not state their
// number of traces.
func Read(r io.Reader) (*Tree, error) {
	p, err := pprof.Parse(r)
	if err != nil {
		return nil, err
	}
	t := &Tree{Duration: time.Duration(p.DurationNanos), Period: time.Duration(p.Period), Begun: p.TimeNanos}
	of := make([]int, len(p.SampleType)) // columns
	for i, s := range p.SampleType {
		if of[i] = slices.Index(names[:], s.Type); of[i] < 0 {
			return nil, fmt.Errorf("samples of type %q, which artifice-fleet does not write", s.Type)
		}
	}
	if err := t.readComments(p.Comments, of); err != nil {
		return nil, err
	}
	for _, s := range p.Sample {
		at := t.root(labelsOf(s))
		for _, l := range slices.Backward(s.Location) {
			if len(l.Line) != 1 || l.Line[0].Function == nil {
				return nil, fmt.Errorf("location %d is not of one function, as artifice-fleet writes it", l.ID)
			}
			f := l.Line[0].Function
			at = t.child(at, t.frame(Frame{f.Name, f.SystemName, f.Filename, f.StartLine}))
		}
		for i, v := range s.Value {
			t.nodes[at].values[of[i]] += v
		}
	}
	return t, nil
}

// readComments sets the numbers of traces of the profile and its columns.
func (t *Tree) readComments(comments []string, columns []int) error {
	lacking := regexp.MustCompile(`^(\w+): (\d+) of \d+ traces have none and count as 0$`)
	for _, c := range comments {
		if n, ok := strings.CutPrefix(c, sumOf); ok {
			t.Traces, _ = strconv.ParseInt(strings.TrimSuffix(n, " traces"), 10, 64)
		}
		if l, ok := strings.CutPrefix(c, labelled); ok {
			t.Labels = l
		}
	}
	if t.Traces <= 0 {
		return errors.New("it does not state its number of traces, as artifice-fleet profile does")
	}
	for _, c := range columns {
		t.having[c] = t.Traces
	}
	for _, c := range comments {
		if m := lacking.FindStringSubmatch(c); m != nil {
			if at := slices.Index(names[:], m[1]); at >= 0 {
				n, _ := strconv.ParseInt(m[2], 10, 64)
				t.having[at] -= n
			}
		}
	}
	return nil
}

// labelsOf returns the labels of a sample, in the order of their names.
func labelsOf(s *pprof.Sample) (all []Label) {
	for key, texts := range s.Label {
		for _, text := range texts {
			all = append(all, Label{Key: key, Text: text})
		}
	}
	for key, numbers := range s.NumLabel {
		for _, n := range numbers {
			all = append(all, Label{Key: key, Number: n})
		}
	}
	slices.SortFunc(all, func(a, b Label) int { return strings.Compare(a.Key, b.Key) })
	return all
}
