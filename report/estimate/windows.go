package estimate

// window is the length of a window, in samples of a thread.
const window = 32

// minWindows is the minimum number of windows: their variance then errs by 22 % (√(2/n)).
const minWindows = 40

// windows counts the samples of a method or context in windows of equal lengths.
//
// The number of samples in a window varies because the method's true time does, and because of
// sampling errors. These are independent of the true time, as the sampler does not depend on the
// app, so their variances add. The variance of the counts, summed over all windows, is therefore an
// upper bound of the variance of the sampling error. It is lower than that by runs if an app spends
// equal times in the method again and again: of calls of nearly one period, nearly all have one
// sample, where the rule by runs assumes many without one.
//
// The bound does not hold if the errors of different windows are equal, as in an aliased app, or if
// the sampler depends on the app: native code that ends in a pause continues at a fixed distance
// from the next sample.
type windows struct {
	at      int64 // the latest window with samples
	n       int64 // samples in it
	sum     float64
	squares float64 // of the earlier ones
}

// add adds the samples from one number up to another.
func (w *windows) add(from, to int64) {
	for from < to {
		at := from / window
		if at != w.at {
			w.squares += float64(w.n) * float64(w.n)
			w.at, w.n = at, 0
		}
		if full := to/window - at - 1; from%window == 0 && full > 0 { // a long run fills windows
			w.squares += float64(full) * window * window
			w.sum += float64(full) * window
			w.at = at + full
			from += full * window
			continue
		}
		n := min(to, (at+1)*window) - from
		w.n += n
		w.sum += float64(n)
		from += n
	}
}

// variance returns the upper bound of the variance of the number of samples, for a thread with a
// number of samples. It returns false if there are too few windows.
func (w *windows) variance(samples int64) (v float64, ok bool) {
	whole := samples / window
	if whole < minWindows {
		return 0, false
	}
	n, sum, squares := float64(whole), w.sum, w.squares
	if w.at < whole {
		squares += float64(w.n) * float64(w.n)
	} else { // the last window is incomplete
		sum -= float64(w.n)
	}
	return max(0, squares-sum*sum/n) * n / (n - 1), true
}

// windowRatio returns the bound of the variance by windows relative to that by runs, for a thread
// with a number of samples. It is at most 1, and 1 if there are too few windows, or none,
// because sums have no times.
func (r *runs) windowRatio(samples int64) float64 {
	v, ok := r.windows.variance(samples)
	if !ok || r.windows.sum == 0 || r.varWall <= 0 || r.samples == 0 {
		return 1
	}
	period := float64(r.wall) / float64(r.samples)
	return min(1, v*period*period/r.varWall)
}
