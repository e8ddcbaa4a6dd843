package lab

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"artifice/bench"
	"artifice/format"
	"artifice/report"
	"artifice/report/estimate"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/view"
)

// glance is the result of a sampler for the beginning of a source, which is used as the truth. It
// is the answer to [source.look].
type glance struct {
	// data of a [view.Page]: the truth, and the sampled recording for comparison
	Data []byte `json:"-"`

	Length int64 `json:"length_ns"` // length of the sampled part, untraced
	Whole  bool  `json:"whole"`     // the part is the whole source

	// The means of bench's measures over glancePhases phases of the first sample; null if a measure
	// does not apply.
	Slowdown *float64 `json:"slowdown"`
	Period   *float64 `json:"period_s"`
	Running  *float64 `json:"running"` // share of running time correctly attributed
	Methods  *float64 `json:"methods"` // share of the methods that were seen
	Calls    *float64 `json:"calls"`   // share of the calls that were seen

	Called int `json:"called"` // number of methods called
	// methods without a sample in the picture, in descending order of time
	Missed []string    `json:"missed"`
	Rows   []methodBar `json:"rows"` // the methods with the most running time
}

// methodBar is the true time and the sampled time of one method.
type methodBar struct {
	Name string  `json:"name"`
	True float64 `json:"true"` // true share of running time
	Seen bool    `json:"seen"`
	Mean float64 `json:"mean"` // sampled share
	Low  float64 `json:"low"`  // its 95 % interval
	High float64 `json:"high"`
}

const (
	momentEvents = 12_000 // number of events of a glance
	glancePhases = 4
	glanceRows   = 12
)

// moment is the beginning of a source, in memory.
type moment struct {
	rec    trace.Recording // recording without its events
	events []trace.Event
	whole  bool
}

// recording returns the recording at its first event.
func (m *moment) recording() *trace.Recording {
	rec := m.rec
	rec.Events = trace.NewSliceReader(m.events)
	return &rec
}

// begin reads the beginning of the source.
func (l *source) begin() (*moment, error) {
	if l.moment != nil {
		return l.moment, nil
	}
	in, err := l.open(format.AsTruth)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	m := &moment{events: make([]trace.Event, momentEvents)}
	n := 0
	for n < len(m.events) && err == nil {
		var k int
		k, err = in.Events.ReadEvents(m.events[n:])
		n += k
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	m.events, m.whole, m.rec = m.events[:n], err == io.EOF, *in.Recording
	if !m.whole {
		m.rec.Info.Elapsed = m.events[n-1].Wall
	}
	l.moment = m
	return m, nil
}

// look samples the beginning of the source at an interval, by a sampler that stops the app for a
// pause per sample. The picture shows the samples of the untraced run, in app time. bench's
// measures are from separate runs if threads share cores or wait for each other.
func (l *source) look(interval, pause time.Duration) (*glance, error) {
	m, err := l.begin()
	if err != nil {
		return nil, err
	}
	d := device.Device{Name: "lab", Sampling: sampler.Cost{PerTick: pause}}
	g := &glance{Length: int64(m.rec.Info.Elapsed), Whole: m.whole}
	if err := l.measure(g, m, interval, d); err != nil {
		return nil, err
	}
	page, err := view.ReadSampled(m.recording(), l.about.Name, view.Options{}, view.Sampling{
		Config: sampler.Config{Seed: seed, Cost: d.Sampling}, Interval: interval,
	})
	if err != nil {
		return nil, err
	}
	g.compare(page)
	var data bytes.Buffer
	err = page.WriteData(&data)
	g.Data = data.Bytes()
	return g, err
}

// measure sets the measures of bench.
func (l *source) measure(g *glance, m *moment, interval time.Duration, d device.Device) error {
	r, err := bench.Run(context.Background(), m.recording(), bench.Config{
		Intervals: []time.Duration{interval}, Devices: []device.Device{d}, Modes: []bench.Mode{bench.ARTSampling},
		Phases: glancePhases, Seed: seed, Cores: 1, Live: l.live(),
	})
	if err != nil {
		return err
	}
	if len(r.Rows) == 0 {
		return fmt.Errorf("nothing was sampled")
	}
	mean := &r.Rows[0].Mean
	g.Slowdown, g.Period, g.Running = number(mean[bench.Slowdown]), number(mean[bench.Period]), number(mean[bench.OverlapRunning])
	g.Methods, g.Calls = number(mean[bench.MethodRecall]), number(mean[bench.CallRecall])
	return nil
}

// compare sets the methods' times according to the samples.
func (g *glance) compare(page *view.Page) {
	truth, whole := runningRows(page.Recordings[0])
	sampled, all := runningRows(page.Recordings[1])
	said := map[trace.MethodID]report.Row{}
	for _, r := range sampled {
		said[r.Method()] = r
	}
	g.Missed = []string{}
	for _, r := range truth {
		if r.Figures().Calls.Reported == 0 {
			continue
		}
		name := r.Name()
		of, seen := said[r.Method()]
		g.Called++
		if !seen {
			g.Missed = append(g.Missed, name)
		}
		if len(g.Rows) == glanceRows {
			continue
		}
		b := methodBar{Name: name, True: share(r.Self(report.Running).Value, whole), Seen: seen}
		if seen {
			t := of.Self(report.Running)
			if of.Figures().Exclusive.Runs.Samples == 0 {
				t.High = estimate.UnseenSamples * page.Recordings[1].Profile.Period
			}
			b.Mean, b.Low, b.High = share(t.Value, all), share(t.Low, all), min(1, share(t.High, all))
		}
		g.Rows = append(g.Rows, b)
	}
}

// runningRows returns the methods of a recording that do not wait, in descending order of running
// time, and the total running time.
func runningRows(r *view.Recording) (rows []report.Row, all time.Duration) {
	v := report.New(r.Profile, r.Symbols, report.Filter{})
	v.Style = report.ShortNames
	for _, r := range v.Rows(report.ByMethod) {
		if !r.Waits() {
			rows = append(rows, r)
			all += r.Self(report.Running).Value
		}
	}
	report.BySelf.Sort(rows, report.Running)
	return rows, all
}

func share(part, of time.Duration) float64 { return float64(part) / float64(max(1, of)) }
