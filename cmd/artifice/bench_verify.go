package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"artifice/bench"
	"artifice/bench/theory"
)

// lawSummary gathers the verdicts on one law.
type lawSummary struct {
	law    string
	values int
	worst  theory.Verdict
}

// runVerify holds the closed forms against their simulations and the emulated
// tracers against the closed forms.
func runVerify(cmd *cobra.Command, std stdio, f *benchFlags) error {
	var laws []*lawSummary
	var verdicts []theory.Verdict
	err := bench.Verify(cmd.Context(), f.seed, func(v theory.Verdict) {
		verdicts = append(verdicts, v)
		laws = summarise(laws, v)
	})
	l := &listing{columns: []string{"law", "values", "worst z", "where", "law says", "measured"}, right: []bool{false, true, true}}
	for _, s := range laws {
		l.rows = append(l.rows, []string{s.law, fmt.Sprint(s.values), fmt.Sprintf("%+.1f", s.worst.Z), s.worst.Case, measured(s.worst.Value, 0), measured(s.worst.Measured.Value, s.worst.Measured.StdErr)})
	}
	if f.wide || f.form.csv || f.form.json {
		l = eachVerdict(verdicts)
	}
	if printErr := f.form.print(std.out, l); err == nil {
		err = printErr
	}
	return err
}

func summarise(laws []*lawSummary, v theory.Verdict) []*lawSummary {
	n := len(laws)
	for i, s := range laws {
		if s.law == v.Law {
			n = i
		}
	}
	if n == len(laws) {
		laws = append(laws, &lawSummary{law: v.Law, worst: v})
	}
	s := laws[n]
	s.values++
	if math.Abs(v.Z) > math.Abs(s.worst.Z) {
		s.worst = v
	}
	return laws
}

func eachVerdict(verdicts []theory.Verdict) *listing {
	l := &listing{columns: []string{"law", "case", "law_says", "measured", "standard_error", "z"}}
	for _, v := range verdicts {
		l.rows = append(l.rows, []string{v.Law, v.Case, number(v.Value), number(v.Measured.Value), number(v.Measured.StdErr), fmt.Sprintf("%.2f", v.Z)})
	}
	return l
}

// measured is a value with its standard error.
func measured(v, se float64) string {
	if se == 0 {
		return fmt.Sprintf("%.5g", v)
	}
	return fmt.Sprintf("%.5g ± %.1g", v, se)
}
