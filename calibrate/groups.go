package calibrate

import (
	"fmt"
	"io"
	"time"

	"artifice/trace"
)

// maxGroups is how many samples of threads are looked at: enough for any
// estimate, and a bound on memory.
const maxGroups = 1 << 18

// group is what one sample of one thread left in the trace: events with equal
// stamps.
type group struct {
	wall, cpu time.Duration
	thread    trace.ThreadID
	depth     int32 // frames after it
}

// groups gathers groups from events in time order.
type groups struct {
	all     []group
	current []int32 // by thread: index of its last group, plus 1
	depths  []int32
	events  int64
	gaps    gaps
	kind    trace.Groups // tells sampled from instrumented
}

// read reads rec to its end, or until it has seen enough.
func (g *groups) read(rec *trace.Recording) error {
	batch := make([]trace.Event, trace.BatchSize)
	for len(g.all) < maxGroups {
		n, err := rec.Events.ReadEvents(batch)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		g.kind.WriteEvents(batch[:n])
		for _, e := range batch[:n] {
			if int(e.Thread) >= len(rec.Symbols.Threads) {
				return fmt.Errorf("event %d of thread index %d: there are %d threads", g.events, e.Thread, len(rec.Symbols.Threads))
			}
			g.add(e)
		}
	}
	return nil
}

func (g *groups) add(e trace.Event) {
	g.events++
	for int(e.Thread) >= len(g.current) {
		g.current, g.depths = append(g.current, 0), append(g.depths, 0)
	}
	g.gaps.add(e)
	i := g.current[e.Thread]
	if i == 0 || g.all[i-1].wall != e.Wall || g.all[i-1].cpu != e.CPU {
		g.all = append(g.all, group{wall: e.Wall, cpu: e.CPU, thread: e.Thread})
		i = int32(len(g.all))
		g.current[e.Thread] = i
	}
	if e.Action == trace.Enter {
		g.depths[e.Thread]++
	} else if g.depths[e.Thread] > 0 {
		g.depths[e.Thread]--
	}
	g.all[i-1].depth = g.depths[e.Thread]
}

// period is the distance of two samples of a thread, one behind the other.
type period struct{ wall, cpu time.Duration }

// periods returns the single-period intervals of the busiest thread, the one
// with most groups: its gaps under 1.5 times their 5 % quantile.
func (g *groups) periods() (trace.ThreadID, []period) {
	count := make([]int, len(g.current))
	busiest := 0
	for i := range g.all {
		id := int(g.all[i].thread)
		if count[id]++; count[id] > count[busiest] {
			busiest = id
		}
	}
	var all []period
	var walls []time.Duration
	var last *group
	for i := range g.all {
		at := &g.all[i]
		if int(at.thread) != busiest {
			continue
		}
		if last != nil {
			p := period{at.wall - last.wall, at.cpu - last.cpu}
			all, walls = append(all, p), append(walls, p.wall)
		}
		last = at
	}
	limit := 1.5 * float64(quantile(sorted(walls), 0.05).Value)
	single := all[:0]
	for _, p := range all {
		if float64(p.wall) < limit {
			single = append(single, p)
		}
	}
	return trace.ThreadID(busiest), single
}
