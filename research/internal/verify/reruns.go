package verify

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"artifice/bench"
	"artifice/internal/recorder"
	"artifice/research/internal/reference"
	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
	"artifice/workload"
)

// reruns compares the cells of a sweep in which each tracer has a run of its own: sweeps of apps
// with threads that share cores or wait for each other ([bench.Config].Live). The witness is a
// recording by record of the same run, continued beyond its end. The progress of each thread is
// taken from the events of both runs; the measures are the reference implementation's.
func (r *run) reruns(ctx context.Context, p *workload.Program) error {
	if !p.Interacts() {
		return nil
	}
	untraced, err := p.Truth(workload.Config{Seed: r.cfg.Seed, Duration: loopLength})
	if err != nil {
		return err
	}
	var events trace.Buffer
	if _, err := trace.Copy(&events, untraced.Events); err != nil {
		return err
	}
	truth := reference.NewTruth(untraced.Symbols, ofApp(untraced.Symbols, events.Events), loopLength)
	again, err := p.Truth(workload.Config{Seed: r.cfg.Seed, Duration: loopLength})
	if err != nil {
		return err
	}
	phone := testDevices()[2]
	phone.Instrumented.Compiled = 0
	result, err := bench.Run(ctx, again, bench.Config{
		Live: p.Runs(r.cfg.Seed), Seed: r.cfg.Seed, Phases: 2, CPU: true, Devices: []device.Device{phone},
		Modes: []bench.Mode{bench.ARTSampling, bench.InstrumentedDual}, Intervals: []time.Duration{sampleEvery},
	})
	if err != nil {
		return err
	}
	for _, cell := range result.Cells {
		o := tracer.Options{Device: phone, Interval: cell.Interval, Seed: (&observedCell{rowSeed: r.cfg.Seed, index: cell.Index}).seed(), Compared: true, Profile: true}
		name, within := "instrument", 1e-5 // the last call ends with its event cost
		if cell.Interval > 0 {
			name, o.Phase, within = "sample", cell.Phase, 2*cell.Scores[bench.Period]/loopLength.Seconds() // the record of a thread ends at a sample
		}
		want, err := r.rerun(p, name, &o, truth, events.Events)
		if err != nil {
			return err
		}
		for _, m := range bench.Measures() {
			if v, ok := want[m.Key()]; ok {
				r.tell(Verdict{Part: "rerun", What: m.Key(), Case: fmt.Sprintf("%s, %s, phase %d", p.Name, cell.Mode, cell.Index+1), Want: v, Got: cell.Scores[m], Tolerance: within, Z: math.NaN()})
			}
		}
	}
	return nil
}

// happenedEvents keeps the events of an app in the order in which they occur.
type happenedEvents []trace.Event

// Observe implements [recorder.Observer].
func (h *happenedEvents) Observe(events []trace.Event) { *h = append(*h, events...) }

