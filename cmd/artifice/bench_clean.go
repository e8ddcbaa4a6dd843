package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"artifice/art"
	"artifice/bench"
	"artifice/cmd/artifice/command"

	formatpkg "artifice/format"
	"artifice/instrument"
	"artifice/internal/words"
	"artifice/trace"
	"artifice/tracer/device"
)

// ownCost is what recording a source has taken, and is taken out of its times.
type ownCost struct {
	on    device.Device
	rt    *art.Runtime
	cost  instrument.Cost
	event time.Duration // of cost, for each event
}

// ownCostOf returns what the flags say of it; nil: it stays in. Without the flag it is taken out where ART
// recorded SOURCE, which states what its clocks take, and one device is asked for, which tells the rest, and no times of
// SOURCE are.
func (f *benchFlags) ownCostOf(cmd *cobra.Command, src *command.Source) (*ownCost, error) {
	asked := cmd.Flags().Changed("subtract-overhead")
	t := src.Info.Technique // most files do not tell
	traced := (t == trace.Instrumented || t == trace.UnknownTechnique) && src.Dumps == nil && src.Info.Clock.HasWall() && !formatpkg.IsWorkload(src.Name)
	name := f.subtract
	switch {
	case name == "none":
		return nil, nil
	case asked && !traced:
		return nil, f.notTraced(src)
	case asked:
	case !traced || src.Info.VM != "art" || src.Info.ClockOverhead == 0 || len(f.devices) != 1 || !cmd.Flags().Changed("device") || f.part.From != 0 || f.part.To != 0:
		return nil, nil
	default:
		name = f.devices[0]
	}
	d, err := command.Device(name)
	if err != nil {
		return nil, err
	}
	if !asked && d.Instrumented == (instrument.Cost{}) { // a device that takes nothing knows nothing of the source's
		return nil, nil
	}
	format := ""
	if src.Recording.Source != nil {
		format = src.Recording.Source.Format
	}
	c := &ownCost{on: d, rt: art.Writing(format), cost: d.Instrumented}
	if stated := src.Info.ClockOverhead; stated > 0 { // of this very trace
		c.cost.WallRead = min(c.cost.WallRead, stated)
		if c.cost.CPURead = stated - c.cost.WallRead; !src.Info.Clock.HasCPU() {
			c.cost.CPURead, c.cost.WallRead = 0, stated
		}
	}
	if c.event = c.cost.Event(c.rt, src.Info.Clock); c.event == 0 {
		return nil, nil
	}
	return c, nil
}

// notTraced refuses to take the cost of each call out of a source that has none.
func (f *benchFlags) notTraced(src *command.Source) error {
	return command.Usagef("--subtract-overhead %s: %s is not a trace of every call with a wall clock, in which tracing each call has taken time", f.subtract, src.Name)
}

// cleanSweep is sweep without what recording the source took. That the source was sampled can be seen when it has
// been read; then it is read again as it is.
func (f *benchFlags) cleanSweep(ctx context.Context, src *command.Source, own *ownCost, cfg bench.Config) (*bench.Result, *ownCost, error) {
	if own == nil {
		result, err := f.sweep(ctx, src, nil, cfg)
		return result, nil, err
	}
	if _, err := src.FromStart(); err != nil { // the first time
		return nil, nil, err
	}
	result, err := f.sweep(ctx, src, own, cfg)
	switch {
	case !src.In.Sampled():
		return result, own, err
	case f.subtract != "":
		return nil, nil, f.notTraced(src)
	}
	if _, err := src.FromStart(); err != nil {
		return nil, nil, err
	}
	result, err = f.sweep(ctx, src, nil, cfg)
	return result, nil, err
}

// String says in a line what is taken out of the times of a source.
func (c *ownCost) String() string {
	return fmt.Sprintf("what recording took is out of the source's times: %s for each event, on device %s (--subtract-overhead none leaves it in)", words.Digits(c.event), c.on.Name)
}
