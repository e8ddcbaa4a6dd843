package law

import (
	"fmt"
	"math"
	"testing"
	"time"

	"artifice/diffstack"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/sampler"
	"artifice/trace"
	"artifice/trace/calltree"
)

// reportedCalls counts the calls that a sampler reports, as a total and by context.
type reportedCalls struct {
	n         int64
	contexts  *calltree.Contexts
	byContext []int64
}

func newReportedCalls(contexts *calltree.Contexts) *reportedCalls {
	return &reportedCalls{contexts: contexts}
}

// Sample implements [sampler.Observer].
func (r *reportedCalls) Sample(l *sampler.Sample) {
	at := r.contexts.AddRoot(l.Thread)
	for depth, m := range l.Stack {
		at = r.contexts.Child(at, m)
		if depth >= l.Same {
			if n := int(at) + 1 - len(r.byContext); n > 0 {
				r.byContext = append(r.byContext, make([]int64, n)...)
			}
			r.byContext[at]++
			r.n++
		}
	}
}

// Ended implements [sampler.Observer].
func (r *reportedCalls) Ended(*sampler.Sample) {}

// sampleAt runs samplers of one interval without cost, one for each phase, and identifies frames by
// identity.
func sampleAt(t *testing.T, rec *trace.Recording, events []trace.Event, interval time.Duration, phases []time.Duration, identity diffstack.Identity) []*reportedCalls {
	t.Helper()
	truth := *rec
	truth.Events = trace.NewSliceReader(events)
	var samplers []*sampler.Sampler
	var reported []*reportedCalls
	contexts := &calltree.Contexts{}
	for _, phase := range phases {
		s, err := sampler.New(&truth, sampler.Config{Interval: interval, Phase: phase, Identity: identity}, trace.Discard)
		if err != nil {
			t.Fatal(err)
		}
		calls := newReportedCalls(contexts)
		s.SetObserver(calls)
		samplers, reported = append(samplers, s), append(reported, calls)
	}
	if err := sampler.Run(&truth, samplers...); err != nil {
		t.Fatal(err)
	}
	return reported
}

// lawOf returns the call-count law of a recorded truth, and that of each context. Frames that are
// open after a thread's last event end at the stop of the recording.
func lawOf(rec *trace.Recording, events []trace.Event, contexts *calltree.Contexts, interval time.Duration) (*callCount, *eachContext[*callCount]) {
	all, each := newCallCount(interval), newEachContext(func() *callCount { return newCallCount(interval) })
	activations := newActivations(contexts, all, each)
	activations.WriteEvents(events)
	for id := range activations.threads {
		activations.end(trace.ThreadID(id), rec.Stop(events[len(events)-1].Wall)) // threads that ended earlier have no open frames
	}
	activations.close()
	return all, each
}

// TestCallCountLaw compares the sampler with the exact law on every thread of a real trace. The
// reported calls of every calling context, summed over the phases j + ½ µs, equal L − Λ(T) in
// microseconds.
func TestCallCountLaw(t *testing.T) {
	testdata.Seldom(t, 3)
	rec, events := tracetest.RealEvents(t, "instrumented-art-file.trace")
	intervals := []time.Duration{1000 * us}
	if !testing.Short() {
		intervals = testdata.Some(t, []time.Duration{500 * us, 1000 * us, 5000 * us}[:testdata.Times(2, 3)], 1) // the last interval takes ten times as long as the others
	}
	for _, interval := range intervals {
		contexts := &calltree.Contexts{}
		law, each := lawOf(rec, events, contexts, interval)
		sums := map[string]int64{}
		var total int64
		for from := us / 2; from < interval; from += 250 * us {
			var phases []time.Duration
			for phase := from; phase < min(interval, from+250*us); phase += us {
				phases = append(phases, phase)
			}
			for _, r := range sampleAt(t, rec, events, interval, phases, diffstack.ByMethod) {
				total += r.n
				for context, calls := range r.byContext {
					if calls > 0 {
						sums[name(r.contexts, calltree.Node(context))] += calls
					}
				}
			}
		}
		wrong := 0
		for p := calltree.Node(1); int(p) < contexts.Len(); p++ {
			key := name(contexts, p)
			if time.Duration(sums[key])*us != each.Law(p).starts(0) {
				wrong++
			}
			delete(sums, key)
		}
		if wrong > 0 || len(sums) > 0 {
			t.Errorf("interval %v: %d of %d contexts differ from the law, %d have no law", interval, wrong, contexts.Len(), len(sums))
		}
		if want := law.Reported(0); math.Abs(float64(total)/float64(interval/us)-want) > 1e-9*want {
			t.Errorf("interval %v: %v calls a phase, want %v by the law", interval, float64(total)/float64(interval/us), want)
		}
		if total == 0 {
			t.Errorf("interval %v: no calls", interval)
		}
	}
}

