package main

import (
	"fmt"
	"io"

	"artifice/check"
)

// explainRules prints what a rule means, or all of them.
func (f *checkFlags) explainRules(out io.Writer) error {
	rules := check.Rules
	if f.explain != "all" {
		rule, err := check.RuleByID(f.explain)
		if err != nil {
			return usageError{err}
		}
		rules = []check.Rule{*rule}
	}
	l := &listing{columns: []string{"id", "level", "name", "meaning"}}
	for i := range rules {
		r := &rules[i]
		l.rows = append(l.rows, []string{r.ID, r.Level().String(), r.Name, r.Explain})
	}
	if f.form.json || f.form.csv {
		return f.form.print(out, l)
	}
	for i := range rules {
		r := &rules[i]
		if _, err := fmt.Fprintf(out, "%s (%s)\n%s\n", r, r.Level(), wrap(r.Explain, "    ", 80)); err != nil {
			return err
		}
	}
	return nil
}
