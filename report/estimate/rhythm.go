package estimate

import (
	"encoding/binary"
	"math"
	"math/cmplx"
	"slices"
	"sort"
	"time"
)

// begin is the time and the sample number of the first sample of a run.
type begin struct {
	wall   time.Duration
	sample int64
}

// maxBegins is the maximum number of beginnings of a method that are kept with their times. Of
// more, every 2nd, 4th and so on is kept, over the whole trace.
const maxBegins = 1024

// begins is a list of beginnings. There is one for each method on each thread, so it is packed: as
// differences in time and in sample numbers.
type begins struct {
	packed []byte
	n      int // number of beginnings
	last   begin
	stride int64
}

// add adds the n-th beginning.
func (b *begins) add(n int64, at begin) {
	if b.stride == 0 {
		b.stride = 1
	}
	if n%b.stride != 0 {
		return
	}
	if b.n == maxBegins {
		list := b.list()
		*b = begins{packed: b.packed[:0], stride: 2 * b.stride}
		for i := 0; i < len(list); i += 2 {
			b.pack(list[i])
		}
		if n%b.stride != 0 {
			return
		}
	}
	b.pack(at)
}

// pack appends a beginning.
func (b *begins) pack(at begin) {
	b.packed = binary.AppendVarint(b.packed, int64(at.wall-b.last.wall))
	b.packed = binary.AppendVarint(b.packed, at.sample-b.last.sample)
	b.last = at
	b.n++
}

// list returns the beginnings.
func (b *begins) list() []begin {
	list, at := make([]begin, 0, b.n), begin{}
	for rest := b.packed; len(rest) > 0; {
		wall, n := binary.Varint(rest)
		sample, m := binary.Varint(rest[n:])
		rest = rest[n+m:]
		at = begin{at.wall + time.Duration(wall), at.sample + sample}
		list = append(list, at)
	}
	return list
}

// Limits for finding the app's own period in the beginnings.
const (
	minBegins   = 24
	minPeriodic = 0.3 // minimum mean resultant length of their phases: 1 if all are equal, near 0 if they are uniform
	harmonics   = 24
)

// rhythm describes the repetition of a thread relative to the samples.
type rhythm struct {
	cycle float64 // the app's period in ns
	same  float64 // share of the repetitions that have the same error, beyond chance
}

// newRhythm estimates the period of beginnings of runs, and the phases of the thread's samples in
// it. Only samples at which the stack changed are known. It returns nil if there is no period.
// Pauses of samples delay the period of a loop and not that of a clock; newRhythm uses the more
// regular alternative. pause is the pause of a sample.
func newRhythm(s *steps, changes *begins, pause time.Duration) *rhythm {
	lag := s.nearest()
	if s.begins.n < minBegins || lag == 0 || !changes.irregular() {
		return nil
	}
	var best *rhythm
	for _, pause := range []float64{0, float64(pause)} {
		cycle, r := s.begins.period(lag, pause)
		if r < minPeriodic {
			continue
		}
		if same := sameError(changes.instants(pause), cycle); best == nil || same > best.same {
			best = &rhythm{cycle, same}
		}
	}
	return best
}

// irregular reports whether the time between samples varies, as for a sampler that sleeps. The
// phases of exactly periodic samples are not random; [steps.inStep] handles these.
func (b *begins) irregular() bool {
	var off []float64
	list := b.list()
	for i := 1; i < len(list); i++ {
		from, to := list[i-1], list[i]
		if d := to.sample - from.sample; d > 0 {
			off = append(off, float64(to.wall-from.wall)/float64(d))
		}
	}
	if len(off) == 0 {
		return false
	}
	slices.Sort(off)
	quarter := len(off) / 4
	return off[len(off)-1-quarter]-off[quarter] > minSpread*off[len(off)/2]
}

// minSpread is the minimum interquartile range of irregular periods, relative to the median.
const minSpread = 0.002

// instant is the time and the number of a sample, from the first one on.
type instant struct{ at, sample float64 }

// instants returns the beginnings relative to the first one, with pauses subtracted.
func (b *begins) instants(pause float64) []instant {
	list := b.list()
	instants := make([]instant, len(list))
	for i, at := range list {
		samples := float64(at.sample - list[0].sample)
		instants[i] = instant{float64(at.wall-list[0].wall) - pause*samples, samples}
	}
	return instants
}

