package main

import (
	"fmt"
	"math"
	"os"

	"artifice/art"
	"artifice/instrument"
	"artifice/internal/cli"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// eventDevices are the devices with the event costs to estimate.
var eventDevices = []string{"A", "eastern", "char2", "launcher"}

// runEvents prints calibrate's estimates of the event cost from traces of every call with known
// costs.
func runEvents(app string, files []string) error {
	apps, err := appsOf(app, files)
	if err != nil {
		return err
	}
	table := &cli.Table{Columns: []string{"app", "device", "event", "calibrated", "off", ""}, Right: []bool{false, false, true, true, true, false}}
	all, within, bounds := 0, 0, 0
	for _, p := range apps {
		for _, name := range eventDevices {
			phone, err := device.Open(name)
			if err != nil {
				return err
			}
			truth, err := p.Truth(workload.Config{Seed: 1, Duration: length(p)})
			if err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
			rec, err := instrument.Record(truth, instrument.Config{Cost: phone.Instrumented, Clock: trace.Dual})
			if err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
			c, err := device.Calibrate(rec)
			if err != nil || c.Instrumented == nil {
				table.Add(p.Name, name, "-", "-", "too few calls", "")
				continue
			}
			is, found := float64(phone.Instrumented.Event(art.Default(), trace.Dual)), c.Instrumented.Event.Value
			off, note := float64(found)/is-1, ""
			if c.Instrumented.UpperBound {
				note = "an upper bound"
			}
			all++
			switch {
			case math.Abs(off) <= 0.1:
				within++
			case c.Instrumented.UpperBound && off > 0:
				bounds++
			}
			table.Add(p.Name, name, fmt.Sprintf("%.3f µs", is/1e3), fmt.Sprintf("%.3f µs", float64(found)/1e3), fmt.Sprintf("%+.1f %%", 100*off), note)
		}
	}
	if err := table.WriteText(os.Stdout); err != nil {
		return err
	}
	fmt.Printf("\n%d of %d are within 10 %%; of the others, %d are said to be upper bounds.\n", within, all, bounds)
	return nil
}
