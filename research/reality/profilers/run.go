package profilers

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"artifice/internal/cli"
)

// Config is the configuration.
type Config struct {
	Names    []string // profilers, by the names of [Names]
	Runs     int      // of each, at least 1
	Seconds  float64  // duration of a run, at least 0.5
	Threads  int      // of the program, if it has several; at least 1
	Priority bool     // the program and its profiler get cores before other programs (in real time, if permitted), as far as root may give them

	Dir  string // for programs, logs and profiles; "": they are not kept
	Keep bool   // compare the earlier runs in Dir, without running anything

	// Log receives a line for each run and each profiler that cannot run; nil: none.
	Log io.Writer
}

// Names returns the names of the supported profilers.
func Names() (names []string) {
	for i := range all {
		names = append(names, all[i].name)
	}
	return names
}

// Check returns an error if c is invalid.
func (c *Config) Check() error {
	for _, name := range c.Names {
		if !slices.Contains(Names(), name) {
			return fmt.Errorf("unknown profiler %q; there are %s", name, strings.Join(Names(), ", "))
		}
	}
	switch {
	case len(c.Names) == 0:
		return fmt.Errorf("no profiler; there are %s", strings.Join(Names(), ", "))
	case c.Runs < 1 || c.Runs > 1000:
		return fmt.Errorf("%d runs: must be from 1 to 1000", c.Runs)
	case !(c.Seconds >= 0.5 && c.Seconds <= 60):
		return fmt.Errorf("%g seconds: must be from 0.5 to 60", c.Seconds)
	case c.Threads < 1 || c.Threads > 64:
		return fmt.Errorf("%d threads: must be from 1 to 64", c.Threads)
	case c.Keep && c.Dir == "":
		return errors.New("no folder with earlier runs")
	}
	return nil
}

// Row is the result of the runs of one profiler.
type Row struct {
	Profiler, Way string
	Runs          int

	PlainInside, Plain   int        // shares of plain methods inside the predicted mean ± 1.96 standard deviations
	Measured, Predicted  [2]float64 // minimum and maximum overlap with the truth
	Near                 int        // runs with an overlap within 1.5 points of the predicted one
	Samples              [2]float64 // relative to the predicted number
	Right, Stacks        int        // correct stacks, if the profile has timestamps
	IntervalsHold, Given int        // intervals that contain the run's own self times
	Outside              []string   // plain methods that were outside, in words
}

// near is the maximum difference of the overlap from the predicted one.
const near = 0.015

// Run runs each installed profiler and returns a row for each. For a profiler that cannot run, or a
// run that cannot be compared, it writes the reason to c.Log. It returns an error if none
// succeeded.
func Run(c Config) (rows []Row, err error) {
	err = c.installed(func(p *profiler) error {
		row, err := c.runs(p)
		if err == nil {
			rows = append(rows, row)
		}
		return err
	})
	return rows, err
}

// installed calls f for each profiler of c, and reports those that f cannot run to c.Log. It is an
// error if f runs none.
func (c *Config) installed(f func(p *profiler) error) error {
	if err := c.Check(); err != nil {
		return err
	}
	if c.Log == nil {
		c.Log = io.Discard
	}
	if c.Dir == "" {
		dir, err := os.MkdirTemp("", "profilers")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		c.Dir = dir
	}
	if err := layOut(c.Dir); err != nil {
		return err
	}
	reached := 0
	for i := range all {
		p := &all[i]
		if !slices.Contains(c.Names, p.name) {
			continue
		}
		if err := f(p); err != nil {
			fmt.Fprintf(c.Log, "%s: skipped: %v\n", p.name, err)
			continue
		}
		reached++
	}
	if reached == 0 {
		return fmt.Errorf("none of the profilers %s could be compared with artifice", strings.Join(c.Names, ", "))
	}
	return nil
}

// layOut writes the programs to a folder.
func layOut(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "programs"), 0o777); err != nil {
		return err
	}
	return fs.WalkDir(programs, "programs", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := programs.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), text, 0o666)
	})
}

