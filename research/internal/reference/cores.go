package reference

import "time"

// waitForCores finds out how long each stop waits for a core, one after the other: with those before it and none after, the
// threads live to their ends, and it comes when the first of them begins to wait, or ends, at the time at
// which it is due or later. It is not later than that by more than a given time, and waits for nothing where no thread
// runs when it is due.
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

// due returns when the k-th stop comes that waits for nothing, if the one before it is known.
func (s *stops) due(k int) time.Duration {
	for len(s.app) <= k {
		s.app = append(s.app, s.next())
	}
	if k == 0 {
		return s.app[0]
	}
	return s.when(k-1) + s.lasts + s.app[k] - s.app[k-1]
}

// untilWait returns how long it takes from a time on until a thread begins to wait or ends, at the most so long.
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
