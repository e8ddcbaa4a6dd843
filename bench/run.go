package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"artifice/bench/measure"
	"artifice/bench/score"
	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
)

// Run runs every tracer of the sweep over truth, which is in time order and is read once. If ctx
// ends early, the truth ends there, and the result states this. If samplers would need too long for
// the events already read, they all stop at the app time of the one that is farthest ahead; tracers
// of every call process all events read.
func Run(ctx context.Context, truth *trace.Recording, cfg Config) (*Result, error) {
	cfg, err := cfg.filled(truth)
	if err != nil {
		return nil, err
	}
	defer cfg.states.close()
	rows := plan(&cfg)
	if cfg.Live != nil {
		return runLive(ctx, truth, &cfg, rows)
	}
	reference := &referenceJob{cfg: cfg}
	late, stop := newDeadline(ctx, cfg.Cores, cfg.patience)
	defer stop()
	jobs := append(deal(&cfg, rows, late), reference)
	var laws *lawJob
	if !cfg.lawless {
		laws = newLawJob(rows)
	}
	if laws != nil {
		jobs = append(jobs, laws)
	}
	ranges := newRangeJobs(truth, &cfg, rows, late)
	for _, j := range ranges {
		jobs = append(jobs, j)
	}
	source := newFanout(truth, len(jobs))
	if err := runAll(ctx, source, jobs); err != nil {
		return nil, err
	}
	if first := firstStopped(jobs); first != nil {
		if first.Truth().Calls == 0 {
			return nil, context.Cause(ctx) // there is no result to return
		}
		source.cut = true
		for _, row := range rows {
			row[0].shares = nil // the hottest methods are those of each job's own truth
		}
		r := newResult(ctx, &cfg, rows, source, first, laws)
		r.Methods = nil
		return r, nil
	}
	if err := cfg.Goal.checkNamed(reference.reference); err != nil {
		return nil, err
	}
	r := newResult(ctx, &cfg, rows, source, reference.reference, laws)
	r.setRanges(ranges)
	for _, j := range jobs {
		if s, ok := j.(*samplingJob); ok {
			r.Ruled = s.ruled
		}
	}
	return r, nil
}

// runLive runs every tracer over a separate run of the app, after an untraced run.
func runLive(ctx context.Context, truth *trace.Recording, cfg *Config, rows [][]*cell) (*Result, error) {
	untraced := &referenceJob{cfg: *cfg}
	source := newFanout(truth, 1)
	if err := runAll(ctx, source, []job{untraced}); err != nil {
		return nil, err
	}
	cfg.untraced = untraced.reference
	cells := slices.Concat(rows...)
	var next, done atomic.Int64
	var telling sync.Mutex
	untraced.work.Finish(untraced.reference.Truth().Length)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	together(cfg.Cores, func(int) {
		for i := next.Add(1) - 1; int(i) < len(cells); i = next.Add(1) - 1 {
			if err := cells[i].runLive(ctx, cfg, untraced.work); err != nil {
				stop(err)
				return
			}
			if now := done.Add(1); cfg.Progress != nil {
				telling.Lock()
				cfg.Progress(time.Duration(float64(untraced.work.Length) * float64(now) / float64(len(cells))))
				telling.Unlock()
			}
		}
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err := cfg.Goal.checkNamed(untraced.reference); err != nil {
		return nil, err
	}
	r := newResult(ctx, cfg, rows, source, untraced.reference, nil)
	r.Live = true
	return r, nil
}

// runLive runs the cell's tracer over a run of the app.
func (c *cell) runLive(ctx context.Context, cfg *Config, untraced *measure.Work) error {
	own := *cfg
	own.states = new(states)
	defer own.states.close()
	app, err := own.Live(0, measure.MaxSlowdown*untraced.Length)
	if err != nil {
		return err
	}
	if c.rerun, err = measure.NewRun(ctx, app, untraced); err != nil {
		return err
	}
	var j job = &recordingJob{c, own}
	switch c.run.(type) {
	case tracer.Threads:
		j = &threadJob{[]*cell{c}, own}
	case tracer.Samples:
		j = &samplingJob{cells: []*cell{c}, cfg: own}
	}
	err = j.run(app)
	c.rerun = nil
	return err
}

// together calls work in the given number of goroutines, and propagates a panic of one of them.
func together(workers int, work func(worker int)) {
	var wait sync.WaitGroup
	var crash atomic.Value
	for i := range workers {
		wait.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					crash.CompareAndSwap(nil, fmt.Sprintf("%v\n%s", p, debug.Stack()))
				}
			}()
			work(i)
		})
	}
	wait.Wait()
	if p := crash.Load(); p != nil {
		panic(p) // in the caller's goroutine, which can recover
	}
}

