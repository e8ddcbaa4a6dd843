package reference

import (
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// hottest returns the share of the k truly hottest methods (of all, if fewer have any time) that
// are among the k reported hottest. Methods with equal times share the remaining places.
func hottest(truth, seen map[trace.MethodID]time.Duration, k int) (both float64) {
	positive := 0
	for _, d := range truth {
		if d > 0 {
			positive++
		}
	}
	if k = min(k, positive); k == 0 {
		return 0
	}
	among := func(times map[trace.MethodID]time.Duration, m trace.MethodID) float64 {
		hotter, equal := 0, 0
		for _, d := range times {
			if d > times[m] {
				hotter++
			} else if d == times[m] {
				equal++
			}
		}
		if times[m] <= 0 {
			return 0
		}
		return min(1, max(0, float64(k-hotter)/float64(equal)))
	}
	for m := range truth {
		both += among(truth, m) * among(seen, m)
	}
	return both / float64(k)
}

// fiveInOrder returns 1 if the record contains calls of each of the five methods with the most true
// time (the lower number breaks ties), and orders each pair of them correctly that differs by more
// than a factor of 1.1.
func fiveInOrder(truth, seen map[trace.MethodID]time.Duration, called map[trace.MethodID]int) float64 {
	var five []trace.MethodID
	for m := range truth {
		hotter := 0
		for other, d := range truth {
			if d > truth[m] || d == truth[m] && other < m {
				hotter++
			}
		}
		if truth[m] > 0 && hotter < 5 {
			five = append(five, m)
		}
	}
	for _, a := range five {
		if called[a] == 0 {
			return 0
		}
		for _, b := range five {
			if float64(truth[a]) > 1.1*float64(truth[b]) && seen[a] <= seen[b] {
				return 0
			}
		}
	}
	return 1
}

// kendall returns τ_b of the methods with at least 1 % of the true time: concordant minus
// discordant pairs, divided by the root of the number of pairs that the truth orders times the
// number that the record orders.
func kendall(truth, seen map[trace.MethodID]time.Duration) float64 {
	var methods []trace.MethodID
	total := sum(truth)
	for m, d := range truth {
		if d > 0 && per(d, total) >= 0.01 {
			methods = append(methods, m)
		}
	}
	if len(methods) < 2 {
		return 1
	}
	var score, ordered, orderedSeen float64
	sign := func(a, b time.Duration) float64 { return float64(min(1, max(-1, b-a))) }
	for i, a := range methods {
		for _, b := range methods[:i] {
			t, s := sign(truth[a], truth[b]), sign(seen[a], seen[b])
			score += t * s
			ordered += t * t
			orderedSeen += s * s
		}
	}
	if ordered == 0 || orderedSeen == 0 {
		return 0
	}
	return score / math.Sqrt(ordered*orderedSeen)
}

// farthest returns the largest distance of two distributions of lengths, at the ends of 16 steps
// per doubling (below 32 ns, steps of 1 ns).
func farthest(truth, seen []time.Duration) (most float64) {
	if len(truth) == 0 || len(seen) == 0 {
		return math.Abs(float64(min(1, len(truth)) - min(1, len(seen))))
	}
	steps := func(lengths []time.Duration) (list []int) {
		for _, d := range lengths {
			doublings := 0
			for ; d >= 32; d /= 2 {
				doublings++
			}
			list = append(list, 16*doublings+int(d))
		}
		slices.Sort(list)
		return list
	}
	t, s := steps(truth), steps(seen)
	upTo := func(list []int, step int) float64 {
		n, _ := slices.BinarySearch(list, step+1)
		return float64(n) / float64(len(list))
	}
	for _, step := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(t, s)))) {
		most = max(most, math.Abs(upTo(t, step)-upTo(s, step)))
	}
	return most
}

// moments returns the share of thread time in which the whole stack is correct, and the share of
// frames, true and reported, that are correct.
func moments(truth, seen [][]span, length time.Duration) (stacks, frames float64) {
	var right, all, common, either time.Duration
	for id := range truth {
		t, s := truth[id], seen[id]
		for at := time.Duration(0); at < length; {
			next := length
			if len(t) > 1 {
				next = min(next, t[1].from)
			}
			if len(s) > 1 {
				next = min(next, s[1].from)
			}
			d := max(0, next-at)
			same := shared(t[0].in, s[0].in)
			all += d
			if t[0].in == s[0].in {
				right += d
			}
			common += d * time.Duration(same)
			either += d * time.Duration(t[0].in.depth+s[0].in.depth-same)
			at = max(at, next)
			for len(t) > 1 && t[1].from <= at {
				t = t[1:]
			}
			for len(s) > 1 && s[1].from <= at {
				s = s[1:]
			}
		}
	}
	if either == 0 {
		return per(right, all), 1
	}
	return per(right, all), per(common, either)
}

// shared returns the length of the common prefix of two stacks.
func shared(a, b *context) int {
	for a != b {
		if a.depth >= b.depth {
			a = a.parent
		} else {
			b = b.parent
		}
	}
	return a.depth
}

// Floor returns the expected overlap of n independent random samples with the true shares: 1 − ½ Σ
// E|K − np|/n, with the expectation computed as the sum over all K.
func Floor(shares []float64, n int) float64 {
	if n == 0 {
		return 0
	}
	var off float64
	for _, p := range shares {
		for k := range n + 1 {
			off += math.Abs(float64(k)-float64(n)*p) * binomial(k, n, p)
		}
	}
	return 1 - off/2/float64(n)
}

func binomial(k, n int, p float64) float64 {
	if p >= 1 {
		return float64(k / n)
	}
	log := func(i int) float64 { v, _ := math.Lgamma(float64(i) + 1); return v }
	return math.Exp(log(n) - log(k) - log(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}
