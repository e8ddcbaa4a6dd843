package job

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"reflect"
	"slices"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"artifice/bench"
	"artifice/fleet/manifest"
	"artifice/fleet/sweep"
	"artifice/format"
	"artifice/tracer/device"
)

func init() {
	beam.RegisterType(reflect.TypeFor[sweepFn]())
	beam.RegisterType(reflect.TypeFor[summaryFn]())
}

// Sweep is the configuration of the sweep of every trace: see [bench.Config].
type Sweep struct {
	Intervals      []time.Duration
	Devices, Modes []string // names
	Phases         int
	Seed           uint64
	Goal           bench.Goal
}

// Config returns the sweep with its devices and modes.
func (s *Sweep) Config() (bench.Config, error) {
	cfg := bench.Config{Intervals: s.Intervals, Phases: s.Phases, Seed: s.Seed, Goal: s.Goal, Cores: 1} // the output must not depend on the number of cores
	for _, name := range s.Devices {
		d, err := device.Open(name)
		if err != nil {
			return cfg, err
		}
		cfg.Devices = append(cfg.Devices, d)
	}
	for _, name := range s.Modes {
		m, ok := bench.ModeByName(name)
		if !ok {
			return cfg, errors.New("unknown mode " + name + "; see artifice list")
		}
		cfg.Modes = append(cfg.Modes, m)
	}
	return cfg, nil
}

// errSampled is the error of a sampled trace, which cannot be swept.
var errSampled = errors.New("this is a sampled trace; bench needs one of every call")

// Bench adds the sweeps of all traces to a pipeline, and their summaries, grouped by the labels
// by.
func Bench(w Worker, cfg Sweep, by []string) Work {
	return func(s beam.Scope, streams []beam.PCollection) []beam.PCollection {
		var read, swept []beam.PCollection
		for _, files := range streams {
			some, out := beam.ParDo2(s, &sweepFn{Worker: w, Sweep: cfg, By: by}, files)
			read, swept = append(read, some), append(swept, out)
		}
		groups := beam.GroupByKey(s, beam.Flatten(s, swept...))
		return []beam.PCollection{outcomes(s, read), beam.ParDo(s, &summaryFn{cfg}, groups)}
	}
}

// BenchResults returns the summaries of the groups, ordered by their values.
func BenchResults(ctx context.Context, folder string) ([]sweep.Group, error) {
	groups, err := unpack[sweep.Group](ctx, folder, "groups")
	slices.SortFunc(groups, func(a, b sweep.Group) int { return slices.Compare(a.Labels, b.Labels) })
	return groups, err
}

// sweepFn sweeps one trace.
type sweepFn struct {
	Worker
	Sweep Sweep
	By    []string

	outcome Outcome
}

// StartBundle begins without files.
func (f *sweepFn) StartBundle(func(*Outcome), func(string, []byte)) { f.outcome = Outcome{} }

// FinishBundle emits the outcome of the files.
func (f *sweepFn) FinishBundle(outcome func(*Outcome), _ func(string, []byte)) {
	f.outcome.handOn(outcome)
}

// ProcessElement sweeps the file of an element.
func (f *sweepFn) ProcessElement(ctx context.Context, element []byte, _ func(*Outcome), swept func(string, []byte)) error {
	cfg, err := f.Sweep.Config()
	if err != nil {
		return err
	}
	use := func(s *source) (t sweep.Trace, err error) {
		cfg := cfg
		err = s.open(format.Config{Order: format.AsTruth}, func(in *format.Input) error {
			cfg.CPU = in.Info.Clock.HasCPU()
			r, err := bench.Run(s.ctx, in.Recording, cfg)
			switch {
			case err != nil:
				return err
			case in.Sampled():
				return errSampled
			case r.Cut || r.NoLaws:
				return errors.Join(errors.New("interrupted"), s.ctx.Err())
			}
			s.events, t = r.Truth.Events, sweep.Of(s.file.Index, r)
			return nil
		})
		return t, err
	}
	return read(ctx, f.Worker, &f.outcome, element, use, func(file manifest.File, t sweep.Trace) {
		swept(keyOf(file.Group(f.By)), pack(t))
	})
}

// summaryFn summarizes the traces of a group.
type summaryFn struct{ Sweep Sweep }

// ProcessElement summarizes the traces of a group.
func (f *summaryFn) ProcessElement(_ context.Context, group string, record func(*[]byte) bool, emit func(string, []byte)) error {
	var traces []sweep.Trace
	for b := []byte(nil); record(&b); {
		var t sweep.Trace
		if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&t); err != nil {
			return err
		}
		traces = append(traces, t)
	}
	goal := f.Sweep.Goal
	if goal.Wanted == 0 {
		goal = bench.AssumedGoal
	}
	emit("groups", pack(sweep.Summarize(groupOf(group), traces, goal, f.Sweep.Seed)))
	return nil
}
