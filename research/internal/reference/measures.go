package reference

import (
	"maps"
	"math"
	"time"

	"artifice/trace"
)

// Measures returns the measures of a record by their keys in bench's CSV, as defined in artifice
// help measures and on the page of bench. Measures that the tracer does not have are absent.
func (t *Truth) Measures(r *Record) map[string]float64 {
	truth, seen := t.itself, r.profile(t.contexts)
	ran := (t.Length + r.Delay).Seconds()
	m := map[string]float64{
		"slowdown":                1 + r.Delay.Seconds()/t.Length.Seconds(),
		"reported_calls_per_true": per(seen.reported, truth.reported),
		"events_per_s":            float64(len(r.Events)) / ran,
		"bytes_per_s":             14 * float64(len(r.Events)) / ran, // ART's record with both clocks
		"overflow":                per(r.Lost, r.Kept+r.Lost),
		"duration_ks":             farthest(truth.lengths, seen.lengths),
	}
	trueTimes, trueInclusive := byMethod(truth.self)
	times, inclusive := byMethod(seen.self)
	m["wall_correct"] = overlap(trueTimes, times)
	m["edges_correct"] = overlap(byEdge(truth.self), byEdge(seen.self))
	m["paths_correct"] = overlap(inMethods(truth.self), inMethods(seen.self))
	m["hot_edge_coverage"], m["hot_edge_precision"] = hot(byEdge(truth.self), byEdge(seen.self))
	m["cpu_correct"] = overlap(t.running(truth, !r.NoCPU), t.running(seen, !r.NoCPU))
	m["methods_seen"], m["methods_seen_1pct_wall"] = recalls(truth, seen, trueTimes)
	m["hottest_in_order"] = fiveInOrder(t.running(truth, !r.NoCPU), t.running(seen, !r.NoCPU), seen.calls)
	_, m["methods_seen_1pct_cpu"] = recalls(truth, seen, t.running(truth, true))
	m["self_wmape"], _, m["self_worst"] = errors(trueTimes, times, trueTimes, times)
	m["total_wmape"], m["total_bias"], _ = errors(trueInclusive, inclusive, trueTimes, times)
	if !r.NoCPU {
		trueCPU, trueInclusiveCPU := byMethod(truth.cpu)
		cpu, inclusiveCPU := byMethod(seen.cpu)
		m["self_cpu_wmape"], _, _ = errors(trueCPU, cpu, trueCPU, cpu)
		m["total_cpu_wmape"], m["total_cpu_bias"], _ = errors(trueInclusiveCPU, inclusiveCPU, trueCPU, cpu)
	}
	m["top10"] = hottest(trueTimes, times, 10)
	m["kendall_tau_b"] = kendall(trueTimes, times)
	m["timeline"], m["timeline_by_depth"] = moments(truth.spans, seen.spans, t.Length)
	if r.CPU != unknown {
		m["cpu_time_ratio"] = 1 + per(r.CPU, sum(truth.cpu))
	}
	switch l := r.overhead; {
	case l.known:
		if l.ran > 0 {
			m["cpu_overhead"] = per(l.runs, l.ran) - 1
		}
		if l.waited > 0 {
			m["waiting_ratio"] = per(l.waits, l.waited)
		}
		if l.frames > 0 {
			m["frames_late"], m["frames_late_by_s"] = per(l.late, l.frames), per(l.lateBy.Seconds(), float64(l.late))
		}
	case !r.stops && r.CPU != unknown:
		m["cpu_overhead"] = m["cpu_time_ratio"] - 1
	}
	m["longest_pause_s"] = r.LongestPause.Seconds()
	if r.AllCalls { // every recorded call is seen
		m["calls_seen"], m["merge_factor"] = m["reported_calls_per_true"], per(seen.reported, seen.reported)
		return m
	}
	m["samples"] = float64(r.Samples)
	m["calls_seen"] = per(r.CallsSeen, truth.reported)
	m["merge_factor"] = per(r.CallsSeen, seen.reported)
	if r.Ticks > 1 {
		m["period_s"] = r.Period.Seconds()
	}
	return m
}

// per returns a/b, and 0 if b is 0.
func per[N int | time.Duration | float64](a, b N) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func sum[K comparable](times map[K]time.Duration) (total time.Duration) {
	for _, d := range times {
		total += d
	}
	return total
}

// overlap returns Σ min(true share, reported share).
func overlap[K comparable](truth, seen map[K]time.Duration) (o float64) {
	total, seenTotal := sum(truth), sum(seen)
	for k, d := range truth {
		o += min(per(d, total), per(seen[k], seenTotal))
	}
	return o
}

// recalls returns the recorded share of the methods called, and of those with at least 1 % of the
// time.
func recalls(truth, seen *profile, times map[trace.MethodID]time.Duration) (all, above float64) {
	var called, found, hot, hotFound int
	total := sum(times)
	for m := range truth.calls {
		called++
		if seen.calls[m] > 0 {
			found++
		}
		if times[m] > 0 && float64(times[m]) >= 0.01*float64(total) {
			hot++
			if seen.calls[m] > 0 {
				hotFound++
			}
		}
	}
	return per(found, called), per(hotFound, hot)
}

// hot compares hot edges: those with at least a tenth of the hottest edge's time. It returns the
// share of the truly hot ones that are reported, and the share of those reported as hot that are
// truly hot.
func hot(truth, seen map[edge]time.Duration) (coverage, precision float64) {
	least := func(times map[edge]time.Duration) float64 {
		most := time.Duration(1)
		for _, d := range times {
			most = max(most, d)
		}
		return 0.1 * float64(most)
	}
	from, seenFrom := least(truth), least(seen)
	var hot, covered, looks, right int
	for k := range truth {
		if float64(truth[k]) >= from {
			hot++
			if seen[k] > 0 {
				covered++
			}
		}
	}
	for k := range seen {
		if float64(seen[k]) >= seenFrom {
			looks++
			if float64(truth[k]) >= from {
				right++
			}
		}
	}
	return per(covered, hot), per(right, looks)
}

// errors returns Σ|s − t|/Σt and Σ(s − t)/Σt of the shares s of the self time of all methods and
// their true values t, and the largest |s − t|/t where t is at least 1 %.
func errors(truth, seen, trueSelf, seenSelf map[trace.MethodID]time.Duration) (wmape, bias, worst float64) {
	union := maps.Clone(truth)
	maps.Copy(union, seen)
	run, seenRan := sum(trueSelf), sum(seenSelf)
	var total float64
	for m := range union {
		t, s := per(truth[m], run), per(seen[m], seenRan)
		total += t
		wmape += math.Abs(s - t)
		bias += s - t
		if t >= 0.01 {
			worst = max(worst, math.Abs(s-t)/t)
		}
	}
	if total == 0 {
		return 0, 0, worst
	}
	return wmape / total, bias / total, worst
}
