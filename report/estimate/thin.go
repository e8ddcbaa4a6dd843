package estimate

// thinnings are the factors by which a trace is thinned: of every so many samples
// one is kept.
var thinnings = [...]int64{2, 3, 4, 6, 8}

// thinned counts the runs of one context or method that there would be if fewer
// samples had been taken: all offsets of a thinning by k together have as many as
// there are samples that show it while the k-th before does not.
type thinned struct {
	runs    uint32
	starts  [len(thinnings)]uint32 // over all offsets
	history uint8                  // bit j: the sample j+1 before the last end shows the context
}

// run adds a run of so many samples, so many samples after the last one.
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

// begins is how many runs there are, and of every 2nd, 3rd and 4th sample.
func (t *thinned) begins() [4]float64 {
	return [4]float64{float64(t.runs), float64(t.starts[0]) / 2, float64(t.starts[1]) / 3, float64(t.starts[2]) / 4}
}
