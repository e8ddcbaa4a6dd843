package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/report"
	"artifice/report/diff"
	"artifice/report/dumps"
	"artifice/sampler"
	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/view"
)

// viewFlags are the flags of view.
type viewFlags struct {
	out       string
	port      int
	noBrowser bool
	pprof     bool
	until     string
	observed  string
	formerly  bool // observed was set by the deprecated name of --compare
	lay       alignFlags
	sample    time.Duration
	diff      string
	device    string
	seed      uint64
	threads   []string
	ranges    bool
	timeline  bool
	dumps     command.ReadFlags
}

// viewGroups are the groups of flags in the help of view.
var viewGroups = append([]command.FlagGroup{
	{Title: "What to show", Flags: []string{"thread", "timeline", "diff", "pprof"}},
	{Title: "Compare with the ground truth", Flags: []string{"compare", "sample", "device"}},
	{Title: "Output", Flags: []string{"output", "port", "no-browser"}},
}, command.ReadGroups("until", "offset", "align", "seed", "ranges", "memory")...)

// viewCommand is artifice view.
var viewCommand = command.Command{Name: "view", Add: newView, Groups: viewGroups}

func newView(std command.Stdio) *cobra.Command {
	f := viewFlags{dumps: command.ReadFlags{Nesting: true, Quantity: true}}
	cmd := &cobra.Command{
		Use:   "view FILE",
		Short: "Open a recording in the browser: timeline, tables, flame graphs",
		Long: `Open a recording in the browser: a timeline of each thread, and tables and flame graphs of
any time range. artifice serves the page on this machine only, until you press Ctrl-C. With -o,
artifice writes the page to a file that needs no server:

  $ artifice view app.trace -o app.html

For thread dumps, the page shows which threads wait for each other, the most common stacks, and the
state of each thread in each dump. With --timeline, the page shows thread dumps as samples.

With --compare OBSERVED, FILE is the ground truth: the page shows OBSERVED next to FILE, and marks
calls that OBSERVED omits, merges or makes too long. With --sample, the page shows emulated samples
of FILE next to FILE; a slider sets the sampling interval, from 0.1 to 20 ms.`,
		Example: `  artifice view app.trace
  artifice view app.trace -o app.html
  artifice view old.trace --diff new.trace
  artifice view app.trace --pprof
  artifice view truth.trace --compare sampled.trace -o both.html
  artifice view cold-start --sample 5ms --device A -o overlay.html`,
		Args: command.OneInput("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, std, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "write the page to the file `OUT`; - is standard output")
	flags.BoolVar(&f.ranges, "ranges", false, "with -o, include the trace and 1.7 MB of code, so that the page computes confidence intervals for any time range; default in releases only")
	flags.IntVar(&f.port, "port", 0, "serve the page on this `PORT`; default: any free port")
	flags.BoolVar(&f.noBrowser, "no-browser", false, "print the page's address instead of opening a browser")
	flags.BoolVar(&f.pprof, "pprof", false, "open FILE in the web interface of google/pprof instead")
	flags.StringVar(&f.until, "until", "end", command.UntilUsage)
	flags.StringSliceVar(&f.threads, "thread", nil, "at first, show the tables of threads with this `NAME` or tid; all: every thread; repeatable; default: main")
	flags.BoolVar(&f.timeline, "timeline", false, "show a series of thread dumps as samples on a timeline")
	flags.StringVar(&f.observed, "compare", "", "compare the recording `OBSERVED` with FILE, its ground truth")
	flags.DurationVar(&f.lay.offset, "offset", 0, command.OffsetUsage)
	flags.BoolVar(&f.lay.search, "align", false, command.AlignUsage)
	flags.StringVar(&f.diff, "diff", "", "show the changes from FILE to the recording `NEW`")
	flags.DurationVar(&f.sample, "sample", 0, "emulate sampling of FILE, the ground truth, every `INTERVAL`, and show the samples next to FILE")
	flags.StringVar(&f.device, "device", "ideal", "with --sample, emulate this `DEVICE`: a name (artifice list devices) or a file (.yaml)")
	flags.Uint64Var(&f.seed, "seed", command.DefaultSeed, "random seed of the samples (--sample)")
	f.dumps.Add(cmd)
	flags.SetNormalizeFunc(f.presentName)
	return cmd
}

// presentName returns the name of a flag, which can have a deprecated one.
func (f *viewFlags) presentName(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "beside" {
		f.formerly, name = true, "compare"
	}
	return pflag.NormalizedName(name)
}

func (f *viewFlags) run(cmd *cobra.Command, std command.Stdio, name string) error {
	if f.out == "" && cmd.Flags().Changed("ranges") {
		return command.Usagef("--ranges needs -o: a served page computes the intervals of every range")
	}
	if flags := cmd.Flags(); f.out != "" && (flags.Changed("port") || f.noBrowser) {
		return command.Usagef("--port and --no-browser apply to a served page, not to a file (-o)")
	}
	if f.pprof {
		return f.servePprof(cmd, std, name)
	}
	files := filesOf(name, f.observed, f.diff)
	if f.sample > 0 {
		defer command.KeepSpare()()
	}
	page, err := f.page(cmd, std, name)
	if err != nil {
		return err
	}
	page.Title, page.Version = filepath.Base(name), "artifice "+cli.Version()
	if f.diff != "" {
		page.Title = strings.Join(view.ShortNames(name, f.diff), " → ")
	}
	if f.out == "" {
		return f.serve(cmd, std, page, files)
	}
	if err := f.addProgram(cmd, std, page, files); err != nil {
		return err
	}
	file, err := command.Create(std, f.out)
	if err != nil {
		return err
	}
	defer file.Abort()
	if err := page.WriteHTML(file); err != nil {
		return err
	}
	return file.Commit()
}

// page returns the page of the recording name, and of a second recording if the flags name one.
func (f *viewFlags) page(cmd *cobra.Command, std command.Stdio, name string) (*view.Page, error) {
	until, err := calltree.ParseEndPolicy(f.until)
	if err != nil {
		return nil, command.Usagef("--until: %v", err)
	}
	o := view.Options{Until: until, Running: true, Threads: f.threads}
	if err := f.check(cmd); err != nil {
		return nil, err
	}
	switch given := cmd.Flags().Changed; {
	case given("diff"):
		return f.difference(cmd, std, name, o)
	case given("compare"):
		return f.withObserved(cmd, std, name, o)
	case given("sample"):
		return f.sampled(cmd, std, name, o)
	}
	return f.plain(cmd, std, name, o)
}

// check rejects flags that exclude each other.
func (f *viewFlags) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	if given("compare") && given("sample") || given("compare") && given("diff") || given("sample") && given("diff") {
		return command.Usagef("--compare, --sample and --diff cannot be used together")
	}
	for _, flag := range []struct{ name, needs string }{{"device", "sample"}, {"seed", "sample"}, {"offset", "compare"}, {"align", "compare"}} {
		if given(flag.name) && !given(flag.needs) {
			return command.Usagef("--%s applies to --%s only", flag.name, flag.needs)
		}
	}
	return nil
}

func (f *viewFlags) read(cmd *cobra.Command, std command.Stdio, name string, o view.Options) (_ *view.Recording, err error) {
	src, err := f.dumps.Open(cmd, std, name)
	if err != nil {
		return nil, err
	}
	return readView(src, name, o)
}

// plain returns the page of one recording, or of thread dumps.
func (f *viewFlags) plain(cmd *cobra.Command, std command.Stdio, name string, o view.Options) (*view.Page, error) {
	collect := watchDumps(&f.dumps)
	src, err := f.dumps.Open(cmd, std, name)
	f.dumps.Watch = nil
	if err != nil {
		return nil, err
	}
	var shown *dumps.Collector
	if hasDumps(src) {
		if shown = collect(src); !f.timeline {
			return f.dumpsPage(src, shown)
		}
	}
	o.Listed = f.answersParts(cmd, filesOf(name))
	rec, err := readView(src, name, o)
	if err == nil && rec.Short > 0 && o.Listed {
		o.Listed = false
		rec, err = f.read(cmd, std, name, o)
	}
	if err != nil {
		return nil, err
	}
	if shown != nil && shown.Summary().Dumps < 2 {
		return nil, command.Usagef("%s: a timeline needs two thread dumps or more; without --timeline, the page shows the states and stacks of one", name)
	}
	return &view.Page{Recordings: []*view.Recording{rec}}, nil
}

// dumpsPage returns the page of thread dumps that shown collects while the source is read.
func (f *viewFlags) dumpsPage(src *command.Source, shown *dumps.Collector) (_ *view.Page, err error) {
	defer src.Close()
	defer src.Blame(&err)
	if _, err := trace.Copy(trace.Discard, src.Events); err != nil {
		return nil, err
	}
	r := &threadDumps{Summary: shown.Summary()}
	src.Warnings = r.relevant(src.Warnings)
	page := &view.Page{Dumps: view.NewDumps(r.Summary)}
	if len(f.threads) > 0 {
		page.Dumps.Shown, err = r.choose(f.threads)
	}
	return page, err
}

// readView reads a source for a page, and closes it.
func readView(src *command.Source, name string, o view.Options) (_ *view.Recording, err error) {
	defer src.Close()
	defer src.Blame(&err)
	r, err := view.Read(src.Recording, name, o)
	return r, noThread(name, err)
}

// difference returns a page of the old recording name and the new one.
func (f *viewFlags) difference(cmd *cobra.Command, std command.Stdio, name string, o view.Options) (*view.Page, error) {
	page := &view.Page{}
	o.Contexts = true
	var sides [2][]*report.View
	for i, name := range []string{name, f.diff} {
		r, err := f.read(cmd, std, name, o)
		if err != nil {
			return nil, err
		}
		if len(o.Threads) == 0 { // both sides show the threads of the first
			if o.Threads = []string{report.AllThreads}; r.Lists.Main {
				o.Threads = []string{report.MainThread}
			}
		}
		page.Recordings = append(page.Recordings, r)
		sides[i] = []*report.View{report.New(r.Profile, r.Symbols, report.Filter{})}
	}
	if q := page.Recordings[0].Profile.Quantity; q.IsSet() {
		return nil, fmt.Errorf("%s is a profile of %s, which --diff cannot show: use artifice diff", name, q.Describe())
	}
	d, clock, err := (&diffFlags{sort: "self"}).compare(std, sides)
	if err != nil {
		return nil, err
	}
	first := page.Recordings[0]
	d.Threads, d.Others = first.Lists.Names(first.Symbols), first.Lists.OthersRan
	t := diff.NewChanges(d, clock, false, true)
	var rows bytes.Buffer
	if err := t.List().WriteJSON(&rows); err != nil {
		return nil, err
	}
	page.Difference = &view.Difference{Clock: t.Clock, Headline: t.Headline(), Rows: rows.Bytes()}
	return page, nil
}

// withObserved returns a page of the ground truth name and of an observed recording.
func (f *viewFlags) withObserved(cmd *cobra.Command, std command.Stdio, name string, o view.Options) (_ *view.Page, err error) {
	if f.formerly {
		fmt.Fprintln(std.Err, "artifice: warning: --beside is deprecated: use --compare")
	}
	if err := f.lay.check(cmd); err != nil {
		return nil, err
	}
	truth, err := command.Open(cmd.Context(), std, name, command.SourceFlags{Order: format.AsTruth})
	if err != nil {
		return nil, err
	}
	defer truth.Close()
	defer truth.Blame(&err)
	observed, err := command.Open(cmd.Context(), std, f.observed, command.SourceFlags{Order: format.ByTime})
	if err != nil {
		return nil, err
	}
	defer observed.Close()
	defer observed.Blame(&err)
	s, err := compareSources(std, truth, observed, &f.lay)
	if err != nil {
		return nil, err
	}
	page, err := view.ReadCompared(view.Source{Name: name, Open: truth.FromStart}, view.Source{Name: f.observed, Open: observed.FromStart}, &s.Alignment, o)
	return page, noThread(name, err)
}

// sampled returns a page of the ground truth name and of samples of it.
func (f *viewFlags) sampled(cmd *cobra.Command, std command.Stdio, name string, o view.Options) (_ *view.Page, err error) {
	d, err := command.Device(f.device)
	if err != nil {
		return nil, err
	}
	truth, err := command.Open(cmd.Context(), std, name, command.SourceFlags{Order: format.AsTruth, Truth: command.TruthFlags{Seed: &f.seed}})
	if err != nil {
		return nil, err
	}
	defer truth.Close()
	defer truth.Blame(&err)
	page, err := view.ReadSampled(truth.Recording, name, o, view.Sampling{
		Config:   sampler.Config{Seed: f.seed, Cost: d.Using(truth.Info.Clock).Sampling},
		Interval: f.sample, Intervals: viewIntervals,
	})
	return page, noThread(name, err)
}

// viewIntervals are the intervals that --sample adds: from nearly complete coverage of calls to
// only the longest.
var viewIntervals = []time.Duration{
	100 * time.Microsecond, 200 * time.Microsecond, 300 * time.Microsecond, 500 * time.Microsecond, 700 * time.Microsecond,
	1 * time.Millisecond, 2 * time.Millisecond, 3 * time.Millisecond, 5 * time.Millisecond, 7 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond,
}
