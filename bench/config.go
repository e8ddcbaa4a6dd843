package bench

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"artifice/bench/measure"
	"artifice/bench/score"
	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
)

// Config configures a sweep. The zero value samples as ART does on an ideal
// device, at the default intervals.
type Config struct {
	// Intervals are the nominal sampling intervals; empty: DefaultIntervals, or the mode's own
	// intervals if it has any.
	Intervals []time.Duration

	Devices []device.Device // empty: the ideal device
	Modes   []Mode          // empty: ART's sampling

	// LadderAt is the interval of the error ladder ([ladder]); 0: the sweep does not include the
	// ladder.
	LadderAt time.Duration

	// CPU defines running time as CPU time, and measures its errors. That takes about a fifth more
	// time and half more memory. The truth must have a CPU clock.
	CPU bool

	// Threads selects the threads that are measured ([artifice/trace/filter.Part]); nil: all.
	// Tracers always record all threads, so slowdown and delays are those of tracing all threads.
	// Events, bytes, CPU dilation and accuracy are those of the selected threads.
	Threads measure.ThreadSelector

	// OneClock makes a sample stop the clock of the whole app, including waiting threads
	// ([sampler.Config].OneClock), as closed forms assume.
	OneClock bool

	// Live, if set, opens an app that runs while it is traced ([trace.LiveApp]), for at most a
	// given length. Run 0 is the swept truth, from the beginning of its window
	// ([artifice/trace/filter.Window]); the runs from 1 on are those passed to [Result.Confirm].
	// Each tracer then has a separate run ([artifice/bench/measure]), and its cost is the extension
	// of that run. The reported times are compared with those of the truth, calls and stacks with
	// those of the tracer's run. Laws are not computed, and an interrupted sweep has no result.
	// nil: tracing overhead is added to the truth, which is read once.
	Live func(run int, length time.Duration) (*trace.Recording, error)

	// Goal is the goal that the result's advice is about; the zero value: [AssumedGoal].
	Goal Goal

	// Phases is the number of cells of a row: stratified phases of the first sample, each with its
	// own random seed. 0: the default ([phasesOf]).
	Phases int

	// Seed determines the random numbers. Cells that differ only in mode, device or interval have
	// the same random numbers, so that they can be compared in pairs.
	Seed uint64

	// Progress, if not nil, is called with the app time that sampling has reached. Calls come from
	// a goroutine other than Run's, one at a time.
	Progress func(reached time.Duration)

	// Exceeded, if not nil, is called from several goroutines while samplers run. If it returns an
	// error, the run ends. It serves to limit memory: samples that not all threads have reached are
	// kept in memory.
	Exceeded func() error

	requested bool       // the user stated Intervals
	lawless   bool       // rows are not compared with laws
	truth     trace.Info // info of the swept truth

	Cores int // number of goroutines that sample; 0: one per core. Results do not depend on it

	// time that samplers of an interrupted sweep have to process the events read; 0: patience
	patience time.Duration
	states   *states
	turns    *sync.Mutex      // serializes comparisons ([Config.inTurn])
	untraced *score.Reference // reference for a tracer's times; nil: the traced run itself
}

// DefaultIntervals are the default nominal intervals of ART's sampling.
var DefaultIntervals = tracer.SamplingIntervals

// The default numbers of phases of a row. Truths of at least longLength need only FewerPhases,
// because each phase already averages many samples.
const (
	DefaultPhases = 24
	FewerPhases   = 12
	longLength    = 6 * time.Second
)

// phasesOf returns the default number of phases of a row. It depends on the length of the truth:
// the length stated by the recording in advance, otherwise the latest end of a thread. If neither
// is known, it returns DefaultPhases.
func phasesOf(truth *trace.Recording) int {
	length := truth.Info.Elapsed
	if length == 0 {
		for _, t := range truth.Symbols.Threads {
			length = max(length, t.End)
		}
	}
	if length >= longLength {
		return FewerPhases
	}
	return DefaultPhases
}

// maxCells is the maximum number of cells of a sweep.
const maxCells = 1 << 20

// filled returns cfg with its defaults filled in, or an error if it is invalid.
func (cfg Config) filled(truth *trace.Recording) (Config, error) {
	cfg.truth = truth.Info
	if cfg.requested = len(cfg.Intervals) > 0; !cfg.requested {
		cfg.Intervals = DefaultIntervals
	}
	if len(cfg.Devices) == 0 {
		cfg.Devices = []device.Device{{Name: "ideal"}}
	}
	if !truth.Info.Clock.HasCPU() {
		cfg.Devices = slices.Clone(cfg.Devices)
		for i, d := range cfg.Devices {
			cfg.Devices[i] = d.Using(trace.Wall)
		}
	}
	if len(cfg.Modes) == 0 {
		cfg.Modes = []Mode{ARTSampling}
	}
	switch {
	case cfg.Phases != 0:
	case cfg.Live != nil:
		cfg.Phases = FewerPhases
	default:
		cfg.Phases = phasesOf(truth)
	}
	cfg.turns, cfg.states = new(sync.Mutex), new(states)
	if cfg.patience == 0 {
		cfg.patience = patience
	}
	if cfg.Goal.Wanted == 0 && cfg.Goal.Budget == 0 {
		cfg.Goal = AssumedGoal
	}
	if err := cfg.Goal.check(); err != nil {
		return cfg, err
	}
	if cfg.Cores <= 0 {
		cfg.Cores = runtime.GOMAXPROCS(0)
	}
	switch {
	case cfg.Phases < 0:
		return cfg, fmt.Errorf("%d phases: must be at least one", cfg.Phases)
	case cfg.Phases > maxCells/max(1, len(cfg.Intervals)*len(cfg.Devices)*len(cfg.Modes)):
		return cfg, fmt.Errorf("%d intervals x %d devices x %d modes x %d phases: more than %d tracers",
			len(cfg.Intervals), len(cfg.Devices), len(cfg.Modes), cfg.Phases, maxCells)
	case cfg.CPU && !truth.Info.Clock.HasCPU():
		return cfg, fmt.Errorf("CPU time errors cannot be measured: the truth has only the clock %s", truth.Info.Clock)
	case !truth.Info.Clock.HasWall():
		return cfg, fmt.Errorf("a trace without wall clock cannot be a ground truth: clock %s does not order events of different threads", truth.Info.Clock)
	}
	return cfg, nil
}

// exceeded calls Exceeded at one of many events, because the call takes some time.
func (cfg *Config) exceeded(events int) error {
	const often = 16
	if cfg.Exceeded == nil || events%often != 0 {
		return nil
	}
	return cfg.Exceeded()
}
