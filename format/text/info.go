package text

import (
	"fmt"
	"strconv"
	"time"

	"artifice/trace"
)

// infoField is one line of the info table.
type infoField struct {
	key   string
	value infoValue
}

// infoValue is a value of an Info as text.
type infoValue interface {
	// String returns the value, with names escaped; "" omits the line.
	String() string
	// Set parses s, in which names are not escaped.
	Set(s string) error
}

// infoFields returns the lines of the info table, with the values of i.
func infoFields(i *trace.Info) []infoField {
	return []infoField{
		{"clock", (*clockValue)(&i.Clock)},
		{"start-ns", (*durationValue)(&i.Start)},
		{"elapsed-ns", (*durationValue)(&i.Elapsed)},
		{"overflow", (*boolValue)(&i.Overflow)},
		{"clock-overhead-ns", (*durationValue)(&i.ClockOverhead)},
		{"vm", (*nameValue)(&i.VM)},
		{"pid", (*pidValue)(&i.PID)},
		{"technique", (*techniqueValue)(&i.Technique)},
		{"interval-ns", (*durationValue)(&i.Interval)},
		{"of-cpu", (*boolValue)(&i.OfCPU)},
		{"waits", (*boolValue)(&i.Waits)},
	}
}

type durationValue time.Duration

func (d *durationValue) String() string {
	if *d != 0 {
		return strconv.FormatInt(int64(*d), 10)
	}
	return ""
}

func (d *durationValue) Set(s string) error {
	n, err := strconv.ParseInt(s, 10, 64)
	*d = durationValue(n)
	return err
}

type boolValue bool

func (b *boolValue) String() string {
	if *b {
		return "true"
	}
	return ""
}

func (b *boolValue) Set(s string) error {
	v, err := strconv.ParseBool(s)
	*b = boolValue(v)
	return err
}

type nameValue string

func (n *nameValue) String() string { return escape(string(*n)) }

func (n *nameValue) Set(s string) error {
	*n = nameValue(s)
	return nil
}

type pidValue int

func (p *pidValue) String() string {
	if *p != 0 {
		return strconv.Itoa(int(*p))
	}
	return ""
}

func (p *pidValue) Set(s string) error {
	n, err := strconv.Atoi(s)
	*p = pidValue(n)
	return err
}

type clockValue trace.Clock

func (c *clockValue) String() string { return trace.Clock(*c).String() }

func (c *clockValue) Set(s string) error {
	clock, ok := trace.ParseClock(s)
	if !ok {
		return fmt.Errorf("clock %q is not dual, wall or thread-cpu", s)
	}
	*c = clockValue(clock)
	return nil
}

type techniqueValue trace.Technique

func (t *techniqueValue) String() string {
	if trace.Technique(*t) != trace.UnknownTechnique {
		return trace.Technique(*t).String()
	}
	return ""
}

func (t *techniqueValue) Set(s string) error {
	for known := trace.Truth; known <= trace.Sampled; known++ {
		if known.String() == s {
			*t = techniqueValue(known)
			return nil
		}
	}
	return fmt.Errorf("technique %q is not truth, instrumented or sampled", s)
}
