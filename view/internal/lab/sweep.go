package lab

import (
	"context"
	"fmt"
	"io"
	"math"
	"path"
	"strings"
	"time"

	"artifice/bench"
	draw "artifice/bench/report"
	"artifice/format"
	"artifice/internal/words"
	"artifice/trace"
	"artifice/trace/stats"
	"artifice/tracer/device"
)

// sweep is the result of a sweep of tracers and intervals.
type sweep struct {
	*bench.Result
	config bench.Config
	source string // name of the source, with folders
	device string
	dated  string // text on the date of the source
}

// point is one tracer at one interval: its cost and its accuracy.
type point struct {
	Mode     string   `json:"mode"`
	Interval int64    `json:"interval_ns"` // 0: no interval
	Slowdown *float64 `json:"slowdown"`
	Running  *float64 `json:"running"`
	Low      *float64 `json:"low"` // 95 % confidence interval of the mean
	High     *float64 `json:"high"`
	Methods  *float64 `json:"methods"`
}

// sweepModes are the tracers of a sweep: those in bench's table.
var sweepModes = []bench.Mode{bench.ARTSampling, bench.InstrumentedDual}

// trySweep measures accuracy and overhead at every interval, like artifice bench --device. If ctx
// ends early, the result is for the beginning of the source. For an app with threads that share
// cores or wait for each other there is then no result, because each trace needs a separate run.
func (l *source) trySweep(ctx context.Context, deviceName string) (*sweep, error) {
	s, err := l.measureWays(ctx, deviceName)
	if err != nil {
		return nil, err
	}
	if format.IsWorkload(l.name) && !format.IsCallTree(l.name) {
		if err := s.Confirm(ctx, s.config, l.another); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// measureWays is trySweep without validation runs.
func (l *source) measureWays(ctx context.Context, deviceName string) (*sweep, error) {
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
		Seed: seed, Cores: 1, CPU: in.Info.Clock.HasCPU(), Live: l.live(),
	}
	if w := l.worker; w != nil {
		cfg.Progress = func(at time.Duration) { w.Report("sampling", float64(at), float64(l.about.Length)) }
	}
	r, err := bench.Run(ctx, in.Recording, cfg)
	if err != nil {
		return nil, err
	}
	r.Sampled = in.Sampled()
	if !r.Cut {
		l.costsOn[deviceName] = r.Costs(d.Name)
	}
	return &sweep{r, cfg, l.name, deviceName, draw.Dated(l.name, &in.Info)}, nil
}

// costs returns the costs of recording the source on a device, from the device's sweep or a new
// one.
func (l *source) costs(ctx context.Context, deviceName string) (map[time.Duration]stats.Cost, error) {
	if known, ok := l.costsOn[deviceName]; ok {
		return known, nil
	}
	s, err := l.measureWays(ctx, deviceName)
	if err != nil {
		return nil, err
	}
	if s.Cut {
		return nil, context.Cause(ctx)
	}
	return l.costsOn[deviceName], nil
}

// live returns a function that opens runs of an app with threads that share cores or wait for each
// other; nil for other sources.
func (l *source) live() func(run int, length time.Duration) (*trace.Recording, error) {
	p, err := format.Program(l.name)
	if err != nil || p == nil || !p.Interacts() {
		return nil
	}
	again := p.Runs(seed)
	return func(run int, length time.Duration) (*trace.Recording, error) {
		rec, err := again(run, length)
		if err != nil || l.worker == nil {
			return rec, err
		}
		rec.Events = yieldingApp{rec.Events.(trace.LiveApp), l.worker}
		return rec, nil
	}
}

// yieldingApp is an app that runs while it is traced, and yields between batches of events.
type yieldingApp struct {
	trace.LiveApp
	worker Worker
}

// ReadEvents implements [trace.Reader].
func (a yieldingApp) ReadEvents(p []trace.Event) (int, error) {
	if err := a.worker.Yield(); err != nil {
		return 0, err
	}
	return a.LiveApp.ReadEvents(p)
}

// another opens another run of an app.
func (l *source) another(run int) (*trace.Recording, error) {
	cfg := l.config(seed + 1 + uint64(run))
	cfg.Order = format.AsTruth
	in, err := format.Open(l.name, cfg)
	if err != nil {
		return nil, err
	}
	return in.Recording, in.InTimeOrder()
}

// number converts a number to JSON: null for NaN.
func number(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// points returns a point for each row.
func (s *sweep) points() []point {
	points := []point{}
	for _, r := range s.Rows {
		mean, low, high := r.Mean.Accuracy(), r.Low.Accuracy(), r.High.Accuracy()
		points = append(points, point{
			r.Mode, int64(r.Interval), number(mean.Slowdown), number(mean.CPUCorrect),
			number(low.CPUCorrect), number(high.CPUCorrect), number(mean.MethodsSeen),
		})
	}
	return points
}

// writeCSV writes the rows like artifice bench --csv.
func (s *sweep) writeCSV(w io.Writer) error { return draw.List(s.Result, false).WriteCSV(w) }

// writeHTML writes the page that artifice bench -o writes for the same tracers. version is the
// program's version.
func (s *sweep) writeHTML(w io.Writer, version string) error {
	var modes []string
	for _, m := range sweepModes {
		modes = append(modes, m.Name)
	}
	return draw.WriteHTML(w, draw.Page{
		Source: path.Base(s.source), Result: s.Result, Version: version, Dated: s.dated,
		Command: fmt.Sprintf("artifice bench %s --device=%s --ladder=0s --modes=%s -o report.html", words.Shell(s.source), words.Shell(s.device), strings.Join(modes, ",")),
	})
}

// writeFigure writes the figure with that name as SVG, like artifice bench -o with a folder.
func (s *sweep) writeFigure(w io.Writer, name string) error {
	for _, f := range draw.Figures(s.Result) {
		if f.Name == name {
			return f.WriteSVG(w)
		}
	}
	return fmt.Errorf("there is no figure %q", name)
}

// advice is the text that bench prints below its table.
func (s *sweep) advice() (lines []string) {
	if s.Live {
		lines = append(lines, "Its threads share cores or wait for each other: each trace is of a separate run, which lasts until all threads have done the work of the untraced run.")
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
