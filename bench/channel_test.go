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

// TestFastPaths compares the measures that a sweep computes while sampling with those computed from
// the recorded events and their app times, on every built-in app. Recorded events contain no
// samples with an unchanged stack, so measures of samples are not compared. Events of ART's sampler
// do not cover threads without events, and the time after a thread's last event, so only measures
// that are independent of that time are compared. Clocks are exact, because bench assumes that the
// previous sample was a period earlier, which a coarse clock can contradict by a step.
func TestFastPaths(t *testing.T) {
	testdata.Seldom(t, 4)
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
					t.Errorf("%s, %s, %s: %v while sampling, %v from recorded events", app.Name, m.Name, key.Key(), a, b)
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

// measured returns the cell of a mode on an app, computed while sampling or from recorded events.
func measured(t *testing.T, app string, m Mode, d device.Device, recorded bool) *cell {
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
	case recorded && isSampler:
		j = &recordingJob{&cell{mode: c.mode, run: tracer.Filter(recordingOf(samples))}, cfg}
	case recorded:
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

// eventSource reads the events of ART's sampler, with the app times of their samples.
type eventSource struct {
	truth   *trace.Recording
	sampler *sampler.Sampler
	ends    diffstack.SliceEnd
	depths  map[trace.ThreadID]int        // of the previous stack
	due     map[trace.ThreadID][]instants // of samples with events that are not written yet
	events  []recorder.Event
	read    bool
}

// instants are the app times of a sample's exits and enters.
type instants struct{ exit, enter time.Duration }

func recordingOf(s tracer.Samples) func(*trace.Recording) (*trace.Recording, error) {
	return func(truth *trace.Recording) (*trace.Recording, error) {
		source := &eventSource{truth: truth, ends: s.SliceEnd, depths: map[trace.ThreadID]int{}, due: map[trace.ThreadID][]instants{}}
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

func (s *eventSource) Sample(l *sampler.Sample) {
	at := instants{l.App, l.App}
	if s.ends != diffstack.EndNext {
		at.exit = s.ends.Between(l.Last, l.App)
	}
	if l.Same < max(s.depths[l.Thread], len(l.Stack)) {
		// The events are written when all threads have reached the tick.
		s.due[l.Thread] = append(s.due[l.Thread], at)
	}
	s.depths[l.Thread] = len(l.Stack)
}

func (s *eventSource) Ended(*sampler.Sample) {}

func (s *eventSource) WriteEvents(p []trace.Event) error {
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

func (s *eventSource) ReadEvents([]trace.Event) (int, error) { panic("ReadRecorded is called instead") }

func (s *eventSource) ReadRecorded(p []recorder.Event) (int, error) {
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