// rerun returns the measures of a tracer of an app that runs until each thread has had all its
// events of a truth. untraced contains all events of that truth, including waits for a core.
func (r *run) rerun(p *workload.Program, name string, o *tracer.Options, truth *reference.Truth, untraced []trace.Event) (map[string]float64, error) {
	app, err := p.Runs(r.cfg.Seed)(0, 4*loopLength)
	if err != nil {
		return nil, err
	}
	var happened happenedEvents
	app.Events = recorder.Tap(app.Events, &happened)
	way, err := tracer.ByName(name)
	if err != nil {
		return nil, err
	}
	rec, err := way.Record(app, o)
	if err != nil {
		return nil, err
	}
	var recorded trace.Buffer
	if _, err := trace.Copy(&recorded, rec.Events); err != nil {
		return nil, err
	}
	had, last := countEvents(truth.Events, math.MaxInt64, nil)
	_, lastAgain := countEvents(ofApp(app.Symbols, happened), math.MaxInt64, had)
	end := lastAgain + truth.Length - last
	own := &reference.Record{AllCalls: name == "instrument", Delay: end - truth.Length, Tails: make([]reference.Tail, len(truth.Symbols.Threads))}
	for _, e := range recorded.Events {
		if e.Wall <= end {
			own.Events = append(own.Events, reference.Event{Event: e, App: e.Wall})
		}
	}
	for id := range own.Tails {
		of := slices.DeleteFunc(slices.Clone(own.Events), func(e reference.Event) bool { return int(e.Thread) != id })
		if len(of) > 0 {
			own.Tails[id] = reference.Tail{Begin: of[0].Wall, BeginCPU: of[0].CPU, End: end, EndCPU: of[len(of)-1].CPU}
		}
	}
	all := truth.Measures(own)
	want := map[string]float64{}
	for _, key := range []string{"slowdown", "wall_correct", "edges_correct", "paths_correct", "hot_edge_coverage", "methods_seen_1pct_wall", "methods_seen_1pct_cpu", "top10"} {
		want[key] = all[key]
	}
	if name == "instrument" && len(truth.Events) == len(untraced) { // otherwise neither records the CPU time of a thread at the end
		want["cpu_correct"] = all["cpu_correct"]
	}
	if name == "instrument" {
		want["kendall_tau_b"], want["hottest_in_order"], want["methods_seen"] = all["kendall_tau_b"], all["hottest_in_order"], all["methods_seen"]
	}
	beyond := map[trace.ThreadID]int{}
	for id, n := range had {
		beyond[id] = n + 1 // never reached: all waits for a core after its last event
	}
	tail := ran(truth.Symbols, untraced, beyond) - ran(truth.Symbols, untraced, had) + tailsRan(truth.Symbols, untraced, truth.Length)
	want["cpu_overhead"] = float64(ran(app.Symbols, happened, had)+tail)/float64(ran(truth.Symbols, untraced, had)+tail) - 1
	return want, nil
}

// ofApp returns the events without those of the runtime's methods: waits for a core, which no
// tracer records.
func ofApp(symbols *trace.Symbols, events []trace.Event) []trace.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e trace.Event) bool { return symbols.IsRuntime(e.Method) })
}

// countEvents counts the events of each thread, up to a time and at most the number in most, and
// returns the time of the last one.
func countEvents(events []trace.Event, until time.Duration, most map[trace.ThreadID]int) (had map[trace.ThreadID]int, last time.Duration) {
	had = map[trace.ThreadID]int{}
	for _, e := range events {
		if e.Wall <= until && (most == nil || had[e.Thread] < most[e.Thread]) {
			had[e.Thread]++
			last = e.Wall
		}
	}
	return had, last
}

// ran returns the CPU time that each thread uses up to its n-th event, summed over threads. In
// methods that wait, only the CPU time used there counts.
func ran(symbols *trace.Symbols, events []trace.Event, until map[trace.ThreadID]int) (sum time.Duration) {
	for id, n := range until {
		var stack []trace.MethodID
		var before trace.Event
		for _, e := range events {
			if e.Thread != id || n == 0 {
				continue
			}
			if len(stack) > 0 && symbols.Methods[stack[len(stack)-1]].Wait == trace.Running {
				sum += e.Wall - before.Wall
			} else {
				sum += min(e.Wall-before.Wall, e.CPU-before.CPU)
			}
			if e.Action == trace.Enter {
				stack = append(stack, e.Method)
			} else {
				stack = stack[:len(stack)-1]
			}
			if before = e; !symbols.IsRuntime(e.Method) {
				n--
			}
		}
	}
	return sum
}

// tailsRan returns the time that the threads of a run of the given length run after their last
// events.
func tailsRan(symbols *trace.Symbols, events []trace.Event, length time.Duration) (sum time.Duration) {
	stacks, last := map[trace.ThreadID][]trace.MethodID{}, map[trace.ThreadID]time.Duration{}
	for _, e := range events {
		stack := stacks[e.Thread]
		if e.Action == trace.Enter {
			stack = append(stack, e.Method)
		} else {
			stack = stack[:len(stack)-1]
		}
		stacks[e.Thread], last[e.Thread] = stack, e.Wall
	}
	for id, stack := range stacks {
		if len(stack) > 0 && symbols.Methods[stack[len(stack)-1]].Wait == trace.Running {
			sum += length - last[id]
		}
	}
	return sum
}
