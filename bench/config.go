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
	// Intervals are nominal sampling intervals; none: DefaultIntervals, and for ways of
	// tracing that have intervals of their own, those.
	Intervals []time.Duration

	Devices []device.Device // none: the ideal one
	Modes   []Mode          // none: ART's sampling

	// LadderAt is the interval at which the error ladder ([ladder]) runs, too; 0: it
	// does not.
	LadderAt time.Duration

	// CPU makes CPU time count: running time is CPU time, and its errors are measured.
	// That takes about a fifth more time and half more memory. The truth must have a
	// CPU clock.
	CPU bool

	// Threads selects the threads that are measured ([artifice/trace/filter.Part]); nil: all.
	// Tracers record all threads, and their overhead is that of tracing all; events, bytes, CPU
	// dilation and accuracy are those of the selected threads.
	Threads measure.ThreadSelector

	// OneClock makes a sample stop the time of the whole app, with all threads that wait
	// ([sampler.Config].OneClock), as closed forms have it.
	OneClock bool

	// Live, where it is set, opens an app to run while it is traced ([trace.LiveApp]), for a length
	// at most: run 0 is the truth that is swept, from where a window of it begins
	// ([artifice/trace/filter.Window]), and those from 1 on are the other runs of it that
	// [Result.Confirm] is given. Then each tracer has a run of its own ([artifice/bench/measure]),
	// and its cost is by how much that is longer. The times that it reports are compared with those
	// of the truth, the calls and stacks with those of its run. There are no laws of it. An
	// interrupted sweep has no result. nil: what tracing takes is laid over the truth, which is
	// read once.
	Live func(run int, length time.Duration) (*trace.Recording, error)

	// Goal is what the result's advice is for; the zero value: [AssumedGoal].
	Goal Goal

	// Phases is the number of cells of a row: stratified phases of the first sample, each with its
	// own random seed. 0: the number of [phasesOf].
	Phases int

	// Seed picks the random numbers. Cells that differ in nothing but mode,
	// device or interval share theirs, so that they can be compared pair by pair.
	Seed uint64

	// Progress, if not nil, is called with the app time that the sampling has reached, from another
	// goroutine than Run's, one call at a time.
	Progress func(reached time.Duration)

	// Exceeded, if not nil, is called from several goroutines while samplers run. Its error ends
	// the run: samples that not all threads have reached take memory.
	Exceeded func() error

	asked   bool       // for Intervals
	lawless bool       // rows are compared with no law
	truth   trace.Info // of the truth that is swept

	Cores int // goroutines that sample; 0: one per core. Results do not depend on it

	patience time.Duration // time of an interrupted sweep for what has been read; 0: patience
	states   *states
	turns    *sync.Mutex      // serializes comparisons ([Config.inTurn])
	untraced *score.Reference // reference for a tracer's times; nil: the run that it traces
}

// DefaultIntervals are the nominal intervals of ART's sampling, unless others are asked for.
var DefaultIntervals = tracer.SamplingIntervals

// How many phases a row has by default. The fewer are enough for a truth of longLength: there
// a phase is a mean of its own over many samples.
const (
	DefaultPhases = 24
	FewerPhases   = 12
	longLength    = 6 * time.Second
)

// phasesOf returns how many phases a row has by default, by the length of the truth: as the
// recording states it in advance, otherwise the latest end of a thread. DefaultPhases where neither
// is known.
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

// maxCells bounds a sweep.
const maxCells = 1 << 20

// filled returns cfg with its defaults, or what is wrong with it.
func (cfg Config) filled(truth *trace.Recording) (Config, error) {
	cfg.truth = truth.Info
	if cfg.asked = len(cfg.Intervals) > 0; !cfg.asked {
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
		return cfg, fmt.Errorf("%d phases: want at least one", cfg.Phases)
	case cfg.Phases > maxCells/max(1, len(cfg.Intervals)*len(cfg.Devices)*len(cfg.Modes)):
		return cfg, fmt.Errorf("%d intervals x %d devices x %d modes x %d phases: more than %d tracers",
			len(cfg.Intervals), len(cfg.Devices), len(cfg.Modes), cfg.Phases, maxCells)
	case cfg.CPU && !truth.Info.Clock.HasCPU():
		return cfg, fmt.Errorf("CPU time errors cannot be measured: the truth has only the clock %s", truth.Info.Clock)
	case !truth.Info.Clock.HasWall():
		return cfg, fmt.Errorf("a trace without wall clock cannot be a truth: clock %s does not order threads", truth.Info.Clock)
	}
	return cfg, nil
}

// exceeded calls Exceeded, which takes some time, at one of many events.
func (cfg *Config) exceeded(events int) error {
	const often = 16
	if cfg.Exceeded == nil || events%often != 0 {
		return nil
	}
	return cfg.Exceeded()
}
