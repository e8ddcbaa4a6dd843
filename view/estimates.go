package view

import (
	"time"

	"artifice/report"
	"artifice/report/estimate"
	"artifice/trace"
)

// estimates adds the estimates of a recording's methods. It returns nil if the calls give exact
// numbers, or if only the estimates of the threads in the initial lists are known.
func (e *encoder) estimates(r *Recording, methods map[trace.MethodID]int32) *estimateColumns {
	if !r.Profile.Sampled() && r.Short == 0 || r.main == r.Profile {
		return nil
	}
	return e.estimatesOf(r.Profile, methods)
}

// mainEstimates adds the estimates of the methods on the threads in the initial lists. It returns
// nil if these are all threads.
func (e *encoder) mainEstimates(r *Recording, methods map[trace.MethodID]int32) *estimateColumns {
	if r.main == nil {
		return nil
	}
	return e.estimatesOf(r.main, methods)
}

func (e *encoder) estimatesOf(p *estimate.Profile, methods map[trace.MethodID]int32) *estimateColumns {
	var rows []estimate.Method
	for m := range p.Methods() {
		if _, ok := methods[m.ID]; ok {
			rows = append(rows, m)
		}
	}
	n := len(rows)
	columns := &estimateColumns{
		Method:    e.column(n, func(i int) uint64 { return uint64(methods[rows[i].ID]) }),
		Exclusive: e.shares(n, p, func(i int) *estimate.Share { return &rows[i].Exclusive }),
		Inclusive: e.shares(n, p, func(i int) *estimate.Share { return &rows[i].Inclusive }),
		Calls:     e.column(n, func(i int) uint64 { return uint64(rows[i].Calls.Reported) }),
		Recursive: e.column(n, func(i int) uint64 { return uint64(rows[i].Calls.Recursive) }),
		AtLeast:   p.Sampled(),
	}
	if p.Clock.HasWall() {
		columns.Exclusive.Running = e.running(rows, p)
	}
	return columns
}

// running adds the running times of the methods of p.
func (e *encoder) running(rows []estimate.Method, p *estimate.Profile) *timeColumns {
	of := map[trace.MethodID]time.Duration{}
	self, _ := p.RunningByMethod()
	for i, ran := range self {
		of[p.MethodID(i)] = ran
	}
	return e.times(len(rows), func(i int) estimate.Time { return p.RunningTime(&rows[i].Exclusive, of[rows[i].ID]) })
}

func (e *encoder) shares(n int, p *estimate.Profile, of func(int) *estimate.Share) shareColumns {
	c := shareColumns{
		Samples: e.column(n, func(i int) uint64 { return uint64(of(i).Runs.Samples) }),
		Caveats: e.column(n, func(i int) uint64 { return caveats(of(i), p) }),
	}
	if p.Clock.HasWall() {
		c.Wall = e.times(n, func(i int) estimate.Time { return of(i).Wall })
	}
	if p.Clock.HasCPU() {
		c.CPU = e.times(n, func(i int) estimate.Time { return of(i).CPU })
	}
	return c
}

// caveats returns the reasons why the interval of a share of p is limited.
func caveats(s *estimate.Share, p *estimate.Profile) (sum uint64) {
	if !p.Sampled() {
		return 0
	}
	if p.Period == 0 {
		sum += unknownPeriod
	}
	if s.NoCPU {
		sum += noCPU
	}
	if s.Cycle != nil {
		sum += aliased
	}
	return sum
}

func (e *encoder) times(n int, of func(int) estimate.Time) *timeColumns {
	return &timeColumns{
		Value: e.column(n, func(i int) uint64 { return uint64(of(i).Value) }),
		Below: e.column(n, func(i int) uint64 { return uint64(of(i).Value - of(i).Low) }),
		Above: e.column(n, func(i int) uint64 { return uint64(of(i).High - of(i).Value) }),
	}
}

// estimators compute the profile of all threads of a recording and, if it was sampled, that of the
// threads in the initial lists: the intervals for some threads cannot be derived from those for
// all.
type estimators struct {
	o      Options
	all    *estimate.Estimator
	main   *estimate.Estimator // nil if it is not needed, or no longer needed
	choice report.ThreadChoice
	sums   bool // the snapshots are sums of samples
}

func newEstimators(rec *trace.Recording, o Options) *estimators {
	e := &estimators{o: o, choice: report.ThreadChoice{Names: o.Threads, Recording: rec}}
	cfg := estimate.Config{Until: o.Until, MethodsOnly: !o.Contexts}
	some := cfg
	some.Threads = &e.choice
	switch {
	case !o.Running:
		e.all = estimate.New(rec, cfg)
	case o.Contexts || o.Listed:
		e.all = estimate.New(rec, some)
	default:
		e.all, e.main = estimate.New(rec, cfg), estimate.New(rec, some)
	}
	return e
}

// WriteEvents implements [trace.Writer].
func (e *estimators) WriteEvents(p []trace.Event) error {
	if e.main != nil && e.main.Exact() {
		e.main = nil
	}
	if e.main != nil {
		e.main.WriteEvents(p)
	}
	return e.all.WriteEvents(p)
}

// WriteSnapshot implements [trace.SnapshotWriter].
func (e *estimators) WriteSnapshot(s *trace.Snapshot) error {
	e.sums = s.Sum
	if e.main != nil {
		if err := e.main.WriteSnapshot(s); err != nil {
			return err
		}
	}
	return e.all.WriteSnapshot(s)
}

// profile stores the profiles in a recording, after all events have been read.
func (e *estimators) profile(r *Recording) error {
	r.Profile, r.sums = e.all.Finish(), e.sums
	if !e.o.Running {
		return nil
	}
	if !e.o.Contexts && !e.o.Listed {
		e.choice.Choose(r.Profile.Tree)
	}
	if r.Lists = e.choice.Chosen; e.choice.Err != nil {
		return e.choice.Err
	}
	switch {
	case (e.o.Contexts || e.o.Listed) && r.Profile.Sampled() && e.choice.Chosen.Part():
		r.main = r.Profile
	case e.main != nil && r.Profile.Sampled() && e.choice.Chosen.Part():
		r.main = e.main.Finish()
	}
	return nil
}
