package verify

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"artifice/bench"
	"artifice/research/internal/reference"
	"artifice/trace"
	"artifice/workload"
)

// Verdict compares one value with a witness's.
type Verdict struct {
	Part  string // bench, record, score, law, loop or rerun; "witness": there is nothing to compare with
	What  string // the column, or the tracing method with the counted events
	Case  string // workload, mode, device, interval
	Want  float64
	Got   float64
	First string // first difference, where events were compared; or the part that lacks a witness

	// Of a law: see [bench.Agreement]. Z is NaN everywhere else.
	StdErr, Tolerance, Z float64
}

// sameDigits is the maximum difference of two sums of the same numbers in different orders.
const sameDigits = 1e-9

// OK reports whether the witness agrees.
func (v Verdict) OK() bool {
	switch {
	case v.First != "":
		return false
	case !math.IsNaN(v.Z):
		return bench.Agreement{Z: v.Z}.OK()
	case v.Tolerance > 0:
		return math.Abs(v.Got-v.Want) <= v.Tolerance
	}
	return math.IsNaN(v.Got) && math.IsNaN(v.Want) || math.Abs(v.Got-v.Want) <= sameDigits*math.Max(1e-3, math.Abs(v.Want))
}

// Config selects what to verify. The zero value selects everything, with seed 0.
type Config struct {
	Seed     uint64
	Quick    bool // shorter truths and fewer cells: a tenth of the work
	OneClock bool // samples stop the time of the whole app ([artifice/sampler.Config].OneClock)
}

