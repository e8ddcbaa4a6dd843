package lab

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"artifice/bench"
	draw "artifice/bench/report"
	"artifice/format"
	"artifice/internal/words"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// Sweep is the result of trying ways of tracing.
type Sweep struct {
	*bench.Result
	source string // its name, with folders
	device string
	dated  string // what is known of the source's date
}

// Point is one way of tracing: what it costs, and how right it is.
type Point struct {
	Mode     string   `json:"mode"`
	Interval int64    `json:"interval_ns"` // 0: none
	Slowdown *float64 `json:"slowdown"`
	Running  *float64 `json:"running"`
	Low      *float64 `json:"low"` // the 95 % interval of the mean
	High     *float64 `json:"high"`
	Methods  *float64 `json:"methods"`
}

// sweepModes are the ways of tracing that are tried, those of bench's table.
var sweepModes = []bench.Mode{bench.ARTSampling, bench.InstrumentedDual}

// Sweep measures how accurate and costly tracing is at every interval, as artifice bench does
// without flags but for the device. ctx ends it early: then what was measured is of the beginning, and of an app whose threads share
// cores or wait for each other, which runs anew for each trace, nothing.
func (l *Lab) Sweep(ctx context.Context, deviceName string, reached func(time.Duration)) (*Sweep, error) {
	d, err := device.Open(deviceName)
	if err != nil {
		return nil, err
	}
	in, err := l.open(format.AsTruth)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	cfg := bench.Config{
		Devices: []device.Device{d}, Modes: sweepModes,
		Seed: Seed, Cores: 1, CPU: in.Info.Clock.HasCPU(), Progress: reached, Live: l.live(),
	}
	r, err := bench.Run(ctx, in.Recording, cfg)
	if err != nil {
		return nil, err
	}
	r.Sampled = in.Sampled()
	if format.IsWorkload(l.name) && !format.IsCallTree(l.name) {
		if err := r.Confirm(ctx, cfg, l.another); err != nil {
			return nil, err
		}
	}
	return &Sweep{r, l.name, deviceName, draw.Dated(l.name, &in.Info)}, nil
}

// live returns what opens runs of an app whose threads share cores or wait for each other; nil of other sources.
func (l *Lab) live() func(run int, length time.Duration) (*trace.Recording, error) {
	p, err := format.Program(l.name)
	if err != nil || p == nil || !p.Interacts() {
		return nil
	}
	again := p.Runs(Seed)
	return func(run int, length time.Duration) (*trace.Recording, error) {
		rec, err := again(run, length)
		if err != nil || l.cfg.Yield == nil {
			return rec, err
		}
		rec.Events = yieldingApp{rec.Events.(trace.LiveApp), l.cfg.Yield}
		return rec, nil
	}
}

// yieldingApp is an app that runs while it is traced, and yields between batches of events.
type yieldingApp struct {
	trace.LiveApp
	yield func() error
}

// ReadEvents implements [trace.Reader].
func (a yieldingApp) ReadEvents(p []trace.Event) (int, error) {
	if err := a.yield(); err != nil {
		return 0, err
	}
	return a.LiveApp.ReadEvents(p)
}

// another opens another run of an app.
func (l *Lab) another(run int) (*trace.Recording, error) {
	in, err := format.Open(l.name, format.Config{Order: format.AsTruth, Stop: l.cfg.Yield, Workload: workload.Config{Seed: Seed + 1 + uint64(run)}})
	if err != nil {
		return nil, err
	}
	return in.Recording, in.InTimeOrder()
}

// Points returns a point for each row.
func (s *Sweep) Points() []Point {
	points := []Point{}
	number := func(v float64) *float64 {
		if v != v {
			return nil // NaN
		}
		return &v
	}
	for _, r := range s.Rows {
		points = append(points, Point{
			r.Mode, int64(r.Interval), number(r.Mean[bench.Slowdown]), number(r.Mean[bench.OverlapRunning]),
			number(r.Low[bench.OverlapRunning]), number(r.High[bench.OverlapRunning]), number(r.Mean[bench.MethodRecall]),
		})
	}
	return points
}

// WriteCSV writes the rows as artifice bench --csv does.
func (s *Sweep) WriteCSV(w io.Writer) error { return draw.List(s.Result, false).WriteCSV(w) }

// WriteHTML writes the page that artifice bench -o writes of the same ways of tracing. version is
// that of the program.
func (s *Sweep) WriteHTML(w io.Writer, version string) error {
	var modes []string
	for _, m := range sweepModes {
		modes = append(modes, m.Name)
	}
	return draw.WriteHTML(w, draw.Page{
		Source: path.Base(s.source), Result: s.Result, Version: version, Dated: s.dated,
		Command: fmt.Sprintf("artifice bench %s --device=%s --ladder=0s --modes=%s -o report.html", words.Shell(s.source), words.Shell(s.device), strings.Join(modes, ",")),
	})
}

// WriteFigure writes the figure of that name as SVG, as artifice bench -o does into a folder.
func (s *Sweep) WriteFigure(w io.Writer, name string) error {
	for _, f := range draw.Figures(s.Result) {
		if f.Name == name {
			return f.WriteSVG(w)
		}
	}
	return fmt.Errorf("there is no figure %q", name)
}

// advice is what the program prints below its table.
func (s *Sweep) advice() (lines []string) {
	if s.Live {
		lines = append(lines, "Its threads share cores or wait for each other: each trace is of a run of its own, until all threads have done what they do untraced.")
	}
	for _, a := range s.Advise() {
		lines = append(lines, a.Answer())
		lines = append(lines, a.Sentences()...)
		if do := a.ToDo(); do != "" {
			lines = append(lines, do)
		}
	}
	return lines
}
