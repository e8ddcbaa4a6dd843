package view

import (
	"fmt"

	"artifice/bench/score"
)

// Source is a named trace that can be read more than once.
type Source struct {
	Name string
	Open score.Opener
}

// ReadCompared returns a page of a truth and an observed recording, with the times of the recording
// aligned to the truth by a.
func ReadCompared(truth, observed Source, a *score.Alignment, o Options) (*Page, error) {
	var both [2]*Recording
	for i, side := range []Source{truth, observed} {
		rec, err := side.Open()
		if err != nil {
			return nil, err
		}
		in := NewIntake(rec, o)
		if both[i], err = in.read(side.Name); err != nil {
			return nil, err
		}
		if both[i].Short > 0 {
			return nil, fmt.Errorf("%s: %w", side.Name, errTooLong)
		}
	}
	t, r := both[0], both[1]
	if err := r.translate(t); err != nil {
		return nil, err
	}
	r.lay(a)
	r.comparison = compare(t, r)
	return &Page{Recordings: []*Recording{t, r}}, nil
}

// translate replaces the symbols of an observed recording by the truth's symbols, followed by its
// own symbols without a match.
func (r *Recording) translate(truth *Recording) error {
	threads, methods, all, err := score.Match(truth.Symbols, r.Symbols)
	if err != nil {
		return err
	}
	for i := range r.threads {
		t := r.threads[i]
		t.id = threads[t.id]
		t.steps.change(func(s *step) {
			if !s.End {
				s.Method = methods[s.Method]
			}
		})
	}
	r.Profile.Renumber(methods)
	if r.main != nil && r.main != r.Profile {
		r.main.Renumber(methods)
	}
	r.Symbols = all
	return nil
}

// lay converts the times of an observed recording to the truth's time.
func (r *Recording) lay(a *score.Alignment) {
	for i := range r.threads {
		t := r.threads[i]
		t.first.Main, t.last.Main = a.ToTruth(t.first.Main), a.ToTruth(t.last.Main)
		t.steps.change(func(s *step) { s.Main = a.ToTruth(s.Main) })
		for _, spans := range [][]span{t.gaps, t.late} {
			for j := range spans {
				s := &spans[j]
				start, end := a.ToTruth(s.Start), a.ToTruth(s.Start+s.Duration)
				*s = span{start, end - start}
			}
		}
	}
}
