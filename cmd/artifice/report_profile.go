package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"artifice/art"
	"artifice/cmd/artifice/command"
	"artifice/internal/words"
	"artifice/report"
	"artifice/report/estimate"
	"artifice/sampler"
	"artifice/trace"
)

// estimateOf reads a source to its end. Where that fails the profile is of what
// comes before.
func estimateOf(src *command.Source, cfg estimate.Config, subtract string) (*estimate.Profile, error) {
	var cost sampler.Cost
	switch subtract {
	case "", "header": // the header of a stream comes at its end
	default:
		d, err := command.Device(subtract)
		if err != nil {
			return nil, err
		}
		cfg.EventCost = d.Instrumented.Event(art.Default(), src.Info.Clock)
		cost = d.Sampling
	}
	e := estimate.New(src.Recording, cfg)
	_, err := trace.Copy(e, src.Events)
	if subtract == "header" {
		if src.Info.ClockOverhead == 0 {
			return nil, errors.Join(command.Usagef("--subtract-overhead header: %s does not state the cost of its clock; name a device", src.Name), err)
		}
		e.SetEventCost(src.Info.ClockOverhead)
	}
	e.SetPause(cost.Pause(int64(len(src.Symbols.Threads)+1), 0)) // the sampling thread is walked, too
	p := e.Finish()
	if subtract == "header" && p.Sampled() {
		return nil, command.Usagef("--subtract-overhead header: %s is sampled, and the file does not state what a sample takes; name a device", src.Name)
	}
	if stated := statedInterval(src, p, cfg.Interval); stated != nil {
		return nil, stated
	}
	return p, err
}

// statedInterval says what became of the interval that was stated.
func statedInterval(src *command.Source, p *estimate.Profile, interval time.Duration) error {
	switch {
	case interval == 0 || p.Stated:
	case !p.Sampled():
		return command.Usagef("--sampled %s: %s has every call (%s)", command.Short(interval), src.Name, p.Evidence)
	case p.Period == 0:
		return command.Usagef("--sampled %s: %s has no wall times, which samples are an interval apart by", command.Short(interval), src.Name)
	default:
		fmt.Fprintf(src.Std.Err, "artifice: warning: --sampled %s is not needed: %s tells itself that it was sampled about every %s\n", command.Short(interval), src.Name, words.Digits(p.Period))
	}
	return nil
}

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
	return &reportTable{p: p, kind: kind, what: f.by, stated: f.sampled}, by, nil
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
