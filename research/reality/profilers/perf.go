package profilers

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// perfSample is a sample in the output of perf script. Package format/internal/perf is not used
// here because its times are relative to its own zero.
type perfSample struct {
	pid, tid int64
	at       time.Duration // by CLOCK_MONOTONIC
	frames   []string      // all, innermost first
}

// perfSamples reads the output of perf script.
func perfSamples(name string) (all []perfSample, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '\t' || line[0] == ' ':
			if words := strings.Fields(line); len(words) > 1 && len(all) > 0 {
				s := &all[len(all)-1]
				s.frames = append(s.frames, words[1])
			}
		default:
			s, err := perfHead(line)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, number, err)
			}
			all = append(all, s)
		}
	}
	return all, lines.Err()
}

// perfHead reads "logged 3309/3310   1736.903370955:    1003009 cpu-clock:".
func perfHead(line string) (s perfSample, err error) {
	words := strings.Fields(line)
	if len(words) < 3 {
		return s, fmt.Errorf("%.40q is no head of a sample", line)
	}
	if _, err = fmt.Sscanf(words[1], "%d/%d", &s.pid, &s.tid); err != nil {
		return s, fmt.Errorf("%.40q has no process and thread", line)
	}
	whole, part, _ := strings.Cut(strings.TrimSuffix(words[2], ":"), ".")
	sec, err1 := strconv.ParseInt(whole, 10, 32)
	ns, err2 := strconv.ParseInt(part, 10, 32)
	if err1 != nil || err2 != nil || len(part) != 9 {
		return s, fmt.Errorf("%.40q has no time in ns", line)
	}
	s.at = time.Duration(sec)*time.Second + time.Duration(ns)
	return s, nil
}

// ofPerf compares the process and the times of the samples with the log's.
func ofPerf(r *run, t *truth) error {
	samples, err := perfSamples(r.profile)
	if err != nil {
		return err
	}
	for _, s := range samples {
		if s.pid != int64(t.pid) {
			return otherRun("it has process %d, and the log %d", s.pid, t.pid)
		}
		if s.at < t.monotonic-slack || s.at > t.monotonic+t.length+slack {
			return otherRun("it has a sample %s after its begin", s.at-t.monotonic)
		}
	}
	return nil
}

// deepest is perf's maximum number of frames.
const deepest = 127

// right counts the samples of the program's threads with the correct stack: its methods of the
// program are those in the log at that instant, or the innermost part of them if perf truncated the
// stack. Between two clock readings of the log, about 30 ns apart, either stack is correct.
func right(samples []perfSample, t *truth) (n, of int) {
	stacks := map[int64]*stackAt{}
	slices.SortStableFunc(samples, func(a, b perfSample) int { return int(a.at - b.at) })
	for _, s := range samples {
		at, known := stacks[s.tid]
		if !known {
			at = t.stacks(s.tid)
			stacks[s.tid] = at
		}
		if at == nil {
			continue
		}
		want := at.at(s.at - t.monotonic)
		if len(want) == 0 {
			continue // before the first method, or after the last
		}
		of++
		var have []string
		for _, f := range slices.Backward(s.frames) {
			if t.has(f) {
				have = append(have, f)
			}
		}
		if len(s.frames) >= deepest {
			want = want[max(0, len(want)-len(have)):]
		}
		if slices.Equal(have, want) {
			n++
		}
	}
	return n, of
}

// has reports whether the program has a method with that name.
func (t *truth) has(name string) bool {
	for i := range t.symbols.Methods {
		if t.symbols.Methods[i].Name == name {
			return true
		}
	}
	return false
}