// period finds a period of about lag samples. For a small lag it also tries shorter periods,
// because a method may not be sampled in every repetition.
func (b *begins) period(lag, pause float64) (period, together float64) {
	instants := b.instants(pause)
	times := make([]float64, len(instants))
	for i, at := range instants {
		times[i] = at.at
	}
	last := instants[len(instants)-1]
	sample := last.at / last.sample
	if !(sample > 0) {
		return 0, 0
	}
	from := max(1.1, lag-0.75)
	period, together = periodOf(times, from*sample, (lag+0.75)*sample)
	if lag < 4 && from > 1.1 && together < 0.5 {
		if shorter, r := periodOf(times, 1.1*sample, from*sample); r > together {
			period, together = shorter, r
		}
	}
	return period, together
}

// sameError returns the share of repetitions with the same error, beyond chance.
//
// If an app repeats itself with the period F, a run that begins at β + iF is first shown by the
// next sample. So its error is a sawtooth function of the phase u of β + iF between two samples, 0
// to 1. The j-th harmonic of the sawtooth has the share 6/(π²j²) of its variance. The variance of
// the sum of N errors is that of N independent ones times
//
//	N Σ_j 6/(π²j²) |φ_j|²,  φ_j = the mean of exp(2πij u)
//
// which is N if the sampler is aliased, and 1 on average if its phase is uniform, because its
// sleeps overshoot at random or because it drifts through the period. The phases are computed for
// every repetition, not only for those with a run: samples between two known ones are interpolated.
func sameError(samples []instant, cycle float64) (share float64) {
	repetitions := int(samples[len(samples)-1].at / cycle)
	var places []float64
	for i := range min(repetitions, maxBegins) {
		if repetitions > maxBegins { // in pseudorandom order, which cannot be aliased with the phases
			i = int(uint64(i) * 0x9e3779b97f4a7c15 >> 16 % uint64(repetitions))
		}
		x := float64(i) * cycle
		k := sort.Search(len(samples)-2, func(k int) bool { return samples[k+1].at > x })
		from, to := samples[k], samples[k+1]
		_, place := math.Modf((x - from.at) / (to.at - from.at) * (to.sample - from.sample))
		places = append(places, place)
	}
	n := float64(len(places))
	for j := 1.; j <= harmonics; j++ {
		var mean complex128
		for _, place := range places {
			mean += cmplx.Rect(1/n, 2*math.Pi*j*place)
		}
		square := real(mean)*real(mean) + imag(mean)*imag(mean)
		share += 6 / (math.Pi * math.Pi * j * j) * max(0, square-noise/n)
	}
	return share
}

// noise is the factor of 1/n that |φ|² exceeds by chance with the probability e⁻³, 5 %.
const noise = 3

// alike returns the number of repetitions with the same error in a number of samples.
func (r *rhythm) alike(samples, period float64) float64 {
	return 1 + samples*period/r.cycle*r.same
}

// periodOf returns the period in a range for which the phases of times agree best: by the
// periodogram of the first times, which has broad peaks, then of more and more times, and finally
// by a linear regression of all.
func periodOf(times []float64, from, to float64) (period, most float64) {
	span := times[len(times)-1]
	horizon := max(times[minBegins/2], 8*to)
	for {
		part := times
		for len(part) > minBegins/2 && part[len(part)-1] > horizon {
			part = part[:len(part)-1]
		}
		most = 0
		for p := from; p <= to; p += p * p / (6 * min(horizon, span)) {
			if r := together(part, p); r > most {
				most, period = r, p
			}
		}
		if horizon >= span {
			return straight(times, period), most
		}
		near := 1.5 * period * period / (6 * horizon)
		from, to = period-near, period+near
		horizon *= 3
	}
}

// together returns the mean resultant length of the phases of times in a period, 0 to 1.
func together(times []float64, period float64) float64 {
	var sum complex128
	for _, t := range times {
		sum += cmplx.Rect(1, 2*math.Pi*t/period)
	}
	return cmplx.Abs(sum) / float64(len(times))
}

// straight returns the slope of the linear regression of times on their period numbers, given an
// approximate period.
func straight(times []float64, period float64) float64 {
	var sum complex128
	for _, t := range times {
		sum += cmplx.Rect(1, 2*math.Pi*t/period)
	}
	place := cmplx.Phase(sum) / (2 * math.Pi) * period
	var n, mi, mt, sii, sit float64
	for pass := range 2 {
		for _, t := range times {
			i := math.Round((t - place) / period)
			if pass == 0 {
				n, mi, mt = n+1, mi+i, mt+t
				continue
			}
			sii += (i - mi/n) * (i - mi/n)
			sit += (i - mi/n) * (t - mt/n)
		}
	}
	if sii == 0 {
		return period
	}
	return sit / sii
}
