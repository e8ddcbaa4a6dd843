package profilers

import (
	"fmt"
	"strings"
	"time"

	"artifice/bench/expect"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/trace"
)

// Verdict is the result of package expect for one run.
type Verdict struct {
	Profiler string
	Run      int
	expect.Verdict
}

// Verdicts runs each installed profiler, and tests each profile against the log of its run.
func Verdicts(c Config) (list []Verdict, err error) {
	err = c.installed(func(p *profiler) error {
		return c.each(p, func(r *run, t *truth) error {
			v, err := verdict(r, t)
			if err != nil {
				return err
			}
			list = append(list, Verdict{p.name, r.seed, v})
			fmt.Fprintf(c.Log, "%s, run %d: %s\n", p.name, r.seed, v.Outcome)
			return nil
		})
	})
	return list, err
}

// verdict tests the profile of a run at [expect.DefaultRate].
func verdict(r *run, t *truth) (v expect.Verdict, err error) {
	truth, err := expect.ReadTruth(t.as(r.profiler), r.log)
	if err != nil {
		return v, err
	}
	profile, err := expect.OpenProfile(r.profile, format.Config{})
	if err != nil {
		return v, err
	}
	return expect.Check(truth, profile, expect.Options{})
}

// as returns the run as a truth with the names and the clock of a profiler.
func (t *truth) as(p *profiler) *trace.Recording {
	named := *t
	named.symbols = &trace.Symbols{Threads: t.symbols.Threads}
	for _, m := range t.symbols.Methods {
		m.Class = p.class
		named.symbols.AddMethod(m)
	}
	if p.counts == runningTime {
		named.events, named.clock = t.runningEvents(), trace.Dual
	}
	return named.recording()
}

// runningEvents returns the events with a CPU clock that stops in methods that wait.
func (t *truth) runningEvents() []trace.Event {
	type thread struct {
		waits     []bool // of each open method
		wall, cpu time.Duration
	}
	threads := make([]thread, len(t.threads))
	events := make([]trace.Event, len(t.events))
	for i, e := range t.events {
		th := &threads[e.Thread]
		n := len(th.waits)
		if n > 0 && !th.waits[n-1] {
			th.cpu += e.Wall - th.wall
		}
		th.wall = e.Wall
		if e.Action == trace.Enter {
			th.waits = append(th.waits, t.symbols.Method(e.Method).Waits())
		} else {
			th.waits = th.waits[:n-1]
		}
		e.CPU = th.cpu
		events[i] = e
	}
	return events
}

// VerdictTable returns the verdicts as a table for users.
func VerdictTable(list []Verdict) *cli.Table {
	t := &cli.Table{
		Columns: []string{"profiler", "run", "samples", "verdict", "correct", "differences", "best explanation"},
		Right:   []bool{false, true, true, false, true, false, false},
	}
	for i := range list {
		v := &list[i]
		t.Add(v.Profiler, fmt.Sprint(v.Run), fmt.Sprintf("%.0f", v.Samples), strings.Join(append([]string{string(v.Outcome)}, v.failures()...), ", "),
			fmt.Sprintf("%.1f %%", 100*float64(v.Overlap)), v.differences(), v.explanation())
	}
	return t
}

// failures lists what failed.
func (v *Verdict) failures() (list []string) {
	if v.Count != nil && v.Count.Outcome == expect.Fail {
		list = append(list, fmt.Sprintf("%.0f samples for %.0f", v.Count.Observed, v.Count.Expected.High))
	}
	if v.Scan != nil && v.Scan.Outcome == expect.Fail {
		list = append(list, fmt.Sprintf("%d of %d shares", len(v.failedShares()), v.Scan.Tests))
	}
	if v.Impossible.Stacks > 0 {
		list = append(list, fmt.Sprintf("%.2f %% impossible (%s)", 100*v.Impossible.Share, v.Impossible.First))
	}
	return list
}

// failedShares returns the failed shares, the one with the largest difference first.
func (v *Verdict) failedShares() (list []expect.Assertion) {
	if v.Scan != nil {
		for _, a := range v.Scan.Methods {
			if a.Outcome == expect.Fail {
				list = append(list, a)
			}
		}
	}
	return list
}

// differences describes the failed shares; "-": none failed.
func (v *Verdict) differences() string {
	var list []string
	for _, a := range v.failedShares() {
		list = append(list, fmt.Sprintf("%s %.2f %% for %.2f %%", a.Name, 100*a.Observed, 100*a.Expected.High))
	}
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, "; ")
}

// explanation names the faults that explain a profile best; "-": none.
func (v *Verdict) explanation() string {
	if v.Diagnosis == nil || !v.Diagnosis.Significant {
		return "-"
	}
	var list []string
	for _, x := range v.Diagnosis.Faults {
		text := x.Fault
		if x.Of != "" {
			text += " (" + x.Of + ")"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", or ")
}
