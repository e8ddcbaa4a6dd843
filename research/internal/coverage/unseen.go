package coverage

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"artifice/report"
	"artifice/report/estimate"
	"artifice/sampler"
	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/tracer/device"
	"artifice/workload"
)

// Unseen is the result for one random app on one device at one interval: that of the report of its
// main thread, over several recordings.
type Unseen struct {
	App      RandomApp
	Device   string
	Interval time.Duration

	Recordings int
	Explained  int // recordings that state that their intervals are wider or not reliable, and why
	Claims     int // intervals of self times, of methods that do not wait by name and have enough samples
	Covered    int // those that contain the truth

	// Width is the median over methods of the mean width of the intervals over the width of
	// intervals with the spread of the errors, 2 × 1.96 standard deviations. NaN: no method has
	// enough claims.
	Width float64

	Hottest  []HottestClaim
	Warnings map[string]Warned // by the name of the warning
	Periods  Warned            // recordings with a period, and those in which it is within an eighth of the true one

	errors map[trace.MethodID]*tally
}

// Coverage returns the share of intervals that contain the truth.
func (u *Unseen) Coverage() float64 { return float64(u.Covered) / float64(u.Claims) }

// HottestClaim is the probability that the first method is the hottest, whether report uses it, and
// whether the method is the hottest.
type HottestClaim struct {
	Probability   float64
	Usable, Right bool
}

// Warned counts the recordings with a warning, and those in which it is correct.
type Warned struct{ Shown, Correct int }

// MeasureUnseen measures an app on a device at an interval: runs of it, each with a number of
// samplers with different phases.
func MeasureUnseen(app RandomApp, d device.Device, interval time.Duration, runs, phases int) (*Unseen, error) {
	program, err := workload.ReadYAML(strings.NewReader(app.YAML), app.Name)
	if err != nil {
		return nil, err
	}
	u := &Unseen{App: app, Device: d.Name, Interval: interval, Warnings: map[string]Warned{}, errors: map[trace.MethodID]*tally{}}
	for run := range runs {
		rec, err := program.Truth(workload.Config{Seed: uint64(run) + 1})
		if err != nil {
			return nil, err
		}
		if err := u.measureRun(rec, d, run, phases); err != nil {
			return nil, fmt.Errorf("%s, run %d: %w", app.Name, run, err)
		}
	}
	u.Width = u.width()
	return u, nil
}

// measureRun samples a run from all phases.
func (u *Unseen) measureRun(rec *trace.Recording, d device.Device, run, phases int) error {
	samplers := make([]*sampler.Sampler, phases)
	estimators, stated := make([]*estimate.Estimator, phases), make([]*trace.Recording, phases)
	truth := &mainTruth{truthSum: truthSum{rec: rec, wall: make([][]time.Duration, phases)}, began: map[trace.ThreadID]time.Duration{}, inPauses: make([]int64, phases)}
	gap := u.Interval + d.Sampling.Overshoot
	for i := range samplers {
		s, err := sampler.New(rec, sampler.Config{
			Interval: u.Interval, Cost: d.Sampling, KeepSymbols: true,
			Phase: time.Duration((float64(i) + 0.5) / float64(phases) * float64(gap)),
			Seed:  uint64(run*phases + i + 1),
		}, nil)
		if err != nil {
			return err
		}
		stated[i] = asInFile(s.Recording())
		estimators[i] = estimate.New(stated[i], estimate.Config{MethodsOnly: true, Threads: mainThread{}})
		s.SetOutput(struct{ trace.Writer }{estimators[i]})
		samplers[i] = s
	}
	if err := sampler.RunFollowed(truth, rec, samplers...); err != nil {
		return err
	}
	sums := truth.finish(false)
	for i, e := range estimators {
		stated[i].Info = samplers[i].Recording().Info
		stats := samplers[i].Stats()
		paused := stats.Paused / time.Duration(max(1, stats.Ticks))
		one := &recording{p: e.Finish(), period: gap + paused, symbols: stated[i].Symbols, own: sums.wall[i].exclusive, collected: truth.collected, nativeEnds: truth.inPauses[i], periodic: u.App.Periodic}
		u.add(one)
	}
	return nil
}

// mainThread chooses the first thread, an app's main thread.
type mainThread struct{}

// Choose implements [estimate.ThreadChooser].
func (mainThread) Choose(*calltree.Tree) func(trace.ThreadID) bool {
	return func(id trace.ThreadID) bool { return id == 0 }
}

// mainTruth is the truth of the main thread, how long collectors ran, and by sampler the number of
// pauses in which native code of the main thread ended.
type mainTruth struct {
	truthSum
	collected time.Duration
	began     map[trace.ThreadID]time.Duration
	inPauses  []int64
	late      []time.Duration // delays of the main thread at its latest event
}

// Event implements [sampler.Follower].
func (m *mainTruth) Event(e *trace.Event, late []time.Duration) {
	if m.rec.Symbols.Method(e.Method).Flags&trace.Collector != 0 {
		if e.Action == trace.Enter {
			m.began[e.Thread] = e.Wall
		} else {
			m.collected += e.Wall - m.began[e.Thread]
		}
	}
	if e.Thread == 0 {
		m.truthSum.Event(e, late)
		m.countInPauses(e, late)
	}
}