// name formats a context with its thread.
func name(contexts *calltree.Contexts, p calltree.Node) string {
	return fmt.Sprint(contexts.Thread(p), spell(contexts, p))
}

// TestCallCountLawWith24Phases checks that the total with few phases is within 4 standard errors,
// estimated from the phases as if they were independent.
func TestCallCountLawWith24Phases(t *testing.T) {
	rec, events := tracetest.RealEvents(t, "instrumented-art-file.trace")
	for _, interval := range []time.Duration{500 * us, 1000 * us, 5000 * us} {
		var phases []time.Duration
		for i := range 24 { // the middle of each 24th of the interval
			phases = append(phases, time.Duration((float64(i)+0.5)*float64(interval)/24))
		}
		calls := &sampled{}
		for _, r := range sampleAt(t, rec, events, interval, phases, diffstack.ByMethod) {
			calls.add(float64(r.n))
		}
		law, _ := lawOf(rec, events, &calltree.Contexts{}, interval)
		if e := Stratified(calls.values); math.Abs(ZScore(e, law.Reported(0))) > MaxZ {
			t.Errorf("interval %v: %v ± %v calls, want %v by the law", interval, e.Value, e.StdErr, law.Reported(0))
		}
	}
}

// sited assigns each call of a truth one of three call sites, and marks every fifth method as
// internal to ART.
func sited(rec *trace.Recording, events []trace.Event) {
	for i := range events {
		if events[i].Action == trace.Enter {
			events[i].Site = trace.Site(1 + i*7/10%3)
		}
	}
	for i := range rec.Symbols.Methods {
		if i%5 == 0 {
			rec.Symbols.Methods[i].Flags |= trace.RuntimeInternal
		}
	}
}

// TestSiteLaw compares samplers by method and call site with the exact law, on a real trace with
// invented call sites. The reported calls, summed over the phases j + ½ µs, equal the law's L −
// Λ(T) in microseconds, as integers.
func TestSiteLaw(t *testing.T) {
	interval := time.Duration(testdata.Times(100, 400)) * us
	rec, events := tracetest.RealEvents(t, "instrumented-art-file.trace")
	sited(rec, events)
	laws := New([]Sampler{{Interval: interval, Identity: diffstack.BySite}})
	truth := *rec
	truth.Events = trace.NewSliceReader(events)
	if err := laws.Read(&truth); err != nil {
		t.Fatal(err)
	}
	var phases []time.Duration
	for phase := us / 2; phase < interval; phase += us {
		phases = append(phases, phase)
	}
	counts := map[diffstack.Identity]int64{}
	for _, identity := range []diffstack.Identity{diffstack.ByMethod, diffstack.BySite, diffstack.ByCall} {
		for _, r := range sampleAt(t, rec, events, interval, phases, identity) {
			counts[identity] += r.n
		}
	}
	want := laws.Expected(0).CallRatio * float64(laws.calls.calls) * float64(interval/us)
	if got := float64(counts[diffstack.BySite]); math.Abs(got-want) > 1e-9*want {
		t.Errorf("%v calls reported by method and site in all phases, want %v by the law", got, want)
	}
	if m, s, c := counts[diffstack.ByMethod], counts[diffstack.BySite], counts[diffstack.ByCall]; m >= s || s >= c {
		t.Errorf("%d, %d and %d calls reported by method, site and call: want increasing numbers", m, s, c)
	}
}
