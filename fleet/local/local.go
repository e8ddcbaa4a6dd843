// Package local runs pipelines of Apache Beam in this process, without a server: it opens no
// socket, so the work is not accessible from the network or from other users. Beam's own runner
// for one machine, Prism, accepts jobs on a port of every interface, from any client, and runs
// commands that a job contains.
//
// Each transform begins when its inputs are complete, and independent transforms run at the same
// time: the parallelism of a pipeline is the number of its branches. Collections are held in
// memory until their last reader is done. The runner supports Impulse, ParDo with side inputs,
// GroupByKey, Combine, Flatten and Reshuffle in the global window, and rejects pipelines with
// other transforms.
package local

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec"
	"golang.org/x/sync/errgroup"
)

// Name is the name of the runner for --runner.
const Name = "local"

func init() { beam.RegisterRunner(Name, Execute) }

// collection is the output of a transform.
type collection struct {
	complete chan struct{} // closed when the collection is complete
	elements []element
	readers  atomic.Int32 // number of inputs of transforms that have not read it yet
}

// element is a value, or a key with the values of its group.
type element struct {
	value exec.FullValue
	group *exec.FixedReStream // nil: a value
}

// release releases the elements when there are no more readers.
func (c *collection) release() {
	if c.readers.Add(-1) == 0 {
		c.elements = nil
	}
}

// result contains the counters of a pipeline. It implements [beam.PipelineResult].
type result struct {
	mutex    sync.Mutex
	counters []metrics.CounterResult
}

// Metrics returns the counters.
func (r *result) Metrics() metrics.Results {
	return *metrics.NewResults(r.counters, nil, nil, nil, nil)
}

// JobID returns "": no server has assigned an ID to the job.
func (r *result) JobID() string { return "" }

// Execute runs a pipeline to its end. The first error of a transform ends it.
func Execute(ctx context.Context, p *beam.Pipeline) (beam.PipelineResult, error) {
	edges, nodes, err := p.Build()
	if err != nil {
		return nil, err
	}
	collections := map[int]*collection{}
	for _, n := range nodes {
		collections[n.ID()] = &collection{complete: make(chan struct{})}
	}
	for _, e := range edges {
		for _, in := range e.Input {
			collections[in.From.ID()].readers.Add(1)
		}
	}
	r := &result{}
	work, ctx := errgroup.WithContext(ctx)
	for _, e := range edges {
		t := &transform{edge: e}
		for _, in := range e.Input {
			t.in = append(t.in, collections[in.From.ID()])
		}
		for _, out := range e.Output {
			t.out = append(t.out, collections[out.To.ID()])
		}
		work.Go(func() error { return r.run(ctx, t) })
	}
	return r, work.Wait()
}

// run runs a transform as soon as its inputs are complete.
func (r *result) run(ctx context.Context, t *transform) error {
	for _, in := range t.in {
		select {
		case <-in.complete:
			defer in.release()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	ctx = metrics.SetBundleID(ctx, fmt.Sprint(t.edge.ID()))
	if err := t.run(ctx); err != nil {
		return err
	}
	for _, out := range t.out {
		close(out.complete)
	}
	counted := metrics.ResultsExtractor(ctx)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.counters = append(r.counters, counted.AllMetrics().Counters()...)
	return nil
}

// transform is an edge of the pipeline's graph with its collections.
type transform struct {
	edge    *graph.MultiEdge
	in, out []*collection
}

// run does the work of a transform.
func (t *transform) run(ctx context.Context) error {
	switch t.edge.Op {
	case graph.Impulse:
		t.out[0].elements = []element{impulse(t.edge.Value)}
		return nil
	case graph.Reshuffle, graph.Flatten:
		for _, in := range t.in {
			t.out[0].elements = append(t.out[0].elements, in.elements...)
		}
		return nil
	case graph.CoGBK:
		return t.group()
	case graph.ParDo, graph.Combine:
		return t.call(ctx)
	}
	return fmt.Errorf("the local runner does not support %s; choose another with --runner", t.edge.Op)
}
