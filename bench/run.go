package bench

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"artifice/bench/theory"
	"artifice/device"
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
	rows := plan(&cfg)
	reference := &referenceJob{}
	jobs := append(deal(&cfg, rows), reference)
	laws := newLawJob(rows)
	if laws != nil {
		jobs = append(jobs, laws)
	}
	relay := newRelay(truth, len(jobs))
	if err := runAll(ctx, relay, jobs); err != nil {
		return nil, err
	}
	return newResult(&cfg, rows, relay, reference.reference, laws), nil
}

// job is what one goroutine does over a reading of the truth of its own.
type job interface {
	run(truth *trace.Recording) error
}

func runAll(ctx context.Context, relay *relay, jobs []job) error {
	errs := make([]error, len(jobs))
	var wait sync.WaitGroup
	for i, j := range jobs {
		wait.Go(func() {
			defer relay.consumers[i].stop()
			errs[i] = j.run(&relay.consumers[i].Recording)
		})
	}
	err := relay.run(ctx)
	wait.Wait()
	if err != nil { // it is every job's error too
		return err
	}
	return errors.Join(errs...)
}

// cell is a tracer of the sweep and what became of it.
type cell struct {
	Cell
	config cellConfig
	mode   Mode
	detail detail
}

// plan lists the rows of a sweep in the order of modes, devices and intervals,
// the error ladder last.
func plan(cfg *Config) [][]*cell {
	var rows [][]*cell
	for _, m := range cfg.Modes {
		for _, d := range cfg.Devices {
			rows = append(rows, rowsOf(cfg, m, d, cfg.Intervals)...)
		}
	}
	if cfg.LadderAt > 0 {
		for _, m := range Ladder() {
			for _, d := range cfg.Devices {
				rows = append(rows, rowsOf(cfg, m, d, []time.Duration{cfg.LadderAt})...)
			}
		}
	}
	return rows
}

// rowsOf lists the rows of one mode on one device, each with its cells in the
// order of phases.
func rowsOf(cfg *Config, m Mode, d device.Device, intervals []time.Duration) (rows [][]*cell) {
	cells := cfg.Phases
	if m.record != nil {
		intervals, cells = []time.Duration{0}, 1
	}
	for _, t := range intervals {
		var row []*cell
		for i := range cells {
			c := &cell{mode: m, config: cellConfig{d, t, i, cells, seedOf(cfg.Seed, i)}}
			c.Cell = Cell{Mode: m.Name, Device: d.Name, Interval: t, Index: i}
			row = append(row, c)
		}
		rows = append(rows, row)
	}
	return rows
}

// seedOf is the seed of the i-th cell of every row.
func seedOf(seed uint64, i int) uint64 { return rand.NewPCG(seed, uint64(i)).Uint64() }

// deal spreads the cells over jobs. Neighbouring samplers go to different ones:
// those of a short interval cost most.
func deal(cfg *Config, rows [][]*cell) []job {
	var jobs []job
	sampling := make([]*samplingJob, cfg.Cores)
	next := 0
	for _, row := range rows {
		for _, c := range row {
			if c.mode.record != nil {
				jobs = append(jobs, &recordingJob{c, cfg.CPU})
				continue
			}
			if sampling[next] == nil {
				sampling[next] = &samplingJob{cpu: cfg.CPU}
				jobs = append(jobs, sampling[next])
			}
			sampling[next].cells = append(sampling[next].cells, c)
			next = (next + 1) % cfg.Cores
		}
	}
	return jobs
}

// referenceJob follows the truth alone.
type referenceJob struct{ reference *reference }

func (j *referenceJob) run(truth *trace.Recording) error {
	course := newCourse(truth.Events, truth)
	course.alone = true
	if _, err := trace.Copy(trace.Discard, course); err != nil {
		return err
	}
	if err := course.finish(course.length()); err != nil {
		return err
	}
	j.reference = newReference(course)
	return nil
}

// floors fills in what an ideal sampler with that many samples would score. The
// mean number of samples need not be whole: between two it is interpolated.
func (r *reference) floors(s *Scores, methods, contexts []float64) {
	if math.IsNaN(s[Samples]) {
		return
	}
	n, part := math.Modf(s[Samples])
	at := func(shares []float64) float64 {
		return (1-part)*theory.Floor(shares, int64(n)) + part*theory.Floor(shares, int64(n)+1)
	}
	s[Floor], s[FloorPaths] = at(methods), at(contexts)
}
