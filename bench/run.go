package bench

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"artifice/bench/theory"
	"artifice/sampler"
	"artifice/trace"
)

// Run lets every tracer of the sweep watch truth, which comes in time order and
// is read once. When ctx ends early the truth counts as ended there, and the
// result says so.
func Run(ctx context.Context, truth *trace.Recording, cfg Config) (*Result, error) {
	cfg, err := cfg.filled(truth)
	if err != nil {
		return nil, err
	}
	cells := plan(&cfg)
	jobs := deal(cells, cfg.Cores)
	relay := newRelay(truth, len(jobs))
	relay.progress = cfg.Progress
	errs := make([]error, len(jobs))
	var wait sync.WaitGroup
	for i, j := range jobs {
		wait.Go(func() {
			defer relay.consumers[i].stop()
			errs[i] = j.run(&relay.consumers[i].Recording)
		})
	}
	err = relay.run(ctx)
	wait.Wait()
	if err == nil { // else it is every job's error too
		err = errors.Join(errs...)
	}
	if err != nil {
		return nil, err
	}
	return newResult(&cfg, cells, relay, jobs[0]), nil
}

// cell is a tracer of the sweep and what became of it.
type cell struct {
	Cell
	config  cellConfig
	mode    Mode
	sampler *sampler.Sampler
	watcher *watcher
}

// plan lists the cells of a sweep: rows in the order of modes, devices and
// intervals, cells in the order of phases.
func plan(cfg *Config) []*cell {
	var cells []*cell
	for _, m := range cfg.Modes {
		for _, d := range cfg.Devices {
			for _, t := range cfg.Intervals {
				for i := range cfg.Phases {
					c := &cell{mode: m, config: cellConfig{d, t, i, cfg.Phases, seedOf(cfg.Seed, i)}}
					c.Cell = Cell{Mode: m.Name, Device: d.Name, Interval: t, Index: i}
					cells = append(cells, c)
				}
			}
		}
	}
	return cells
}

// seedOf is the seed of the i-th cell of every row.
func seedOf(seed uint64, i int) uint64 { return rand.NewPCG(seed, uint64(i)).Uint64() }

// job is what one goroutine does: some cells over one reading of the truth.
type job struct {
	cells     []*cell
	reference *reference
}

// deal spreads the cells over jobs, neighbours to different ones: those of a
// short interval cost most.
func deal(cells []*cell, cores int) []*job {
	jobs := make([]*job, max(1, min(cores, len(cells))))
	for i := range jobs {
		jobs[i] = &job{}
	}
	for i, c := range cells {
		j := jobs[i%len(jobs)]
		j.cells = append(j.cells, c)
	}
	return jobs
}

// run samples truth and scores what the samplers saw.
func (j *job) run(truth *trace.Recording) error {
	if err := j.watch(truth); err != nil {
		return err
	}
	return j.score()
}

// watch lets the cells' samplers watch the truth to its end.
func (j *job) watch(truth *trace.Recording) error {
	course := newCourse(truth.Events, truth)
	truth.Events = course
	var samplers []*sampler.Sampler
	for _, c := range j.cells {
		config := c.mode.watch(c.config)
		s, err := sampler.New(truth, config, nil)
		if err != nil {
			return err
		}
		c.Phase = config.Phase
		c.watcher = &watcher{course: course, ends: config.SliceEnd}
		s.SetObserver(c.watcher)
		c.sampler = s
		samplers = append(samplers, s)
	}
	if err := sampler.Run(truth, samplers...); err != nil {
		return err
	}
	return course.finish(endOf(truth, course))
}

// endOf returns when the truth ends, as the samplers see it.
func endOf(truth *trace.Recording, c *course) time.Duration {
	end := c.end
	for _, e := range c.pending[c.next:] {
		end = e.Wall
	}
	if truth.Info.Technique == trace.Truth {
		end = max(end, truth.Info.Elapsed)
	}
	return end
}

// score compares every cell with the truth and forgets what it tallied.
func (j *job) score() error {
	for _, c := range j.cells {
		c.watcher.finish()
	}
	if len(j.cells) == 0 {
		return nil
	}
	j.reference = newReference(j.cells[0].watcher.course)
	for _, c := range j.cells {
		c.Scores = j.reference.compare(&c.watcher.tally)
		costOf(c.sampler, &c.Scores)
		c.watcher, c.sampler = nil, nil
	}
	return nil
}

// floors fills in what an ideal sampler with that many samples would score. The
// mean number of samples need not be whole: between two it is interpolated.
func (r *reference) floors(s *Scores, methods, contexts []float64) {
	n, part := math.Modf(s[Samples])
	at := func(shares []float64) float64 {
		return (1-part)*theory.Floor(shares, int64(n)) + part*theory.Floor(shares, int64(n)+1)
	}
	s[Floor], s[FloorPaths] = at(methods), at(contexts)
}
