package sampler

import (
	"time"

	"artifice/lateness"
)

// Ruled is by what the waits of a recorded truth end.
type Ruled = lateness.Ruled

// recordedWait returns how a thread's wait ends that begins at an app time, between the event before p.place
// and its next one, and when.
func (p *pass) recordedWait(from time.Duration) (lateness.Wait, time.Duration) {
	next := successor{wall: never}
	if p.place > 0 && p.place <= len(p.feed.now.after) {
		next = p.feed.now.after[p.place-1]
	}
	if from == never || next.wall < from+lateness.LeastWait {
		return lateness.Wait{}, 0
	}
	switch p.samplers[0].cfg.Waits {
	case WaitsAbsorb:
		return lateness.Wait{Period: 1, AtOnce: true}, next.wall
	case WaitsByRule:
		if next.wall < never {
			return p.recorded.Rule(next.event, from, next.wall), next.wall
		}
	}
	return lateness.Wait{}, 0
}