// runs makes the runs of a profiler and sums their outcomes.
func (c *Config) runs(p *profiler) (row Row, err error) {
	row = Row{Profiler: p.name, Way: p.way}
	err = c.each(p, func(r *run, t *truth) error {
		o, err := compare(r, t)
		if err != nil {
			return err
		}
		row.add(&o)
		fmt.Fprintf(c.Log, "%s, run %d: plain methods %d of %d inside, overlap %.1f for %.1f, samples %.3f of those predicted; outside: %s\n",
			p.name, r.seed, o.plainInside, o.plain, 100*o.measured, 100*o.foreseen, o.samples, cmp.Or(strings.Join(o.outside, ", "), "none"))
		return nil
	})
	return row, err
}

// each makes the runs of a profiler, and calls f for each of them. It reports runs for which f
// fails to c.Log. It is an error if f fails for all.
func (c *Config) each(p *profiler, f func(r *run, t *truth) error) error {
	r := run{profiler: p, dir: c.Dir, seconds: c.Seconds, threads: c.Threads, priority: c.Priority}
	if !c.Keep {
		if lacks := p.missing(); lacks != "" {
			return errors.New(lacks)
		}
		if err := p.build(&r); err != nil {
			return err
		}
	}
	done := 0
	for r.seed = 1; r.seed <= c.Runs; r.seed++ {
		name := r.path(fmt.Sprintf("%s-%d", p.name, r.seed))
		r.log, r.profile = name+".log", name+".profile"
		if !c.Keep {
			if err := p.record(&r); err != nil {
				return err
			}
		}
		t, err := readLog(r.log)
		if err == nil {
			err = p.belongs(&r, t)
		}
		if err == nil {
			err = f(&r, t)
		}
		if err != nil {
			fmt.Fprintf(c.Log, "%s, run %d: skipped: %v\n", p.name, r.seed, err)
			continue
		}
		done++
	}
	if done == 0 {
		return errors.New("no run could be compared")
	}
	return nil
}

// add adds a run.
func (r *Row) add(o *outcome) {
	stretch := func(ends *[2]float64, x float64) {
		if r.Runs == 0 {
			*ends = [2]float64{x, x}
		}
		ends[0], ends[1] = min(ends[0], x), max(ends[1], x)
	}
	stretch(&r.Measured, o.measured)
	stretch(&r.Predicted, o.foreseen)
	stretch(&r.Samples, o.samples)
	r.Runs++
	r.PlainInside, r.Plain = r.PlainInside+o.plainInside, r.Plain+o.plain
	r.Right, r.Stacks = r.Right+o.right, r.Stacks+o.stacks
	r.IntervalsHold, r.Given = r.IntervalsHold+o.intervalsHold, r.Given+o.given
	r.Outside = append(r.Outside, o.outside...)
	if d := o.measured - o.foreseen; d >= -near && d <= near {
		r.Near++
	}
}

// Table returns the rows as a table for users.
func Table(rows []Row) *cli.Table {
	t := &cli.Table{
		Columns: []string{"profiler", "way", "runs", "plain methods inside", "overlap, measured", "predicted", "within 1.5", "samples/predicted", "stacks right", "intervals hold"},
		Right:   []bool{false, false, true, true, true, true, true, true, true, true},
	}
	of := func(n, all int) string {
		if all == 0 {
			return "-"
		}
		return fmt.Sprintf("%d of %d (%.1f %%)", n, all, 100*float64(n)/float64(all))
	}
	percent := func(ends [2]float64) string { return fmt.Sprintf("%.1f to %.1f %%", 100*ends[0], 100*ends[1]) }
	for _, r := range rows {
		t.Add(r.Profiler, r.Way, fmt.Sprint(r.Runs), of(r.PlainInside, r.Plain), percent(r.Measured), percent(r.Predicted),
			fmt.Sprintf("%d of %d", r.Near, r.Runs), fmt.Sprintf("%.3f to %.3f", r.Samples[0], r.Samples[1]), of(r.Right, r.Stacks), of(r.IntervalsHold, r.Given))
	}
	return t
}
