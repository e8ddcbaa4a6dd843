package main

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"artifice/cmd/internal/command"
	"artifice/instrument"
	"artifice/internal/words"
	"artifice/report"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// estimateOf reads a source to its end. If that fails, it returns the profile of the events before
// the error.
func estimateOf(src *command.Source, cfg estimate.Config, subtract string) (*estimate.Profile, error) {
	overhead, err := command.OverheadOf(src, subtract)
	if err != nil {
		return nil, err
	}
	rec, clean := src.Recording, (*instrument.Cleaned)(nil)
	if overhead != nil && !overhead.Sampled() {
		if clean, err = overhead.Remove(rec); err != nil {
			return nil, err
		}
		rec = &clean.Recording
	}
	e := estimate.New(rec, cfg)
	_, err = trace.Copy(e, rec.Events)
	if overhead != nil && overhead.Sampled() {
		e.SetPause(overhead.Calibration.Sampled.PauseAt(cfg.Interval).Value)
	}
	p := e.Finish()
	if clean != nil {
		p.Overhead, p.Remains = overheadOf(p, clean)
	}
	if overhead != nil {
		p.OverheadText = overhead.String()
	}
	if stated := statedInterval(src, p, cfg.Interval); stated != nil {
		return nil, stated
	}
	return p, err
}

// overheadOf returns the overhead removed from the threads of a profile, and the part that exceeds
// the gaps between events.
func overheadOf(p *estimate.Profile, clean *instrument.Cleaned) (removed, remains time.Duration) {
	for id := range p.Tree.Threads() {
		if p.Tree.Root(trace.ThreadID(id)) != calltree.NoNode && id < len(clean.Removed) {
			removed, remains = removed+clean.Removed[id], remains+clean.Remains[id]
		}
	}
	return removed, remains
}

// statedInterval returns an error if the interval of --sampled cannot be used. It prints a warning
// if the timestamps imply a period that overshoot and pauses cannot explain, such as twice the
// interval.
func statedInterval(src *command.Source, p *estimate.Profile, interval time.Duration) error {
	switch {
	case interval == 0:
	case !p.Sampled():
		return command.Usagef("--sampled %s: %s records every call (%s)", words.Setting(interval), src.Name, p.Evidence)
	case p.Period == 0:
		return command.Usagef("--sampled %s: %s has no wall times", words.Setting(interval), src.Name)
	case p.Measured > 2*interval || 0 < p.Measured && p.Measured < interval*9/10:
		fmt.Fprintf(src.Std.Err, "artifice: warning: --sampled %s is used, but %s looks sampled with a period of %s\n", words.Setting(interval), src.Name, words.Duration(p.Measured))
	}
	return nil
}

// filter returns the filter of stacks according to --focus and --ignore.
func (f *reportFlags) filter() (filter report.Filter, err error) {
	if filter.Focus, err = expression("focus", f.focus); err != nil {
		return filter, err
	}
	filter.Ignore, err = expression("ignore", f.ignore)
	return filter, err
}

// expression returns the regular expression of a flag; nil if it is empty.
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

// kind returns the kind of time of the report.
func (f *reportFlags) kind(p *estimate.Profile) (report.Kind, error) {
	word := f.clock
	if f.waiting {
		word = report.Wall.String()
	}
	switch q := p.Quantity; {
	case q.IsSet() && word != "":
		return 0, command.Usagef("--clock and --waiting apply to times of threads, and the profile contains %s", q.Describe())
	case q.Signed && f.graph != "":
		return 0, command.Usagef("--graph draws no negative values, and the profile is %s", q.Describe())
	case q.IsSet():
		return report.Wall, nil
	}
	// the requested wall time, including waits
	if word == "" && f.dumps.Value != "" && !p.Clock.HasCPU() {
		return report.Wall, nil
	}
	if word == "" {
		if f.graph != "" && p.Clock.HasCPU() {
			return report.CPU, nil
		}
		if p.OffCPU > 0 && p.Tree.Total().CPU == 0 { // the profile contains only waits
			return report.Wall, nil
		}
		return report.KindOf(p.Clock, p.OfCPU), nil
	}
	kind, err := report.ParseKind(word)
	switch {
	case err != nil:
		return 0, command.Usagef("--clock %q: must be running, wall or cpu", f.clock)
	case kind == report.Wall && p.OfCPU && !p.Clocks.HasWall():
		return 0, command.Usagef("--waiting and --clock wall need waiting time, and the profile is sampled by CPU time")
	case kind == report.Running && f.graph != "":
		return 0, command.Usagef("--clock running does not apply to --graph: use wall or cpu")
	case kind == report.CPU && !p.Clock.HasCPU(), kind != report.CPU && !p.Clock.HasWall():
		return 0, command.Usagef("--clock %s: the trace has only the clock %s", word, p.Clock)
	}
	return kind, nil
}

// table returns the table of a profile, without rows, and the grouping of its rows.
func (f *reportFlags) table(p *estimate.Profile) (*reportTable, report.By, error) {
	kind, err := f.kind(p)
	if err != nil {
		return nil, 0, err
	}
	by, err := report.ParseBy(f.by)
	if err != nil {
		return nil, 0, command.Usagef("--by: %v", err)
	}
	until, err := calltree.ParseEndPolicy(f.until)
	if err != nil {
		return nil, 0, err
	}
	return &reportTable{p: p, kind: kind, what: f.by, stated: f.sampled, until: until}, by, nil
}

// rows returns the table with the rows that the flags select, sorted.
func (f *reportFlags) rows(v *report.View) (*reportTable, error) {
	t, by, err := f.table(v.Profile)
	if err != nil {
		return nil, err
	}
	method := f.callers + f.callee
	switch {
	case f.tree && method != "", f.callers != "" && f.callee != "":
		return nil, command.Usagef("--tree, --callers and --callees cannot be combined")
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
		return nil, command.Usagef("--sort %q: must be self, total, calls or name", f.sort)
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