// firstStopped returns the truth of the job that stopped at the earliest app time, or nil if none
// did.
func firstStopped(jobs []job) (first *score.Reference) {
	for _, j := range jobs {
		if s, ok := j.(*samplingJob); ok && s.stopped != nil && (first == nil || s.stopped.Truth().Length < first.Truth().Length) {
			first = s.stopped
		}
	}
	return first
}

// runAll runs each job in its own worker.
func runAll(ctx context.Context, source *fanout, jobs []job) error {
	errs := make([]error, len(jobs))
	var err error // each job returns the same error
	together(len(jobs)+1, func(i int) {
		if i == len(jobs) {
			err = source.run(ctx)
			return
		}
		defer source.workers[i].stop()
		errs[i] = jobs[i].run(&source.workers[i].Recording)
	})
	return cmp.Or(err, errors.Join(errs...))
}

// cell is a tracer of the sweep with its result.
type cell struct {
	Cell
	mode   *Mode
	device device.Device
	run    tracer.Run
	byCPU  bool                // running time is CPU time
	shares []score.MethodShare // shares of the hottest methods, as reported
	calls  []int64             // reported calls of the busiest contexts
	missed []trace.MethodID    // methods of the goal that were not seen
	rerun  *measure.Run        // the run of the app that it traces; nil: it traces the truth
}

// compare compares a tracer's summed report with the truth.
func (c *cell) compare(truth *score.Reference, sums *score.Accumulator, named [][]trace.MethodID, cost measure.Cost) {
	o := truth.Compare(sums)
	o.Cost, o.Named, o.ByWall = cost, named, c.mode.wall
	if c.rerun != nil {
		c.rerun.Cost(&o.Cost)
	}
	c.Scores, c.shares, c.calls = ScoresOf(o), o.HottestShares(), o.BusiestCalls()
	c.byCPU, c.missed, c.named = o.RunningByCPU(), o.Missed(rankShare), o.NamedTime()
	sums.Release()
}

// plan lists the rows of a sweep in the order of modes, devices and intervals,
// the error ladder last.
func plan(cfg *Config) [][]*cell {
	var rows [][]*cell
	for _, m := range cfg.Modes {
		intervals := m.Intervals
		if cfg.requested && len(intervals) > 0 {
			intervals = cfg.Intervals
		}
		for _, d := range cfg.Devices {
			rows = append(rows, rowsOf(cfg, m, d, intervals)...)
		}
	}
	if cfg.LadderAt > 0 {
		for _, m := range ladder() {
			for _, d := range cfg.Devices {
				rows = append(rows, rowsOf(cfg, m, d, []time.Duration{cfg.LadderAt})...)
			}
		}
	}
	return rows
}

// rowsOf lists the rows of one mode on one device, each with its cells in the order of phases. A
// mode without an interval has one row with one cell, because it has no randomness.
func rowsOf(cfg *Config, m Mode, d device.Device, intervals []time.Duration) (rows [][]*cell) {
	cells := cfg.Phases
	if len(intervals) == 0 {
		intervals, cells = []time.Duration{0}, 1
	}
	for _, t := range intervals {
		var row []*cell
		for i := range cells {
			c := &cell{mode: &m, device: d, run: m.run(cfg, d, t, i, cells)}
			c.Cell = Cell{Mode: m.Name, Device: d.Name, Interval: t, Index: i}
			row = append(row, c)
		}
		rows = append(rows, row)
	}
	return rows
}

// seedOf returns the seed of cell i of every row.
func seedOf(seed uint64, i int) uint64 { return rand.NewPCG(seed, uint64(i)).Uint64() }

// deal distributes the cells over jobs. Neighboring samplers go to different jobs, because those
// with short intervals cost most.
func deal(cfg *Config, rows [][]*cell, late *deadline) []job {
	var jobs []job
	sampling := make([]*samplingJob, cfg.Cores)
	next := 0
	for _, row := range rows {
		if _, ok := row[0].run.(tracer.Threads); ok {
			jobs = append(jobs, &threadJob{row, *cfg})
			continue
		}
		for _, c := range row {
			if _, ok := c.run.(tracer.Samples); !ok {
				jobs = append(jobs, &recordingJob{c, *cfg})
				continue
			}
			if sampling[next] == nil {
				sampling[next] = &samplingJob{cfg: *cfg, late: late, number: next}
				jobs = append(jobs, sampling[next])
			}
			sampling[next].cells = append(sampling[next].cells, c)
			next = (next + 1) % cfg.Cores
		}
	}
	return jobs
}
