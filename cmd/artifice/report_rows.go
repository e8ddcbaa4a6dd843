package main

import (
	"regexp"
	"slices"

	"artifice/cmd/artifice/command"
	"artifice/report"
	"artifice/report/estimate"
)

// filter returns the stacks that --focus and --ignore select.
func (f *reportFlags) filter() (filter report.Filter, err error) {
	if filter.Focus, err = expression("focus", f.focus); err != nil {
		return filter, err
	}
	filter.Ignore, err = expression("ignore", f.ignore)
	return filter, err
}

// expression returns the regular expression of a flag, nil where there is none.
func expression(flag, text string) (report.Matcher, error) {
	if text == "" {
		return nil, nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, command.Usagef("--%s: %v", flag, err)
	}
	return re, nil
}

// kind returns what time the report is of.
func (f *reportFlags) kind(p *estimate.Profile) (report.Kind, error) {
	word := f.clock
	if f.waiting {
		word = report.Wall.String()
	}
	if word == "" {
		if f.graph != "" && p.Clock.HasCPU() {
			return report.CPU, nil
		}
		return report.KindOf(p.Clock, p.OfCPU), nil
	}
	kind, err := report.ParseKind(word)
	switch {
	case err != nil:
		return 0, command.Usagef("--clock %q: want running, wall or cpu", f.clock)
	case kind == report.Running && f.graph != "":
		return 0, command.Usagef("--clock running does not apply to --graph: give wall or cpu")
	case kind == report.CPU && !p.Clock.HasCPU(), kind != report.CPU && !p.Clock.HasWall():
		return 0, command.Usagef("--clock %s: the trace has the clock %s only", word, p.Clock)
	}
	return kind, nil
}

// table returns the table of a profile, without rows yet, and what its rows are of.
func (f *reportFlags) table(p *estimate.Profile) (*reportTable, report.By, error) {
	kind, err := f.kind(p)
	if err != nil {
		return nil, 0, err
	}
	by, err := report.ParseBy(f.by)
	if err != nil {
		return nil, 0, command.Usagef("--by: %v", err)
	}
	if f.cut < 0 || f.cut > 100 {
		return nil, 0, command.Usagef("--cut %g: must be from 0 to 100 percent", f.cut)
	}
	return &reportTable{p: p, kind: kind, what: f.by}, by, nil
}

// rows returns the rows that the flags ask for, in their order.
func (f *reportFlags) rows(v *report.View) (*reportTable, error) {
	t, by, err := f.table(v.Profile)
	if err != nil {
		return nil, err
	}
	method := f.callers + f.callee
	switch {
	case f.tree && method != "", f.callers != "" && f.callee != "":
		return nil, command.Usagef("--tree, --callers and --callees exclude each other: give one of them")
	case f.tree:
		t.all, t.what = v.Tree(t.kind, f.cut/100), "call"
		t.rows = t.all
		return t, nil
	case method != "":
		id, err := v.Find(method)
		if err != nil {
			return nil, command.Usagef("%v", err)
		}
		if t.all, t.what = v.Callers(id), "caller"; f.callee != "" {
			t.all, t.what = v.Callees(id), "callee"
		}
	default:
		t.all = v.Rows(by)
	}
	if t.kind == report.Running && !f.forPrograms() {
		t.all = slices.DeleteFunc(t.all, func(r report.Row) bool { return r.Waits() && r.Total(report.Running).Value == 0 })
	}
	order, err := report.ParseOrder(f.sort)
	if err != nil {
		return nil, command.Usagef("--sort %q: want self, total, calls or name", f.sort)
	}
	order.Sort(t.all, t.kind)
	t.rows = t.all
	if most := f.top; most > 0 && (!f.forPrograms() || f.dumps.Cmd.Flags().Changed("top")) {
		t.rows = t.all[:min(most, len(t.all))]
	}
	if !f.forPrograms() {
		t.setApart()
	}
	return t, nil
}
