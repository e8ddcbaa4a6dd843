package lab

import (
	"context"
	"fmt"
	"io"
	"time"

	"artifice/bench"
	draw "artifice/bench/report"
	"artifice/device"
	"artifice/input"
)

// Sweep is the result of trying ways of tracing.
type Sweep struct{ *bench.Result }

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

// Sweep measures how accurate and costly tracing is at every interval, as artifice bench does
// without flags but for the device. ctx ends it early: then what was measured is of the beginning.
func (l *Lab) Sweep(ctx context.Context, deviceName string, reached func(time.Duration)) (*Sweep, error) {
	d, err := device.Open(deviceName)
	if err != nil {
		return nil, err
	}
	in, err := l.open(input.AsTruth)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r, err := bench.Run(ctx, in.Recording, bench.Config{
		Devices: []device.Device{d}, Modes: []bench.Mode{bench.ARTSampling, bench.InstrumentedDual},
		Seed: Seed, Cores: 1, CPU: in.Info.Clock.HasCPU(), Progress: reached,
	})
	if err != nil {
		return nil, err
	}
	r.Sampled = in.Sampled()
	return &Sweep{r}, nil
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
	for _, a := range s.Advise() {
		lines = append(lines, a.Answer())
		lines = append(lines, a.Sentences()...)
		if do := a.ToDo(); do != "" {
			lines = append(lines, do)
		}
	}
	return lines
}