// countInPauses counts the samplers in whose pauses native code ends with an event: pauses do not
// delay native code, but the code after it.
func (m *mainTruth) countInPauses(e *trace.Event, late []time.Duration) {
	method := m.rec.Symbols.Method(e.Method)
	if e.Action == trace.Exit && method.Flags&trace.Native != 0 && !method.Waits() && m.late != nil {
		for i := range late {
			if late[i] > m.late[i] {
				m.inPauses[i]++
			}
		}
	}
	m.late = append(m.late[:0], late...)
}

// End implements [sampler.Follower].
func (m *mainTruth) End(id trace.ThreadID, at time.Duration, late []time.Duration) {
	if id == 0 {
		m.truthSum.End(id, at, late)
	}
}

// recording is one recording's profile with its truth.
type recording struct {
	p          *estimate.Profile
	period     time.Duration // mean time from sample to sample
	symbols    *trace.Symbols
	own        []time.Duration // true self times by method, including the pauses of the sampler
	collected  time.Duration
	nativeEnds int64 // pauses in which native code of the main thread ended
	periodic   bool
}

// add adds a recording.
func (u *Unseen) add(r *recording) {
	u.Recordings++
	if r.p.Period == 0 {
		return // too short for any claim
	}
	u.Periods.Shown++
	if off := r.p.Period - r.period; off.Abs() <= r.period/8 {
		u.Periods.Correct++
	}
	rows, aliased := r.rows(), false
	for i := range rows {
		m := &rows[i]
		own, truth := m.Exclusive.Wall, r.own[m.ID]
		t := u.errors[m.ID]
		if t == nil {
			t = &tally{}
			u.errors[m.ID] = t
		}
		t.values = append(t.values, float64(own.Value-truth))
		if !m.Exclusive.Runs.Enough() {
			continue
		}
		aliased = aliased || m.Exclusive.Cycle != nil
		u.Claims++
		if contains(own, truth) {
			u.Covered++
		}
		t.widths = append(t.widths, float64(own.High-own.Low))
	}
	shown := r.warnings(aliased)
	for name, correct := range shown {
		w := u.Warnings[name]
		w.Shown++
		if correct {
			w.Correct++
		}
		u.Warnings[name] = w
	}
	if len(shown) > 0 {
		u.Explained++
	}
	u.addHottest(r, rows)
}

// rows returns the methods that do not wait by name, the one with the longest self time first.
func (r *recording) rows() (rows []estimate.Method) {
	for m := range r.p.Methods() {
		if !r.symbols.Method(m.ID).Waits() {
			rows = append(rows, m)
		}
	}
	slices.SortStableFunc(rows, func(a, b estimate.Method) int { return int(b.Exclusive.Wall.Value - a.Exclusive.Wall.Value) })
	return rows
}

// addHottest adds the claim about the hottest method.
func (u *Unseen) addHottest(r *recording, rows []estimate.Method) {
	if len(rows) < 2 || rows[0].Exclusive.Wall.Value == 0 {
		return
	}
	var times []estimate.Time
	right := true
	for i := range rows {
		times = append(times, rows[i].Exclusive.Wall)
		right = right && r.own[rows[i].ID] <= r.own[rows[0].ID]
	}
	p, usable := report.Hottest(times)
	u.Hottest = append(u.Hottest, HottestClaim{p, usable, right})
}

// warnings returns the warnings that artifice report prints, and whether each is correct: it states
// at most twice what is true.
func (r *recording) warnings(aliased bool) map[string]bool {
	p, shown := r.p, map[string]bool{}
	if aliased {
		shown["aliased"] = r.periodic
	}
	if p.Silence.Total >= p.Span/100 && p.Silence.Count > 0 {
		shown["no samples"] = p.Silence.Total <= 2*r.collected
	}
	if float64(p.Late.Samples) > 0.05*float64(p.Late.Of) {
		shown["delayed"] = time.Duration(p.Late.Samples)*p.Late.Mean <= 2*r.collected // no sampler here waits for a core, but all wait for collectors
	}
	if p.NativeEnds > 0 {
		shown["native ends"] = p.NativeEnds <= 2*r.nativeEnds
	}
	running, unsampled := time.Duration(0), time.Duration(0)
	seen := map[trace.MethodID]bool{}
	var sampled time.Duration
	for m := range p.Methods() {
		seen[m.ID] = m.Exclusive.Runs.Samples > 0
		if !r.symbols.Method(m.ID).Waits() {
			sampled += m.Exclusive.Wall.Value
		}
	}
	for id, own := range r.own {
		if !r.symbols.Method(trace.MethodID(id)).Waits() {
			running += own
			if !seen[trace.MethodID(id)] {
				unsampled += own
			}
		}
	}
	if p.Unsampled > 0 {
		shown["more CPU time"] = p.Unsampled <= 2*(running-sampled)
	}
	if p.Unseen >= 0.25 {
		share := float64(unsampled) / float64(running)
		shown["never sampled"] = p.Unseen <= 2*share
	}
	return shown
}

// width returns the median relative width over methods with claims in at least half of the
// recordings.
func (u *Unseen) width() float64 {
	var ratios []float64
	for _, t := range u.errors {
		if 2*len(t.widths) < u.Recordings || len(t.values) < 2 {
			continue
		}
		mean, _ := meanAndDeviation(t.widths)
		if _, sd := meanAndDeviation(t.values); sd > 0 {
			ratios = append(ratios, mean/(2*1.96*sd))
		}
	}
	if len(ratios) == 0 {
		return math.NaN()
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}
