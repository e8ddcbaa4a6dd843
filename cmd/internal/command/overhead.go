package command

import (
	"fmt"

	"artifice/art"
	"artifice/instrument"
	"artifice/internal/words"
	"artifice/trace"
	"artifice/tracer/device"
)

// Values of --subtract-overhead. The costs of a device are predictions. They are never subtracted
// from a recorded trace, because its own events determine its overhead.
const (
	OwnOverhead    = "own"    // as estimated by calibrate from the trace
	HeaderOverhead = "header" // the clock cost that the trace states, a lower bound
	NoOverhead     = "none"
)

// Overhead is the tracing overhead that a recorded trace contains.
type Overhead struct {
	Calibration *device.Calibration // nil if the cost is that of the header
	cost        instrument.Cost
	runtime     *art.Runtime
}

// CheckSubtract returns an error unless value is empty or a value of --subtract-overhead.
func CheckSubtract(value string) error {
	switch value {
	case "", OwnOverhead, HeaderOverhead, NoOverhead:
		return nil
	}
	return Usagef("--subtract-overhead %s: must be own (the event cost that artifice calibrate finds in the trace), header (the clock cost that the trace states) or none; the figures of a device predict costs and are not subtracted", value)
}

// OverheadOf reads a source, which must be in time order, and returns the overhead that
// --subtract-overhead value removes; nil: none. Afterwards, the source's events begin from the
// start. It returns an error if the costs cannot be determined from the source.
func OverheadOf(src *Source, value string) (*Overhead, error) {
	if value == "" || value == NoOverhead {
		return nil, nil
	}
	rec, err := src.FromStart()
	if err != nil {
		return nil, err
	}
	o := &Overhead{runtime: art.Default()}
	if rec.Source != nil {
		o.runtime = art.Writing(rec.Source.Format)
	}
	c, err := device.Calibrate(rec)
	if err != nil {
		return nil, fmt.Errorf("--subtract-overhead %s: %w", value, err)
	}
	stated := rec.Info.ClockOverhead // a stream states it at its end
	switch {
	case value == HeaderOverhead && c.Sampled != nil:
		return nil, Usagef("--subtract-overhead header: %s is sampled and does not state the cost of a sample; use --subtract-overhead own", src.Name)
	case value == HeaderOverhead && stated == 0:
		return nil, Usagef("--subtract-overhead header: %s does not state the cost of its clock; use --subtract-overhead own", src.Name)
	case value == HeaderOverhead:
		o.cost = device.ClockCost(stated, rec.Info.Clock)
	case c.Sampled != nil && c.Sampled.PauseAt(0).Value <= 0:
		return nil, Usagef("--subtract-overhead own: %s does not determine the pause of a sample: it has no CPU clock, and too few samples change several threads", src.Name)
	default:
		o.Calibration = c
		if c.Instrumented != nil {
			o.cost = c.Instrumented.Cost()
		}
	}
	_, err = src.FromStart()
	return o, err
}

// Sampled reports whether the overhead is that of samples.
func (o *Overhead) Sampled() bool { return o.Calibration != nil && o.Calibration.Sampled != nil }

// Remove returns a recorded trace of every call without the overhead.
func (o *Overhead) Remove(rec *trace.Recording) (*instrument.Cleaned, error) {
	return instrument.Clean(rec, o.cost, o.runtime)
}

// String returns a description of the overhead with its interval.
func (o *Overhead) String() string {
	if o.Calibration == nil {
		return fmt.Sprintf("%s per event (clock cost, from the header)", words.Duration(o.cost.Event(o.runtime, trace.Dual)))
	}
	if s := o.Calibration.Sampled; s != nil {
		p := s.PauseAt(0)
		return fmt.Sprintf("%s per sample (%s)", words.Duration(p.Value), words.Between(p.Low, p.High))
	}
	i := o.Calibration.Instrumented
	if i.UpperBound {
		return fmt.Sprintf("%s per event (clock cost; the event cost is between it and %s)", words.Duration(i.ClockOverhead), words.Duration(i.Event.Value))
	}
	return fmt.Sprintf("%s per event (%s)", words.Duration(i.Event.Value), words.Between(i.Event.Low, i.Event.High))
}
