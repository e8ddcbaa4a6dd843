package sampler_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"artifice/diffstack"
	"artifice/internal/testdata"
	"artifice/sampler"

	"artifice/trace"
	"artifice/workload"
)

// observed reconstructs a sampler's events from the stacks passed to its observer. It uses ART's
// rule for equal frames.
type observed struct {
	stacks map[trace.ThreadID][]trace.MethodID
	events []trace.Event
}

func (o *observed) Sample(s *sampler.Sample) {
	old := o.stacks[s.Thread]
	same := diffstack.CommonFrames(old, s.Stack)
	e := trace.Event{Wall: s.Wall, CPU: s.CPU, Thread: s.Thread, Action: trace.Exit}
	for _, m := range slices.Backward(old[same:]) {
		e.Method = m
		o.events = append(o.events, e)
	}
	e.Action = trace.Enter
	for _, m := range s.Stack[same:] {
		e.Method = m
		o.events = append(o.events, e)
	}
	o.stacks[s.Thread] = slices.Clone(s.Stack)
}

func (o *observed) Ended(s *sampler.Sample) { delete(o.stacks, s.Thread) }

// TestSweepMatchesRecord checks that many samplers in one pass over a truth, with and without an
// output, have the same samples and output as each alone. It tries every built-in workload.
func TestSweepMatchesRecord(t *testing.T) {
	const ms = time.Millisecond
	apart := []sampler.Config{
		{Interval: ms},
		{Interval: 3 * ms, Phase: 700 * time.Microsecond, Cost: sampler.PhoneCost},
		{Interval: 2 * ms, Schedule: sampler.Poisson, Seed: 5},
		{Interval: ms, Leaves: sampler.LeavesHidden, Clock: trace.Wall, Cost: sampler.Cost{OvershootSpread: 80 * time.Microsecond, PerFrame: 300}},
		{Interval: 5 * ms, Identity: diffstack.BySite},
		{Interval: ms, Identity: diffstack.ByCall, SliceEnd: diffstack.EndMid, BufferSize: 16 << 10},
	}
	oneClock := slices.Clone(apart)
	for i := range oneClock {
		oneClock[i].OneClock = true
	}
	t.Run("apart", func(t *testing.T) { sweepIsRecord(t, apart) })
	t.Run("one clock", func(t *testing.T) { sweepIsRecord(t, oneClock) })
}

func sweepIsRecord(t *testing.T, configs []sampler.Config) {
	const ms = time.Millisecond
	for _, program := range testdata.SomeUnlessNamed(t, workload.Builtin(), 6) {
		truth := func() *trace.Recording {
			rec, err := program.Truth(workload.Config{Seed: 3, Duration: 200 * ms})
			if err != nil {
				t.Fatal(err)
			}
			return rec
		}
		swept := truth()
		var all []*sampler.Sampler
		outs := make([]trace.Buffer, len(configs))
		observers := make([]*observed, len(configs))
		for i, cfg := range configs {
			writes, err := sampler.New(swept, cfg, &outs[i])
			if err != nil {
				t.Fatal(err)
			}
			observes, err := sampler.New(swept, cfg, nil)
			if err != nil {
				t.Fatal(err)
			}
			observers[i] = &observed{stacks: map[trace.ThreadID][]trace.MethodID{}}
			observes.SetObserver(observers[i])
			all = append(all, writes, observes)
		}
		if err := sampler.Run(swept, all...); err != nil {
			t.Fatal(err)
		}
		for i, cfg := range configs {
			cfg.KeepSymbols = true
			rec, err := sampler.Record(truth(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			var alone trace.Buffer
			if _, err := trace.Copy(&alone, rec.Events); err != nil {
				t.Fatal(err)
			}
			if len(alone.Events) == 0 || !slices.Equal(outs[i].Events, alone.Events) {
				t.Errorf("%s, sampler %d: events differ: %d in the sweep, %d alone", program.Name, i, len(outs[i].Events), len(alone.Events))
			}
			for _, events := range [][]trace.Event{observers[i].events, alone.Events} { // the order of threads does not matter
				slices.SortStableFunc(events, func(a, b trace.Event) int { return cmp.Compare(a.Thread, b.Thread) })
			}
			if cfg.Identity == diffstack.ByMethod && !slices.Equal(observers[i].events, alone.Events) {
				t.Errorf("%s, sampler %d: events differ: %d observed, %d recorded", program.Name, i, len(observers[i].events), len(alone.Events))
			}
			a, b := *all[2*i].Stats(), *rec.Events.(*sampler.Reader).Stats()
			if !slices.Equal(a.Samples, b.Samples) || a.Ticks != b.Ticks || a.Events != b.Events || a.Dropped != b.Dropped ||
				a.Changed != b.Changed || a.Paused != b.Paused || a.LongestPause != b.LongestPause || a.MeanPeriod() != b.MeanPeriod() {
				t.Errorf("%s, sampler %d: %+v in the sweep, %+v alone", program.Name, i, a, b)
			}
			if info := all[2*i].Recording().Info; info != rec.Info {
				t.Errorf("%s, sampler %d: %+v in the sweep, %+v alone", program.Name, i, info, rec.Info)
			}
		}
	}
}
