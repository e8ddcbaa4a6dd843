package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"artifice/calltree"
	"artifice/trace"
)

// burstCounts are how often each context and each edge from one method to another is called: always, and in
// bursts, whose first stack is known.
type burstCounts struct {
	contexts, burst      map[calltree.Node]float64
	edges, burstEdges    map[[2]trace.MethodID]float64
	calls, callsInBursts float64
}

// burstLength of every burstEvery is watched.
const (
	burstLength = time.Millisecond
	burstEvery  = 10 * time.Millisecond
)

// countBursts counts the calls of the recorded trace.
func countBursts() (*burstCounts, error) {
	truth, err := recorded()
	if err != nil {
		return nil, err
	}
	defer truth.Close()
	b := &burstCounts{map[calltree.Node]float64{}, map[calltree.Node]float64{}, map[[2]trace.MethodID]float64{}, map[[2]trace.MethodID]float64{}, 0, 0}
	var contexts calltree.Contexts
	var at []calltree.Node
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := truth.Events.ReadEvents(batch)
		if n == 0 && err == io.EOF {
			return b, nil
		}
		if n == 0 {
			return nil, err
		}
		for i := range batch[:n] {
			e := &batch[i]
			for int(e.Thread) >= len(at) {
				at = append(at, contexts.AddRoot(trace.ThreadID(len(at))))
			}
			from := at[e.Thread]
			at[e.Thread], _ = contexts.Apply(from, e)
			if e.Action == trace.Enter {
				edge := [2]trace.MethodID{contexts.Method(from), e.Method}
				b.add(at[e.Thread], edge, e.Wall%burstEvery < burstLength)
			}
		}
	}
}

func (b *burstCounts) add(n calltree.Node, edge [2]trace.MethodID, inBurst bool) {
	b.contexts[n]++
	b.edges[edge]++
	b.calls++
	if inBurst {
		b.burst[n]++
		b.burstEdges[edge]++
		b.callsInBursts++
	}
}

func bursts() (string, bool, error) {
	b, err := countBursts()
	if err != nil {
		return "", false, err
	}
	overlap := 0.0
	for n, calls := range b.contexts {
		overlap += 100 * min(calls/b.calls, b.burst[n]/b.callsInBursts)
	}
	const hot = 0.01
	all, found := 0.0, 0.0
	for edge, calls := range b.edges {
		if calls/b.calls < hot {
			continue
		}
		all++
		if b.burstEdges[edge]/b.callsInBursts >= hot {
			found++
		}
	}
	edges := 100 * found / all
	return fmt.Sprintf("%.0f %% overlap, %.0f %% of %.0f edges with 1 %% of the calls", overlap, edges, all), math.Abs(overlap-85) <= 10 && math.Abs(edges-88) <= 10, nil
}

func hotCounters() (string, bool, error) {
	b, err := countBursts()
	if err != nil {
		return "", false, err
	}
	sum, hot := 0.0, 0.0
	for n, calls := range b.contexts {
		if calls/b.calls < 0.001 {
			continue
		}
		hot++
		sum += math.Abs(b.burst[n]*float64(burstEvery/burstLength)-calls) / calls
	}
	wrong := 100 * sum / hot
	return fmt.Sprintf("%.1f %% on average, of %.0f contexts", wrong, hot), wrong >= 6.89 && wrong <= 17.31, nil
}
