package lab

import (
	"io"
	"path"
	"slices"
	"time"

	"artifice/format"
	"artifice/report"
	"artifice/report/dumps"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/stats"
	"artifice/view"
	"artifice/workload"
)

// source is one source.
type source struct {
	name    string // of a built-in app or a file
	worker  Worker // nil: none
	about   about
	profile *estimate.Profile
	dumps   *dumps.Summary // of thread dumps; nil in other sources
	symbols *trace.Symbols
	watch   func(*format.Dump, *format.FrameTable)  // gets the dumps that are read; nil: nothing does
	moment  *moment                                 // nil until it is asked for
	pilots  *pilots                                 // nil until a plan is asked for
	costsOn map[string]map[time.Duration]stats.Cost // by device, for intervals and every call
}

// about describes a source.
type about struct {
	Name    string `json:"name"` // without its folders
	App     bool   `json:"app"`  // it is made here, and no file
	Sampled bool   `json:"sampled"`
	CPU     bool   `json:"cpu"` // it has CPU times
	Length  int64  `json:"length_ns"`
	Dumps   int    `json:"dumps"`   // of threads, which have a page of their own; 0: it is a trace
	Threads int    `json:"threads"` // with events
	Methods int    `json:"methods"`
	Period  int64  `json:"period_ns"` // between samples; 0: every call, or not known

	Warnings []string `json:"warnings"` // what is odd in the file
}

// openSource reads a source to its end. The name is that of a built-in app, or a file. The error
// states what is wrong with the file, and where.
func openSource(name string, worker Worker) (*source, error) {
	l := &source{name: name, worker: worker, costsOn: map[string]map[time.Duration]stats.Cost{}}
	shown := &dumps.Collector{}
	l.watch = shown.Watch
	in, err := l.open(format.ByFile)
	l.watch = nil
	if err != nil {
		return nil, err
	}
	defer in.Close()
	e := estimate.New(in.Recording, estimate.Config{MethodsOnly: true})
	if _, err := trace.Copy(e, in.Events); err != nil {
		return nil, err
	}
	l.profile, l.symbols = e.Finish(), in.Symbols
	if err := in.Close(); err != nil {
		return nil, err
	}
	p := l.profile
	l.about = about{
		Name: path.Base(name), App: format.IsWorkload(name), Sampled: p.Sampled(), CPU: p.Clock.HasCPU(),
		Length: int64(p.Span), Methods: p.Len(), Period: int64(p.Period), Warnings: []string{},
	}
	for _, w := range in.Recording.Warnings {
		l.about.Warnings = append(l.about.Warnings, w.String())
	}
	l.about.Threads = len(report.ThreadTimes(p.Tree, p.Clock, l.symbols))
	if in.Dumps != nil && in.Dumps.Counts().Format.Few {
		l.dumps = shown.Summary()
		l.about.Dumps, l.about.Threads = l.dumps.Dumps, len(l.dumps.Threads)
	}
	return l, nil
}

// open opens the source anew.
func (l *source) open(order format.Order) (*format.Input, error) {
	cfg := l.config(seed)
	cfg.Order, cfg.Nesting = order, order == format.ByFile
	if w := l.worker; w != nil {
		cfg.Progress = reading{w}
	}
	in, err := format.Open(l.name, cfg)
	if err != nil {
		return nil, err
	}
	if err := in.InTimeOrder(); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// reading reports the progress of an input to a worker.
type reading struct{ Worker }

// Bytes implements [format.Progress].
func (r reading) Bytes(done, total int64) { r.Report("reading", float64(done), float64(total)) }

// Time implements [format.Progress].
func (r reading) Time(done, total int64) { r.Bytes(done, total) }

// Idle implements [format.Progress].
func (reading) Idle() {}

// config returns how to open the source, a built-in app with a seed.
func (l *source) config(seed uint64) format.Config {
	cfg := format.Config{Workload: workload.Config{Seed: seed}}
	if l.watch != nil {
		cfg.Options = append(cfg.Options, format.DumpConfig{Watch: l.watch})
	}
	if l.worker != nil {
		cfg.Stop = l.worker.Yield
	}
	return cfg
}

// seed is that of everything random, as the program has it by default.
const seed = 1

// writeReport writes the report of the source, as artifice report --json and --csv do.
func (l *source) writeReport(w io.Writer, csv bool) error {
	v := report.New(l.profile, l.symbols, report.Filter{})
	v.Style = report.FullNames
	rows := v.Rows(report.ByMethod)
	report.BySelf.Sort(rows, report.KindOf(l.profile.Clock, l.profile.OfCPU))
	list := report.List{Profile: l.profile, What: "method", Rows: rows}
	if csv {
		return list.Table().WriteCSV(w)
	}
	return list.Table().WriteJSON(w)
}

// writeView writes the page that artifice view -o writes.
func (l *source) writeView(w io.Writer, version string) error {
	if l.dumps != nil {
		page := view.Page{Title: l.about.Name, Version: version, Dumps: view.NewDumps(l.dumps)}
		return page.WriteHTML(w)
	}
	in, err := l.open(format.ByFile)
	if err != nil {
		return err
	}
	defer in.Close()
	rec, err := view.Read(in.Recording, l.name, view.Options{Running: true})
	if err != nil {
		return err
	}
	page := view.Page{Title: l.about.Name, Version: version, Recordings: []*view.Recording{rec}}
	return page.WriteHTML(w)
}

// hottest returns the names of up to n methods, those with the most time first.
func (l *source) hottest(n int) []string {
	v := report.New(l.profile, l.symbols, report.Filter{})
	v.Style = report.ShortNames
	kind := report.KindOf(l.profile.Clock, l.profile.OfCPU)
	rows := slices.DeleteFunc(v.Rows(report.ByMethod), func(r report.Row) bool { return r.Waits() })
	report.BySelf.Sort(rows, kind)
	names := []string{}
	for _, r := range rows[:min(n, len(rows))] {
		names = append(names, r.Name())
	}
	return names
}
