package bench

import (
	"context"
	"testing"
	"time"

	"artifice/bench/score"
	"artifice/internal/testdata/tracetest"
)

// depthRatio is a measure of stack depth: the mean reported depth divided by the true one. As
// CONTRIBUTING.md states, a measure needs a constant and a row in measures.
func depthRatio(c *score.Comparison) float64 {
	return float64(c.Line.Reported) / float64(c.Line.True)
}

// TestAddMeasure replaces a row of the table with a new measure and computes it in a sweep. A
// tracer that records every call without cost reports the true depth.
func TestAddMeasure(t *testing.T) {
	const MeanDepth = Overflow // a new measure gets a constant of its own, before numMeasures
	before := measures[MeanDepth]
	measures[MeanDepth].key, measures[MeanDepth].of = "mean_depth", depthRatio
	t.Cleanup(func() { measures[MeanDepth] = before })

	r, err := Run(context.Background(), tracetest.Workload(t, "w7-deep-shallow", time.Second), Config{
		Modes: []Mode{InstrumentedDual}, Devices: devices(t, "ideal"), Phases: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Cells) != 1 || r.Cells[0].Scores[MeanDepth] != 1 || MeanDepth.Key() != "mean_depth" {
		t.Errorf("cells %+v, key %s", r.Cells, MeanDepth.Key())
	}
}
