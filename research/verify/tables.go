package main

import (
	"fmt"
	"math"

	"artifice/bench"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/research/internal/verify"
)

// verified summarizes the verdicts on one subject.
type verified struct {
	part, what    string
	values, wrong int
	size          float64        // number of compared events
	first         verify.Verdict // of the wrong ones
	worst         verify.Verdict // by z-score; only laws have one
}

func summarise(verdicts []verify.Verdict) (sums []*verified) {
	index := map[[2]string]*verified{}
	for _, v := range verdicts {
		key := [2]string{v.Part, v.What}
		s := index[key]
		if s == nil {
			s = &verified{part: v.Part, what: v.What, worst: verify.Verdict{Z: math.NaN()}}
			index[key], sums = s, append(sums, s)
		}
		s.values++
		s.size += v.Want
		if !v.OK() {
			if s.wrong == 0 {
				s.first = v
			}
			s.wrong++
		}
		if !math.IsNaN(v.Z) && !(math.Abs(v.Z) <= math.Abs(s.worst.Z)) {
			s.worst = v
		}
	}
	return sums
}

// closeToTheory returns the number of means over many phases that are within two standard errors of
// theory.
func closeToTheory(verdicts []verify.Verdict) string {
	within, all := 0, 0
	for _, v := range verdicts {
		if v.Part != "law" {
			continue
		}
		all++
		if math.IsNaN(v.Z) && v.OK() || math.Abs(v.Z) <= 2 {
			within++
		}
	}
	return fmt.Sprintf("within two standard errors of theory: %d of %d values (%.1f %%), where 95 %% are to be expected", within, all, 100*float64(within)/float64(all))
}

// describe describes a wrong value.
func describe(v *verify.Verdict) string {
	switch {
	case v.First != "":
		return fmt.Sprintf("%s: %s", v.Case, v.First)
	case !math.IsNaN(v.Z):
		return fmt.Sprintf("%s: %.6g ± %.2g where theory has %.6g", v.Case, v.Got, v.StdErr, v.Want)
	}
	return fmt.Sprintf("%s: %.9g, should be %.9g", v.Case, v.Got, v.Want)
}

// measuresVerified lists, for each measure, the number of values that agree with the reference
// implementation in bench's table, in score's and for apps that run anew for each tracer, and with
// a law.
func measuresVerified(sums []*verified) *cli.Table {
	l := &cli.Table{Columns: []string{"measure", "bench", "score", "rerun", "theory", "worst z", "where"}, Right: []bool{false, true, true, true, true, true}}
	for _, m := range bench.Measures() {
		cells := []string{m.Key(), "-", "-", "-", "-", "-", ""}
		for _, s := range sums {
			if s.what != m.Key() {
				continue
			}
			column := map[string]int{"bench": 1, "score": 2, "rerun": 3, "law": 4}[s.part]
			cells[column] = count(s)
			if s.part == "law" && !math.IsNaN(s.worst.Z) {
				cells[5], cells[6] = fmt.Sprintf("%+.1f", s.worst.Z), s.worst.Case
			}
		}
		l.Rows = append(l.Rows, cells)
	}
	return l
}

// recordingsVerified lists, for each tracing method, the files that were read back, and the number
// of apps whose recordings of live runs are correct.
func recordingsVerified(sums []*verified) *cli.Table {
	l := &cli.Table{Columns: []string{"read back", "files", "events", "in the loop", "events"}, Right: []bool{false, true, true, true, true}}
	for _, s := range sums {
		if s.part != "record" {
			continue
		}
		apps, events := "-", "-"
		for _, loop := range sums {
			if loop.part == "loop" && loop.what == s.what {
				apps, events = count(loop), fmt.Sprintf("%.0f", loop.size)
			}
		}
		l.Add(s.what, count(s), fmt.Sprintf("%.0f", s.size), apps, events)
	}
	return l
}

// count returns the number of values that agree.
func count(s *verified) string {
	if s.wrong > 0 {
		return fmt.Sprintf("%d of %d wrong", s.wrong, s.values)
	}
	return fmt.Sprint(s.values)
}

func eachVerdict(verdicts []verify.Verdict) *cli.Table {
	l := &cli.Table{Columns: []string{"part", "what", "case", "should_be", "is", "standard_error", "tolerance", "z", "first_difference", "ok"}}
	for _, v := range verdicts {
		errors := []string{"", "", ""}
		if v.Part == "law" {
			errors = []string{words.Number(v.StdErr), words.Number(v.Tolerance), words.Number(v.Z)}
		}
		l.Add(v.Part, v.What, v.Case, words.Number(v.Want), words.Number(v.Got), errors[0], errors[1], errors[2], v.First, fmt.Sprint(v.OK()))
	}
	return l
}
