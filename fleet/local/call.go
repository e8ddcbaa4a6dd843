package local

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/mtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/typex"
)

// impulse is the first element of a pipeline.
func impulse(value []byte) element {
	return element{value: exec.FullValue{Elm: value, Windows: window.SingleGlobalWindow, Timestamp: mtime.ZeroTimestamp}}
}

// call calls a function for each element of the first input; the other inputs are side inputs.
// Beam's own code does the work, in a plan of three stages.
func (t *transform) call(ctx context.Context) error {
	ids := &exec.GenID{}
	var units []exec.Unit
	var out []exec.Node
	for _, c := range t.out {
		s := &sink{unit{ids.New()}, c}
		units, out = append(units, s), append(out, s)
	}
	var fn exec.Node
	if t.edge.Op == graph.Combine {
		fn = &exec.Combine{UID: ids.New(), Fn: t.edge.CombineFn, UsesKey: typex.IsKV(t.edge.Input[0].Type), Out: out[0], PID: path.Base(t.edge.CombineFn.Name())}
	} else {
		if t.edge.DoFn.IsSplittable() {
			return fmt.Errorf("the local runner splits no elements, as %s wants it to; choose another with --runner", t.edge.DoFn.Name())
		}
		do := &exec.ParDo{UID: ids.New(), Fn: t.edge.DoFn, Inbound: t.edge.Input, Out: out, PID: path.Base(t.edge.DoFn.Name())}
		for _, sideInput := range t.in[1:] {
			do.Side = append(do.Side, side{sideInput})
		}
		fn = do
	}
	feed := &source{unit: unit{ids.New()}, from: t.in[0], to: fn}
	plan, err := exec.NewPlan(t.edge.Name(), append(units, fn, feed))
	if err != nil {
		return err
	}
	if err = plan.Execute(ctx, "", exec.DataContext{}); err == nil {
		return plan.Down(ctx)
	}
	plan.Down(ctx) // its error adds nothing
	if feed.err != nil {
		return feed.err
	}
	return err
}

// unit is the common part of the stages of a plan. It implements most of [exec.Unit].
type unit struct{ id exec.UnitID }

func (u unit) ID() exec.UnitID                                             { return u.id }
func (u unit) Up(context.Context) error                                    { return nil }
func (u unit) StartBundle(context.Context, string, exec.DataContext) error { return nil }
func (u unit) FinishBundle(context.Context) error                          { return nil }
func (u unit) Down(context.Context) error                                  { return nil }

// source is the stage that reads a collection. It implements [exec.Root].
type source struct {
	unit
	from *collection
	to   exec.Node
	err  error // of the function, without Beam's wrapping
}

func (s *source) StartBundle(ctx context.Context, id string, data exec.DataContext) error {
	return s.to.StartBundle(ctx, id, data)
}

func (s *source) FinishBundle(ctx context.Context) error { return s.to.FinishBundle(ctx) }

// Process passes on every element.
func (s *source) Process(ctx context.Context) ([]*exec.Checkpoint, error) {
	for i := range s.from.elements {
		if err := ctx.Err(); err != nil {
			s.err = err
			return nil, err
		}
		e := &s.from.elements[i]
		var group []exec.ReStream
		if e.group != nil {
			group = []exec.ReStream{e.group}
		}
		if err := s.to.ProcessElement(ctx, &e.value, group...); err != nil {
			s.err = plain(err)
			return nil, err
		}
	}
	return nil, nil
}

// plain returns a function's error without the function's name, which Beam adds in a line before
// it.
func plain(err error) error {
	if _, text, found := strings.Cut(err.Error(), " failed:\n"); found {
		return errors.New(text)
	}
	return err
}

// sink is the stage that fills a collection. It implements [exec.Node].
type sink struct {
	unit
	to *collection
}

// ProcessElement stores the element if the collection has readers.
func (s *sink) ProcessElement(_ context.Context, value *exec.FullValue, _ ...exec.ReStream) error {
	if s.to.readers.Load() > 0 {
		s.to.elements = append(s.to.elements, element{value: *value})
	}
	return nil
}

// side is a side input of a function. It implements [exec.SideInputAdapter].
type side struct{ from *collection }

// NewIterable returns the whole collection.
func (s side) NewIterable(context.Context, exec.StateReader, typex.Window) (exec.ReStream, error) {
	all := &exec.FixedReStream{}
	for i := range s.from.elements {
		all.Buf = append(all.Buf, s.from.elements[i].value)
	}
	return all, nil
}

// NewKeyedIterable returns an error: no function looks up single keys of a map.
func (s side) NewKeyedIterable(context.Context, exec.StateReader, typex.Window, any) (exec.ReStream, error) {
	return nil, errors.New("the local runner does not support side inputs that are maps; choose another with --runner")
}
