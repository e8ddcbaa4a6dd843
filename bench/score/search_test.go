package score

import (
	"math/rand/v2"
	"testing"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// TestSearchFrequent checks a method called 1500 times in 3 s, for 0.3 ms each. It is sampled every
// ms, and the sampler's clock is at 90 ms at time 0 of the truth. Three of ten calls are sampled,
// within 0.3 ms after their start. The first 32 calls cover 60 ms of the truth and 200 ms of the
// samples. Ten are in both, which does not suffice.
func TestSearchFrequent(t *testing.T) {
	const length, period, lasts, zero = 3 * time.Second, time.Millisecond, 300 * time.Microsecond, 90 * time.Millisecond
	var contexts calltree.Contexts
	root := contexts.AddRoot(0)
	work := contexts.Child(root, 0)
	known, seen := &starts{most: keptStarts}, &starts{most: keptStarts}
	known.add(&trace.Event{Action: trace.Exit}, root) // an event before all calls
	seen.add(&trace.Event{Action: trace.Exit}, root)
	random := rand.New(rand.NewPCG(1, 2))
	for at := time.Millisecond; at < length; at += lasts + time.Duration(random.Int64N(int64(2*(length/1500-lasts)))) {
		known.add(&trace.Event{Wall: at}, work)
		if sample := (at + period - 1) / period * period; sample < at+lasts {
			seen.add(&trace.Event{Wall: sample + zero}, work)
		}
	}
	r := runLengths{truth: length, observed: length, floating: true}
	offsets := searchOffsets(r, period, 0, known, seen, contexts.Thread)
	if len(offsets) == 0 || (offsets[0]-zero).Abs() > period {
		t.Errorf("the best offsets are %v, want one within %v of %v first", offsets, period, zero)
	}
}