// Run verifies and passes each verdict to tell. Before each truth it calls progress, unless nil,
// with the name of the truth and the share of the work that is done. The error contains the number
// of verdicts that were not OK. The same seed gives the same verdicts.
func Run(ctx context.Context, cfg Config, progress func(what string, done, of int), tell func(Verdict)) error {
	dir, err := os.MkdirTemp("", "artifice-verify-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	wrong, all := 0, 0
	r := &run{cfg: cfg, dir: dir, known: map[string]bool{}, tell: func(v Verdict) {
		all++
		if !v.OK() {
			wrong++
		}
		tell(v)
	}}
	r.unwitnessed()
	apps := workload.Builtin()
	show := func(what string, done int) {
		if progress != nil {
			progress(what, done, len(workloads)+len(apps))
		}
	}
	for i, w := range workloads {
		show(w.name, i)
		if err := r.verify(ctx, w); err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
	}
	if !cfg.OneClock && !cfg.Quick { // no app in the loop has one clock
		for i, p := range apps {
			show(p.Name+" in the loop", len(workloads)+i)
			if err := r.loops(ctx, p); err != nil {
				return fmt.Errorf("%s in the loop: %w", p.Name, err)
			}
			if err := r.reruns(ctx, p); err != nil {
				return fmt.Errorf("%s, run by each tracer: %w", p.Name, err)
			}
		}
	}
	r.doubts()
	if wrong > 0 {
		return fmt.Errorf("%d of %d values are not what they should be", wrong, all)
	}
	return nil
}

// observed is a truth to verify on, and its length: long enough for thousands of calls, including
// the rarest.
type observed struct {
	name   string
	length time.Duration
	laws   time.Duration // length for the laws, which need many samples
}

var workloads = []observed{
	{"w1-single-call", 600 * time.Millisecond, 2 * time.Second},
	{"w2-periodic", 120 * time.Millisecond, time.Second},
	{"w2-frame-60hz", 300 * time.Millisecond, 2 * time.Second},
	{"w3-on-off", 400 * time.Millisecond, 2 * time.Second},
	{"w4-function-bias", 3 * time.Millisecond, 8 * time.Millisecond}, // a thread buffer holds about 170000 events
	{"w5-zipf-500", 60 * time.Millisecond, time.Second},
	{"w6-random-tree", 150 * time.Millisecond, time.Second},
	{"w7-deep-shallow", 400 * time.Millisecond, time.Second},
	{"w8-threads-8", 80 * time.Millisecond, 500 * time.Millisecond},
	{"w11-messages", 300 * time.Millisecond, time.Second},
	{"w9-rare-bursts", 1500 * time.Millisecond, 2 * time.Second},
	{"collections", 300 * time.Millisecond, time.Second},
}

// collections is an app that collects garbage; none of the built-in apps that the reference
// implementation supports does. It has threads that run, wait for a time or for an instant, and two
// that collect. The last collection ends before a quarter of the truth's length.
const collections = `
name: collections
duration: 1s
methods:
  com.example.A.busy()V: {do: [{self: exp 300us}, {call: com.example.A.inner, prob: 0.5}]}
  com.example.A.inner()V: {do: [{self: exp 100us}]}
  com.example.A.frame()V: {do: [{self: exp 2ms}]}
  android.os.MessageQueue.nativePollOnce()V: {flags: native, wait: io, do: [{until_next: 8ms}]}
  android.opengl.GLES20.glDrawElements()V: {flags: native, do: [{self: exp 700us}]}
  java.lang.Thread.sleep()V: {flags: native, wait: sleep, do: [{self: exp 2ms}]}
  com.example.A.work()V: {do: [{self: exp 400us}]}
  java.lang.Daemons.run()V: {line: 1}
  java.lang.Daemons.await()V: {flags: native, wait: lock, do: [{self: exp 2ms}]}
  java.lang.Daemons.collect()V: {flags: [native, collector], do: [{self: lognormal 2ms 0.4}]}
  java.lang.Daemons.task()V: {do: [{self: exp 50us}]}
  java.lang.Daemons.park()V: {flags: native, wait: lock, do: [{self: 1h}]}
threads:
  - {name: main, do: [{loop: forever, do: [{call: com.example.A.frame}, {call: android.opengl.GLES20.glDrawElements}, {call: android.os.MessageQueue.nativePollOnce}]}]}
  - {name: busy, do: [{loop: forever, do: [{call: com.example.A.busy}]}]}
  - {name: sleeper, do: [{loop: forever, do: [{call: java.lang.Thread.sleep}, {call: com.example.A.work}]}]}
  - {name: HeapTaskDaemon, stack: [java.lang.Daemons.run], do: [{loop: 7, do: [{call: java.lang.Daemons.await}, {call: java.lang.Daemons.collect}]}, {call: java.lang.Daemons.task}, {call: java.lang.Daemons.park}]}
  - {name: collector, stack: [java.lang.Daemons.run], do: [{loop: 5, do: [{call: java.lang.Daemons.await}, {call: java.lang.Daemons.task}, {call: java.lang.Daemons.collect}, {call: java.lang.Daemons.task}]}, {call: java.lang.Daemons.park}]}
`

// run is one verification.
type run struct {
	cfg  Config
	dir  string // of files
	tell func(Verdict)

	known    map[string]bool // keys of measures that a witness has
	doubtful []Verdict       // of measures that had no witness when compared
}

func (r *run) verify(ctx context.Context, w observed) error {
	if r.cfg.Quick {
		w.length = max(w.length/4, 3*time.Millisecond)
	}
	truth, err := r.referenceTruth(w)
	if err != nil {
		return err
	}
	for _, part := range []func(context.Context, observed, *reference.Truth) error{r.tables, r.recordings} {
		if err := part(ctx, w, truth); err != nil {
			return err
		}
	}
	if r.cfg.Quick {
		return nil
	}
	return r.laws(ctx, w)
}

// truth opens a workload.
func (r *run) truth(w observed) (*trace.Recording, error) {
	p, err := workload.ByName(w.name)
	if err != nil {
		if p, err = workload.ReadYAML(strings.NewReader(collections), w.name); err != nil {
			return nil, err
		}
	}
	return p.Truth(workload.Config{Seed: r.cfg.Seed, Duration: w.length})
}

// referenceTruth opens a workload for the reference implementation. It returns an error for
// workloads that the implementation does not support.
func (r *run) referenceTruth(w observed) (*reference.Truth, error) {
	rec, err := r.truth(w)
	if err != nil {
		return nil, err
	}
	var events trace.Buffer
	if _, err := trace.Copy(&events, rec.Events); err != nil {
		return nil, err
	}
	for _, m := range rec.Symbols.Methods {
		if m.Flags&(trace.RuntimeInternal|trace.Inlined) != 0 {
			return nil, fmt.Errorf("%s has flags that the reference implementation does not support", m.FullName())
		}
	}
	for _, t := range rec.Symbols.Threads {
		if t.Start != 0 || t.End != 0 {
			return nil, fmt.Errorf("thread %s starts or ends, which the reference implementation does not support", t)
		}
	}
	return reference.NewTruth(rec.Symbols, events.Events, rec.Info.Elapsed), nil
}
