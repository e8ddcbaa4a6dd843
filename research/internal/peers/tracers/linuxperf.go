package tracers

import (
	"time"

	"artifice/research/internal/peers/seen"
)

// linuxPerf writes a trace as Perfetto's traced_perf does with the data source linux.perf: a sample
// for each half millisecond of CPU time, 2000 a second, on the clock MONOTONIC. Frames have
// numbers, which are defined with the first sample that uses them.
func linuxPerf(t *seen.Trace) ([]File, *seen.Trace) {
	const pid, each, ahead = 4096, 500 * time.Microsecond, 7 * time.Second // BOOTTIME of MONOTONIC
	samples := sampled(t)
	var b []byte
	add := func(fields ...any) { b = append(b, message(1, message(append(fields, 3, 1000)...))...) }
	add(6, message(1, message(1, 6, 2, int64(boot)), 1, message(1, 3, 2, int64(boot-ahead))))
	for tid, name := range t.Threads {
		add(2, message(2, message(1, tid, 2, name, 3, pid)))
	}
	add(10, 9, 13, 1, 59, message(58, 3, 12, message(1, message(2, int(time.Second/each), 4, 1, 11, 2))),
		12, message(17, message(1, 1, 2, "data"), 17, message(1, 2, 2, "base.odex"), 19, message(1, 1, 7, 1, 7, 2)))
	frames, stacks := map[string]int{}, map[string]int{}
	for _, s := range samples {
		var news, stack []byte
		key := ""
		for _, f := range s.frames {
			if frames[f] == 0 {
				frames[f] = len(frames) + 1
				news = append(news, message(5, message(1, frames[f], 2, f), 6, message(1, frames[f], 2, frames[f], 3, 1, 4, frames[f]))...)
			}
			stack = append(stack, message(2, frames[f])...)
			key += f + "\n"
		}
		if stacks[key] == 0 {
			stacks[key] = len(stacks) + 1
			news = append(news, message(7, append(message(1, stacks[key]), stack...))...)
		}
		sample := []any{10, 9, 13, 2, 8, int64(boot - ahead + s.at), 66, message(1, 0, 2, pid, 3, s.thread, 4, stacks[key], 5, 2)}
		if news != nil {
			sample = append(sample, 12, news)
		}
		add(sample...)
	}
	held := Running(ofCPU(samples, each), each, jitter)
	held.Threads = t.Threads
	held.Start = boot + samples[0].at
	return []File{{"trace.perfetto-trace", b}}, held
}
