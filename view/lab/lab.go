package lab

import (
	"io"
	"path"
	"slices"

	"artifice/format"
	"artifice/report"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/view"
	"artifice/workload"
)

// Config says how a source is read.
type Config struct {
	// Progress is told how much has been read: bytes of a file, or ms of a built-in app. The
	// total is -1 where it is not known. nil: nobody is told.
	Progress func(done, total int64)

	// Yield is called between batches of events. Its error ends the work. nil: nothing does.
	Yield func() error
}

// Lab is one source.
type Lab struct {
	name    string // of a built-in app or a file
	cfg     Config
	About   About
	profile *estimate.Profile
	symbols *trace.Symbols
	moment  *moment // nil until it is asked for
	pilots  *pilots // nil until a plan is asked for
}

// About is what a source is.
type About struct {
	Name    string `json:"name"` // without its folders
	App     bool   `json:"app"`  // it is made here, and no file
	Sampled bool   `json:"sampled"`
	CPU     bool   `json:"cpu"` // it has CPU times
	Length  int64  `json:"length_ns"`
	Threads int    `json:"threads"` // with events
	Methods int    `json:"methods"`
	Period  int64  `json:"period_ns"` // between samples; 0: every call, or not known

	Warnings []string `json:"warnings"` // what is odd in the file
}

// Open reads a source to its end. The name is that of a built-in app, or a file. The error says
// what is wrong with the file, and where.
func Open(name string, cfg Config) (*Lab, error) {
	l := &Lab{name: name, cfg: cfg}
	in, err := l.open(format.ByFile)
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
	l.About = About{
		Name: path.Base(name), App: format.IsWorkload(name), Sampled: p.Sampled(), CPU: p.Clock.HasCPU(),
		Length: int64(p.Span), Methods: p.Len(), Period: int64(p.Period), Warnings: []string{},
	}
	for _, w := range in.Recording.Warnings {
		l.About.Warnings = append(l.About.Warnings, w.String())
	}
	l.About.Threads = len(report.ThreadTimes(p.Tree, l.symbols))
	return l, nil
}

// open opens the source anew.
func (l *Lab) open(order format.Order) (*format.Input, error) {
	cfg := format.Config{Order: order, Nesting: order == format.ByFile, Stop: l.cfg.Yield, Workload: workload.Config{Seed: Seed}}
	if p := l.cfg.Progress; p != nil {
		cfg.Progress.Bytes = p
		cfg.Progress.Time = p
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

// Seed is that of everything random, as the program has it by default.
const Seed = 1

// WriteReport writes what the source tells of its methods, as artifice report --json and --csv do.
func (l *Lab) WriteReport(w io.Writer, csv bool) error {
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

// WriteView writes the page that artifice view -o writes.
func (l *Lab) WriteView(w io.Writer, version string) error {
	in, err := l.open(format.ByFile)
	if err != nil {
		return err
	}
	defer in.Close()
	rec, err := view.Read(in.Recording, l.name, view.Options{Running: true})
	if err != nil {
		return err
	}
	page := view.Page{Title: l.About.Name, Version: version, Recordings: []*view.Recording{rec}}
	return page.WriteHTML(w)
}

// Hottest returns the names of up to n methods, those with the most time first.
func (l *Lab) Hottest(n int) []string {
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
