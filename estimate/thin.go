package estimate

// thinnings are the factors by which a trace is thinned: of every so many samples
// one is kept.
var thinnings = [...]int64{2, 3, 4, 6, 8}

// Note: how the number of calls falls with thinning was followed back to interval 0,
// which is where all would be seen, by the form (1−e^−x)/x of calls and gaps of
// exponential length, wherever five thinnings agreed with it. The intervals held for
// w3-on-off, which is of that kind, and never for w5-zipf-50 sampled every 200 us on
// device A (129 estimated, 2691 true) and w6-random-tree every ms (5556, 13012):
// calls that follow each other within a sample leave no trace in any thinning. So
// there is no estimate; what is reported is a lower bound.

// thinned counts the runs of one context or method that there would be if fewer
// samples had been taken: all offsets of a thinning by k together have as many as
// there are samples that show it while the k-th before does not.
type thinned struct {
	runs    uint32
	starts  [len(thinnings)]uint32 // over all offsets
	history uint8                  // bit j: the sample j+1 before the last end shows the context
}

// run adds a run of so many samples, so many samples behind the last one.
func (t *thinned) run(gap, samples int64) {
	t.runs++
	if gap >= 8 {
		t.history = 0
	} else {
		t.history <<= gap
	}
	for i, k := range thinnings {
		for back := k - 1; back >= 0 && back >= k-samples; back-- {
			if t.history>>back&1 == 0 {
				t.starts[i]++
			}
		}
	}
	if samples >= 8 {
		t.history = 0xff
	} else {
		t.history = t.history<<samples | (1<<samples - 1)
	}
}

// add adds what another context has.
func (t *thinned) add(o *thinned) {
	t.runs += o.runs
	for i := range t.starts {
		t.starts[i] += o.starts[i]
	}
}
