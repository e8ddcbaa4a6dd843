package sampler

import (
	"math/rand/v2"
	"slices"
	"testing"

	"artifice/diffstack"
	"artifice/trace"

	"github.com/google/go-cmp/cmp"
)

// shownSites returns the call site of each event as a walk reports it. A call from a frame that no
// walk reports has that frame's call site.
func shownSites(events []trace.Event, sym *trace.Symbols) []trace.Site {
	shown := make([]trace.Site, len(events))
	var open []int
	for i, e := range events {
		top := len(open) - 1
		switch {
		case e.Action == trace.Enter:
			shown[i] = e.Site
			for j := top; j >= 0 && sym.Method(events[open[j]].Method).Flags&trace.RuntimeInternal != 0; j-- {
				shown[i] = events[open[j]].Site
			}
			open = append(open, i)
		default:
			open = closeCall(open, events, sym, e)
		}
	}
	return shown
}

// key returns the number by which the reference algorithm compares a call.
func (n *naive) key(id trace.ThreadID, call int) trace.MethodID {
	method := n.events[id][call].Method
	switch n.cfg.Identity {
	case diffstack.BySite:
		return method<<8 | trace.MethodID(n.sites[id][call])
	case diffstack.ByCall:
		return trace.MethodID(call)
	}
	return method
}

// methodOf returns the method of a number from key.
func (n *naive) methodOf(id trace.ThreadID, key trace.MethodID) trace.MethodID {
	switch n.cfg.Identity {
	case diffstack.BySite:
		return key >> 8
	case diffstack.ByCall:
		return n.events[id][key].Method
	}
	return key
}

// TestIdentitiesByHand checks identities of calls. Method twice calls f from two lines, and loop
// calls f twice from one line. Each call is sampled once. By method, both calls are one; by call,
// they are two; by site, the calls of twice are two and those of loop are one.
func TestIdentitiesByHand(t *testing.T) {
	lines := []string{
		"0s main +twice", "0.5ms main +f 1", "1.2ms main -f", "1.4ms main +f 2", "2.5ms main -f", "2.6ms main -twice",
		"2.7ms main +loop", "2.8ms main +f 1", "3.2ms main -f", "3.4ms main +f 1", "4.5ms main -f", "5ms main -loop",
	}
	first := []string{"1ms main +twice@0s", "1ms main +f@0s"}
	second := []string{"2ms main -f@1ms", "2ms main +f@1ms"}
	middle := []string{"3ms main -f@2ms", "3ms main -twice@2ms", "3ms main +loop@2ms", "3ms main +f@2ms"}
	fourth := []string{"4ms main -f@3ms", "4ms main +f@3ms"}
	last := []string{"5ms main -f@4ms", "5ms main -loop@4ms"}
	for _, test := range []struct {
		identity diffstack.Identity
		want     [][]string
	}{
		{diffstack.ByMethod, [][]string{first, middle, last}},
		{diffstack.BySite, [][]string{first, second, middle, last}},
		{diffstack.ByCall, [][]string{first, second, middle, fourth, last}},
	} {
		_, got := sample(t, script(t, trace.Truth, lines...), Config{Identity: test.identity})
		t.Logf("by %s", test.identity)
		expect(t, got, slices.Concat(test.want...)...)
	}
}

// TestSitesThroughRuntimeMethods checks callees of rt, which a walk does not report. They have the
// line where a called rt: both calls of f have line 1, whatever their lines in rt.
func TestSitesThroughRuntimeMethods(t *testing.T) {
	for _, test := range []struct {
		second string // site of the second call of rt
		want   []string
	}{
		{"1", []string{"1ms main +a@0s", "1ms main +f@0s", "3ms main -f@2ms"}},
		{"2", []string{"1ms main +a@0s", "1ms main +f@0s", "2ms main -f@1ms", "2ms main +f@1ms", "3ms main -f@2ms"}},
	} {
		rec := script(t, trace.Truth, "0s main +a", "0.1ms main +rt 1", "0.2ms main +f 3", "1.1ms main -f", "1.2ms main -rt",
			"1.3ms main +rt "+test.second, "1.4ms main +rt 5", "1.5ms main +f 4", "2.1ms main -f", "2.2ms main -rt", "2.3ms main -rt", "3ms main +rt")
		rec.Symbols.Methods[1].Flags = trace.RuntimeInternal
		_, got := sample(t, rec, Config{Identity: diffstack.BySite})
		expect(t, got, test.want...)
	}
}

// callCounter counts calls when they are first sampled.
type callCounter struct{ seen int64 }

func (c *callCounter) Sample(l *Sample) { c.seen += int64(len(l.Stack) - l.Old) }
func (c *callCounter) Ended(*Sample)    {}

// runIdentity samples a truth. It returns the output, the number of reported calls, and the number
// of true calls that were sampled.
func runIdentity(t *testing.T, sym *trace.Symbols, truth []trace.Event, info trace.Info, cfg Config) (out collect, reported, seen int64) {
	t.Helper()
	rec := &trace.Recording{Info: info, Symbols: sym, Events: trace.NewSliceReader(truth)}
	s, err := New(rec, cfg, &out)
	if err != nil {
		t.Fatal(err)
	}
	var counter callCounter
	s.SetObserver(&counter)
	if err := Run(rec, s); err != nil {
		t.Fatal(err)
	}
	for _, e := range out.Events {
		if e.Site != 0 {
			t.Errorf("a written event has site %d, want none", e.Site)
		}
		if e.Action == trace.Enter {
			reported++
		}
	}
	return out, reported, counter.seen
}

// TestFinerIdentitiesReportMoreCalls checks that, with the same samples, a finer identity never
// reports fewer calls. By call, each sampled call is reported. Without sites, BySite equals
// ByMethod.
func TestFinerIdentitiesReportMoreCalls(t *testing.T) {
	var sum [3]int64
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 4))
		sym, truth, info := randomTruth(rng, trace.Technique(1+seed%2), 300)
		cfg := randomConfig(rng)
		var reported [3]int64
		for id := range reported {
			cfg.Identity = diffstack.Identity(id)
			var seen int64
			if _, reported[id], seen = runIdentity(t, sym, truth, info, cfg); reported[id] > seen {
				t.Errorf("seed %d by %s: %d calls reported, %d seen", seed, cfg.Identity, reported[id], seen)
			} else if cfg.Identity == diffstack.ByCall && reported[id] != seen {
				t.Errorf("seed %d by call: %d calls reported, %d seen", seed, reported[id], seen)
			}
			sum[id] += reported[id]
		}
		if !slices.IsSorted(reported[:]) {
			t.Errorf("seed %d: %d calls reported by method, site and call", seed, reported)
		}

		for i := range truth {
			truth[i].Site = 0
		}
		cfg.Identity = diffstack.BySite
		bySite, _, _ := runIdentity(t, sym, truth, info, cfg)
		cfg.Identity = diffstack.ByMethod
		byMethod, _, _ := runIdentity(t, sym, truth, info, cfg)
		if diff := cmp.Diff(byMethod.Events, bySite.Events); diff != "" {
			t.Errorf("seed %d, without sites: events (-by method +by site)\n%s", seed, diff)
		}
	}
	if sum[0] >= sum[1] || sum[1] >= sum[2] {
		t.Errorf("%d calls reported by method, site and call: want increasing numbers", sum)
	}
}
