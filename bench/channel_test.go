package bench

import (
	"cmp"
	"io"
	"math"
	"slices"
	"testing"
	"time"

	"artifice/diffstack"
	"artifice/internal/recorder"
	"artifice/internal/testdata"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
	"artifice/workload"
)

// TestFastPaths holds what a sweep sums up of samplers while they sample against their
// channel, which tells of events that have the app's time, on every built-in app. The channel
// states nothing of samples that found what the one before found. That of ART's sampler states
// nothing of threads without an event, and after their last one; there all that does not depend
// on that time is compared. Clocks are exact: bench takes the stamp of the sample before to be a
// period earlier, which can be one step off.
func TestFastPaths(t *testing.T) {
	phone := devices(t, "A")[0]
	phone.Sampling.Granularity = 0
	ofSamples := []Measure{Samples, CallRecall, MergeFactor}
	ofEvents := []Measure{CallRatio, DurationKS, TimelineDepth}
	compared := 0
	apps := testdata.SomeUnlessNamed(t, workload.Builtin(), 4)
	for _, app := range apps {
		for _, m := range Modes() {
			if len(m.Intervals) == 0 {
				continue
			}
			fast := measured(t, app.Name, m, phone, false)
			channel := measured(t, app.Name, m, phone, true)
			for _, key := range Measures() {
				_, threads := fast.run.(tracer.Threads)
				if threads && slices.Contains(ofSamples, key) || !threads && !slices.Contains(ofEvents, key) {
					continue
				}
				a, b := fast.Scores[key], channel.Scores[key]
				if same := math.Abs(a-b) <= 1e-12*math.Abs(a) || math.IsNaN(a) && math.IsNaN(b); !same {
					t.Errorf("%s, %s, %s: %v while it samples, %v by its channel", app.Name, m.Name, key.Key(), a, b)
				}
				if !math.IsNaN(a) {
					compared++
				}
			}
		}
	}
	if compared < 100*len(apps) {
		t.Errorf("only %d values of %d apps were compared", compared, len(apps))
	}
}

// measured is a cell of a mode on an app.
func measured(t *testing.T, app string, m Mode, d device.Device, channel bool) *cell {
	t.Helper()
	truth, err := workload.Must(workload.ByName(app)).Truth(workload.Config{Seed: 3, Duration: 60 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := Config{Modes: []Mode{m}, Devices: []device.Device{d}, Intervals: []time.Duration{2 * time.Millisecond}, Phases: 2, CPU: truth.Info.Clock.HasCPU()}.filled(truth)
	if err != nil {
		t.Fatal(err)
	}
	c := plan(&cfg)[0][1]
	var j job = &threadJob{[]*cell{c}, cfg}
	samples, isSampler := c.run.(tracer.Samples)
	switch {
	case channel && isSampler:
		j = &recordingJob{&cell{mode: c.mode, run: tracer.Filter(channelOf(samples))}, cfg}
	case channel:
		j = &recordingJob{c, cfg}
	case isSampler:
		j = &samplingJob{cells: []*cell{c}, cfg: cfg}
	}
	if err := j.run(truth); err != nil {
		t.Fatal(err)
	}
	if r, ok := j.(*recordingJob); ok {
		return r.cell
	}
	return c
}

// sampledChannel is the channel of ART's sampler: the events of each thread at a tick, with the
// tick's app time.
type sampledChannel struct {
	truth   *trace.Recording
	sampler *sampler.Sampler
	ends    diffstack.SliceEnd
	depths  map[trace.ThreadID]int        // of the stack that was seen last
	due     map[trace.ThreadID][]instants // of the samples whose events come next
	events  []recorder.Event
	read    bool
}

// instants are the app times of a sample's exits and enters.
type instants struct{ exit, enter time.Duration }

func channelOf(s tracer.Samples) func(*trace.Recording) (*trace.Recording, error) {
	return func(truth *trace.Recording) (*trace.Recording, error) {
		source := &sampledChannel{truth: truth, ends: s.SliceEnd, depths: map[trace.ThreadID]int{}, due: map[trace.ThreadID][]instants{}}
		var err error
		if source.sampler, err = sampler.New(truth, sampler.Config(s), source); err != nil {
			return nil, err
		}
		source.sampler.SetObserver(source)
		rec := *truth
		rec.Events = source
		return &rec, nil
	}
}

func (s *sampledChannel) Sample(l *sampler.Sample) {
	at := instants{l.App, l.App}
	if s.ends != diffstack.EndNext {
		at.exit = s.ends.Between(l.Last, l.App)
	}
	if l.Same < max(s.depths[l.Thread], len(l.Stack)) {
		// its events come when all threads have reached its tick
		s.due[l.Thread] = append(s.due[l.Thread], at)
	}
	s.depths[l.Thread] = len(l.Stack)
}

func (s *sampledChannel) Ended(*sampler.Sample) {}

func (s *sampledChannel) WriteEvents(p []trace.Event) error {
	due := s.due[p[0].Thread]
	s.due[p[0].Thread] = due[1:]
	for _, e := range p {
		app := due[0].enter
		if e.Action != trace.Enter {
			app = due[0].exit
		}
		s.events = append(s.events, recorder.Event{Event: e, App: app})
	}
	return nil
}

func (s *sampledChannel) ReadEvents([]trace.Event) (int, error) { panic("read by the channel") }

func (s *sampledChannel) ReadRecorded(p []recorder.Event) (int, error) {
	if !s.read {
		s.read = true
		if err := sampler.Run(s.truth, s.sampler); err != nil {
			return 0, err
		}
		slices.SortStableFunc(s.events, func(a, b recorder.Event) int { return cmp.Compare(a.App, b.App) })
	}
	n := copy(p, s.events)
	if s.events = s.events[n:]; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}
