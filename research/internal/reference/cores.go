package reference

import "time"

// waitForCores computes how long each stop waits for a core, one stop after the other. The threads
// live to their ends with the earlier stops and without the later ones; the stop then begins when
// the first of them begins to wait or ends, but not before it is due. The wait has a maximum, and
// there is none if no thread runs when the stop is due.
func (t *Truth) waitForCores(s *stops, c *Sampler) {
	s.cores = []time.Duration{}
	for k := 0; ; k++ {
		s.holds = nil
		lives := t.lives(s, c.OneClock, !c.Dumps)
		due, end := s.due(k), time.Duration(0)
		for _, l := range lives {
			end = max(end, l.end)
		}
		if due > end {
			break
		}
		wait := time.Duration(0)
		if c.Draw() < c.NoCore {
			wait = t.untilWait(lives, due, c.NoCoreMost)
		}
		s.cores = append(s.cores, wait)
	}
	s.holds, s.known = nil, true
}

// due returns when the k-th stop begins if it waits for no core; the stop before it is known.
func (s *stops) due(k int) time.Duration {
	for len(s.app) <= k {
		s.app = append(s.app, s.next())
	}
	if k == 0 {
		return s.app[0]
	}
	return s.when(k-1) + s.lasts + s.app[k] - s.app[k-1]
}

// untilWait returns the time from due until a thread begins to wait or ends, at most most.
func (t *Truth) untilWait(lives []*life, due, most time.Duration) time.Duration {
	wait, running := most, false
	for _, l := range lives {
		runs := false // it waits for its first event
		for i, wall := range l.wall {
			before := runs
			runs = l.runs[i]
			if before && !runs && wall >= due {
				wait = min(wait, wall-due)
			}
			ends := l.end + 1
			if i+1 < len(l.wall) {
				ends = l.wall[i+1]
			} else if runs && ends >= due {
				wait = min(wait, ends-due)
			}
			running = running || runs && wall <= due && due < ends
		}
	}
	if !running {
		return 0
	}
	return wait
}
